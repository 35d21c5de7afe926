//! Deliveries and their events, in SQLite.

use rusqlite::{Connection, Row, named_params};

use crate::clock::after;
use crate::database::sqlite::column::{self, Millis};
use crate::database::sqlite::query;
use crate::domain::position::Position;
use crate::webhooks::{Delivery, DeliveryId, DeliveryState, LastAttempt, NewEvent, WebhookId};

pub(in crate::webhooks) fn insert_event(db: &Connection, event: &NewEvent) -> rusqlite::Result<()> {
    let sql = "INSERT INTO webhook_event (id, type, body, created_at) VALUES (?1, ?2, ?3, ?4)";
    let event_type = event.event_type.as_str();
    query::execute(
        db,
        sql,
        (event.id, event_type, &event.body, Millis(event.at)),
    )?;
    Ok(())
}

pub(in crate::webhooks) fn insert_delivery(
    db: &Connection,
    webhook: WebhookId,
    id: DeliveryId,
    event: &NewEvent,
) -> rusqlite::Result<()> {
    query::execute(
        db,
        "INSERT INTO webhook_delivery (webhook, id, event, state, attempts, next_attempt_at,
           give_up_at)
         VALUES (:webhook, :id, :event, :state, 0, :now, :give_up)",
        named_params! {
            ":webhook": webhook,
            ":id": id,
            ":event": event.id,
            ":state": DeliveryState::Pending.as_str(),
            ":now": Millis(event.at),
            ":give_up": Millis(after(event.at, Delivery::TRIED_FOR)),
        },
    )?;
    Ok(())
}

const DELIVERY: &str = "SELECT delivery.id, delivery.event, event.type, delivery.state,
      delivery.attempts, delivery.next_attempt_at, delivery.last_attempt_at, delivery.last_status,
      delivery.last_error, event.created_at
    FROM webhook_delivery AS delivery JOIN webhook_event AS event ON event.id = delivery.event";

/// A page of deliveries, in the order of the primary key.
pub(in crate::webhooks) fn page(
    db: &Connection,
    webhook: WebhookId,
    after: Option<Position>,
    limit: usize,
) -> rusqlite::Result<Vec<Delivery>> {
    let below = DeliveryId::below(after);
    query::all(db, &page_sql(), (webhook, below, limit), read_delivery)
}

pub(in crate::webhooks) fn page_sql() -> String {
    format!(
        "{DELIVERY} WHERE delivery.webhook = ?1 AND delivery.id < ?2
         ORDER BY delivery.id DESC LIMIT ?3"
    )
}

pub(in crate::webhooks) fn find_delivery(
    db: &Connection,
    webhook: WebhookId,
    id: DeliveryId,
) -> rusqlite::Result<Option<Delivery>> {
    let sql = format!("{DELIVERY} WHERE delivery.webhook = ?1 AND delivery.id = ?2");
    query::first(db, &sql, (webhook, id), read_delivery)
}

pub(in crate::webhooks) fn read_delivery(row: &Row<'_>) -> rusqlite::Result<Delivery> {
    let (status, error): (Option<u16>, Option<String>) =
        (row.get("last_status")?, row.get("last_error")?);
    let answer = status.map_or_else(|| Err(error.unwrap_or_default()), Ok);
    let last = column::time_if_any(row, "last_attempt_at")?;
    Ok(Delivery {
        id: row.get("id")?,
        event: row.get("event")?,
        event_type: row.get("type")?,
        state: row.get("state")?,
        attempts: row.get("attempts")?,
        next_attempt_at: column::time_if_any(row, "next_attempt_at")?,
        last: last.map(|at| LastAttempt { at, answer }),
        created_at: column::time(row, "created_at")?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_reads_its_index_and_sorts_nothing() {
        query::assert_reads_index(
            &page_sql(),
            ([0; 16], [0; 16], 0),
            "SEARCH delivery USING PRIMARY KEY (webhook=? AND id<?)",
        );
    }
}
