//! The one gate through which imported data enters.

use rusqlite::{Connection, Transaction};

use super::{campaigns, chains, charities, configs, donations, partners, projects, tokens};
use crate::store::error::WriteError;
use crate::store::{Change, OnRejection, Outcome, Record, StoreError};

/// Records a batch in order, each record whole or not at all.
pub(super) fn record_all(
    tx: &mut Transaction<'_>,
    batch: &[Record],
    on_rejection: OnRejection,
) -> Result<Vec<Outcome>, StoreError> {
    let mut outcomes = Vec::with_capacity(batch.len());
    for record in batch {
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
