//! Keys: operations that need them, refusals, and their lifecycle.

use std::sync::Arc;
use std::time::Duration;

use jiff::SignedDuration;

use features::keys::lifecycle;

use super::super::document::KeyUse;
use super::super::fixture::PRO;
use super::super::sample_request;
use super::super::test_request::TestRequest;
use super::super::world::{Template, World, eventually, new_key};

async fn must_be_sent_where_required(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    let operations = world.document().operations.iter();
    for operation in operations.filter(|it| it.key == KeyUse::Required) {
        let answer = sample_request::success(operation).expect(&world, 400).await;
        assert_eq!(answer.code(), "MISSING_API_KEY", "{}", operation.id);
    }
}

/// Keys of other services come in other headers; the answer says so.
async fn in_other_headers_are_noticed(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    let missing = async |header: &'static str| {
        let request = TestRequest::get("/configs").header(header, "Bearer x");
        let answer = request.expect(&world, 400).await;
        assert_eq!(answer.code(), "MISSING_API_KEY");
        answer.json()["error"].as_str().unwrap().to_owned()
    };
    let plain = missing("x-other").await;
    for header in ["authorization", "x-api-key"] {
        let error = missing(header).await;
        let hint = error.strip_prefix(&plain).expect(&error);
        assert!(hint.to_lowercase().contains(header), "{error}");
        // Where no key is needed, the header is none of our business.
        let request = TestRequest::get("/chains").header(header, "Bearer x");
        request.expect(&world, 200).await;
    }
}

async fn must_be_right_where_read(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    let operations = world.document().operations.iter();
    for operation in operations.filter(|it| it.key != KeyUse::Ignored) {
        for key in wrong_keys(&world) {
            let answer = sample_request::success(operation)
                .key(&key)
                .expect(&world, 403)
                .await;
            assert_eq!(answer.code(), "INVALID_API_KEY", "{}", operation.id);
        }
        let mut twice = sample_request::success(operation).key(&world.keys.pro);
        let key = twice.headers["service-api-key"].clone();
        twice.headers.append("service-api-key", key);
        twice.expect(&world, 403).await;
    }
}

async fn are_ignored_where_public(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    let operations = world.document().operations.iter();
    for operation in operations.filter(|it| it.key == KeyUse::Ignored) {
        for key in wrong_keys(&world).iter().chain([&world.keys.free]) {
            sample_request::success(operation)
                .key(key)
                .expect(&world, 200)
                .await;
        }
    }
}

/// The old key works until the overlap is over, the new one at once.
async fn rotate_with_an_overlap(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    let (new, text) = new_key(None);
    let old = world.key_id(&world.keys.pro).await;
    let overlap = Duration::from_secs(600);
    let until = world.clock.wall() + overlap;
    let old = lifecycle::for_operator(&world.store, old).await.unwrap();
    let rotation = features::keys::store::rotate_key(&world.store, old, new, until).await;
    rotation.unwrap();
    eventually(async || (status(&world, &text).await == 200).then_some(())).await;
    assert_eq!(status(&world, &world.keys.pro).await, 200);
    world.clock.advance(overlap - Duration::from_millis(1));
    assert_eq!(status(&world, &world.keys.pro).await, 200);
    world.clock.advance(Duration::from_millis(1));
    assert_eq!(status(&world, &world.keys.pro).await, 403);
    assert_eq!(status(&world, &text).await, 200);
}

/// Another process has issued them, and the server was not notified.
async fn work_at_once(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    for _ in 0..10 {
        let key = world.issue(PRO, None).await;
        let answer = TestRequest::get("/analytics")
            .key(&key)
            .expect(&world, 200)
            .await;
        assert_eq!(answer.header("x-ratelimit-limit").unwrap(), "200");
    }
    // A key that is still unknown is charged to its network, whose limit bounds the lookups. Above it a
    // new key works once the server has refreshed its keys.
    let request = |key: &str| TestRequest::get("/analytics").key(key).from("198.51.100.7");
    for _ in 0..20 {
        request(&world.keys.unknown).expect(&world, 403).await;
    }
    request(&world.keys.unknown).expect(&world, 429).await;
    let new = request(&world.issue(PRO, None).await);
    eventually(async || (new.of(&world).await.status == 200).then_some(())).await;
}

async fn are_revoked_within_a_second(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    let key = world.issue(PRO, Some(SignedDuration::from_hours(1))).await;
    eventually(async || (status(&world, &key).await == 200).then_some(())).await;
    let id = world.key_id(&key).await;
    let key_of_project = lifecycle::for_operator(&world.store, id).await.unwrap();
    let revocation = lifecycle::revoke(&world.store, key_of_project, world.clock.wall());
    revocation.await.unwrap();
    eventually(async || (status(&world, &key).await == 403).then_some(())).await;
    // The project's other keys go on working.
    assert_eq!(status(&world, &world.keys.pro).await, 200);
}

async fn status(world: &World, key: &str) -> u16 {
    TestRequest::get("/analytics")
        .key(key)
        .of(world)
        .await
        .status
}

fn wrong_keys(world: &World) -> Vec<String> {
    let keys = &world.keys;
    let last = if keys.pro.ends_with('x') { 'y' } else { 'x' };
    let mistyped = format!("{}{last}", &keys.pro[..40]);
    [&keys.unknown, &keys.expired, &keys.revoked]
        .into_iter()
        .cloned()
        .chain([mistyped, "sk_".to_owned(), "x".repeat(4000)])
        .collect()
}

super::theme! {
    must_be_sent_where_required,
    in_other_headers_are_noticed,
    must_be_right_where_read,
    are_ignored_where_public,
    work_at_once,
    rotate_with_an_overlap,
    are_revoked_within_a_second,
}
