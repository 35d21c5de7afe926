//! The query that compares the pairs of configs and tokens with the cells, for both databases.

/// The pairs whose recorded number of days differs from the number of their cells.
pub(super) const DRIFTS: &str = "
    SELECT project, config, token, CAST(sum(recorded) AS bigint) AS recorded,
      CAST(sum(expected) AS bigint) AS expected
    FROM (
      SELECT project, config, token, days AS recorded, 0 AS expected FROM tally_of_pair
      UNION ALL
      SELECT project, config, token, 0 AS recorded, count(*) AS expected
      FROM tally_of_cell GROUP BY project, config, token
    ) AS pair
    GROUP BY project, config, token
    HAVING sum(recorded) <> sum(expected)
    ORDER BY project, config, token";
