//! The records that an import writes in batches.

use crate::campaigns::Campaign;
use crate::chains::Chain;
use crate::charities::Charity;
use crate::configs::Config;
use crate::contracts::PartnerContract;
use crate::donations::Donation;
use crate::projects::Project;
use crate::tokens::{PartnerToken, Token};

/// A record to be written. Recording an equal one again changes nothing.
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
    /// The assignment of a token to a partner contract, by the token. Its contract cannot change.
    PartnerToken(PartnerToken),
    /// A config, by its id. Nothing of it can change.
    Config(Config),
    /// A donation, by chain, transaction, log index and revision. Nothing of it can change.
    Donation(Donation),
}

impl Record {
    pub(crate) fn as_donation(&self) -> Option<&Donation> {
        match self {
            Record::Donation(donation) => Some(donation),
            _ => None,
        }
    }

    /// Whether both are donations, which are recorded together.
    pub(crate) fn are_donations(&self, other: &Record) -> bool {
        self.as_donation().is_some() && other.as_donation().is_some()
    }
}
