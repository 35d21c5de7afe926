//! The totals of charities.

use std::collections::BTreeSet;

use db::{Batch, DbError, Tx, params};

use super::charities;
use crate::campaigns::CampaignBeneficiary;
use crate::charities::CharityId;
use crate::database::Versioned;
use crate::domain::amount::UsdE6;
use crate::domain::donation_stats::DonationStats;
use crate::rollups::batch::RollupBatch;
use crate::rollups::sql::read_stats;

/// The sums of donations to every charity; one without donations may be left out.
pub(crate) fn all(tx: &Tx<'_>) -> Result<Vec<(CharityId, DonationStats)>, DbError> {
    let sql = "SELECT charity, usd_e6, donations, first_at, last_at FROM charity_total";
    tx.all(sql, &[], |row| Ok((row.get("charity")?, read_stats(row)?)))
}

/// The sums of donations to some charities; one without donations may be left out.
pub(crate) fn some(
    tx: &Tx<'_>,
    charities: &BTreeSet<CharityId>,
) -> Result<Vec<(CharityId, DonationStats)>, DbError> {
    let sql = "SELECT charity, charity_total.usd_e6, charity_total.donations,
                 charity_total.first_at, charity_total.last_at
               FROM batch(charity uuid) JOIN charity_total USING (charity)";
    tx.all_of_batch(sql, &Batch::of_column(charities), &[], |row| {
        Ok((row.get("charity")?, read_stats(row)?))
    })
}

/// The sums of donations to the charities among these beneficiaries.
pub(crate) fn load(
    tx: &Tx<'_>,
    beneficiaries: &BTreeSet<CampaignBeneficiary>,
) -> Result<Vec<(CharityId, UsdE6)>, DbError> {
    let charities = Batch::of_column(charities(beneficiaries));
    let sql = "SELECT charity, charity_total.usd_e6
               FROM batch(charity uuid) JOIN charity_total USING (charity)";
    tx.all_of_batch(sql, &charities, &[], |row| {
        Ok((row.get("charity")?, row.get("usd_e6")?))
    })
}

/// Adds the changes of a batch. The donations must be in the log already. Rows are locked in the order of
/// charities, which prevents deadlocks between batches.
pub(crate) fn write(tx: &Tx<'_>, batch: &RollupBatch) -> Result<(), DbError> {
    let mut rows = Batch::default();
    for (charity, change) in batch.received() {
        let (usd, donations) = (change.usd, change.donations);
        rows.push(params![charity, usd, donations, change.first, change.last]);
        Versioned::Received.changed(tx, &charity.0);
    }
    let sql = "INSERT INTO charity_total (charity, usd_e6, donations, first_at, last_at)
               SELECT charity, usd_e6, donations, first_at, last_at
               FROM batch(charity uuid, usd_e6 bigint, donations bigint, first_at bigint,
                 last_at bigint)
               WHERE true ORDER BY charity
               ON CONFLICT (charity) DO UPDATE SET
                 usd_e6 = charity_total.usd_e6 + excluded.usd_e6,
                 donations = charity_total.donations + excluded.donations,
                 first_at = least(charity_total.first_at, excluded.first_at),
                 last_at = greatest(charity_total.last_at, excluded.last_at)";
    tx.execute_batch(sql, &rows, &[])?;
    for (charity, _) in batch.received().filter(|(_, change)| change.takes_back) {
        correct_dates(tx, charity)?;
    }
    Ok(())
}

/// Looks the dates up in the list of the charity's donations.
fn correct_dates(tx: &Tx<'_>, charity: CharityId) -> Result<u64, DbError> {
    let end = |direction: &str| {
        format!(
            "SELECT listed.at FROM charity_donation AS listed
             JOIN standing_donation AS given USING (chain, tx, log_index, revision)
             WHERE listed.charity = $1 ORDER BY listed.at {direction} LIMIT 1"
        )
    };
    let (first, last) = (end("ASC"), end("DESC"));
    let sql = format!(
        "UPDATE charity_total SET first_at = ({first}), last_at = ({last}) WHERE charity = $1"
    );
    tx.execute(&sql, params![charity])
}
