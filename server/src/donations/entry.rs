//! What the log of donations holds for each of them, and how a repetition may differ from it.

use jiff::Timestamp;

use super::Donation;
use crate::configs::ConfigId;
use crate::domain::amount::{TokenAmount, UsdE6};
use crate::import::{Change, Outcome, Rejection, Rule};

/// What a row holds beside its identity. Its sum has no sign.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Entry {
    pub(crate) token: [u8; 40],
    pub(crate) config: ConfigId,
    pub(crate) amount: TokenAmount,
    pub(crate) usd: UsdE6,
    pub(crate) at: Timestamp,
}

impl Entry {
    /// What a donation's row holds.
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

    /// What recording a donation does whose row is there: it must be the same.
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

/// Checks that the revision before a donation is there and, where it is taken back, the same.
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
