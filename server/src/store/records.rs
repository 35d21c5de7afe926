//! The one gate through which imported data enters: records, in batches, each whole or not at all.

use rusqlite::{Connection, Transaction};

use super::error::WriteError;
use super::{Rejection, Store, StoreError, campaigns, chains, charities, configs, donations};
use super::{partners, projects, tokens};
use crate::domain::campaign::Campaign;
use crate::domain::chain::Chain;
use crate::domain::charity::Charity;
use crate::domain::config::Config;
use crate::domain::donation::Donation;
use crate::domain::partner::{PartnerContract, PartnerToken};
use crate::domain::project::Project;
use crate::domain::token::Token;

/// Something to be recorded. Recording the same again changes nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Record {
    /// A chain, by its id. Its kind cannot change.
    Chain(Chain),
    /// A charity, by its id.
    Charity(Box<Charity>),
    /// A token, by chain and address.
    Token(Token),
    /// A campaign, by its id.
    Campaign(Campaign),
    /// A project, by its id.
    Project(Project),
    /// A partner contract, by chain and address. Its project cannot change.
    Contract(PartnerContract),
    /// What makes a token a partner token, by the token. Its contract cannot change.
    PartnerToken(PartnerToken),
    /// A config, by its id. Nothing of it can change.
    Config(Config),
    /// A donation, by chain, transaction, log index and revision. Nothing of it can change.
    Donation(Donation),
}

/// What recording a record did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// It was new.
    Inserted,
    /// It was known and is different now.
    Updated,
    /// It was known as it is.
    Unchanged,
}

impl Change {
    /// What writing `new` over `stored` does.
    pub(super) fn between<T: PartialEq>(stored: Option<&T>, new: &T) -> Change {
        match stored {
            None => Change::Inserted,
            Some(stored) if stored == new => Change::Unchanged,
            Some(_) => Change::Updated,
        }
    }
}

/// What to do with the records after one that is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnRejection {
    /// Take them all the same.
    Continue,
    /// Leave them; those before it stay.
    Stop,
}

impl Store {
    /// Records a batch in one transaction, in order, each record whole or not at all.
    ///
    /// The answer has one outcome for each record; with [`OnRejection::Stop`] it ends with the
    /// first rejection. A failure of the database leaves nothing of the batch.
    pub async fn record(
        &self,
        batch: Vec<Record>,
        on_rejection: OnRejection,
    ) -> Result<Vec<Result<Change, Rejection>>, StoreError> {
        self.write(move |tx| record_all(tx, &batch, on_rejection))
            .await
    }
}

fn record_all(
    tx: &mut Transaction<'_>,
    batch: &[Record],
    on_rejection: OnRejection,
) -> Result<Vec<Result<Change, Rejection>>, StoreError> {
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
