-- The minute leads the key of usage, so that the rows that are written again and again stand on few pages.
ALTER TABLE usage_minute DROP CONSTRAINT usage_minute_pkey;
ALTER TABLE usage_minute ADD PRIMARY KEY (minute, project, key, operation, class, run);
DROP INDEX usage_minute_by_minute;
CREATE INDEX usage_minute_by_project ON usage_minute (project, minute);
