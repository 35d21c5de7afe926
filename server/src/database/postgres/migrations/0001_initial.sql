-- Times are milliseconds since 1970-01-01T00:00Z. Money is millionths of a US dollar.
-- Tokens and contracts are identified by 40 bytes: the chain id, big-endian, and the address's sort key.
-- Amounts of tokens have 256 bits, kept as 32 bytes, big-endian: exact, and in the order of the amounts.
-- Texts that are ordered by are in the order of their bytes, whatever the database's locale.

-- What a running server polls to see the changes of other processes.
CREATE TABLE version (
  name text PRIMARY KEY,
  number bigint NOT NULL
);
INSERT INTO version (name, number) VALUES ('catalogue', 0), ('raised', 0), ('keys', 0);

CREATE TABLE chain (
  id bigint PRIMARY KEY,
  name text NOT NULL,
  kind text NOT NULL,
  currency_name text NOT NULL,
  currency_symbol text NOT NULL,
  currency_decimals bigint NOT NULL,
  explorer text
);

CREATE TABLE charity (
  id uuid PRIMARY KEY,
  slug text COLLATE "C" NOT NULL UNIQUE,
  name text NOT NULL,
  description text NOT NULL,
  logo text,
  website text,
  line1 text,
  line2 text,
  city text,
  region text,
  postal_code text,
  country text NOT NULL,
  tax_id text,
  category text NOT NULL,
  verified boolean NOT NULL,
  active boolean NOT NULL,
  listed_at bigint NOT NULL
);

CREATE TABLE social_link (
  charity uuid NOT NULL REFERENCES charity (id),
  place bigint NOT NULL,
  network text NOT NULL,
  url text NOT NULL,
  PRIMARY KEY (charity, place)
);

CREATE TABLE token (
  id bytea PRIMARY KEY CHECK (octet_length(id) = 40),
  chain bigint NOT NULL REFERENCES chain (id),
  address text NOT NULL,
  name text NOT NULL,
  symbol text NOT NULL,
  decimals bigint NOT NULL,
  logo text
);

CREATE TABLE project (
  id uuid PRIMARY KEY,
  name text COLLATE "C" NOT NULL,
  tier text NOT NULL
);

CREATE TABLE api_key (
  id uuid PRIMARY KEY,
  project uuid NOT NULL REFERENCES project (id),
  digest bytea NOT NULL UNIQUE CHECK (octet_length(digest) = 32),
  display_prefix text NOT NULL,
  created_at bigint NOT NULL,
  expires_at bigint,
  revoked_at bigint
);
CREATE INDEX api_key_of_project ON api_key (project);

-- Configs are never changed and never removed: deleting one only hides it from its project.
CREATE TABLE config (
  id bytea PRIMARY KEY CHECK (octet_length(id) = 32),
  project uuid NOT NULL REFERENCES project (id),
  created_at bigint NOT NULL,
  deleted_at bigint
);
CREATE INDEX config_of_project ON config (project, created_at DESC, id DESC) WHERE deleted_at IS NULL;

CREATE TABLE config_charity (
  config bytea NOT NULL REFERENCES config (id),
  place bigint NOT NULL,
  charity uuid NOT NULL REFERENCES charity (id),
  weight bigint NOT NULL,
  PRIMARY KEY (config, place),
  UNIQUE (charity, config)
);

CREATE TABLE config_user (
  config bytea NOT NULL REFERENCES config (id),
  place bigint NOT NULL,
  chain bigint NOT NULL REFERENCES chain (id),
  address text NOT NULL,
  PRIMARY KEY (config, place)
);

-- Its primary key is also what a twin in flight on another replica waits for.
CREATE TABLE idempotency (
  project uuid NOT NULL REFERENCES project (id),
  key text COLLATE "C" NOT NULL,
  fingerprint bytea NOT NULL,
  -- The id of what the request created.
  resource bytea NOT NULL,
  -- The response to repeat, unless it is created anew from the resource.
  response bytea,
  created_at bigint NOT NULL,
  PRIMARY KEY (project, key)
);
CREATE INDEX idempotency_by_age ON idempotency (created_at);
CREATE INDEX idempotency_of_resource ON idempotency (resource) WHERE response IS NULL;

CREATE TABLE contract (
  id bytea PRIMARY KEY CHECK (octet_length(id) = 40),
  chain bigint NOT NULL REFERENCES chain (id),
  address text NOT NULL,
  project uuid NOT NULL REFERENCES project (id)
);

CREATE TABLE partner_token (
  token bytea PRIMARY KEY REFERENCES token (id),
  contract bytea NOT NULL REFERENCES contract (id),
  creator text NOT NULL,
  active_config bytea NOT NULL REFERENCES config (id)
);
CREATE INDEX partner_token_of_config ON partner_token (active_config);

CREATE TABLE previous_config (
  token bytea NOT NULL REFERENCES partner_token (token),
  place bigint NOT NULL,
  config bytea NOT NULL REFERENCES config (id),
  PRIMARY KEY (token, place)
);

CREATE INDEX previous_config_of_config ON previous_config (config);

-- The sum of the standing donations in a partner token through a config. The active config of a token
-- always has a row, another config only while it has donations. `contract` and `creator` repeat the
-- columns of the token, so that pages are read from the index alone. That holds as long as the table is
-- vacuumed, hence more often than the server does by itself.
CREATE TABLE leaderboard_entry (
  token bytea NOT NULL REFERENCES partner_token (token),
  config bytea NOT NULL REFERENCES config (id),
  contract bytea NOT NULL REFERENCES contract (id),
  creator text NOT NULL,
  usd_e6 bigint NOT NULL CHECK (usd_e6 >= 0),
  donations bigint NOT NULL CHECK (donations >= 0),
  first_at bigint,
  last_at bigint,
  PRIMARY KEY (token, config)
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
CREATE INDEX leaderboard ON leaderboard_entry (contract, usd_e6 DESC, token DESC, config DESC)
  INCLUDE (donations, first_at, last_at, creator);

CREATE TABLE campaign (
  id uuid PRIMARY KEY,
  title text NOT NULL,
  description text NOT NULL,
  charity uuid REFERENCES charity (id),
  config bytea REFERENCES config (id),
  goal_e6 bigint NOT NULL,
  starts_at bigint NOT NULL,
  ends_at bigint,
  raised_e6 bigint NOT NULL,
  CHECK ((charity IS NULL) <> (config IS NULL))
);
CREATE INDEX campaign_of_charity ON campaign (charity) WHERE charity IS NOT NULL;
CREATE INDEX campaign_of_config ON campaign (config) WHERE config IS NOT NULL;

-- The log that all statistics follow from. Rows are only added: an odd revision is a compensating
-- row with a negative sum, which takes the revision before it back.
CREATE TABLE donation (
  chain bigint NOT NULL,
  tx text COLLATE "C" NOT NULL,
  log_index bigint NOT NULL,
  revision bigint NOT NULL,
  token bytea NOT NULL REFERENCES token (id),
  config bytea NOT NULL REFERENCES config (id),
  amount bytea NOT NULL CHECK (octet_length(amount) = 32),
  usd_e6 bigint NOT NULL,
  at bigint NOT NULL,
  PRIMARY KEY (chain, tx, log_index, revision),
  CHECK (CASE revision % 2 WHEN 0 THEN usd_e6 >= 0 ELSE usd_e6 <= 0 END)
);
CREATE INDEX donation_by_time ON donation (at);
CREATE INDEX donation_of_config ON donation (config, at);
CREATE INDEX donation_of_token ON donation (token, at);

-- The donations that no later revision took back.
CREATE VIEW standing_donation AS
SELECT chain, tx, log_index, revision, token, config, amount, usd_e6, at FROM donation AS given
WHERE revision % 2 = 0 AND NOT EXISTS (
  SELECT 1 FROM donation AS taken
  WHERE taken.chain = given.chain AND taken.tx = given.tx
    AND taken.log_index = given.log_index AND taken.revision = given.revision + 1
);

-- The roll-ups: what a project's standing donations add up to, in all (facet 0) and by charity (1),
-- token (2) and config (3). A member without donations has no row. Pages are read from the index
-- alone as long as it is vacuumed, hence more often than the server does by itself.
CREATE TABLE tally (
  project uuid NOT NULL,
  facet bigint NOT NULL,
  member bytea NOT NULL,
  usd_e6 bigint NOT NULL CHECK (usd_e6 >= 0),
  donations bigint NOT NULL CHECK (donations > 0),
  first_at bigint NOT NULL,
  last_at bigint NOT NULL,
  PRIMARY KEY (project, facet, member)
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
CREATE INDEX tally_by_usd ON tally (project, facet, usd_e6 DESC, member DESC)
  INCLUDE (donations, first_at, last_at);

-- The same by day, counted from 1970-01-01 in UTC.
CREATE TABLE tally_of_day (
  project uuid NOT NULL,
  facet bigint NOT NULL,
  day bigint NOT NULL,
  member bytea NOT NULL,
  usd_e6 bigint NOT NULL CHECK (usd_e6 >= 0),
  donations bigint NOT NULL CHECK (donations > 0),
  first_at bigint NOT NULL,
  last_at bigint NOT NULL,
  PRIMARY KEY (project, facet, day, member)
);
