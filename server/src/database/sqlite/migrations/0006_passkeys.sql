-- Passkeys of accounts. Nothing in them is secret.
CREATE TABLE passkey (
  id BLOB PRIMARY KEY CHECK (length(id) = 16),
  account BLOB NOT NULL REFERENCES account (id),
  name TEXT NOT NULL,
  -- Its name among all passkeys, which its device chose.
  credential_id BLOB NOT NULL UNIQUE,
  -- Its public key and counter, as JSON of the library webauthn-rs.
  credential TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX passkey_of_account ON passkey (account, created_at);

-- Challenges that devices have not answered yet. Each is deleted when it is used.
CREATE TABLE passkey_ceremony (
  id BLOB PRIMARY KEY CHECK (length(id) = 16),
  -- The account that a passkey is made for; none where a passkey signs in.
  account BLOB REFERENCES account (id),
  network TEXT NOT NULL,
  state TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX passkey_ceremony_by_time ON passkey_ceremony (created_at);
CREATE INDEX passkey_ceremony_of_network ON passkey_ceremony (network);

-- What the account proved at the beginning of the session: mail, passkey or demo.
ALTER TABLE session ADD COLUMN proof TEXT NOT NULL DEFAULT 'mail';
ALTER TABLE session ADD COLUMN passkey BLOB REFERENCES passkey (id);
CREATE INDEX session_of_passkey ON session (passkey) WHERE passkey IS NOT NULL;
