-- Accounts that may look after all projects.
CREATE TABLE operator (
  account uuid PRIMARY KEY REFERENCES account (id),
  created_at bigint NOT NULL,
  -- Of the code with which its next passkey is made, and from when on the code is refused.
  enrolment bytea CHECK (octet_length(enrolment) = 32),
  enrolment_ends_at bigint
);

-- What was changed about how accounts sign in and what they may do. Rows are only ever added, and go
-- with their account.
CREATE TABLE account_event (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at bigint NOT NULL,
  account uuid NOT NULL REFERENCES account (id),
  action text NOT NULL,
  subject text NOT NULL
);
CREATE INDEX account_event_of_account ON account_event (account, id);

-- Projects that an operator has taken out of service: their keys are refused.
CREATE TABLE suspension (
  project uuid PRIMARY KEY REFERENCES project (id),
  reason text NOT NULL,
  since bigint NOT NULL
);

-- Requests of members for another tier. At most one of a project waits.
CREATE TABLE tier_request (
  id uuid PRIMARY KEY,
  project uuid NOT NULL REFERENCES project (id),
  account uuid NOT NULL REFERENCES account (id),
  tier text NOT NULL,
  reason text NOT NULL,
  created_at bigint NOT NULL,
  -- The decision, once there is one.
  accepted boolean,
  answer text,
  decided_at bigint
);
CREATE UNIQUE INDEX tier_request_waiting ON tier_request (project) WHERE decided_at IS NULL;
CREATE INDEX tier_request_of_project ON tier_request (project, created_at);
CREATE INDEX tier_request_open ON tier_request (created_at, id) WHERE decided_at IS NULL;
CREATE INDEX tier_request_of_account ON tier_request (account);

-- Whether the account did it as an operator.
ALTER TABLE audit_event ADD COLUMN as_operator boolean NOT NULL DEFAULT false;
