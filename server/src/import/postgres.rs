//! Writes imported records to PostgreSQL.
//!
//! A record is checked before any part of it is written, so that a refused one leaves nothing to undo
//! and no savepoints are needed. Consecutive donations are recorded together.

use async_trait::async_trait;
use deadpool_postgres::Transaction;
use futures_util::FutureExt;
use jiff::Timestamp;
use tokio_postgres::types::ToSql;

use super::progress::postgres as progress;
use super::rules::Reference;
use super::{Change, Checkpoint, OnRejection, Outcome, Record, Rule};
use crate::campaigns::postgres as campaigns;
use crate::chains::postgres as chains;
use crate::charities::postgres as charities;
use crate::configs::postgres::{self as configs, Configs};
use crate::contracts::postgres as partners;
use crate::database::error::WriteError;
use crate::database::postgres::column::Bytes;
use crate::database::postgres::versions::Changed;
use crate::database::postgres::{Failure, Postgres, TimeoutClass, locks, query};
use crate::database::{StoreError, Writer};
use crate::donations::postgres as donations;
use crate::import::{ImportStore, RecordedPrefix};
use crate::projects::postgres as projects;
use crate::tokens::postgres as tokens;

#[async_trait]
impl ImportStore for Postgres {
    async fn record_with_checkpoint(
        &self,
        batch: Vec<Record>,
        on_rejection: OnRejection,
        checkpoint: Option<Checkpoint>,
        told_at: Option<Timestamp>,
    ) -> Result<Vec<Outcome>, StoreError> {
        let about = (batch, on_rejection, checkpoint, told_at);
        self.write(
            Writer::Operator,
            TimeoutClass::Bulk,
            about,
            |tx, (batch, on_rejection, checkpoint, told_at)| {
                record_all(tx, batch, *on_rejection, checkpoint.as_ref(), *told_at).boxed()
            },
        )
        .await
    }

    async fn recorded_prefix(&self, source: String) -> Result<Option<RecordedPrefix>, StoreError> {
        self.query(move |db| async move { progress::find(db, &source).await }.boxed())
            .await
    }

    async fn forget_import(&self, source: String) -> Result<(), StoreError> {
        self.write(
            Writer::Operator,
            TimeoutClass::Request,
            source,
            |tx, source| progress::forget(tx, source).boxed(),
        )
        .await
    }
}

/// Records a batch in order, each record completely or not at all, and `checkpoint` if none is refused.
pub(crate) async fn record_all(
    tx: &Transaction<'_>,
    batch: &[Record],
    on_rejection: OnRejection,
    checkpoint: Option<&Checkpoint>,
    told_at: Option<Timestamp>,
) -> Result<Vec<Outcome>, Failure> {
    prefer_indexes(tx).await?;
    if batch.iter().all(|record| record.as_donation().is_some()) {
        locks::share_records(tx).await?;
    } else {
        locks::own_records(tx).await?;
    }
    let mut changed = Changed::default();
    let mut outcomes = Vec::with_capacity(batch.len());
    for run in batch.chunk_by(Record::are_donations) {
        outcomes.extend(record_run(tx, run, on_rejection, told_at, &mut changed).await?);
        let refused = outcomes.last().is_some_and(Result::is_err);
        if refused && on_rejection == OnRejection::Stop {
            break;
        }
    }
    if let Some(checkpoint) = checkpoint.filter(|_| outcomes.iter().all(Result::is_ok)) {
        progress::note(tx, checkpoint).await?;
    }
    changed.count(tx).await?;
    Ok(outcomes)
}

/// Makes the planner prefer indexes. An import looks up many single rows, for which an index is always
/// best, and the planner's statistics lag behind an import.
async fn prefer_indexes(tx: &Transaction<'_>) -> Result<(), Failure> {
    let settings = "SET LOCAL enable_seqscan = off; SET LOCAL enable_hashjoin = off;
                    SET LOCAL enable_mergejoin = off";
    Ok(tx.batch_execute(settings).await?)
}

/// Records consecutive donations, or one other record.
async fn record_run(
    tx: &Transaction<'_>,
    run: &[Record],
    on_rejection: OnRejection,
    told_at: Option<Timestamp>,
    changed: &mut Changed,
) -> Result<Vec<Outcome>, Failure> {
    let donations: Vec<_> = run.iter().filter_map(Record::as_donation).collect();
    if !donations.is_empty() {
        return donations::record(tx, &donations, on_rejection, told_at, changed).await;
    }
    let mut outcomes = Vec::new();
    for record in run {
        outcomes.push(match write(tx, record, changed).await {
            Ok(change) => Ok(change),
            Err(WriteError::Rejected(rejection)) => Err(rejection),
            Err(WriteError::Failed(failure)) => return Err(failure),
        });
    }
    Ok(outcomes)
}

/// Inserts or updates a record, which is checked before any part of it is written.
async fn write(
    tx: &Transaction<'_>,
    record: &Record,
    changed: &mut Changed,
) -> Result<Change, WriteError<Failure>> {
    let change = record.change(stored(tx, record).await?.as_ref())?;
    if change == Change::Unchanged {
        return Ok(change);
    }
    for (member, reference) in record.references() {
        if !is_recorded(tx, reference).await? {
            return Err(WriteError::rejected(member, Rule::Unknown));
        }
    }
    put(tx, record, change, changed).await?;
    if let Some(counter) = record.counter() {
        changed.record(counter);
    }
    Ok(change)
}

/// The stored record with the identity of this one.
async fn stored(tx: &Transaction<'_>, record: &Record) -> Result<Option<Record>, Failure> {
    Ok(match record {
        Record::Chain(it) => chains::find(tx, it.id).await?.map(Record::Chain),
        Record::Charity(it) => {
            let charity = charities::find(tx, it.id).await?;
            charity.map(|it| Record::Charity(it.into()))
        }
        Record::Token(it) => tokens::find(tx, it.id.key()).await?.map(Record::Token),
        Record::Campaign(it) => campaigns::find(tx, it.id).await?.map(Record::Campaign),
        Record::Project(it) => projects::find(tx, it.id).await?.map(Record::Project),
        Record::Contract(it) => {
            let contract = partners::find_contract(tx, &it.id).await?;
            contract.map(Record::Contract)
        }
        Record::PartnerToken(it) => {
            let partner = partners::find_token(tx, &it.token).await?;
            partner.map(Record::PartnerToken)
        }
        Record::Config(it) => {
            let configs = Configs::load(tx, [it.id]).await?;
            configs.find(it.id).cloned().map(Record::Config)
        }
        Record::Donation(_) => None,
    })
}

async fn is_recorded(tx: &Transaction<'_>, reference: Reference) -> Result<bool, Failure> {
    match reference {
        Reference::Chain(id) => has(tx, "chain", &id).await,
        Reference::Charity(id) => has(tx, "charity", &id).await,
        Reference::Config(id) => has(tx, "config", &id).await,
        Reference::Contract(key) => has(tx, "contract", &Bytes(key)).await,
        Reference::Project(id) => has(tx, "project", &id).await,
        Reference::Token(key) => has(tx, "token", &Bytes(key)).await,
    }
}

async fn has(tx: &Transaction<'_>, table: &str, id: &(dyn ToSql + Sync)) -> Result<bool, Failure> {
    query::exists(tx, &format!("SELECT 1 FROM {table} WHERE id = $1"), &[id]).await
}

async fn put(
    tx: &Transaction<'_>,
    record: &Record,
    change: Change,
    changed: &mut Changed,
) -> Result<(), WriteError<Failure>> {
    match record {
        Record::Chain(chain) => chains::put(tx, chain).await.map(drop)?,
        Record::Charity(charity) => charities::put(tx, charity).await?,
        Record::Token(token) => tokens::put(tx, token).await.map(drop)?,
        Record::Campaign(campaign) => campaigns::put(tx, campaign).await?,
        Record::Project(project) => projects::put(tx, project).await.map(drop)?,
        Record::Contract(contract) => partners::insert_contract(tx, contract).await.map(drop)?,
        Record::PartnerToken(partner) => partners::put_token(tx, partner, change, changed).await?,
        Record::Config(config) => configs::insert(tx, config).await?,
        Record::Donation(_) => {}
    }
    Ok(())
}
