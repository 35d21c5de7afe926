//! Donations in lists, and their order.

use jiff::Timestamp;

use super::entry::Entry;
use super::recording::Identity;
use crate::domain::amount::{TokenAmount, UsdE6};
use crate::domain::position::{Placed, Position};
use crate::tokens::Token;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedDonation {
    /// The token, whose chain is the donation's.
    pub token: Token,
    /// The transaction that made it, in canonical spelling.
    pub transaction: String,
    /// The index of its log in the transaction.
    pub log_index: u32,
    pub amount: TokenAmount,
    /// The worth of the whole donation.
    pub usd: UsdE6,
    pub at: Timestamp,
}

impl ListedDonation {
    /// Of a row of the table of donations, in `token`.
    pub(crate) fn new(
        ((_, transaction, log_index, _), entry): (Identity, Entry),
        token: Token,
    ) -> ListedDonation {
        ListedDonation {
            token,
            transaction,
            log_index,
            amount: entry.amount,
            usd: entry.usd,
            at: entry.at,
        }
    }
}

/// By time, then by chain, transaction and log index.
impl Placed for ListedDonation {
    fn position(&self) -> Position {
        let chain = self.token.id.chain.get().to_be_bytes();
        let log = self.log_index.to_be_bytes();
        Position {
            ordinal: self.at.as_millisecond(),
            key: [&chain, self.transaction.as_bytes(), &[0], &log].concat(),
        }
    }
}

/// A position in the list of donations, as columns.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct DonationPosition {
    pub(crate) at: i64,
    pub(crate) chain: i64,
    pub(crate) transaction: String,
    pub(crate) log_index: i64,
}

impl DonationPosition {
    /// The position after which a page begins: `after`, or else the newest before `until`, in milliseconds.
    pub(crate) fn start(after: Option<Position>, until: i64) -> DonationPosition {
        match after {
            // Lists return no keys of other forms; then the time alone counts.
            Some(Position { ordinal, key }) if ordinal < until => {
                DonationPosition::parse(ordinal, &key)
                    .unwrap_or_else(|| DonationPosition::before(ordinal))
            }
            _ => DonationPosition::before(until),
        }
    }

    /// The position after which the donations before `at`, in milliseconds, begin.
    fn before(at: i64) -> DonationPosition {
        DonationPosition {
            at,
            chain: 0,
            transaction: String::new(),
            log_index: 0,
        }
    }

    fn parse(at: i64, key: &[u8]) -> Option<DonationPosition> {
        let (chain, rest) = key.split_first_chunk()?;
        let (transaction, log) = rest.split_last_chunk()?;
        let transaction = transaction.strip_suffix(&[0])?;
        let is_text = transaction.iter().all(u8::is_ascii_alphanumeric);
        Some(DonationPosition {
            at,
            chain: i64::from_be_bytes(*chain),
            transaction: String::from_utf8(transaction.to_vec())
                .ok()
                .filter(|_| is_text)?,
            log_index: u32::from_be_bytes(*log).into(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_reads_back_and_other_keys_stand_for_their_time() {
        let key = [
            &8453_i64.to_be_bytes(),
            b"0xabc".as_slice(),
            &[0, 0, 0, 0, 7],
        ]
        .concat();
        let start = |key: &[u8]| {
            let key = key.to_vec();
            DonationPosition::start(Some(Position { ordinal: 5, key }), 6)
        };
        let read = DonationPosition {
            at: 5,
            chain: 8453,
            transaction: "0xabc".to_owned(),
            log_index: 7,
        };
        assert_eq!(start(&key), read);
        for other in [&key[..11], b"", &[0; 13], &[&key[..9], &[0; 9]].concat()] {
            assert_eq!(start(other).at, 5);
        }
        assert_eq!(
            DonationPosition::start(None, 7),
            DonationPosition::before(7)
        );
        let late = Position {
            ordinal: 7,
            key: key.clone(),
        };
        assert_eq!(
            DonationPosition::start(Some(late), 7),
            DonationPosition::before(7)
        );
    }
}
