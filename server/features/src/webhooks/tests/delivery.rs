//! The requests that arrive at receivers, from one server or several.

use std::time::{Duration, Instant};

use serde_json::Value;

use super::receiver::{Behaviour, Receiver};
use super::server::{DAY, TestServer, is_done, is_signed};
use crate::events::DeliveryState;
use crate::test_records::{config, config_id, project_id};
use crate::webhooks::Places;
use crate::webhooks::lifecycle;
use crate::webhooks::secret::SecretKeys;

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
    let created = crate::configs::store::create_config(
        server.store(),
        crate::test_records::BY_KEY,
        made,
        None,
        10,
        encode,
    );
    created.await.unwrap();
    receiver.wait_for(1).await;
    let deleted = crate::configs::store::delete_config(
        server.store(),
        crate::test_records::BY_KEY,
        project_id(1),
        config_id(9),
        None,
        server.now(),
    );
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
    let store = server.store();
    let service = server.service();
    let replaced = lifecycle::replace_secret(
        store,
        (&server.setup, &service),
        crate::test_records::BY_KEY,
        of,
        None,
        None,
        server.now(),
    );
    let second = replaced.await.unwrap().secret;
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

/// As many slow webhooks as three accounts with three Free projects each may have.
#[tokio::test]
async fn ninety_slow_webhooks_of_three_owners_delay_no_other_owner() {
    let mut server = TestServer::new().await;
    let late = Duration::from_secs(3);
    let slow = Receiver::start(Behaviour::AnswersAfter(late, 200)).await;
    let quick = Receiver::start(Behaviour::Answers(200)).await;
    for n in 0..9 {
        let project = server.project_of(10 + n, u128::from(n % 3) + 1).await;
        for _ in 0..10 {
            let (webhook, _) = server.webhook_of(project, slow.url()).await;
            for _ in 0..4 {
                server.send_test(&webhook).await;
            }
        }
    }
    let neighbor = server.project_of(20, 4).await;
    let url = format!("http://localhost:{}/", quick.address.port());
    let (webhook, _) = server.webhook_of(neighbor, url).await;
    server.serve();
    slow.wait_for(64).await;
    for count in 1..=5 {
        server.send_test(&webhook).await;
        let start = Instant::now();
        quick.wait_for(count).await;
        let waited = start.elapsed();
        assert!(waited < late / 2, "delivery {count} waited {waited:?}");
        tokio::time::sleep(late / 2).await;
    }
}

#[tokio::test]
async fn what_a_killed_server_had_taken_is_sent_by_another() {
    let mut server = TestServer::new().await;
    let receiver = Receiver::start(Behaviour::Answers(200)).await;
    let (webhook, _) = server.webhook(receiver.url()).await;
    server.send_test(&webhook).await;
    let until = edge::clock::after(server.now(), Duration::from_secs(60));
    let taken = crate::webhooks::queue::take_due_webhooks(
        server.store(),
        server.now(),
        until,
        Places::new(9),
    );
    assert_eq!(taken.await.unwrap()[0].lease.webhook, webhook.id);
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
