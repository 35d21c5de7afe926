//! Ceremonies that wait for the device.

use std::time::Duration;

use jiff::Timestamp;
use serde_json::Value;
use uuid::Uuid;

use crate::accounts::{AccountId, Network};

/// How long a ceremony may last.
pub(super) const LIFE: Duration = Duration::from_secs(300);
/// The ceremonies of one network that may wait at a time.
const PER_NETWORK: i64 = 100;
/// The ceremonies that may wait at a time.
const OVERALL: i64 = 10_000;

/// The identity of a ceremony. It is random: a browser that knows it may finish the ceremony.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CeremonyId(pub Uuid);

/// A ceremony to be stored.
#[derive(Debug, Clone)]
pub struct NewCeremony {
    /// Its identity.
    pub id: CeremonyId,
    /// The account that a passkey is made for; `None` where a passkey signs in.
    pub account: Option<AccountId>,
    /// The network that the browser is in.
    pub network: Network,
    /// The state that the answer is checked against, as the library for passkeys writes it.
    pub state: String,
    /// When it begins.
    pub created_at: Timestamp,
}

/// A ceremony that has begun.
#[derive(Debug)]
pub struct Ceremony {
    /// Its identity, which the browser sends back.
    pub id: CeremonyId,
    /// The options for `navigator.credentials`, in their form as JSON.
    pub options: Value,
}

/// Too many ceremonies are waiting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("many sign-ins by passkeys are waiting; try again in five minutes")]
pub struct CeremonyLimit;

/// The ceremonies that wait before a further one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CeremonyCounts {
    pub(crate) network: i64,
    pub(crate) all: i64,
}

impl CeremonyCounts {
    /// Whether one more may begin.
    pub(crate) fn admit(self) -> Result<(), CeremonyLimit> {
        let room = self.network < PER_NETWORK && self.all < OVERALL;
        room.then_some(()).ok_or(CeremonyLimit)
    }
}
