//! Webhooks, in SQLite.

use async_trait::async_trait;
use jiff::Timestamp;
use rusqlite::{Connection, Row, named_params};
use uuid::Uuid;

use super::delivery::sqlite as deliveries;
use super::secret::SealedSecret;
use super::{
    Delivery, DeliveryId, DeliveryState, NewEvent, NewSecret, SecretReplacement, Webhook,
    WebhookChange, WebhookCreation, WebhookId, WebhookRefusal, WebhookStore,
};
use crate::audit::AuditAction;
use crate::clock::after;
use crate::configs::{Requester, sqlite as configs};
use crate::database::StoreError;
use crate::database::sqlite::column::{self, Millis};
use crate::database::sqlite::{Sqlite, query};
use crate::domain::position::Position;
use crate::idempotency::{Idempotency, IdempotencyRecord, sqlite as keys};
use crate::projects::{ProjectId, sqlite as projects};

#[async_trait]
impl WebhookStore for Sqlite {
    async fn webhooks(
        &self,
        project: ProjectId,
        after: Option<Position>,
        limit: usize,
    ) -> Result<Vec<Webhook>, StoreError> {
        self.read(move |db| Ok(page(db, project, after, limit)?))
            .await
    }

    async fn webhook(
        &self,
        project: ProjectId,
        id: WebhookId,
    ) -> Result<Option<Webhook>, StoreError> {
        self.read(move |db| Ok(find(db, (project, id))?)).await
    }

    async fn create_webhook(
        &self,
        requester: Requester,
        webhook: Webhook,
        secret: SealedSecret,
        idempotency: Option<Idempotency>,
    ) -> Result<WebhookCreation, StoreError> {
        let writer = requester.writer(webhook.project);
        self.write(writer, move |tx| {
            create(tx, requester, &webhook, &secret, idempotency.as_ref())
        })
        .await
    }

    async fn change_webhook(
        &self,
        requester: Requester,
        of: (ProjectId, WebhookId),
        change: WebhookChange,
        now: Timestamp,
    ) -> Result<Result<Webhook, WebhookRefusal>, StoreError> {
        self.write(requester.writer(of.0), move |tx| {
            let Some(webhook) = changeable(tx, requester, of)? else {
                return Ok(Err(WebhookRefusal::Unknown));
            };
            let webhook = match change.apply(webhook) {
                Ok(webhook) => webhook,
                Err(refusal) => return Ok(Err(refusal)),
            };
            put(tx, &webhook)?;
            note(tx, requester, of.0, change.action(webhook.url.clone()), now)?;
            Ok(Ok(webhook))
        })
        .await
    }

    async fn replace_secret(
        &self,
        requester: Requester,
        of: (ProjectId, WebhookId),
        new: NewSecret,
    ) -> Result<SecretReplacement, StoreError> {
        self.write(requester.writer(of.0), move |tx| {
            replace_secret(tx, requester, of, &new)
        })
        .await
    }

    async fn delete_webhook(
        &self,
        requester: Requester,
        of: (ProjectId, WebhookId),
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        self.write(requester.writer(of.0), move |tx| {
            let Some(webhook) = changeable(tx, requester, of)? else {
                return Ok(false);
            };
            delete(tx, of.1)?;
            note(
                tx,
                requester,
                of.0,
                AuditAction::WebhookDeleted(webhook.url),
                now,
            )?;
            Ok(true)
        })
        .await
    }

    async fn deliveries(
        &self,
        of: (ProjectId, WebhookId),
        after: Option<Position>,
        limit: usize,
    ) -> Result<Option<Vec<Delivery>>, StoreError> {
        self.read(move |db| match find(db, of)? {
            Some(_) => Ok(Some(deliveries::page(db, of.1, after, limit)?)),
            None => Ok(None),
        })
        .await
    }

    async fn deliver(
        &self,
        requester: Requester,
        of: (ProjectId, WebhookId),
        delivery: DeliveryId,
        event: NewEvent,
    ) -> Result<Option<Delivery>, StoreError> {
        self.write(requester.writer(of.0), move |tx| {
            if changeable(tx, requester, of)?.is_none() {
                return Ok(None);
            }
            deliveries::insert_event(tx, &event)?;
            deliveries::insert_delivery(tx, of.1, delivery, &event)?;
            Ok(deliveries::find_delivery(tx, of.1, delivery)?)
        })
        .await
    }

    async fn redeliver(
        &self,
        requester: Requester,
        of: (ProjectId, WebhookId),
        delivery: DeliveryId,
        now: Timestamp,
    ) -> Result<Option<Delivery>, StoreError> {
        self.write(requester.writer(of.0), move |tx| {
            if changeable(tx, requester, of)?.is_none() {
                return Ok(None);
            }
            let sql = "UPDATE webhook_delivery SET state = ?3, attempts = 0, next_attempt_at = ?4,
                         give_up_at = ?5
                       WHERE webhook = ?1 AND id = ?2";
            let give_up_at = Millis(after(now, Delivery::TRIED_FOR));
            let state = DeliveryState::Pending.as_str();
            query::execute(tx, sql, (of.1, delivery, state, Millis(now), give_up_at))?;
            Ok(deliveries::find_delivery(tx, of.1, delivery)?)
        })
        .await
    }
}

const WEBHOOK: &str = "SELECT id, project, url, description, events, enabled, failing_since,
                         previous_secret_until, created_at FROM webhook";

/// A page of a project's webhooks, in the order of the index.
fn page(
    db: &Connection,
    project: ProjectId,
    after: Option<Position>,
    limit: usize,
) -> rusqlite::Result<Vec<Webhook>> {
    let (created_at, id) = WebhookId::above(after);
    query::all(db, &page_sql(), (project, created_at, id, limit), read)
}

fn page_sql() -> String {
    format!(
        "{WEBHOOK} WHERE project = ?1 AND (created_at, id) > (?2, ?3)
         ORDER BY created_at, id LIMIT ?4"
    )
}

fn find(
    db: &Connection,
    (project, id): (ProjectId, WebhookId),
) -> rusqlite::Result<Option<Webhook>> {
    let sql = format!("{WEBHOOK} WHERE id = ?1 AND project = ?2");
    query::first(db, &sql, (id, project), read)
}

/// A webhook that the requester may change.
pub(super) fn changeable(
    db: &Connection,
    requester: Requester,
    of: (ProjectId, WebhookId),
) -> rusqlite::Result<Option<Webhook>> {
    match configs::may_change(db, requester, of.0)? {
        true => find(db, of),
        false => Ok(None),
    }
}

fn create(
    db: &Connection,
    requester: Requester,
    webhook: &Webhook,
    secret: &SealedSecret,
    idempotency: Option<&Idempotency>,
) -> Result<WebhookCreation, StoreError> {
    if !configs::may_change(db, requester, webhook.project)? {
        return Ok(WebhookCreation::UnknownProject);
    }
    if let Some(idempotency) = idempotency
        && let Some(record) = keys::find(db, webhook.project, idempotency, webhook.created_at)?
    {
        return match record.is_repeated_by(idempotency) {
            true => replay(db, webhook.project, &record),
            false => Ok(WebhookCreation::KeyReused),
        };
    }
    if query::exists(db, "SELECT 1 FROM webhook WHERE id = ?1", [webhook.id])? {
        return Ok(WebhookCreation::AlreadyCreated);
    }
    let count = "SELECT count(*) FROM webhook WHERE project = ?1";
    let count = query::first(db, count, [webhook.project], |row| row.get::<_, u32>(0))?;
    if count.unwrap_or(0) >= Webhook::MAX_PER_PROJECT {
        return Ok(WebhookCreation::QuotaExceeded);
    }
    query::execute(
        db,
        "INSERT INTO webhook (id, project, url, description, events, enabled, secret, leased_until,
           created_at)
         VALUES (:id, :project, :url, :description, :events, :enabled, :secret, 0, :now)",
        named_params! {
            ":id": webhook.id,
            ":project": webhook.project,
            ":url": webhook.url,
            ":description": webhook.description,
            ":events": webhook.events,
            ":enabled": webhook.is_enabled,
            ":secret": secret.0,
            ":now": Millis(webhook.created_at),
        },
    )?;
    if let Some(idempotency) = idempotency {
        let record = idempotency.record(webhook.id.0.as_bytes(), None);
        keys::insert(
            db,
            webhook.project,
            idempotency,
            &record,
            webhook.created_at,
        )?;
    }
    let action = AuditAction::WebhookCreated(webhook.url.clone());
    note(db, requester, webhook.project, action, webhook.created_at)?;
    Ok(WebhookCreation::Created)
}

/// The webhook that an earlier request with the same key created, which was not deleted since.
fn replay(
    db: &Connection,
    project: ProjectId,
    record: &IdempotencyRecord,
) -> Result<WebhookCreation, StoreError> {
    let id = WebhookId(Uuid::from_bytes(record.resource()?));
    let missing = || StoreError::Corrupt(format!("webhook {} is missing", id.0));
    let webhook = find(db, (project, id))?.ok_or_else(missing)?;
    let sql = "SELECT secret FROM webhook WHERE id = ?1";
    let secret = query::first(db, sql, [id], |row| row.get("secret"))?;
    Ok(WebhookCreation::Replayed {
        webhook,
        secret: SealedSecret(secret.ok_or_else(missing)?),
    })
}

fn replace_secret(
    db: &Connection,
    requester: Requester,
    of: (ProjectId, WebhookId),
    new: &NewSecret,
) -> Result<SecretReplacement, StoreError> {
    let Some(webhook) = changeable(db, requester, of)? else {
        return Ok(SecretReplacement::Unknown);
    };
    if new.is_late(&webhook) {
        return Ok(SecretReplacement::AlreadyReplaced);
    }
    let sql = "UPDATE webhook SET previous_secret = secret, previous_secret_until = ?3, secret = ?2
               WHERE id = ?1";
    query::execute(db, sql, (of.1, &new.secret.0, Millis(new.until)))?;
    let action = AuditAction::WebhookSecretReplaced(webhook.url.clone());
    note(db, requester, of.0, action, new.at)?;
    Ok(SecretReplacement::Replaced(Webhook {
        previous_secret_until: Some(new.until),
        ..webhook
    }))
}

/// Writes the members of a webhook that can change. One that is not failing may be sent to at once.
fn put(db: &Connection, webhook: &Webhook) -> rusqlite::Result<()> {
    query::execute(
        db,
        "UPDATE webhook SET url = :url, description = :description, events = :events,
           enabled = :enabled, failing_since = :failing,
           leased_until = CASE WHEN :failing IS NULL AND failing_since IS NOT NULL THEN 0
             ELSE leased_until END
         WHERE id = :id",
        named_params! {
            ":id": webhook.id,
            ":url": webhook.url,
            ":description": webhook.description,
            ":events": webhook.events,
            ":enabled": webhook.is_enabled,
            ":failing": webhook.failing_since.map(Millis),
        },
    )?;
    Ok(())
}

/// Deletes a webhook with its deliveries and the record of its idempotency key.
fn delete(db: &Connection, id: WebhookId) -> rusqlite::Result<()> {
    keys::forget(db, id.0.as_bytes())?;
    query::execute(db, "DELETE FROM webhook_delivery WHERE webhook = ?1", [id])?;
    query::execute(db, "DELETE FROM webhook WHERE id = ?1", [id])?;
    Ok(())
}

/// Deletes the webhooks of a project, which is being deleted.
pub(crate) fn delete_all(db: &Connection, project: ProjectId) -> rusqlite::Result<()> {
    let sql = "SELECT id FROM webhook WHERE project = ?1";
    for webhook in query::all(db, sql, [project], |row| row.get("id"))? {
        delete(db, webhook)?;
    }
    Ok(())
}

/// Writes the action of a person into the audit log.
fn note(
    db: &Connection,
    requester: Requester,
    project: ProjectId,
    action: AuditAction,
    now: Timestamp,
) -> Result<(), StoreError> {
    match requester {
        Requester::Key => Ok(()),
        Requester::Actor(actor) => projects::record_event(db, actor, project, action, now),
    }
}

fn read(row: &Row<'_>) -> rusqlite::Result<Webhook> {
    Ok(Webhook {
        id: row.get("id")?,
        project: row.get("project")?,
        url: row.get("url")?,
        description: row.get("description")?,
        events: row.get("events")?,
        is_enabled: row.get("enabled")?,
        failing_since: column::time_if_any(row, "failing_since")?,
        previous_secret_until: column::time_if_any(row, "previous_secret_until")?,
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
            ([0; 16], 0, [0; 16], 0),
            "INDEX webhook_of_project (project=? AND (created_at,id)>(?,?))",
        );
    }
}
