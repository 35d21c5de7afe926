//! Ceremonies that wait for the device.

use std::time::Duration;

use jiff::Timestamp;
use serde_json::Value;
use uuid::Uuid;

use crate::accounts::{Network, NetworkCounts};
use features::domain::ids::AccountId;

/// How long a ceremony may last.
pub(super) const LIFE: Duration = Duration::from_secs(300);
/// The ceremonies that may wait at a time.
const WAITING: NetworkCounts = NetworkCounts {
    network: 100,
    provider: 1250,
    all: 10_000,
};

/// The identity of a ceremony. It is random: a browser that knows it may finish the ceremony.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CeremonyId(pub Uuid);

db::uuid_column!(CeremonyId);

/// A ceremony to be stored.
#[derive(Debug, Clone)]
pub struct NewCeremony {
    pub id: CeremonyId,
    /// The account that a passkey is made for; `None` where a passkey signs in.
    pub account: Option<AccountId>,
    pub network: Network,
    /// The state that the answer is checked against, as the library for passkeys writes it.
    pub state: String,
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

/// Whether one more may begin, where these wait.
pub(crate) fn admit(waiting: NetworkCounts) -> Result<(), CeremonyLimit> {
    let has_room = waiting.is_below(WAITING);
    has_room.then_some(()).ok_or(CeremonyLimit)
}
