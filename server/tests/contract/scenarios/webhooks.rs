//! The life of a webhook, and its events.

use std::sync::Arc;

use features::mapping::timestamp;
use features::webhooks::WebhookKeys;
use generated::api::webhooks::{
    WebhooksCreateParams, WebhooksCreateResponse, WebhooksDeleteParams, WebhooksDeleteResponse,
    WebhooksDeliveriesParams, WebhooksDeliveriesResponse, WebhooksGetResponse, WebhooksListParams,
    WebhooksListResponse, WebhooksRedeliverResponse, WebhooksRotateSecretParams,
    WebhooksRotateSecretResponse, WebhooksTestResponse, WebhooksUpdateParams,
    WebhooksUpdateResponse,
};
use generated::formats;
use generated::models::{
    DeliveryStatus, EventType, NewWebhook, OpenDeliveryStatus, OpenEventType, Webhook,
    WebhookDelivery, WebhookUpdate,
};
use serde_json::{Value, json};

use super::super::fixture::{self, DELIVERY, WEBHOOK};
use super::super::test_request::TestRequest;
use super::super::world::{Template, World};
use super::parameters::assert_issue;

const URL: &str = "https://partner.example/hooks";

const NO_KEY: WebhooksRotateSecretParams = WebhooksRotateSecretParams {
    idempotency_key: None,
};

/// One that is off, so that nothing is sent.
fn new_webhook() -> NewWebhook {
    NewWebhook {
        description: Some("The ledger".to_owned()),
        enabled: Some(false),
        ..NewWebhook::new(
            URL.to_owned(),
            vec![EventType::KeyExpiring, EventType::DonationRecorded],
        )
    }
}

/// Creates one of the Pro project; returns it with its secret.
async fn create(world: &World) -> (Webhook, String) {
    let client = world.client_with(&world.keys.pro);
    let params = WebhooksCreateParams {
        idempotency_key: None,
    };
    let created = client.webhooks_create(params, new_webhook()).await.unwrap();
    let WebhooksCreateResponse::Created {
        body,
        location,
        etag,
        idempotent_replayed,
    } = created
    else {
        panic!("{created:?}");
    };
    let body = body.decode().unwrap();
    let id = body.id.0;
    assert_eq!(location, format!("/api/v1/webhooks/{id}"));
    assert_eq!(tag(world, body.id).await, etag);
    assert!(!idempotent_replayed);
    let webhook = get(world, body.id).await.unwrap();
    assert_eq!(body.events, webhook.events);
    (webhook, body.secret)
}

/// The entity tag of a webhook of the Pro project.
async fn tag(world: &World, id: formats::Uuid) -> String {
    let client = world.client_with(&world.keys.pro);
    match client.webhooks_get(id).await.unwrap() {
        WebhooksGetResponse::Ok { etag, .. } => etag,
        other => panic!("{other:?}"),
    }
}

async fn get(world: &World, id: formats::Uuid) -> Option<Webhook> {
    let client = world.client_with(&world.keys.pro);
    match client.webhooks_get(id).await.unwrap() {
        WebhooksGetResponse::Ok { body, .. } => Some(body.decode().unwrap()),
        WebhooksGetResponse::NotFound { .. } => None,
    }
}

async fn list(world: &World) -> Vec<Webhook> {
    let client = world.client_with(&world.keys.pro);
    let params = WebhooksListParams {
        limit: 50,
        cursor: None,
    };
    let WebhooksListResponse::Ok { body } = client.webhooks_list(params).await.unwrap();
    body.decode().unwrap().response
}

async fn change(world: &World, id: formats::Uuid, change: WebhookUpdate) -> Webhook {
    let client = world.client_with(&world.keys.pro);
    let params = WebhooksUpdateParams { if_match: None };
    match client.webhooks_update(id, params, change).await.unwrap() {
        WebhooksUpdateResponse::Ok { body, etag } => {
            assert_eq!(tag(world, id).await, etag);
            body.decode().unwrap()
        }
        other => panic!("{other:?}"),
    }
}

async fn deliveries(world: &World, id: formats::Uuid) -> Vec<WebhookDelivery> {
    let params = WebhooksDeliveriesParams {
        limit: 50,
        cursor: None,
    };
    let client = world.client_with(&world.keys.pro);
    match client.webhooks_deliveries(id, params).await.unwrap() {
        WebhooksDeliveriesResponse::Ok { body } => body.decode().unwrap().response,
        other => panic!("{other:?}"),
    }
}

async fn live_once(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    assert_eq!(list(&world).await, []);
    let (webhook, secret) = create(&world).await;
    assert_eq!(webhook.url, URL);
    // In the order of the contract, whatever that of the request is.
    let chosen = [EventType::DonationRecorded, EventType::KeyExpiring];
    assert_eq!(webhook.events, chosen.map(OpenEventType::EventType));
    assert_eq!(webhook.description.as_deref(), Some("The ledger"));
    assert_eq!((webhook.enabled, &webhook.failing_since), (false, &None));
    assert_eq!(webhook.previous_secret_until, None);
    assert_eq!(webhook.created_at, timestamp(fixture::now()));
    let (other, other_secret) = create(&world).await;
    assert_ne!(secret, other_secret);
    assert_eq!(list(&world).await, [webhook.clone(), other.clone()]);

    let changed = change(
        &world,
        webhook.id,
        WebhookUpdate {
            url: Some(format!("{URL}/2")),
            events: Some(vec![EventType::ConfigDeleted, EventType::ConfigCreated]),
            description: Some(None),
            enabled: None,
        },
    );
    let expected = Webhook {
        url: format!("{URL}/2"),
        events: [EventType::ConfigCreated, EventType::ConfigDeleted]
            .map(OpenEventType::EventType)
            .to_vec(),
        description: None,
        ..webhook.clone()
    };
    assert_eq!(changed.await, expected);
    assert_eq!(get(&world, webhook.id).await, Some(expected.clone()));
    assert_eq!(
        change(&world, webhook.id, WebhookUpdate::new()).await,
        expected
    );

    let client = world.client_with(&world.keys.pro);
    let delete = async || {
        let params = WebhooksDeleteParams { if_match: None };
        client.webhooks_delete(webhook.id, params).await.unwrap()
    };
    assert!(matches!(delete().await, WebhooksDeleteResponse::NoContent));
    assert!(matches!(
        delete().await,
        WebhooksDeleteResponse::NotFound { .. }
    ));
    assert_eq!(get(&world, webhook.id).await, None);
    assert_eq!(list(&world).await, [other]);
}

async fn have_two_secrets_for_a_day(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    let (webhook, first) = create(&world).await;
    let client = world.client_with(&world.keys.pro);
    let mut secrets = vec![first];
    for _ in 0..2 {
        let replaced = client.webhooks_rotate_secret(webhook.id, NO_KEY);
        let replaced = replaced.await.unwrap();
        let WebhooksRotateSecretResponse::Ok {
            body,
            etag,
            idempotent_replayed: false,
        } = replaced
        else {
            panic!("{replaced:?}");
        };
        assert_eq!(tag(&world, webhook.id).await, etag);
        let body = body.decode().unwrap();
        assert!(!secrets.contains(&body.secret));
        secrets.push(body.secret);
        let tomorrow = fixture::now() + jiff::SignedDuration::from_hours(24);
        assert_eq!(body.previous_secret_until, Some(timestamp(tomorrow)));
        let shown = get(&world, webhook.id).await.unwrap();
        assert_eq!(shown.previous_secret_until, body.previous_secret_until);
        assert_eq!((shown.id, shown.url), (body.id, body.url));
        assert_eq!(shown.events, body.events);
    }
}

async fn are_tried(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    let (webhook, _) = create(&world).await;
    assert_eq!(deliveries(&world, webhook.id).await, []);
    let client = world.client_with(&world.keys.pro);
    let tested = client.webhooks_test(webhook.id).await.unwrap();
    let WebhooksTestResponse::Accepted { body } = tested else {
        panic!("{tested:?}");
    };
    let delivery = body.decode().unwrap();
    assert_eq!(delivery.r#type, "webhook.test");
    let pending = OpenDeliveryStatus::DeliveryStatus(DeliveryStatus::Pending);
    assert_eq!((&*delivery.attempts, &delivery.status), ("0", &pending));
    assert_eq!(delivery.last_attempt_at, None);
    assert_eq!((delivery.last_status, &delivery.last_error), (None, &None));
    assert_eq!(delivery.next_attempt_at, Some(timestamp(fixture::now())));
    assert_eq!(delivery.created_at, timestamp(fixture::now()));
    assert_eq!(
        deliveries(&world, webhook.id).await,
        std::slice::from_ref(&delivery)
    );

    world.clock.advance_secs(60);
    let sent = client
        .webhooks_redeliver(webhook.id, delivery.id)
        .await
        .unwrap();
    let WebhooksRedeliverResponse::Accepted { body } = sent else {
        panic!("{sent:?}");
    };
    let again = body.decode().unwrap();
    let later = fixture::now() + jiff::SignedDuration::from_secs(60);
    assert_eq!(again.next_attempt_at, Some(timestamp(later)));
    assert_eq!((again.id, again.event_id), (delivery.id, delivery.event_id));
    assert_eq!(deliveries(&world, webhook.id).await, [again]);
}

async fn belong_to_their_project(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    let change = json!({ "enabled": true }).to_string();
    let below = format!("/webhooks/{WEBHOOK}");
    let requests = [
        TestRequest::get(&below),
        TestRequest::new("PATCH", &below).json(change),
        TestRequest::new("POST", format!("{below}/secret")),
        TestRequest::new("POST", format!("{below}/test")),
        TestRequest::get(format!("{below}/deliveries")),
        TestRequest::new("POST", format!("{below}/deliveries/{DELIVERY}/redeliver")),
        TestRequest::new("DELETE", &below),
    ];
    for request in &requests {
        let request = request.clone().key(&world.keys.pro);
        assert_eq!(request.expect(&world, 404).await.code(), "NOT_FOUND");
    }
    let unknown = format!("{below}/deliveries/{WEBHOOK}/redeliver");
    let unknown = TestRequest::new("POST", unknown).key(&world.keys.enterprise);
    unknown.expect(&world, 404).await;
    // Nothing has changed.
    let own = TestRequest::get(&below).key(&world.keys.enterprise);
    let shown = own.expect(&world, 200).await.json();
    assert_eq!(
        (&shown["enabled"], &shown["previousSecretUntil"]),
        (&json!(false), &Value::Null)
    );
}

/// A merge patch, of either media type: absent properties are unchanged, and null removes one.
async fn take_merge_patches(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    for media_type in ["application/merge-patch+json", "application/json"] {
        let (webhook, _) = create(&world).await;
        let patch = |body: Value| {
            let request = TestRequest::new("PATCH", format!("/webhooks/{}", webhook.id.0));
            let request = request.body(media_type, body.to_string());
            request.key(&world.keys.pro)
        };
        patch(json!({ "enabled": true })).expect(&world, 200).await;
        let expected = Webhook {
            enabled: true,
            ..webhook.clone()
        };
        assert_eq!(get(&world, webhook.id).await, Some(expected.clone()));
        let body = json!({ "description": null });
        patch(body).expect(&world, 200).await;
        let expected = Webhook {
            description: None,
            ..expected
        };
        assert_eq!(get(&world, webhook.id).await, Some(expected.clone()));
        for required in ["url", "events", "enabled"] {
            let issues = patch(json!({ required: null })).expect(&world, 400).await;
            assert_issue(&issues.issues(), "body", &format!("/{required}"), "type");
        }
        patch(json!({})).expect(&world, 200).await;
        assert_eq!(get(&world, webhook.id).await, Some(expected));
    }
    let other = TestRequest::new("PATCH", format!("/webhooks/{WEBHOOK}"));
    let other = other.body("application/json-patch+json", "[]");
    let other = other.key(&world.keys.enterprise);
    other.expect(&world, 415).await;
}

/// The second of two changes of the same state is rejected, and one with the new tag is made.
async fn change_under_a_condition(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    let (webhook, _) = create(&world).await;
    let before = tag(&world, webhook.id).await;
    let described = |description: &str, tags: &str| {
        let body = json!({ "description": description }).to_string();
        let request = TestRequest::new("PATCH", format!("/webhooks/{}", webhook.id.0));
        let request = request.body("application/merge-patch+json", body);
        request.key(&world.keys.pro).header("if-match", tags)
    };
    let first = described("first", &before).expect(&world, 200).await;
    let after = first.header("etag").unwrap().to_owned();
    assert_ne!(after, before);
    let second = described("second", &before).expect(&world, 412).await;
    assert_eq!(second.code(), "PRECONDITION_FAILED");
    let shown = get(&world, webhook.id).await.unwrap();
    assert_eq!(shown.description.as_deref(), Some("first"));
    for tags in [&after, &format!("{before} , {after}"), "*"] {
        described("first", tags).expect(&world, 200).await;
    }
    let weak = format!("W/{after}");
    described("third", &weak).expect(&world, 412).await;
    let unquoted = described("third", "first").expect(&world, 400).await;
    assert_issue(&unquoted.issues(), "header", "If-Match", "pattern");
    // The secret is not part of the tag.
    let client = world.client_with(&world.keys.pro);
    let rotated = client.webhooks_rotate_secret(webhook.id, NO_KEY);
    rotated.await.unwrap();
    described("fourth", &after).expect(&world, 200).await;
    let delete = |tags: &str| {
        let request = TestRequest::new("DELETE", format!("/webhooks/{}", webhook.id.0));
        request.key(&world.keys.pro).header("if-match", tags)
    };
    let stale = delete(&before).expect(&world, 412).await;
    assert_eq!(stale.code(), "PRECONDITION_FAILED");
    let current = tag(&world, webhook.id).await;
    delete(&current).expect(&world, 204).await;
    let gone = delete("*").expect(&world, 404).await;
    assert_eq!(gone.code(), "NOT_FOUND");
    let unknown = TestRequest::new("PATCH", format!("/webhooks/{}", DELIVERY));
    let unknown = unknown.json("{}").key(&world.keys.pro);
    let unknown = unknown.header("if-match", "*").expect(&world, 404).await;
    assert_eq!(unknown.code(), "NOT_FOUND");
}

async fn lead_to_the_public_internet(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    let (webhook, _) = create(&world).await;
    let target = format!("/webhooks/{}", webhook.id.0);
    for url in [
        "http://partner.example/",
        "https://user:password@partner.example/",
        "https://partner.example/#a",
        "https://partner.example:0/",
        "https://localhost/",
        "https://127.0.0.1/",
        "https://2130706433/",
        "https://[::ffff:8.8.8.8]/",
        "https://169.254.169.254/latest/meta-data",
    ] {
        let body = json!({ "url": url, "events": ["config.created"] });
        let create = TestRequest::new("POST", "/webhooks").json(body.to_string());
        let change = TestRequest::new("PATCH", &target).json(json!({ "url": url }).to_string());
        for request in [create, change] {
            let request = request.key(&world.keys.pro);
            let issues = request.expect(&world, 400).await.issues();
            assert_issue(&issues, "body", "/url", "forbiddenUrl");
        }
    }
    assert_eq!(list(&world).await, [webhook]);
}

/// The scheme in any case, and one issue for a text that is no URL of https.
async fn have_a_url_of_https(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    let create = |url: &str| {
        let body = json!({ "url": url, "events": ["config.created"] }).to_string();
        let request = TestRequest::new("POST", "/webhooks").json(body);
        request.key(&world.keys.pro)
    };
    let url = "HTTPS://partner.example/hooks";
    let made = create(url).expect(&world, 201).await;
    assert_eq!(made.json()["url"], url);
    for url in [
        "",
        "partner.example",
        "ftp://partner.example",
        "https://a b/",
    ] {
        let issues = create(url).expect(&world, 400).await.issues();
        let [issue] = &*issues else {
            panic!("{url:?}: {issues:?}");
        };
        assert!(issue.message.contains("https://partner"), "{issue:?}");
    }
}

async fn have_a_form(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    let body =
        json!({ "url": "ftp://partner.example", "events": [], "description": "", "secret": "x" });
    let request = TestRequest::new("POST", "/webhooks").json(body.to_string());
    let issues = request
        .key(&world.keys.pro)
        .expect(&world, 400)
        .await
        .issues();
    for (at, keyword) in [
        ("/url", "pattern"),
        ("/events", "minItems"),
        ("/description", "minLength"),
        ("/secret", "additionalProperties"),
    ] {
        assert_issue(&issues, "body", at, keyword);
    }
    let events = json!(["config.created", "config.created", "webhook.test"]);
    let body = json!({ "url": URL, "events": events });
    for (method, target) in [
        ("POST", "/webhooks".to_owned()),
        ("PATCH", format!("/webhooks/{WEBHOOK}")),
    ] {
        let request = TestRequest::new(method, target).key(&world.keys.enterprise);
        let issues = request.json(body.to_string());
        let issues = issues.expect(&world, 400).await.issues();
        assert_issue(&issues, "body", "/events", "uniqueItems");
        assert_issue(&issues, "body", "/events/2", "enum");
    }
}

async fn are_ten_at_most(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    for _ in 0..10 {
        create(&world).await;
    }
    let body = json!({ "url": URL, "events": ["config.created"] }).to_string();
    let request = TestRequest::new("POST", "/webhooks").json(body);
    let refused = request.clone().key(&world.keys.pro);
    let refused = refused.expect(&world, 409).await;
    assert_eq!(refused.code(), "WEBHOOK_QUOTA_EXCEEDED");
    request.key(&world.keys.free).expect(&world, 201).await;
}

async fn get_a_hundred_test_events_an_hour(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    let (webhook, _) = create(&world).await;
    let path = format!("/webhooks/{}/test", webhook.id.0);
    let test = TestRequest::new("POST", path).key(&world.keys.pro);
    for _ in 0..100 {
        test.clone().expect(&world, 202).await;
    }
    let rejected = test.expect(&world, 409).await;
    assert_eq!(rejected.code(), "TEST_EVENT_QUOTA_EXCEEDED");
}

async fn need_an_operator_who_sets_them_up(template: Arc<Template>) {
    let world = template
        .world(|config| config.webhooks.keys = WebhookKeys::None)
        .await;
    let body = json!({ "url": URL, "events": ["config.created"] }).to_string();
    let create = TestRequest::new("POST", "/webhooks").json(body);
    let rotate = TestRequest::new("POST", format!("/webhooks/{WEBHOOK}/secret"));
    for request in [create, rotate] {
        let answer = request
            .key(&world.keys.enterprise)
            .expect(&world, 409)
            .await;
        assert_eq!(answer.code(), "WEBHOOKS_OFF");
    }
    let list = TestRequest::get("/webhooks").key(&world.keys.enterprise);
    let shown = list.expect(&world, 200).await.json();
    let shown = shown["response"].as_array().unwrap();
    assert_eq!(shown.len() as u128, fixture::WEBHOOKS);
}

super::theme! {
    live_once,
    have_two_secrets_for_a_day,
    are_tried,
    belong_to_their_project,
    take_merge_patches,
    change_under_a_condition,
    lead_to_the_public_internet,
    have_a_url_of_https,
    have_a_form,
    are_ten_at_most,
    get_a_hundred_test_events_an_hour,
    need_an_operator_who_sets_them_up,
}
