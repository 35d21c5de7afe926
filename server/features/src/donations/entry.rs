//! Rows of the log of donations, and the rules for repetitions and revisions.

use jiff::Timestamp;

use super::Donation;
use crate::domain::amount::{TokenAmount, UsdE6};
use crate::domain::config_id::ConfigId;
use crate::domain::recording::{Change, Outcome, Rejection, Rule};

/// The columns of a row besides its identity. Its sum has no sign.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Entry {
    pub(crate) token: [u8; 40],
    pub(crate) config: ConfigId,
    pub(crate) amount: TokenAmount,
    pub(crate) usd: UsdE6,
    pub(crate) at: Timestamp,
}

impl Entry {
    /// The row of a donation.
    pub(crate) fn of(donation: &Donation) -> Entry {
        let Donation {
            config,
            amount,
            usd,
            at,
            ..
        } = *donation;
        Entry {
            token: donation.token.key(),
            config,
            amount,
            usd,
            at,
        }
    }

    /// The result of recording a donation whose row exists: both must be equal.
    pub(crate) fn repeated_by(&self, donation: &Donation) -> Outcome {
        match self.first_difference(&Entry::of(donation)) {
            None => Ok(Change::Unchanged),
            Some(member) => Err(Rejection::new(member, Rule::Immutable)),
        }
    }

    /// The first member that differs, as a pointer into the import line.
    fn first_difference(&self, other: &Entry) -> Option<&'static str> {
        let same = [
            ("/token", self.token == other.token),
            ("/config", self.config == other.config),
            ("/amount", self.amount == other.amount),
            ("/usdE6", self.usd == other.usd),
            ("/at", self.at == other.at),
        ];
        same.into_iter()
            .find(|(_, same)| !same)
            .map(|(member, _)| member)
    }
}

/// Checks that the previous revision is recorded and, if this one takes it back, equal.
pub(crate) fn check_revision(
    donation: &Donation,
    previous: Option<&Entry>,
) -> Result<(), Rejection> {
    if donation.revision.previous().is_none() {
        return Ok(());
    }
    let Some(previous) = previous else {
        return Err(Rejection::new("/revision", Rule::RevisionMissing));
    };
    if !donation.revision.takes_back() {
        return Ok(());
    }
    match previous.first_difference(&Entry::of(donation)) {
        None => Ok(()),
        Some(member) => Err(Rejection::new(member, Rule::RevisionDiffers)),
    }
}
