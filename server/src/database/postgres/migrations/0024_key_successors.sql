-- The key that replaces a key, if it was rotated.
ALTER TABLE api_key ADD COLUMN successor uuid REFERENCES api_key (id);
