-- Claims of contracts: a project says that a contract is its own.
CREATE TABLE claim (
  id BLOB PRIMARY KEY CHECK (length(id) = 16),
  project BLOB NOT NULL REFERENCES project (id),
  -- The key of chain and address, as in the table of contracts.
  contract BLOB NOT NULL CHECK (length(contract) = 40),
  chain INTEGER NOT NULL REFERENCES chain (id),
  address TEXT NOT NULL,
  state TEXT NOT NULL,
  -- The nonce of the next message to be signed.
  nonce BLOB NOT NULL CHECK (length(nonce) = 16),
  nonce_expires_at INTEGER NOT NULL,
  -- How it was proven, if it was.
  proof TEXT,
  -- What the project says to the operators, and what one of them answers.
  note TEXT NOT NULL,
  reason TEXT,
  created_at INTEGER NOT NULL,
  decided_at INTEGER
) STRICT, WITHOUT ROWID;
-- A project has one claim of a contract that is undecided.
CREATE UNIQUE INDEX claim_undecided ON claim (project, contract) WHERE state IN ('open', 'waiting');
CREATE INDEX claim_of_project ON claim (project, created_at, id);
CREATE INDEX claim_waiting ON claim (created_at, id) WHERE state = 'waiting';

-- The contracts of a project are listed by their keys.
CREATE INDEX contract_of_project ON contract (project, id);
