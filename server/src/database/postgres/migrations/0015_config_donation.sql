-- The donations through a config are listed in the order of this index.
DROP INDEX donation_of_config;
CREATE INDEX donation_of_config ON donation (config, at, chain, tx, log_index);
