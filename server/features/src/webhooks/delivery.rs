//! Deliveries: events on their way to webhooks.

pub(crate) mod sql;

use std::time::Duration;

use jiff::Timestamp;

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
    /// When it is sent next, if it is.
    pub next_attempt_at: Option<Timestamp>,
    pub last: Option<LastAttempt>,
    /// When the event happened.
    pub created_at: Timestamp,
}

/// The outcome of an attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LastAttempt {
    pub at: Timestamp,
    /// The status of the answer, or why there was none.
    pub answer: Result<u16, String>,
}

impl Delivery {
    /// How long it is tried.
    pub const TRIED_FOR: Duration = events::TRIED_FOR;

    /// How long it is kept.
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
