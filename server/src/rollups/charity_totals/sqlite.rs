//! The totals of charities in SQLite.

use std::collections::{BTreeSet, HashMap};

use rusqlite::{Connection, Row};

use super::charities;
use crate::campaigns::CampaignBeneficiary;
use crate::charities::CharityId;
use crate::database::sqlite::column::{self, Millis};
use crate::database::sqlite::query;
use crate::domain::amount::UsdE6;
use crate::donations::DonationStats;
use crate::rollups::batch::RollupBatch;

/// The sums of donations to every charity; one without donations may be left out.
pub(crate) fn all(db: &Connection) -> rusqlite::Result<HashMap<CharityId, DonationStats>> {
    let sql = "SELECT charity, usd_e6, donations, first_at, last_at FROM charity_total";
    let read = |row: &Row<'_>| Ok((row.get("charity")?, column::stats(row)?));
    Ok(query::all(db, sql, [], read)?.into_iter().collect())
}

/// The sums of donations to the charities among these beneficiaries.
pub(crate) fn load(
    db: &Connection,
    beneficiaries: &BTreeSet<CampaignBeneficiary>,
) -> rusqlite::Result<Vec<(CharityId, UsdE6)>> {
    let sql = "SELECT usd_e6 FROM charity_total WHERE charity = ?1";
    let mut totals = Vec::new();
    for charity in charities(beneficiaries) {
        let total = query::first(db, sql, [charity], |row| row.get("usd_e6"))?;
        totals.extend(total.map(|usd| (charity, usd)));
    }
    Ok(totals)
}

/// Adds the changes of a batch; whether there were any. The donations must be in the log already.
pub(crate) fn write(db: &Connection, batch: &RollupBatch) -> rusqlite::Result<bool> {
    let mut has_changed = false;
    for (charity, change) in batch.received() {
        has_changed = true;
        let sql = "INSERT INTO charity_total (charity, usd_e6, donations, first_at, last_at)
                   VALUES (?1, ?2, ?3, ?4, ?5)
                   ON CONFLICT (charity) DO UPDATE SET
                     usd_e6 = usd_e6 + excluded.usd_e6,
                     donations = donations + excluded.donations,
                     first_at = coalesce(
                       min(first_at, excluded.first_at), first_at, excluded.first_at
                     ),
                     last_at = coalesce(max(last_at, excluded.last_at), last_at, excluded.last_at)";
        let (first, last) = (change.first.map(Millis), change.last.map(Millis));
        let params = (charity, change.usd, change.donations, first, last);
        query::execute(db, sql, params)?;
        if change.takes_back {
            correct_dates(db, charity)?;
        }
    }
    Ok(has_changed)
}

/// Looks the dates up in the list of the charity's donations.
fn correct_dates(db: &Connection, charity: CharityId) -> rusqlite::Result<usize> {
    let end = |direction: &str| {
        format!(
            "SELECT listed.at FROM charity_donation AS listed
             JOIN standing_donation AS given
               ON given.chain = listed.chain AND given.tx = listed.tx
                 AND given.log_index = listed.log_index AND given.revision = listed.revision
             WHERE listed.charity = ?1 ORDER BY listed.at {direction} LIMIT 1"
        )
    };
    let (first, last) = (end("ASC"), end("DESC"));
    let sql = format!(
        "UPDATE charity_total SET first_at = ({first}), last_at = ({last}) WHERE charity = ?1"
    );
    query::execute(db, &sql, [charity])
}
