//! Hourly sums with a filter, which no rollup has: the contract bounds their days.

use std::collections::BTreeMap;

use db::{DbError, PerEngine, Row, Tx, params};

use super::bounds;
use crate::analytics::series::Point;
use crate::analytics::{StatsFilter, StatsScope};
use crate::charities::CharityId;
use crate::configs::sql::Configs;
use crate::domain::amount::UsdE6;
use crate::domain::config_id::ConfigId;
use crate::domain::day::Hour;
use crate::domain::share;

/// Joins the donations whose `{column}` is the member of `day`, on that day: for each day at a time.
const GIVEN: PerEngine<'_> = PerEngine {
    // `CROSS JOIN` keeps the order.
    sqlite: "CROSS JOIN standing_donation AS given
      ON given.{column} = day.member AND given.at BETWEEN day.first_at AND day.last_at",
    // `OFFSET` prevents a join that reads all of a config or token for each of its days.
    postgres: "CROSS JOIN LATERAL (
      SELECT one.config, one.token, one.chain, one.usd_e6, one.at
      FROM standing_donation AS one
      WHERE one.{column} = day.member AND one.at BETWEEN day.first_at AND day.last_at
      OFFSET 0
    ) AS given",
};

/// The query for a project's standing donations that match a filter. Its parameters are the project, the
/// first and the last day, and the filter's config, token, chain and charity, which may be null. `given` joins the
/// donations whose `{column}` is the member of `day`, on that day.
///
/// The sums of days name the configs and tokens that had donations, so that no others are looked up in
/// the log: through the project's own configs, and in its contracts' tokens through others' configs.
/// Subqueries and not joins look up whose they are, so that a database looks at nothing else. `IS NULL`
/// comes last, because PostgreSQL takes the type of a parameter from its first use.
fn donations(given: &str) -> String {
    let matches = |its_config: &str, its_token: &str| {
        format!(
            "({its_config} = $4 OR $4 IS NULL)
             AND (substr({its_token}, 9) = $5 OR $5 IS NULL)
             AND (given.chain = $6 OR $6 IS NULL)
             AND (EXISTS (
               SELECT 1 FROM config_charity
               WHERE config_charity.config = {its_config} AND config_charity.charity = $7
             ) OR $7 IS NULL)"
        )
    };
    format!(
        "SELECT given.config, given.usd_e6, given.at / 3600000 AS hour
         FROM tally_of_day AS day {}
         WHERE day.project = $1 AND day.facet = 3 AND day.day BETWEEN $2 AND $3
           AND (SELECT config.project FROM config WHERE config.id = day.member) = day.project
           AND {}
         UNION ALL
         SELECT given.config, given.usd_e6, given.at / 3600000 AS hour
         FROM tally_of_day AS day {}
         WHERE day.project = $1 AND day.facet = 2 AND day.day BETWEEN $2 AND $3
           AND (
             SELECT contract.project FROM partner_token
             JOIN contract ON contract.id = partner_token.contract
             WHERE partner_token.token = day.member
           ) = day.project
           AND (SELECT config.project FROM config WHERE config.id = given.config) <> day.project
           AND {}",
        given.replace("{column}", "config"),
        matches("day.member", "given.token"),
        given.replace("{column}", "token"),
        matches("given.config", "day.member"),
    )
}

pub(super) fn hours(tx: &Tx<'_>, scope: StatsScope) -> Result<Vec<Point>, DbError> {
    let (first, last) = bounds(scope.range);
    let StatsFilter {
        config,
        charity,
        chain,
        token,
    } = scope.filter;
    let params = params![scope.project, first, last, config, token, chain, charity];
    let donations = donations(tx.choose(GIVEN));
    let sums = match charity {
        None => {
            let sql = format!(
                "SELECT hour, CAST(sum(usd_e6) AS bigint) AS usd_e6, count(*) AS donations
                 FROM ({donations}) AS given GROUP BY hour"
            );
            tx.all(&sql, params, read_sum)?
        }
        Some(charity) => {
            // A share depends on the amount of each donation.
            let sql = format!(
                "SELECT config, usd_e6, hour, count(*) AS donations
                 FROM ({donations}) AS given GROUP BY config, usd_e6, hour"
            );
            let read = |row: &Row<'_>| Ok((row.get("config")?, read_sum(row)?));
            shares(tx, charity, tx.all(&sql, params, read)?)?
        }
    };
    let mut hours: BTreeMap<i64, (i64, u64)> = BTreeMap::new();
    for HourSum {
        hour,
        usd,
        donations,
    } in sums
    {
        let sum = hours.entry(hour).or_default();
        sum.0 = sum.0.saturating_add(usd.0);
        sum.1 = sum.1.saturating_add(donations);
    }
    let point = |(hour, (usd, donations))| {
        Some(Point {
            start: Hour::new(hour)?.start(),
            usd: UsdE6(usd),
            donations,
        })
    };
    Ok(hours.into_iter().filter_map(point).collect())
}

struct HourSum {
    hour: i64,
    usd: UsdE6,
    donations: u64,
}

fn read_sum(row: &Row<'_>) -> Result<HourSum, DbError> {
    Ok(HourSum {
        hour: row.get("hour")?,
        usd: row.get("usd_e6")?,
        donations: row.get("donations")?,
    })
}

/// What a charity receives of donations, of which each sum has equal ones.
fn shares(
    tx: &Tx<'_>,
    charity: CharityId,
    equal: Vec<(ConfigId, HourSum)>,
) -> Result<Vec<HourSum>, DbError> {
    let configs = Configs::load(tx, equal.iter().map(|(config, _)| *config))?;
    let mut sums = Vec::with_capacity(equal.len());
    for (config, sum) in equal {
        let config = configs.get(config)?;
        let shares = share::split(sum.usd, &config.weights());
        let receivers = config.beneficiaries.iter().map(|it| it.charity);
        let share = receivers
            .zip(shares)
            .find(|(receiver, _)| *receiver == charity);
        let count = i64::try_from(sum.donations).unwrap_or(i64::MAX);
        if let Some((_, share)) = share {
            sums.push(HourSum {
                usd: UsdE6(share.0.saturating_mul(count)),
                ..sum
            });
        }
    }
    Ok(sums)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::database::assert_reads_index;

    #[test]
    fn hours_look_up_configs_and_tokens_that_had_donations() {
        for index in [
            "day USING PRIMARY KEY (project=? AND facet=? AND day>? AND day<?)",
            "INDEX donation_of_config (config=? AND at>? AND at<?)",
            "INDEX donation_of_token (token=? AND at>? AND at<?)",
        ] {
            assert_reads_index(&donations(GIVEN.sqlite), index);
        }
    }
}
