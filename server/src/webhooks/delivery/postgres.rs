//! Deliveries and their events, in PostgreSQL.

use deadpool_postgres::{GenericClient, Transaction};
use jiff::Timestamp;
use tokio_postgres::Row;

use crate::clock::after;
use crate::configs::Requester;
use crate::database::postgres::column::{self, Millis};
use crate::database::postgres::{Failure, query};
use crate::domain::position::Position;
use crate::projects::ProjectId;
use crate::webhooks::postgres::changeable;
use crate::webhooks::{Delivery, DeliveryId, DeliveryState, LastAttempt, NewEvent, WebhookId};

pub(in crate::webhooks) async fn deliver(
    tx: &Transaction<'_>,
    requester: Requester,
    of: (ProjectId, WebhookId),
    delivery: DeliveryId,
    event: &NewEvent,
) -> Result<Option<Delivery>, Failure> {
    if changeable(tx, requester, of).await?.is_none() {
        return Ok(None);
    }
    insert_events(tx, std::slice::from_ref(event)).await?;
    insert_deliveries(tx, &[(of.1, delivery, event)]).await?;
    find_delivery(tx, of.1, delivery).await
}

pub(in crate::webhooks) async fn insert_events(
    tx: &Transaction<'_>,
    events: &[NewEvent],
) -> Result<(), Failure> {
    let ids: Vec<_> = events.iter().map(|it| it.id).collect();
    let types: Vec<_> = events.iter().map(|it| it.event_type).collect();
    let bodies: Vec<_> = events.iter().map(|it| it.body.as_slice()).collect();
    let times: Vec<_> = events.iter().map(|it| Millis(it.at)).collect();
    let sql = "INSERT INTO webhook_event (id, type, body, created_at)
               SELECT id, type, body, created_at
               FROM unnest($1::uuid[], $2::text[], $3::bytea[], $4::bigint[])
                 AS event (id, type, body, created_at)";
    query::execute(tx, sql, &[&ids, &types, &bodies, &times]).await?;
    Ok(())
}

pub(in crate::webhooks) async fn insert_deliveries(
    tx: &Transaction<'_>,
    deliveries: &[(WebhookId, DeliveryId, &NewEvent)],
) -> Result<(), Failure> {
    let webhooks: Vec<_> = deliveries.iter().map(|it| it.0).collect();
    let ids: Vec<_> = deliveries.iter().map(|it| it.1).collect();
    let events: Vec<_> = deliveries.iter().map(|it| it.2.id).collect();
    let times: Vec<_> = deliveries.iter().map(|it| Millis(it.2.at)).collect();
    let give_up = |at| Millis(after(at, Delivery::TRIED_FOR));
    let ends: Vec<_> = times.iter().map(|at| give_up(at.0)).collect();
    let sql = "INSERT INTO webhook_delivery (webhook, id, event, state, attempts, next_attempt_at,
                 give_up_at)
               SELECT webhook, id, event, $6, 0, at, give_up
               FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::bigint[], $5::bigint[])
                 AS added (webhook, id, event, at, give_up)";
    let state = DeliveryState::Pending;
    let params: query::Params<'_> = &[&webhooks, &ids, &events, &times, &ends, &state];
    query::execute(tx, sql, params).await?;
    Ok(())
}

pub(in crate::webhooks) async fn redeliver(
    tx: &Transaction<'_>,
    requester: Requester,
    of: (ProjectId, WebhookId),
    delivery: DeliveryId,
    now: Timestamp,
) -> Result<Option<Delivery>, Failure> {
    if changeable(tx, requester, of).await?.is_none() {
        return Ok(None);
    }
    let sql = "UPDATE webhook_delivery SET state = $3, attempts = 0, next_attempt_at = $4,
                 give_up_at = $5
               WHERE webhook = $1 AND id = $2";
    let give_up_at = Millis(after(now, Delivery::TRIED_FOR));
    let state = DeliveryState::Pending;
    let params: query::Params<'_> = &[&of.1, &delivery, &state, &Millis(now), &give_up_at];
    query::execute(tx, sql, params).await?;
    find_delivery(tx, of.1, delivery).await
}

const DELIVERY: &str = "SELECT delivery.id, delivery.event, event.type, delivery.state,
      delivery.attempts, delivery.next_attempt_at, delivery.last_attempt_at, delivery.last_status,
      delivery.last_error, event.created_at
    FROM webhook_delivery AS delivery JOIN webhook_event AS event ON event.id = delivery.event";

/// A page of deliveries, in the order of the primary key.
pub(in crate::webhooks) async fn page(
    db: &impl GenericClient,
    webhook: WebhookId,
    after: Option<Position>,
    limit: usize,
) -> Result<Vec<Delivery>, Failure> {
    let (below, limit) = (DeliveryId::below(after), query::limit(limit));
    let sql = format!(
        "{DELIVERY} WHERE delivery.webhook = $1 AND delivery.id < $2
         ORDER BY delivery.id DESC LIMIT $3"
    );
    query::all(db, &sql, &[&webhook, &below, &limit], read_delivery).await
}

pub(in crate::webhooks) async fn find_delivery(
    db: &impl GenericClient,
    webhook: WebhookId,
    id: DeliveryId,
) -> Result<Option<Delivery>, Failure> {
    let sql = format!("{DELIVERY} WHERE delivery.webhook = $1 AND delivery.id = $2");
    query::first(db, &sql, &[&webhook, &id], read_delivery).await
}

pub(in crate::webhooks) fn read_delivery(row: &Row) -> Result<Delivery, Failure> {
    let error: Option<String> = row.try_get("last_error")?;
    let answer = match row.try_get::<_, Option<i64>>("last_status")? {
        Some(_) => Ok(column::number(row, "last_status")?),
        None => Err(error.unwrap_or_default()),
    };
    let last = column::time_if_any(row, "last_attempt_at")?;
    Ok(Delivery {
        id: row.try_get("id")?,
        event: row.try_get("event")?,
        event_type: row.try_get("type")?,
        state: row.try_get("state")?,
        attempts: column::number(row, "attempts")?,
        next_attempt_at: column::time_if_any(row, "next_attempt_at")?,
        last: last.map(|at| LastAttempt { at, answer }),
        created_at: column::time(row, "created_at")?,
    })
}
