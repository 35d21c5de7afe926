//! The sliding window of projects and of callers without a key.

use std::sync::Arc;
use std::time::Duration;

use features::projects::{Actor, Tier};

use super::super::document::KeyUse;
use super::super::fixture::FREE;
use super::super::sample_request;
use super::super::test_request::{Answer, TestRequest};
use super::super::world::{Template, World, eventually, project};

/// An address that no stranger has.
pub const CALLER: &str = "203.0.113.7";

/// The state of a window in a response's headers: limit, remaining, reset.
pub fn window(answer: &Answer) -> (i64, i64, i64) {
    let number = |name| answer.number(name);
    (
        number("x-ratelimit-limit"),
        number("x-ratelimit-remaining"),
        number("x-ratelimit-reset"),
    )
}

/// Sends the same request `times` times, each of which must be admitted.
pub async fn spend(world: &World, request: &TestRequest, times: i64) {
    for _ in 0..times {
        let answer = request.of(world).await;
        assert_ne!(answer.status, 429);
    }
}

fn epoch(world: &World) -> i64 {
    world.clock.wall().as_second()
}

async fn each_tier_has_its_own(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    let chains = TestRequest::get("/chains");
    let keys = &world.keys;
    let callers = [
        (20, chains.clone().from(CALLER)),
        (50, chains.clone().key(&keys.free)),
        (200, chains.clone().key(&keys.pro)),
        (1000, chains.clone().key(&keys.enterprise)),
    ];
    let reset = epoch(&world) + 60;
    for (limit, request) in callers {
        for left in (0..limit).rev() {
            let answer = request.expect(&world, 200).await;
            assert_eq!(window(&answer), (limit, left, reset));
        }
        let refused = request.expect(&world, 429).await;
        assert_eq!(refused.code(), "RATE_LIMIT_EXCEEDED");
        assert_eq!(window(&refused), (limit, 0, reset));
        assert_eq!(refused.number("retry-after"), 60);
    }
}

async fn keys_of_a_project_share_a_window(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    let one = TestRequest::get("/chains").key(&world.keys.pro);
    let other = TestRequest::get("/configs").key(&world.keys.second_pro);
    for left in (0..200).rev() {
        let request = if left % 2 == 0 { &one } else { &other };
        assert_eq!(window(&request.of(&world).await).1, left);
    }
    one.expect(&world, 429).await;
    other.expect(&world, 429).await;
    // Another project, and the same address without a key, have windows of their own.
    TestRequest::get("/chains")
        .key(&world.keys.free)
        .expect(&world, 200)
        .await;
    TestRequest::get("/chains").expect(&world, 200).await;
}

/// Requests leave the window one by one, sixty seconds after they came, not all at a boundary.
async fn the_window_slides(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    let request = TestRequest::get("/chains").from(CALLER);
    let start = epoch(&world);
    spend(&world, &request, 12).await;
    world.clock.advance_secs(40);
    spend(&world, &request, 8).await;
    assert_eq!(
        window(&request.expect(&world, 429).await),
        (20, 0, start + 60)
    );
    world.clock.advance(Duration::from_millis(19_999));
    request.expect(&world, 429).await;
    world.clock.advance(Duration::from_millis(1));
    // Twelve have left; the eight of second 40 still count.
    assert_eq!(
        window(&request.expect(&world, 200).await),
        (20, 11, start + 100)
    );
    spend(&world, &request, 11).await;
    request.expect(&world, 429).await;
    world.clock.advance_secs(40);
    assert_eq!(
        window(&request.expect(&world, 200).await),
        (20, 7, start + 120)
    );
    world.clock.advance_secs(60);
    assert_eq!(
        window(&request.expect(&world, 200).await),
        (20, 19, start + 220)
    );
}

/// One second before `Retry-After` has passed the request is refused; then it is admitted.
async fn retry_after_is_exact(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    let request = TestRequest::get("/analytics").key(&world.keys.free);
    for _ in 0..50 {
        request.expect(&world, 200).await;
        world.clock.advance(Duration::from_millis(700));
    }
    // The first came 35 seconds ago.
    let wait = request.expect(&world, 429).await.number("retry-after");
    assert_eq!(wait, 25);
    world.clock.advance_secs(24);
    assert_eq!(request.expect(&world, 429).await.number("retry-after"), 1);
    // Refused requests were not counted, or this would be refused too.
    world.clock.advance_secs(1);
    request.expect(&world, 200).await;
    // The second came 700 ms after the first: the header rounds up to a whole second, which is enough.
    assert_eq!(request.expect(&world, 429).await.number("retry-after"), 1);
    world.clock.advance_secs(1);
    request.expect(&world, 200).await;
}

async fn a_refused_request_has_no_effect(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    let create = world.document().operation("configs.create");
    let create = sample_request::success(create).key(&world.keys.free);
    let list = TestRequest::get("/configs").key(&world.keys.free);
    create.expect(&world, 201).await;
    spend(&world, &list, 49).await;
    for _ in 0..10 {
        create.expect(&world, 429).await;
    }
    let created = list_of(&world).await;
    let config = created[0]["id"]["hex"].as_str().unwrap();
    let delete = TestRequest::new("DELETE", format!("/configs/{config}")).key(&world.keys.free);
    world.clock.advance_secs(60);
    spend(&world, &list, 50).await;
    delete.expect(&world, 429).await;
    assert_eq!(list_of(&world).await, created);
}

/// The Free project's configs, once its window is empty.
async fn list_of(world: &World) -> Vec<serde_json::Value> {
    world.clock.advance_secs(60);
    let list = TestRequest::get("/configs").key(&world.keys.free);
    let body = list.expect(world, 200).await.json();
    body["response"].as_array().unwrap().clone()
}

async fn a_tier_changes_within_a_second(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    let request = TestRequest::get("/chains").key(&world.keys.free);
    request.expect(&world, 200).await;
    features::project_lifecycle::set_tier(
        &world.store,
        Actor::Operator,
        project(FREE),
        Tier::Pro,
        world.clock.wall(),
    )
    .await
    .unwrap();
    eventually(async || {
        world.clock.advance_secs(60);
        (window(&request.of(&world).await).0 == 200).then_some(())
    })
    .await;
}

/// Every counted operation, with `HEAD`, and every request for none, is refused above the limit.
async fn every_operation_is_limited(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    spend(&world, &TestRequest::get("/chains").from(CALLER), 20).await;
    spend(
        &world,
        &TestRequest::get("/chains").key(&world.keys.free),
        50,
    )
    .await;
    for operation in &world.document().operations {
        let request = sample_request::success(operation).from(CALLER);
        let request = match operation.key {
            KeyUse::Required => request.key(&world.keys.free),
            KeyUse::Optional | KeyUse::Ignored => request,
        };
        let status = if operation.metered { 429 } else { 200 };
        request.expect(&world, status).await;
        if operation.is_get() {
            request.method("HEAD").expect(&world, status).await;
        }
    }
    TestRequest::get("/nowhere")
        .from(CALLER)
        .expect(&world, 429)
        .await;
    TestRequest::new("PUT", "/charities")
        .from(CALLER)
        .expect(&world, 429)
        .await;
    TestRequest::new("PUT", "/charities")
        .key(&world.keys.free)
        .expect(&world, 429)
        .await;
}

super::theme! {
    each_tier_has_its_own,
    keys_of_a_project_share_a_window,
    the_window_slides,
    retry_after_is_exact,
    a_refused_request_has_no_effect,
    a_tier_changes_within_a_second,
    every_operation_is_limited,
}
