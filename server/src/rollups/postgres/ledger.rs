//! The ledger of a batch, loaded and written.

use std::collections::BTreeSet;

use deadpool_postgres::Transaction;
use tokio_postgres::Row;

use super::{Places, Sums, dates};
use crate::campaigns::CampaignId;
use crate::charities::CharityId;
use crate::configs::ConfigId;
use crate::database::postgres::column::{self, Millis};
use crate::database::postgres::versions::Changed;
use crate::database::postgres::{Failure, query};
use crate::database::versions::Versioned;
use crate::domain::amount::UsdE6;
use crate::domain::day::Day;
use crate::donations::effect::Posting;
use crate::rollups::key::Cell;
use crate::rollups::ledger::{Fund, Ledger, Place};
use crate::rollups::postgres as tally;

/// A donation and the cells that it counts in, each with its part.
pub(crate) type Posted = (Posting, Vec<(Cell, UsdE6)>);

/// Loads what these donations may change. Whoever calls owns the cells' projects.
pub(crate) async fn load(tx: &Transaction<'_>, posted: &[&Posted]) -> Result<Ledger, Failure> {
    let cells = load_cells(tx, posted).await?;
    Ok(cells.with_funds(funds(tx, posted).await?))
}

/// The same without the campaigns.
pub(crate) async fn load_cells(
    tx: &Transaction<'_>,
    posted: &[&Posted],
) -> Result<Ledger, Failure> {
    let (totals, days) = places(posted);
    let mut sums = totals.load_totals(tx).await?;
    sums.extend(days.load_days(tx).await?);
    Ok(Ledger::new(sums))
}

/// The places of all time and those of days, each once.
fn places(posted: &[&Posted]) -> (Places, Places) {
    let (mut totals, mut days) = (BTreeSet::new(), BTreeSet::new());
    for (posting, cells) in posted {
        for (cell, _) in cells {
            totals.insert((cell.clone(), None));
            days.insert((cell.clone(), Some(Day::of(posting.at))));
        }
    }
    let columns = |places: BTreeSet<Place>| {
        let mut columns = Places::default();
        places.iter().for_each(|place| columns.push(place));
        columns
    };
    (columns(totals), columns(days))
}

/// The campaigns that the donations may count for, which nobody else changes until the end of the
/// transaction. They are locked in order, after the projects.
async fn funds(tx: &Transaction<'_>, posted: &[&Posted]) -> Result<Vec<Fund>, Failure> {
    let times = || posted.iter().map(|(posting, _)| posting.at);
    let (Some(earliest), Some(latest)) = (times().min(), times().max()) else {
        return Ok(Vec::new());
    };
    let configs: BTreeSet<ConfigId> = posted.iter().map(|(posting, _)| posting.config).collect();
    let shares = posted.iter().flat_map(|(posting, _)| &posting.shares);
    let charities: BTreeSet<CharityId> = shares.map(|(charity, _)| *charity).collect();
    let sql = "SELECT id, charity, config, starts_at, ends_at, raised_e6 FROM campaign
               WHERE (config = ANY ($1) OR charity = ANY ($2))
                 AND starts_at <= $3 AND (ends_at IS NULL OR ends_at > $4)
               ORDER BY id FOR NO KEY UPDATE";
    let configs: Vec<_> = configs.into_iter().collect();
    let charities: Vec<_> = charities.into_iter().collect();
    let params: query::Params<'_> = &[&configs, &charities, &Millis(latest), &Millis(earliest)];
    query::all(tx, sql, params, read_fund).await
}

fn read_fund(row: &Row) -> Result<Fund, Failure> {
    Ok(Fund {
        campaign: row.try_get("id")?,
        beneficiary: column::beneficiary(row)?,
        starts_at: column::time(row, "starts_at")?,
        ends_at: column::time_if_any(row, "ends_at")?,
        raised: row.try_get("raised_e6")?,
        changed: false,
    })
}

/// Writes what has changed. The donations must be in the log already.
pub(crate) async fn write(
    tx: &Transaction<'_>,
    ledger: &Ledger,
    changed: &mut Changed,
) -> Result<(), Failure> {
    let (mut totals, mut days) = (Sums::default(), Sums::default());
    let mut undated = Vec::new();
    for (place, sum) in ledger.changed() {
        if sum.stats.donations == 0 {
            tally::remove(tx, place).await?;
            continue;
        }
        match place.1 {
            None => totals.push(place, sum),
            Some(_) => days.push(place, sum),
        }
        undated.extend(sum.undated.then_some(place));
    }
    if !totals.is_empty() {
        totals.write_totals(tx).await?;
        days.write_days(tx).await?;
    }
    dates::correct(tx, &undated).await?;
    raise(tx, ledger, changed).await
}

async fn raise(
    tx: &Transaction<'_>,
    ledger: &Ledger,
    changed: &mut Changed,
) -> Result<(), Failure> {
    let (campaigns, raised): (Vec<CampaignId>, Vec<UsdE6>) = ledger
        .raised()
        .map(|fund| (fund.campaign, fund.raised))
        .unzip();
    if campaigns.is_empty() {
        return Ok(());
    }
    changed.note(Versioned::Raised);
    let sql = "UPDATE campaign SET raised_e6 = new.raised_e6
               FROM unnest($1::uuid[], $2::bigint[]) AS new (id, raised_e6)
               WHERE campaign.id = new.id";
    query::execute(tx, sql, &[&campaigns, &raised]).await?;
    Ok(())
}
