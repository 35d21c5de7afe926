//! Webhooks.

use std::time::Duration;

use db::{DbError, Row, Timeouts, Tx, params};
use jiff::Timestamp;
use uuid::Uuid;

use super::secret::SealedSecret;
use super::{
    NewSecret, SecretRotation, Webhook, WebhookCreation, WebhookError, WebhookRejection,
    WebhookUpdate,
};
use crate::audit::{AuditAction, sql as audit};
use crate::domain::entity_tag::IfMatch;
use crate::domain::position::Position;
use crate::events::WebhookId;
use crate::idempotency::{Idempotency, sql as keys};
use crate::mail::{NewMail, sql as mail};
use crate::projects::{ProjectId, Requester, sql as projects};
use edge::clock::{before, latest};

/// The most that a request of a project takes.
pub(crate) const LIMITS: Timeouts = Timeouts::Request;

const WEBHOOK: &str = "SELECT id, project, url, description, events, enabled, failing_since,
                         previous_secret_until, created_at FROM webhook";

/// A page of a project's webhooks, in the order of the index.
pub(crate) fn page(
    tx: &Tx<'_>,
    project: ProjectId,
    after: Option<Position>,
    limit: usize,
) -> Result<Vec<Webhook>, DbError> {
    let (created_at, id) = WebhookId::above(after);
    let sql = format!(
        "{WEBHOOK} WHERE project = $1 AND (created_at, id) > ($2, $3)
         ORDER BY created_at, id LIMIT $4"
    );
    let params = params![project, created_at, id, limit];
    tx.all(&sql, params, read)
}

pub(crate) fn find(
    tx: &Tx<'_>,
    (project, id): (ProjectId, WebhookId),
) -> Result<Option<Webhook>, DbError> {
    let sql = format!("{WEBHOOK} WHERE id = $1 AND project = $2");
    tx.first(&sql, params![id, project], read)
}

/// Whether the requester may change the project, which others do not delete meanwhile. Those who create
/// webhooks of it take turns.
fn take_turn(tx: &Tx<'_>, requester: Requester, project: ProjectId) -> Result<bool, DbError> {
    match requester {
        Requester::Actor(actor) => {
            let managed = projects::lock_managed(tx, actor, project)?;
            Ok(managed.is_some())
        }
        Requester::Key(_) => {
            let sql = "SELECT 1 FROM project WHERE id = $1 FOR NO KEY UPDATE";
            tx.exists(sql, params![project])
        }
    }
}

/// Locks a webhook that the requester may change.
pub(super) fn changeable(
    tx: &Tx<'_>,
    requester: Requester,
    (project, id): (ProjectId, WebhookId),
) -> Result<Option<Webhook>, DbError> {
    if !take_turn(tx, requester, project)? {
        return Ok(None);
    }
    let sql = format!("{WEBHOOK} WHERE id = $1 AND project = $2 FOR UPDATE");
    tx.first(&sql, params![id, project], read)
}

pub(crate) fn create(
    tx: &Tx<'_>,
    requester: Requester,
    webhook: &Webhook,
    secret: &SealedSecret,
    idempotency: Option<&Idempotency>,
) -> Result<WebhookCreation, WebhookError> {
    let (project, now) = (webhook.project, webhook.created_at);
    if !take_turn(tx, requester, project)? {
        return Err(WebhookRejection::Unknown.into());
    }
    if let Some((webhook, secret)) = replay(tx, project, idempotency, now)? {
        return Ok(WebhookCreation::Replayed { webhook, secret });
    }
    if tx.exists("SELECT 1 FROM webhook WHERE id = $1", params![webhook.id])? {
        // Its form was sent before.
        return Err(WebhookRejection::Repeated.into());
    }
    let count = "SELECT count(*) AS count FROM webhook WHERE project = $1";
    let count: u32 = tx.one(count, params![project], |row| row.get("count"))?;
    if count >= Webhook::MAX_PER_PROJECT {
        return Err(WebhookRejection::QuotaExceeded.into());
    }
    let sql = "INSERT INTO webhook (id, project, url, description, events, enabled, secret,
                 leased_until, created_at)
               VALUES ($1, $2, $3, $4, $5, $6, $7, 0, $8)";
    let created_at = webhook.created_at;
    let params = params![
        webhook.id,
        webhook.project,
        webhook.url,
        webhook.description,
        webhook.events,
        webhook.is_enabled,
        secret.0,
        created_at
    ];
    tx.execute(sql, params)?;
    if let Some(idempotency) = idempotency {
        let record = idempotency.record(webhook.id.0.as_bytes(), None);
        keys::insert(tx, project, idempotency, &record, now)?;
    }
    let action = AuditAction::WebhookCreated(webhook.url.clone());
    audit::record_webhook_event(tx, requester, (project, webhook.id.0), action, now)?;
    Ok(WebhookCreation::Created)
}

/// The webhook of an earlier request with the same key, and its current secret. Deleting it would have freed the key.
fn replay(
    tx: &Tx<'_>,
    project: ProjectId,
    idempotency: Option<&Idempotency>,
    now: Timestamp,
) -> Result<Option<(Webhook, SealedSecret)>, WebhookError> {
    let Some(idempotency) = idempotency else {
        return Ok(None);
    };
    let Some(record) = keys::find(tx, project, idempotency, now)? else {
        return Ok(None);
    };
    if !record.is_repeated_by(idempotency) {
        return Err(WebhookRejection::KeyReused.into());
    }
    let id = WebhookId(Uuid::from_bytes(record.resource()?));
    let missing = || DbError::Corrupt(format!("webhook {} is missing", id.0));
    let webhook = find(tx, (project, id))?.ok_or_else(missing)?;
    let sql = "SELECT secret FROM webhook WHERE id = $1";
    let secret = tx.one(sql, params![id], |row| row.get("secret"))?;
    Ok(Some((webhook, SealedSecret(secret))))
}

pub(crate) fn update(
    tx: &Tx<'_>,
    requester: Requester,
    of: (ProjectId, WebhookId),
    (change, mails): (&WebhookUpdate, &[NewMail]),
    now: Timestamp,
) -> Result<Webhook, WebhookError> {
    let Some(stored) = changeable(tx, requester, of)? else {
        return Err(WebhookRejection::Unknown.into());
    };
    let webhook = change.apply(stored.clone())?;
    put(tx, &webhook)?;
    if webhook.url != stored.url {
        notify_owners(tx, of.0, mails, now)?;
    }
    let action = change.action(webhook.url.clone());
    audit::record_webhook_event(tx, requester, (of.0, of.1.0), action, now)?;
    Ok(webhook)
}

/// The webhooks of a project that an author has created or changed, as far as they exist.
pub(crate) fn changed_by(
    tx: &Tx<'_>,
    project: ProjectId,
    author: Requester,
) -> Result<Vec<Webhook>, DbError> {
    let (is_author, id) = audit::is_author(author);
    let sql = format!(
        "{WEBHOOK} WHERE project = $1 AND id IN (
           SELECT audit_event.webhook FROM audit_event
           WHERE audit_event.project = $1 AND {is_author} AND audit_event.webhook IS NOT NULL)
         ORDER BY created_at, id"
    );
    tx.all(&sql, params![project, id], read)
}

/// Disables the webhooks that an author has created or changed.
pub(crate) fn disable_changed_by(
    tx: &Tx<'_>,
    requester: Requester,
    project: ProjectId,
    author: Requester,
    now: Timestamp,
) -> Result<bool, DbError> {
    if !take_turn(tx, requester, project)? {
        return Ok(false);
    }
    for webhook in changed_by(tx, project, author)? {
        let sql = "UPDATE webhook SET enabled = false WHERE id = $1 AND enabled";
        if tx.execute(sql, params![webhook.id])? > 0 {
            let action = AuditAction::WebhookDisabled(webhook.url);
            audit::record_webhook_event(tx, requester, (project, webhook.id.0), action, now)?;
        }
    }
    Ok(true)
}

/// Writes the properties of a webhook that can change. One that is not failing may be sent to at once.
fn put(tx: &Tx<'_>, webhook: &Webhook) -> Result<(), DbError> {
    let sql = "UPDATE webhook SET url = $2, description = $3, events = $4, enabled = $5,
                 failing_since = $6,
                 leased_until = CASE WHEN CAST($6 AS bigint) IS NULL AND failing_since IS NOT NULL THEN 0
                   ELSE leased_until END
               WHERE id = $1";
    let failing = webhook.failing_since;
    let params = params![
        webhook.id,
        webhook.url,
        webhook.description,
        webhook.events,
        webhook.is_enabled,
        failing
    ];
    tx.execute(sql, params)?;
    Ok(())
}

pub(crate) fn replace_secret(
    tx: &Tx<'_>,
    requester: Requester,
    of: (ProjectId, WebhookId),
    new: &NewSecret,
    mails: &[NewMail],
) -> Result<SecretRotation, WebhookError> {
    let Some(webhook) = changeable(tx, requester, of)? else {
        return Err(WebhookRejection::Unknown.into());
    };
    let idempotency = new.idempotency.as_ref();
    if let Some((webhook, secret)) = replay(tx, of.0, idempotency, new.at)? {
        return Ok(SecretRotation::Replayed { webhook, secret });
    }
    if new.is_late(&webhook) {
        return Err(WebhookRejection::Repeated.into());
    }
    let sql = "UPDATE webhook SET previous_secret = secret, previous_secret_until = $3, secret = $2
               WHERE id = $1";
    tx.execute(sql, params![of.1, new.secret.0, new.until])?;
    if let Some(idempotency) = idempotency {
        let record = idempotency.record(of.1.0.as_bytes(), None);
        keys::insert(tx, of.0, idempotency, &record, new.at)?;
    }
    notify_owners(tx, of.0, mails, new.at)?;
    let action = AuditAction::WebhookSecretReplaced(webhook.url.clone());
    audit::record_webhook_event(tx, requester, (of.0, of.1.0), action, new.at)?;
    Ok(SecretRotation::Rotated(Webhook {
        previous_secret_until: Some(new.until),
        ..webhook
    }))
}

/// Sends these emails about a change of a webhook, unless the owners got such emails in the last hour.
fn notify_owners(
    tx: &Tx<'_>,
    project: ProjectId,
    mails: &[NewMail],
    now: Timestamp,
) -> Result<(), DbError> {
    let sql = "UPDATE project SET webhook_emails_at = $3
               WHERE id = $1 AND (webhook_emails_at IS NULL OR webhook_emails_at <= $2
                                  OR webhook_emails_at > $4)";
    let hour_ago = before(now, Duration::from_secs(3600));
    if tx.execute(sql, params![project, hour_ago, now, latest(now)])? == 0 {
        return Ok(());
    }
    for mail in mails {
        mail::enqueue_to_account(tx, mail)?;
    }
    Ok(())
}

pub(crate) fn delete_one(
    tx: &Tx<'_>,
    requester: Requester,
    of: (ProjectId, WebhookId),
    if_match: Option<&IfMatch>,
    now: Timestamp,
) -> Result<bool, WebhookError> {
    let Some(webhook) = changeable(tx, requester, of)? else {
        return Ok(false);
    };
    if if_match.is_some_and(|tags| !tags.holds(&webhook.tag())) {
        return Err(WebhookRejection::OtherTag.into());
    }
    delete(tx, of.1)?;
    let action = AuditAction::WebhookDeleted(webhook.url);
    audit::record_webhook_event(tx, requester, (of.0, of.1.0), action, now)?;
    Ok(true)
}

/// Deletes a webhook with its deliveries and the records of its idempotency keys.
fn delete(tx: &Tx<'_>, id: WebhookId) -> Result<(), DbError> {
    keys::forget(tx, id.0.as_bytes())?;
    tx.execute(
        "DELETE FROM webhook_delivery WHERE webhook = $1",
        params![id],
    )?;
    tx.execute("DELETE FROM webhook WHERE id = $1", params![id])?;
    Ok(())
}

/// Deletes the webhooks of a project, which is being deleted.
pub(crate) fn delete_all(tx: &Tx<'_>, project: ProjectId) -> Result<(), DbError> {
    let sql = "SELECT id FROM webhook WHERE project = $1";
    let ids: Vec<_> = tx.all(sql, params![project], |row| row.get("id"))?;
    for webhook in ids {
        delete(tx, webhook)?;
    }
    Ok(())
}

fn read(row: &Row<'_>) -> Result<Webhook, DbError> {
    Ok(Webhook {
        id: row.get("id")?,
        project: row.get("project")?,
        url: row.get("url")?,
        description: row.get("description")?,
        events: row.get("events")?,
        is_enabled: row.get("enabled")?,
        failing_since: row.get("failing_since")?,
        previous_secret_until: row.get("previous_secret_until")?,
        created_at: row.get("created_at")?,
    })
}
