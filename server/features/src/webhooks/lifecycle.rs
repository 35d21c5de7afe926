//! Creating and changing webhooks: use cases for the API and the dashboard.

use jiff::Timestamp;

use super::message::{self, ChangedWebhook, SensitiveChange};
use super::secret::{SealError, SealedSecret, Secret, SecretKeys};
use super::{
    Delivery, NewSecret, SecretRotation, TargetRules, Webhook, WebhookCreation, WebhookError,
    WebhookRejection, WebhookUpdate, store,
};
use crate::domain::entity_tag::digest;
use crate::domain::service_identity::ServiceIdentity;
use crate::events::{DeliveryId, EventType, EventTypes, NewEvent, WebhookId};
use crate::idempotency::Idempotency;
use crate::mail::NewMail;
use crate::projects::{self, Actor, ProjectId, Requester};
use db::{Db, DbError};
use edge::clock::{after, to_milliseconds};

/// The keys and rules of webhooks.
#[derive(Debug, Clone, Default)]
pub struct WebhookSetup {
    /// The keys that encrypt secrets; `None` where the operator has not set webhooks up.
    pub keys: Option<SecretKeys>,
    /// Where requests may go.
    pub rules: TargetRules,
}

/// A webhook to be created.
#[derive(Debug, Clone)]
pub struct WebhookRequest {
    /// Its identity, by which a request that is repeated is known.
    pub id: WebhookId,
    pub project: ProjectId,
    pub url: String,
    pub description: Option<String>,
    /// The events that it is sent.
    pub events: EventTypes,
    pub is_enabled: bool,
    /// The string that identifies repetitions of the request, if there is one.
    pub idempotency_key: Option<String>,
}

/// The webhook and secret that a request created, or an earlier one that it repeats.
#[derive(Debug)]
pub struct WebhookWithSecret {
    pub webhook: Webhook,
    pub secret: Secret,
    pub is_replayed: bool,
}

/// Creates a webhook; returns it with its secret.
///
/// # Errors
/// When webhooks are off, the URL is unfit, the project may have no more, the key was used for another request,
/// or the database fails.
pub async fn create(
    store: &Db,
    setup: &WebhookSetup,
    requester: Requester,
    request: WebhookRequest,
    now: Timestamp,
) -> Result<WebhookWithSecret, WebhookError> {
    let keys = setup.keys.as_ref().ok_or(WebhookRejection::Off)?;
    setup.rules.check(&request.url)?;
    let webhook = Webhook {
        id: request.id,
        project: request.project,
        url: request.url,
        description: request.description,
        events: request.events,
        is_enabled: request.is_enabled,
        failing_since: None,
        previous_secret_until: None,
        created_at: to_milliseconds(now),
    };
    let idempotency = request
        .idempotency_key
        .map(|key| Idempotency::new(key, "webhook", webhook.digest()));
    let secret = Secret::generate().map_err(SealError::from)?;
    let sealed = keys.seal(webhook.id, &secret)?;
    let created = store::create_webhook(store, requester, webhook.clone(), sealed, idempotency);
    match created.await? {
        WebhookCreation::Created => Ok(WebhookWithSecret {
            webhook,
            secret,
            is_replayed: false,
        }),
        WebhookCreation::Replayed { webhook, secret } => replay(keys, webhook, &secret),
    }
}

/// The response to a request that repeats an earlier one.
fn replay(
    keys: &SecretKeys,
    webhook: Webhook,
    secret: &SealedSecret,
) -> Result<WebhookWithSecret, WebhookError> {
    let opened = keys.open(webhook.id, secret);
    Ok(WebhookWithSecret {
        secret: opened.ok_or(WebhookError::Undecryptable(webhook.id))?,
        webhook,
        is_replayed: true,
    })
}

/// Updates a webhook.
///
/// # Errors
/// When there is none, it has none of the tags, the URL is unfit, or the database fails.
pub async fn update(
    store: &Db,
    (rules, service): (&TargetRules, &ServiceIdentity),
    requester: Requester,
    of: (ProjectId, WebhookId),
    change: WebhookUpdate,
    now: Timestamp,
) -> Result<Webhook, WebhookError> {
    let mut mails = Vec::new();
    if let Some(url) = &change.url {
        rules.check(url)?;
        let changed = (SensitiveChange::Url, requester);
        mails = mails_to_owners(store, service, of, changed, now).await?;
    }
    store::update_webhook(store, requester, of, change, mails, now).await
}

/// The emails that report a change to the owners of the project.
async fn mails_to_owners(
    store: &Db,
    service: &ServiceIdentity,
    of: (ProjectId, WebhookId),
    change: (SensitiveChange, Requester),
    now: Timestamp,
) -> Result<Vec<NewMail>, WebhookError> {
    let owners = projects::store::owners(store, of.0).await?.into_iter();
    let project = projects::store::project(store, Actor::Operator, of.0).await?;
    let webhook = store::webhook(store, of.0, of.1).await?;
    let (Some(project), Some(webhook)) = (project, webhook) else {
        return Ok(Vec::new());
    };
    let webhook = ChangedWebhook {
        id: of.1,
        project: of.0,
        project_name: &project.name,
        name: webhook.description.as_deref().unwrap_or(&webhook.url),
    };
    let mail = |owner| {
        let message = message::webhook_changed(service, owner, webhook, change, now)?;
        Ok(NewMail::new(message, now))
    };
    let mails: Result<_, askama::Error> = owners.map(mail).collect();
    let unwritten = |error| DbError::Corrupt(format!("cannot render an email: {error}"));
    Ok(mails.map_err(unwritten)?)
}

/// Replaces the secret of a webhook, unless it was replaced after a time, or by a request with the same key.
///
/// # Errors
/// When webhooks are off, there is none, the secret was replaced, the key was used for another request, or the database
/// fails.
pub async fn replace_secret(
    store: &Db,
    (setup, service): (&WebhookSetup, &ServiceIdentity),
    requester: Requester,
    of: (ProjectId, WebhookId),
    unless_since: Option<Timestamp>,
    idempotency_key: Option<String>,
    now: Timestamp,
) -> Result<WebhookWithSecret, WebhookError> {
    let keys = setup.keys.as_ref().ok_or(WebhookRejection::Off)?;
    let secret = Secret::generate().map_err(SealError::from)?;
    let at = to_milliseconds(now);
    let new = NewSecret {
        secret: keys.seal(of.1, &secret)?,
        at,
        until: after(at, Webhook::PREVIOUS_SECRET),
        unless_since,
        idempotency: idempotency_key.map(|key| {
            Idempotency::new(
                key,
                "webhook secret",
                digest([of.1.0.as_bytes().as_slice()]),
            )
        }),
    };
    let changed = (SensitiveChange::Secret, requester);
    let mails = mails_to_owners(store, service, of, changed, now).await?;
    match store::replace_secret(store, requester, of, new, mails).await? {
        SecretRotation::Rotated(webhook) => Ok(WebhookWithSecret {
            webhook,
            secret,
            is_replayed: false,
        }),
        SecretRotation::Replayed { webhook, secret } => replay(keys, webhook, &secret),
    }
}

/// Enqueues a test event: the example of a type, whether or not the webhook subscribes to it.
///
/// # Errors
/// When there is none, the project's quota of test events is used up, or the database fails.
pub async fn test(
    store: &Db,
    requester: Requester,
    of: (ProjectId, WebhookId),
    event_type: EventType,
    now: Timestamp,
) -> Result<Delivery, WebhookError> {
    let now = to_milliseconds(now);
    let delivery = DeliveryId::new(now);
    let event = NewEvent::sample(event_type, now)?;
    store::deliver(store, requester, of, delivery, event).await
}
