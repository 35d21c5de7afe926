//! The dates of a cell's first and last donations, looked up again after one of them was taken back.

use deadpool_postgres::Transaction;

use crate::database::postgres::{Failure, query};
use crate::domain::day::Day;
use crate::rollups::key::{Cell, Facet};
use crate::rollups::ledger::Place;

/// Corrects the dates at these places, which must have donations. The log and the sums must be
/// written, since the dates of a day are those of the donations that still stand, and the dates of
/// all time are those of the days.
pub(crate) async fn correct(tx: &Transaction<'_>, places: &[&Place]) -> Result<(), Failure> {
    for (cell, day) in places {
        if let Some(day) = day {
            correct_day(tx, cell, *day).await?;
        }
    }
    for (cell, day) in places {
        if day.is_none() {
            correct_total(tx, cell).await?;
        }
    }
    Ok(())
}

async fn correct_day(tx: &Transaction<'_>, cell: &Cell, day: Day) -> Result<u64, Failure> {
    let (start, end) = day.milliseconds();
    // One statement for each facet, so that each is planned with the facet's own index.
    let of_member = match cell.facet {
        Facet::Project => "$4 = ''::bytea",
        Facet::Token => "given.token = $4",
        Facet::Config => "given.config = $4",
        Facet::Charity => {
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
    let (project, facet, member) = (&cell.project, &cell.facet.number(), &cell.member);
    query::execute(tx, &sql, &[project, facet, &day, member, &start, &end]).await
}

async fn correct_total(tx: &Transaction<'_>, cell: &Cell) -> Result<u64, Failure> {
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
    let params: query::Params<'_> = &[&cell.project, &cell.facet.number(), &cell.member];
    query::execute(tx, sql, params).await
}
