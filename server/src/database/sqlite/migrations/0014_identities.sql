-- Who people are to a provider of OpenID Connect. Nothing in them is secret.
CREATE TABLE identity (
  id BLOB PRIMARY KEY CHECK (length(id) = 16),
  account BLOB NOT NULL REFERENCES account (id),
  issuer TEXT NOT NULL,
  -- Who it is there. An address there may come to be somebody else's, a subject may not.
  subject TEXT NOT NULL,
  -- What its person called it by when it was linked: an address, or the subject.
  label TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER,
  UNIQUE (issuer, subject)
) STRICT, WITHOUT ROWID;
CREATE INDEX identity_of_account ON identity (account, created_at);

-- Browsers that were sent to the provider, kept for a day because the limits count them.
CREATE TABLE oidc_authorization (
  browser BLOB PRIMARY KEY CHECK (length(browser) = 32),
  purpose TEXT NOT NULL,
  -- The account that is confirmed or linked; none where somebody signs in.
  account BLOB REFERENCES account (id),
  network TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  used_at INTEGER,
  made_account INTEGER NOT NULL CHECK (made_account IN (0, 1))
) STRICT, WITHOUT ROWID;
CREATE INDEX oidc_authorization_of_account ON oidc_authorization (account)
  WHERE account IS NOT NULL;
CREATE INDEX oidc_authorization_by_time ON oidc_authorization (created_at);
CREATE INDEX oidc_authorization_of_network ON oidc_authorization (network, created_at);

-- The identity that the session began with, if its proof is one.
ALTER TABLE session ADD COLUMN identity BLOB REFERENCES identity (id);
CREATE INDEX session_of_identity ON session (identity) WHERE identity IS NOT NULL;
