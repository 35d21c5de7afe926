//! Donations with the parts of charities.

use super::ListedDonation;
use super::entry::Entry;
use super::recording::Identity;
use crate::charities::CharityId;
use crate::configs::Config;
use crate::domain::amount::UsdE6;
use crate::domain::position::{Placed, Position};
use crate::domain::share;
use crate::tokens::Token;
use db::DbError;

/// A donation that a charity received a part of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReceivedDonation {
    /// The whole donation.
    pub donation: ListedDonation,
    /// The charity's part of its worth.
    pub received: UsdE6,
}

impl ReceivedDonation {
    /// A row of the log, of a donation in `token` through `config`, as `charity` received it.
    pub(crate) fn new(
        charity: CharityId,
        row: (Identity, Entry),
        token: Token,
        config: &Config,
    ) -> Result<ReceivedDonation, DbError> {
        let SplitDonation { donation, shares } = SplitDonation::new(row, token, config);
        let mut parts = shares.into_iter();
        let part = parts.find(|(beneficiary, _)| *beneficiary == charity);
        let missing = || DbError::Corrupt(format!("config {} lacks a charity", config.id));
        let (_, received) = part.ok_or_else(missing)?;
        Ok(ReceivedDonation { donation, received })
    }
}

impl Placed for ReceivedDonation {
    fn position(&self) -> Position {
        self.donation.position()
    }
}

/// A donation through a config, and the part of each of its charities.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SplitDonation {
    /// The whole donation.
    pub donation: ListedDonation,
    /// The parts of its worth, in the order of the config. Their sum is the whole.
    pub shares: Vec<(CharityId, UsdE6)>,
}

impl SplitDonation {
    /// A row of the log, of a donation in `token` through `config`.
    pub(crate) fn new(row: (Identity, Entry), token: Token, config: &Config) -> SplitDonation {
        SplitDonation::of(ListedDonation::new(row, token), config)
    }

    /// A donation through `config`.
    pub(crate) fn of(donation: ListedDonation, config: &Config) -> SplitDonation {
        let charities = config.beneficiaries.iter().map(|it| it.charity);
        let shares = share::split(donation.usd, &config.weights());
        SplitDonation {
            donation,
            shares: charities.zip(shares).collect(),
        }
    }
}

impl Placed for SplitDonation {
    fn position(&self) -> Position {
        self.donation.position()
    }
}
