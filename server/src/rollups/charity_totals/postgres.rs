//! The totals of charities in PostgreSQL.

use std::collections::{BTreeSet, HashMap};

use deadpool_postgres::{GenericClient, Transaction};

use super::charities;
use crate::campaigns::CampaignBeneficiary;
use crate::charities::CharityId;
use crate::database::postgres::column::{self, Millis};
use crate::database::postgres::{Failure, query};
use crate::domain::amount::UsdE6;
use crate::donations::DonationStats;
use crate::rollups::batch::RollupBatch;

/// The sums of donations to every charity; one without donations may be left out.
pub(crate) async fn all(
    db: &impl GenericClient,
) -> Result<HashMap<CharityId, DonationStats>, Failure> {
    let sql = "SELECT charity, usd_e6, donations, first_at, last_at FROM charity_total";
    query::all(db, sql, &[], |row| {
        Ok((row.try_get("charity")?, column::stats(row)?))
    })
    .await
}

/// The sums of donations to the charities among these beneficiaries.
pub(crate) async fn load(
    tx: &Transaction<'_>,
    beneficiaries: &BTreeSet<CampaignBeneficiary>,
) -> Result<Vec<(CharityId, UsdE6)>, Failure> {
    let sql = "SELECT charity, usd_e6 FROM charity_total WHERE charity = ANY ($1)";
    query::all(tx, sql, &[&charities(beneficiaries)], |row| {
        Ok((row.try_get("charity")?, row.try_get("usd_e6")?))
    })
    .await
}

/// Adds the changes of a batch; whether there were any. The donations must be in the log already. Rows are locked
/// in the order of charities, so that batches wait for each other and never in a circle.
pub(crate) async fn write(tx: &Transaction<'_>, batch: &RollupBatch) -> Result<bool, Failure> {
    let mut charities = Vec::new();
    let (mut usd, mut donations) = (Vec::new(), Vec::new());
    let (mut first, mut last) = (Vec::new(), Vec::new());
    for (charity, change) in batch.received() {
        charities.push(charity);
        usd.push(change.usd);
        donations.push(change.donations);
        first.push(change.first.map(Millis));
        last.push(change.last.map(Millis));
    }
    if charities.is_empty() {
        return Ok(false);
    }
    let sql = "INSERT INTO charity_total (charity, usd_e6, donations, first_at, last_at)
               SELECT charity, usd_e6, donations, first_at, last_at
               FROM unnest($1::uuid[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[])
                 AS change (charity, usd_e6, donations, first_at, last_at)
               ORDER BY charity
               ON CONFLICT (charity) DO UPDATE SET
                 usd_e6 = charity_total.usd_e6 + excluded.usd_e6,
                 donations = charity_total.donations + excluded.donations,
                 first_at = least(charity_total.first_at, excluded.first_at),
                 last_at = greatest(charity_total.last_at, excluded.last_at)";
    let params: query::Params<'_> = &[&charities, &usd, &donations, &first, &last];
    query::execute(tx, sql, params).await?;
    for (charity, _) in batch.received().filter(|(_, change)| change.takes_back) {
        correct_dates(tx, charity).await?;
    }
    Ok(true)
}

/// Looks the dates up in the list of the charity's donations.
async fn correct_dates(tx: &Transaction<'_>, charity: CharityId) -> Result<u64, Failure> {
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
    query::execute(tx, &sql, &[&charity]).await
}
