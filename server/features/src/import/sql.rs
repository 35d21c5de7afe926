//! Writes imported records.
//!
//! A record is checked before any part of it is written, so that a refused one leaves nothing to undo
//! and no savepoints are needed. Consecutive donations are recorded together.

use db::{DbError, ToValue, Tx, params};
use jiff::Timestamp;

use super::progress::sql as progress;
use super::rules::Reference;
use super::{Checkpoint, Record};
use crate::campaigns::sql as campaigns;
use crate::chains::sql as chains;
use crate::charities::sql as charities;
use crate::configs::sql::{self as configs, Configs};
use crate::contracts::sql as partners;
use crate::database::locks;
use crate::domain::recording::{Change, OnRejection, Outcome, Rule, WriteError};
use crate::donations::sql as donations;
use crate::projects::sql as projects;
use crate::tokens::sql as tokens;

/// Records a batch in order, each record completely or not at all, and `checkpoint` if none is refused.
pub(crate) fn record_all(
    tx: &Tx<'_>,
    batch: &[Record],
    on_rejection: OnRejection,
    checkpoint: Option<&Checkpoint>,
    told_at: Option<Timestamp>,
) -> Result<Vec<Outcome>, DbError> {
    prefer_indexes(tx)?;
    if batch.iter().all(|record| record.as_donation().is_some()) {
        tx.share(locks::RECORDS)?;
    } else {
        tx.lock(locks::RECORDS)?;
    }
    let mut outcomes = Vec::with_capacity(batch.len());
    for run in batch.chunk_by(Record::are_donations) {
        outcomes.extend(record_run(tx, run, on_rejection, told_at)?);
        let refused = outcomes.last().is_some_and(Result::is_err);
        if refused && on_rejection == OnRejection::Stop {
            break;
        }
    }
    if let Some(checkpoint) = checkpoint.filter(|_| outcomes.iter().all(Result::is_ok)) {
        progress::note(tx, checkpoint)?;
    }
    Ok(outcomes)
}

/// Makes the planner prefer indexes. An import looks up many single rows, for which an index is always
/// best, and the planner's statistics lag behind an import.
fn prefer_indexes(tx: &Tx<'_>) -> Result<(), DbError> {
    let settings = "SET LOCAL enable_seqscan = off; SET LOCAL enable_hashjoin = off;
                    SET LOCAL enable_mergejoin = off";
    tx.set_local(settings)
}

/// Records consecutive donations, or one other record.
fn record_run(
    tx: &Tx<'_>,
    run: &[Record],
    on_rejection: OnRejection,
    told_at: Option<Timestamp>,
) -> Result<Vec<Outcome>, DbError> {
    let donations: Vec<_> = run.iter().filter_map(Record::as_donation).collect();
    if !donations.is_empty() {
        return donations::record(tx, &donations, on_rejection, told_at);
    }
    let mut outcomes = Vec::new();
    for record in run {
        outcomes.push(match write(tx, record) {
            Ok(change) => Ok(change),
            Err(WriteError::Rejected(rejection)) => Err(rejection),
            Err(WriteError::Failed(failure)) => return Err(failure),
        });
    }
    Ok(outcomes)
}

/// Inserts or updates a record, which is checked before any part of it is written.
fn write(tx: &Tx<'_>, record: &Record) -> Result<Change, WriteError> {
    let change = record.change(stored(tx, record)?.as_ref())?;
    if change == Change::Unchanged {
        return Ok(change);
    }
    for (member, reference) in record.references() {
        if !is_recorded(tx, reference)? {
            return Err(WriteError::rejected(member, Rule::Unknown));
        }
    }
    put(tx, record, change)?;
    record.bump(tx);
    Ok(change)
}

/// The stored record with the identity of this one.
fn stored(tx: &Tx<'_>, record: &Record) -> Result<Option<Record>, DbError> {
    Ok(match record {
        Record::Chain(it) => chains::find(tx, it.id)?.map(Record::Chain),
        Record::Charity(it) => {
            let charity = charities::find(tx, it.id)?;
            charity.map(|it| Record::Charity(it.into()))
        }
        Record::Token(it) => tokens::find(tx, it.id.key())?.map(Record::Token),
        Record::Campaign(it) => campaigns::find(tx, it.id)?.map(Record::Campaign),
        Record::Project(it) => projects::find(tx, it.id)?.map(Record::Project),
        Record::Contract(it) => {
            let contract = partners::find_contract(tx, &it.id)?;
            contract.map(Record::Contract)
        }
        Record::PartnerToken(it) => {
            let partner = partners::find_token(tx, &it.token)?;
            partner.map(Record::PartnerToken)
        }
        Record::Config(it) => {
            let configs = Configs::load(tx, [it.id])?;
            configs.find(it.id).cloned().map(Record::Config)
        }
        Record::Donation(_) => None,
    })
}

fn is_recorded(tx: &Tx<'_>, reference: Reference) -> Result<bool, DbError> {
    match reference {
        Reference::Chain(id) => has(tx, "chain", id),
        Reference::Charity(id) => has(tx, "charity", id),
        Reference::Config(id) => has(tx, "config", id),
        Reference::Contract(key) => has(tx, "contract", key),
        Reference::Project(id) => has(tx, "project", id),
        Reference::Token(key) => has(tx, "token", key),
    }
}

fn has(tx: &Tx<'_>, table: &str, id: impl ToValue) -> Result<bool, DbError> {
    tx.exists(&format!("SELECT 1 FROM {table} WHERE id = $1"), params![id])
}

fn put(tx: &Tx<'_>, record: &Record, change: Change) -> Result<(), WriteError> {
    match record {
        Record::Chain(chain) => chains::put(tx, chain).map(drop)?,
        Record::Charity(charity) => charities::put(tx, charity)?,
        Record::Token(token) => tokens::put(tx, token).map(drop)?,
        Record::Campaign(campaign) => campaigns::put(tx, campaign)?,
        Record::Project(project) => projects::put(tx, project).map(drop)?,
        Record::Contract(contract) => partners::insert_contract(tx, contract).map(drop)?,
        Record::PartnerToken(partner) => partners::put_token(tx, partner, change)?,
        Record::Config(config) => configs::insert(tx, config)?,
        Record::Donation(_) => {}
    }
    Ok(())
}
