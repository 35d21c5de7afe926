-- People who sign in to the dashboard. Secrets are kept as SHA-256 digests.
CREATE TABLE account (
  id BLOB PRIMARY KEY CHECK (length(id) = 16),
  email TEXT NOT NULL,
  -- The address in lower case: two spellings are one account.
  email_key TEXT NOT NULL UNIQUE,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE membership (
  account BLOB NOT NULL REFERENCES account (id),
  project BLOB NOT NULL REFERENCES project (id),
  role TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (account, project)
) STRICT, WITHOUT ROWID;
CREATE INDEX membership_of_project ON membership (project);

-- Requests to sign in, kept for a day because the limits count them.
CREATE TABLE sign_in (
  id BLOB PRIMARY KEY CHECK (length(id) = 16),
  token BLOB NOT NULL UNIQUE CHECK (length(token) = 32),
  browser BLOB NOT NULL CHECK (length(browser) = 32),
  code BLOB NOT NULL CHECK (length(code) = 32),
  email TEXT NOT NULL,
  email_key TEXT NOT NULL,
  network TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  attempts INTEGER NOT NULL,
  used_at INTEGER,
  made_account INTEGER NOT NULL CHECK (made_account IN (0, 1))
) STRICT, WITHOUT ROWID;
CREATE INDEX sign_in_of_browser ON sign_in (browser, created_at);
CREATE INDEX sign_in_of_email ON sign_in (email_key, created_at);
CREATE INDEX sign_in_of_network ON sign_in (network, created_at);
CREATE INDEX sign_in_by_time ON sign_in (created_at);

CREATE TABLE session (
  id BLOB PRIMARY KEY CHECK (length(id) = 16),
  secret BLOB NOT NULL UNIQUE CHECK (length(secret) = 32),
  account BLOB NOT NULL REFERENCES account (id),
  browser_name TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  last_seen_at INTEGER NOT NULL,
  stepped_up_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX session_of_account ON session (account, created_at);
CREATE INDEX session_by_time ON session (created_at);
CREATE INDEX session_by_use ON session (last_seen_at);

-- Mails to be sent. A mail that was sent, or given up, is deleted.
CREATE TABLE outbox (
  id BLOB PRIMARY KEY CHECK (length(id) = 16),
  recipient TEXT NOT NULL,
  subject TEXT NOT NULL,
  text TEXT NOT NULL,
  html TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  attempts INTEGER NOT NULL,
  -- While a server is sending it, the time at which another one may.
  next_attempt_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX outbox_by_next_attempt ON outbox (next_attempt_at);

-- What was done to projects. Rows are only ever added.
CREATE TABLE audit_event (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL,
  -- The account that did it; an operator if there is none.
  account BLOB REFERENCES account (id),
  project BLOB NOT NULL REFERENCES project (id),
  action TEXT NOT NULL,
  subject TEXT NOT NULL
) STRICT;
CREATE INDEX audit_event_of_project ON audit_event (project, id);

-- A deleted project is hidden, and its keys are revoked.
ALTER TABLE project ADD COLUMN deleted_at INTEGER;

ALTER TABLE api_key ADD COLUMN label TEXT;
ALTER TABLE api_key ADD COLUMN made_by BLOB REFERENCES account (id);
