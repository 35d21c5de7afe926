-- The account that takes the address of the sign-in in the place of its own.
ALTER TABLE sign_in ADD COLUMN account uuid REFERENCES account (id);
CREATE INDEX sign_in_of_account ON sign_in (account) WHERE account IS NOT NULL;

-- When the account was erased. Its row stays under a pseudonym, because the audit log and keys name it.
ALTER TABLE account ADD COLUMN erased_at bigint;

-- For the export of an account.
CREATE INDEX audit_event_of_account ON audit_event (account, id);
CREATE INDEX audit_event_of_member ON audit_event (member, id) WHERE member IS NOT NULL;
