//! Webhooks, in PostgreSQL.

use async_trait::async_trait;
use deadpool_postgres::{GenericClient, Transaction};
use futures_util::FutureExt;
use jiff::Timestamp;
use tokio_postgres::Row;
use uuid::Uuid;

use super::delivery::postgres as deliveries;
use super::secret::SealedSecret;
use super::{
    Delivery, DeliveryId, NewEvent, NewSecret, SecretReplacement, Webhook, WebhookChange,
    WebhookCreation, WebhookId, WebhookRefusal, WebhookStore,
};
use crate::audit::AuditAction;
use crate::configs::Requester;
use crate::database::StoreError;
use crate::database::postgres::column::{self, Millis};
use crate::database::postgres::{Failure, Postgres, TimeoutClass, query};
use crate::domain::position::Position;
use crate::idempotency::{Idempotency, IdempotencyRecord, postgres as keys};
use crate::projects::{ProjectId, postgres as projects};

/// The most that a request of a project takes.
const LIMITS: TimeoutClass = TimeoutClass::Request;

#[async_trait]
impl WebhookStore for Postgres {
    async fn webhooks(
        &self,
        project: ProjectId,
        after: Option<Position>,
        limit: usize,
    ) -> Result<Vec<Webhook>, StoreError> {
        self.query(move |db| page(db, project, after, limit).boxed())
            .await
    }

    async fn webhook(
        &self,
        project: ProjectId,
        id: WebhookId,
    ) -> Result<Option<Webhook>, StoreError> {
        self.query(move |db| async move { find(db, (project, id)).await }.boxed())
            .await
    }

    async fn create_webhook(
        &self,
        requester: Requester,
        webhook: Webhook,
        secret: SealedSecret,
        idempotency: Option<Idempotency>,
    ) -> Result<WebhookCreation, StoreError> {
        let writer = requester.writer(webhook.project);
        let about = (requester, webhook, secret, idempotency);
        self.write(writer, LIMITS, about, |tx, about| {
            let (requester, webhook, secret, idempotency) = about;
            create(tx, *requester, webhook, secret, idempotency.as_ref()).boxed()
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
        let about = (requester, of, change, now);
        self.write(
            requester.writer(of.0),
            LIMITS,
            about,
            |tx, (requester, of, change, now)| {
                self::change(tx, *requester, *of, change, *now).boxed()
            },
        )
        .await
    }

    async fn replace_secret(
        &self,
        requester: Requester,
        of: (ProjectId, WebhookId),
        new: NewSecret,
    ) -> Result<SecretReplacement, StoreError> {
        let about = (requester, of, new);
        self.write(
            requester.writer(of.0),
            LIMITS,
            about,
            |tx, (requester, of, new)| self::replace_secret(tx, *requester, *of, new).boxed(),
        )
        .await
    }

    async fn delete_webhook(
        &self,
        requester: Requester,
        of: (ProjectId, WebhookId),
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        let about = (requester, of, now);
        self.write(
            requester.writer(of.0),
            LIMITS,
            about,
            |tx, (requester, of, now)| self::delete_one(tx, *requester, *of, *now).boxed(),
        )
        .await
    }

    async fn deliveries(
        &self,
        of: (ProjectId, WebhookId),
        after: Option<Position>,
        limit: usize,
    ) -> Result<Option<Vec<Delivery>>, StoreError> {
        self.query(move |db| {
            async move {
                match find(db, of).await? {
                    Some(_) => Ok(Some(deliveries::page(db, of.1, after, limit).await?)),
                    None => Ok(None),
                }
            }
            .boxed()
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
        let about = (requester, of, delivery, event);
        self.write(
            requester.writer(of.0),
            LIMITS,
            about,
            |tx, (requester, of, delivery, event)| {
                deliveries::deliver(tx, *requester, *of, *delivery, event).boxed()
            },
        )
        .await
    }

    async fn redeliver(
        &self,
        requester: Requester,
        of: (ProjectId, WebhookId),
        delivery: DeliveryId,
        now: Timestamp,
    ) -> Result<Option<Delivery>, StoreError> {
        let about = (requester, of, delivery, now);
        self.write(
            requester.writer(of.0),
            LIMITS,
            about,
            |tx, (requester, of, delivery, now)| {
                deliveries::redeliver(tx, *requester, *of, *delivery, *now).boxed()
            },
        )
        .await
    }
}

const WEBHOOK: &str = "SELECT id, project, url, description, events, enabled, failing_since,
                         previous_secret_until, created_at FROM webhook";

/// A page of a project's webhooks, in the order of the index.
async fn page(
    db: &impl GenericClient,
    project: ProjectId,
    after: Option<Position>,
    limit: usize,
) -> Result<Vec<Webhook>, Failure> {
    let (created_at, id) = WebhookId::above(after);
    let sql = format!(
        "{WEBHOOK} WHERE project = $1 AND (created_at, id) > ($2, $3)
         ORDER BY created_at, id LIMIT $4"
    );
    let params: query::Params<'_> = &[&project, &created_at, &id, &query::limit(limit)];
    query::all(db, &sql, params, read).await
}

async fn find(
    db: &impl GenericClient,
    (project, id): (ProjectId, WebhookId),
) -> Result<Option<Webhook>, Failure> {
    let sql = format!("{WEBHOOK} WHERE id = $1 AND project = $2");
    query::first(db, &sql, &[&id, &project], read).await
}

/// Whether the requester may change the project, which others do not delete meanwhile. Those who create
/// webhooks of it take turns.
async fn take_turn(
    tx: &Transaction<'_>,
    requester: Requester,
    project: ProjectId,
) -> Result<bool, Failure> {
    match requester {
        Requester::Actor(actor) => {
            let managed = projects::lock_managed(tx, actor, project).await?;
            Ok(managed.is_some())
        }
        Requester::Key => {
            let sql = "SELECT 1 FROM project WHERE id = $1 FOR NO KEY UPDATE";
            query::exists(tx, sql, &[&project]).await
        }
    }
}

/// A webhook that the requester may change, and nobody else changes meanwhile.
pub(super) async fn changeable(
    tx: &Transaction<'_>,
    requester: Requester,
    (project, id): (ProjectId, WebhookId),
) -> Result<Option<Webhook>, Failure> {
    if !take_turn(tx, requester, project).await? {
        return Ok(None);
    }
    let sql = format!("{WEBHOOK} WHERE id = $1 AND project = $2 FOR UPDATE");
    query::first(tx, &sql, &[&id, &project], read).await
}

async fn create(
    tx: &Transaction<'_>,
    requester: Requester,
    webhook: &Webhook,
    secret: &SealedSecret,
    idempotency: Option<&Idempotency>,
) -> Result<WebhookCreation, Failure> {
    let (project, now) = (webhook.project, webhook.created_at);
    if !take_turn(tx, requester, project).await? {
        return Ok(WebhookCreation::UnknownProject);
    }
    if let Some(idempotency) = idempotency
        && let Some(record) = keys::find(tx, project, idempotency, now).await?
    {
        return match record.is_repeated_by(idempotency) {
            true => replay(tx, project, &record).await,
            false => Ok(WebhookCreation::KeyReused),
        };
    }
    if query::exists(tx, "SELECT 1 FROM webhook WHERE id = $1", &[&webhook.id]).await? {
        return Ok(WebhookCreation::AlreadyCreated);
    }
    let count = "SELECT count(*) AS count FROM webhook WHERE project = $1";
    let count: u32 = query::one(tx, count, &[&project], |row| column::number(row, "count")).await?;
    if count >= Webhook::MAX_PER_PROJECT {
        return Ok(WebhookCreation::QuotaExceeded);
    }
    let sql = "INSERT INTO webhook (id, project, url, description, events, enabled, secret,
                 leased_until, created_at)
               VALUES ($1, $2, $3, $4, $5, $6, $7, 0, $8)";
    let created_at = Millis(webhook.created_at);
    let params: query::Params<'_> = &[
        &webhook.id,
        &webhook.project,
        &webhook.url,
        &webhook.description,
        &webhook.events,
        &webhook.is_enabled,
        &secret.0,
        &created_at,
    ];
    query::execute(tx, sql, params).await?;
    if let Some(idempotency) = idempotency {
        let record = idempotency.record(webhook.id.0.as_bytes(), None);
        keys::insert(tx, project, idempotency, &record, now).await?;
    }
    let action = AuditAction::WebhookCreated(webhook.url.clone());
    note(tx, requester, project, action, now).await?;
    Ok(WebhookCreation::Created)
}

/// The webhook that an earlier request with the same key created, which was not deleted since.
async fn replay(
    tx: &Transaction<'_>,
    project: ProjectId,
    record: &IdempotencyRecord,
) -> Result<WebhookCreation, Failure> {
    let id = WebhookId(Uuid::from_bytes(record.resource()?));
    let missing = || StoreError::Corrupt(format!("webhook {} is missing", id.0));
    let webhook = find(tx, (project, id)).await?.ok_or_else(missing)?;
    let sql = "SELECT secret FROM webhook WHERE id = $1";
    let secret = query::one(tx, sql, &[&id], |row| Ok(row.try_get("secret")?)).await?;
    Ok(WebhookCreation::Replayed {
        webhook,
        secret: SealedSecret(secret),
    })
}

async fn change(
    tx: &Transaction<'_>,
    requester: Requester,
    of: (ProjectId, WebhookId),
    change: &WebhookChange,
    now: Timestamp,
) -> Result<Result<Webhook, WebhookRefusal>, Failure> {
    let Some(webhook) = changeable(tx, requester, of).await? else {
        return Ok(Err(WebhookRefusal::Unknown));
    };
    let webhook = match change.apply(webhook) {
        Ok(webhook) => webhook,
        Err(refusal) => return Ok(Err(refusal)),
    };
    put(tx, &webhook).await?;
    note(tx, requester, of.0, change.action(webhook.url.clone()), now).await?;
    Ok(Ok(webhook))
}

/// Writes the members of a webhook that can change. One that is not failing may be sent to at once.
async fn put(tx: &Transaction<'_>, webhook: &Webhook) -> Result<(), Failure> {
    let sql = "UPDATE webhook SET url = $2, description = $3, events = $4, enabled = $5,
                 failing_since = $6,
                 leased_until = CASE WHEN $6::bigint IS NULL AND failing_since IS NOT NULL THEN 0
                   ELSE leased_until END
               WHERE id = $1";
    let failing = webhook.failing_since.map(Millis);
    let params: query::Params<'_> = &[
        &webhook.id,
        &webhook.url,
        &webhook.description,
        &webhook.events,
        &webhook.is_enabled,
        &failing,
    ];
    query::execute(tx, sql, params).await?;
    Ok(())
}

async fn replace_secret(
    tx: &Transaction<'_>,
    requester: Requester,
    of: (ProjectId, WebhookId),
    new: &NewSecret,
) -> Result<SecretReplacement, Failure> {
    let Some(webhook) = changeable(tx, requester, of).await? else {
        return Ok(SecretReplacement::Unknown);
    };
    if new.is_late(&webhook) {
        return Ok(SecretReplacement::AlreadyReplaced);
    }
    let sql = "UPDATE webhook SET previous_secret = secret, previous_secret_until = $3, secret = $2
               WHERE id = $1";
    query::execute(tx, sql, &[&of.1, &new.secret.0, &Millis(new.until)]).await?;
    let action = AuditAction::WebhookSecretReplaced(webhook.url.clone());
    note(tx, requester, of.0, action, new.at).await?;
    Ok(SecretReplacement::Replaced(Webhook {
        previous_secret_until: Some(new.until),
        ..webhook
    }))
}

async fn delete_one(
    tx: &Transaction<'_>,
    requester: Requester,
    of: (ProjectId, WebhookId),
    now: Timestamp,
) -> Result<bool, Failure> {
    let Some(webhook) = changeable(tx, requester, of).await? else {
        return Ok(false);
    };
    delete(tx, of.1).await?;
    let action = AuditAction::WebhookDeleted(webhook.url);
    note(tx, requester, of.0, action, now).await?;
    Ok(true)
}

/// Deletes a webhook with its deliveries and the record of its idempotency key.
async fn delete(tx: &Transaction<'_>, id: WebhookId) -> Result<(), Failure> {
    keys::forget(tx, id.0.as_bytes()).await?;
    query::execute(
        tx,
        "DELETE FROM webhook_delivery WHERE webhook = $1",
        &[&id],
    )
    .await?;
    query::execute(tx, "DELETE FROM webhook WHERE id = $1", &[&id]).await?;
    Ok(())
}

/// Deletes the webhooks of a project, which is being deleted.
pub(crate) async fn delete_all(tx: &Transaction<'_>, project: ProjectId) -> Result<(), Failure> {
    let sql = "SELECT id FROM webhook WHERE project = $1";
    let ids: Vec<_> = query::all(tx, sql, &[&project], |row| Ok(row.try_get("id")?)).await?;
    for webhook in ids {
        delete(tx, webhook).await?;
    }
    Ok(())
}

/// Writes the action of a person into the audit log.
async fn note(
    tx: &Transaction<'_>,
    requester: Requester,
    project: ProjectId,
    action: AuditAction,
    now: Timestamp,
) -> Result<(), Failure> {
    match requester {
        Requester::Key => Ok(()),
        Requester::Actor(actor) => projects::record_event(tx, actor, project, action, now).await,
    }
}

fn read(row: &Row) -> Result<Webhook, Failure> {
    Ok(Webhook {
        id: row.try_get("id")?,
        project: row.try_get("project")?,
        url: row.try_get("url")?,
        description: row.try_get("description")?,
        events: row.try_get("events")?,
        is_enabled: row.try_get("enabled")?,
        failing_since: column::time_if_any(row, "failing_since")?,
        previous_secret_until: column::time_if_any(row, "previous_secret_until")?,
        created_at: column::time(row, "created_at")?,
    })
}
