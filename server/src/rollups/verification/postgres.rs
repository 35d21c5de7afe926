//! Reads the log of donations and the tables that are derived from it, to compare them, in PostgreSQL.

use std::collections::HashMap;

use async_trait::async_trait;
use deadpool_postgres::Transaction;
use futures_util::FutureExt;
use jiff::Timestamp;
use tokio_postgres::Row;

use super::{Days, Drift, GIVES, TAKES_BACK, Totals, lists};
use crate::campaigns::postgres as campaigns;
use crate::configs::ConfigId;
use crate::configs::postgres::Configs;
use crate::database::StoreError;
use crate::database::postgres::column::{self, Bytes};
use crate::database::postgres::cursor::Cursor;
use crate::database::postgres::{Failure, Postgres, TimeoutClass, query};
use crate::domain::amount::UsdE6;
use crate::domain::day::Day;
use crate::donations::DonationStats;
use crate::donations::effect::DonationEffect;
use crate::projects::ProjectId;
use crate::rollups::charity_totals::postgres as charity_totals;
use crate::rollups::key::RollupKey;
use crate::rollups::leaderboard_entries::{EntryKey, postgres as leaderboard_entries};
use crate::rollups::postgres as rollups;
use crate::rollups::verification::RollupStore;

#[async_trait]
impl RollupStore for Postgres {
    async fn verify_rollups(&self) -> Result<Vec<Drift>, StoreError> {
        self.read(TimeoutClass::Endless, |tx| drifts(tx).boxed())
            .await
    }
}

/// The log and the sums of days are sorted by the server, in this much memory and then in files. Its
/// statistics underestimate the number of standing donations, so nested loops would look up each of
/// them.
const SETTINGS: &str = "SET LOCAL work_mem = '64MB'; SET LOCAL enable_nestloop = off";

/// The standing donations in the order of time, found by the few that were taken back.
fn log() -> String {
    format!(
        "
    WITH taken AS MATERIALIZED (
      SELECT chain, tx, log_index, revision - 1 AS revision FROM donation WHERE {TAKES_BACK}
    )
    SELECT token, config, usd_e6, at FROM donation
    WHERE {GIVES} AND NOT EXISTS (
      SELECT 1 FROM taken
      WHERE taken.chain = donation.chain AND taken.tx = donation.tx
        AND taken.log_index = donation.log_index AND taken.revision = donation.revision
    )
    ORDER BY at"
    )
}

/// The differences between the log and the derived tables.
pub(crate) async fn drifts(tx: &Transaction<'_>) -> Result<Vec<Drift>, Failure> {
    tx.batch_execute(SETTINGS).await?;
    let mut totals = totals(tx).await?;
    for (key, recorded) in leaderboard_entries::all(tx).await? {
        totals.compare_entry(key, recorded);
    }
    let recorded = "SELECT project, facet, member, usd_e6, donations, first_at, last_at FROM tally";
    let mut recorded = Cursor::open(tx, recorded, &[], read_total).await?;
    while let Some((key, stats)) = recorded.next().await? {
        totals.compare(key, stats);
    }
    let mut drifts = totals.end();
    let lists: Vec<_> = query::all(tx, &lists::drifts(), &[], read_list).await?;
    drifts.extend(lists);
    Ok(drifts)
}

fn read_list(row: &Row) -> Result<Drift, Failure> {
    Ok(Drift::List {
        charity: row.try_get("charity")?,
        missing: column::number(row, "missing")?,
        extra: column::number(row, "extra")?,
    })
}

/// The partner tokens with their active configs, and the projects that own them.
async fn partners(tx: &Transaction<'_>) -> Result<Vec<(EntryKey, ProjectId)>, Failure> {
    let sql = "SELECT partner_token.token, partner_token.active_config, contract.project
               FROM partner_token JOIN contract ON contract.id = partner_token.contract";
    query::all(tx, sql, &[], |row| {
        let key = EntryKey {
            token: row.try_get::<_, Bytes<40>>("token")?.0,
            config: row.try_get("active_config")?,
        };
        Ok((key, row.try_get("project")?))
    })
    .await
}

/// Reads the log and the sums of days side by side.
async fn totals(tx: &Transaction<'_>) -> Result<Totals, Failure> {
    let partners = partners(tx).await?;
    let active = partners.iter().map(|(key, _)| *key);
    let owners: HashMap<_, _> = partners
        .iter()
        .map(|(key, owner)| (key.token, *owner))
        .collect();
    let used = "SELECT DISTINCT config FROM donation";
    let used: Vec<ConfigId> = query::all(tx, used, &[], |row| Ok(row.try_get("config")?)).await?;
    let configs = Configs::load(tx, used).await?;
    let mut days = Days::new(
        campaigns::all(tx).await?,
        charity_totals::all(tx).await?,
        active,
    );
    let mut log = Cursor::open(tx, &log(), &[], read_donation).await?;
    let recorded = "SELECT project, facet, day, member, usd_e6, donations, first_at, last_at
                    FROM tally_of_day ORDER BY day";
    let mut recorded = Cursor::open(tx, recorded, &[], read_sum).await?;
    while let Some(donation) = log.next().await? {
        let is_earlier = |sum: &Sum| sum.0 < Day::of(donation.at);
        while let Some((day, key, stats)) = recorded.next_if(is_earlier).await? {
            days.compare(day, key, stats);
        }
        let config = configs.get(donation.config)?;
        let owner = owners.get(&donation.token).copied();
        let LoggedDonation { token, usd, at, .. } = donation;
        days.count(DonationEffect::new(config, token, owner, usd, at));
    }
    while let Some((day, key, stats)) = recorded.next().await? {
        days.compare(day, key, stats);
    }
    Ok(days.end())
}

/// The columns of a donation that the roll-ups depend on.
struct LoggedDonation {
    token: [u8; 40],
    config: ConfigId,
    usd: UsdE6,
    at: Timestamp,
}

fn read_donation(row: &Row) -> Result<LoggedDonation, Failure> {
    Ok(LoggedDonation {
        token: row.try_get::<_, Bytes<40>>("token")?.0,
        config: row.try_get("config")?,
        usd: row.try_get("usd_e6")?,
        at: column::time(row, "at")?,
    })
}

/// A sum that is recorded of a day.
type Sum = (Day, RollupKey, DonationStats);

fn read_sum(row: &Row) -> Result<Sum, Failure> {
    let (key, stats) = read_total(row)?;
    Ok((row.try_get("day")?, key, stats))
}

fn read_total(row: &Row) -> Result<(RollupKey, DonationStats), Failure> {
    Ok((rollups::read_key(row)?, column::stats(row)?))
}
