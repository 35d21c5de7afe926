//! The numbers of charities, tokens and configs of the donations of all time that match one filter.

use db::{DbError, Tx, Value, params};

use crate::analytics::{ProjectTotals, StatsFilter};
use crate::domain::donation_stats::DonationStats;
use crate::projects::ProjectId;

/// The query for the pairs of a project, which `of_filter` selects.
fn counts(of_filter: &str) -> String {
    format!(
        "SELECT count(DISTINCT pair.config) AS configs, count(DISTINCT pair.token) AS tokens,
           (
             SELECT count(DISTINCT config_charity.charity) FROM config_charity
             WHERE config_charity.config IN (
               SELECT pair.config FROM tally_of_pair AS pair
               WHERE pair.project = $1 AND {of_filter}
             )
           ) AS charities
         FROM tally_of_pair AS pair WHERE pair.project = $1 AND {of_filter}"
    )
}

const OF_CONFIG: &str = "pair.config = $2";
const OF_CHARITY: &str = "pair.config IN (
      SELECT config_charity.config FROM config_charity WHERE config_charity.charity = $2
    )";
const OF_TOKEN: &str = "pair.token = $2";
const OF_ADDRESS: &str =
    "pair.token IN (SELECT token.id FROM token WHERE substr(token.id, 9) = $2)";
/// Keys of tokens start with the chain.
const OF_CHAIN: &str = "pair.token >= $2 AND pair.token < $3";

/// The totals of donations with this sum, which match one filter.
pub(super) fn totals(
    tx: &Tx<'_>,
    project: ProjectId,
    filter: &StatsFilter,
    stats: DonationStats,
) -> Result<ProjectTotals, DbError> {
    let chain = filter.chain.map(|chain| chain.key());
    let (of_filter, values): (_, &[Value]) = match (filter, chain) {
        (
            StatsFilter {
                config: Some(config),
                ..
            },
            _,
        ) => (OF_CONFIG, params![config]),
        (
            StatsFilter {
                charity: Some(charity),
                ..
            },
            _,
        ) => (OF_CHARITY, params![charity]),
        (
            StatsFilter {
                token: Some(token), ..
            },
            Some(chain),
        ) => (OF_TOKEN, params![[&chain[..], token].concat()]),
        (
            StatsFilter {
                token: Some(token), ..
            },
            None,
        ) => (OF_ADDRESS, params![token]),
        (_, Some(chain)) => {
            let next = i64::from_be_bytes(chain).saturating_add(1);
            (OF_CHAIN, params![chain, next.to_be_bytes()])
        }
        (_, None) => ("true", params![]),
    };
    let params = [params![project], values].concat();
    let totals = tx.one(&counts(of_filter), &params, |row| {
        Ok(ProjectTotals {
            stats,
            charities: row.get("charities")?,
            tokens: row.get("tokens")?,
            configs: row.get("configs")?,
        })
    })?;
    Ok(match filter.charity {
        Some(_) => totals.of_one_charity(),
        None => totals,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::database::SCHEMA;

    #[test]
    fn pairs_are_read_by_index() {
        let by_config = "USING PRIMARY KEY (project=? AND config=?)";
        let by_token = "USING COVERING INDEX tally_of_pair_by_token (project=? AND token=?)";
        let by_chain = "INDEX tally_of_pair_by_token (project=? AND token>? AND token<?)";
        for (of_filter, index) in [
            (OF_CONFIG, by_config),
            (OF_CHARITY, by_config),
            (OF_TOKEN, by_token),
            (OF_ADDRESS, by_token),
            (OF_CHAIN, by_chain),
        ] {
            let plan = db::sqlite_plan(&counts(of_filter), SCHEMA).unwrap();
            assert_eq!(plan.matches(index).count(), 2, "{plan}");
        }
    }
}
