-- Accounts that may look after all projects.
CREATE TABLE operator (
  account BLOB PRIMARY KEY REFERENCES account (id),
  created_at INTEGER NOT NULL,
  -- Of the code with which its next passkey is made, and from when on the code is refused.
  enrolment BLOB CHECK (length(enrolment) = 32),
  enrolment_ends_at INTEGER
) STRICT, WITHOUT ROWID;

-- What was changed about how accounts sign in and what they may do. Rows are only ever added, and go
-- with their account.
CREATE TABLE account_event (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL,
  account BLOB NOT NULL REFERENCES account (id),
  action TEXT NOT NULL,
  subject TEXT NOT NULL
) STRICT;
CREATE INDEX account_event_of_account ON account_event (account, id);

-- Projects that an operator has taken out of service: their keys are refused.
CREATE TABLE suspension (
  project BLOB PRIMARY KEY REFERENCES project (id),
  reason TEXT NOT NULL,
  since INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Requests of members for another tier. At most one of a project waits.
CREATE TABLE tier_request (
  id BLOB PRIMARY KEY CHECK (length(id) = 16),
  project BLOB NOT NULL REFERENCES project (id),
  account BLOB NOT NULL REFERENCES account (id),
  tier TEXT NOT NULL,
  reason TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  -- The decision, once there is one.
  accepted INTEGER CHECK (accepted IN (0, 1)),
  answer TEXT,
  decided_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX tier_request_waiting ON tier_request (project) WHERE decided_at IS NULL;
CREATE INDEX tier_request_of_project ON tier_request (project, created_at);
CREATE INDEX tier_request_open ON tier_request (created_at, id) WHERE decided_at IS NULL;
CREATE INDEX tier_request_of_account ON tier_request (account);

-- Whether the account did it as an operator.
ALTER TABLE audit_event ADD COLUMN as_operator INTEGER NOT NULL DEFAULT 0 CHECK (as_operator IN (0, 1));
