//! The events of keys.

use db::{DbError, Tx};
use generated::{Encoded, models};
use jiff::Timestamp;

use super::KeyRecord;
use crate::events::{Event, EventType, sql as events};
use crate::mapping::timestamp;

/// Enqueues the event that a key is about to expire.
pub(super) fn enqueue_expiring(tx: &Tx<'_>, key: &KeyRecord, at: Timestamp) -> Result<(), DbError> {
    let audience = events::audience(tx, [key.project])?;
    if !audience.subscribes(key.project, EventType::KeyExpiring) {
        return Ok(());
    }
    let event = Event {
        project: key.project,
        event_type: EventType::KeyExpiring,
        at,
        config: None,
        data: expiring(key)?,
    };
    events::enqueue(tx, &audience, &[event])
}

/// A key that is about to expire, in JSON.
fn expiring(key: &KeyRecord) -> Result<Vec<u8>, DbError> {
    let unfit = || DbError::Corrupt(format!("key {} cannot be encoded as an event", key.id.0));
    let shown = Encoded::from(models::ExpiringKey {
        id: key.id.0.into(),
        display_prefix: key.display_prefix.clone(),
        label: key.labels.label.clone(),
        expires_at: timestamp(key.expires_at.ok_or_else(unfit)?),
    });
    Ok(shown.bytes().map_err(|_| unfit())?.to_vec())
}
