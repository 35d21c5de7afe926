-- Invitations to projects. Those that have ended are kept for a day because the limits count them.
CREATE TABLE invitation (
  id BLOB PRIMARY KEY CHECK (length(id) = 16),
  token BLOB NOT NULL UNIQUE CHECK (length(token) = 32),
  project BLOB NOT NULL REFERENCES project (id),
  email TEXT NOT NULL,
  -- The address in lower case.
  email_key TEXT NOT NULL,
  role TEXT NOT NULL,
  invited_by BLOB NOT NULL REFERENCES account (id),
  network TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  -- When it was answered, revoked or replaced.
  ended_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX invitation_of_project ON invitation (project, created_at);
CREATE INDEX invitation_of_email ON invitation (email_key, created_at);
CREATE INDEX invitation_of_account ON invitation (invited_by, created_at);
CREATE INDEX invitation_of_network ON invitation (network, created_at);
CREATE INDEX invitation_by_time ON invitation (created_at);

-- The member that an event is about.
ALTER TABLE audit_event ADD COLUMN member BLOB REFERENCES account (id);
