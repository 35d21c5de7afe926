-- Passkeys of accounts. Nothing in them is secret.
CREATE TABLE passkey (
  id uuid PRIMARY KEY,
  account uuid NOT NULL REFERENCES account (id),
  name text NOT NULL,
  -- Its name among all passkeys, which its device chose.
  credential_id bytea NOT NULL UNIQUE,
  -- Its public key and counter, as JSON of the library webauthn-rs.
  credential text NOT NULL,
  created_at bigint NOT NULL,
  last_used_at bigint
);
CREATE INDEX passkey_of_account ON passkey (account, created_at);

-- Challenges that devices have not answered yet. Each is deleted when it is used.
CREATE TABLE passkey_ceremony (
  id uuid PRIMARY KEY,
  -- The account that a passkey is made for; none where a passkey signs in.
  account uuid REFERENCES account (id),
  network text NOT NULL,
  state text NOT NULL,
  created_at bigint NOT NULL
);
CREATE INDEX passkey_ceremony_by_time ON passkey_ceremony (created_at);
CREATE INDEX passkey_ceremony_of_network ON passkey_ceremony (network);

-- What the account proved at the beginning of the session: mail, passkey or demo.
ALTER TABLE session ADD COLUMN proof text NOT NULL DEFAULT 'mail';
ALTER TABLE session ADD COLUMN passkey uuid REFERENCES passkey (id);
CREATE INDEX session_of_passkey ON session (passkey) WHERE passkey IS NOT NULL;
