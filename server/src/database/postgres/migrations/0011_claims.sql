-- Claims of contracts: a project says that a contract is its own.
CREATE TABLE claim (
  id uuid PRIMARY KEY,
  project uuid NOT NULL REFERENCES project (id),
  -- The key of chain and address, as in the table of contracts.
  contract bytea NOT NULL CHECK (octet_length(contract) = 40),
  chain bigint NOT NULL REFERENCES chain (id),
  address text NOT NULL,
  state text NOT NULL,
  -- The nonce of the next message to be signed.
  nonce uuid NOT NULL,
  nonce_expires_at bigint NOT NULL,
  -- How it was proven, if it was.
  proof text,
  -- What the project says to the operators, and what one of them answers.
  note text NOT NULL,
  reason text,
  created_at bigint NOT NULL,
  decided_at bigint
);
-- A project has one claim of a contract that is undecided.
CREATE UNIQUE INDEX claim_undecided ON claim (project, contract) WHERE state IN ('open', 'waiting');
CREATE INDEX claim_of_project ON claim (project, created_at, id);
CREATE INDEX claim_waiting ON claim (created_at, id) WHERE state = 'waiting';

-- The contracts of a project are listed by their keys.
CREATE INDEX contract_of_project ON contract (project, id);
