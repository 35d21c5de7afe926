//! The log of donations. Rows are added once and never changed.

use std::collections::{BTreeSet, HashMap};

use deadpool_postgres::Transaction;
use tokio_postgres::Row;

use super::effect::Posting;
use super::entry::{self, Entry};
use super::{Donation, Revision};
use crate::chains::ChainId;
use crate::configs::postgres::Configs;
use crate::contracts::postgres as partners;
use crate::contracts::postgres::Owners;
use crate::database::postgres::column::{self, Bytes, Millis};
use crate::database::postgres::versions::Changed;
use crate::database::postgres::{Failure, locks, query};
use crate::import::{Change, OnRejection, Outcome, Rejection, Rule};
use crate::rollups::ledger::{Direction, Ledger};
use crate::rollups::postgres::ledger::{self, Posted};

/// Records donations in order and counts them; one that is there must be the same. With
/// [`OnRejection::Stop`] the outcomes end with the first rejection.
pub(crate) async fn record(
    tx: &Transaction<'_>,
    donations: &[&Donation],
    on_rejection: OnRejection,
    changed: &mut Changed,
) -> Result<Vec<Outcome>, Failure> {
    let owners = Owners::load(tx, donations.iter().map(|it| it.token.key())).await?;
    let named: BTreeSet<_> = donations.iter().map(|it| it.config).collect();
    let configs = Configs::load(tx, named).await?;
    let prepared: Vec<_> = donations
        .iter()
        .map(|it| prepare(it, &owners, &configs))
        .collect();
    let posted: Vec<_> = prepared.iter().filter_map(|it| it.as_ref().ok()).collect();
    let cells = posted.iter().flat_map(|(_, cells)| cells);
    locks::own_projects(tx, cells.map(|(cell, _)| cell.project)).await?;

    let mut log = Log::load(tx, donations).await?;
    let mut ledger = ledger::load(tx, &posted).await?;
    let mut outcomes = Vec::with_capacity(donations.len());
    for (donation, prepared) in donations.iter().zip(&prepared) {
        let outcome = decide(&mut log, &mut ledger, donation, prepared);
        let stop = outcome.is_err() && on_rejection == OnRejection::Stop;
        outcomes.push(outcome);
        if stop {
            break;
        }
    }
    if !log.added.is_empty() {
        log.write(tx).await?;
        ledger::write(tx, &ledger, changed).await?;
        partners::rank(tx, &owners).await?;
    }
    Ok(outcomes)
}

/// Where a donation counts, if what it names is there.
fn prepare(donation: &Donation, owners: &Owners, configs: &Configs) -> Result<Posted, Rejection> {
    let token = donation.token.key();
    let unknown = |member| Rejection::new(member, Rule::Unknown);
    let owner = owners.find(token).ok_or_else(|| unknown("/token"))?;
    let config = configs
        .find(donation.config)
        .ok_or_else(|| unknown("/config"))?;
    let posting = Posting::new(config, token, donation.usd, donation.at);
    let cells = posting.all_cells(config.project, owner);
    Ok((posting, cells))
}

/// Records one donation, in memory.
fn decide<'d>(
    log: &mut Log<'d>,
    ledger: &mut Ledger,
    donation: &'d Donation,
    prepared: &Result<Posted, Rejection>,
) -> Outcome {
    if let Some(stored) = log.find(donation, donation.revision) {
        return stored.repeated_by(donation);
    }
    let (posting, cells) = prepared.as_ref().map_err(Clone::clone)?;
    let previous = donation.revision.previous();
    let previous = previous.and_then(|revision| log.find(donation, revision));
    entry::check_revision(donation, previous)?;
    let direction = match donation.revision.takes_back() {
        false => Direction::Given,
        true => Direction::TakenBack,
    };
    let posted = ledger.post(posting, cells, direction);
    posted.map_err(|_| Rejection::new("/usdE6", Rule::Overflow))?;
    log.add(donation);
    Ok(Change::Inserted)
}

/// Chain, transaction, log index and revision.
type Identity = (ChainId, String, u32, Revision);

/// The rows that a batch is about, and those that it adds.
struct Log<'d> {
    entries: HashMap<Identity, Entry>,
    added: Vec<&'d Donation>,
}

impl<'d> Log<'d> {
    /// Loads the donations that are there already, and the revisions before them.
    async fn load(tx: &Transaction<'_>, donations: &[&Donation]) -> Result<Log<'d>, Failure> {
        let mut asked = Identities::default();
        for donation in donations {
            asked.push(donation, donation.revision);
            if let Some(previous) = donation.revision.previous() {
                asked.push(donation, previous);
            }
        }
        let sql = "SELECT donation.chain, donation.tx, donation.log_index, donation.revision,
                     donation.token, donation.config, donation.amount,
                     abs(donation.usd_e6) AS usd, donation.at
                   FROM unnest($1::bigint[], $2::text[], $3::bigint[], $4::bigint[])
                     AS asked (chain, tx, log_index, revision)
                   JOIN donation USING (chain, tx, log_index, revision)";
        Ok(Log {
            entries: query::all(tx, sql, &asked.columns(), read).await?,
            added: Vec::new(),
        })
    }

    fn find(&self, donation: &Donation, revision: Revision) -> Option<&Entry> {
        self.entries.get(&identity(donation, revision))
    }

    fn add(&mut self, donation: &'d Donation) {
        let identity = identity(donation, donation.revision);
        self.entries.insert(identity, Entry::of(donation));
        self.added.push(donation);
    }

    async fn write(&self, tx: &Transaction<'_>) -> Result<u64, Failure> {
        let mut identities = Identities::default();
        for donation in &self.added {
            identities.push(donation, donation.revision);
        }
        let added = || self.added.iter();
        let tokens: Vec<_> = added().map(|it| Bytes(it.token.key())).collect();
        let configs: Vec<_> = added().map(|it| it.config).collect();
        let amounts: Vec<_> = added().map(|it| it.amount).collect();
        let usd: Vec<_> = added().map(|it| it.signed_usd()).collect();
        let times: Vec<_> = added().map(|it| Millis(it.at)).collect();
        let sql = "INSERT INTO donation (
                     chain, tx, log_index, revision, token, config, amount, usd_e6, at
                   )
                   SELECT * FROM unnest(
                     $1::bigint[], $2::text[], $3::bigint[], $4::bigint[],
                     $5::bytea[], $6::bytea[], $7::bytea[], $8::bigint[], $9::bigint[]
                   )";
        let rest: query::Params<'_> = &[&tokens, &configs, &amounts, &usd, &times];
        query::execute(tx, sql, &[&identities.columns(), rest].concat()).await
    }
}

fn identity(donation: &Donation, revision: Revision) -> Identity {
    let tx = donation.transaction.as_str().to_owned();
    (donation.token.chain, tx, donation.log_index, revision)
}

fn read(row: &Row) -> Result<(Identity, Entry), Failure> {
    let identity = (
        row.try_get("chain")?,
        row.try_get("tx")?,
        column::number(row, "log_index")?,
        row.try_get("revision")?,
    );
    let entry = Entry {
        token: row.try_get::<_, Bytes<40>>("token")?.0,
        config: row.try_get("config")?,
        amount: row.try_get("amount")?,
        usd: row.try_get("usd")?,
        at: column::time(row, "at")?,
    };
    Ok((identity, entry))
}

/// Identities as columns.
#[derive(Default)]
struct Identities<'d> {
    chains: Vec<ChainId>,
    transactions: Vec<&'d str>,
    logs: Vec<i64>,
    revisions: Vec<Revision>,
}

impl<'d> Identities<'d> {
    fn push(&mut self, donation: &'d Donation, revision: Revision) {
        self.chains.push(donation.token.chain);
        self.transactions.push(donation.transaction.as_str());
        self.logs.push(donation.log_index.into());
        self.revisions.push(revision);
    }

    fn columns(&self) -> [&(dyn tokio_postgres::types::ToSql + Sync); 4] {
        [
            &self.chains,
            &self.transactions,
            &self.logs,
            &self.revisions,
        ]
    }
}
