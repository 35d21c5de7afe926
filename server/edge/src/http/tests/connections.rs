//! Heads, connections and shutdown.

use std::time::Instant;

use tokio::sync::Notify;

use super::*;

#[derive(Clone)]
struct Hello;

impl Handler for Hello {
    async fn handle(&self, _: SocketAddr, _: Request<Body>) -> Response {
        plain(200, "hello")
    }
}

/// Answers once it is notified.
#[derive(Clone, Default)]
struct Slow {
    began: Arc<Notify>,
    go_on: Arc<Notify>,
}

impl Handler for Slow {
    async fn handle(&self, _: SocketAddr, _: Request<Body>) -> Response {
        self.began.notify_one();
        self.go_on.notified().await;
        plain(200, "at last")
    }
}

#[tokio::test]
async fn a_connection_serves_many_requests() {
    let running = Running::start(Hello, LIMITS).await;
    let mut client = running.connect().await;
    for _ in 0..3 {
        assert_eq!(client.ask("GET / HTTP/1.1").await.body, "hello");
    }
}

#[tokio::test]
async fn silent_slow_and_idle_peers_are_closed() {
    let head_timeout = Duration::from_millis(200);
    let running = Running::start(
        Hello,
        ConnectionLimits {
            head_timeout,
            ..LIMITS
        },
    )
    .await;
    let mut silent = running.connect().await;
    let mut half = running.connect().await;
    half.send("GET / HTTP/1.1\r\nhost: te").await;
    let mut idle = running.connect().await;
    idle.ask("GET / HTTP/1.1").await;
    for client in [&mut silent, &mut half, &mut idle] {
        assert!(client.is_closed().await);
    }
}

#[tokio::test]
async fn dripping_does_not_extend_the_time_for_a_head() {
    let head_timeout = Duration::from_millis(300);
    let running = Running::start(
        Hello,
        ConnectionLimits {
            head_timeout,
            ..LIMITS
        },
    )
    .await;
    let mut client = running.connect().await;
    let started = Instant::now();
    while client.0.write_all(b"G").await.is_ok() && started.elapsed() < Duration::from_secs(20) {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert!(started.elapsed() < Duration::from_secs(20));
}

#[tokio::test]
async fn unreadable_heads_get_bare_answers_with_the_headers_of_errors() {
    let running = Running::start(Hello, LIMITS).await;
    for (head, status) in [
        ("nonsense\r\n\r\n".to_owned(), 400),
        (
            format!("GET / HTTP/1.1\r\nx: {}\r\n\r\n", "a".repeat(40_000)),
            431,
        ),
        (
            format!("GET / HTTP/1.1\r\n{}\r\n", "a: b\r\n".repeat(101)),
            431,
        ),
    ] {
        let mut client = running.connect().await;
        client.send(head).await;
        let answer = client.answer().await;
        assert_eq!((answer.status.as_u16(), answer.body.as_str()), (status, ""));
        assert_eq!(answer.headers["cache-control"], "no-store");
        assert_eq!(answer.headers["x-content-type-options"], "nosniff");
        assert!(client.is_closed().await);
    }
}

#[tokio::test]
async fn an_unreadable_head_after_others_on_the_same_connection_gets_the_headers_of_errors() {
    let running = Running::start(Hello, LIMITS).await;
    let mut client = running.connect().await;
    let readable = "GET / HTTP/1.1\r\nhost: test\r\n\r\n";
    client
        .send(format!("{}nonsense\r\n\r\n", readable.repeat(3)))
        .await;
    for _ in 0..3 {
        assert_eq!(client.answer().await.body, "hello");
    }
    let answer = client.answer().await;
    assert_eq!(answer.status, 400);
    assert_eq!(answer.headers["x-content-type-options"], "nosniff");
}

/// A server that has one place for connections.
async fn with_one_place(slow: &Slow) -> Running {
    let limits = ConnectionLimits {
        max_connections: 1,
        ..LIMITS
    };
    Running::start(slow.clone(), limits).await
}

#[tokio::test]
async fn further_connections_take_the_place_of_idle_ones_and_wait_for_others() {
    let slow = Slow::default();
    let running = with_one_place(&slow).await;
    let mut idle = running.connect().await;
    let mut busy = running.connect().await;
    assert!(idle.is_closed().await);
    busy.send("GET / HTTP/1.1\r\nhost: test\r\n\r\n").await;
    slow.began.notified().await;
    let mut waiting = running.connect().await;
    waiting.send("GET / HTTP/1.1\r\nhost: test\r\n\r\n").await;
    let early = timeout(Duration::from_millis(300), waiting.0.peek(&mut [0])).await;
    assert!(early.is_err(), "the only place is taken");
    slow.go_on.notify_one();
    assert_eq!(busy.answer().await.body, "at last");
    slow.go_on.notify_one();
    assert_eq!(waiting.answer().await.body, "at last");
}

#[tokio::test]
async fn shutdown_closes_connections_that_wait_for_a_place() {
    let slow = Slow::default();
    let running = with_one_place(&slow).await;
    let mut busy = running.connect().await;
    busy.send("GET / HTTP/1.1\r\nhost: test\r\n\r\n").await;
    slow.began.notified().await;
    let mut waiting = running.connect().await;
    let early = timeout(Duration::from_millis(300), waiting.0.peek(&mut [0])).await;
    assert!(early.is_err(), "it waits");
    running.shutdown.request();
    assert!(waiting.is_closed().await);
    slow.go_on.notify_one();
    assert_eq!(busy.answer().await.body, "at last");
    assert_eq!(running.stop().await, Served::ToTheEnd);
}

#[tokio::test]
async fn shutdown_lets_requests_finish_and_closes_idle_connections() {
    let slow = Slow::default();
    let running = Running::start(slow.clone(), LIMITS).await;
    let mut idle = running.connect().await;
    idle.send("GET / HTTP/1.1\r\nhost: test\r\n\r\n").await;
    slow.go_on.notify_one();
    idle.answer().await;
    slow.began.notified().await;

    let mut busy = running.connect().await;
    busy.send("GET / HTTP/1.1\r\nhost: test\r\n\r\n").await;
    slow.began.notified().await;
    running.shutdown.request();
    assert!(idle.is_closed().await);
    assert!(
        TcpStream::connect(running.address).await.is_err(),
        "no longer listening"
    );
    slow.go_on.notify_one();
    let answer = busy.answer().await;
    assert_eq!(answer.body, "at last");
    assert_eq!(answer.headers["connection"], "close");
    assert_eq!(running.stop().await, Served::ToTheEnd);
}

#[tokio::test]
async fn the_deadline_cuts_off_half_sent_heads_and_endless_requests() {
    let shutdown_timeout = Duration::from_millis(200);
    let slow = Slow::default();
    let running = Running::start(
        slow.clone(),
        ConnectionLimits {
            shutdown_timeout,
            ..LIMITS
        },
    )
    .await;
    let mut half = running.connect().await;
    half.send("GET / HT").await;
    let mut endless = running.connect().await;
    endless.send("GET / HTTP/1.1\r\nhost: test\r\n\r\n").await;
    slow.began.notified().await;
    assert_eq!(running.stop().await, Served::CutOff(2));
    assert!(half.is_closed().await);
    assert!(endless.is_closed().await);
}

/// A proxy that reuses connections would otherwise send a request at the moment at which one is closed.
#[tokio::test]
async fn the_drain_delay_still_accepts_and_announces_the_close() {
    let drain_delay = Duration::from_millis(300);
    let running = Running::start(
        Hello,
        ConnectionLimits {
            drain_delay,
            ..LIMITS
        },
    )
    .await;
    let mut kept = running.connect().await;
    let answer = kept.ask("GET / HTTP/1.1").await;
    assert!(!answer.headers.contains_key("connection"));
    running.shutdown.request();
    let answer = kept.ask("GET / HTTP/1.1").await;
    assert_eq!(answer.headers["connection"], "close");
    assert!(kept.is_closed().await);
    assert_eq!(running.get("GET / HTTP/1.1").await.body, "hello");
    assert_eq!(running.stop().await, Served::ToTheEnd);
}
