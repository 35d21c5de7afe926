//! The entries of leaderboards: the sums of the donations in a partner token through a config.
//!
//! The active config of a token always has an entry; another config has one only while it has donations.

pub(crate) mod sql;

use std::fmt;

use alloy_primitives::hex;

use crate::domain::config_id::ConfigId;

/// The key of a leaderboard entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct EntryKey {
    /// The key of the partner token; see [`ChainAddress::key`](crate::chains::ChainAddress::key).
    pub(crate) token: [u8; 40],
    pub(crate) config: ConfigId,
}

impl fmt::Display for EntryKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let token = hex::encode(self.token);
        write!(
            f,
            "leaderboard entry of token {token} and config {}",
            self.config
        )
    }
}
