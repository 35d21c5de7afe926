//! `Idempotency-Key`: one config or webhook for one key, however often it is requested.

use std::sync::Arc;

use serde_json::{Value, json};

use super::super::fixture::charity;
use super::super::test_request::{Answer, TestRequest};
use super::super::world::{Template, World};

const HOUR: u64 = 3600;

fn body(beneficiaries: &[(usize, i64)]) -> String {
    let beneficiary =
        |(n, weight): &(usize, i64)| json!({ "charityId": charity(*n), "weight": weight });
    let beneficiaries: Vec<_> = beneficiaries.iter().map(beneficiary).collect();
    json!({ "charityBeneficiaries": beneficiaries }).to_string()
}

fn request(world: &World, key: &str, body: impl Into<String>) -> TestRequest {
    let request = TestRequest::new("POST", "/configs").json(body.into());
    request.key(&world.keys.pro).header("idempotency-key", key)
}

fn is_replayed(answer: &Answer) -> bool {
    answer.header("idempotent-replayed") == Some("true")
}

async fn the_first_answer_is_kept(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    let request = request(&world, "a", body(&[(0, 1)]));
    let first = request.expect(&world, 201).await;
    assert!(!is_replayed(&first));
    world.clock.advance_secs(HOUR);
    for key in [&world.keys.pro, &world.keys.second_pro] {
        let again = request.clone().key(key).expect(&world, 201).await;
        assert!(is_replayed(&again));
        assert_eq!(
            (&again.body, again.header("location")),
            (&first.body, first.header("location"))
        );
    }
    // Also after the config was deleted.
    let location = first
        .header("location")
        .unwrap()
        .trim_start_matches("/api/v1")
        .to_owned();
    TestRequest::new("DELETE", location.clone())
        .key(&world.keys.pro)
        .expect(&world, 204)
        .await;
    assert_eq!(request.expect(&world, 201).await.body, first.body);
    TestRequest::get(location)
        .key(&world.keys.pro)
        .expect(&world, 404)
        .await;
    // The key is the project's own.
    let other = request
        .key(&world.keys.enterprise)
        .expect(&world, 201)
        .await;
    assert!(!is_replayed(&other) && other.body != first.body);
}

async fn bodies_are_compared_as_values(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    let first = request(&world, "a", body(&[(0, 3), (1, 1)]))
        .expect(&world, 201)
        .await;
    let (zero, one) = (charity(0), charity(1));
    let same = [
        format!(
            "{{ \"charityBeneficiaries\" : [ {{\"weight\":3,\"charityId\":\"{zero}\"}},\n{{\"weight\":1,\"charityId\":\"{one}\"}} ] }}"
        ),
        format!(
            "{{\"charity\\u0042eneficiaries\":[{{\"charityId\":\"{zero}\",\"weight\":3.0}},{{\"charityId\":\"{one}\",\"weight\":1}}]}}"
        ),
    ];
    for body in same {
        let again = request(&world, "a", body).expect(&world, 201).await;
        assert!(is_replayed(&again) && again.body == first.body);
    }
    // Order means something in an array.
    for other in [[(0, 3), (1, 2)], [(1, 1), (0, 3)], [(0, 3), (2, 1)]] {
        let answer = request(&world, "a", body(&other)).expect(&world, 409).await;
        assert_eq!(answer.code(), "IDEMPOTENCY_KEY_REUSED");
    }
    request(&world, "b", body(&[(0, 3), (1, 2)]))
        .expect(&world, 201)
        .await;
    request(&world, "A", body(&[(0, 3), (1, 2)]))
        .expect(&world, 201)
        .await;
}

async fn keys_are_free_after_a_day(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    let key = "k".repeat(255);
    let ask_for = |beneficiaries: &[(usize, i64)]| request(&world, &key, body(beneficiaries));
    let first = ask_for(&[(0, 1)]).expect(&world, 201).await;
    world.clock.advance_secs(24 * HOUR - 1);
    assert!(is_replayed(&ask_for(&[(0, 1)]).expect(&world, 201).await));
    ask_for(&[(1, 1)]).expect(&world, 409).await;
    world.clock.advance_secs(1);
    let second = ask_for(&[(1, 1)]).expect(&world, 201).await;
    assert!(!is_replayed(&second) && second.body != first.body);
    ask_for(&[(0, 1)]).expect(&world, 409).await;
}

/// Other responses are not stored.
async fn only_success_is_kept(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    let failing = [
        (body(&[(900, 1)]), 404),
        (body(&[(0, 1), (0, 1)]), 409),
        ("{".to_owned(), 400),
        (body(&[(0, 0)]), 400),
    ];
    for (body, status) in failing {
        request(&world, "a", body.clone())
            .expect(&world, status)
            .await;
        request(&world, "a", body).expect(&world, status).await;
    }
    assert!(!is_replayed(
        &request(&world, "a", body(&[(0, 1)]))
            .expect(&world, 201)
            .await
    ));
    // An invalid body does not find the stored response either.
    request(&world, "a", body(&[(0, 0)]))
        .expect(&world, 400)
        .await;
}

async fn twins_make_one_config(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    let count = async || {
        let list = TestRequest::get("/configs")
            .key(&world.keys.pro)
            .expect(&world, 200)
            .await
            .json();
        list["response"].as_array().map_or(0, Vec::len)
    };
    let before = count().await;
    for round in 0..5 {
        let request = request(&world, &format!("twins-{round}"), body(&[(0, 1)]));
        let twins = futures_util::future::join_all((0..6).map(|_| request.of(&world))).await;
        let mut created: Vec<Value> = Vec::new();
        let mut first = 0;
        for twin in twins {
            assert_eq!(twin.status, 201);
            first += usize::from(!is_replayed(&twin));
            created.push(twin.json());
        }
        assert_eq!(first, 1);
        assert!(created.windows(2).all(|pair| pair[0] == pair[1]));
    }
    assert_eq!(count().await, before + 5);
}

/// A request for a webhook that is off, so that nothing is sent.
fn webhook_request(world: &World, key: &str, changes: &Value) -> TestRequest {
    let mut body = json!({
        "url": "https://partner.example/hooks",
        "events": ["donation.recorded", "config.created"],
        "enabled": false,
    });
    let changes = changes.as_object().unwrap().clone();
    body.as_object_mut().unwrap().extend(changes);
    let request = TestRequest::new("POST", "/webhooks").json(body.to_string());
    request.key(&world.keys.pro).header("idempotency-key", key)
}

async fn webhook_count(world: &World) -> usize {
    let list = TestRequest::get("/webhooks").key(&world.keys.pro);
    let page = list.expect(world, 200).await.json();
    page["response"].as_array().unwrap().len()
}

async fn a_webhook_is_created_once(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    let request = webhook_request(&world, "a", &json!({}));
    let first = request.expect(&world, 201).await;
    assert!(!is_replayed(&first));
    world.clock.advance_secs(HOUR);
    // The same values in another spelling.
    let spelled = json!({ "events": ["config.created", "donation.recorded"] });
    for again in [request.clone(), webhook_request(&world, "a", &spelled)] {
        for key in [&world.keys.pro, &world.keys.second_pro] {
            let again = again.clone().key(key).expect(&world, 201).await;
            assert!(is_replayed(&again));
            assert_eq!(again.body, first.body);
            for header in ["location", "etag"] {
                assert_eq!(again.header(header), first.header(header), "{header}");
            }
        }
    }
    for changes in [
        json!({ "url": "https://partner.example/other" }),
        json!({ "events": ["donation.recorded"] }),
        json!({ "description": "The ledger" }),
        json!({ "enabled": true }),
    ] {
        let reused = webhook_request(&world, "a", &changes);
        let reused = reused.expect(&world, 409).await;
        assert_eq!(reused.code(), "IDEMPOTENCY_KEY_REUSED", "{changes}");
    }
    assert_eq!(webhook_count(&world).await, 1);
    // Each project has its own keys, and they are free after a day.
    let other = request.clone().key(&world.keys.free);
    assert!(!is_replayed(&other.expect(&world, 201).await));
    world.clock.advance_secs(23 * HOUR - 1);
    assert!(is_replayed(&request.expect(&world, 201).await));
    world.clock.advance_secs(1);
    let changed = webhook_request(&world, "a", &json!({ "description": "The ledger" }));
    assert!(!is_replayed(&changed.expect(&world, 201).await));
}

/// A replay shows the webhook as it is, with its present secret.
async fn a_replayed_webhook_is_the_present_one(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    let request = webhook_request(&world, "a", &json!({}));
    let first = request.expect(&world, 201).await;
    let id = first.json()["id"].as_str().unwrap().to_owned();
    let rotate = TestRequest::new("POST", format!("/webhooks/{id}/secret"));
    let rotated = rotate.key(&world.keys.pro).expect(&world, 200).await;
    assert_ne!(rotated.json()["secret"], first.json()["secret"]);
    let again = request.expect(&world, 201).await;
    assert!(is_replayed(&again));
    assert_eq!(again.json(), rotated.json());
    let change = TestRequest::new("PATCH", format!("/webhooks/{id}"));
    let change = change.json(json!({ "description": "The ledger" }).to_string());
    let changed = change.key(&world.keys.pro).expect(&world, 200).await;
    let again = request.expect(&world, 201).await;
    assert_eq!(again.json()["description"], "The ledger");
    assert_eq!(again.header("etag"), changed.header("etag"));
}

async fn a_deleted_webhook_frees_its_key(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    let request = webhook_request(&world, "a", &json!({}));
    let first = request.expect(&world, 201).await;
    let id = first.json()["id"].as_str().unwrap().to_owned();
    let delete = TestRequest::new("DELETE", format!("/webhooks/{id}"));
    delete.key(&world.keys.pro).expect(&world, 204).await;
    let changed = webhook_request(&world, "a", &json!({ "description": "The ledger" }));
    let second = changed.expect(&world, 201).await;
    assert!(!is_replayed(&second));
    assert_ne!(second.json()["id"], first.json()["id"]);
    request.expect(&world, 409).await;
}

async fn twins_make_one_webhook(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    for round in 1..=3 {
        let request = webhook_request(&world, &format!("twins-{round}"), &json!({}));
        let twins = futures_util::future::join_all((0..6).map(|_| request.of(&world))).await;
        let first = twins.iter().filter(|twin| !is_replayed(twin));
        assert_eq!(first.count(), 1);
        for twin in &twins {
            assert_eq!((twin.status, &twin.body), (201, &twins[0].body));
        }
        assert_eq!(webhook_count(&world).await, round);
    }
}

/// A secret is replaced once for one key; a replay shows the webhook as it is, with its present secret.
async fn a_secret_is_rotated_once(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    let (first, other) = (
        webhook_request(&world, "a", &json!({}))
            .expect(&world, 201)
            .await,
        webhook_request(&world, "b", &json!({}))
            .expect(&world, 201)
            .await,
    );
    let rotate = |webhook: &Answer, key: &str| {
        let id = webhook.json()["id"].as_str().unwrap().to_owned();
        let request = TestRequest::new("POST", format!("/webhooks/{id}/secret"));
        request.key(&world.keys.pro).header("idempotency-key", key)
    };
    let once = rotate(&first, "c");
    let twins = futures_util::future::join_all((0..3).map(|_| once.of(&world))).await;
    assert_eq!(twins.iter().filter(|it| !is_replayed(it)).count(), 1);
    for twin in &twins {
        assert_eq!((twin.status, &twin.body), (200, &twins[0].body));
    }
    let rotated = &twins[0];
    assert_ne!(rotated.json()["secret"], first.json()["secret"]);
    let later = rotate(&first, "d").expect(&world, 200).await;
    assert!(!is_replayed(&later));
    assert_ne!(later.json()["secret"], rotated.json()["secret"]);
    let again = rotate(&first, "c").expect(&world, 200).await;
    assert!(is_replayed(&again));
    assert_eq!(again.json(), later.json());
    // The key of another webhook, of a creation, and for a creation.
    for reused in [
        rotate(&other, "c"),
        rotate(&first, "a"),
        webhook_request(&world, "c", &json!({})),
    ] {
        let answer = reused.expect(&world, 409).await;
        assert_eq!(answer.code(), "IDEMPOTENCY_KEY_REUSED");
    }
    // The key is free after a day.
    world.clock.advance_secs(24 * HOUR);
    let fresh = rotate(&first, "c").expect(&world, 200).await;
    assert!(!is_replayed(&fresh));
    assert_ne!(fresh.json()["secret"], later.json()["secret"]);
}

/// A key that created a config creates no webhook, and the other way round.
async fn a_key_is_for_one_resource(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    let (config, webhook) = (
        |key| request(&world, key, body(&[(0, 1)])),
        |key| webhook_request(&world, key, &json!({})),
    );
    config("a").expect(&world, 201).await;
    webhook("b").expect(&world, 201).await;
    for reused in [webhook("a"), config("b")] {
        let answer = reused.expect(&world, 409).await;
        assert_eq!(answer.code(), "IDEMPOTENCY_KEY_REUSED");
    }
}

super::theme! {
    the_first_answer_is_kept,
    bodies_are_compared_as_values,
    keys_are_free_after_a_day,
    only_success_is_kept,
    twins_make_one_config,
    a_webhook_is_created_once,
    a_replayed_webhook_is_the_present_one,
    a_deleted_webhook_frees_its_key,
    twins_make_one_webhook,
    a_secret_is_rotated_once,
    a_key_is_for_one_resource,
}
