//! The events of configs.

use db::{DbError, Tx};
use generated::Encoded;
use jiff::Timestamp;

use super::sql::Configs;
use super::{Config, mapping};
use crate::charities::{Charity, sql as stored_charities};
use crate::domain::config_id::ConfigId;
use crate::events::{Event, EventType, sql as events};
use crate::projects::ProjectId;

/// Enqueues the event that a project's config was created or deleted.
pub(super) fn enqueue(
    tx: &Tx<'_>,
    event_type: EventType,
    (project, id): (ProjectId, ConfigId),
    at: Timestamp,
) -> Result<(), DbError> {
    let audience = events::audience(tx, [project])?;
    if !audience.subscribes(project, event_type) {
        return Ok(());
    }
    let configs = Configs::load(tx, [id])?;
    let config = configs.get(id)?;
    let charities: Vec<_> = config.beneficiaries.iter().map(|it| it.charity).collect();
    let charities = stored_charities::some(tx, &charities)?;
    let event = Event {
        project,
        event_type,
        at,
        config: Some(id),
        data: data(config, &charities)?,
    };
    events::enqueue(tx, &audience, &[event])
}

/// A config as its project sees it, in JSON.
fn data(config: &Config, charities: &[Charity]) -> Result<Vec<u8>, DbError> {
    let charity = |id| charities.iter().find(|charity| charity.id == id);
    let unfit = || {
        DbError::Corrupt(format!(
            "config {} cannot be encoded as an event",
            config.id
        ))
    };
    let shown = mapping::own_config(config, charity);
    let shown = Encoded::from(shown.ok_or_else(unfit)?);
    Ok(shown.bytes().map_err(|_| unfit())?.to_vec())
}
