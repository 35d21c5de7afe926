//! The addresses that requests go to, and the part of an answer that is read.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::receiver::{Behaviour, Receiver};
use super::server::TestServer;
use crate::webhooks::connection::{Connector, Resolve, SendError};
use crate::webhooks::{TargetError, TargetRules};

/// The answer to a test event, as the list of deliveries has it.
async fn answer_to(behaviour: Behaviour) -> (Result<u16, String>, Duration) {
    let mut server = TestServer::new().await;
    let receiver = Receiver::start(behaviour).await;
    let (webhook, _) = server.webhook(receiver.url()).await;
    server.send_test(&webhook).await;
    let start = Instant::now();
    server.serve();
    let delivery = server
        .wait(&webhook, |all| all[0].log.last().is_some())
        .await;
    (
        delivery[0].log.last().unwrap().outcome.clone(),
        start.elapsed(),
    )
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
    assert!(answer.unwrap_err().contains("not an HTTP response"));
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
    assert!(answer.unwrap_err().contains("not an HTTP response"));
    let (answer, took) = answer_to(Behaviour::Hangs).await;
    assert_eq!(answer, Err("no response in time".to_owned()));
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
    let demo = TargetRules {
        is_demo: true,
        ..TargetRules::default()
    };
    let here = format!("http://localhost:{}/", receiver.address.port());
    let asking_the_system = Connector::new(rules.clone(), None);
    let refused = asking_the_system.connect(&demo.check(&here).unwrap()).await;
    assert!(matches!(
        refused.err().unwrap(),
        SendError::Target(TargetError::Address)
    ));
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
