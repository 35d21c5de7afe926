-- Invitations to projects. Those that have ended are kept for a day because the limits count them.
CREATE TABLE invitation (
  id uuid PRIMARY KEY,
  token bytea NOT NULL UNIQUE CHECK (octet_length(token) = 32),
  project uuid NOT NULL REFERENCES project (id),
  email text NOT NULL,
  -- The address in lower case.
  email_key text NOT NULL,
  role text NOT NULL,
  invited_by uuid NOT NULL REFERENCES account (id),
  network text NOT NULL,
  created_at bigint NOT NULL,
  -- When it was answered, revoked or replaced.
  ended_at bigint
);
CREATE INDEX invitation_of_project ON invitation (project, created_at);
CREATE INDEX invitation_of_email ON invitation (email_key, created_at);
CREATE INDEX invitation_of_account ON invitation (invited_by, created_at);
CREATE INDEX invitation_of_network ON invitation (network, created_at);
CREATE INDEX invitation_by_time ON invitation (created_at);

-- The member that an event is about.
ALTER TABLE audit_event ADD COLUMN member uuid REFERENCES account (id);
