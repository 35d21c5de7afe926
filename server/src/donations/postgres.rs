//! The log of donations. Rows are added once and never changed.

use std::collections::{BTreeSet, HashMap};

use deadpool_postgres::Transaction;
use tokio_postgres::Row;

use super::entry::Entry;
use super::recording::{self, Identity, Log};
use super::{Donation, Revision};
use crate::chains::ChainId;
use crate::configs::postgres::Configs;
use crate::contracts::postgres as partners;
use crate::contracts::postgres::Owners;
use crate::database::postgres::column::{self, Bytes, Millis};
use crate::database::postgres::versions::Changed;
use crate::database::postgres::{Failure, locks, query};
use crate::import::{OnRejection, Outcome};
use crate::rollups::postgres::batch;

/// Records donations in order and counts them; a recorded donation with the same identity must be
/// equal. With [`OnRejection::Stop`] the outcomes end with the first rejection.
pub(crate) async fn record(
    tx: &Transaction<'_>,
    donations: &[&Donation],
    on_rejection: OnRejection,
    changed: &mut Changed,
) -> Result<Vec<Outcome>, Failure> {
    let owners = Owners::load(tx, donations.iter().map(|it| it.token.key())).await?;
    let named: BTreeSet<_> = donations.iter().map(|it| it.config).collect();
    let configs = Configs::load(tx, named).await?;
    let effect = |donation: &&Donation| {
        let owner = owners.find(donation.token.key());
        recording::effect(donation, owner, configs.find(donation.config))
    };
    let effects: Vec<_> = donations.iter().map(effect).collect();
    let counted: Vec<_> = effects.iter().filter_map(|it| it.as_ref().ok()).collect();
    let sums = counted.iter().flat_map(|effect| &effect.sums);
    locks::own_projects(tx, sums.map(|(key, _)| key.project)).await?;

    let mut log = Log::new(load(tx, donations).await?);
    let mut batch = batch::load(tx, &counted).await?;
    let outcomes = recording::record(donations, &effects, &mut log, &mut batch, on_rejection);
    if !log.added.is_empty() {
        insert(tx, &log.added).await?;
        batch::write(tx, &batch, changed).await?;
        partners::update_rank(tx, &owners).await?;
    }
    Ok(outcomes)
}

/// Loads the donations that are there already, and the revisions before them.
async fn load(
    tx: &Transaction<'_>,
    donations: &[&Donation],
) -> Result<HashMap<Identity, Entry>, Failure> {
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
    query::all(tx, sql, &asked.columns(), read).await
}

async fn insert(tx: &Transaction<'_>, donations: &[&Donation]) -> Result<u64, Failure> {
    let mut identities = Identities::default();
    for donation in donations {
        identities.push(donation, donation.revision);
    }
    let added = || donations.iter();
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
