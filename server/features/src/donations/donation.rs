//! Donations, as recorded on a chain.

use jiff::Timestamp;

use crate::chains::{ChainAddress, TransactionId};
use crate::domain::amount::{TokenAmount, UsdE6};
use crate::domain::config_id::ConfigId;

/// A donation, or the taking back of one.
///
/// It is identified by the token's chain, the transaction, the log index and the revision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Donation {
    /// The token that it was made in, whose chain is the donation's.
    pub token: ChainAddress,
    pub transaction: TransactionId,
    /// The index of the effect in its transaction: of the log on an EVM chain, the instruction on an
    /// SVM chain, the output on a UTXO chain.
    pub log_index: u32,
    /// Whether the entry gives the donation, takes it back, gives it again, …
    pub revision: Revision,
    /// The config that divides it.
    pub config: ConfigId,
    pub amount: TokenAmount,
    /// Its worth when it was given. Never negative; an odd revision takes it back.
    pub usd: UsdE6,
    /// When it was given.
    pub at: Timestamp,
}

impl Donation {
    /// The amount that it adds to a sum.
    pub fn signed_usd(&self) -> UsdE6 {
        match self.revision.takes_back() {
            true => UsdE6(self.usd.0.saturating_neg()),
            false => self.usd,
        }
    }
}

/// The number of an entry about one log of a transaction.
///
/// Revision 0 is the donation. When a reorganization drops its block, revision 1 takes it back; if the
/// transaction enters the chain again with the same log index, revision 2 is the donation anew, and so
/// on. Rows are only ever added, and adding one twice changes nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Revision(pub u32);

db::column!(Revision as u32, |revision| revision.0, |number| Some(
    Revision(number)
));

impl Revision {
    /// Whether it compensates the revision before it.
    pub fn takes_back(self) -> bool {
        !self.0.is_multiple_of(2)
    }

    /// The revision that must be recorded before it; `None` for the first.
    pub fn previous(self) -> Option<Revision> {
        self.0.checked_sub(1).map(Revision)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_revisions_take_back() {
        assert_eq!(
            [0, 1, 2, 3].map(|n| Revision(n).takes_back()),
            [false, true, false, true]
        );
        assert_eq!(Revision(0).previous(), None);
        assert_eq!(Revision(2).previous(), Some(Revision(1)));
    }
}
