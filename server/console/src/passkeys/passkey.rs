//! Passkeys as they are stored.

use jiff::Timestamp;

use crate::accounts::{SecretDigest, SessionProof};
use features::domain::ids::{AccountId, PasskeyId};

/// The most passkeys of an account.
pub const MAX_PASSKEYS: usize = 20;

/// A passkey to be stored.
#[derive(Debug, Clone)]
pub struct NewPasskey {
    pub id: PasskeyId,
    pub name: String,
    /// Its credential id, which its device chose.
    pub credential_id: Vec<u8>,
    /// Its public key and counter, as the library for passkeys writes them.
    pub credential: String,
    /// Of the code of the command line with which an operator makes it, if one was given.
    pub enrolment: Option<SecretDigest>,
    pub created_at: Timestamp,
}

/// A passkey as it is stored. There is nothing secret in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PasskeyRecord {
    pub id: PasskeyId,
    pub account: AccountId,
    pub name: String,
    /// Its public key and counter, as the library for passkeys writes them.
    pub credential: String,
    pub created_at: Timestamp,
    pub last_used_at: Option<Timestamp>,
}

/// An account that changes its passkeys, with the proof of its session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PasskeyOwner {
    pub account: AccountId,
    /// The proof that its session was begun with.
    pub proof: SessionProof,
}

impl PasskeyOwner {
    /// Whether it may change passkeys. One that is an operator needs a passkey for it, or else who reads
    /// its mail could become the operator.
    pub(crate) fn may_change(self, is_operator: bool) -> bool {
        !is_operator || self.proof.is_passkey()
    }
}

/// The change of a credential by its use: of its counter, mostly.
#[derive(Debug, Clone)]
pub struct CredentialChange {
    pub id: PasskeyId,
    /// The credential that was verified. The change is refused if another one is stored by then.
    pub from: String,
    /// The credential after its use.
    pub to: String,
}
