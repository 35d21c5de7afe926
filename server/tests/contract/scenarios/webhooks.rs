//! The life of a webhook, and its events.

use std::sync::Arc;

use generated::api::webhooks::{
    WebhooksChangeResponse, WebhooksCreateResponse, WebhooksDeleteResponse,
    WebhooksDeliveriesParams, WebhooksDeliveriesResponse, WebhooksGetResponse,
    WebhooksListResponse, WebhooksRedeliverResponse, WebhooksRotateSecretResponse,
    WebhooksTestResponse,
};
use generated::formats;
use generated::models::{
    EventType, NewWebhook, OpenEventType, Webhook, WebhookChange, WebhookDelivery,
    WebhookDeliveryStatus,
};
use serde_json::{Value, json};
use server::mapping::timestamp;
use server::webhooks::WebhookKeys;

use super::super::fixture::{self, DELIVERY, WEBHOOK};
use super::super::test_request::TestRequest;
use super::super::world::{Template, World};
use super::parameters::assert_issue;

const URL: &str = "https://partner.example/hooks";

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
    let created = client.webhooks_create(new_webhook()).await.unwrap();
    let WebhooksCreateResponse::Created { body, location } = created else {
        panic!("{created:?}");
    };
    let body = body.decode().unwrap();
    let id = body.id.0;
    assert_eq!(location, format!("/api/v1/webhooks/{id}"));
    let webhook = get(world, body.id).await.unwrap();
    assert_eq!(body.events, webhook.events);
    (webhook, body.secret)
}

async fn get(world: &World, id: formats::Uuid) -> Option<Webhook> {
    let client = world.client_with(&world.keys.pro);
    match client.webhooks_get(id).await.unwrap() {
        WebhooksGetResponse::Ok { body } => Some(body.decode().unwrap()),
        WebhooksGetResponse::NotFound { .. } => None,
    }
}

async fn list(world: &World) -> Vec<Webhook> {
    let client = world.client_with(&world.keys.pro);
    let WebhooksListResponse::Ok { body } = client.webhooks_list().await.unwrap();
    body.decode().unwrap().response
}

async fn change(world: &World, id: formats::Uuid, change: WebhookChange) -> Webhook {
    let client = world.client_with(&world.keys.pro);
    match client.webhooks_change(id, change).await.unwrap() {
        WebhooksChangeResponse::Ok { body } => body.decode().unwrap(),
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
        WebhookChange {
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
        change(&world, webhook.id, WebhookChange::new()).await,
        expected
    );

    let client = world.client_with(&world.keys.pro);
    let delete = async || client.webhooks_delete(webhook.id).await.unwrap();
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
        let replaced = client.webhooks_rotate_secret(webhook.id).await.unwrap();
        let WebhooksRotateSecretResponse::Ok { body } = replaced else {
            panic!("{replaced:?}");
        };
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
    assert_eq!(delivery.status, WebhookDeliveryStatus::Pending);
    assert_eq!((delivery.attempts, &delivery.last_attempt_at), (0, &None));
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
        let issues = request.clone().json(body.to_string());
        let issues = issues.expect(&world, 400).await.issues();
        assert_issue(&issues, "body", "/events", "uniqueItems");
        assert_issue(&issues, "body", "/events/2", "enum");
        let answer = request.json("{").expect(&world, 400).await;
        assert_eq!(answer.code(), "INVALID_JSON");
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
    assert_eq!(shown["response"].as_array().map(Vec::len), Some(1));
}

super::theme! {
    live_once,
    have_two_secrets_for_a_day,
    are_tried,
    belong_to_their_project,
    lead_to_the_public_internet,
    have_a_url_of_https,
    have_a_form,
    are_ten_at_most,
    need_an_operator_who_sets_them_up,
}
