-- People who sign in to the dashboard. Secrets are kept as SHA-256 digests.
CREATE TABLE account (
  id uuid PRIMARY KEY,
  email text NOT NULL,
  -- The address in lower case: two spellings are one account.
  email_key text NOT NULL UNIQUE,
  created_at bigint NOT NULL
);

CREATE TABLE membership (
  account uuid NOT NULL REFERENCES account (id),
  project uuid NOT NULL REFERENCES project (id),
  role text NOT NULL,
  created_at bigint NOT NULL,
  PRIMARY KEY (account, project)
);
CREATE INDEX membership_of_project ON membership (project);

-- Requests to sign in, kept for a day because the limits count them.
CREATE TABLE sign_in (
  id uuid PRIMARY KEY,
  token bytea NOT NULL UNIQUE CHECK (octet_length(token) = 32),
  browser bytea NOT NULL CHECK (octet_length(browser) = 32),
  code bytea NOT NULL CHECK (octet_length(code) = 32),
  email text NOT NULL,
  email_key text NOT NULL,
  network text NOT NULL,
  created_at bigint NOT NULL,
  attempts bigint NOT NULL,
  used_at bigint,
  made_account boolean NOT NULL
);
CREATE INDEX sign_in_of_browser ON sign_in (browser, created_at);
CREATE INDEX sign_in_of_email ON sign_in (email_key, created_at);
CREATE INDEX sign_in_of_network ON sign_in (network, created_at);
CREATE INDEX sign_in_by_time ON sign_in (created_at);

CREATE TABLE session (
  id uuid PRIMARY KEY,
  secret bytea NOT NULL UNIQUE CHECK (octet_length(secret) = 32),
  account uuid NOT NULL REFERENCES account (id),
  browser_name text NOT NULL,
  created_at bigint NOT NULL,
  last_seen_at bigint NOT NULL,
  stepped_up_at bigint NOT NULL
);
CREATE INDEX session_of_account ON session (account, created_at);
CREATE INDEX session_by_time ON session (created_at);
CREATE INDEX session_by_use ON session (last_seen_at);

-- Mails to be sent. A mail that was sent, or given up, is deleted.
CREATE TABLE outbox (
  id uuid PRIMARY KEY,
  recipient text NOT NULL,
  subject text NOT NULL,
  text text NOT NULL,
  html text NOT NULL,
  created_at bigint NOT NULL,
  attempts bigint NOT NULL,
  -- While a server is sending it, the time at which another one may.
  next_attempt_at bigint NOT NULL
);
CREATE INDEX outbox_by_next_attempt ON outbox (next_attempt_at);

-- What was done to projects. Rows are only ever added.
CREATE TABLE audit_event (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at bigint NOT NULL,
  -- The account that did it; an operator if there is none.
  account uuid REFERENCES account (id),
  project uuid NOT NULL REFERENCES project (id),
  action text NOT NULL,
  subject text NOT NULL
);
CREATE INDEX audit_event_of_project ON audit_event (project, id);

-- A deleted project is hidden, and its keys are revoked.
ALTER TABLE project ADD COLUMN deleted_at bigint;

ALTER TABLE api_key ADD COLUMN label text;
ALTER TABLE api_key ADD COLUMN made_by uuid REFERENCES account (id);
