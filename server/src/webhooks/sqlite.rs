//! Webhooks and their deliveries, in SQLite.

use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, HashMap};

use async_trait::async_trait;
use jiff::Timestamp;
use rusqlite::{Connection, Row, named_params};

use super::audience::{self, Audience, Happening};
use super::secret::SealedSecret;
use super::{
    Attempted, Backlog, Delivery, DeliveryId, DeliveryState, DueDelivery, DueWebhook, EventType,
    EventTypes, LastAttempt, Lease, NewEvent, Webhook, WebhookChange, WebhookCreation, WebhookId,
    WebhookSecrets, WebhookStore, mapping,
};
use crate::audit::AuditAction;
use crate::campaigns::{CampaignBeneficiary, CampaignProgress, sqlite as campaigns};
use crate::charities::sqlite as charities;
use crate::clock::after;
use crate::configs::{ConfigId, Requester, sqlite as configs};
use crate::database::sqlite::column::{self, Millis};
use crate::database::sqlite::{Sqlite, query};
use crate::database::{StoreError, Writer};
use crate::domain::position::Position;
use crate::donations::Donation;
use crate::donations::sqlite::Named;
use crate::keys::KeyRecord;
use crate::mail::{NewMail, sqlite as mail};
use crate::projects::{ProjectId, sqlite as projects};
use crate::rollups::batch::RollupBatch;
use crate::tokens::sqlite as tokens;

#[async_trait]
impl WebhookStore for Sqlite {
    async fn webhooks(&self, project: ProjectId) -> Result<Vec<Webhook>, StoreError> {
        self.read(move |db| Ok(of_project(db, project)?)).await
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
    ) -> Result<WebhookCreation, StoreError> {
        let writer = requester.writer(webhook.project);
        self.write(writer, move |tx| create(tx, requester, &webhook, &secret))
            .await
    }

    async fn change_webhook(
        &self,
        requester: Requester,
        of: (ProjectId, WebhookId),
        change: WebhookChange,
        now: Timestamp,
    ) -> Result<Option<Webhook>, StoreError> {
        self.write(requester.writer(of.0), move |tx| {
            let Some(webhook) = changeable(tx, requester, of)? else {
                return Ok(None);
            };
            let webhook = change.of(webhook);
            put(tx, &webhook)?;
            let action = AuditAction::WebhookChanged(webhook.url.clone());
            note(tx, requester, of.0, action, now)?;
            Ok(Some(webhook))
        })
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
        self.write(requester.writer(of.0), move |tx| {
            if changeable(tx, requester, of)?.is_none() {
                return Ok(None);
            }
            let sql = "UPDATE webhook SET previous_secret = secret, previous_secret_until = ?3,
                         secret = ?2 WHERE id = ?1";
            query::execute(tx, sql, (of.1, &secret.0, Millis(until)))?;
            let webhook = find(tx, of)?;
            if let Some(webhook) = &webhook {
                let action = AuditAction::WebhookSecretReplaced(webhook.url.clone());
                note(tx, requester, of.0, action, now)?;
            }
            Ok(webhook)
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
            Some(_) => Ok(Some(page(db, of.1, after, limit)?)),
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
            insert_event(tx, &event)?;
            insert_delivery(tx, of.1, delivery, &event)?;
            Ok(find_delivery(tx, of.1, delivery)?)
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
            Ok(find_delivery(tx, of.1, delivery)?)
        })
        .await
    }
    async fn take_due_webhook(
        &self,
        now: Timestamp,
        until: Timestamp,
    ) -> Result<Option<DueWebhook>, StoreError> {
        // Most of the time nothing is due, and looking for it writes nothing.
        let found = self.read(move |db| Ok(query::exists(db, DUE, [Millis(now)])?));
        if !found.await? {
            return Ok(None);
        }
        self.write(Writer::Server, move |tx| Ok(take(tx, now, until)?))
            .await
    }

    async fn due_deliveries(
        &self,
        webhook: WebhookId,
        now: Timestamp,
        limit: usize,
    ) -> Result<Vec<DueDelivery>, StoreError> {
        self.read(move |db| {
            let params = (webhook, Millis(now), limit);
            Ok(query::all(db, DUE_DELIVERIES, params, read_due)?)
        })
        .await
    }

    async fn note_attempts(
        &self,
        webhook: WebhookId,
        attempts: Vec<Attempted>,
    ) -> Result<(), StoreError> {
        self.write(Writer::Server, move |tx| {
            for attempted in &attempts {
                note_attempt(tx, webhook, attempted)?;
            }
            Ok(())
        })
        .await
    }

    async fn release_webhook(
        &self,
        lease: Lease,
        failing_since: Option<Timestamp>,
        pause_until: Timestamp,
    ) -> Result<(), StoreError> {
        self.write(Writer::Server, move |tx| {
            let sql = "UPDATE webhook SET failing_since = ?3, leased_until = ?4
                       WHERE id = ?1 AND leased_until = ?2";
            let failing = failing_since.map(Millis);
            let params = (
                lease.webhook,
                Millis(lease.until),
                failing,
                Millis(pause_until),
            );
            query::execute(tx, sql, params)?;
            Ok(())
        })
        .await
    }

    async fn switch_off_webhook(
        &self,
        lease: Lease,
        failing_since: Timestamp,
        mails: Vec<NewMail>,
    ) -> Result<bool, StoreError> {
        self.write(Writer::Server, move |tx| {
            let sql = "UPDATE webhook SET enabled = 0, failing_since = ?3
                       WHERE id = ?1 AND leased_until = ?2 AND enabled = 1";
            let params = (lease.webhook, Millis(lease.until), Millis(failing_since));
            if query::execute(tx, sql, params)? == 0 {
                return Ok(false);
            }
            for mail in &mails {
                mail::enqueue_to_account(tx, mail)?;
            }
            Ok(true)
        })
        .await
    }

    async fn webhook_backlog(&self, now: Timestamp) -> Result<Backlog, StoreError> {
        self.read(move |db| {
            let sql = "SELECT count(*) AS due, min(due.next_attempt_at) AS since
                       FROM webhook JOIN webhook_delivery AS due ON due.webhook = webhook.id
                       WHERE webhook.enabled = 1 AND webhook.failing_since IS NULL
                         AND due.next_attempt_at <= ?1";
            let read = |row: &Row<'_>| {
                Ok(Backlog {
                    due: row.get("due")?,
                    since: column::time_if_any(row, "since")?,
                })
            };
            Ok(query::first(db, sql, [Millis(now)], read)?.unwrap_or_default())
        })
        .await
    }

    async fn delete_old_deliveries(&self, before: Timestamp) -> Result<bool, StoreError> {
        self.write(Writer::Server, move |tx| Ok(delete_old(tx, before)?))
            .await
    }
}

/// The webhooks of which a delivery is due and nobody has the turn, the one that has waited longest first.
const DUE: &str = "SELECT id FROM webhook
    WHERE enabled = 1 AND leased_until <= ?1
      AND EXISTS (SELECT 1 FROM webhook_delivery AS due
                  WHERE due.webhook = webhook.id AND due.next_attempt_at <= ?1)
      AND NOT EXISTS (SELECT 1 FROM suspension WHERE suspension.project = webhook.project)
    ORDER BY leased_until LIMIT 1";

const DUE_DELIVERIES: &str = "SELECT due.id, due.event, due.attempts, due.give_up_at, event.body
    FROM webhook_delivery AS due JOIN webhook_event AS event ON event.id = due.event
    WHERE due.webhook = ?1 AND due.next_attempt_at <= ?2
    ORDER BY due.next_attempt_at, due.id LIMIT ?3";

fn take(db: &Connection, now: Timestamp, until: Timestamp) -> rusqlite::Result<Option<DueWebhook>> {
    let sql = format!(
        "UPDATE webhook SET leased_until = ?2 WHERE id = ({DUE})
         RETURNING id, project, url, secret,
           CASE WHEN previous_secret_until > ?1 THEN previous_secret END AS previous, failing_since"
    );
    query::first(db, &sql, (Millis(now), Millis(until)), |row| {
        let previous: Option<Vec<u8>> = row.get("previous")?;
        Ok(DueWebhook {
            lease: Lease {
                webhook: row.get("id")?,
                until,
            },
            project: row.get("project")?,
            url: row.get("url")?,
            secrets: WebhookSecrets {
                present: SealedSecret(row.get("secret")?),
                previous: previous.map(SealedSecret),
            },
            failing_since: column::time_if_any(row, "failing_since")?,
        })
    })
}

fn read_due(row: &Row<'_>) -> rusqlite::Result<DueDelivery> {
    Ok(DueDelivery {
        id: row.get("id")?,
        event: row.get("event")?,
        attempts: row.get("attempts")?,
        give_up_at: column::time(row, "give_up_at")?,
        body: row.get("body")?,
    })
}

fn note_attempt(
    db: &Connection,
    webhook: WebhookId,
    attempted: &Attempted,
) -> rusqlite::Result<()> {
    let (status, error) = match &attempted.last.answer {
        Ok(status) => (Some(status), None),
        Err(error) => (None, Some(error)),
    };
    query::execute(
        db,
        "UPDATE webhook_delivery SET state = :state, attempts = :attempts, next_attempt_at = :next,
           last_attempt_at = :at, last_status = :status, last_error = :error
         WHERE webhook = :webhook AND id = :id",
        named_params! {
            ":webhook": webhook,
            ":id": attempted.id,
            ":state": attempted.state,
            ":attempts": attempted.attempts,
            ":next": attempted.next_attempt_at.map(Millis),
            ":at": Millis(attempted.last.at),
            ":status": status,
            ":error": error,
        },
    )?;
    Ok(())
}

fn delete_old(db: &Connection, before: Timestamp) -> rusqlite::Result<bool> {
    let first = DeliveryId::first_of(before);
    let webhooks = query::all(db, "SELECT id FROM webhook", [], |row| row.get(0))?;
    let mut is_more = false;
    for webhook in webhooks {
        let webhook: WebhookId = webhook;
        let sql = "DELETE FROM webhook_delivery WHERE webhook = ?1 AND id IN (
                     SELECT id FROM webhook_delivery WHERE webhook = ?1 AND id < ?2 LIMIT ?3)";
        is_more |= query::execute(db, sql, (webhook, first, AT_ONCE))? == AT_ONCE;
    }
    let sql = "DELETE FROM webhook_event WHERE id IN (
                 SELECT id FROM webhook_event WHERE id < ?1 LIMIT ?2)";
    is_more |= query::execute(db, sql, (first, AT_ONCE))? == AT_ONCE;
    Ok(is_more)
}

/// The number of deliveries of one webhook, and of events, that are deleted in one transaction.
const AT_ONCE: usize = 1000;

const WEBHOOK: &str = "SELECT id, project, url, description, events, enabled, failing_since,
                         previous_secret_until, created_at FROM webhook";

/// A project's webhooks, oldest first.
pub(crate) fn of_project(db: &Connection, project: ProjectId) -> rusqlite::Result<Vec<Webhook>> {
    let sql = format!("{WEBHOOK} WHERE project = ?1 ORDER BY created_at, id");
    query::all(db, &sql, [project], read)
}

fn find(
    db: &Connection,
    (project, id): (ProjectId, WebhookId),
) -> rusqlite::Result<Option<Webhook>> {
    let sql = format!("{WEBHOOK} WHERE id = ?1 AND project = ?2");
    query::first(db, &sql, (id, project), read)
}

/// A webhook that the requester may change.
fn changeable(
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
) -> Result<WebhookCreation, StoreError> {
    if !configs::may_change(db, requester, webhook.project)? {
        return Ok(WebhookCreation::UnknownProject);
    }
    let count = "SELECT count(*) FROM webhook WHERE project = ?1";
    let count = query::first(db, count, [webhook.project], |row| row.get::<_, u32>(0))?;
    if count.unwrap_or(0) >= Webhook::MOST {
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
    let action = AuditAction::WebhookCreated(webhook.url.clone());
    note(db, requester, webhook.project, action, webhook.created_at)?;
    Ok(WebhookCreation::Created)
}

/// Writes what can change of a webhook. One that is not failing may be sent to at once.
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

/// Deletes a webhook with its deliveries.
fn delete(db: &Connection, id: WebhookId) -> rusqlite::Result<()> {
    query::execute(db, "DELETE FROM webhook_delivery WHERE webhook = ?1", [id])?;
    query::execute(db, "DELETE FROM webhook WHERE id = ?1", [id])?;
    Ok(())
}

/// Deletes the webhooks of a project, which is being deleted.
pub(crate) fn delete_all(db: &Connection, project: ProjectId) -> rusqlite::Result<()> {
    for webhook in of_project(db, project)? {
        delete(db, webhook.id)?;
    }
    Ok(())
}

/// Notes what a person did.
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

fn insert_event(db: &Connection, event: &NewEvent) -> rusqlite::Result<()> {
    let sql = "INSERT INTO webhook_event (id, type, body, created_at) VALUES (?1, ?2, ?3, ?4)";
    let event_type = event.event_type.as_str();
    query::execute(
        db,
        sql,
        (event.id, event_type, &event.body, Millis(event.at)),
    )?;
    Ok(())
}

fn insert_delivery(
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

/// The webhooks of a project that are on.
pub(crate) fn audience(db: &Connection, project: ProjectId) -> rusqlite::Result<Audience> {
    Ok(Audience::new(query::all(
        db,
        AUDIENCE,
        [project],
        read_told,
    )?))
}

const AUDIENCE: &str = "SELECT project, id, events FROM webhook WHERE project = ?1 AND enabled = 1";

/// Puts what happened on its way to those who are told it.
pub(crate) fn tell(
    db: &Connection,
    audience: &Audience,
    happenings: &[Happening],
) -> Result<(), StoreError> {
    let mut latest = HashMap::new();
    for (config, count) in audience::counts(happenings) {
        let sql = "INSERT INTO config_event (config, latest) VALUES (?1, ?2)
                   ON CONFLICT (config) DO UPDATE SET latest = latest + excluded.latest
                   RETURNING latest";
        let number = query::first(db, sql, (config, count), |row| row.get(0))?;
        latest.extend(number.map(|number: i64| (config, number)));
    }
    let told = audience.told(happenings, &latest)?;
    for event in &told.events {
        insert_event(db, event)?;
    }
    for (webhook, id, place) in told.deliveries {
        if let Some(event) = told.events.get(place) {
            insert_delivery(db, webhook, id, event)?;
        }
    }
    Ok(())
}

/// Tells projects of donations that were recorded or taken back: that of the config, and that whose contract
/// owns the token.
pub(crate) fn tell_of_donations(
    db: &Connection,
    donations: &[&Donation],
    named: &mut Named,
    at: Timestamp,
) -> Result<(), StoreError> {
    let mut audiences = HashMap::new();
    for donation in donations {
        for project in projects_of(db, donation, named)? {
            if let Entry::Vacant(entry) = audiences.entry(project) {
                entry.insert(audience(db, project)?);
            }
        }
    }
    let mut happenings = Vec::new();
    for donation in donations {
        let event_type = EventType::of_donation(donation.revision);
        for project in projects_of(db, donation, named)? {
            let is_told = |it: &Audience| it.is_told(project, event_type);
            let config = named.config(db, donation.config)?;
            let Some(config) = config.filter(|_| audiences.get(&project).is_some_and(is_told))
            else {
                continue;
            };
            let charities = config.beneficiaries.iter();
            let charities = charities.map(|it| charities::find(db, it.charity));
            let charities: Vec<_> = charities.collect::<Result<_, _>>()?;
            let charities: Vec<_> = charities.into_iter().flatten().collect();
            let token = tokens::get(db, donation.token.key())?;
            happenings.push(Happening {
                project,
                event_type,
                at,
                config: Some(donation.config),
                data: mapping::donation(donation, token, config, &charities)?,
            });
        }
    }
    let audience = audiences
        .into_values()
        .fold(Audience::default(), Audience::with);
    tell(db, &audience, &happenings)
}

/// The projects that a donation counts for.
fn projects_of(
    db: &Connection,
    donation: &Donation,
    named: &mut Named,
) -> Result<BTreeSet<ProjectId>, StoreError> {
    let owner = named.owner(db, donation.token.key())?.flatten();
    let config = named.config(db, donation.config)?.map(|it| it.project);
    Ok([owner, config].into_iter().flatten().collect())
}

/// Tells of campaigns that have raised what they aim for: the project of the config that one is for, or every
/// project that wants to know of one for a charity.
pub(crate) fn tell_of_goals(
    db: &Connection,
    batch: &RollupBatch,
    at: Timestamp,
) -> Result<(), StoreError> {
    for sum in batch.raised().filter(|it| it.has_reached_goal()) {
        let (audience, charities) = match sum.beneficiary {
            CampaignBeneficiary::Config(config) => {
                (audience(db, configs::get(db, config)?.project)?, None)
            }
            CampaignBeneficiary::Charity(charity) => {
                let all = query::all(db, EVERYBODY, [], read_told)?;
                (Audience::new(all), charities::find(db, charity)?)
            }
        };
        let Some(campaign) = campaigns::find(db, sum.campaign)? else {
            continue;
        };
        let raised = sum.raised;
        let data = mapping::campaign(
            CampaignProgress { campaign, raised },
            charities.as_ref(),
            at,
        )?;
        tell(
            db,
            &audience,
            &audience.happenings(EventType::CampaignGoalReached, at, &data),
        )?;
    }
    Ok(())
}

const EVERYBODY: &str = "SELECT project, id, events FROM webhook WHERE enabled = 1";

fn read_told(row: &Row<'_>) -> rusqlite::Result<(ProjectId, WebhookId, EventTypes)> {
    Ok((row.get("project")?, row.get("id")?, row.get("events")?))
}

/// Tells the project of a key that it is about to expire.
pub(crate) fn tell_of_key(
    db: &Connection,
    key: &KeyRecord,
    at: Timestamp,
) -> Result<(), StoreError> {
    let audience = audience(db, key.project)?;
    let happening = |data| Happening {
        project: key.project,
        event_type: EventType::KeyExpiring,
        at,
        config: None,
        data,
    };
    match audience.is_told(key.project, EventType::KeyExpiring) {
        true => tell(db, &audience, &[happening(mapping::expiring_key(key)?)]),
        false => Ok(()),
    }
}

/// Tells the project of a config that it was created or deleted.
pub(crate) fn tell_of_config(
    db: &Connection,
    event_type: EventType,
    (project, id): (ProjectId, ConfigId),
    at: Timestamp,
) -> Result<(), StoreError> {
    let audience = audience(db, project)?;
    if !audience.is_told(project, event_type) {
        return Ok(());
    }
    let config = configs::get(db, id)?;
    let charities = config.beneficiaries.iter();
    let charities = charities.map(|it| charities::find(db, it.charity));
    let charities: Vec<_> = charities.collect::<Result<_, _>>()?;
    let charities: Vec<_> = charities.into_iter().flatten().collect();
    let happening = Happening {
        project,
        event_type,
        at,
        config: Some(id),
        data: mapping::config(&config, &charities)?,
    };
    tell(db, &audience, &[happening])
}

const DELIVERY: &str = "SELECT delivery.id, delivery.event, event.type, delivery.state,
      delivery.attempts, delivery.next_attempt_at, delivery.last_attempt_at, delivery.last_status,
      delivery.last_error, event.created_at
    FROM webhook_delivery AS delivery JOIN webhook_event AS event ON event.id = delivery.event";

/// A page of deliveries, in the order of the primary key.
fn page(
    db: &Connection,
    webhook: WebhookId,
    after: Option<Position>,
    limit: usize,
) -> rusqlite::Result<Vec<Delivery>> {
    let below = DeliveryId::below(after);
    query::all(db, &page_sql(), (webhook, below, limit), read_delivery)
}

fn page_sql() -> String {
    format!(
        "{DELIVERY} WHERE delivery.webhook = ?1 AND delivery.id < ?2
         ORDER BY delivery.id DESC LIMIT ?3"
    )
}

fn find_delivery(
    db: &Connection,
    webhook: WebhookId,
    id: DeliveryId,
) -> rusqlite::Result<Option<Delivery>> {
    let sql = format!("{DELIVERY} WHERE delivery.webhook = ?1 AND delivery.id = ?2");
    query::first(db, &sql, (webhook, id), read_delivery)
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

fn read_delivery(row: &Row<'_>) -> rusqlite::Result<Delivery> {
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
    fn a_project_without_webhooks_costs_a_look_into_an_index() {
        let index = "SEARCH webhook USING INDEX webhook_of_project (project=?)";
        query::assert_reads_index(AUDIENCE, [[0; 16]], index);
    }

    #[test]
    fn what_is_due_is_read_from_its_index() {
        let index = "webhook_delivery_due (webhook=? AND next_attempt_at<?)";
        query::assert_reads_index(&DUE.replace("ORDER BY leased_until", ""), [0], index);
        query::assert_reads_index(DUE_DELIVERIES, ([0; 16], 0, 0), index);
    }

    #[test]
    fn a_page_reads_its_index_and_sorts_nothing() {
        query::assert_reads_index(
            &page_sql(),
            ([0; 16], [0; 16], 0),
            "SEARCH delivery USING PRIMARY KEY (webhook=? AND id<?)",
        );
    }
}
