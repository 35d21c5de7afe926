//! Headers that the edge adds to the API's answers, and answers of its own.

use tokio::sync::Notify;

use super::*;

const RATE: RateHeaders = RateHeaders {
    limit: 20,
    remaining: 7,
    reset: 1_800_000_000,
};

fn trusting_loopback() -> EdgeOptions {
    EdgeOptions {
        trusted_proxies: TrustedProxies::new(vec!["127.0.0.0/8".parse().unwrap()]),
        ..options()
    }
}

/// Answers with the request's context.
async fn describe(_: Request<Body>) -> Response {
    let context = RequestContext::current().unwrap();
    plain(
        200,
        &format!("{} {}", context.client(), context.request_id().as_str()),
    )
}

/// Counts the request as admission does, and then hangs or panics, depending on its path.
async fn misbehave(request: Request<Body>) -> Response {
    RequestContext::current().unwrap().record(Admission {
        target: Target {
            operation: Some(OperationId("tests.misbehave")),
            keyless: false,
            misplaced_key: None,
        },
        caller: None,
        outcome: Outcome::Admitted,
        rate: Some(RATE),
        counted: None,
    });
    match request.uri().path() {
        "/hang" => std::future::pending().await,
        "/panic" => panic!("on purpose"),
        _ => plain(200, "fine"),
    }
}

#[tokio::test]
async fn every_answer_has_the_id_that_the_api_saw() {
    let running = Running::start(edge(describe, options(), &metrics()), LIMITS).await;
    let answer = running
        .get("GET / HTTP/1.1\r\nx-request-id: mine\r\nx-forwarded-for: 192.0.2.1")
        .await;
    let id = answer.headers["x-request-id"].to_str().unwrap();
    assert_eq!(answer.body, format!("127.0.0.1 {id}"));
    assert_ne!(id, "mine");
}

#[tokio::test]
async fn a_target_of_another_host_than_the_header_is_rejected() {
    let running = Running::start(edge(describe, options(), &metrics()), LIMITS).await;
    for (target, status) in [
        ("/", 200),
        ("http://test/", 200),
        ("http://TEST/", 200),
        ("http://other.example/", 400),
        ("http://test:81/", 400),
        ("http://user@test/", 400),
    ] {
        let answer = running.get(&format!("GET {target} HTTP/1.1")).await;
        assert_eq!(answer.status, status, "{target}");
    }
}

#[tokio::test]
async fn a_trusted_proxy_names_the_client_and_the_request() {
    let running = Running::start(edge(describe, trusting_loopback(), &metrics()), LIMITS).await;
    let answer = running
        .get("GET / HTTP/1.1\r\nx-request-id: mine\r\nx-forwarded-for: 192.0.2.1")
        .await;
    assert_eq!(answer.body, "192.0.2.1 mine");
    assert_eq!(answer.headers["x-request-id"], "mine");
}

#[tokio::test]
async fn too_many_in_flight_are_turned_away_and_the_next_is_not() {
    let (began, go_on) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let api = {
        let (began, go_on) = (began.clone(), go_on.clone());
        move |_| {
            let (began, go_on) = (began.clone(), go_on.clone());
            async move {
                began.notify_one();
                go_on.notified().await;
                plain(200, "done")
            }
        }
    };
    let narrow = EdgeOptions {
        max_in_flight: 1,
        ..options()
    };
    let running = Running::start(edge(api, narrow, &metrics()), LIMITS).await;
    let mut first = running.connect().await;
    first.send("GET / HTTP/1.1\r\nhost: test\r\n\r\n").await;
    began.notified().await;
    let shed = running.get("GET / HTTP/1.1").await;
    assert_eq!(
        (shed.status.as_u16(), shed.body.as_str()),
        (503, "Overloaded")
    );
    assert!(shed.headers.contains_key("x-request-id"));
    assert!(
        !shed.headers.contains_key("x-ratelimit-limit"),
        "it was not counted"
    );
    go_on.notify_one();
    assert_eq!(first.answer().await.body, "done");
    go_on.notify_one();
    assert_eq!(running.get("GET / HTTP/1.1").await.body, "done");
}

#[tokio::test]
async fn a_counted_request_that_times_out_or_panics_says_that_it_was_counted() {
    let metrics = metrics();
    let hasty = EdgeOptions {
        request_timeout: Duration::from_millis(100),
        ..options()
    };
    let running = Running::start(edge(misbehave, hasty, &metrics), LIMITS).await;
    let mut client = running.connect().await;
    for (head, status, word) in [
        ("GET /hang HTTP/1.1", 503, "TimedOut"),
        ("GET /panic HTTP/1.1", 500, "Panicked"),
    ] {
        let answer = client.ask(head).await;
        assert_eq!(
            (answer.status.as_u16(), answer.body.as_str()),
            (status, word)
        );
        assert_eq!(answer.headers["x-ratelimit-limit"], "20");
        assert_eq!(answer.headers["x-ratelimit-remaining"], "7");
        assert_eq!(answer.headers["x-ratelimit-reset"], "1800000000");
        let series = format!("operation=\"tests.misbehave\",method=\"GET\",status=\"{status}\"");
        assert!(metrics.render().contains(&series), "{}", metrics.render());
    }
    assert_eq!(
        client.ask("GET / HTTP/1.1").await.body,
        "fine",
        "the connection lives on"
    );
}

#[tokio::test]
async fn an_unread_body_does_not_lose_the_response() {
    let refuse = |_| async { plain(413, "too large") };
    let running = Running::start(edge(refuse, options(), &metrics()), LIMITS).await;
    let mut client = running.connect().await;
    for _ in 0..2 {
        let body = vec![b'x'; 4 * 1024 * 1024];
        client
            .send(format!(
                "POST / HTTP/1.1\r\nhost: test\r\ncontent-length: {}\r\n\r\n",
                body.len()
            ))
            .await;
        client.send(body).await;
        let answer = client.answer().await;
        assert_eq!(
            (answer.status.as_u16(), answer.body.as_str()),
            (413, "too large")
        );
    }
}

#[tokio::test]
async fn expect_continue_is_not_confirmed_for_a_refused_body() {
    let refuse = |_| async { plain(413, "too large") };
    let running = Running::start(edge(refuse, options(), &metrics()), LIMITS).await;
    let mut client = running.connect().await;
    let head = "POST / HTTP/1.1\r\nexpect: 100-continue\r\ncontent-length: 10";
    assert_eq!(client.ask(head).await.status, 413);
    assert!(client.is_closed().await);
}

#[tokio::test]
async fn the_api_reads_the_whole_body() {
    let echo = |request: Request<Body>| async {
        let body = axum::body::to_bytes(request.into_body(), 100)
            .await
            .unwrap();
        plain(200, std::str::from_utf8(&body).unwrap())
    };
    let running = Running::start(edge(echo, options(), &metrics()), LIMITS).await;
    let mut client = running.connect().await;
    for _ in 0..2 {
        client
            .send("POST / HTTP/1.1\r\nhost: test\r\ntransfer-encoding: chunked\r\n\r\n")
            .await;
        client.send("3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n").await;
        assert_eq!(client.answer().await.body, "abcde");
    }
}

#[tokio::test]
async fn a_request_whose_body_does_not_come_has_no_place() {
    let read = |request: Request<Body>| async {
        let body = axum::body::to_bytes(request.into_body(), 100).await;
        plain(200, std::str::from_utf8(&body.unwrap()).unwrap())
    };
    let metrics = metrics();
    let narrow = EdgeOptions {
        max_in_flight: 1,
        ..options()
    };
    let running = Running::start(edge(read, narrow, &metrics), LIMITS).await;
    let mut clients = Vec::new();
    for count in 1..=5 {
        let mut client = running.connect().await;
        client
            .send("POST / HTTP/1.1\r\nhost: test\r\ncontent-length: 5\r\n\r\nab")
            .await;
        clients.push(client);
        let in_flight = format!("http_requests_in_flight {count}\n");
        patient(async {
            while !metrics.render().contains(&in_flight) {
                tokio::task::yield_now().await;
            }
        })
        .await;
    }
    for mut client in clients {
        client.send("cde").await;
        assert_eq!(client.answer().await.body, "abcde");
    }
}

#[tokio::test]
async fn cancelled_requests_leave_no_trace() {
    let metrics = metrics();
    let narrow = EdgeOptions {
        max_in_flight: 1,
        ..options()
    };
    let running = Running::start(edge(misbehave, narrow, &metrics), LIMITS).await;
    for round in 1..=20 {
        let mut client = running.connect().await;
        client
            .send("GET /hang HTTP/1.1\r\nhost: test\r\n\r\n")
            .await;
        drop(client);
        let aborted = format!("status=\"aborted\"}} {round}\n");
        patient(async {
            while !metrics.render().contains(&aborted) {
                tokio::task::yield_now().await;
            }
        })
        .await;
    }
    assert_eq!(running.get("GET / HTTP/1.1").await.body, "fine");
    assert!(metrics.render().contains("http_requests_in_flight 0\n"));
}

#[tokio::test]
async fn key_less_reads_are_open_to_other_sites() {
    let api = |_| async { plain(403, "") };
    let running = Running::start(edge(api, options(), &metrics()), LIMITS).await;
    let open = running.get("GET /open HTTP/1.1").await;
    assert_eq!(open.headers["access-control-allow-origin"], "*");
    assert!(
        open.headers["access-control-expose-headers"]
            .to_str()
            .unwrap()
            .contains("x-ratelimit-reset")
    );
    let keyed = running
        .get("GET /open HTTP/1.1\r\nservice-api-key: sk_x")
        .await;
    assert!(!keyed.headers.contains_key("access-control-allow-origin"));
    assert_eq!(
        keyed.headers["vary"],
        "accept, accept-encoding, service-api-key"
    );
    let closed = running.get("GET /closed HTTP/1.1").await;
    assert!(!closed.headers.contains_key("access-control-allow-origin"));

    let preflight = "HTTP/1.1\r\norigin: https://example.org\r\naccess-control-request-method: GET";
    let allowed = running.get(&format!("OPTIONS /open {preflight}")).await;
    assert_eq!(allowed.status, 204);
    assert!(allowed.headers.contains_key("x-request-id"));
    assert_eq!(
        running
            .get(&format!("OPTIONS /closed {preflight}"))
            .await
            .status,
        403
    );
}
