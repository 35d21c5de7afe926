//! Writes imported records to SQLite.

use async_trait::async_trait;
use rusqlite::Connection;

use super::progress::sqlite as progress;
use super::{Checkpoint, OnRejection, Outcome, Record};
use crate::campaigns::sqlite as campaigns;
use crate::chains::sqlite as chains;
use crate::charities::sqlite as charities;
use crate::configs::sqlite as configs;
use crate::contracts::sqlite as partners;
use crate::database::StoreError;
use crate::database::error::WriteError;
use crate::database::sqlite::Sqlite;
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
    ) -> Result<Vec<Outcome>, StoreError> {
        self.write(move |tx| record_all(tx, &batch, on_rejection, checkpoint.as_ref()))
            .await
    }

    async fn recorded_prefix(&self, source: String) -> Result<Option<RecordedPrefix>, StoreError> {
        self.read(move |db| Ok(progress::find(db, &source)?)).await
    }

    async fn forget_import(&self, source: String) -> Result<(), StoreError> {
        self.write(move |tx| Ok(progress::forget(tx, &source)?))
            .await
    }
}

/// Records a batch in order, each record completely or not at all, and `checkpoint` if none is refused.
pub(crate) fn record_all(
    db: &Connection,
    batch: &[Record],
    on_rejection: OnRejection,
    checkpoint: Option<&Checkpoint>,
) -> Result<Vec<Outcome>, StoreError> {
    let mut outcomes = Vec::with_capacity(batch.len());
    for run in batch.chunk_by(Record::are_donations) {
        outcomes.extend(record_run(db, run, on_rejection)?);
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

/// Records consecutive donations, or one other record, which is checked before any part of it is
/// written.
fn record_run(
    db: &Connection,
    run: &[Record],
    on_rejection: OnRejection,
) -> Result<Vec<Outcome>, StoreError> {
    let written = match run {
        [Record::Chain(chain)] => chains::write(db, chain),
        [Record::Charity(charity)] => charities::write(db, charity),
        [Record::Token(token)] => tokens::write(db, token),
        [Record::Campaign(campaign)] => campaigns::write(db, campaign),
        [Record::Project(project)] => projects::write(db, project),
        [Record::Contract(contract)] => partners::write_contract(db, contract),
        [Record::PartnerToken(partner)] => partners::write_token(db, partner),
        [Record::Config(config)] => configs::write(db, config),
        donations => {
            let donations: Vec<_> = donations.iter().filter_map(Record::as_donation).collect();
            return donations::record(db, &donations, on_rejection);
        }
    };
    match written {
        Ok(change) => Ok(vec![Ok(change)]),
        Err(WriteError::Rejected(rejection)) => Ok(vec![Err(rejection)]),
        Err(WriteError::Failed(error)) => Err(error),
    }
}
