//! Failures that the tests cause: every operation still answers as the contract says.

use std::sync::Arc;
use std::time::Duration;

use super::super::document::{KeyUse, Operation};
use super::super::sample_request;
use super::super::test_request::TestRequest;
use super::super::world::{Template, World, eventually};

/// Whether an operation fails without the database: reads that need no key are answered from memory, except
/// lists of donations.
fn needs_database(operation: &Operation) -> bool {
    operation.key == KeyUse::Required
        || ["charities.donations", "tokens.list", "tokens.get"].contains(&operation.id.as_str())
}

/// No request may be in flight, so that each one is one too many.
async fn too_many_in_flight(template: Arc<Template>) {
    let world = template.world(|config| config.max_in_flight = 0).await;
    for answer in answers(&world, 503).await {
        assert_eq!(answer.code(), "SERVICE_UNAVAILABLE");
        assert!(answer.number("retry-after") >= 1);
    }
    TestRequest::get("/nowhere").expect(&world, 503).await;
    TestRequest::new("PUT", "/charities")
        .expect(&world, 503)
        .await;
}

/// Answers from memory go on; requests that need the database get 503, and were counted.
async fn a_closed_database(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    world.store.close();
    for operation in &world.document().operations {
        let status = if needs_database(operation) { 503 } else { 200 };
        let request = sample_request::admitted(operation, &world);
        let answer = request.expect(&world, status).await;
        assert_eq!(
            answer.header("x-ratelimit-remaining").is_some(),
            operation.metered
        );
    }
}

async fn a_panic(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    world.clock.set_failing(true);
    for answer in answers(&world, 500).await {
        assert_eq!(answer.code(), "INTERNAL_SERVER_ERROR");
        assert!(!String::from_utf8_lossy(&answer.body).contains("clock"));
    }
    TestRequest::get("/nowhere").expect(&world, 500).await;
    TestRequest::new("PUT", "/charities")
        .expect(&world, 500)
        .await;
    world.clock.set_failing(false);
    TestRequest::get("/charities").expect(&world, 200).await;
}

/// Missing tables are an internal error, whose details are not disclosed.
async fn a_broken_database(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    world.database.drop_tables().await;
    for operation in &world.document().operations {
        let request = sample_request::admitted(operation, &world);
        let answer = request.of(&world).await;
        let expected = if needs_database(operation) { 500 } else { 200 };
        let text = String::from_utf8_lossy(&answer.body).into_owned();
        assert_eq!(answer.status, expected, "{}: {text}", operation.id);
        if expected == 500 {
            assert!(!text.contains("table") && !text.contains("tally"), "{text}");
            assert!(answer.header("x-ratelimit-remaining").is_some());
        }
    }
}

/// A write that waits for another process for too long is answered in time, and counted. It may still
/// happen later; with a key, a repetition makes no second config.
async fn a_database_that_is_too_slow(template: Arc<Template>) {
    let world = template
        .world(|config| config.request_timeout = Duration::from_secs(1))
        .await;
    let create = world.document().operation("configs.create");
    let create = sample_request::success(create).key(&world.keys.free);
    let create = create.header("idempotency-key", "slow");
    let held = world.database.hold_writes().await;
    let answer = create.expect(&world, 503).await;
    assert!(answer.number("retry-after") >= 1);
    assert_eq!(answer.number("x-ratelimit-remaining"), 49);
    // Reads need not wait.
    let list = TestRequest::get("/configs").key(&world.keys.free);
    list.expect(&world, 200).await;
    drop(held);
    eventually(async || (create.of(&world).await.status == 201).then_some(())).await;
    let configs = list.expect(&world, 200).await.json();
    assert_eq!(configs["response"].as_array().map(Vec::len), Some(1));
}

/// The responses of every operation, with and without `HEAD`.
async fn answers(world: &World, status: u16) -> Vec<super::super::test_request::Answer> {
    let mut answers = Vec::new();
    for operation in &world.document().operations {
        let request = sample_request::admitted(operation, world);
        answers.push(request.expect(world, status).await);
        if operation.is_get() {
            request.method("HEAD").expect(world, status).await;
        }
    }
    answers
}

super::theme! {
    too_many_in_flight,
    a_closed_database,
    a_panic,
    a_broken_database,
    a_database_that_is_too_slow,
}
