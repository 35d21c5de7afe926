//! Deliveries over real connections, to receivers of every kind.

mod receiver;

use std::sync::Arc;
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD as BASE64;
use jiff::Timestamp;
use ring::hmac::{HMAC_SHA256, Key, verify};
use serde_json::Value;
use uuid::Uuid;

use super::connection::{Connector, Resolve, SendError};
use super::deliverer::Deliverer;
use super::lifecycle::{self, WebhookRequest, WebhookSetup};
use super::secret::{Secret, SecretKeys};
use super::{
    Delivery, DeliveryState, EventType, EventTypes, TargetError, TargetRules, Webhook, WebhookId,
};
use crate::clock::Clock as _;
use crate::clock::manual::ManualClock;
use crate::config::{Config, Settings};
use crate::configs::Requester;
use crate::database::Store;
use crate::database::conformance::world::{Site, World, config, config_id, project_id};
use crate::http::{Metrics, Shutdown};
use receiver::{Behaviour, Received, Receiver};

const DAY: Duration = Duration::from_secs(24 * 3600);

/// A database, a clock and what a server needs.
struct TestServer {
    world: World,
    clock: ManualClock,
    setup: WebhookSetup,
    running: Vec<Shutdown>,
}

impl TestServer {
    async fn new() -> Self {
        Self {
            world: World::new(&Site::Files).await,
            clock: ManualClock::at("2026-11-20T12:00:00Z"),
            setup: WebhookSetup {
                keys: Some(SecretKeys::random().unwrap()),
                rules: TargetRules {
                    is_demo: true,
                    ..TargetRules::default()
                },
            },
            running: Vec::new(),
        }
    }

    fn store(&self) -> &Store {
        &self.world.store
    }

    fn now(&self) -> Timestamp {
        self.clock.now().wall
    }

    /// A webhook of project 1 that is told of configs.
    async fn webhook(&self, url: String) -> (Webhook, Secret) {
        let request = WebhookRequest {
            id: WebhookId(Uuid::now_v7()),
            project: project_id(1),
            url,
            description: None,
            events: EventTypes::from_iter([EventType::ConfigCreated, EventType::ConfigDeleted]),
            is_enabled: true,
        };
        let store = self.store().as_ref();
        let created = lifecycle::create(store, &self.setup, Requester::Key, request, self.now());
        created.await.unwrap()
    }

    /// Starts to send.
    fn serve(&mut self) {
        let shutdown = Shutdown::default();
        let deliverer = Deliverer::new(
            self.store().clone(),
            Arc::new(self.clock.clone()),
            &self.setup,
            Config::of(Settings::default()).service,
            &Metrics::new().unwrap(),
        );
        let deliverer = Arc::new(deliverer.unwrap());
        tokio::spawn(deliverer.run(shutdown.clone()));
        self.running.push(shutdown);
    }

    async fn send_test(&self, webhook: &Webhook) {
        let of = (webhook.project, webhook.id);
        let store = self.store().as_ref();
        lifecycle::test(store, Requester::Key, of, self.now())
            .await
            .unwrap();
    }

    async fn deliveries(&self, webhook: &Webhook) -> Vec<Delivery> {
        let of = (webhook.project, webhook.id);
        let read = self.store().deliveries(of, None, 100);
        read.await.unwrap().unwrap()
    }

    /// Waits until the deliveries of a webhook are as they should be.
    async fn wait(&self, webhook: &Webhook, fit: impl Fn(&[Delivery]) -> bool) -> Vec<Delivery> {
        let start = Instant::now();
        loop {
            let deliveries = self.deliveries(webhook).await;
            if fit(&deliveries) {
                return deliveries;
            }
            let late = start.elapsed() > Duration::from_secs(20);
            assert!(!late, "{deliveries:?}");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    async fn found(&self, webhook: &Webhook) -> Webhook {
        let found = self.store().webhook(webhook.project, webhook.id);
        found.await.unwrap().unwrap()
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        self.running.iter().for_each(Shutdown::request);
    }
}

/// Checks a request as a receiver does: whether one of its signatures is by the secret.
fn is_signed(received: &Received, secret: &Secret) -> bool {
    let text = |name: &str| received.head[name].to_str().unwrap();
    let signed = format!("{}.{}.", text("webhook-id"), text("webhook-timestamp"));
    let signed = [signed.as_bytes(), &received.body].concat();
    let shown = secret.reveal();
    let key = BASE64
        .decode(shown.strip_prefix("whsec_").unwrap())
        .unwrap();
    let key = Key::new(HMAC_SHA256, &key);
    text("webhook-signature").split(' ').any(|part| {
        let tag = BASE64.decode(part.strip_prefix("v1,").unwrap()).unwrap();
        verify(&key, &signed, &tag).is_ok()
    })
}

fn is_done(deliveries: &[Delivery]) -> bool {
    let done = |it: &Delivery| it.state == DeliveryState::Delivered;
    !deliveries.is_empty() && deliveries.iter().all(done)
}

#[tokio::test]
async fn a_config_is_told_as_it_is_created_and_deleted() {
    let mut server = TestServer::new().await;
    let receiver = Receiver::start(Behaviour::Answers(204)).await;
    let (webhook, secret) = server.webhook(receiver.url()).await;
    let (_, other) = server.webhook("https://partner.example/".to_owned()).await;
    server.serve();
    let made = crate::configs::Config {
        created_at: server.now(),
        ..config(9, 1, &[(1, 3), (2, 1)])
    };
    let encode = |_: &_, _: &[_]| Ok(b"{}".to_vec());
    let created = server
        .store()
        .create_config(Requester::Key, made, None, 10, encode);
    created.await.unwrap();
    receiver.wait_for(1).await;
    let deleted =
        server
            .store()
            .delete_config(Requester::Key, project_id(1), config_id(9), server.now());
    assert!(deleted.await.unwrap());
    let received = receiver.wait_for(2).await;
    let bodies: Vec<Value> = received
        .iter()
        .map(|it| serde_json::from_slice(&it.body).unwrap())
        .collect();
    assert_eq!(bodies[0]["type"], "config.created");
    assert_eq!(bodies[0]["timestamp"], "2026-11-20T12:00:00.000Z");
    assert_eq!(bodies[0]["data"]["id"]["hex"], config_id(9).to_string());
    assert_eq!(bodies[0]["data"]["charities"][0]["weight"], "3");
    assert_eq!(bodies[0]["data"]["deletedAt"], Value::Null);
    assert_eq!(bodies[1]["type"], "config.deleted");
    assert_eq!(bodies[1]["data"]["deletedAt"], "2026-11-20T12:00:00.000Z");
    assert_eq!(
        (&bodies[0]["sequence"], &bodies[1]["sequence"]),
        (&1.into(), &2.into())
    );
    for (received, body) in received.iter().zip(&bodies) {
        assert!(is_signed(received, &secret) && !is_signed(received, &other));
        assert_eq!(received.path, "/hooks?a=b");
        assert_eq!(received.head["content-type"], "application/json");
        assert_eq!(received.head["host"], receiver.address.to_string());
        assert_eq!(received.head["webhook-timestamp"], "1795176000");
        assert_eq!(received.head["webhook-id"], body["id"].as_str().unwrap());
        assert!(!received.head.contains_key("service-api-key"));
    }
    server.wait(&webhook, is_done).await;
}

#[tokio::test]
async fn both_secrets_sign_for_a_day() {
    let mut server = TestServer::new().await;
    let receiver = Receiver::start(Behaviour::Answers(200)).await;
    let (webhook, first) = server.webhook(receiver.url()).await;
    let of = (webhook.project, webhook.id);
    let store = server.store().as_ref();
    let replaced =
        lifecycle::replace_secret(store, &server.setup, Requester::Key, of, None, server.now());
    let (_, second) = replaced.await.unwrap();
    server.serve();
    server.send_test(&webhook).await;
    let received = receiver.wait_for(1).await;
    assert!(is_signed(&received[0], &first) && is_signed(&received[0], &second));
    server
        .wait(&webhook, |all| all[0].state == DeliveryState::Delivered)
        .await;
    server.clock.advance(DAY);
    // A turn that began before may take the next delivery too, with the secrets that it has.
    for count in 2.. {
        server.send_test(&webhook).await;
        let received = receiver.wait_for(count).await;
        let last = received.last().unwrap();
        assert!(is_signed(last, &second));
        if !is_signed(last, &first) {
            break;
        }
        assert!(count < 6, "the old secret signs for longer");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

#[tokio::test]
async fn a_delivery_is_sent_until_it_arrives() {
    let mut server = TestServer::new().await;
    let receiver = Receiver::start(Behaviour::Answers(503)).await;
    let (webhook, _) = server.webhook(receiver.url()).await;
    server.serve();
    server.send_test(&webhook).await;
    let failed = |attempts| move |all: &[Delivery]| all[0].attempts == attempts;
    let delivery = server.wait(&webhook, failed(1)).await.remove(0);
    assert_eq!(delivery.state, DeliveryState::Pending);
    assert_eq!(delivery.last.unwrap().answer, Ok(503));
    let wait = delivery
        .next_attempt_at
        .unwrap()
        .duration_since(server.now());
    assert!((2.5..=5.0).contains(&wait.as_secs_f64()), "{wait}");
    // The turn ends after the attempt is noted.
    let start = Instant::now();
    while server.found(&webhook).await.failing_since.is_none() {
        assert!(
            start.elapsed() < Duration::from_secs(20),
            "it does not fail"
        );
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    server.clock.advance(Duration::from_secs(5));
    server.wait(&webhook, failed(2)).await;
    receiver.now(Behaviour::Answers(202));
    server.clock.advance(Duration::from_secs(20));
    let delivery = server.wait(&webhook, is_done).await.remove(0);
    assert_eq!((delivery.attempts, delivery.next_attempt_at), (3, None));
    let received = receiver.received();
    assert_eq!(received.len(), 3);
    let ids = received.iter().map(|it| &it.head["webhook-id"]);
    assert!(ids.clone().all(|id| *id == received[0].head["webhook-id"]));
}

#[tokio::test]
async fn a_webhook_that_fails_for_three_days_is_switched_off() {
    let mut server = TestServer::new().await;
    let receiver = Receiver::start(Behaviour::Answers(500)).await;
    let (webhook, _) = server.webhook(receiver.url()).await;
    server.serve();
    server.send_test(&webhook).await;
    let start = Instant::now();
    let failed = loop {
        let delivery = server.deliveries(&webhook).await.remove(0);
        let Some(next) = delivery.next_attempt_at else {
            break delivery;
        };
        let late = start.elapsed() > Duration::from_secs(60);
        assert!(!late, "{delivery:?}");
        // A webhook that fails is left alone for some minutes, although its delivery is due.
        let wait = Duration::try_from(next.duration_since(server.now())).unwrap_or_default();
        server.clock.advance(wait.max(Duration::from_secs(60)));
        tokio::time::sleep(Duration::from_millis(30)).await;
    };
    assert_eq!(failed.state, DeliveryState::Failed);
    assert!((10..20).contains(&failed.attempts), "{failed:?}");
    server.send_test(&webhook).await;
    let start = Instant::now();
    while server.found(&webhook).await.is_enabled {
        assert!(start.elapsed() < Duration::from_secs(20), "it is on");
        server.clock.advance(DAY / 8);
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let off = server.found(&webhook).await;
    let since = off.failing_since.unwrap();
    assert!(server.now() >= crate::clock::after(since, Webhook::MAY_FAIL));
    // Nothing is told it any more.
    let before = receiver.received().len();
    server.clock.advance(DAY);
    tokio::time::sleep(Duration::from_millis(400)).await;
    assert_eq!(receiver.received().len(), before);
}

#[tokio::test]
async fn a_slow_webhook_delays_no_other() {
    let mut server = TestServer::new().await;
    let slow = Receiver::start(Behaviour::Hangs).await;
    let quick = Receiver::start(Behaviour::Answers(200)).await;
    let (stuck, _) = server.webhook(slow.url()).await;
    let (webhook, _) = server.webhook(quick.url()).await;
    for _ in 0..20 {
        server.send_test(&stuck).await;
    }
    server.serve();
    slow.wait_for(4).await;
    for _ in 0..50 {
        server.send_test(&webhook).await;
    }
    let start = Instant::now();
    quick.wait_for(50).await;
    assert!(
        start.elapsed() < Duration::from_secs(3),
        "{:?}",
        start.elapsed()
    );
    // The requests to one webhook at the same time are few.
    assert_eq!(slow.received().len(), 4);
}

#[tokio::test]
async fn what_a_killed_server_had_taken_is_sent_by_another() {
    let mut server = TestServer::new().await;
    let receiver = Receiver::start(Behaviour::Answers(200)).await;
    let (webhook, _) = server.webhook(receiver.url()).await;
    server.send_test(&webhook).await;
    let until = crate::clock::after(server.now(), Duration::from_secs(60));
    let taken = server.store().take_due_webhook(server.now(), until).await;
    assert_eq!(taken.unwrap().unwrap().lease.webhook, webhook.id);
    server.serve();
    tokio::time::sleep(Duration::from_millis(600)).await;
    assert_eq!(receiver.received().len(), 0);
    server.clock.advance(Duration::from_secs(60));
    receiver.wait_for(1).await;
    server.wait(&webhook, is_done).await;
}

#[tokio::test]
async fn servers_share_the_work() {
    let mut server = TestServer::new().await;
    let receiver = Receiver::start(Behaviour::Answers(200)).await;
    let mut webhooks = Vec::new();
    for _ in 0..5 {
        let (webhook, _) = server.webhook(receiver.url()).await;
        for _ in 0..20 {
            server.send_test(&webhook).await;
        }
        webhooks.push(webhook);
    }
    server.serve();
    server.serve();
    for webhook in &webhooks {
        server.wait(webhook, is_done).await;
    }
    assert_eq!(receiver.received().len(), 100, "each once");
    let connections = receiver.connections();
    assert!(connections <= 40, "{connections} connections");
}

/// The answer to a test event, as the list of deliveries has it.
async fn answer_to(behaviour: Behaviour) -> (Result<u16, String>, Duration) {
    let mut server = TestServer::new().await;
    let receiver = Receiver::start(behaviour).await;
    let (webhook, _) = server.webhook(receiver.url()).await;
    server.send_test(&webhook).await;
    let start = Instant::now();
    server.serve();
    let delivery = server.wait(&webhook, |all| all[0].last.is_some()).await;
    (delivery[0].last.clone().unwrap().answer, start.elapsed())
}

#[tokio::test]
async fn redirects_are_not_followed() {
    let other = Receiver::start(Behaviour::Answers(200)).await;
    let (answer, _) = answer_to(Behaviour::Redirects(other.url())).await;
    assert_eq!(answer, Ok(307));
    assert_eq!(other.connections(), 0);
}

#[tokio::test]
async fn answers_are_bounded_in_size_and_time() {
    let (answer, _) = answer_to(Behaviour::Says(
        b"HTTP/1.1 200 OK\r\n",
        b"a: aaaaaaaaaaaaaaaa\r\n",
    ))
    .await;
    assert!(answer.unwrap_err().contains("no answer of HTTP"));
    // The status was said; the endless body changes nothing.
    let endless: (&[u8], &[u8]) = (
        b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n",
        b"4\r\naaaa\r\n",
    );
    let (answer, took) = answer_to(Behaviour::Says(endless.0, endless.1)).await;
    assert_eq!(answer, Ok(200));
    assert!(took < Duration::from_secs(5), "{took:?}");
    let (answer, took) = answer_to(Behaviour::Says(
        b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n",
        b"",
    ))
    .await;
    assert_eq!(answer, Ok(200));
    assert!(took < Duration::from_secs(5), "{took:?}");
    let (answer, _) = answer_to(Behaviour::Says(b"SSH-2.0-OpenSSH_9.9\r\n", b"")).await;
    assert!(answer.unwrap_err().contains("no answer of HTTP"));
    let (answer, took) = answer_to(Behaviour::Hangs).await;
    assert_eq!(answer, Err("no answer in time".to_owned()));
    assert!(took < Duration::from_secs(13), "{took:?}");
}

/// A resolver of one name.
fn resolver(addresses: &[&str]) -> Resolve {
    let addresses: Vec<_> = addresses.iter().map(|it| it.parse().unwrap()).collect();
    Arc::new(move |_, _| {
        let addresses = addresses.clone();
        Box::pin(async move { Ok(addresses) })
    })
}

#[tokio::test]
async fn a_name_that_leads_inside_is_not_followed() {
    let receiver = Receiver::start(Behaviour::Answers(200)).await;
    let inside = receiver.address.to_string();
    let rules = TargetRules::default();
    let target = rules.check("https://partner.example/").unwrap();
    for addresses in [
        vec![inside.as_str()],
        vec!["1.1.1.1:443", inside.as_str()],
        vec!["169.254.169.254:443"],
        vec!["[::ffff:127.0.0.1]:443"],
    ] {
        let connector = Connector::with_resolver(rules.clone(), None, resolver(&addresses));
        let refused = connector.connect(&target).await.err().unwrap();
        assert!(
            matches!(refused, SendError::Target(TargetError::Address)),
            "{addresses:?}"
        );
    }
    assert_eq!(receiver.connections(), 0);
    let nowhere = Connector::with_resolver(rules.clone(), None, resolver(&[]));
    let refused = nowhere.connect(&target).await.err().unwrap();
    assert!(matches!(refused, SendError::Name), "{refused}");
}

/// The name leads to an allowed address when it is checked and elsewhere the next moment.
#[tokio::test]
async fn the_address_that_was_checked_is_connected_to() {
    let allowed = Receiver::start(Behaviour::Answers(200)).await;
    let asked = Arc::new(std::sync::atomic::AtomicUsize::new(0));
    let (address, count) = (allowed.address, asked.clone());
    let resolve: Resolve = Arc::new(move |_, _| {
        let first = count.fetch_add(1, std::sync::atomic::Ordering::Relaxed) == 0;
        let elsewhere = "169.254.169.254:80".parse().unwrap();
        Box::pin(async move { Ok(vec![if first { address } else { elsewhere }]) })
    });
    let rules = TargetRules {
        is_demo: true,
        ..TargetRules::default()
    };
    let target = rules.check("http://localhost/").unwrap();
    let connector = Connector::with_resolver(rules, None, resolve);
    connector.connect(&target).await.unwrap();
    assert_eq!(asked.load(std::sync::atomic::Ordering::Relaxed), 1);
    while allowed.connections() == 0 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let again = connector.connect(&target).await.err().unwrap();
    assert!(matches!(again, SendError::Target(TargetError::Address)));
}

/// Without TLS on the other side, or without authorities on this one, nothing is sent.
#[tokio::test]
async fn a_url_of_https_is_asked_by_tls_alone() {
    let receiver = Receiver::start(Behaviour::Answers(200)).await;
    let rules = TargetRules {
        networks: vec!["127.0.0.0/8".parse().unwrap()],
        is_demo: false,
    };
    let url = format!("https://{}/", receiver.address);
    let target = rules.check(&url).unwrap();
    let connector = Connector::new(rules.clone(), None);
    let refused = connector.connect(&target).await.err().unwrap();
    assert!(matches!(refused, SendError::NoAuthorities));
    let empty = rustls::ClientConfig::builder_with_provider(Arc::new(
        rustls::crypto::ring::default_provider(),
    ))
    .with_safe_default_protocol_versions()
    .unwrap()
    .with_root_certificates(rustls::RootCertStore::empty())
    .with_no_client_auth();
    let connector = Connector::new(rules, Some(Arc::new(empty).into()));
    let refused = connector.connect(&target).await.err().unwrap();
    assert!(matches!(refused, SendError::Tls(_)), "{refused}");
    assert_eq!(receiver.received().len(), 0);
}

/// A webhook whose secret no key opens is left alone, and others are not.
#[tokio::test]
async fn a_secret_of_a_lost_key_holds_up_nothing() {
    let mut server = TestServer::new().await;
    let receiver = Receiver::start(Behaviour::Answers(200)).await;
    let (lost, _) = server.webhook(receiver.url()).await;
    server.setup.keys = Some(SecretKeys::random().unwrap());
    let (webhook, secret) = server.webhook(receiver.url()).await;
    server.send_test(&lost).await;
    server.send_test(&webhook).await;
    server.serve();
    server.wait(&webhook, is_done).await;
    assert!(is_signed(&receiver.received()[0], &secret));
    assert_eq!(server.deliveries(&lost).await[0].attempts, 0);
}
