//! Tests on both databases: usage is stored, folded, deleted and read.

use jiff::Timestamp;
use uuid::Uuid;

use crate::records::project_id;
use crate::world::{Site, World};
use db::Db;
use features::domain::ids::AccountId;
use features::keys::KeyId;
use features::projects::Actor;
use features::usage::{
    Breakdown, Minute, MinuteCount, Retention, RunId, StatusClass, Step, UsageQuery, UsageRow,
};

/// 12:30 of a day.
const HALF_PAST_NOON: Minute = Minute(29_000_000 / 1440 * 1440 + 750);

fn run(number: u8) -> RunId {
    RunId(Uuid::from_bytes([number; 16]))
}

fn key(number: u8) -> KeyId {
    KeyId(Uuid::from_bytes([number; 16]))
}

fn after(minutes: i64) -> Minute {
    Minute(HALF_PAST_NOON.0 + minutes)
}

fn count(minutes: i64, number: u8, requests: u64) -> MinuteCount {
    MinuteCount {
        minute: after(minutes),
        project: project_id(1),
        key: key(number),
        operation: "configs.list",
        class: StatusClass::Success,
        requests,
        is_coarse: false,
    }
}

fn query(step: Step, breakdown: Breakdown) -> UsageQuery {
    UsageQuery {
        project: project_id(1),
        step,
        breakdown,
        from: HALF_PAST_NOON.day(),
        to: Minute(HALF_PAST_NOON.day().0 + 1440),
    }
}

async fn rows(store: &Db, step: Step, breakdown: Breakdown) -> Vec<UsageRow> {
    let rows = features::usage::store::usage(store, Actor::Operator, query(step, breakdown)).await;
    rows.unwrap().unwrap()
}

/// The requests of the project by each step.
async fn totals(store: &Db) -> [u64; 3] {
    let mut totals = [0; 3];
    for (total, step) in totals.iter_mut().zip([Step::Minute, Step::Hour, Step::Day]) {
        let rows = rows(store, step, Breakdown::Status).await;
        *total = rows.iter().map(|row| row.requests).sum();
    }
    totals
}

async fn fold(store: &Db) {
    while features::usage::store::fold_usage(store, after(1000))
        .await
        .unwrap()
    {}
}

async fn a_count_is_stored_once_however_often_it_comes(site: Site) {
    let world = World::new(&site).await;
    let store = &world.store;
    let put = |counts| features::usage::store::put_usage(store, run(1), counts);
    put(vec![count(0, 1, 5), count(1, 1, 7)]).await.unwrap();
    put(vec![count(0, 1, 5)]).await.unwrap();
    assert_eq!(totals(store).await, [12; 3]);
    // An earlier count comes late, from a connection that hung.
    put(vec![count(0, 1, 3)]).await.unwrap();
    assert_eq!(totals(store).await, [12; 3]);
    put(vec![count(0, 1, 6)]).await.unwrap();
    // Another server counts for itself.
    let other = world.another().await;
    features::usage::store::put_usage(&other, run(2), vec![count(0, 1, 10)])
        .await
        .unwrap();
    assert_eq!(totals(store).await, [23; 3]);
}

async fn folding_adds_each_request_once(site: Site) {
    let world = World::new(&site).await;
    let store = &world.store;
    let put = |number, counts| features::usage::store::put_usage(store, run(number), counts);
    put(1, vec![count(0, 1, 5), count(59, 1, 1)]).await.unwrap();
    fold(store).await;
    fold(store).await;
    assert_eq!(totals(store).await, [6; 3]);
    // More of a minute that was folded, from one run and another.
    put(1, vec![count(0, 1, 8)]).await.unwrap();
    put(2, vec![count(0, 1, 4)]).await.unwrap();
    assert_eq!(totals(store).await, [13; 3], "what is not folded is read");
    fold(store).await;
    put(1, vec![count(0, 1, 5)]).await.unwrap();
    fold(store).await;
    assert_eq!(totals(store).await, [13; 3]);
    let hours = rows(store, Step::Hour, Breakdown::Status).await;
    let by_hour: Vec<_> = hours.iter().map(|row| (row.minute, row.requests)).collect();
    assert_eq!(
        by_hour,
        [(HALF_PAST_NOON.hour(), 12), (after(59).hour(), 1)]
    );
}

async fn only_minutes_that_are_over_are_folded(site: Site) {
    let world = World::new(&site).await;
    let store = &world.store;
    features::usage::store::put_usage(store, run(1), vec![count(0, 1, 5), count(1, 1, 7)])
        .await
        .unwrap();
    features::usage::store::fold_usage(store, after(1))
        .await
        .unwrap();
    let retention = Retention {
        minutes: 0,
        hours: 1000,
        days: 1000,
    };
    // What is folded is deleted here; what is not stays.
    let forgotten = features::usage::store::forget_usage(store, after(100), retention);
    forgotten.await.unwrap();
    assert_eq!(totals(store).await, [7, 12, 12]);
}

async fn servers_fold_at_the_same_time_and_nothing_twice(site: Site) {
    let world = World::new(&site).await;
    let store = &world.store;
    let counts = (0..700).map(|minute| count(minute, 1, 3)).collect();
    features::usage::store::put_usage(store, run(1), counts)
        .await
        .unwrap();
    let others = [world.another().await, world.another().await];
    for _ in 0..5 {
        let before = after(1000);
        let (a, b, c) = tokio::join!(
            features::usage::store::fold_usage(&others[0], before),
            features::usage::store::fold_usage(&others[1], before),
            features::usage::store::put_usage(store, run(2), vec![count(5, 2, 9)]),
        );
        a.unwrap();
        b.unwrap();
        c.unwrap();
    }
    fold(store).await;
    // The query covers one day: 690 minutes are left of it.
    assert_eq!(totals(store).await, [690 * 3 + 9; 3]);
}

async fn each_step_is_kept_for_its_time(site: Site) {
    let world = World::new(&site).await;
    let store = &world.store;
    features::usage::store::put_usage(store, run(1), vec![count(0, 1, 5)])
        .await
        .unwrap();
    fold(store).await;
    let retention = Retention {
        minutes: 1,
        hours: 100,
        days: 1000,
    };
    let mut seen = Vec::new();
    for hours in [0, 2, 101, 1100] {
        let now = after(hours * 60);
        features::usage::store::forget_usage(store, now, retention)
            .await
            .unwrap();
        seen.push(totals(store).await);
    }
    assert_eq!(seen, [[5, 5, 5], [0, 5, 5], [0, 0, 5], [0, 0, 0]]);
    let uses = features::usage::store::last_uses(store, Actor::Operator, project_id(1)).await;
    let uses = uses.unwrap().unwrap();
    assert_eq!(
        uses.minutes[&key(1)],
        HALF_PAST_NOON,
        "the last use is kept"
    );
}

async fn usage_is_broken_down_by_status_key_and_operation(site: Site) {
    let world = World::new(&site).await;
    let store = &world.store;
    let other = MinuteCount {
        operation: "Charities.get",
        class: StatusClass::Refused,
        is_coarse: true,
        ..count(0, 2, 20)
    };
    let counts = vec![count(0, 1, 1), count(0, 2, 300), other];
    features::usage::store::put_usage(store, run(1), counts)
        .await
        .unwrap();
    for step in [Step::Minute, Step::Hour, Step::Day] {
        let told = |breakdown| async move {
            let rows = rows(store, step, breakdown).await;
            let told = rows.into_iter().map(|row| {
                let operation = row.operation.unwrap_or_default();
                (row.key, operation, row.class, row.requests, row.is_coarse)
            });
            told.collect::<Vec<_>>()
        };
        let (one, two) = (Some(key(1)), Some(key(2)));
        let (list, get) = ("configs.list".to_owned(), "Charities.get".to_owned());
        let (success, refused) = (StatusClass::Success, StatusClass::Refused);
        let none = String::new;
        assert_eq!(
            told(Breakdown::Status).await,
            [
                (None, none(), success, 301, false),
                (None, none(), refused, 20, true),
            ]
        );
        assert_eq!(
            told(Breakdown::Key).await,
            [
                (one, none(), success, 1, false),
                (two, none(), success, 300, false),
                (two, none(), refused, 20, true),
            ]
        );
        assert_eq!(
            told(Breakdown::Operation).await,
            [
                (None, get.clone(), refused, 20, true),
                (None, list.clone(), success, 301, false),
            ]
        );
        assert_eq!(
            told(Breakdown::All).await,
            [
                (one, list.clone(), success, 1, false),
                (two, get.clone(), refused, 20, true),
                (two, list.clone(), success, 300, false),
            ]
        );
    }
}

async fn last_uses_are_those_of_the_newest_minute(site: Site) {
    let world = World::new(&site).await;
    let store = &world.store;
    let uses = async || {
        let uses = features::usage::store::last_uses(store, Actor::Operator, project_id(1)).await;
        uses.unwrap().unwrap()
    };
    let at_first = uses().await;
    assert!(at_first.minutes.is_empty());
    assert!(at_first.recorded_since <= Timestamp::now());
    assert!(at_first.recorded_since > "2026-01-01T00:00:00Z".parse().unwrap());
    features::usage::store::put_usage(
        store,
        run(1),
        vec![count(3, 1, 1), count(1, 1, 1), count(2, 2, 1)],
    )
    .await
    .unwrap();
    let expected = [(key(1), after(3)), (key(2), after(2))];
    assert_eq!(Vec::from_iter(uses().await.minutes), expected);
    fold(store).await;
    features::usage::store::put_usage(store, run(1), vec![count(4, 2, 1)])
        .await
        .unwrap();
    let expected = [(key(1), after(3)), (key(2), after(4))];
    assert_eq!(Vec::from_iter(uses().await.minutes), expected);
}

async fn another_accounts_usage_is_not_there(site: Site) {
    let world = World::new(&site).await;
    let store = &world.store;
    features::usage::store::put_usage(store, run(1), vec![count(0, 1, 5)])
        .await
        .unwrap();
    let stranger = Actor::Account(AccountId(Uuid::from_bytes([9; 16])));
    let asked = query(Step::Day, Breakdown::All);
    assert_eq!(
        features::usage::store::usage(store, stranger, asked)
            .await
            .unwrap(),
        None
    );
    let uses = features::usage::store::last_uses(store, stranger, project_id(1)).await;
    assert_eq!(uses.unwrap(), None);
    let nobodys = UsageQuery {
        project: project_id(9),
        ..asked
    };
    assert_eq!(
        features::usage::store::usage(store, Actor::Operator, nobodys)
            .await
            .unwrap(),
        None
    );
}

on_each_database! {
    a_count_is_stored_once_however_often_it_comes,
    folding_adds_each_request_once,
    only_minutes_that_are_over_are_folded,
    servers_fold_at_the_same_time_and_nothing_twice,
    each_step_is_kept_for_its_time,
    usage_is_broken_down_by_status_key_and_operation,
    last_uses_are_those_of_the_newest_minute,
    another_accounts_usage_is_not_there,
}
