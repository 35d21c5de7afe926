-- What each charity received of all standing donations, whichever project they belong to. A charity that
-- received nothing may have no row. Rows are written by adding changes, which may be negative: a CHECK
-- would refuse those before they are added.
CREATE TABLE charity_total (
  charity uuid PRIMARY KEY,
  usd_e6 bigint NOT NULL,
  donations bigint NOT NULL,
  first_at bigint,
  last_at bigint
);

-- Each donation is divided by the weights of its config; the millionths that are missing then go to the
-- largest remainders, of equal ones to the first.
INSERT INTO charity_total (charity, usd_e6, donations, first_at, last_at)
SELECT charity, sum(part + (nth <= missing)::int), count(*), min(at), max(at)
FROM (
  SELECT charity, at, part,
    row_number() OVER (
      PARTITION BY chain, tx, log_index, revision ORDER BY remainder DESC, place
    ) AS nth,
    usd_e6 - sum(part) OVER (PARTITION BY chain, tx, log_index, revision) AS missing
  FROM (
    SELECT given.chain, given.tx, given.log_index, given.revision, given.usd_e6, given.at,
      its.charity, its.place,
      given.usd_e6 / whole.weight * its.weight
        + given.usd_e6 % whole.weight * its.weight / whole.weight AS part,
      given.usd_e6 % whole.weight * its.weight % whole.weight AS remainder
    FROM standing_donation AS given
    JOIN config_charity AS its ON its.config = given.config
    JOIN (
      SELECT config, sum(weight)::bigint AS weight FROM config_charity GROUP BY config
    ) AS whole ON whole.config = given.config
  ) AS divided
) AS shared
GROUP BY charity;
