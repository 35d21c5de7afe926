//! Queues events for webhooks.

use std::collections::{BTreeMap, HashMap};

use db::{Batch, DbError, Row, Tx, params};

use super::audience::counts;
use super::{
    Audience, DeliveryId, DeliveryState, Event, EventTypes, NewEvent, TRIED_FOR, WebhookId,
};
use crate::domain::config_id::ConfigId;
use crate::projects::ProjectId;
use edge::clock::after;

const AUDIENCE: &str = "SELECT webhook.project, webhook.id, webhook.events
    FROM batch(project uuid) JOIN webhook ON webhook.project = batch.project
    WHERE webhook.enabled";

/// The webhooks of some projects that are enabled.
pub(crate) fn audience(
    tx: &Tx<'_>,
    projects: impl IntoIterator<Item = ProjectId>,
) -> Result<Audience, DbError> {
    let projects = Batch::of_column(projects);
    let webhooks: Vec<_> = tx.all_of_batch(AUDIENCE, &projects, &[], read_webhook)?;
    Ok(Audience::new(webhooks))
}

/// The enabled webhooks of all projects.
pub(crate) fn audience_of_all(tx: &Tx<'_>) -> Result<Audience, DbError> {
    let sql = "SELECT project, id, events FROM webhook WHERE enabled";
    let all: Vec<_> = tx.all(sql, &[], read_webhook)?;
    Ok(Audience::new(all))
}

/// Queues events for the webhooks of their audience.
pub(crate) fn enqueue(tx: &Tx<'_>, audience: &Audience, events: &[Event]) -> Result<(), DbError> {
    // In one order, which prevents deadlocks.
    let mut numbered = Batch::default();
    for (config, count) in BTreeMap::from_iter(counts(events)) {
        numbered.push(params![config, count]);
    }
    let sql = "INSERT INTO config_event (config, latest)
               SELECT config, latest FROM batch(config bytea, latest bigint) WHERE true
               ON CONFLICT (config) DO UPDATE SET latest = config_event.latest + excluded.latest
               RETURNING config, latest";
    let latest: HashMap<ConfigId, i64> = tx.all_of_batch(sql, &numbered, &[], |row| {
        Ok((row.get("config")?, row.get("latest")?))
    })?;
    let fanout = audience.fan_out(events, &latest)?;
    insert_events(tx, &fanout.events)?;
    let deliveries = fanout.deliveries.iter();
    let deliveries = deliveries.filter_map(|(webhook, id, index)| {
        let event = fanout.events.get(*index)?;
        Some((*webhook, *id, event))
    });
    insert_deliveries(tx, &deliveries.collect::<Vec<_>>())
}

pub(crate) fn insert_events(tx: &Tx<'_>, events: &[NewEvent]) -> Result<(), DbError> {
    let mut rows = Batch::default();
    for event in events {
        rows.push(params![event.id, event.event_type, event.body, event.at]);
    }
    let sql = "INSERT INTO webhook_event (id, type, body, created_at)
               SELECT id, type, body, created_at
               FROM batch(id uuid, type text, body bytea, created_at bigint)";
    tx.execute_batch(sql, &rows, &[])?;
    Ok(())
}

pub(crate) fn insert_deliveries(
    tx: &Tx<'_>,
    deliveries: &[(WebhookId, DeliveryId, &NewEvent)],
) -> Result<(), DbError> {
    let mut rows = Batch::default();
    for (webhook, id, event) in deliveries {
        let give_up_at = after(event.at, TRIED_FOR);
        rows.push(params![webhook, id, event.id, event.at, give_up_at]);
    }
    let sql = "INSERT INTO webhook_delivery (webhook, id, event, state, attempts, next_attempt_at,
                 give_up_at, attempt_log)
               SELECT webhook, id, event, $6, 0, at, give_up_at, '[]'
               FROM batch(webhook uuid, id uuid, event uuid, at bigint, give_up_at bigint)";
    tx.execute_batch(sql, &rows, params![DeliveryState::Pending])?;
    Ok(())
}

fn read_webhook(row: &Row<'_>) -> Result<(ProjectId, WebhookId, EventTypes), DbError> {
    Ok((row.get("project")?, row.get("id")?, row.get("events")?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::database::assert_reads_index;

    #[test]
    fn a_project_without_webhooks_costs_a_look_into_an_index() {
        let index = "SEARCH webhook USING INDEX webhook_of_project (project=?)";
        assert_reads_index(AUDIENCE, index);
    }
}
