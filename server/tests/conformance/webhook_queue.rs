//! Events are queued in the transaction of the change, and one server at a time sends to a webhook.

use std::collections::HashSet;
use std::time::Duration;

use futures_util::future::join_all;
use jiff::Timestamp;

use crate::records::{at, config, config_id, project_id};
use crate::webhooks::{create, deliver, id, sealed, secret, webhook};
use crate::world::{Site, World};
use db::Db;
use edge::clock::after;
use features::audit::{self, AuditAction};
use features::events::{DeliveryId, DeliveryState, EventType, EventTypes, WebhookId};
use features::projects::Actor;
use features::suspensions::Suspension;
use features::webhooks::{
    Attempt, AttemptLog, Attempted, Backlog, Delivery, DueWebhook, NewSecret, Places, TurnEnd,
    TurnNotes, Webhook, WebhookSecrets, WebhookUpdate,
};

const NOW: i64 = 1_000_000;

pub(crate) async fn take(store: &Db, now: i64, until: i64) -> Option<DueWebhook> {
    let taken =
        features::webhooks::queue::take_due_webhooks(store, at(now), at(until), Places::new(1));
    let mut taken = taken.await.unwrap();
    assert!(taken.len() <= 1, "{taken:?}");
    taken.pop()
}

async fn note(store: &Db, attempts: Vec<(WebhookId, Attempted)>, ends: Vec<TurnEnd>) {
    let noted = features::webhooks::queue::note_turns(store, TurnNotes { attempts, ends });
    noted.await.unwrap();
}

pub(crate) async fn send_test(store: &Db, n: u8, second: i64) -> Delivery {
    let delivered = deliver(store, (project_id(1), id(n)), at(second)).await;
    delivered.unwrap()
}

async fn found(store: &Db, n: u8) -> Webhook {
    let found = features::webhooks::store::webhook(store, project_id(1), id(n)).await;
    found.unwrap().unwrap()
}

async fn types_of(store: &Db, n: u8) -> Vec<EventType> {
    let read = features::webhooks::store::deliveries(store, (project_id(1), id(n)), None, 100);
    let mut types: Vec<_> = read.await.unwrap().unwrap();
    types.sort_by_key(|it| it.id);
    types.iter().map(|it| it.event_type).collect()
}

async fn configs_are_told_to_webhooks_that_are_on(site: Site) {
    let world = World::new(&site).await;
    let store = &world.store;
    let both = EventTypes::from_iter([EventType::ConfigCreated, EventType::ConfigDeleted]);
    create(store, webhook(1, 1)).await.unwrap();
    let every = Webhook {
        events: both,
        ..webhook(2, 1)
    };
    create(store, every).await.unwrap();
    let off = Webhook {
        is_enabled: false,
        ..webhook(3, 1)
    };
    create(store, off).await.unwrap();
    create(store, webhook(4, 2)).await.unwrap();
    let make = async |n, quota| {
        let encode = |_: &_, _: &[_]| Ok(Vec::new());
        let made = config(n, 1, &[(1, 1)]);
        let created = features::configs::store::create_config(
            store,
            crate::records::BY_KEY,
            made,
            None,
            quota,
            encode,
        );
        created.await
    };
    make(9, 2).await.unwrap();
    // A rejected donation enqueues no event.
    make(10, 2).await.unwrap_err();
    let deleted = features::configs::store::delete_config(
        store,
        crate::records::BY_KEY,
        project_id(1),
        config_id(9),
        None,
        at(10),
    );
    assert!(deleted.await.unwrap());
    let again = features::configs::store::delete_config(
        store,
        crate::records::BY_KEY,
        project_id(1),
        config_id(9),
        None,
        at(11),
    );
    assert!(!again.await.unwrap());
    use EventType::{ConfigCreated, ConfigDeleted};
    assert_eq!(types_of(store, 1).await, [ConfigCreated]);
    assert_eq!(types_of(store, 2).await, [ConfigCreated, ConfigDeleted]);
    assert_eq!(types_of(store, 3).await, []);
    let theirs = features::webhooks::store::deliveries(store, (project_id(2), id(4)), None, 9);
    assert_eq!(theirs.await.unwrap(), Some(Vec::new()));
}

async fn a_turn_is_one_servers(site: Site) {
    let world = World::new(&site).await;
    let (store, other) = (&world.store, &world.another().await);
    assert_eq!(take(store, NOW, NOW).await, None);
    create(store, webhook(1, 1)).await.unwrap();
    create(store, webhook(2, 1)).await.unwrap();
    let first = send_test(store, 1, NOW).await;
    let second = send_test(store, 1, NOW + 1).await;
    assert_eq!(take(store, NOW - 1, NOW + 60).await, None, "none is due");
    let backlog = Backlog {
        due: 1,
        since: Some(at(NOW)),
    };
    assert_eq!(
        features::webhooks::queue::webhook_backlog(other, at(NOW))
            .await
            .unwrap(),
        backlog
    );

    let due = take(store, NOW + 1, NOW + 60).await.unwrap();
    assert_eq!((due.lease.webhook, due.project), (id(1), project_id(1)));
    assert_eq!(due.url, webhook(1, 1).url);
    let secrets = WebhookSecrets {
        present: sealed(1),
        previous: None,
    };
    assert_eq!((due.secrets, due.failing_since), (secrets, None));
    assert_eq!(take(other, NOW + 59, NOW + 120).await, None);
    let read = features::webhooks::queue::due_deliveries(store, id(1), at(NOW + 1), 9)
        .await
        .unwrap();
    let ids: Vec<_> = read.iter().map(|it| it.id).collect();
    assert_eq!(ids, [first.id, second.id]);
    assert_eq!(read[0].give_up_at, after(at(NOW), Delivery::TRIED_FOR));
    assert!(read[0].body.starts_with(b"{\"id\":"));

    let delivered = attempted(first.id, DeliveryState::Delivered, None, Ok(204));
    let pending = attempted(
        second.id,
        DeliveryState::Pending,
        Some(at(NOW + 90)),
        Err("no answer".to_owned()),
    );
    let attempts = [&delivered, &pending].map(|it| (id(1), it.clone()));
    note(store, attempts.to_vec(), Vec::new()).await;
    let read = features::webhooks::store::deliveries(store, (project_id(1), id(1)), None, 9);
    let read = read.await.unwrap().unwrap();
    for (delivery, attempted) in read.iter().rev().zip([delivered, pending]) {
        assert_eq!(delivery.state, attempted.state);
        assert_eq!(delivery.attempts, 1);
        assert_eq!(delivery.next_attempt_at, attempted.next_attempt_at);
        assert_eq!(delivery.log, attempted.log);
    }

    // A turn that is over says nothing any more.
    let late = take(other, NOW + 100, NOW + 160).await.unwrap();
    let release = async |lease, failing_since, pause_until| {
        let end = TurnEnd {
            lease,
            failing_since,
            pause_until,
            is_slow: false,
        };
        note(store, Vec::new(), vec![end]).await;
    };
    release(due.lease, Some(at(NOW)), at(NOW)).await;
    assert_eq!(found(store, 1).await.failing_since, None);
    assert_eq!(take(store, NOW + 101, NOW + 161).await, None);
    release(late.lease, Some(at(NOW + 100)), at(NOW + 130)).await;
    assert_eq!(found(store, 1).await.failing_since, Some(at(NOW + 100)));
    assert_eq!(take(store, NOW + 129, NOW + 189).await, None, "a pause");
    let again = take(store, NOW + 130, NOW + 190).await.unwrap();
    assert_eq!(again.failing_since, Some(at(NOW + 100)));
}

fn attempted(
    id: DeliveryId,
    state: DeliveryState,
    next_attempt_at: Option<Timestamp>,
    answer: Result<u16, String>,
) -> Attempted {
    Attempted {
        id,
        state,
        attempts: 1,
        next_attempt_at,
        log: AttemptLog::default().with(Attempt {
            at: at(NOW + 2),
            outcome: answer,
            milliseconds: 7,
        }),
        response: Some("ok".to_owned()),
    }
}

async fn servers_that_take_at_once_take_different_turns(site: Site) {
    let world = World::new(&site).await;
    let stores = [world.store.clone(), world.another().await];
    for n in 1..=10 {
        create(&stores[0], webhook(n, 1)).await.unwrap();
        send_test(&stores[0], n, NOW).await;
    }
    let taking = (0..14).map(|n| {
        let store = stores[n % 2].clone();
        tokio::spawn(async move { take(&store, NOW, NOW + 60).await })
    });
    let taken = join_all(taking).await.into_iter();
    let mut taken: Vec<_> = taken.filter_map(Result::unwrap).collect();
    while let Some(due) = take(&stores[0], NOW, NOW + 60).await {
        taken.push(due);
    }
    let webhooks: HashSet<_> = taken.iter().map(|it| it.lease.webhook).collect();
    assert_eq!((taken.len(), webhooks.len()), (10, 10));
}

/// As a server has them that sends to many: some taken at once, and noted in one transaction.
async fn turns_are_taken_and_noted_together(site: Site) {
    let world = World::new(&site).await;
    let store = &world.store;
    let mut sent = Vec::new();
    for n in 1..=4 {
        create(store, webhook(n, 1)).await.unwrap();
        sent.push(send_test(store, n, NOW).await);
    }
    let taken =
        features::webhooks::queue::take_due_webhooks(store, at(NOW), at(NOW + 60), Places::new(9));
    let taken = taken.await.unwrap();
    assert_eq!(taken.len(), 3);
    let rest =
        features::webhooks::queue::take_due_webhooks(store, at(NOW), at(NOW + 60), Places::new(9));
    let rest = rest.await.unwrap();
    assert_eq!(rest.len(), 1);
    let attempts = sent.iter().zip(1..).map(|(delivery, n)| {
        let delivered = attempted(delivery.id, DeliveryState::Delivered, None, Ok(204));
        (id(n), delivered)
    });
    let ends = taken.iter().map(|due| TurnEnd {
        lease: due.lease,
        failing_since: None,
        pause_until: at(NOW),
        is_slow: false,
    });
    note(store, attempts.collect(), ends.collect()).await;
    for n in 1..=4 {
        let read = features::webhooks::store::deliveries(store, (project_id(1), id(n)), None, 9);
        let read = read.await.unwrap().unwrap();
        assert_eq!(read[0].state, DeliveryState::Delivered, "{n}");
        send_test(store, n, NOW).await;
    }
    // The turn of the last one goes on.
    let again =
        features::webhooks::queue::take_due_webhooks(store, at(NOW), at(NOW + 60), Places::new(64));
    let again: HashSet<_> = again
        .await
        .unwrap()
        .iter()
        .map(|it| it.lease.webhook)
        .collect();
    let ended: HashSet<_> = taken.iter().map(|it| it.lease.webhook).collect();
    assert_eq!(again, ended);
}

async fn owners_and_slow_webhooks_have_a_share_of_the_places(site: Site) {
    let world = World::new(&site).await;
    let store = &world.store;
    let all: Vec<_> = (1..=6).map(|n| (n, 1)).chain([(7, 2)]).collect();
    for &(n, project) in &all {
        let url = format!("https://partner-{n}.example/");
        let webhook = Webhook {
            url,
            ..webhook(n, project)
        };
        create(store, webhook).await.unwrap();
        let of = (project_id(project), id(n));
        deliver(store, of, at(NOW)).await.unwrap();
    }
    let take = async |second, slow: bool| {
        let (now, until) = (at(NOW + second), at(NOW + second + 60));
        let places = Places::new(8);
        let taken = features::webhooks::queue::take_due_webhooks(store, now, until, places);
        let mut taken = taken.await.unwrap();
        taken.sort_by_key(|due| due.lease.webhook.0);
        let end = |due: &DueWebhook| TurnEnd {
            lease: due.lease,
            failing_since: None,
            pause_until: now,
            is_slow: slow,
        };
        note(store, Vec::new(), taken.iter().map(end).collect()).await;
        let taken = taken
            .iter()
            .map(|due| (due.lease.webhook, due.sharer.is_slow));
        taken.collect::<Vec<_>>()
    };
    // An owner has a quarter of the 8 places.
    let first = [(id(1), false), (id(2), false), (id(7), false)];
    assert_eq!(take(0, true).await, first);
    let second = [(id(3), false), (id(4), false), (id(7), true)];
    assert_eq!(take(1, true).await, second);
    let third = [(id(5), false), (id(6), false), (id(7), true)];
    assert_eq!(take(2, true).await, third);
    // So have all that are slow. Those that have waited longest come first.
    assert_eq!(take(3, true).await, [(id(1), true), (id(2), true)]);
    assert_eq!(take(4, false).await, [(id(3), true), (id(4), true)]);
    assert_eq!(take(5, false).await, [(id(5), true), (id(6), true)]);
    let last = [(id(1), true), (id(3), false), (id(7), true)];
    assert_eq!(take(6, false).await, last);
}

async fn the_secret_before_counts_until_its_time_is_over(site: Site) {
    let world = World::new(&site).await;
    let store = &world.store;
    create(store, webhook(1, 1)).await.unwrap();
    let of = (project_id(1), id(1));
    let new = NewSecret {
        until: at(NOW + 100),
        ..secret(NOW, None)
    };
    let replaced = features::webhooks::store::replace_secret(
        store,
        crate::records::BY_KEY,
        of,
        new,
        Vec::new(),
    );
    replaced.await.unwrap();
    send_test(store, 1, NOW).await;
    for (second, previous) in [(99, Some(sealed(1))), (200, None)] {
        let due = take(store, NOW + second, NOW + second + 60).await.unwrap();
        let present = sealed(2);
        assert_eq!(due.secrets, WebhookSecrets { present, previous });
    }
}

async fn what_is_off_or_suspended_has_no_turn(site: Site) {
    let world = World::new(&site).await;
    let store = &world.store;
    create(store, webhook(1, 1)).await.unwrap();
    send_test(store, 1, NOW).await;
    let suspension = Suspension {
        reason: "Abuse".to_owned(),
        since: at(NOW),
    };
    let actor = Actor::Operator;
    let suspended = features::suspensions::store::suspend_project(
        store,
        actor,
        project_id(1),
        suspension,
        Vec::new(),
    );
    suspended.await.unwrap();
    assert_eq!(take(store, NOW, NOW + 60).await, None);
    let resumed = features::suspensions::store::resume_project(
        store,
        actor,
        project_id(1),
        Vec::new(),
        at(NOW),
    );
    resumed.await.unwrap();

    let due = take(store, NOW, NOW + 60).await.unwrap();
    let off = features::webhooks::queue::switch_off_webhook(
        store,
        due.clone(),
        at(NOW - 9),
        at(NOW),
        Vec::new(),
    );
    assert!(off.await.unwrap());
    let again = features::webhooks::queue::switch_off_webhook(
        store,
        due.clone(),
        at(NOW - 9),
        at(NOW),
        Vec::new(),
    );
    assert!(!again.await.unwrap());
    let noted = audit::of_project(store, actor, project_id(1), None, 1).await;
    let noted = noted.unwrap().unwrap().pop().map(|entry| entry.action);
    assert_eq!(noted, Some(AuditAction::WebhookSwitchedOff(due.url)));
    let webhook = found(store, 1).await;
    assert_eq!(
        (webhook.is_enabled, webhook.failing_since),
        (false, Some(at(NOW - 9)))
    );
    assert_eq!(take(store, NOW + 60, NOW + 120).await, None);
    // Switched on again, it is sent to at once.
    let on = WebhookUpdate {
        is_enabled: Some(true),
        ..WebhookUpdate::default()
    };
    let of = (project_id(1), id(1));
    let changed = features::webhooks::store::update_webhook(
        store,
        crate::records::BY_KEY,
        of,
        on,
        Vec::new(),
        at(NOW + 1),
    );
    assert_eq!(changed.await.unwrap().failing_since, None);
    assert!(take(store, NOW + 1, NOW + 61).await.is_some());
}

async fn old_deliveries_are_deleted(site: Site) {
    let world = World::new(&site).await;
    let store = &world.store;
    create(store, webhook(1, 1)).await.unwrap();
    for second in 0..3 {
        send_test(store, 1, NOW + second).await;
    }
    let before = at(NOW) + Duration::from_secs(2);
    assert!(
        !features::webhooks::queue::delete_old_deliveries(store, before)
            .await
            .unwrap()
    );
    let left = features::webhooks::store::deliveries(store, (project_id(1), id(1)), None, 9);
    let left = left.await.unwrap().unwrap();
    let times: Vec<_> = left.iter().map(|it| it.created_at).collect();
    assert_eq!(times, [at(NOW + 2)]);
    let events = world.dump().await;
    let is_event = |row: &&String| row.starts_with("webhook_event ");
    assert_eq!(events.iter().filter(is_event).count(), 1);
}

on_each_database! {
    owners_and_slow_webhooks_have_a_share_of_the_places,
    configs_are_told_to_webhooks_that_are_on,
    a_turn_is_one_servers,
    servers_that_take_at_once_take_different_turns,
    turns_are_taken_and_noted_together,
    the_secret_before_counts_until_its_time_is_over,
    what_is_off_or_suspended_has_no_turn,
    old_deliveries_are_deleted,
}
