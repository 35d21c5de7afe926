//! Writes imported records to SQLite.

use async_trait::async_trait;
use jiff::Timestamp;
use rusqlite::{Connection, ToSql};

use super::progress::sqlite as progress;
use super::rules::Reference;
use super::{Change, Checkpoint, OnRejection, Outcome, Record, Rule};
use crate::campaigns::sqlite as campaigns;
use crate::chains::sqlite as chains;
use crate::charities::sqlite as charities;
use crate::configs::sqlite as configs;
use crate::contracts::sqlite as partners;
use crate::database::error::WriteError;
use crate::database::sqlite::{Sqlite, query, versions};
use crate::database::{StoreError, Writer};
use crate::donations::sqlite as donations;
use crate::import::{ImportStore, RecordedPrefix};
use crate::projects::sqlite as projects;
use crate::tokens::sqlite as tokens;

#[async_trait]
impl ImportStore for Sqlite {
    async fn record_with_checkpoint(
        &self,
        batch: Vec<Record>,
        on_rejection: OnRejection,
        checkpoint: Option<Checkpoint>,
        told_at: Option<Timestamp>,
    ) -> Result<Vec<Outcome>, StoreError> {
        self.write(Writer::Operator, move |tx| {
            record_all(tx, &batch, on_rejection, checkpoint.as_ref(), told_at)
        })
        .await
    }

    async fn recorded_prefix(&self, source: String) -> Result<Option<RecordedPrefix>, StoreError> {
        self.read(move |db| Ok(progress::find(db, &source)?)).await
    }

    async fn forget_import(&self, source: String) -> Result<(), StoreError> {
        self.write(Writer::Operator, move |tx| {
            Ok(progress::forget(tx, &source)?)
        })
        .await
    }
}

/// Records a batch in order, each record completely or not at all, and `checkpoint` if none is refused.
pub(crate) fn record_all(
    db: &Connection,
    batch: &[Record],
    on_rejection: OnRejection,
    checkpoint: Option<&Checkpoint>,
    told_at: Option<Timestamp>,
) -> Result<Vec<Outcome>, StoreError> {
    let mut outcomes = Vec::with_capacity(batch.len());
    for run in batch.chunk_by(Record::are_donations) {
        outcomes.extend(record_run(db, run, on_rejection, told_at)?);
        let refused = outcomes.last().is_some_and(Result::is_err);
        if refused && on_rejection == OnRejection::Stop {
            break;
        }
    }
    if let Some(checkpoint) = checkpoint.filter(|_| outcomes.iter().all(Result::is_ok)) {
        progress::note(db, checkpoint)?;
    }
    Ok(outcomes)
}

/// Records consecutive donations, or one other record.
fn record_run(
    db: &Connection,
    run: &[Record],
    on_rejection: OnRejection,
    told_at: Option<Timestamp>,
) -> Result<Vec<Outcome>, StoreError> {
    let donations: Vec<_> = run.iter().filter_map(Record::as_donation).collect();
    if !donations.is_empty() {
        return donations::record(db, &donations, on_rejection, told_at);
    }
    let write = |record| match write(db, record) {
        Ok(change) => Ok(Ok(change)),
        Err(WriteError::Rejected(rejection)) => Ok(Err(rejection)),
        Err(WriteError::Failed(error)) => Err(error),
    };
    run.iter().map(write).collect()
}

/// Inserts or updates a record, which is checked before any part of it is written.
fn write(db: &Connection, record: &Record) -> Result<Change, WriteError> {
    let change = record.change(stored(db, record)?.as_ref())?;
    if change == Change::Unchanged {
        return Ok(change);
    }
    for (member, reference) in record.references() {
        if !is_recorded(db, reference)? {
            return Err(WriteError::rejected(member, Rule::Unknown));
        }
    }
    put(db, record, change)?;
    if let Some(counter) = record.counter() {
        versions::advance(db, counter)?;
    }
    Ok(change)
}

/// The stored record with the identity of this one.
fn stored(db: &Connection, record: &Record) -> Result<Option<Record>, StoreError> {
    Ok(match record {
        Record::Chain(it) => chains::find(db, it.id)?.map(Record::Chain),
        Record::Charity(it) => charities::find(db, it.id)?.map(|it| Record::Charity(it.into())),
        Record::Token(it) => tokens::find(db, it.id.key())?.map(Record::Token),
        Record::Campaign(it) => campaigns::find(db, it.id)?.map(Record::Campaign),
        Record::Project(it) => projects::find(db, it.id)?.map(Record::Project),
        Record::Contract(it) => partners::find_contract(db, &it.id)?.map(Record::Contract),
        Record::PartnerToken(it) => partners::find_token(db, &it.token)?.map(Record::PartnerToken),
        Record::Config(it) => configs::find(db, it.id)?.map(Record::Config),
        Record::Donation(_) => None,
    })
}

fn is_recorded(db: &Connection, reference: Reference) -> rusqlite::Result<bool> {
    let has = |table: &str, id: &dyn ToSql| {
        query::exists(db, &format!("SELECT 1 FROM {table} WHERE id = ?1"), [id])
    };
    match reference {
        Reference::Chain(id) => has("chain", &id),
        Reference::Charity(id) => has("charity", &id),
        Reference::Config(id) => has("config", &id),
        Reference::Contract(key) => has("contract", &key),
        Reference::Project(id) => has("project", &id),
        Reference::Token(key) => has("token", &key),
    }
}

fn put(db: &Connection, record: &Record, change: Change) -> Result<(), WriteError> {
    match record {
        Record::Chain(chain) => chains::put(db, chain).map(drop)?,
        Record::Charity(charity) => charities::put(db, charity)?,
        Record::Token(token) => tokens::put(db, token).map(drop)?,
        Record::Campaign(campaign) => campaigns::put(db, campaign)?,
        Record::Project(project) => projects::put(db, project).map(drop)?,
        Record::Contract(contract) => partners::insert_contract(db, contract).map(drop)?,
        Record::PartnerToken(partner) => partners::put_token(db, partner, change)?,
        Record::Config(config) => configs::insert(db, config)?,
        Record::Donation(_) => {}
    }
    Ok(())
}
