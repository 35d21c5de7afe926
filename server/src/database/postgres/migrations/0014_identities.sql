-- Who people are to a provider of OpenID Connect. Nothing in them is secret.
CREATE TABLE identity (
  id uuid PRIMARY KEY,
  account uuid NOT NULL REFERENCES account (id),
  issuer text NOT NULL,
  -- Who it is there. An address there may come to be somebody else's, a subject may not.
  subject text NOT NULL,
  -- What its person called it by when it was linked: an address, or the subject.
  label text NOT NULL,
  created_at bigint NOT NULL,
  last_used_at bigint,
  UNIQUE (issuer, subject)
);
CREATE INDEX identity_of_account ON identity (account, created_at);

-- Browsers that were sent to the provider, kept for a day because the limits count them.
CREATE TABLE oidc_authorization (
  browser bytea PRIMARY KEY,
  purpose text NOT NULL,
  -- The account that is confirmed or linked; none where somebody signs in.
  account uuid REFERENCES account (id),
  network text NOT NULL,
  created_at bigint NOT NULL,
  used_at bigint,
  made_account boolean NOT NULL
);
CREATE INDEX oidc_authorization_of_account ON oidc_authorization (account)
  WHERE account IS NOT NULL;
CREATE INDEX oidc_authorization_by_time ON oidc_authorization (created_at);
CREATE INDEX oidc_authorization_of_network ON oidc_authorization (network, created_at);

-- The identity that the session began with, if its proof is one.
ALTER TABLE session ADD COLUMN identity uuid REFERENCES identity (id);
CREATE INDEX session_of_identity ON session (identity) WHERE identity IS NOT NULL;
