-- Times are milliseconds since the Unix epoch. Amounts of money are millionths of a US dollar.
-- Tokens and contracts are identified by 40 bytes: the big-endian chain ID and the sort key of the address.
-- Token amounts are 256-bit integers, stored as 32 big-endian bytes, which sort in numeric order.
-- Sorted text columns have COLLATE "C", so that their order does not depend on the locale of the database.
-- SQLite gets a translation of this file. The marker `sqlite: rowid` gives a table a rowid there.

-- Counters that servers poll to notice changes by other processes.
INSERT INTO version (name, number) VALUES
  ('charities', 0), ('chains', 0), ('tokens', 0), ('campaigns', 0), ('received', 0), ('keys', 0);

-- Catalog

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
  -- The symbol in lowercase.
  symbol_key text COLLATE "C" NOT NULL,
  decimals bigint NOT NULL,
  logo text
);
CREATE INDEX token_by_symbol ON token (symbol_key, id);
-- An address may be of a token on several chains. `id` starts with 8 bytes of the chain.
CREATE INDEX token_by_address ON token (substr(id, 9));

-- Accounts and projects

-- Users of the dashboard. An erased account keeps its row under a pseudonym, because audit events and keys
-- reference it.
CREATE TABLE account (
  id uuid PRIMARY KEY,
  email text NOT NULL,
  -- The address in lowercase, so that two spellings are one account.
  email_key text COLLATE "C" NOT NULL UNIQUE,
  created_at bigint NOT NULL,
  erased_at bigint
);

-- A deleted project is hidden, and its keys are revoked.
CREATE TABLE project (
  id uuid PRIMARY KEY,
  name text COLLATE "C" NOT NULL,
  tier text NOT NULL,
  -- The test events since a time, for their hourly quota.
  test_events bigint NOT NULL DEFAULT 0,
  test_events_since bigint NOT NULL DEFAULT 0,
  -- When the owners were last emailed about a changed webhook.
  webhook_emails_at bigint,
  deleted_at bigint
);

CREATE TABLE membership (
  account uuid NOT NULL REFERENCES account (id),
  project uuid NOT NULL REFERENCES project (id),
  role text COLLATE "C" NOT NULL,
  created_at bigint NOT NULL,
  PRIMARY KEY (account, project)
);
CREATE INDEX membership_of_project ON membership (project);

-- Invitations to projects. The limits count them, so they are stored for a day after they end.
CREATE TABLE invitation (
  id uuid PRIMARY KEY,
  -- SHA-256 of the token.
  token bytea NOT NULL UNIQUE CHECK (octet_length(token) = 32),
  project uuid NOT NULL REFERENCES project (id),
  email text NOT NULL,
  email_key text COLLATE "C" NOT NULL,
  role text NOT NULL,
  invited_by uuid NOT NULL REFERENCES account (id),
  network text NOT NULL,
  provider text NOT NULL DEFAULT '',
  created_at bigint NOT NULL,
  -- When it was accepted, declined, revoked or replaced.
  ended_at bigint
);
CREATE INDEX invitation_of_project ON invitation (project, created_at);
CREATE INDEX invitation_of_email ON invitation (email_key, created_at);
CREATE INDEX invitation_of_account ON invitation (invited_by, created_at);
CREATE INDEX invitation_of_network ON invitation (network, created_at);
CREATE INDEX invitation_of_provider ON invitation (provider, created_at);
CREATE INDEX invitation_by_time ON invitation (created_at);

-- Accounts that can administer all projects.
CREATE TABLE operator (
  account uuid PRIMARY KEY REFERENCES account (id),
  created_at bigint NOT NULL,
  -- SHA-256 of the code that enrolls the operator's next passkey.
  enrolment bytea CHECK (octet_length(enrolment) = 32),
  enrolment_ends_at bigint
);

-- Projects that an operator has suspended. Their keys are rejected.
CREATE TABLE suspension (
  project uuid PRIMARY KEY REFERENCES project (id),
  reason text NOT NULL,
  since bigint NOT NULL
);

-- Requests for another tier. A project has at most one pending request.
CREATE TABLE tier_request (
  id uuid PRIMARY KEY,
  project uuid NOT NULL REFERENCES project (id),
  account uuid NOT NULL REFERENCES account (id),
  tier text NOT NULL,
  reason text NOT NULL,
  created_at bigint NOT NULL,
  accepted boolean,
  answer text,
  decided_at bigint
);
CREATE UNIQUE INDEX tier_request_waiting ON tier_request (project) WHERE decided_at IS NULL;
CREATE INDEX tier_request_of_project ON tier_request (project, created_at);
CREATE INDEX tier_request_open ON tier_request (created_at, id) WHERE decided_at IS NULL;
CREATE INDEX tier_request_of_account ON tier_request (account);

-- Audit log of projects. Rows are never deleted.
CREATE TABLE audit_event (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at bigint NOT NULL,
  -- The account or the key that acted. Both are NULL for an action on the command line.
  account uuid REFERENCES account (id),
  key uuid,
  as_operator boolean NOT NULL DEFAULT false,
  project uuid NOT NULL REFERENCES project (id),
  action text NOT NULL,
  subject text NOT NULL,
  -- The webhook that the event is about, which may be deleted.
  webhook uuid,
  -- The member that the event is about.
  member uuid REFERENCES account (id),
  -- The invited address, until its owner changes or erases it, or the project is deleted.
  invited text
);
CREATE INDEX audit_event_of_project ON audit_event (project, id);
CREATE INDEX audit_event_of_account ON audit_event (account, id);
CREATE INDEX audit_event_of_creation ON audit_event (account, at) WHERE action = 'project-created';
CREATE INDEX audit_event_of_key ON audit_event (key, id) WHERE key IS NOT NULL;
CREATE INDEX audit_event_of_member ON audit_event (member, id) WHERE member IS NOT NULL;
CREATE INDEX audit_event_of_invited ON audit_event (lower(invited)) WHERE invited IS NOT NULL;

-- Security log of accounts: changes of sign-in methods and permissions. Deleted when the account is erased.
CREATE TABLE account_event (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at bigint NOT NULL,
  account uuid NOT NULL REFERENCES account (id),
  action text NOT NULL,
  subject text NOT NULL
);
CREATE INDEX account_event_of_account ON account_event (account, id);

-- API keys

CREATE TABLE api_key (
  id uuid PRIMARY KEY,
  project uuid NOT NULL REFERENCES project (id),
  digest bytea NOT NULL UNIQUE CHECK (octet_length(digest) = 32),
  display_prefix text NOT NULL,
  label text,
  made_by uuid REFERENCES account (id),
  created_at bigint NOT NULL,
  expires_at bigint,
  -- The last expiry notice sent: 1 is 14 days before expiry, 2 is 3 days before, 3 is at expiry.
  expiry_notice bigint NOT NULL DEFAULT 0,
  disabled_at bigint,
  revoked_at bigint,
  -- The key that replaced this key when it was rotated.
  successor uuid REFERENCES api_key (id)
);
CREATE INDEX api_key_of_project ON api_key (project);
CREATE INDEX api_key_by_expiry ON api_key (expires_at) WHERE revoked_at IS NULL AND expiry_notice < 3;

-- Requests by key, operation and status class. `minute` counts minutes since the Unix epoch. There are no
-- foreign keys: a restored backup may lack the key of a request, which must not block the other counts.

-- The counts of each server process. `folded` of the `requests` are already in usage_hour and usage_day.
CREATE TABLE usage_minute (
  project uuid NOT NULL,
  minute bigint NOT NULL,
  key uuid NOT NULL,
  operation text COLLATE "C" NOT NULL,
  class text COLLATE "C" NOT NULL,
  run uuid NOT NULL,
  requests bigint NOT NULL,
  folded bigint NOT NULL,
  -- Whether the row includes later minutes, because the database was unavailable.
  is_coarse boolean NOT NULL,
  -- The minute comes first, so that the rows that are updated are on few pages.
  PRIMARY KEY (minute, project, key, operation, class, run)
);
CREATE INDEX usage_minute_unfolded ON usage_minute (minute) WHERE requests > folded;
CREATE INDEX usage_minute_by_project ON usage_minute (project, minute);

CREATE TABLE usage_hour (
  project uuid NOT NULL,
  minute bigint NOT NULL,
  key uuid NOT NULL,
  operation text COLLATE "C" NOT NULL,
  class text COLLATE "C" NOT NULL,
  requests bigint NOT NULL,
  is_coarse boolean NOT NULL,
  PRIMARY KEY (project, minute, key, operation, class)
);
CREATE INDEX usage_hour_by_minute ON usage_hour (minute);

CREATE TABLE usage_day (
  project uuid NOT NULL,
  minute bigint NOT NULL,
  key uuid NOT NULL,
  operation text COLLATE "C" NOT NULL,
  class text COLLATE "C" NOT NULL,
  requests bigint NOT NULL,
  is_coarse boolean NOT NULL,
  PRIMARY KEY (project, minute, key, operation, class)
);
CREATE INDEX usage_day_by_minute ON usage_day (minute);

-- The last minute in which each key was used, according to the folded counts. Rows are never deleted.
CREATE TABLE key_use (
  project uuid NOT NULL,
  key uuid NOT NULL,
  minute bigint NOT NULL,
  PRIMARY KEY (project, key)
);

-- When counting started. The use of keys before that time is unknown.
CREATE TABLE usage_start (
  at bigint NOT NULL
);
INSERT INTO usage_start (at) VALUES (CAST(extract(epoch FROM now()) * 1000 AS bigint));

-- The primary key also makes concurrent requests with the same key wait for each other.
-- sqlite: rowid
CREATE TABLE idempotency (
  project uuid NOT NULL REFERENCES project (id),
  key text COLLATE "C" NOT NULL,
  fingerprint bytea NOT NULL,
  -- The ID of the resource that the request created.
  resource bytea NOT NULL,
  -- The response to repeat, or NULL if it is rendered from the resource.
  response bytea,
  created_at bigint NOT NULL,
  PRIMARY KEY (project, key)
);
CREATE INDEX idempotency_by_age ON idempotency (created_at);
CREATE INDEX idempotency_of_resource ON idempotency (resource) WHERE response IS NULL;

-- Configs and contracts

-- Donation configs are immutable. A deleted config is hidden from its project, but its row stays.
CREATE TABLE config (
  id bytea PRIMARY KEY CHECK (octet_length(id) = 32),
  project uuid NOT NULL REFERENCES project (id),
  name text,
  -- A JSON object.
  metadata text NOT NULL DEFAULT '{}',
  created_at bigint NOT NULL,
  deleted_at bigint
);
CREATE INDEX config_of_project ON config (project, created_at DESC, id DESC) WHERE deleted_at IS NULL;
-- The quota of a project counts its recently deleted configs.
CREATE INDEX deleted_config_of_project ON config (project, deleted_at) WHERE deleted_at IS NOT NULL;

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

CREATE TABLE contract (
  id bytea PRIMARY KEY CHECK (octet_length(id) = 40),
  chain bigint NOT NULL REFERENCES chain (id),
  address text NOT NULL,
  project uuid NOT NULL REFERENCES project (id)
);
CREATE INDEX contract_of_project ON contract (project, id);

-- Claims of projects to own a contract. A project has at most one undecided claim to a contract.
CREATE TABLE claim (
  id uuid PRIMARY KEY,
  project uuid NOT NULL REFERENCES project (id),
  -- The ID of the contract, which may not exist yet.
  contract bytea NOT NULL CHECK (octet_length(contract) = 40),
  chain bigint NOT NULL REFERENCES chain (id),
  address text NOT NULL,
  state text NOT NULL,
  -- The nonce of the next message to sign.
  nonce uuid NOT NULL,
  nonce_expires_at bigint NOT NULL,
  proof text,
  -- The note to the operators, and the operator's reason for the decision.
  note text NOT NULL,
  reason text,
  created_at bigint NOT NULL,
  decided_at bigint
);
CREATE UNIQUE INDEX claim_undecided ON claim (project, contract) WHERE state IN ('open', 'waiting');
CREATE INDEX claim_of_project ON claim (project, created_at, id);
CREATE INDEX claim_waiting ON claim (created_at, id) WHERE state = 'waiting';

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

-- Donations

-- The append-only log that all statistics are computed from. An odd revision has a negative amount of money and
-- reverses the revision before it.
-- sqlite: rowid
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
CREATE INDEX donation_of_config ON donation (config, at, chain, tx, log_index);
CREATE INDEX donation_of_token ON donation (token, at);

-- The donations that no later revision reverses.
CREATE VIEW standing_donation AS
SELECT chain, tx, log_index, revision, token, config, amount, usd_e6, at FROM donation AS given
WHERE revision % 2 = 0 AND NOT EXISTS (
  SELECT 1 FROM donation AS taken
  WHERE taken.chain = given.chain AND taken.tx = given.tx
    AND taken.log_index = given.log_index AND taken.revision = given.revision + 1
);

-- The donations to each charity, including reversed donations. The primary key and the index have the orders
-- in which donations are listed.
CREATE TABLE charity_donation (
  charity uuid NOT NULL,
  at bigint NOT NULL,
  chain bigint NOT NULL,
  tx text COLLATE "C" NOT NULL,
  log_index bigint NOT NULL,
  revision bigint NOT NULL,
  PRIMARY KEY (charity, at, chain, tx, log_index, revision)
);
CREATE INDEX charity_donation_of_chain
  ON charity_donation (charity, chain, at, tx, log_index, revision);

-- How much of a source an interrupted import has recorded. `digest` is the SHA-256 of those bytes.
CREATE TABLE import_progress (
  source text PRIMARY KEY,
  bytes bigint NOT NULL CHECK (bytes > 0),
  lines bigint NOT NULL CHECK (lines > 0),
  digest bytea NOT NULL CHECK (octet_length(digest) = 32)
);

-- Rollups of the standing donations

-- By partner token and config. The active config of a token always has a row, another config only while it has
-- donations. `contract` and `creator` are copied from the token, so that pages are index-only scans. PostgreSQL
-- needs a recently vacuumed table for those, so it vacuums more often than by default.
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

-- By project and dimension: `facet` 0 is the whole project, 1 is by charity, 2 by token, 3 by config, 4 by chain.
-- `member` is the ID of the charity, token, config or chain. There are no rows without donations. Pages are
-- index-only scans.
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
-- Lists of a project's configs by their latest donation.
CREATE INDEX tally_of_config_by_time ON tally (project, last_at DESC, member DESC) WHERE facet = 3;

-- The same by day, in days since 1970-01-01 in UTC, and by hour: `facet` 5, where `member` is the number of the
-- hour since then. Integers in `member` are 8 big-endian bytes.
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

-- By project, config and token on each day, from which combinations of filters are summed. `parts` has the sum of
-- the shares of each charity of the config, by its place: 8 big-endian bytes each.
CREATE TABLE tally_of_cell (
  project uuid NOT NULL,
  day bigint NOT NULL,
  config bytea NOT NULL,
  token bytea NOT NULL,
  usd_e6 bigint NOT NULL CHECK (usd_e6 >= 0),
  donations bigint NOT NULL CHECK (donations > 0),
  first_at bigint NOT NULL,
  last_at bigint NOT NULL,
  parts bytea NOT NULL,
  PRIMARY KEY (project, day, config, token)
);

-- The configs and tokens of a project that have cells, with the number of their days. A donation changes a row
-- only if it is the first of its cell, or the last one that is taken back.
CREATE TABLE tally_of_pair (
  project uuid NOT NULL,
  config bytea NOT NULL,
  token bytea NOT NULL,
  days bigint NOT NULL CHECK (days >= 0),
  PRIMARY KEY (project, config, token)
);
CREATE INDEX tally_of_pair_by_token ON tally_of_pair (project, token, config);

-- By charity, across all projects. There is no CHECK: updates are upserts of differences, which may be negative
-- and would be checked before they are added.
CREATE TABLE charity_total (
  charity uuid PRIMARY KEY,
  usd_e6 bigint NOT NULL,
  donations bigint NOT NULL,
  first_at bigint,
  last_at bigint
);

-- By charity on each day, across all projects, without CHECK likewise. There are no rows without donations. The day
-- comes first, so that an import changes few pages, and the sum of all charities reads only the days of its range.
CREATE TABLE charity_day (
  day bigint NOT NULL,
  charity uuid NOT NULL,
  usd_e6 bigint NOT NULL,
  donations bigint NOT NULL,
  PRIMARY KEY (day, charity)
);

-- The minutes of each day in which any server ran, and in which any server could read this database, as bit maps of
-- 1440 bits. Minutes rather than counts, so that it does not matter how many servers record the same minute.
CREATE TABLE availability (
  day bigint PRIMARY KEY,
  running bytea NOT NULL CHECK (octet_length(running) = 180),
  reading bytea NOT NULL CHECK (octet_length(reading) = 180)
);

-- Webhooks

CREATE TABLE webhook (
  id uuid PRIMARY KEY,
  project uuid NOT NULL REFERENCES project (id),
  url text NOT NULL,
  description text,
  -- A bit mask of event types.
  events bigint NOT NULL,
  enabled boolean NOT NULL,
  -- Secrets are encrypted with a key that is not in the database.
  secret bytea NOT NULL,
  previous_secret bytea,
  previous_secret_until bigint,
  -- The first failure since the last success.
  failing_since bigint,
  -- Whether a request of the last delivery run was slow. Slow webhooks share few places.
  slow boolean NOT NULL DEFAULT false,
  -- Until then, only the server that holds the lease sends deliveries.
  leased_until bigint NOT NULL,
  created_at bigint NOT NULL
);
CREATE INDEX webhook_of_project ON webhook (project, created_at, id);
CREATE INDEX webhook_failing ON webhook (failing_since) WHERE failing_since IS NOT NULL;

-- Events as they are sent. IDs start with the time, so they sort in chronological order.
CREATE TABLE webhook_event (
  id uuid PRIMARY KEY,
  type text NOT NULL,
  body bytea NOT NULL,
  created_at bigint NOT NULL
);

-- Deliveries of events to webhooks. Old events are deleted independently, so `event` is no foreign key.
CREATE TABLE webhook_delivery (
  webhook uuid NOT NULL,
  id uuid NOT NULL,
  event uuid NOT NULL,
  state text NOT NULL,
  attempts bigint NOT NULL,
  -- NULL if there is no further attempt.
  next_attempt_at bigint,
  give_up_at bigint NOT NULL,
  -- The latest attempts, as JSON.
  attempt_log text NOT NULL,
  -- The start of the body of the last response.
  response text,
  PRIMARY KEY (webhook, id)
);
CREATE INDEX webhook_delivery_due ON webhook_delivery (webhook, next_attempt_at)
  WHERE next_attempt_at IS NOT NULL;

-- The sequence number of the latest event about each config.
CREATE TABLE config_event (
  config bytea PRIMARY KEY REFERENCES config (id),
  latest bigint NOT NULL
);

-- Sign-in

-- `network` is the network of the client, and `provider` is the larger network of its internet provider: a /16
-- of IPv4 or a /32 of IPv6. Limits apply to both. A restored database gets another epoch. Sessions, sign-ins
-- and emails of an earlier epoch are ignored: they may have ended or been sent since the backup.

-- Sign-ins by email. The limits count them, so they are stored for a day. Secrets are SHA-256 digests.
CREATE TABLE sign_in (
  id uuid PRIMARY KEY,
  token bytea NOT NULL UNIQUE CHECK (octet_length(token) = 32),
  browser bytea NOT NULL CHECK (octet_length(browser) = 32),
  code bytea NOT NULL CHECK (octet_length(code) = 32),
  email text NOT NULL,
  email_key text COLLATE "C" NOT NULL,
  network text NOT NULL,
  provider text NOT NULL DEFAULT '',
  -- The account that confirms its identity again. The limits reserve capacity for it.
  step_up uuid REFERENCES account (id),
  -- The account that changes its address to `email`.
  account uuid REFERENCES account (id),
  created_at bigint NOT NULL,
  attempts bigint NOT NULL,
  used_at bigint,
  made_account boolean NOT NULL,
  -- Allowed above the limits, for a known browser.
  reserved boolean NOT NULL DEFAULT false,
  epoch uuid NOT NULL
);
CREATE INDEX sign_in_of_browser ON sign_in (browser, created_at);
CREATE INDEX sign_in_of_email ON sign_in (email_key, created_at);
CREATE INDEX sign_in_of_network ON sign_in (network, created_at);
CREATE INDEX sign_in_of_provider ON sign_in (provider, created_at);
CREATE INDEX sign_in_of_step_up ON sign_in (step_up, created_at) WHERE step_up IS NOT NULL;
CREATE INDEX sign_in_of_account ON sign_in (account) WHERE account IS NOT NULL;
CREATE INDEX sign_in_by_time ON sign_in (created_at);

-- Browsers in which an account signed in by email. They can still request emails when others have used up the limit
-- of its address. `browser` is the SHA-256 of their secret.
CREATE TABLE known_browser (
  account uuid NOT NULL REFERENCES account (id),
  browser bytea NOT NULL CHECK (octet_length(browser) = 32),
  email_key text COLLATE "C" NOT NULL,
  used_at bigint NOT NULL,
  PRIMARY KEY (browser, account)
);
CREATE INDEX known_browser_of_account ON known_browser (account, used_at);
CREATE INDEX known_browser_by_use ON known_browser (used_at);

-- Passkeys. They contain no secrets.
CREATE TABLE passkey (
  id uuid PRIMARY KEY,
  account uuid NOT NULL REFERENCES account (id),
  name text NOT NULL,
  -- The ID that the authenticator chose.
  credential_id bytea NOT NULL UNIQUE,
  -- The public key and counter, as JSON of the crate webauthn-rs.
  credential text NOT NULL,
  created_at bigint NOT NULL,
  last_used_at bigint
);
CREATE INDEX passkey_of_account ON passkey (account, created_at);

-- Pending passkey challenges. A challenge is deleted when it is used.
CREATE TABLE passkey_ceremony (
  id uuid PRIMARY KEY,
  -- The account that registers a passkey, or NULL for a sign-in.
  account uuid REFERENCES account (id),
  network text NOT NULL,
  provider text NOT NULL DEFAULT '',
  state text NOT NULL,
  created_at bigint NOT NULL
);
CREATE INDEX passkey_ceremony_of_network ON passkey_ceremony (network);
CREATE INDEX passkey_ceremony_of_provider ON passkey_ceremony (provider);
CREATE INDEX passkey_ceremony_by_time ON passkey_ceremony (created_at);

-- Accounts at an OpenID Connect provider. They contain no secrets.
CREATE TABLE identity (
  id uuid PRIMARY KEY,
  account uuid NOT NULL REFERENCES account (id),
  issuer text NOT NULL,
  -- The ID at the issuer, which is never reassigned. An email address may be.
  subject text NOT NULL,
  -- The email address at the time of linking, or the subject.
  label text NOT NULL,
  created_at bigint NOT NULL,
  last_used_at bigint,
  UNIQUE (issuer, subject)
);
CREATE INDEX identity_of_account ON identity (account, created_at);

-- Redirects to the provider. The limits count them, so they are stored for a day.
CREATE TABLE oidc_authorization (
  browser bytea PRIMARY KEY CHECK (octet_length(browser) = 32),
  purpose text NOT NULL,
  -- The account that confirms its identity or links one, or NULL for a sign-in.
  account uuid REFERENCES account (id),
  network text NOT NULL,
  provider text NOT NULL DEFAULT '',
  created_at bigint NOT NULL,
  used_at bigint,
  made_account boolean NOT NULL
);
CREATE INDEX oidc_authorization_of_account ON oidc_authorization (account)
  WHERE account IS NOT NULL;
CREATE INDEX oidc_authorization_of_network ON oidc_authorization (network, created_at);
CREATE INDEX oidc_authorization_of_provider ON oidc_authorization (provider, created_at);
CREATE INDEX oidc_authorization_by_time ON oidc_authorization (created_at);

CREATE TABLE session (
  id uuid PRIMARY KEY,
  secret bytea NOT NULL UNIQUE CHECK (octet_length(secret) = 32),
  account uuid NOT NULL REFERENCES account (id),
  browser_name text NOT NULL,
  -- The sign-in method, with the passkey or identity that was used.
  proof text NOT NULL DEFAULT 'mail',
  passkey uuid REFERENCES passkey (id),
  identity uuid REFERENCES identity (id),
  created_at bigint NOT NULL,
  last_seen_at bigint NOT NULL,
  stepped_up_at bigint NOT NULL,
  epoch uuid NOT NULL
);
CREATE INDEX session_of_account ON session (account, created_at);
CREATE INDEX session_of_passkey ON session (passkey) WHERE passkey IS NOT NULL;
CREATE INDEX session_of_identity ON session (identity) WHERE identity IS NOT NULL;
CREATE INDEX session_by_time ON session (created_at);
CREATE INDEX session_by_use ON session (last_seen_at);

-- Emails to send. An email is deleted when it is sent or abandoned.
CREATE TABLE outbox (
  id uuid PRIMARY KEY,
  recipient text NOT NULL,
  subject text NOT NULL,
  text text NOT NULL,
  html text NOT NULL,
  created_at bigint NOT NULL,
  attempts bigint NOT NULL,
  -- While a server sends the email, the time from which another server may send it.
  next_attempt_at bigint NOT NULL,
  -- When the email becomes useless and is abandoned.
  send_until bigint NOT NULL,
  epoch uuid NOT NULL
);
CREATE INDEX outbox_by_next_attempt ON outbox (next_attempt_at);
CREATE INDEX outbox_by_use ON outbox (send_until);
