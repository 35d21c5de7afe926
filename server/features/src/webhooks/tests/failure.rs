//! Deliveries that fail: further attempts, and the end of a webhook that fails for long.

use std::time::{Duration, Instant};

use super::receiver::{Behaviour, Receiver};
use super::server::{DAY, TestServer, is_done};
use crate::events::DeliveryState;
use crate::webhooks::{Delivery, Webhook};

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
    assert_eq!(delivery.log.last().unwrap().outcome, Ok(503));
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
    let start = Instant::now();
    let delivery = loop {
        // A turn that ends only now leaves the webhook alone from now on.
        server.clock.advance(Duration::from_secs(20));
        let mut deliveries = server.deliveries(&webhook).await;
        if is_done(&deliveries) {
            break deliveries.remove(0);
        }
        let late = start.elapsed() > Duration::from_secs(20);
        assert!(!late, "{deliveries:?}");
        tokio::time::sleep(Duration::from_millis(30)).await;
    };
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
    assert!(server.now() >= edge::clock::after(since, Webhook::MAY_FAIL));
    // It gets no further events.
    let before = receiver.received().len();
    server.clock.advance(DAY);
    tokio::time::sleep(Duration::from_millis(400)).await;
    assert_eq!(receiver.received().len(), before);
}

#[tokio::test]
async fn a_receiver_that_requests_a_later_attempt_gets_nothing_before() {
    let mut server = TestServer::new().await;
    let receiver = Receiver::start(Behaviour::IsBusy("600")).await;
    let (webhook, _) = server.webhook(receiver.url()).await;
    server.serve();
    let start = server.now();
    for _ in 0..3 {
        server.send_test(&webhook).await;
    }
    let waits = |all: &[Delivery]| all.iter().any(|it| it.attempts == 1);
    server.wait(&webhook, waits).await;
    let begun = Instant::now();
    while server.found(&webhook).await.failing_since.is_none() {
        assert!(
            begun.elapsed() < Duration::from_secs(20),
            "it does not fail"
        );
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let before = receiver.received().len();
    server.clock.advance(Duration::from_secs(500));
    tokio::time::sleep(Duration::from_millis(600)).await;
    assert_eq!(
        receiver.received().len(),
        before,
        "nothing is sent to it meanwhile"
    );
    let attempted = server.deliveries(&webhook).await;
    let attempted = attempted.iter().filter(|it| it.attempts == 1);
    for delivery in attempted {
        let wait = delivery.next_attempt_at.unwrap().duration_since(start);
        assert!(wait.as_secs_f64() >= 600.0, "{wait}");
    }
    receiver.now(Behaviour::Answers(200));
    server.clock.advance(Duration::from_secs(200));
    server.wait(&webhook, is_done).await;
    assert!(server.found(&webhook).await.is_enabled);
}

#[tokio::test]
async fn a_webhook_that_is_gone_is_switched_off() {
    let mut server = TestServer::new().await;
    let receiver = Receiver::start(Behaviour::Answers(410)).await;
    let (webhook, _) = server.webhook(receiver.url()).await;
    server.serve();
    server.send_test(&webhook).await;
    let start = Instant::now();
    while server.found(&webhook).await.is_enabled {
        assert!(start.elapsed() < Duration::from_secs(20), "it is on");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let delivery = server.deliveries(&webhook).await.remove(0);
    assert_eq!(delivery.log.last().unwrap().outcome, Ok(410));
    server.clock.advance(DAY);
    tokio::time::sleep(Duration::from_millis(400)).await;
    assert_eq!(receiver.received().len(), 1);
}
