-- Times are milliseconds since 1970-01-01T00:00Z. Money is millionths of a US dollar.
-- Tokens and contracts are identified by 40 bytes: the chain id, big-endian, and the address's sort key.

-- What a running server polls to see the changes of other processes.
CREATE TABLE version (
  name TEXT PRIMARY KEY,
  number INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO version (name, number) VALUES ('catalogue', 0), ('raised', 0), ('keys', 0);

CREATE TABLE chain (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  kind TEXT NOT NULL,
  currency_name TEXT NOT NULL,
  currency_symbol TEXT NOT NULL,
  currency_decimals INTEGER NOT NULL,
  explorer TEXT
) STRICT;

CREATE TABLE charity (
  id BLOB PRIMARY KEY CHECK (length(id) = 16),
  slug TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  description TEXT NOT NULL,
  logo TEXT,
  website TEXT,
  line1 TEXT,
  line2 TEXT,
  city TEXT,
  region TEXT,
  postal_code TEXT,
  country TEXT NOT NULL,
  tax_id TEXT,
  category TEXT NOT NULL,
  verified INTEGER NOT NULL CHECK (verified IN (0, 1)),
  active INTEGER NOT NULL CHECK (active IN (0, 1)),
  listed_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE social_link (
  charity BLOB NOT NULL REFERENCES charity (id),
  place INTEGER NOT NULL,
  network TEXT NOT NULL,
  url TEXT NOT NULL,
  PRIMARY KEY (charity, place)
) STRICT, WITHOUT ROWID;

CREATE TABLE token (
  id BLOB PRIMARY KEY CHECK (length(id) = 40),
  chain INTEGER NOT NULL REFERENCES chain (id),
  address TEXT NOT NULL,
  name TEXT NOT NULL,
  symbol TEXT NOT NULL,
  decimals INTEGER NOT NULL,
  logo TEXT
) STRICT, WITHOUT ROWID;

CREATE TABLE project (
  id BLOB PRIMARY KEY CHECK (length(id) = 16),
  name TEXT NOT NULL,
  tier TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE api_key (
  id BLOB PRIMARY KEY CHECK (length(id) = 16),
  project BLOB NOT NULL REFERENCES project (id),
  digest BLOB NOT NULL UNIQUE CHECK (length(digest) = 32),
  display_prefix TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  revoked_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX api_key_of_project ON api_key (project);

-- Configs are never changed and never removed: deleting one only hides it from its project.
CREATE TABLE config (
  id BLOB PRIMARY KEY CHECK (length(id) = 32),
  project BLOB NOT NULL REFERENCES project (id),
  created_at INTEGER NOT NULL,
  deleted_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX config_of_project ON config (project, created_at DESC, id DESC) WHERE deleted_at IS NULL;

CREATE TABLE config_charity (
  config BLOB NOT NULL REFERENCES config (id),
  place INTEGER NOT NULL,
  charity BLOB NOT NULL REFERENCES charity (id),
  weight INTEGER NOT NULL,
  PRIMARY KEY (config, place),
  UNIQUE (charity, config)
) STRICT, WITHOUT ROWID;

CREATE TABLE config_user (
  config BLOB NOT NULL REFERENCES config (id),
  place INTEGER NOT NULL,
  chain INTEGER NOT NULL REFERENCES chain (id),
  address TEXT NOT NULL,
  PRIMARY KEY (config, place)
) STRICT, WITHOUT ROWID;

CREATE TABLE idempotency (
  project BLOB NOT NULL REFERENCES project (id),
  key TEXT NOT NULL,
  fingerprint BLOB NOT NULL,
  -- The id of what the request created.
  resource BLOB NOT NULL,
  -- The response to repeat, unless it is created anew from the resource.
  response BLOB,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (project, key)
) STRICT;
CREATE INDEX idempotency_by_age ON idempotency (created_at);
CREATE INDEX idempotency_of_resource ON idempotency (resource) WHERE response IS NULL;

CREATE TABLE contract (
  id BLOB PRIMARY KEY CHECK (length(id) = 40),
  chain INTEGER NOT NULL REFERENCES chain (id),
  address TEXT NOT NULL,
  project BLOB NOT NULL REFERENCES project (id)
) STRICT, WITHOUT ROWID;

CREATE TABLE partner_token (
  token BLOB PRIMARY KEY REFERENCES token (id),
  contract BLOB NOT NULL REFERENCES contract (id),
  creator TEXT NOT NULL,
  active_config BLOB NOT NULL REFERENCES config (id)
) STRICT, WITHOUT ROWID;
CREATE INDEX partner_token_of_config ON partner_token (active_config);

CREATE TABLE previous_config (
  token BLOB NOT NULL REFERENCES partner_token (token),
  place INTEGER NOT NULL,
  config BLOB NOT NULL REFERENCES config (id),
  PRIMARY KEY (token, place)
) STRICT, WITHOUT ROWID;

CREATE INDEX previous_config_of_config ON previous_config (config);

-- The sum of the standing donations in a partner token through a config. The active config of a token
-- always has a row, another config only while it has donations. `contract` and `creator` repeat the
-- columns of the token, so that pages are read from the index alone.
CREATE TABLE leaderboard_entry (
  token BLOB NOT NULL REFERENCES partner_token (token),
  config BLOB NOT NULL REFERENCES config (id),
  contract BLOB NOT NULL REFERENCES contract (id),
  creator TEXT NOT NULL,
  usd_e6 INTEGER NOT NULL CHECK (usd_e6 >= 0),
  donations INTEGER NOT NULL CHECK (donations >= 0),
  first_at INTEGER,
  last_at INTEGER,
  PRIMARY KEY (token, config)
) STRICT, WITHOUT ROWID;
CREATE INDEX leaderboard ON leaderboard_entry (
  contract, usd_e6 DESC, token DESC, config DESC, donations, first_at, last_at, creator
);

CREATE TABLE campaign (
  id BLOB PRIMARY KEY CHECK (length(id) = 16),
  title TEXT NOT NULL,
  description TEXT NOT NULL,
  charity BLOB REFERENCES charity (id),
  config BLOB REFERENCES config (id),
  goal_e6 INTEGER NOT NULL,
  starts_at INTEGER NOT NULL,
  ends_at INTEGER,
  raised_e6 INTEGER NOT NULL,
  CHECK ((charity IS NULL) <> (config IS NULL))
) STRICT, WITHOUT ROWID;
CREATE INDEX campaign_of_charity ON campaign (charity) WHERE charity IS NOT NULL;
CREATE INDEX campaign_of_config ON campaign (config) WHERE config IS NOT NULL;

-- The log that all statistics follow from. Rows are only added: an odd revision is a compensating
-- row with a negative sum, which takes the revision before it back.
CREATE TABLE donation (
  chain INTEGER NOT NULL,
  tx TEXT NOT NULL,
  log_index INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  token BLOB NOT NULL REFERENCES token (id),
  config BLOB NOT NULL REFERENCES config (id),
  amount BLOB NOT NULL CHECK (length(amount) = 32),
  usd_e6 INTEGER NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (chain, tx, log_index, revision),
  CHECK (CASE revision % 2 WHEN 0 THEN usd_e6 >= 0 ELSE usd_e6 <= 0 END)
) STRICT;
CREATE INDEX donation_by_time ON donation (at);
CREATE INDEX donation_of_config ON donation (config);
CREATE INDEX donation_of_token ON donation (token);

-- The donations that no later revision took back.
CREATE VIEW standing_donation AS
SELECT * FROM donation AS given
WHERE revision % 2 = 0 AND NOT EXISTS (
  SELECT 1 FROM donation AS taken
  WHERE taken.chain = given.chain AND taken.tx = given.tx
    AND taken.log_index = given.log_index AND taken.revision = given.revision + 1
);

-- The roll-ups: what a project's standing donations add up to, in all (facet 0) and by charity (1),
-- token (2) and config (3). A member without donations has no row.
CREATE TABLE tally (
  project BLOB NOT NULL,
  facet INTEGER NOT NULL,
  member BLOB NOT NULL,
  usd_e6 INTEGER NOT NULL CHECK (usd_e6 >= 0),
  donations INTEGER NOT NULL CHECK (donations > 0),
  first_at INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  PRIMARY KEY (project, facet, member)
) STRICT, WITHOUT ROWID;
CREATE INDEX tally_by_usd ON tally (
  project, facet, usd_e6 DESC, member DESC, donations, first_at, last_at
);

-- The same by day, counted from 1970-01-01 in UTC.
CREATE TABLE tally_of_day (
  project BLOB NOT NULL,
  facet INTEGER NOT NULL,
  day INTEGER NOT NULL,
  member BLOB NOT NULL,
  usd_e6 INTEGER NOT NULL CHECK (usd_e6 >= 0),
  donations INTEGER NOT NULL CHECK (donations > 0),
  first_at INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  PRIMARY KEY (project, facet, day, member)
) STRICT, WITHOUT ROWID;
