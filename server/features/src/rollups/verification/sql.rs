//! Reads the log of donations and the tables that are derived from it, to compare them.

use std::collections::HashMap;

use db::{DbError, PerEngine, Row, Tx};
use jiff::Timestamp;

use super::{Days, Drift, Totals, lists, pairs};
use crate::campaigns::sql as campaigns;
use crate::configs::sql::Configs;
use crate::domain::amount::UsdE6;
use crate::domain::config_id::ConfigId;
use crate::domain::day::Day;
use crate::domain::donation_stats::DonationStats;
use crate::projects::ProjectId;
use crate::rollups::cells::sql as cells;
use crate::rollups::charity_days::sql::{self as charity_days, CharityDay};
use crate::rollups::charity_totals::sql as charity_totals;
use crate::rollups::effect::DonationEffect;
use crate::rollups::key::{CellKey, RollupKey};
use crate::rollups::leaderboard_entries::{EntryKey, sql as leaderboard_entries};
use crate::rollups::sql as rollups;
use crate::rollups::sql::read_stats;

/// PostgreSQL sorts the log and the sums of days in this much memory and then in files. Its statistics
/// underestimate the number of standing donations, so nested loops would look up each of them.
const SETTINGS: &str = "SET LOCAL work_mem = '64MB'; SET LOCAL enable_nestloop = off";

/// The standing donations in the order of time.
const LOG: PerEngine<'_> = PerEngine {
    sqlite: "SELECT token, config, usd_e6, at FROM standing_donation ORDER BY at",
    // Joined with the few that were taken back: the view would be joined with the whole log.
    postgres: "
    WITH taken AS MATERIALIZED (
      SELECT chain, tx, log_index, revision - 1 AS revision FROM donation WHERE revision % 2 = 1
    )
    SELECT token, config, usd_e6, at FROM donation
    WHERE revision % 2 = 0 AND NOT EXISTS (
      SELECT 1 FROM taken
      WHERE taken.chain = donation.chain AND taken.tx = donation.tx
        AND taken.log_index = donation.log_index AND taken.revision = donation.revision
    )
    ORDER BY at",
};

/// The differences between the log and the derived tables.
pub(crate) fn drifts(tx: &Tx<'_>) -> Result<Vec<Drift>, DbError> {
    tx.set_local(SETTINGS)?;
    let mut totals = totals(tx)?;
    for (key, recorded) in leaderboard_entries::all(tx)? {
        totals.compare_entry(key, recorded);
    }
    let recorded = "SELECT project, facet, member, usd_e6, donations, first_at, last_at FROM tally";
    let mut recorded = tx.prepare(recorded)?;
    let mut recorded = recorded.stream(read_total)?;
    while let Some((key, stats)) = recorded.next_row()? {
        totals.compare(key, stats);
    }
    let mut drifts = totals.end();
    let lists: Vec<_> = tx.all(&lists::drifts(), &[], read_list)?;
    drifts.extend(lists);
    drifts.extend(tx.all::<_, Vec<_>>(pairs::DRIFTS, &[], read_pair)?);
    Ok(drifts)
}

fn read_pair(row: &Row<'_>) -> Result<Drift, DbError> {
    Ok(Drift::Pair {
        name: cells::read_pair(row)?.to_string(),
        recorded: row.get("recorded")?,
        expected: row.get("expected")?,
    })
}

fn read_list(row: &Row<'_>) -> Result<Drift, DbError> {
    Ok(Drift::List {
        charity: row.get("charity")?,
        missing: row.get("missing")?,
        extra: row.get("extra")?,
    })
}

/// The partner tokens with their active configs, and the projects that own them.
fn partners(tx: &Tx<'_>) -> Result<Vec<(EntryKey, ProjectId)>, DbError> {
    let sql = "SELECT partner_token.token, partner_token.active_config, contract.project
               FROM partner_token JOIN contract ON contract.id = partner_token.contract";
    tx.all(sql, &[], |row| {
        let key = EntryKey {
            token: row.get("token")?,
            config: row.get("active_config")?,
        };
        Ok((key, row.get("project")?))
    })
}

/// Reads the log, the sums of days and the cells side by side.
fn totals(tx: &Tx<'_>) -> Result<Totals, DbError> {
    let partners = partners(tx)?;
    let active = partners.iter().map(|(key, _)| *key);
    let owners: HashMap<_, _> = partners
        .iter()
        .map(|(key, owner)| (key.token, *owner))
        .collect();
    let used = "SELECT DISTINCT config FROM donation";
    let used: Vec<ConfigId> = tx.all(used, &[], |row| row.get("config"))?;
    let configs = Configs::load(tx, used)?;
    let received = charity_totals::all(tx)?.into_iter().collect();
    let mut days = Days::new(campaigns::all(tx)?, received, active);
    let mut log = tx.prepare(tx.choose(LOG))?;
    let mut log = log.stream(read_donation)?;
    let recorded = "SELECT project, facet, day, member, usd_e6, donations, first_at, last_at
                    FROM tally_of_day ORDER BY day";
    let mut recorded = tx.prepare(recorded)?;
    let mut recorded = recorded.stream(read_sum)?;
    let cells = "SELECT project, day, config, token, usd_e6, donations, first_at, last_at, parts
                 FROM tally_of_cell ORDER BY day";
    let mut cells = tx.prepare(cells)?;
    let mut cells = cells.stream(cells::read)?;
    let mut charity_days = tx.prepare(charity_days::ALL)?;
    let mut charity_days = charity_days.stream(charity_days::read)?;
    while let Some(donation) = log.next_row()? {
        let is_earlier = |sum: &Sum| sum.0 < Day::of(donation.at);
        while let Some((day, key, stats)) = recorded.next_row_if(is_earlier)? {
            days.compare(day, key, stats);
        }
        let is_earlier = |cell: &(CellKey, _)| cell.0.1 < Day::of(donation.at);
        while let Some((key, cell)) = cells.next_row_if(is_earlier)? {
            days.compare_cell(key, cell);
        }
        let is_earlier = |row: &CharityDay| row.0 < Day::of(donation.at);
        while let Some((day, charity, received)) = charity_days.next_row_if(is_earlier)? {
            days.compare_charity_day(day, charity, received);
        }
        let config = configs.get(donation.config)?;
        let owner = owners.get(&donation.token).copied();
        let LoggedDonation { token, usd, at, .. } = donation;
        days.count(DonationEffect::new(config, token, owner, usd, at));
    }
    while let Some((day, key, stats)) = recorded.next_row()? {
        days.compare(day, key, stats);
    }
    while let Some((key, cell)) = cells.next_row()? {
        days.compare_cell(key, cell);
    }
    while let Some((day, charity, received)) = charity_days.next_row()? {
        days.compare_charity_day(day, charity, received);
    }
    Ok(days.end())
}

/// The columns of a donation that the rollups depend on.
struct LoggedDonation {
    token: [u8; 40],
    config: ConfigId,
    usd: UsdE6,
    at: Timestamp,
}

fn read_donation(row: &Row<'_>) -> Result<LoggedDonation, DbError> {
    Ok(LoggedDonation {
        token: row.get("token")?,
        config: row.get("config")?,
        usd: row.get("usd_e6")?,
        at: row.get("at")?,
    })
}

/// A sum that is recorded of a day.
type Sum = (Day, RollupKey, DonationStats);

fn read_sum(row: &Row<'_>) -> Result<Sum, DbError> {
    let (key, stats) = read_total(row)?;
    Ok((row.get("day")?, key, stats))
}

fn read_total(row: &Row<'_>) -> Result<(RollupKey, DonationStats), DbError> {
    Ok((rollups::read_key(row)?, read_stats(row)?))
}
