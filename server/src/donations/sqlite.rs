//! The log of donations, in SQLite. Rows are added once and never changed.

use std::collections::HashMap;
use std::collections::hash_map::Entry as MapEntry;

use async_trait::async_trait;
use jiff::Timestamp;
use rusqlite::{Connection, Row, named_params};

use super::entry::Entry;
use super::listed::DonationPosition;
use super::recording::{self, Effect, Identity, Log, identity};
use super::{Donation, DonationFilter, DonationStore, ReceivedDonation, Revision, SplitDonation};
use crate::chains::ChainId;
use crate::charities::CharityId;
use crate::configs::{Config, ConfigId, sqlite as configs};
use crate::contracts::sqlite as partners;
use crate::database::StoreError;
use crate::database::sqlite::column::{self, Millis};
use crate::database::sqlite::{Sqlite, query};
use crate::domain::position::Position;
use crate::import::{OnRejection, Outcome};
use crate::projects::ProjectId;
use crate::rollups::sqlite as rollups;
use crate::tokens::sqlite as tokens;
use crate::webhooks::audience::sqlite as webhooks;

#[async_trait]
impl DonationStore for Sqlite {
    async fn donations_of_charity(
        &self,
        charity: CharityId,
        filter: DonationFilter,
        after: Option<Position>,
        limit: usize,
    ) -> Result<Vec<ReceivedDonation>, StoreError> {
        self.read(move |db| {
            let rows = of_charity(db, charity, filter, after, limit)?;
            let received = rows.into_iter().map(|(identity, entry)| {
                let token = tokens::get(db, entry.token)?;
                let config = configs::get(db, entry.config)?;
                ReceivedDonation::new(charity, (identity, entry), token, &config)
            });
            received.collect()
        })
        .await
    }

    async fn donations_of_config(
        &self,
        project: ProjectId,
        config: ConfigId,
        filter: DonationFilter,
        after: Option<Position>,
        limit: usize,
    ) -> Result<Option<Vec<SplitDonation>>, StoreError> {
        self.read(move |db| {
            let config = configs::find(db, config)?;
            let Some(config) = config.filter(|it| it.is_shown_to(project)) else {
                return Ok(None);
            };
            let rows = of_config(db, config.id, filter, after, limit)?;
            let split = rows.into_iter().map(|(identity, entry)| {
                let token = tokens::get(db, entry.token)?;
                Ok(SplitDonation::new((identity, entry), token, &config))
            });
            split.collect::<Result<_, StoreError>>().map(Some)
        })
        .await
    }
}

const RECEIVED: &str = "SELECT donation.chain, donation.tx, donation.log_index, donation.revision,
      donation.token, donation.config, donation.amount, abs(donation.usd_e6) AS usd, donation.at
    FROM charity_donation AS given
    JOIN standing_donation AS donation
      ON donation.chain = given.chain AND donation.tx = given.tx
        AND donation.log_index = given.log_index AND donation.revision = given.revision
    WHERE given.charity = :charity AND given.at >= :since AND ";

/// A page of a charity's donations, in the order of the primary key.
fn page() -> String {
    format!(
        "{RECEIVED} (given.at, given.chain, given.tx, given.log_index) < (:at, :chain, :tx, :log)
         ORDER BY given.at DESC, given.chain DESC, given.tx DESC, given.log_index DESC LIMIT :limit"
    )
}

/// A page of those on one chain, in the order of an index.
fn page_of_chain() -> String {
    format!(
        "{RECEIVED} given.chain = :chain AND (given.at, given.tx, given.log_index) < (:at, :tx, :log)
         ORDER BY given.at DESC, given.tx DESC, given.log_index DESC LIMIT :limit"
    )
}

/// The rows of the donations that a charity received parts of, latest first.
fn of_charity(
    db: &Connection,
    charity: CharityId,
    filter: DonationFilter,
    after: Option<Position>,
    limit: usize,
) -> rusqlite::Result<Vec<(Identity, Entry)>> {
    let start = DonationPosition::start(after, filter.end());
    let sql = match filter.chain {
        None => page(),
        Some(_) => page_of_chain(),
    };
    let params = named_params! {
        ":charity": charity,
        ":since": filter.first_millisecond(),
        ":at": start.at,
        ":chain": filter.chain.map_or(start.chain, ChainId::get),
        ":tx": start.transaction,
        ":log": start.log_index,
        ":limit": limit,
    };
    query::all(db, &sql, params, read_row)
}

const THROUGH: &str = "SELECT chain, tx, log_index, revision, token, config, amount,
      abs(usd_e6) AS usd, at
    FROM standing_donation
    WHERE config = :config AND at >= :since AND (at, chain, tx, log_index) < (:at, :chain, :tx, :log)
      AND (:only IS NULL OR chain = :only)
    ORDER BY at DESC, chain DESC, tx DESC, log_index DESC LIMIT :limit";

/// The rows of the donations through a config, latest first, in the order of an index.
fn of_config(
    db: &Connection,
    config: ConfigId,
    filter: DonationFilter,
    after: Option<Position>,
    limit: usize,
) -> rusqlite::Result<Vec<(Identity, Entry)>> {
    let start = DonationPosition::start(after, filter.end());
    let params = named_params! {
        ":config": config,
        ":since": filter.first_millisecond(),
        ":at": start.at,
        ":chain": start.chain,
        ":tx": start.transaction,
        ":log": start.log_index,
        ":only": filter.chain,
        ":limit": limit,
    };
    query::all(db, THROUGH, params, read_row)
}

fn read_row(row: &Row<'_>) -> rusqlite::Result<(Identity, Entry)> {
    let identity = (
        row.get("chain")?,
        row.get("tx")?,
        row.get("log_index")?,
        row.get("revision")?,
    );
    Ok((identity, read_entry(row)?))
}

/// Records donations in order and counts them; a recorded donation with the same identity must be
/// equal. With [`OnRejection::Stop`] the outcomes end with the first rejection. Webhooks are told at
/// `told_at`, if at all.
pub(crate) fn record(
    db: &Connection,
    donations: &[&Donation],
    on_rejection: OnRejection,
    told_at: Option<Timestamp>,
) -> Result<Vec<Outcome>, StoreError> {
    let mut named = Named::default();
    let effects: Vec<_> = donations
        .iter()
        .map(|donation| named.effect(db, donation))
        .collect::<Result<_, _>>()?;
    let counted: Vec<_> = effects.iter().filter_map(|it| it.as_ref().ok()).collect();
    let mut log = Log::new(load(db, donations)?);
    let mut batch = rollups::load(db, &counted)?;
    let outcomes = recording::record(donations, &effects, &mut log, &mut batch, on_rejection);
    for donation in &log.added {
        insert(db, donation)?;
    }
    rollups::write(db, &batch)?;
    if let Some(at) = told_at {
        webhooks::tell_of_donations(db, &log.added, &mut named, at)?;
        webhooks::tell_of_goals(db, &batch, at)?;
    }
    Ok(outcomes)
}

/// The records that donations refer to, each looked up once.
#[derive(Default)]
pub(crate) struct Named {
    configs: HashMap<ConfigId, Option<Config>>,
    /// The owners of tokens that are recorded.
    tokens: HashMap<[u8; 40], Option<Option<ProjectId>>>,
}

impl Named {
    fn effect(&mut self, db: &Connection, donation: &Donation) -> Result<Effect, StoreError> {
        let owner = self.owner(db, donation.token.key())?;
        let config = self.config(db, donation.config)?;
        Ok(recording::effect(donation, owner, config))
    }

    /// A config; `None` if it is not recorded.
    pub(crate) fn config(
        &mut self,
        db: &Connection,
        id: ConfigId,
    ) -> Result<Option<&Config>, StoreError> {
        Ok(match self.configs.entry(id) {
            MapEntry::Occupied(entry) => entry.into_mut(),
            MapEntry::Vacant(entry) => entry.insert(configs::find(db, id)?),
        }
        .as_ref())
    }

    /// The project whose contract owns a token, if any; `None` if the token is not recorded.
    pub(crate) fn owner(
        &mut self,
        db: &Connection,
        token: [u8; 40],
    ) -> rusqlite::Result<Option<Option<ProjectId>>> {
        if let Some(owner) = self.tokens.get(&token) {
            return Ok(*owner);
        }
        let owner = match tokens::exists(db, token)? {
            true => Some(partners::owner(db, token)?),
            false => None,
        };
        self.tokens.insert(token, owner);
        Ok(owner)
    }
}

/// Loads the donations that are there already, and the revisions before them.
fn load(db: &Connection, donations: &[&Donation]) -> rusqlite::Result<HashMap<Identity, Entry>> {
    let mut entries = HashMap::new();
    for donation in donations {
        let revisions = [Some(donation.revision), donation.revision.previous()];
        for revision in revisions.into_iter().flatten() {
            if let Some(entry) = find(db, donation, revision)? {
                entries.insert(identity(donation, revision), entry);
            }
        }
    }
    Ok(entries)
}

fn find(
    db: &Connection,
    donation: &Donation,
    revision: Revision,
) -> rusqlite::Result<Option<Entry>> {
    query::first(
        db,
        "SELECT token, config, amount, abs(usd_e6) AS usd, at FROM donation
         WHERE chain = ?1 AND tx = ?2 AND log_index = ?3 AND revision = ?4",
        (
            donation.token.chain,
            donation.transaction.as_str(),
            donation.log_index,
            revision,
        ),
        read_entry,
    )
}

fn read_entry(row: &Row<'_>) -> rusqlite::Result<Entry> {
    Ok(Entry {
        token: row.get("token")?,
        config: row.get("config")?,
        amount: row.get("amount")?,
        usd: row.get("usd")?,
        at: column::time(row, "at")?,
    })
}

fn insert(db: &Connection, donation: &Donation) -> rusqlite::Result<()> {
    query::execute(
        db,
        "INSERT INTO donation (
           chain, tx, log_index, revision, token, config, amount, usd_e6, at
         ) VALUES (
           :chain, :tx, :log_index, :revision, :token, :config, :amount, :usd_e6, :at
         )",
        named_params! {
            ":chain": donation.token.chain,
            ":tx": donation.transaction.as_str(),
            ":log_index": donation.log_index,
            ":revision": donation.revision,
            ":token": donation.token.key(),
            ":config": donation.config,
            ":amount": donation.amount,
            ":usd_e6": donation.signed_usd(),
            ":at": Millis(donation.at),
        },
    )?;
    if donation.revision.takes_back() {
        return Ok(());
    }
    query::execute(
        db,
        "INSERT INTO charity_donation (charity, at, chain, tx, log_index, revision)
         SELECT charity, :at, :chain, :tx, :log_index, :revision FROM config_charity
         WHERE config = :config",
        named_params! {
            ":chain": donation.token.chain,
            ":tx": donation.transaction.as_str(),
            ":log_index": donation.log_index,
            ":revision": donation.revision,
            ":config": donation.config,
            ":at": Millis(donation.at),
        },
    )?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_reads_its_index_and_sorts_nothing() {
        query::assert_reads_index(
            &page(),
            named_params! {},
            "given USING PRIMARY KEY (charity=? AND at>? AND (at,chain,tx,log_index)<(?,?,?,?))",
        );
        query::assert_reads_index(
            &page_of_chain(),
            named_params! {},
            "USING COVERING INDEX charity_donation_of_chain \
             (charity=? AND chain=? AND at>? AND (at,tx,log_index)<(?,?,?))",
        );
        query::assert_reads_index(
            THROUGH,
            named_params! {},
            "INDEX donation_of_config (config=? AND at>? AND (at,chain,tx,log_index)<(?,?,?,?))",
        );
    }
}
