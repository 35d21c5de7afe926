-- The donations of each charity: a row for each one that it received a part of, also for those that a
-- later revision took back. Lists of them are read in the order of the two indexes.
CREATE TABLE charity_donation (
  charity uuid NOT NULL,
  at bigint NOT NULL,
  chain bigint NOT NULL,
  tx text COLLATE "C" NOT NULL,
  log_index bigint NOT NULL,
  revision bigint NOT NULL,
  PRIMARY KEY (charity, at, chain, tx, log_index, revision)
);
CREATE INDEX charity_donation_of_chain
  ON charity_donation (charity, chain, at, tx, log_index, revision);

INSERT INTO charity_donation (charity, at, chain, tx, log_index, revision)
SELECT config_charity.charity, donation.at, donation.chain, donation.tx, donation.log_index,
  donation.revision
FROM donation JOIN config_charity ON config_charity.config = donation.config
WHERE donation.revision % 2 = 0;
