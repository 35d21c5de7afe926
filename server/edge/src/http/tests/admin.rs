//! Liveness, readiness and metrics.

use std::sync::atomic::{AtomicBool, Ordering};

use super::*;

#[tokio::test]
async fn readiness_follows_the_server_and_the_shutdown() {
    let ready = Arc::new(AtomicBool::new(false));
    let readiness = {
        let ready = Arc::clone(&ready);
        move || {
            ready
                .load(Ordering::Relaxed)
                .then(|| "ready".to_owned())
                .ok_or("no snapshot".to_owned())
        }
    };
    let shutdown = Shutdown::default();
    let admin = Admin::new(metrics(), readiness, shutdown.clone());
    let running = Running::start(admin, LIMITS).await;
    let check = async |path: &str, status: u16, body: &str| {
        let answer = running.get(&format!("GET {path} HTTP/1.1")).await;
        assert_eq!(
            (answer.status.as_u16(), answer.body.as_str()),
            (status, body)
        );
    };
    check("/readyz", 503, "no snapshot").await;
    ready.store(true, Ordering::Relaxed);
    check("/readyz", 200, "ready").await;
    shutdown.request();
    check("/readyz", 503, "shutting down").await;
    check("/livez", 200, "alive").await;
}

/// As the page of a site asks whose name leads to this machine.
#[tokio::test]
async fn a_site_does_not_reach_it_by_dns_rebinding() {
    let admin = Admin::new(metrics(), || Ok(String::new()), Shutdown::default());
    let running = Running::start(admin, LIMITS).await;
    for (host, status) in [
        ("evil.example", 421),
        ("evil.example:9090", 421),
        ("127.0.0.1.evil.example", 421),
        ("127.0.0.1:9090", 200),
        ("[::1]:9090", 200),
        ("localhost:9090", 200),
        ("app:9090", 200),
    ] {
        let mut client = running.connect().await;
        let request = format!("GET /metrics HTTP/1.1\r\nhost: {host}\r\n\r\n");
        client.send(request).await;
        assert_eq!(client.answer().await.status, status, "{host}");
    }
}

#[tokio::test]
async fn serves_metrics_only() {
    let metrics = metrics();
    metrics.record(|| ::metrics::counter!("something_total").increment(3));
    let admin = Admin::new(metrics, || Ok(String::new()), Shutdown::default());
    let running = Running::start(admin, LIMITS).await;
    let answer = running.get("GET /metrics HTTP/1.1").await;
    assert_eq!(answer.headers["content-type"], "text/plain; version=0.0.4");
    assert!(answer.body.contains("something_total 3"), "{}", answer.body);
    assert_eq!(running.get("GET / HTTP/1.1").await.status, 404);
    let refused = running.get("POST /livez HTTP/1.1").await;
    assert_eq!(
        (refused.status.as_u16(), &refused.headers["allow"]),
        (405, &"GET, HEAD".parse().unwrap())
    );
}
