-- The requests of each key, by operation and class of status. A `minute` is a number of minutes since
-- 1970. Ids refer to no tables: counts of keys that a restored backup lacks must not stop others.

-- What each run of a server has counted in a minute; `folded` of these are in hours and days.
CREATE TABLE usage_minute (
  project BLOB NOT NULL CHECK (length(project) = 16),
  minute INTEGER NOT NULL,
  key BLOB NOT NULL CHECK (length(key) = 16),
  operation TEXT NOT NULL,
  class TEXT NOT NULL,
  run BLOB NOT NULL CHECK (length(run) = 16),
  requests INTEGER NOT NULL,
  folded INTEGER NOT NULL,
  -- Whether later minutes are counted here, because the database was away.
  is_coarse INTEGER NOT NULL CHECK (is_coarse IN (0, 1)),
  PRIMARY KEY (project, minute, key, operation, class, run)
) STRICT, WITHOUT ROWID;
CREATE INDEX usage_minute_unfolded ON usage_minute (minute) WHERE requests > folded;
CREATE INDEX usage_minute_by_minute ON usage_minute (minute);

-- The same by hours and days of UTC, of all runs, without what is not folded yet.
CREATE TABLE usage_hour (
  project BLOB NOT NULL CHECK (length(project) = 16),
  minute INTEGER NOT NULL,
  key BLOB NOT NULL CHECK (length(key) = 16),
  operation TEXT NOT NULL,
  class TEXT NOT NULL,
  requests INTEGER NOT NULL,
  is_coarse INTEGER NOT NULL CHECK (is_coarse IN (0, 1)),
  PRIMARY KEY (project, minute, key, operation, class)
) STRICT, WITHOUT ROWID;
CREATE INDEX usage_hour_by_minute ON usage_hour (minute);

CREATE TABLE usage_day (
  project BLOB NOT NULL CHECK (length(project) = 16),
  minute INTEGER NOT NULL,
  key BLOB NOT NULL CHECK (length(key) = 16),
  operation TEXT NOT NULL,
  class TEXT NOT NULL,
  requests INTEGER NOT NULL,
  is_coarse INTEGER NOT NULL CHECK (is_coarse IN (0, 1)),
  PRIMARY KEY (project, minute, key, operation, class)
) STRICT, WITHOUT ROWID;
CREATE INDEX usage_day_by_minute ON usage_day (minute);

-- The last minute in which a key was used, as far as minutes are folded. It is kept for ever.
CREATE TABLE key_use (
  project BLOB NOT NULL CHECK (length(project) = 16),
  key BLOB NOT NULL CHECK (length(key) = 16),
  minute INTEGER NOT NULL,
  PRIMARY KEY (project, key)
) STRICT, WITHOUT ROWID;

-- When counting began: of earlier uses of keys nothing is known.
CREATE TABLE usage_start (at INTEGER NOT NULL) STRICT;
INSERT INTO usage_start (at) VALUES (unixepoch() * 1000);
