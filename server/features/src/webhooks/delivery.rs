//! Deliveries: events on their way to webhooks.

pub(crate) mod sql;

use std::time::Duration;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::domain::position::{Placed, Position};
use crate::events::{self, DeliveryId, DeliveryState, EventId, EventType};

/// An event on its way to a webhook, or at its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delivery {
    pub id: DeliveryId,
    pub event: EventId,
    pub event_type: EventType,
    pub state: DeliveryState,
    /// The attempts since it was created, or last sent again on request.
    pub attempts: u32,
    /// The time of the next attempt, if there is one.
    pub next_attempt_at: Option<Timestamp>,
    pub log: AttemptLog,
    /// When the event happened.
    pub created_at: Timestamp,
}

/// An attempt to send a delivery.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attempt {
    #[serde(with = "jiff::fmt::serde::timestamp::millisecond::required")]
    pub at: Timestamp,
    /// The status of the response, or the reason why there was none.
    pub outcome: Result<u16, String>,
    pub milliseconds: u64,
}

/// The latest attempts of a delivery, oldest first.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct AttemptLog(Vec<Attempt>);

db::column!(
    AttemptLog as String,
    |log| serde_json::to_string(log).unwrap_or_default(),
    |json| serde_json::from_str(&json).ok()
);

impl AttemptLog {
    const MAX: usize = 10;

    /// The log with another attempt; the oldest is dropped if there are too many.
    pub fn with(mut self, attempt: Attempt) -> Self {
        self.0.push(attempt);
        let surplus = self.0.len().saturating_sub(Self::MAX);
        self.0.drain(..surplus);
        self
    }

    pub fn last(&self) -> Option<&Attempt> {
        self.0.last()
    }

    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Attempt> {
        self.0.iter()
    }
}

/// A delivery with what was sent and received.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeliveryDetails {
    pub delivery: Delivery,
    /// The body of its requests.
    pub request: Vec<u8>,
    /// The start of the body of the last response.
    pub response: Option<String>,
}

impl Delivery {
    /// How long failed attempts are retried.
    pub const TRIED_FOR: Duration = events::TRIED_FOR;

    /// The test events that a project may send within an hour. They are stored like other events.
    pub const MAX_TESTS_PER_HOUR: u32 = 100;

    /// How long it is stored.
    pub const KEPT_FOR: Duration = Duration::from_secs(30 * 24 * 3600);
}

/// By the time of its event, then by id.
impl Placed for Delivery {
    fn position(&self) -> Position {
        Position {
            ordinal: self.created_at.as_millisecond(),
            key: self.id.0.as_bytes().to_vec(),
        }
    }
}
