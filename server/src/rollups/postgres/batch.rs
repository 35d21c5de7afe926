//! The roll-ups that a batch changes, loaded and written.

use std::collections::BTreeSet;

use deadpool_postgres::Transaction;

use super::{Rows, Sums, dates, remove};
use crate::campaigns::{CampaignId, postgres as campaigns};
use crate::database::postgres::versions::Changed;
use crate::database::postgres::{Failure, query};
use crate::database::versions::Versioned;
use crate::domain::amount::UsdE6;
use crate::donations::effect::DonationEffect;
use crate::rollups::batch::{RollupBatch, rows};
use crate::rollups::charity_totals::postgres as charity_totals;
use crate::rollups::leaderboard_entries::postgres as leaderboard_entries;

/// Loads the rows that these donations may change: rollups, leaderboard entries, campaigns and totals of
/// charities. The caller must hold the locks of the rollups' projects.
pub(crate) async fn load(
    tx: &Transaction<'_>,
    effects: &[&DonationEffect],
) -> Result<RollupBatch, Failure> {
    let (mut totals, mut days) = (Rows::default(), Rows::default());
    let (of_all_time, of_days) = rows(effects.iter().copied());
    of_all_time.iter().for_each(|key| totals.push(key, None));
    of_days
        .iter()
        .for_each(|(key, day)| days.push(key, Some(*day)));
    let mut sums = totals.load_totals(tx).await?;
    sums.extend(days.load_days(tx).await?);
    let received = effects.iter().flat_map(|effect| &effect.received);
    let beneficiaries: BTreeSet<_> = received.map(|(beneficiary, _)| *beneficiary).collect();
    let entries = leaderboard_entries::load(tx, effects).await?;
    let batch = RollupBatch::new(sums).with_entries(entries);
    if beneficiaries.is_empty() {
        return Ok(batch);
    }
    let campaigns = campaigns::lock_sums(tx, &beneficiaries).await?;
    let charities = charity_totals::load(tx, &beneficiaries).await?;
    Ok(batch.with_campaigns(campaigns).with_charities(charities))
}

/// Writes the rows that have changed. The donations must be in the log already.
pub(crate) async fn write(
    tx: &Transaction<'_>,
    batch: &RollupBatch,
    changed: &mut Changed,
) -> Result<(), Failure> {
    let (mut totals, mut days) = (Sums::default(), Sums::default());
    let mut dates_unknown = Vec::new();
    for (row, sum) in batch.changed() {
        if sum.stats.donations == 0 {
            remove(tx, row).await?;
            continue;
        }
        match row.1 {
            None => totals.push(row, sum),
            Some(_) => days.push(row, sum),
        }
        dates_unknown.extend(sum.dates_unknown.then_some(row));
    }
    if !totals.is_empty() {
        totals.write_totals(tx).await?;
        days.write_days(tx).await?;
    }
    dates::correct(tx, &dates_unknown).await?;
    leaderboard_entries::write(tx, batch).await?;
    raise(tx, batch, changed).await?;
    // Last, since other projects' donations wait for these rows.
    if charity_totals::write(tx, batch).await? {
        changed.record(Versioned::Raised);
    }
    Ok(())
}

async fn raise(
    tx: &Transaction<'_>,
    batch: &RollupBatch,
    changed: &mut Changed,
) -> Result<(), Failure> {
    let (campaigns, raised): (Vec<CampaignId>, Vec<UsdE6>) = batch
        .raised()
        .map(|campaign| (campaign.campaign, campaign.raised))
        .unzip();
    if campaigns.is_empty() {
        return Ok(());
    }
    changed.record(Versioned::Raised);
    let sql = "UPDATE campaign SET raised_e6 = new.raised_e6
               FROM unnest($1::uuid[], $2::bigint[]) AS new (id, raised_e6)
               WHERE campaign.id = new.id";
    query::execute(tx, sql, &[&campaigns, &raised]).await?;
    Ok(())
}
