-- The network that an internet provider hands out as a whole: a /16 of IPv4, a /32 of IPv6. Nobody is given
-- enough networks of one provider to use up the limits of all.
ALTER TABLE sign_in ADD COLUMN provider text NOT NULL DEFAULT '';
CREATE INDEX sign_in_of_provider ON sign_in (provider, created_at);
ALTER TABLE passkey_ceremony ADD COLUMN provider text NOT NULL DEFAULT '';
CREATE INDEX passkey_ceremony_of_provider ON passkey_ceremony (provider);
ALTER TABLE oidc_authorization ADD COLUMN provider text NOT NULL DEFAULT '';
CREATE INDEX oidc_authorization_of_provider ON oidc_authorization (provider, created_at);

-- The account that confirms that it is still its person: what strangers ask for leaves room for these.
ALTER TABLE sign_in ADD COLUMN step_up uuid REFERENCES account (id);
CREATE INDEX sign_in_of_step_up ON sign_in (step_up, created_at) WHERE step_up IS NOT NULL;
