//! The dates of a roll-up's first and last donations, looked up again after one of them was taken back.

use deadpool_postgres::Transaction;

use crate::database::postgres::{Failure, query};
use crate::domain::day::Day;
use crate::rollups::key::{Dimension, RollupKey, RowKey};

/// Corrects the dates of these rows, which must have donations. The log and the sums must be written
/// before, because the dates of a day come from the standing donations, and the dates of all time from
/// the days.
pub(crate) async fn correct(tx: &Transaction<'_>, rows: &[&RowKey]) -> Result<(), Failure> {
    for (key, day) in rows {
        if let Some(day) = day {
            correct_day(tx, key, *day).await?;
        }
    }
    for (key, day) in rows {
        if day.is_none() {
            correct_total(tx, key).await?;
        }
    }
    Ok(())
}

async fn correct_day(tx: &Transaction<'_>, key: &RollupKey, day: Day) -> Result<u64, Failure> {
    let (start, end) = day.milliseconds();
    // One statement for each dimension, so that each is planned with its own index.
    let of_member = match key.dimension {
        Dimension::Project => "$4 = ''::bytea",
        Dimension::Token => "given.token = $4",
        Dimension::Config => "given.config = $4",
        Dimension::Charity => {
            "given.config IN (
               SELECT config_charity.config FROM config_charity
               WHERE config_charity.charity = encode($4, 'hex')::uuid
             )"
        }
    };
    let sql = format!(
        "UPDATE tally_of_day SET (first_at, last_at) = (
           SELECT min(given.at), max(given.at)
           FROM standing_donation AS given
           JOIN config ON config.id = given.config
           LEFT JOIN partner_token ON partner_token.token = given.token
           LEFT JOIN contract ON contract.id = partner_token.contract
           WHERE given.at >= $5 AND given.at < $6
             AND (config.project = $1 OR contract.project = $1)
             AND {of_member}
         )
         WHERE project = $1 AND facet = $2 AND day = $3 AND member = $4"
    );
    let (project, facet, member) = (&key.project, &key.dimension.number(), &key.member);
    query::execute(tx, &sql, &[project, facet, &day, member, &start, &end]).await
}

async fn correct_total(tx: &Transaction<'_>, key: &RollupKey) -> Result<u64, Failure> {
    // Taking back can only have made the first later and the last earlier, which bounds the search.
    let sql = "UPDATE tally SET
                 first_at = (
                   SELECT day.first_at FROM tally_of_day AS day
                   WHERE day.project = $1 AND day.facet = $2 AND day.member = $3
                     AND day.day >= (tally.first_at - 86399999) / 86400000
                   ORDER BY day.day LIMIT 1
                 ),
                 last_at = (
                   SELECT day.last_at FROM tally_of_day AS day
                   WHERE day.project = $1 AND day.facet = $2 AND day.member = $3
                     AND day.day <= tally.last_at / 86400000
                   ORDER BY day.day DESC LIMIT 1
                 )
               WHERE project = $1 AND facet = $2 AND member = $3";
    let params: query::Params<'_> = &[&key.project, &key.dimension.number(), &key.member];
    query::execute(tx, sql, params).await
}
