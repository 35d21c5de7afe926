//! The roll-ups recomputed from the log of donations, to prove that they are what they should be.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use async_trait::async_trait;
use rusqlite::{Connection, Row};

use super::{Days, Drift, Totals};
use crate::campaigns::sqlite as campaigns;
use crate::configs::{Config, ConfigId, sqlite as configs};
use crate::contracts::sqlite as partners;
use crate::database::StoreError;
use crate::database::sqlite::{Sqlite, column, query};
use crate::domain::day::Day;
use crate::donations::DonationStats;
use crate::donations::effect::Posting;
use crate::projects::ProjectId;
use crate::rollups::key::{Cell, Facet};
use crate::rollups::verification::RollupStore;

#[async_trait]
impl RollupStore for Sqlite {
    async fn verify_rollups(&self) -> Result<Vec<Drift>, StoreError> {
        self.read(drifts).await
    }
}

/// Recomputes every roll-up from the donations and tells which differ.
pub(crate) fn drifts(db: &Connection) -> Result<Vec<Drift>, StoreError> {
    let mut totals = totals(db)?;
    let ranked = "SELECT token, usd_e6, donations, first_at, last_at FROM partner_token";
    let ranked = query::all(db, ranked, [], |row| {
        Ok((row.get::<_, [u8; 40]>("token")?, column::stats(row)?))
    })?;
    for (token, recorded) in ranked {
        if let Some(owner) = partners::owner(db, token)? {
            totals.compare_rank(token, owner, recorded);
        }
    }
    let mut recorded = db.prepare("SELECT * FROM tally")?;
    let mut recorded = recorded.query([])?;
    while let Some(row) = recorded.next()? {
        totals.compare(cell(row)?, column::stats(row)?);
    }
    Ok(totals.end())
}

/// Reads the log and the sums of days side by side.
fn totals(db: &Connection) -> Result<Totals, StoreError> {
    let mut days = Days::new(campaigns::all(db)?);
    let mut recorded = db.prepare("SELECT * FROM tally_of_day ORDER BY day")?;
    let mut recorded = recorded.query_and_then([], read)?.peekable();
    let mut named = Named::default();
    let mut log =
        db.prepare("SELECT token, config, usd_e6, at FROM standing_donation ORDER BY at")?;
    let mut log = log.query([])?;
    while let Some(row) = log.next()? {
        let at = column::time(row, "at")?;
        let earlier = |sum: &Result<Sum, StoreError>| {
            sum.as_ref().map_or(true, |(day, _, _)| *day < Day::of(at))
        };
        while let Some(sum) = recorded.next_if(earlier) {
            let (day, cell, stats) = sum?;
            days.compare(day, cell, stats);
        }
        let token = row.get("token")?;
        let owner = named.owner(db, token)?;
        let config = named.config(db, row.get("config")?)?;
        let posting = Posting::new(config, token, row.get("usd_e6")?, at);
        days.count(&posting, config.project, owner);
    }
    for sum in recorded {
        let (day, cell, stats) = sum?;
        days.compare(day, cell, stats);
    }
    Ok(days.end())
}

type Sum = (Day, Cell, DonationStats);

fn read(row: &Row<'_>) -> Result<Sum, StoreError> {
    Ok((row.get("day")?, cell(row)?, column::stats(row)?))
}

fn cell(row: &Row<'_>) -> Result<Cell, StoreError> {
    let number = row.get("facet")?;
    let unknown = || StoreError::Corrupt(format!("there is no facet {number}"));
    Ok(Cell {
        project: row.get("project")?,
        facet: Facet::of_number(number).ok_or_else(unknown)?,
        member: row.get("member")?,
    })
}

/// What donations name, each looked up once.
#[derive(Default)]
struct Named {
    configs: HashMap<ConfigId, Config>,
    owners: HashMap<[u8; 40], Option<ProjectId>>,
}

impl Named {
    fn config(&mut self, db: &Connection, id: ConfigId) -> Result<&Config, StoreError> {
        Ok(match self.configs.entry(id) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => entry.insert(configs::get(db, id)?),
        })
    }

    fn owner(&mut self, db: &Connection, token: [u8; 40]) -> rusqlite::Result<Option<ProjectId>> {
        Ok(match self.owners.entry(token) {
            Entry::Occupied(entry) => *entry.get(),
            Entry::Vacant(entry) => *entry.insert(partners::owner(db, token)?),
        })
    }
}
