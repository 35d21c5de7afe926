-- The donations of each charity: a row for each one that it received a part of, also for those that a
-- later revision took back. Lists of them are read in the order of the two indexes.
CREATE TABLE charity_donation (
  charity BLOB NOT NULL,
  at INTEGER NOT NULL,
  chain INTEGER NOT NULL,
  tx TEXT NOT NULL,
  log_index INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  PRIMARY KEY (charity, at, chain, tx, log_index, revision)
) STRICT, WITHOUT ROWID;
CREATE INDEX charity_donation_of_chain
  ON charity_donation (charity, chain, at, tx, log_index, revision);

INSERT INTO charity_donation (charity, at, chain, tx, log_index, revision)
SELECT config_charity.charity, donation.at, donation.chain, donation.tx, donation.log_index,
  donation.revision
FROM donation JOIN config_charity ON config_charity.config = donation.config
WHERE donation.revision % 2 = 0;
