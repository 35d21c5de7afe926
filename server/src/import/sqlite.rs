//! The one gate through which imported data enters.

use async_trait::async_trait;
use rusqlite::{Connection, Transaction};

use super::progress::sqlite as progress;
use super::{Change, Mark, OnRejection, Outcome, Record};
use crate::campaigns::sqlite as campaigns;
use crate::chains::sqlite as chains;
use crate::charities::sqlite as charities;
use crate::configs::sqlite as configs;
use crate::contracts::sqlite as partners;
use crate::database::StoreError;
use crate::database::error::WriteError;
use crate::database::sqlite::Sqlite;
use crate::donations::{Donation, sqlite as donations};
use crate::import::{Extent, ImportStore};
use crate::projects::sqlite as projects;
use crate::tokens::sqlite as tokens;

#[async_trait]
impl ImportStore for Sqlite {
    async fn record_marked(
        &self,
        batch: Vec<Record>,
        on_rejection: OnRejection,
        mark: Option<Mark>,
    ) -> Result<Vec<Outcome>, StoreError> {
        self.write(move |tx| record_all(tx, &batch, on_rejection, mark.as_ref()))
            .await
    }

    async fn import_extent(&self, source: String) -> Result<Option<Extent>, StoreError> {
        self.read(move |db| Ok(progress::find(db, &source)?)).await
    }

    async fn forget_import(&self, source: String) -> Result<(), StoreError> {
        self.write(move |tx| Ok(progress::forget(tx, &source)?))
            .await
    }
}

/// Records a batch in order, each record whole or not at all, and `mark` where none is refused.
pub(crate) fn record_all(
    tx: &mut Transaction<'_>,
    batch: &[Record],
    on_rejection: OnRejection,
    mark: Option<&Mark>,
) -> Result<Vec<Outcome>, StoreError> {
    let mut outcomes = Vec::with_capacity(batch.len());
    for run in batch.chunk_by(|one, next| given(one).is_some() && given(next).is_some()) {
        let recorded = record_run(tx, run, on_rejection)?;
        let stop = recorded.last().is_some_and(Result::is_err) && on_rejection == OnRejection::Stop;
        outcomes.extend(recorded);
        if stop {
            break;
        }
    }
    if let Some(mark) = mark.filter(|_| outcomes.iter().all(Result::is_ok)) {
        progress::note(tx, mark)?;
    }
    Ok(outcomes)
}

/// The donation that a record adds to the sums, if it only adds to them.
fn given(record: &Record) -> Option<&Donation> {
    match record {
        Record::Donation(donation) if !donation.revision.takes_back() => Some(donation),
        _ => None,
    }
}

/// Records a run of donations together, and other records by themselves.
fn record_run(
    tx: &mut Transaction<'_>,
    run: &[Record],
    on_rejection: OnRejection,
) -> Result<Vec<Outcome>, StoreError> {
    let donations: Option<Vec<&Donation>> = run.iter().map(given).collect();
    if let Some(donations) = donations {
        let savepoint = tx.savepoint()?;
        match donations::write_run(&savepoint, &donations, on_rejection) {
            Ok(outcomes) => {
                savepoint.commit()?;
                return Ok(outcomes);
            }
            // Dropped uncommitted, the savepoint has undone the run; one by one tells whose doing
            // it was.
            Err(WriteError::Rejected(_)) => {}
            Err(WriteError::Failed(error)) => return Err(error),
        }
    }
    one_by_one(tx, run, on_rejection)
}

fn one_by_one(
    tx: &mut Transaction<'_>,
    records: &[Record],
    on_rejection: OnRejection,
) -> Result<Vec<Outcome>, StoreError> {
    let mut outcomes = Vec::with_capacity(records.len());
    for record in records {
        // Dropped uncommitted, the savepoint undoes whatever a refused record has written.
        let savepoint = tx.savepoint()?;
        let outcome = match write(&savepoint, record) {
            Ok(change) => {
                savepoint.commit()?;
                Ok(change)
            }
            Err(WriteError::Rejected(rejection)) => Err(rejection),
            Err(WriteError::Failed(error)) => return Err(error),
        };
        let stop = outcome.is_err() && on_rejection == OnRejection::Stop;
        outcomes.push(outcome);
        if stop {
            break;
        }
    }
    Ok(outcomes)
}

fn write(db: &Connection, record: &Record) -> Result<Change, WriteError> {
    match record {
        Record::Chain(chain) => chains::write(db, chain),
        Record::Charity(charity) => charities::write(db, charity),
        Record::Token(token) => tokens::write(db, token),
        Record::Campaign(campaign) => campaigns::write(db, campaign),
        Record::Project(project) => projects::write(db, project),
        Record::Contract(contract) => partners::write_contract(db, contract),
        Record::PartnerToken(partner) => partners::write_token(db, partner),
        Record::Config(config) => configs::write(db, config),
        Record::Donation(donation) => donations::write(db, donation),
    }
}
