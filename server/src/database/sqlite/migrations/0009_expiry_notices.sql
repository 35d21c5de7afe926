-- How much the owners of a key's project were told of its end: 1 after the mail of 14 days before, 2 after that
-- of 3 days before, 3 after that of the end.
ALTER TABLE api_key ADD COLUMN expiry_notice INTEGER NOT NULL DEFAULT 0;
CREATE INDEX api_key_by_expiry ON api_key (expires_at) WHERE revoked_at IS NULL AND expiry_notice < 3;
