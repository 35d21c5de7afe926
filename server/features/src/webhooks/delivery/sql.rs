//! Deliveries and their events.

use std::time::Duration;

use db::{DbError, Row, Tx, params};
use jiff::Timestamp;

use crate::domain::position::Position;
use crate::events::{DeliveryId, DeliveryState, NewEvent, WebhookId, sql as events};
use crate::projects::{ProjectId, Requester};
use crate::webhooks::sql::changeable;
use crate::webhooks::{Delivery, DeliveryDetails, WebhookError, WebhookRejection};
use edge::clock::{after, before, latest};

pub(in crate::webhooks) fn deliver(
    tx: &Tx<'_>,
    requester: Requester,
    of: (ProjectId, WebhookId),
    delivery: DeliveryId,
    event: &NewEvent,
) -> Result<Delivery, WebhookError> {
    if changeable(tx, requester, of)?.is_none() {
        return Err(WebhookRejection::Unknown.into());
    }
    if !count_test(tx, of.0, event.at)? {
        return Err(WebhookRejection::TestQuotaExceeded.into());
    }
    events::insert_events(tx, std::slice::from_ref(event))?;
    events::insert_deliveries(tx, &[(of.1, delivery, event)])?;
    let delivery = find_delivery(tx, of.1, delivery)?;
    delivery.ok_or_else(|| WebhookRejection::Unknown.into())
}

/// Counts a test event of a project, unless the quota is used up.
fn count_test(tx: &Tx<'_>, project: ProjectId, now: Timestamp) -> Result<bool, DbError> {
    let is_counted = "test_events_since > $2 AND test_events_since <= $5";
    let sql = format!(
        "UPDATE project
         SET test_events = CASE WHEN {is_counted} THEN test_events + 1 ELSE 1 END,
           test_events_since = CASE WHEN {is_counted} THEN test_events_since ELSE $3 END
         WHERE id = $1 AND NOT ({is_counted} AND test_events >= $4)"
    );
    let since = before(now, Duration::from_secs(3600));
    let most = Delivery::MAX_TESTS_PER_HOUR;
    let params = params![project, since, now, most, latest(now)];
    Ok(tx.execute(&sql, params)? > 0)
}

pub(in crate::webhooks) fn redeliver(
    tx: &Tx<'_>,
    requester: Requester,
    of: (ProjectId, WebhookId),
    delivery: DeliveryId,
    now: Timestamp,
) -> Result<Option<Delivery>, DbError> {
    if changeable(tx, requester, of)?.is_none() {
        return Ok(None);
    }
    let sql = "UPDATE webhook_delivery SET state = $3, attempts = 0, next_attempt_at = $4,
                 give_up_at = $5
               WHERE webhook = $1 AND id = $2";
    let give_up_at = after(now, Delivery::TRIED_FOR);
    let state = DeliveryState::Pending;
    let params = params![of.1, delivery, state, now, give_up_at];
    tx.execute(sql, params)?;
    find_delivery(tx, of.1, delivery)
}

const DELIVERY: &str = "SELECT delivery.id, delivery.event, event.type, delivery.state,
      delivery.attempts, delivery.next_attempt_at, delivery.attempt_log, event.created_at
    FROM webhook_delivery AS delivery JOIN webhook_event AS event ON event.id = delivery.event";

/// A page of deliveries, in the order of the primary key.
pub(in crate::webhooks) fn page(
    tx: &Tx<'_>,
    webhook: WebhookId,
    after: Option<Position>,
    limit: usize,
) -> Result<Vec<Delivery>, DbError> {
    let params = params![webhook, DeliveryId::below(after), limit];
    tx.all(&page_sql(), params, read_delivery)
}

fn page_sql() -> String {
    format!(
        "{DELIVERY} WHERE delivery.webhook = $1 AND delivery.id < $2
         ORDER BY delivery.id DESC LIMIT $3"
    )
}

pub(in crate::webhooks) fn find_delivery(
    tx: &Tx<'_>,
    webhook: WebhookId,
    id: DeliveryId,
) -> Result<Option<Delivery>, DbError> {
    let sql = format!("{DELIVERY} WHERE delivery.webhook = $1 AND delivery.id = $2");
    tx.first(&sql, params![webhook, id], read_delivery)
}

pub(in crate::webhooks) fn find_details(
    tx: &Tx<'_>,
    webhook: WebhookId,
    id: DeliveryId,
) -> Result<Option<DeliveryDetails>, DbError> {
    let Some(delivery) = find_delivery(tx, webhook, id)? else {
        return Ok(None);
    };
    let sql = "SELECT event.body, delivery.response
               FROM webhook_delivery AS delivery JOIN webhook_event AS event ON event.id = delivery.event
               WHERE delivery.webhook = $1 AND delivery.id = $2";
    tx.first(sql, params![webhook, id], |row| {
        Ok(DeliveryDetails {
            delivery,
            request: row.get("body")?,
            response: row.get("response")?,
        })
    })
}

pub(in crate::webhooks) fn read_delivery(row: &Row<'_>) -> Result<Delivery, DbError> {
    Ok(Delivery {
        id: row.get("id")?,
        event: row.get("event")?,
        event_type: row.get("type")?,
        state: row.get("state")?,
        attempts: row.get("attempts")?,
        next_attempt_at: row.get("next_attempt_at")?,
        log: row.get("attempt_log")?,
        created_at: row.get("created_at")?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::database::assert_reads_index;

    #[test]
    fn a_page_reads_its_index_and_sorts_nothing() {
        assert_reads_index(
            &page_sql(),
            "SEARCH delivery USING PRIMARY KEY (webhook=? AND id<?)",
        );
    }
}
