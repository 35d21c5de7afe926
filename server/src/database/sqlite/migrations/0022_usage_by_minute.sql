-- The minute leads the key of usage, so that the rows that are written again and again stand on few pages.
CREATE TABLE usage_minute_new (
  project BLOB NOT NULL CHECK (length(project) = 16),
  minute INTEGER NOT NULL,
  key BLOB NOT NULL CHECK (length(key) = 16),
  operation TEXT NOT NULL,
  class TEXT NOT NULL,
  run BLOB NOT NULL CHECK (length(run) = 16),
  requests INTEGER NOT NULL,
  folded INTEGER NOT NULL,
  is_coarse INTEGER NOT NULL CHECK (is_coarse IN (0, 1)),
  PRIMARY KEY (minute, project, key, operation, class, run)
) STRICT, WITHOUT ROWID;
INSERT INTO usage_minute_new (project, minute, key, operation, class, run, requests, folded, is_coarse)
SELECT project, minute, key, operation, class, run, requests, folded, is_coarse FROM usage_minute;
DROP TABLE usage_minute;
ALTER TABLE usage_minute_new RENAME TO usage_minute;
CREATE INDEX usage_minute_unfolded ON usage_minute (minute) WHERE requests > folded;
CREATE INDEX usage_minute_by_project ON usage_minute (project, minute);
