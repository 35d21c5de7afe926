//! Writes imported records to PostgreSQL.
//!
//! A record is checked before any part of it is written, so that a refused one leaves nothing to undo
//! and no savepoints are needed. Consecutive donations are recorded together.

use async_trait::async_trait;
use deadpool_postgres::Transaction;
use futures_util::FutureExt;

use super::progress::postgres as progress;
use super::{Checkpoint, OnRejection, Outcome, Record};
use crate::campaigns::postgres as campaigns;
use crate::chains::postgres as chains;
use crate::charities::postgres as charities;
use crate::configs::postgres as configs;
use crate::contracts::postgres as partners;
use crate::database::StoreError;
use crate::database::error::WriteError;
use crate::database::postgres::versions::Changed;
use crate::database::postgres::{Failure, Postgres, TimeoutClass, locks};
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
    ) -> Result<Vec<Outcome>, StoreError> {
        let about = (batch, on_rejection, checkpoint);
        self.write(
            TimeoutClass::Bulk,
            about,
            |tx, (batch, on_rejection, checkpoint)| {
                record_all(tx, batch, *on_rejection, checkpoint.as_ref()).boxed()
            },
        )
        .await
    }

    async fn recorded_prefix(&self, source: String) -> Result<Option<RecordedPrefix>, StoreError> {
        self.query(source, |db, source| progress::find(db, source).boxed())
            .await
    }

    async fn forget_import(&self, source: String) -> Result<(), StoreError> {
        self.write(TimeoutClass::Request, source, |tx, source| {
            progress::forget(tx, source).boxed()
        })
        .await
    }
}

/// Records a batch in order, each record completely or not at all, and `checkpoint` if none is refused.
pub(crate) async fn record_all(
    tx: &Transaction<'_>,
    batch: &[Record],
    on_rejection: OnRejection,
    checkpoint: Option<&Checkpoint>,
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
        outcomes.extend(record_run(tx, run, on_rejection, &mut changed).await?);
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
    changed: &mut Changed,
) -> Result<Vec<Outcome>, Failure> {
    let written = match run {
        [Record::Chain(chain)] => chains::write(tx, chain, changed).await,
        [Record::Charity(charity)] => charities::write(tx, charity, changed).await,
        [Record::Token(token)] => tokens::write(tx, token, changed).await,
        [Record::Campaign(campaign)] => campaigns::write(tx, campaign, changed).await,
        [Record::Project(project)] => projects::write(tx, project, changed).await,
        [Record::Contract(contract)] => partners::write_contract(tx, contract).await,
        [Record::PartnerToken(partner)] => partners::write_token(tx, partner, changed).await,
        [Record::Config(config)] => configs::write(tx, config).await,
        donations => {
            let donations: Vec<_> = donations.iter().filter_map(Record::as_donation).collect();
            return donations::record(tx, &donations, on_rejection, changed).await;
        }
    };
    match written {
        Ok(change) => Ok(vec![Ok(change)]),
        Err(WriteError::Rejected(rejection)) => Ok(vec![Err(rejection)]),
        Err(WriteError::Failed(failure)) => Err(failure),
    }
}
