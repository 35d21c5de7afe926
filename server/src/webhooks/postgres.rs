//! Webhooks and their deliveries, in PostgreSQL.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use async_trait::async_trait;
use deadpool_postgres::{GenericClient, Transaction};
use futures_util::FutureExt;
use jiff::Timestamp;
use tokio_postgres::Row;

use super::audience::{self, Audience, Happening};
use super::secret::SealedSecret;
use super::{
    Attempted, Backlog, Delivery, DeliveryId, DeliveryState, DueDelivery, DueWebhook, EventType,
    EventTypes, LastAttempt, Lease, NewEvent, Webhook, WebhookChange, WebhookCreation, WebhookId,
    WebhookSecrets, WebhookStore, mapping,
};
use crate::audit::AuditAction;
use crate::campaigns::{CampaignBeneficiary, CampaignProgress, postgres as campaigns};
use crate::charities::postgres as charities;
use crate::clock::after;
use crate::configs::postgres::Configs;
use crate::configs::{ConfigId, Requester};
use crate::contracts::postgres::Owners;
use crate::database::postgres::column::{self, Millis};
use crate::database::postgres::{Failure, Postgres, TimeoutClass, query};
use crate::database::{StoreError, Writer};
use crate::domain::position::Position;
use crate::donations::Donation;
use crate::keys::KeyRecord;
use crate::mail::{NewMail, postgres as mail};
use crate::projects::{ProjectId, postgres as projects};
use crate::rollups::batch::RollupBatch;
use crate::tokens::postgres::Tokens;

/// The most that a request of a project takes.
const LIMITS: TimeoutClass = TimeoutClass::Request;

#[async_trait]
impl WebhookStore for Postgres {
    async fn webhooks(&self, project: ProjectId) -> Result<Vec<Webhook>, StoreError> {
        self.query(move |db| of_project(db, project).boxed()).await
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
    ) -> Result<WebhookCreation, StoreError> {
        let writer = requester.writer(webhook.project);
        let about = (requester, webhook, secret);
        self.write(writer, LIMITS, about, |tx, (requester, webhook, secret)| {
            create(tx, *requester, webhook, secret).boxed()
        })
        .await
    }

    async fn change_webhook(
        &self,
        requester: Requester,
        of: (ProjectId, WebhookId),
        change: WebhookChange,
        now: Timestamp,
    ) -> Result<Option<Webhook>, StoreError> {
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
        secret: SealedSecret,
        now: Timestamp,
        until: Timestamp,
    ) -> Result<Option<Webhook>, StoreError> {
        let about = (requester, of, secret, now, until);
        self.write(
            requester.writer(of.0),
            LIMITS,
            about,
            |tx, (requester, of, secret, now, until)| {
                self::replace_secret(tx, *requester, *of, secret, (*now, *until)).boxed()
            },
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
                    Some(_) => Ok(Some(page(db, of.1, after, limit).await?)),
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
                self::deliver(tx, *requester, *of, *delivery, event).boxed()
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
                self::redeliver(tx, *requester, *of, *delivery, *now).boxed()
            },
        )
        .await
    }
    async fn take_due_webhook(
        &self,
        now: Timestamp,
        until: Timestamp,
    ) -> Result<Option<DueWebhook>, StoreError> {
        self.write(Writer::Server, LIMITS, (now, until), |tx, (now, until)| {
            take(tx, *now, *until).boxed()
        })
        .await
    }

    async fn due_deliveries(
        &self,
        webhook: WebhookId,
        now: Timestamp,
        limit: usize,
    ) -> Result<Vec<DueDelivery>, StoreError> {
        self.query(move |db| due(db, webhook, now, limit).boxed())
            .await
    }

    async fn note_attempts(
        &self,
        webhook: WebhookId,
        attempts: Vec<Attempted>,
    ) -> Result<(), StoreError> {
        let about = (webhook, attempts);
        self.write(Writer::Server, LIMITS, about, |tx, (webhook, attempts)| {
            self::note_attempts(tx, *webhook, attempts).boxed()
        })
        .await
    }

    async fn release_webhook(
        &self,
        lease: Lease,
        failing_since: Option<Timestamp>,
        pause_until: Timestamp,
    ) -> Result<(), StoreError> {
        let about = (lease, failing_since.map(Millis), Millis(pause_until));
        self.write(Writer::Server, LIMITS, about, |tx, about| {
            release(tx, about).boxed()
        })
        .await
    }

    async fn switch_off_webhook(
        &self,
        lease: Lease,
        failing_since: Timestamp,
        mails: Vec<NewMail>,
    ) -> Result<bool, StoreError> {
        let about = (lease, failing_since, mails);
        self.write(
            Writer::Server,
            LIMITS,
            about,
            |tx, (lease, since, mails)| switch_off(tx, *lease, *since, mails).boxed(),
        )
        .await
    }

    async fn webhook_backlog(&self, now: Timestamp) -> Result<Backlog, StoreError> {
        self.query(move |db| backlog(db, now).boxed()).await
    }

    async fn delete_old_deliveries(&self, before: Timestamp) -> Result<bool, StoreError> {
        self.write(Writer::Server, TimeoutClass::Bulk, before, |tx, before| {
            delete_old(tx, *before).boxed()
        })
        .await
    }
}

/// The number of deliveries of one webhook, and of events, that are deleted in one transaction.
const AT_ONCE: i64 = 1000;

async fn take(
    tx: &Transaction<'_>,
    now: Timestamp,
    until: Timestamp,
) -> Result<Option<DueWebhook>, Failure> {
    let sql = "UPDATE webhook SET leased_until = $2
               WHERE id = (
                 SELECT id FROM webhook
                 WHERE enabled AND leased_until <= $1
                   AND EXISTS (SELECT 1 FROM webhook_delivery AS due
                               WHERE due.webhook = webhook.id AND due.next_attempt_at <= $1)
                   AND NOT EXISTS (SELECT 1 FROM suspension
                                   WHERE suspension.project = webhook.project)
                 ORDER BY leased_until LIMIT 1 FOR UPDATE SKIP LOCKED)
               RETURNING id, project, url, secret,
                 CASE WHEN previous_secret_until > $1 THEN previous_secret END AS previous,
                 failing_since";
    query::first(tx, sql, &[&Millis(now), &Millis(until)], |row| {
        let previous: Option<Vec<u8>> = row.try_get("previous")?;
        Ok(DueWebhook {
            lease: Lease {
                webhook: row.try_get("id")?,
                until,
            },
            project: row.try_get("project")?,
            url: row.try_get("url")?,
            secrets: WebhookSecrets {
                present: SealedSecret(row.try_get("secret")?),
                previous: previous.map(SealedSecret),
            },
            failing_since: column::time_if_any(row, "failing_since")?,
        })
    })
    .await
}

async fn due(
    db: &impl GenericClient,
    webhook: WebhookId,
    now: Timestamp,
    limit: usize,
) -> Result<Vec<DueDelivery>, Failure> {
    let sql = "SELECT due.id, due.event, due.attempts, due.give_up_at, event.body
               FROM webhook_delivery AS due JOIN webhook_event AS event ON event.id = due.event
               WHERE due.webhook = $1 AND due.next_attempt_at <= $2
               ORDER BY due.next_attempt_at, due.id LIMIT $3";
    let params: query::Params<'_> = &[&webhook, &Millis(now), &query::limit(limit)];
    query::all(db, sql, params, |row| {
        Ok(DueDelivery {
            id: row.try_get("id")?,
            event: row.try_get("event")?,
            attempts: column::number(row, "attempts")?,
            give_up_at: column::time(row, "give_up_at")?,
            body: row.try_get("body")?,
        })
    })
    .await
}

async fn note_attempts(
    tx: &Transaction<'_>,
    webhook: WebhookId,
    attempts: &[Attempted],
) -> Result<(), Failure> {
    let all = || attempts.iter();
    let ids: Vec<_> = all().map(|it| it.id).collect();
    let states: Vec<_> = all().map(|it| it.state).collect();
    let counts: Vec<_> = all().map(|it| i64::from(it.attempts)).collect();
    let next: Vec<_> = all().map(|it| it.next_attempt_at.map(Millis)).collect();
    let times: Vec<_> = all().map(|it| Millis(it.last.at)).collect();
    let answers = || all().map(|it| it.last.answer.as_ref());
    let statuses: Vec<_> = answers()
        .map(|it| it.ok().map(|it| i64::from(*it)))
        .collect();
    let errors: Vec<_> = answers().map(|it| it.err().cloned()).collect();
    let sql = "UPDATE webhook_delivery AS delivery
               SET state = noted.state, attempts = noted.attempts, next_attempt_at = noted.next,
                 last_attempt_at = noted.at, last_status = noted.status, last_error = noted.error
               FROM unnest($2::uuid[], $3::text[], $4::bigint[], $5::bigint[], $6::bigint[],
                   $7::bigint[], $8::text[])
                 AS noted (id, state, attempts, next, at, status, error)
               WHERE delivery.webhook = $1 AND delivery.id = noted.id";
    let params: query::Params<'_> = &[
        &webhook, &ids, &states, &counts, &next, &times, &statuses, &errors,
    ];
    query::execute(tx, sql, params).await?;
    Ok(())
}

async fn release(
    tx: &Transaction<'_>,
    (lease, failing_since, pause_until): &(Lease, Option<Millis>, Millis),
) -> Result<(), Failure> {
    let sql = "UPDATE webhook SET failing_since = $3, leased_until = $4
               WHERE id = $1 AND leased_until = $2";
    let until = Millis(lease.until);
    let params: query::Params<'_> = &[&lease.webhook, &until, failing_since, pause_until];
    query::execute(tx, sql, params).await?;
    Ok(())
}

async fn switch_off(
    tx: &Transaction<'_>,
    lease: Lease,
    failing_since: Timestamp,
    mails: &[NewMail],
) -> Result<bool, Failure> {
    let sql = "UPDATE webhook SET enabled = false, failing_since = $3
               WHERE id = $1 AND leased_until = $2 AND enabled";
    let (until, since) = (Millis(lease.until), Millis(failing_since));
    if query::execute(tx, sql, &[&lease.webhook, &until, &since]).await? == 0 {
        return Ok(false);
    }
    for mail in mails {
        mail::enqueue_to_account(tx, mail).await?;
    }
    Ok(true)
}

async fn backlog(db: &impl GenericClient, now: Timestamp) -> Result<Backlog, Failure> {
    let sql = "SELECT count(*) AS due, min(due.next_attempt_at) AS since
                       FROM webhook JOIN webhook_delivery AS due ON due.webhook = webhook.id
                       WHERE webhook.enabled AND webhook.failing_since IS NULL
                         AND due.next_attempt_at <= $1";
    query::one(db, sql, &[&Millis(now)], |row| {
        Ok(Backlog {
            due: column::number(row, "due")?,
            since: column::time_if_any(row, "since")?,
        })
    })
    .await
}

async fn delete_old(tx: &Transaction<'_>, before: Timestamp) -> Result<bool, Failure> {
    let first = DeliveryId::first_of(before);
    let webhooks = "SELECT id FROM webhook";
    let webhooks: Vec<WebhookId> =
        query::all(tx, webhooks, &[], |row| Ok(row.try_get("id")?)).await?;
    let mut most = 0;
    for webhook in webhooks {
        let sql = "DELETE FROM webhook_delivery WHERE webhook = $1 AND id IN (
                     SELECT id FROM webhook_delivery WHERE webhook = $1 AND id < $2 LIMIT $3)";
        most = most.max(query::execute(tx, sql, &[&webhook, &first, &AT_ONCE]).await?);
    }
    let sql = "DELETE FROM webhook_event WHERE id IN (
                 SELECT id FROM webhook_event WHERE id < $1 LIMIT $2)";
    most = most.max(query::execute(tx, sql, &[&first, &AT_ONCE]).await?);
    Ok(most >= AT_ONCE.unsigned_abs())
}

const WEBHOOK: &str = "SELECT id, project, url, description, events, enabled, failing_since,
                         previous_secret_until, created_at FROM webhook";

/// A project's webhooks, oldest first.
pub(crate) async fn of_project(
    db: &impl GenericClient,
    project: ProjectId,
) -> Result<Vec<Webhook>, Failure> {
    let sql = format!("{WEBHOOK} WHERE project = $1 ORDER BY created_at, id");
    query::all(db, &sql, &[&project], read).await
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
async fn changeable(
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
) -> Result<WebhookCreation, Failure> {
    if !take_turn(tx, requester, webhook.project).await? {
        return Ok(WebhookCreation::UnknownProject);
    }
    let count = "SELECT count(*) AS count FROM webhook WHERE project = $1";
    let count: u32 = query::one(tx, count, &[&webhook.project], |row| {
        column::number(row, "count")
    })
    .await?;
    if count >= Webhook::MOST {
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
    let action = AuditAction::WebhookCreated(webhook.url.clone());
    note(tx, requester, webhook.project, action, webhook.created_at).await?;
    Ok(WebhookCreation::Created)
}

async fn change(
    tx: &Transaction<'_>,
    requester: Requester,
    of: (ProjectId, WebhookId),
    change: &WebhookChange,
    now: Timestamp,
) -> Result<Option<Webhook>, Failure> {
    let Some(webhook) = changeable(tx, requester, of).await? else {
        return Ok(None);
    };
    let webhook = change.of(webhook);
    put(tx, &webhook).await?;
    let action = AuditAction::WebhookChanged(webhook.url.clone());
    note(tx, requester, of.0, action, now).await?;
    Ok(Some(webhook))
}

/// Writes what can change of a webhook. One that is not failing may be sent to at once.
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
    secret: &SealedSecret,
    (now, until): (Timestamp, Timestamp),
) -> Result<Option<Webhook>, Failure> {
    if changeable(tx, requester, of).await?.is_none() {
        return Ok(None);
    }
    let sql = "UPDATE webhook SET previous_secret = secret, previous_secret_until = $3, secret = $2
               WHERE id = $1";
    query::execute(tx, sql, &[&of.1, &secret.0, &Millis(until)]).await?;
    let webhook = find(tx, of).await?;
    if let Some(webhook) = &webhook {
        let action = AuditAction::WebhookSecretReplaced(webhook.url.clone());
        note(tx, requester, of.0, action, now).await?;
    }
    Ok(webhook)
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

/// Deletes a webhook with its deliveries.
async fn delete(tx: &Transaction<'_>, id: WebhookId) -> Result<(), Failure> {
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
    for webhook in of_project(tx, project).await? {
        delete(tx, webhook.id).await?;
    }
    Ok(())
}

/// Notes what a person did.
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

async fn deliver(
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

async fn insert_events(tx: &Transaction<'_>, events: &[NewEvent]) -> Result<(), Failure> {
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

async fn insert_deliveries(
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

async fn redeliver(
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

/// The webhooks of some projects that are on.
pub(crate) async fn audience(
    db: &impl GenericClient,
    projects: &[ProjectId],
) -> Result<Audience, Failure> {
    let sql = "SELECT project, id, events FROM webhook WHERE project = ANY ($1) AND enabled";
    let rows: Vec<_> = query::all(db, sql, &[&projects], read_told).await?;
    Ok(Audience::new(rows))
}

/// Puts what happened on its way to those who are told it.
pub(crate) async fn tell(
    tx: &Transaction<'_>,
    audience: &Audience,
    happenings: &[Happening],
) -> Result<(), Failure> {
    if happenings.is_empty() {
        return Ok(());
    }
    // In one order, so that no two transactions wait for each other.
    let counts = BTreeMap::from_iter(audience::counts(happenings));
    let (configs, counts): (Vec<_>, Vec<_>) = counts.into_iter().unzip();
    let sql = "INSERT INTO config_event (config, latest)
               SELECT config, latest FROM unnest($1::bytea[], $2::bigint[]) AS event (config, latest)
               ON CONFLICT (config) DO UPDATE SET latest = config_event.latest + excluded.latest
               RETURNING config, latest";
    let latest: HashMap<ConfigId, i64> = query::all(tx, sql, &[&configs, &counts], |row| {
        Ok((row.try_get("config")?, row.try_get("latest")?))
    })
    .await?;
    let told = audience.told(happenings, &latest)?;
    insert_events(tx, &told.events).await?;
    let deliveries = told.deliveries.iter();
    let deliveries = deliveries.filter_map(|(webhook, id, place)| {
        let event = told.events.get(*place)?;
        Some((*webhook, *id, event))
    });
    insert_deliveries(tx, &deliveries.collect::<Vec<_>>()).await
}

/// Tells projects of donations that were recorded or taken back: that of the config, and that whose contract
/// owns the token.
pub(crate) async fn tell_of_donations(
    tx: &Transaction<'_>,
    donations: &[&Donation],
    (owners, configs): (&Owners, &Configs),
    at: Timestamp,
) -> Result<(), Failure> {
    let projects_of = |donation: &Donation| {
        let owner = owners.find(donation.token.key()).flatten();
        let config = configs.find(donation.config).map(|it| it.project);
        BTreeSet::from_iter([owner, config].into_iter().flatten())
    };
    let projects: BTreeSet<_> = donations.iter().flat_map(|it| projects_of(it)).collect();
    let projects: Vec<_> = projects.into_iter().collect();
    let audience = audience(tx, &projects).await?;
    if audience.is_empty() {
        return Ok(());
    }
    let charities = donations.iter().filter_map(|it| configs.find(it.config));
    let charities = charities.flat_map(|it| it.beneficiaries.iter().map(|it| it.charity));
    let charities: Vec<_> = BTreeSet::from_iter(charities).into_iter().collect();
    let charities = charities::some(tx, &charities).await?;
    let tokens = Tokens::load(tx, donations.iter().map(|it| it.token.key())).await?;
    let mut happenings = Vec::new();
    for donation in donations {
        let event_type = EventType::of_donation(donation.revision);
        for project in projects_of(donation) {
            if !audience.is_told(project, event_type) {
                continue;
            }
            let (token, _) = tokens.get(donation.token.key())?;
            let config = configs.get(donation.config)?;
            happenings.push(Happening {
                project,
                event_type,
                at,
                config: Some(donation.config),
                data: mapping::donation(donation, token, config, &charities)?,
            });
        }
    }
    tell(tx, &audience, &happenings).await
}

/// Tells of campaigns that have raised what they aim for: the project of the config that one is for, or every
/// project that wants to know of one for a charity.
pub(crate) async fn tell_of_goals(
    tx: &Transaction<'_>,
    batch: &RollupBatch,
    at: Timestamp,
) -> Result<(), Failure> {
    for sum in batch.raised().filter(|it| it.has_reached_goal()) {
        let (audience, charity) = match sum.beneficiary {
            CampaignBeneficiary::Config(config) => {
                let configs = Configs::load(tx, [config]).await?;
                (audience(tx, &[configs.get(config)?.project]).await?, None)
            }
            CampaignBeneficiary::Charity(charity) => {
                let sql = "SELECT project, id, events FROM webhook WHERE enabled";
                let all: Vec<_> = query::all(tx, sql, &[], read_told).await?;
                (Audience::new(all), charities::find(tx, charity).await?)
            }
        };
        let Some(campaign) = campaigns::find(tx, sum.campaign).await? else {
            continue;
        };
        let raised = sum.raised;
        let data = mapping::campaign(CampaignProgress { campaign, raised }, charity.as_ref(), at)?;
        let happenings = audience.happenings(EventType::CampaignGoalReached, at, &data);
        tell(tx, &audience, &happenings).await?;
    }
    Ok(())
}

fn read_told(row: &Row) -> Result<(ProjectId, WebhookId, EventTypes), Failure> {
    Ok((
        row.try_get("project")?,
        row.try_get("id")?,
        row.try_get("events")?,
    ))
}

/// Tells the project of a key that it is about to expire.
pub(crate) async fn tell_of_key(
    tx: &Transaction<'_>,
    key: &KeyRecord,
    at: Timestamp,
) -> Result<(), Failure> {
    let audience = audience(tx, &[key.project]).await?;
    let happening = |data| Happening {
        project: key.project,
        event_type: EventType::KeyExpiring,
        at,
        config: None,
        data,
    };
    match audience.is_told(key.project, EventType::KeyExpiring) {
        true => tell(tx, &audience, &[happening(mapping::expiring_key(key)?)]).await,
        false => Ok(()),
    }
}

/// Tells the project of a config that it was created or deleted.
pub(crate) async fn tell_of_config(
    tx: &Transaction<'_>,
    event_type: EventType,
    (project, id): (ProjectId, ConfigId),
    at: Timestamp,
) -> Result<(), Failure> {
    let audience = audience(tx, &[project]).await?;
    if !audience.is_told(project, event_type) {
        return Ok(());
    }
    let configs = Configs::load(tx, [id]).await?;
    let config = configs.get(id)?;
    let charities: Vec<_> = config.beneficiaries.iter().map(|it| it.charity).collect();
    let charities = charities::some(tx, &charities).await?;
    let happening = Happening {
        project,
        event_type,
        at,
        config: Some(id),
        data: mapping::config(config, &charities)?,
    };
    tell(tx, &audience, &[happening]).await
}

const DELIVERY: &str = "SELECT delivery.id, delivery.event, event.type, delivery.state,
      delivery.attempts, delivery.next_attempt_at, delivery.last_attempt_at, delivery.last_status,
      delivery.last_error, event.created_at
    FROM webhook_delivery AS delivery JOIN webhook_event AS event ON event.id = delivery.event";

/// A page of deliveries, in the order of the primary key.
async fn page(
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

async fn find_delivery(
    db: &impl GenericClient,
    webhook: WebhookId,
    id: DeliveryId,
) -> Result<Option<Delivery>, Failure> {
    let sql = format!("{DELIVERY} WHERE delivery.webhook = $1 AND delivery.id = $2");
    query::first(db, &sql, &[&webhook, &id], read_delivery).await
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

fn read_delivery(row: &Row) -> Result<Delivery, Failure> {
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
