//! Tests on both databases: webhooks belong to their projects, and so do their deliveries.

use alloy_primitives::hex;
use jiff::Timestamp;
use uuid::Uuid;

use crate::records::{at, project_id};
use crate::world::{Site, World};
use db::{Db, Tx};
use edge::clock::after;
use features::audit::{self, AuditAction, AuditAuthor};
use features::domain::entity_tag::IfMatch;
use features::domain::ids::{AccountId, KeyId};
use features::domain::position::Placed;
use features::domain::service_identity::{BaseUrl, ServiceIdentity};
use features::events::{DeliveryId, DeliveryState, EventType, EventTypes, NewEvent, WebhookId};
use features::idempotency::Idempotency;
use features::projects::{Actor, ProjectId, Requester};
use features::webhooks::lifecycle;
use features::webhooks::secret::SealedSecret;
use features::webhooks::{
    Delivery, NewSecret, SecretRotation, TargetRules, Webhook, WebhookCreation, WebhookError,
    WebhookRejection, WebhookUpdate,
};

pub(super) fn id(n: u8) -> WebhookId {
    WebhookId(Uuid::from_bytes([n; 16]))
}

pub(super) fn webhook(n: u8, project: u8) -> Webhook {
    Webhook {
        id: id(n),
        project: project_id(project),
        url: format!("https://partner.example/{n}"),
        description: Some(format!("Number {n}")),
        events: EventTypes::from(EventType::ConfigCreated),
        is_enabled: true,
        failing_since: None,
        previous_secret_until: None,
        created_at: at(i64::from(n)),
    }
}

pub(super) fn sealed(n: u8) -> SealedSecret {
    SealedSecret(vec![n; 60])
}

/// A secret that begins to sign at a time.
pub(super) fn secret(second: i64, unless_since: Option<Timestamp>) -> NewSecret {
    NewSecret {
        secret: sealed(2),
        at: at(second),
        until: after(at(second), Webhook::PREVIOUS_SECRET),
        unless_since,
        idempotency: None,
    }
}

pub(super) async fn create(store: &Db, webhook: Webhook) -> Result<WebhookCreation, WebhookError> {
    let created = features::webhooks::store::create_webhook(
        store,
        crate::records::BY_KEY,
        webhook,
        sealed(1),
        None,
    );
    created.await
}

/// All webhooks of a project.
async fn list(store: &Db, project: u8) -> Vec<Webhook> {
    features::webhooks::store::webhooks(store, project_id(project), None, 99)
        .await
        .unwrap()
}

pub(super) async fn deliver(
    store: &Db,
    of: (ProjectId, WebhookId),
    now: Timestamp,
) -> Result<Delivery, WebhookError> {
    let event = NewEvent::sample(EventType::Test, now).unwrap();
    let delivered = features::webhooks::store::deliver(
        store,
        crate::records::BY_KEY,
        of,
        DeliveryId::new(now),
        event,
    );
    delivered.await
}

async fn a_webhook_belongs_to_its_project(site: Site) {
    let world = World::new(&site).await;
    let store = &world.store;
    for one in [webhook(2, 1), webhook(1, 1), webhook(3, 2)] {
        create(store, one).await.unwrap();
    }
    let all = list(store, 1).await;
    assert_eq!(all, [webhook(1, 1), webhook(2, 1)]);
    assert_eq!(
        features::webhooks::store::webhook(store, project_id(2), id(1))
            .await
            .unwrap(),
        None
    );
    let theirs = (project_id(2), id(1));
    let change = || WebhookUpdate {
        is_enabled: Some(false),
        ..WebhookUpdate::default()
    };
    let by = crate::records::BY_KEY;
    let changed =
        features::webhooks::store::update_webhook(store, by, theirs, change(), Vec::new(), at(9))
            .await;
    assert_eq!(changed, Err(WebhookRejection::Unknown.into()));
    let replaced =
        features::webhooks::store::replace_secret(store, by, theirs, secret(9, None), Vec::new())
            .await;
    assert_eq!(replaced, Err(WebhookRejection::Unknown.into()));
    assert!(
        !features::webhooks::store::delete_webhook(store, by, theirs, None, at(9))
            .await
            .unwrap()
    );
    let delivered = deliver(store, theirs, at(9)).await;
    assert_eq!(delivered, Err(WebhookRejection::Unknown.into()));
    assert_eq!(
        features::webhooks::store::deliveries(store, theirs, None, 9)
            .await
            .unwrap(),
        None
    );

    let own = (project_id(1), id(1));
    let changed =
        features::webhooks::store::update_webhook(store, by, own, change(), Vec::new(), at(9))
            .await;
    let off = Webhook {
        is_enabled: false,
        ..webhook(1, 1)
    };
    assert_eq!(changed, Ok(off.clone()));
    let replaced =
        features::webhooks::store::replace_secret(store, by, own, secret(9, None), Vec::new())
            .await;
    let rotated = Webhook {
        previous_secret_until: Some(secret(9, None).until),
        ..off
    };
    assert_eq!(replaced, Ok(SecretRotation::Rotated(rotated.clone())));
    assert_eq!(
        features::webhooks::store::webhook(store, own.0, own.1)
            .await
            .unwrap(),
        Some(rotated)
    );
    deliver(store, own, at(9)).await.unwrap();
    assert!(
        features::webhooks::store::delete_webhook(store, by, own, None, at(9))
            .await
            .unwrap()
    );
    assert_eq!(list(store, 1).await, [webhook(2, 1)]);
    assert_eq!(
        features::webhooks::store::deliveries(store, own, None, 9)
            .await
            .unwrap(),
        None
    );
}

/// A form that is sent twice does its work once.
async fn what_is_repeated_changes_nothing(site: Site) {
    let world = World::new(&site).await;
    let store = &world.store;
    create(store, webhook(1, 1)).await.unwrap();
    for again in [webhook(1, 1), webhook(1, 2)] {
        let created = create(store, again).await;
        assert_eq!(created, Err(WebhookRejection::Repeated.into()));
    }
    let (by, of) = (crate::records::BY_KEY, (project_id(1), id(1)));
    let replace = async |second, since| {
        let new = secret(second, Some(at(since)));
        features::webhooks::store::replace_secret(store, by, of, new, Vec::new()).await
    };
    replace(20, 19).await.unwrap();
    let again = replace(21, 19).await;
    assert_eq!(again, Err(WebhookRejection::Repeated.into()));
    let kept = features::webhooks::store::webhook(store, of.0, of.1)
        .await
        .unwrap()
        .unwrap();
    let until = secret(20, None).until;
    assert_eq!(kept.previous_secret_until, Some(until));
    replace(22, 21).await.unwrap();
}

/// Creates webhook `n` with a key.
async fn create_once(
    store: &Db,
    n: u8,
    project: u8,
    second: i64,
    (key, body): (&str, u8),
) -> Result<WebhookCreation, WebhookError> {
    let webhook = Webhook {
        created_at: at(second),
        ..webhook(n, project)
    };
    let idempotency = Idempotency {
        key: key.to_owned(),
        fingerprint: [body; 32],
    };
    let by = crate::records::BY_KEY;
    let created =
        features::webhooks::store::create_webhook(store, by, webhook, sealed(n), Some(idempotency));
    created.await
}

/// The webhook that a creation replays, and its secret.
fn replayed(creation: Result<WebhookCreation, WebhookError>) -> (WebhookId, SealedSecret) {
    match creation {
        Ok(WebhookCreation::Replayed { webhook, secret }) => (webhook.id, secret),
        other => panic!("{other:?}"),
    }
}

async fn a_key_creates_one_webhook(site: Site) {
    let world = World::new(&site).await;
    let store = &world.store;
    let key = ("k", 1);
    let created = create_once(store, 1, 1, 5, key).await;
    assert_eq!(created, Ok(WebhookCreation::Created));
    let again = create_once(store, 2, 1, 6, key).await;
    assert_eq!(replayed(again), (id(1), sealed(1)));
    let reused = create_once(store, 2, 1, 6, ("k", 2)).await;
    assert_eq!(reused, Err(WebhookRejection::KeyReused.into()));
    // Each project has its own keys.
    let other = create_once(store, 3, 2, 6, key).await;
    assert_eq!(other, Ok(WebhookCreation::Created));

    // A replay has the present secret, which the record does not hold.
    let of = (project_id(1), id(1));
    let rotate = async |second, body| {
        let idempotency = Some(Idempotency {
            key: "r".to_owned(),
            fingerprint: [body; 32],
        });
        let new = NewSecret {
            idempotency,
            ..secret(second, None)
        };
        let by = crate::records::BY_KEY;
        features::webhooks::store::replace_secret(store, by, of, new, Vec::new()).await
    };
    let rotated = Webhook {
        previous_secret_until: Some(secret(7, None).until),
        created_at: at(5),
        ..webhook(1, 1)
    };
    let replaced = rotate(7, 1).await;
    assert_eq!(replaced, Ok(SecretRotation::Rotated(rotated.clone())));
    let again = rotate(8, 1).await;
    let current = SecretRotation::Replayed {
        webhook: rotated,
        secret: sealed(2),
    };
    assert_eq!(again, Ok(current));
    let reused = rotate(8, 2).await;
    assert_eq!(reused, Err(WebhookRejection::KeyReused.into()));
    let again = create_once(store, 2, 1, 8, key).await;
    assert_eq!(replayed(again), (id(1), sealed(2)));
    let rows = world.dump().await;
    let records: Vec<_> = rows
        .iter()
        .filter(|row| row.starts_with("idempotency "))
        .collect();
    assert_eq!(records.len(), 3, "{records:?}");
    for sealed in [sealed(1), sealed(2)] {
        let sealed = hex::encode(sealed.0);
        let holds = |row: &&&String| row.to_lowercase().contains(&sealed);
        assert!(rows.iter().any(|row| holds(&&row)), "{rows:?}");
        assert!(!records.iter().any(|row| holds(&row)), "{records:?}");
    }
    assert_eq!(list(store, 1).await.len(), 1);
}

async fn a_key_is_free_once_it_expires_or_its_webhook_is_deleted(site: Site) {
    const DAY: i64 = 86_400;
    let world = World::new(&site).await;
    let store = &world.store;
    let created = create_once(store, 1, 1, 0, ("k", 1)).await;
    assert_eq!(created, Ok(WebhookCreation::Created));
    let late = create_once(store, 2, 1, DAY - 1, ("k", 1)).await;
    assert_eq!(replayed(late).0, id(1));
    let expired = create_once(store, 2, 1, DAY, ("k", 2)).await;
    assert_eq!(expired, Ok(WebhookCreation::Created));
    let deleted = features::webhooks::store::delete_webhook(
        store,
        crate::records::BY_KEY,
        (project_id(1), id(2)),
        None,
        at(DAY + 1),
    );
    assert!(deleted.await.unwrap());
    let free = create_once(store, 3, 1, DAY + 2, ("k", 1)).await;
    assert_eq!(free, Ok(WebhookCreation::Created));
    // An earlier webhook of the key goes without its record.
    let deleted = features::webhooks::store::delete_webhook(
        store,
        crate::records::BY_KEY,
        (project_id(1), id(1)),
        None,
        at(DAY + 3),
    );
    assert!(deleted.await.unwrap());
    let again = create_once(store, 4, 1, DAY + 4, ("k", 1)).await;
    assert_eq!(replayed(again).0, id(3));
}

/// A replay does not count against the quota, and a refusal is not stored.
async fn a_replay_is_not_limited(site: Site) {
    let world = World::new(&site).await;
    let store = &world.store;
    for n in 1..=10 {
        let created = create_once(store, n, 1, 5, (&n.to_string(), n)).await;
        assert_eq!(created, Ok(WebhookCreation::Created));
    }
    for _ in 0..2 {
        let refused = create_once(store, 11, 1, 6, ("11", 11)).await;
        assert_eq!(refused, Err(WebhookRejection::QuotaExceeded.into()));
    }
    let again = create_once(store, 11, 1, 6, ("1", 1)).await;
    assert_eq!(replayed(again).0, id(1));
    let deleted = features::webhooks::store::delete_webhook(
        store,
        crate::records::BY_KEY,
        (project_id(1), id(9)),
        None,
        at(7),
    );
    assert!(deleted.await.unwrap());
    let created = create_once(store, 11, 1, 8, ("11", 1)).await;
    assert_eq!(created, Ok(WebhookCreation::Created));
}

async fn twins_in_flight_create_one_webhook(site: Site) {
    let world = World::new(&site).await;
    let stores = [world.store.clone(), world.another().await];
    let creating = (1..=8).map(|n| create_once(&stores[usize::from(n % 2)], n, 1, 5, ("k", 1)));
    let created = futures_util::future::join_all(creating).await;
    let first = created
        .iter()
        .filter(|it| **it == Ok(WebhookCreation::Created));
    assert_eq!(first.count(), 1, "{created:?}");
    let all = list(&world.store, 1).await;
    assert_eq!(all.len(), 1);
    for creation in created
        .into_iter()
        .filter(|it| *it != Ok(WebhookCreation::Created))
    {
        assert_eq!(replayed(creation).0, all[0].id);
    }
}

async fn a_change_holds_to_its_condition(site: Site) {
    let world = World::new(&site).await;
    let store = &world.store;
    create(store, webhook(1, 1)).await.unwrap();
    let change = async |tag: String, enabled| {
        let change = WebhookUpdate {
            is_enabled: Some(enabled),
            if_match: Some(IfMatch(tag)),
            ..WebhookUpdate::default()
        };
        let of = (project_id(1), id(1));
        let changed = features::webhooks::store::update_webhook(
            store,
            crate::records::BY_KEY,
            of,
            change,
            Vec::new(),
            at(9),
        );
        changed.await
    };
    let tag = webhook(1, 1).tag();
    let off = change(tag.clone(), false).await.unwrap();
    assert!(!off.is_enabled);
    let rejected = change(tag, true).await;
    assert_eq!(rejected, Err(WebhookRejection::OtherTag.into()));
    assert_eq!(list(store, 1).await, std::slice::from_ref(&off));
    assert!(change(off.tag(), true).await.unwrap().is_enabled);
    assert!(!change("*".to_owned(), false).await.unwrap().is_enabled);
}

/// A leaked key can change webhooks: the log names it.
async fn changes_are_in_the_audit_log_with_the_person_or_the_key(site: Site) {
    let world = World::new(&site).await;
    let (store, by) = (&world.store, Requester::Actor(Actor::Operator));
    let of = (project_id(1), id(1));
    let created =
        features::webhooks::store::create_webhook(store, by, webhook(1, 1), sealed(1), None).await;
    assert_eq!(created, Ok(WebhookCreation::Created));
    let switched = |is_enabled| WebhookUpdate {
        is_enabled: Some(is_enabled),
        ..WebhookUpdate::default()
    };
    let moved = WebhookUpdate {
        url: Some("https://partner.example/new".to_owned()),
        ..switched(true)
    };
    for change in [switched(false), switched(true), moved] {
        for by in [by, crate::records::BY_KEY] {
            let changed = features::webhooks::store::update_webhook(
                store,
                by,
                of,
                change.clone(),
                Vec::new(),
                at(9),
            )
            .await;
            changed.unwrap();
        }
    }
    features::webhooks::store::replace_secret(store, by, of, secret(9, None), Vec::new())
        .await
        .unwrap();
    assert!(
        features::webhooks::store::delete_webhook(store, by, of, None, at(9))
            .await
            .unwrap()
    );
    let noted = audit::of_project(store, Actor::Operator, of.0, None, 99).await;
    let mut noted = noted.unwrap().unwrap();
    noted.reverse();
    let noted: Vec<_> = noted.into_iter().map(|it| (it.action, it.by)).collect();
    let (old, new) = (webhook(1, 1).url, "https://partner.example/new".to_owned());
    let operator = || AuditAuthor::Operator;
    let unknown_key = || AuditAuthor::Key {
        prefix: String::new(),
        label: None,
    };
    let mut expected = vec![(AuditAction::WebhookCreated(old.clone()), operator())];
    for action in [
        AuditAction::WebhookDisabled(old.clone()),
        AuditAction::WebhookEnabled(old),
        AuditAction::WebhookChanged(new.clone()),
    ] {
        expected.push((action.clone(), operator()));
        expected.push((action, unknown_key()));
    }
    expected.push((AuditAction::WebhookSecretReplaced(new.clone()), operator()));
    expected.push((AuditAction::WebhookDeleted(new), operator()));
    assert_eq!(noted, expected);
}

/// A change of the URL or the secret is reported, at most once an hour: a leaked key could change them all day.
async fn owners_get_an_email_an_hour_about_changes_of_webhooks(site: Site) {
    let world = World::new(&site).await;
    let store = &world.store;
    crate::keys::owned_by(store, "ada").await;
    let sent = sent_emails(store).await;
    let service = ServiceIdentity::at(BaseUrl::at(([127, 0, 0, 1], 8080).into()));
    let rules = TargetRules::default();
    let by = crate::records::BY_KEY;
    features::webhooks::store::create_webhook(store, by, webhook(1, 1), sealed(1), None)
        .await
        .unwrap();
    let change = async |change, at| {
        let of = (project_id(1), id(1));
        lifecycle::update(store, (&rules, &service), by, of, change, at)
            .await
            .unwrap();
        sent_emails(store).await - sent
    };
    let moved = |n: u8| WebhookUpdate {
        url: Some(format!("https://partner.example/{n}")),
        ..WebhookUpdate::default()
    };
    let described = WebhookUpdate {
        description: Some(Some("Mine".to_owned())),
        ..WebhookUpdate::default()
    };
    assert_eq!(change(moved(4), at(10)).await, 1);
    assert_eq!(change(moved(4), at(20_000)).await, 1, "the same URL");
    assert_eq!(change(moved(2), at(40_000)).await, 2);
    assert_eq!(change(moved(3), at(40_060)).await, 2);
    assert_eq!(change(described, at(60_000)).await, 2);
    assert_eq!(change(moved(5), at(60_060)).await, 3, "no email before");
}

/// The number of emails in the outbox.
async fn sent_emails(store: &Db) -> u64 {
    let count = |tx: &Tx<'_>| {
        let sql = "SELECT count(*) AS count FROM outbox";
        tx.one(sql, &[], |row| row.get("count"))
    };
    store.read(count).await.unwrap()
}

async fn a_project_has_ten(site: Site) {
    let world = World::new(&site).await;
    let other = world.another().await;
    let stores = [&world.store, &other];
    let creating = (1..=12).map(|n| create(stores[usize::from(n % 2)], webhook(n, 1)));
    let created = futures_util::future::join_all(creating).await;
    let refused = created
        .iter()
        .filter(|it| **it == Err(WebhookRejection::QuotaExceeded.into()));
    assert_eq!(refused.count(), 2);
    assert_eq!(list(&other, 1).await.len(), 10);
    create(&other, webhook(20, 2)).await.unwrap();
}

async fn webhooks_are_paged(site: Site) {
    let world = World::new(&site).await;
    let store = &world.store;
    let at_once = |n| Webhook {
        created_at: at(1),
        ..webhook(n, 1)
    };
    let all = [at_once(3), at_once(4), webhook(2, 1)];
    for webhook in [&all[1], &all[2], &all[0], &webhook(5, 2)] {
        create(store, webhook.clone()).await.unwrap();
    }
    let page = async |after: Option<&Webhook>, limit| {
        let read = features::webhooks::store::webhooks(
            store,
            project_id(1),
            after.map(Placed::position),
            limit,
        );
        read.await.unwrap()
    };
    assert_eq!(page(None, 9).await, all);
    assert_eq!(page(None, 2).await, all[..2]);
    assert_eq!(page(Some(&all[0]), 1).await, all[1..2]);
    assert_eq!(page(Some(&all[1]), 9).await, all[2..]);
    assert_eq!(page(Some(&all[2]), 9).await, []);
}

async fn deliveries_are_paged_and_sent_again(site: Site) {
    let world = World::new(&site).await;
    let store = &world.store;
    create(store, webhook(1, 1)).await.unwrap();
    create(store, webhook(2, 1)).await.unwrap();
    let of = (project_id(1), id(1));
    deliver(store, (project_id(1), id(2)), at(5)).await.unwrap();
    let mut made = Vec::new();
    for second in [5, 5, 6, 7] {
        made.push(deliver(store, of, at(second)).await.unwrap());
    }
    made.sort_by_key(|it| std::cmp::Reverse(it.id));
    let page = async |after: Option<&Delivery>, limit| {
        let read =
            features::webhooks::store::deliveries(store, of, after.map(Placed::position), limit);
        read.await.unwrap().unwrap()
    };
    assert_eq!(page(None, 9).await, made);
    assert_eq!(page(None, 2).await, made[..2]);
    assert_eq!(page(Some(&made[1]), 9).await, made[2..]);
    let first = &made[0];
    assert_eq!(first.state, DeliveryState::Pending);
    assert_eq!((first.attempts, first.next_attempt_at), (0, Some(at(7))));
    assert_eq!(
        (first.event_type, first.log.last()),
        (EventType::Test, None)
    );

    let again =
        features::webhooks::store::redeliver(store, crate::records::BY_KEY, of, first.id, at(50));
    let expected = Delivery {
        next_attempt_at: Some(at(50)),
        ..first.clone()
    };
    assert_eq!(again.await.unwrap(), Some(expected));
    let unknown = features::webhooks::store::redeliver(
        store,
        crate::records::BY_KEY,
        of,
        DeliveryId(Uuid::nil()),
        at(50),
    );
    assert_eq!(unknown.await.unwrap(), None);
}

async fn webhooks_go_with_their_project(site: Site) {
    let world = World::new(&site).await;
    let store = &world.store;
    create(store, webhook(1, 1)).await.unwrap();
    create(store, webhook(2, 2)).await.unwrap();
    deliver(store, (project_id(1), id(1)), at(5)).await.unwrap();
    let deleted = features::project_lifecycle::delete(store, Actor::Operator, project_id(1), at(9));
    deleted.await.unwrap();
    assert_eq!(list(store, 1).await, []);
    assert_eq!(list(store, 2).await.len(), 1);
}

async fn webhooks_that_an_author_changed_are_disabled_together(site: Site) {
    let world = World::new(&site).await;
    let store = &world.store;
    let other = Requester::Key(KeyId(Uuid::from_u128(9)));
    for one in [webhook(1, 1), webhook(2, 1), webhook(3, 1), webhook(4, 2)] {
        create(store, one).await.unwrap();
    }
    let new = secret(9, None);
    let replace = features::webhooks::store::replace_secret;
    replace(store, other, (project_id(1), id(2)), new, Vec::new())
        .await
        .unwrap();
    let moved = WebhookUpdate {
        url: Some("https://attacker.example/".to_owned()),
        ..WebhookUpdate::default()
    };
    let change = features::webhooks::store::update_webhook;
    let of = (project_id(1), id(3));
    change(store, other, of, moved, Vec::new(), at(9))
        .await
        .unwrap();

    let changed_by = features::webhooks::store::webhooks_changed_by;
    let found = changed_by(store, project_id(1), other).await.unwrap();
    let ids: Vec<_> = found.iter().map(|it| it.id).collect();
    assert_eq!(ids, [id(2), id(3)]);
    let disable = features::webhooks::store::disable_webhooks_changed_by;
    let stranger = Requester::Actor(Actor::Account(AccountId(Uuid::nil())));
    assert!(
        !disable(store, stranger, project_id(1), other, at(10))
            .await
            .unwrap()
    );
    let operator = Requester::Actor(Actor::Operator);
    assert!(
        disable(store, operator, project_id(1), other, at(10))
            .await
            .unwrap()
    );
    let enabled = list(store, 1)
        .await
        .into_iter()
        .map(|it| (it.id, it.is_enabled));
    assert!(enabled.eq([(id(1), true), (id(2), false), (id(3), false)]));
    assert!(list(store, 2).await[0].is_enabled);
}

on_each_database! {
    webhooks_that_an_author_changed_are_disabled_together,
    a_webhook_belongs_to_its_project,
    a_project_has_ten,
    what_is_repeated_changes_nothing,
    a_key_creates_one_webhook,
    a_key_is_free_once_it_expires_or_its_webhook_is_deleted,
    a_replay_is_not_limited,
    twins_in_flight_create_one_webhook,
    a_change_holds_to_its_condition,
    changes_are_in_the_audit_log_with_the_person_or_the_key,
    owners_get_an_email_an_hour_about_changes_of_webhooks,
    webhooks_are_paged,
    deliveries_are_paged_and_sent_again,
    webhooks_go_with_their_project,
}
