//! The query that compares the lists of charities' donations with the log, for both databases.

use super::GIVES;

/// The charities whose lists differ from the log, with the number of missing rows and of extra ones.
pub(super) fn drifts() -> String {
    format!(
        "
    SELECT charity,
      count(*) FILTER (WHERE is_listed = 0) AS missing,
      count(*) FILTER (WHERE is_listed = 1) AS extra
    FROM (
      SELECT charity, max(is_listed) AS is_listed FROM (
        SELECT charity, at, chain, tx, log_index, revision, 1 AS is_listed FROM charity_donation
        UNION ALL
        SELECT config_charity.charity, donation.at, donation.chain, donation.tx, donation.log_index,
          donation.revision, 0 AS is_listed
        FROM donation JOIN config_charity ON config_charity.config = donation.config
        WHERE {GIVES}
      ) AS rows_of_both
      GROUP BY charity, at, chain, tx, log_index, revision
      HAVING count(*) = 1
    ) AS rows_of_one
    GROUP BY charity
    ORDER BY charity"
    )
}
