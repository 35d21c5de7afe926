-- The donations in a token on one day are found by this index, for statistics with filters.
DROP INDEX donation_of_token;
CREATE INDEX donation_of_token ON donation (token, at);
