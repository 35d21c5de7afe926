-- The requests of each key, by operation and class of status. A `minute` is a number of minutes since
-- 1970. Ids refer to no tables: counts of keys that a restored backup lacks must not stop others.

-- What each run of a server has counted in a minute; `folded` of these are in hours and days.
CREATE TABLE usage_minute (
  project uuid NOT NULL,
  minute bigint NOT NULL,
  key uuid NOT NULL,
  operation text NOT NULL,
  class text NOT NULL,
  run uuid NOT NULL,
  requests bigint NOT NULL,
  folded bigint NOT NULL,
  -- Whether later minutes are counted here, because the database was away.
  is_coarse boolean NOT NULL,
  PRIMARY KEY (project, minute, key, operation, class, run)
);
CREATE INDEX usage_minute_unfolded ON usage_minute (minute) WHERE requests > folded;
CREATE INDEX usage_minute_by_minute ON usage_minute (minute);

-- The same by hours and days of UTC, of all runs, without what is not folded yet.
CREATE TABLE usage_hour (
  project uuid NOT NULL,
  minute bigint NOT NULL,
  key uuid NOT NULL,
  operation text NOT NULL,
  class text NOT NULL,
  requests bigint NOT NULL,
  is_coarse boolean NOT NULL,
  PRIMARY KEY (project, minute, key, operation, class)
);
CREATE INDEX usage_hour_by_minute ON usage_hour (minute);

CREATE TABLE usage_day (
  project uuid NOT NULL,
  minute bigint NOT NULL,
  key uuid NOT NULL,
  operation text NOT NULL,
  class text NOT NULL,
  requests bigint NOT NULL,
  is_coarse boolean NOT NULL,
  PRIMARY KEY (project, minute, key, operation, class)
);
CREATE INDEX usage_day_by_minute ON usage_day (minute);

-- The last minute in which a key was used, as far as minutes are folded. It is kept for ever.
CREATE TABLE key_use (
  project uuid NOT NULL,
  key uuid NOT NULL,
  minute bigint NOT NULL,
  PRIMARY KEY (project, key)
);

-- When counting began: of earlier uses of keys nothing is known.
CREATE TABLE usage_start (at bigint NOT NULL);
INSERT INTO usage_start (at) SELECT (extract(epoch FROM now()) * 1000)::bigint;
