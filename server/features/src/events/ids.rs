//! The identities of events, of webhooks, and of the deliveries of events to webhooks.

use jiff::Timestamp;
use uuid::{NoContext, Uuid};

use crate::domain::position::Position;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct WebhookId(pub Uuid);

db::uuid_column!(WebhookId);

impl WebhookId {
    /// The bounds of an ascending list: the webhooks above a position, or all of them without one.
    pub(crate) fn above(after: Option<Position>) -> (i64, WebhookId) {
        let Some(Position { ordinal, key }) = after else {
            return (i64::MIN, WebhookId(Uuid::nil()));
        };
        let id = Uuid::from_slice(&key).unwrap_or(Uuid::nil());
        (ordinal, WebhookId(id))
    }
}

/// The identity of an event. It begins with the event's time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EventId(pub Uuid);

db::uuid_column!(EventId);

/// The identity of a delivery. It begins with the time of its event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DeliveryId(pub Uuid);

db::uuid_column!(DeliveryId);

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
