-- Since when a key is disabled: it is refused until it is enabled again.
ALTER TABLE api_key ADD COLUMN disabled_at bigint;
