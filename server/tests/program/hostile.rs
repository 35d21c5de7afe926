//! Heads that no decent client sends.

use crate::answer::{bare, defined, undefined};
use crate::folder::Folder;
use crate::serving::{Serving, eventually, serve};
use crate::world::{CHARITY, PROJECT, furnished};

/// An answer to a request line and a host; further fields come in `fields`, each with its line end.
fn ask(serving: &Serving, line: impl AsRef<[u8]>, fields: &str) -> crate::wire::Answer {
    let end = format!("\r\nhost: test\r\n{fields}\r\n");
    serving
        .connect()
        .ask(&[line.as_ref(), end.as_bytes()].concat())
}

/// Whoever came before, this works.
#[track_caller]
fn still_serves(serving: &Serving) {
    assert_eq!(serving.operators("/livez").status, 200);
    let answer = ask(serving, "GET /api/v1/openapi HTTP/1.1", "");
    assert_eq!(answer.status, 200, "{answer:?}");
}

#[test]
fn heads_that_cannot_be_read_are_refused_bare() {
    let folder = Folder::new();
    let serving = serve(&folder, &[]);
    let get = "GET /api/v1/chains HTTP/1.1";
    for (fields, status) in [
        ("no colon\r\n".to_owned(), 400),
        ("na me: x\r\n".to_owned(), 400),
        ("x: a\0b\r\n".to_owned(), 400),
        ("content-length: many\r\n".to_owned(), 400),
        ("content-length: -1\r\n".to_owned(), 400),
        ("content-length: 18446744073709551616\r\n".to_owned(), 400),
        ("content-length: 1\r\ncontent-length: 2\r\n".to_owned(), 400),
        ("transfer-encoding: gzip\r\n".to_owned(), 400),
        ("x: y\r\n".repeat(10_000), 431),
        (format!("x: {}\r\n", "y".repeat(100_000)), 431),
    ] {
        let mut wire = serving.connect();
        // The server may have hung up before it was sent all of it.
        let _ = wire.try_send(format!("{get}\r\nhost: test\r\n{fields}\r\n").as_bytes());
        if let Ok(Some(answer)) = wire.try_answer() {
            bare(&answer, status);
            assert!(wire.is_closed());
        } else {
            assert!(fields.len() > 50_000, "no answer to {fields}");
        }
    }
    for line in [
        "PRI * HTTP/2.0",
        "GET /api/v1/chains HTTP/3.0",
        "\u{16}\u{3}\u{1}",
        "GET",
    ] {
        bare(&ask(&serving, line, ""), 400);
    }
    still_serves(&serving);
}

#[test]
fn a_url_may_be_long_but_not_endless() {
    let folder = Folder::new();
    let serving = serve(&folder, &[]);
    let long = format!("GET /api/v1/charities/{} HTTP/1.1", "a".repeat(20_000));
    assert_eq!(defined(&ask(&serving, long, ""), 400), "VALIDATION_ERROR");
    let endless = format!("GET /api/v1/charities/{} HTTP/1.1", "a".repeat(1_000_000));
    let mut wire = serving.connect();
    let _ = wire.try_send(format!("{endless}\r\n\r\n").as_bytes());
    if let Ok(Some(answer)) = wire.try_answer() {
        assert!(matches!(answer.status, 414 | 431), "{answer:?}");
    }
    still_serves(&serving);
}

#[test]
fn bytes_that_are_no_text_are_violations_of_their_parameter() {
    let folder = Folder::new();
    let serving = serve(&folder, &[]);
    for path in [
        "/charities/%FF",
        "/charities/%C3%28",
        "/charities/a%00b",
        "/charities?q=%FF",
        "/charities?q=%ED%A0%80",
        "/charities?%FF=1",
        "/charities?cursor=%00",
        "/1/tokens/%FF",
        "/%FF/tokens/0x0",
    ] {
        let answer = ask(&serving, format!("GET /api/v1{path} HTTP/1.1"), "");
        assert_eq!(defined(&answer, 400), "VALIDATION_ERROR", "{path}");
    }
    still_serves(&serving);
}

#[test]
fn raw_bytes_in_the_request_line_are_answered() {
    let folder = Folder::new();
    let serving = serve(&folder, &[]);
    for line in [
        &b"GET /api/v1/charities/\xff HTTP/1.1"[..],
        b"GET /api/v1/charities?q=\xc3\x28 HTTP/1.1",
        b"GET /api/v1/charities?q=\0 HTTP/1.1",
        b"GET /api/v1/charities?q=\"<>{}| HTTP/1.1",
    ] {
        let answer = ask(&serving, line, "");
        if answer.body.is_empty() {
            bare(&answer, 400);
        } else {
            assert!(matches!(answer.status, 200 | 400), "{answer:?}");
            answer.json();
        }
    }
    still_serves(&serving);
}

#[test]
fn unusual_methods_and_targets_get_the_shapes_of_the_contract() {
    let folder = furnished();
    let serving = serve(&folder, &[]);
    for (line, status) in [
        ("BREW /api/v1/chains HTTP/1.1", 405),
        ("get /api/v1/chains HTTP/1.1", 405),
        ("TRACE /api/v1/chains HTTP/1.1", 405),
        ("PATCH /api/v1/configs HTTP/1.1", 405),
        ("OPTIONS * HTTP/1.1", 404),
        ("GET / HTTP/1.1", 404),
        ("GET //api/v1/chains HTTP/1.1", 404),
        ("GET /api/v1/chains/ HTTP/1.1", 404),
        ("GET /api/v1/./chains HTTP/1.1", 404),
        ("GET /api/v1/%63hains%2f HTTP/1.1", 404),
        ("CONNECT example.org:443 HTTP/1.1", 404),
    ] {
        let answer = ask(&serving, line, "");
        undefined(&answer, status);
        assert_eq!(
            answer.header("allow").is_some(),
            status == 405,
            "{line}: {answer:?}"
        );
    }
    let absolute = ask(
        &serving,
        "GET http://elsewhere.example/api/v1/chains HTTP/1.1",
        "",
    );
    assert_eq!(absolute.status, 200, "{absolute:?}");
    still_serves(&serving);
}

#[test]
fn old_clients_and_eager_clients_are_served() {
    let folder = furnished();
    let serving = serve(&folder, &[]);
    let mut old = serving.connect();
    assert_eq!(old.ask(b"GET /api/v1/chains HTTP/1.0\r\n\r\n").status, 200);
    assert!(old.is_closed(), "HTTP/1.0 ends with its answer");
    let mut eager = serving.connect();
    eager.send(
        b"GET /api/v1/chains HTTP/1.1\r\nhost: test\r\n\r\n\
          GET /api/v1/nowhere HTTP/1.1\r\nhost: test\r\n\r\n\
          GET /api/v1/charities?limit=1 HTTP/1.1\r\nhost: test\r\n\r\n",
    );
    let chains = eager.answer();
    assert!(chains.body.contains("nativeCurrency"), "{chains:?}");
    undefined(&eager.answer(), 404);
    assert!(eager.answer().body.contains("slug"));
}

#[test]
fn whoever_says_half_a_sentence_is_dropped_and_holds_nobody_up() {
    let folder = furnished();
    let serving = serve(&folder, &["--head-timeout", "1s"]);
    let mut silent = serving.connect();
    let mut half = serving.connect();
    half.send(b"GET /api/v1/chains HT");
    let mut endless = serving.connect();
    endless.send(b"GET /api/v1/chains HTTP/1.1\r\n");
    still_serves(&serving);
    // It cannot buy time by going on slowly.
    eventually("it is dropped", || endless.try_send(b"a: b\r\n").err());
    assert!(silent.is_closed());
    assert!(half.is_closed());
    still_serves(&serving);
}

#[test]
fn clients_that_hang_up_leave_nothing_taken() {
    let folder = furnished();
    let key = folder.ask(&["key", "issue", "--project", PROJECT]);
    let serving = serve(
        &folder,
        &["--max-connections", "16", "--max-in-flight", "4"],
    );
    let starts = [
        "GET /api/v1/con".to_owned(),
        format!("GET /api/v1/configs HTTP/1.1\r\nhost: test\r\nservice-api-key: {key}\r\n\r\n"),
        format!(
            "POST /api/v1/configs HTTP/1.1\r\nhost: test\r\nservice-api-key: {key}\r\n\
             content-type: application/json\r\nidempotency-key: same\r\ncontent-length: 90\r\n\r\n{{"
        ),
    ];
    for number in 0..100 {
        serving
            .connect()
            .send(starts[number % starts.len()].as_bytes());
    }
    eventually("nothing is in flight", || {
        let metrics = serving.operators("/metrics").body;
        metrics
            .contains("\nhttp_requests_in_flight 0\n")
            .then_some(())
    });
    assert_eq!(serving.get("/configs", Some(&key)).status, 200);
}

#[test]
fn whoever_does_not_read_is_dropped() {
    let folder = furnished();
    let serving = serve(&folder, &["--head-timeout", "1s", "--max-connections", "1"]);
    let mut greedy = serving.connect();
    greedy.send(
        "GET /api/v1/openapi HTTP/1.1\r\nhost: test\r\n\r\n"
            .repeat(300)
            .as_bytes(),
    );
    // The only connection that there may be is taken until the greedy one is dropped.
    still_serves(&serving);
}

#[test]
fn who_hangs_up_before_the_answer_can_ask_again() {
    let folder = furnished();
    let key = folder.ask(&["key", "issue", "--project", PROJECT]);
    let serving = serve(&folder, &[]);
    let body = format!(r#"{{"charityBeneficiaries":[{{"charityId":"{CHARITY}","weight":1}}]}}"#);
    let request = |number: usize| {
        format!(
            "POST /api/v1/configs HTTP/1.1\r\nhost: test\r\nservice-api-key: {key}\r\n\
             content-type: application/json\r\nidempotency-key: request-{number}\r\n\
             content-length: {}\r\n\r\n{body}",
            body.len()
        )
    };
    for number in 0..30 {
        serving.connect().send(request(number).as_bytes());
    }
    for number in 0..30 {
        let answer = eventually("the first is done", || {
            let answer = serving.connect().ask(request(number).as_bytes());
            (answer.status != 409).then_some(answer)
        });
        assert_eq!(answer.status, 201, "{answer:?}");
    }
    let page = serving.get("/configs?limit=200", Some(&key)).json();
    // One is the world's own.
    assert_eq!(page["response"].as_array().unwrap().len(), 31);
}
