//! Deliveries: events on their way to webhooks.

pub(crate) mod sql;

use std::str::FromStr;
use std::time::Duration;

use jiff::Timestamp;
use uuid::{NoContext, Uuid};

use super::EventType;
use crate::domain::position::{Placed, Position};

/// The identity of an event. It begins with the event's time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EventId(pub Uuid);

db::uuid_column!(EventId);

/// The identity of a delivery. It begins with the time of its event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DeliveryId(pub Uuid);

db::uuid_column!(DeliveryId);

/// An event on its way to a webhook, or at its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delivery {
    /// Its identity.
    pub id: DeliveryId,
    /// The event.
    pub event: EventId,
    /// The type of the event.
    pub event_type: EventType,
    /// How far it is.
    pub state: DeliveryState,
    /// The attempts since it was created, or last sent again on request.
    pub attempts: u32,
    /// When it is sent next, if it is.
    pub next_attempt_at: Option<Timestamp>,
    /// The last attempt, if there was one.
    pub last: Option<LastAttempt>,
    /// When the event happened.
    pub created_at: Timestamp,
}

/// The outcome of an attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LastAttempt {
    /// When it was.
    pub at: Timestamp,
    /// The status of the answer, or why there was none.
    pub answer: Result<u16, String>,
}

/// How far a delivery is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeliveryState {
    /// It waits to be sent.
    Pending,
    /// The receiver has answered 2xx.
    Delivered,
    /// It was given up.
    Failed,
}

db::text_column!(DeliveryState);

impl Delivery {
    /// How long it is tried.
    pub const TRIED_FOR: Duration = Duration::from_secs(3 * 24 * 3600);

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

impl EventId {
    /// A new id of something that happens now.
    pub fn new(now: Timestamp) -> Self {
        Self(at(now))
    }
}

impl DeliveryId {
    /// A new id of a delivery of something that happens now.
    pub fn new(now: Timestamp) -> Self {
        Self(at(now))
    }

    /// The id that those of a page are below; the largest for the first page.
    pub(crate) fn below(after: Option<Position>) -> Self {
        let Some(Position { key, .. }) = after else {
            return Self(Uuid::max());
        };
        // A key of another form is none that a list has returned.
        Self(Uuid::from_slice(&key).unwrap_or_default())
    }

    /// The smallest id of a time.
    pub(crate) fn first_of(time: Timestamp) -> Self {
        let milliseconds = u64::try_from(time.as_millisecond()).unwrap_or(0);
        Self(Uuid::from_u64_pair(milliseconds << 16, 0))
    }
}

/// An id whose first six bytes are a time in milliseconds (RFC 9562, version 7).
fn at(time: Timestamp) -> Uuid {
    let seconds = u64::try_from(time.as_second()).unwrap_or(0);
    let nanoseconds = u32::try_from(time.subsec_nanosecond()).unwrap_or(0);
    Uuid::new_v7(uuid::Timestamp::from_unix(NoContext, seconds, nanoseconds))
}

impl DeliveryState {
    /// Its name in the database and in answers.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Delivered => "delivered",
            Self::Failed => "failed",
        }
    }
}

/// The text names no state of deliveries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("no delivery has this state")]
pub struct UnknownDeliveryState;

impl FromStr for DeliveryState {
    type Err = UnknownDeliveryState;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let all = [Self::Pending, Self::Delivered, Self::Failed];
        let mut all = all.into_iter();
        all.find(|it| it.as_str() == name)
            .ok_or(UnknownDeliveryState)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_in_the_order_of_time() {
        let time = |text: &str| text.parse::<Timestamp>().unwrap();
        let (one, two) = (
            time("2026-11-20T12:00:00.001Z"),
            time("2026-11-20T12:00:00.002Z"),
        );
        assert!(DeliveryId::first_of(one) <= DeliveryId::new(one));
        assert!(DeliveryId::new(one) < DeliveryId::first_of(two));
        assert!(EventId::new(one) < EventId::new(two));
        assert_ne!(EventId::new(one), EventId::new(one));
    }
}
