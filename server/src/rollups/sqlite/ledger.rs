//! What a run of donations adds, gathered so that each sum is written once. Unlike the ledger that is
//! loaded before a batch, it holds no sums, only what is added: SQLite adds in place.
//!
//! Donations that come one after the other add to the same few sums. A ledger also remembers what it
//! has looked up: within a run nothing but donations is written, and they change none of it.

use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, HashMap};

use jiff::Timestamp;
use rusqlite::Connection;

use super::Part;
use crate::campaigns::{CampaignBeneficiary, CampaignId};
use crate::configs::{Config, ConfigId, sqlite as configs};
use crate::contracts::sqlite as partners;
use crate::database::StoreError;
use crate::database::error::WriteError;
use crate::database::sqlite::{column, query, versions};
use crate::database::versions::Versioned;
use crate::domain::day::Day;
use crate::donations::Donation;
use crate::donations::effect::Posting;
use crate::import::Rule;
use crate::projects::ProjectId;
use crate::rollups::key::Cell;
use crate::rollups::sqlite as tally;
use crate::tokens::sqlite as tokens;

/// The sums of a run that goes on. Nothing of them is in the database before they are settled.
#[derive(Default)]
pub(crate) struct Ledger {
    configs: HashMap<ConfigId, Option<Config>>,
    tokens: HashMap<[u8; 40], Option<Known>>,
    campaigns: HashMap<CampaignBeneficiary, Vec<Time>>,
    /// By cell, in all and by day.
    sums: HashMap<(Cell, Option<Day>), Part>,
    ranked: BTreeSet<[u8; 40]>,
    raised: HashMap<CampaignId, i64>,
}

/// A token that is recorded.
#[derive(Clone, Copy)]
struct Known {
    /// The project whose contract owns it.
    owner: Option<ProjectId>,
}

/// When a campaign runs.
struct Time {
    campaign: CampaignId,
    starts_at: Timestamp,
    ends_at: Option<Timestamp>,
}

impl Ledger {
    /// Whether token and config of a donation are recorded.
    pub(crate) fn knows(
        &mut self,
        db: &Connection,
        donation: &Donation,
    ) -> Result<bool, StoreError> {
        Ok(self.token(db, donation.token.key())?.is_some()
            && self.config(db, donation.config)?.is_some())
    }

    /// Counts a recorded donation that takes nothing back.
    ///
    /// # Errors
    /// A rejection where a sum of the run alone does not fit.
    pub(crate) fn count(&mut self, db: &Connection, donation: &Donation) -> Result<(), WriteError> {
        let token = donation.token.key();
        let owner = self.token(db, token)?.and_then(|known| known.owner);
        let missing = || StoreError::Corrupt(format!("config {} is missing", donation.config));
        let config = self.config(db, donation.config)?.ok_or_else(missing)?;
        let posting = Posting::new(config, token, donation.usd, donation.at);
        let cells = posting.all_cells(config.project, owner);
        let day = Day::of(posting.at);
        for (cell, usd) in cells {
            let part = Part::of(usd, posting.at);
            self.add((cell.clone(), None), part)?;
            self.add((cell, Some(day)), part)?;
        }
        if owner.is_some() {
            self.ranked.insert(token);
        }
        self.raise(db, &posting)
    }

    /// Writes the sums.
    ///
    /// # Errors
    /// A rejection where a sum does not fit; the run is then to be undone as a whole.
    pub(crate) fn settle(self, db: &Connection) -> Result<(), WriteError> {
        let mut sums: Vec<_> = self.sums.into_iter().collect();
        // In the order of the keys, neighbours are on one page of the file.
        sums.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
        for ((cell, day), part) in &sums {
            tally::add(db, cell, *day, part)?;
        }
        for token in self.ranked {
            partners::rank(db, token)?;
        }
        let has_raised = !self.raised.is_empty();
        for (campaign, usd) in self.raised {
            let sql = "UPDATE campaign SET raised_e6 = raised_e6 + ?2 WHERE id = ?1";
            query::execute(db, sql, (campaign, usd))?;
        }
        if has_raised {
            versions::advance(db, Versioned::Raised)?;
        }
        Ok(())
    }

    fn add(&mut self, key: (Cell, Option<Day>), part: Part) -> Result<(), WriteError> {
        match self.sums.entry(key) {
            Entry::Vacant(entry) => _ = entry.insert(part),
            Entry::Occupied(mut entry) => {
                let sum = entry.get().with(&part).ok_or_else(overflow)?;
                entry.insert(sum);
            }
        }
        Ok(())
    }

    /// Adds a donation's parts to the campaigns that ran when it was given.
    fn raise(&mut self, db: &Connection, posting: &Posting) -> Result<(), WriteError> {
        let whole = (CampaignBeneficiary::Config(posting.config), posting.usd);
        let shares = posting.shares.iter();
        let shares = shares.map(|(charity, usd)| (CampaignBeneficiary::Charity(*charity), *usd));
        for (beneficiary, usd) in std::iter::once(whole).chain(shares) {
            let campaigns = match self.campaigns.entry(beneficiary) {
                Entry::Occupied(entry) => entry.into_mut(),
                Entry::Vacant(entry) => entry.insert(times(db, beneficiary)?),
            };
            for time in campaigns.iter().filter(|time| time.includes(posting.at)) {
                let raised = self.raised.entry(time.campaign).or_default();
                *raised = raised.checked_add(usd.0).ok_or_else(overflow)?;
            }
        }
        Ok(())
    }

    fn token(&mut self, db: &Connection, key: [u8; 40]) -> Result<Option<Known>, StoreError> {
        if let Some(known) = self.tokens.get(&key) {
            return Ok(*known);
        }
        let known = match tokens::exists(db, key)? {
            true => Some(Known {
                owner: partners::owner(db, key)?,
            }),
            false => None,
        };
        self.tokens.insert(key, known);
        Ok(known)
    }

    fn config(&mut self, db: &Connection, id: ConfigId) -> Result<Option<&Config>, StoreError> {
        Ok(match self.configs.entry(id) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => entry.insert(configs::find(db, id)?),
        }
        .as_ref())
    }
}

impl Time {
    fn includes(&self, at: Timestamp) -> bool {
        self.starts_at <= at && self.ends_at.is_none_or(|end| at < end)
    }
}

/// When the campaigns of a beneficiary run.
fn times(db: &Connection, beneficiary: CampaignBeneficiary) -> rusqlite::Result<Vec<Time>> {
    let read = |row: &rusqlite::Row<'_>| {
        Ok(Time {
            campaign: row.get("id")?,
            starts_at: column::time(row, "starts_at")?,
            ends_at: column::time_if_any(row, "ends_at")?,
        })
    };
    match beneficiary {
        CampaignBeneficiary::Config(config) => {
            let sql = "SELECT id, starts_at, ends_at FROM campaign WHERE config = ?1";
            query::all(db, sql, [config], read)
        }
        CampaignBeneficiary::Charity(charity) => {
            let sql = "SELECT id, starts_at, ends_at FROM campaign WHERE charity = ?1";
            query::all(db, sql, [charity], read)
        }
    }
}

fn overflow() -> WriteError {
    WriteError::rejected("/usdE6", Rule::Overflow)
}
