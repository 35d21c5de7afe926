//! Heads that no decent client sends.

use crate::answer::{bare, undefined};
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

/// A valid request still works.
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
    for fields in [
        "no colon",
        "na me: x",
        "content-length: many",
        "content-length: -1",
        "content-length: 18446744073709551616",
        "content-length: 1\r\ncontent-length: 2",
        "transfer-encoding: gzip",
    ] {
        let mut wire = serving.connect();
        let head = format!("{get}\r\nhost: test\r\n{fields}\r\n\r\n");
        bare(&wire.ask(head.as_bytes()), 400);
        assert!(wire.is_closed());
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
        ("GET /unknown HTTP/1.1", 404),
        ("GET //api/v1/chains HTTP/1.1", 404),
        ("GET /api/v1/chains/ HTTP/1.1", 404),
        ("GET /api/v1/./chains HTTP/1.1", 404),
        ("GET /api/v1/%63hains%2f HTTP/1.1", 404),
    ] {
        let answer = ask(&serving, line, "");
        undefined(&answer, status);
        assert_eq!(
            answer.header("allow").is_some(),
            status == 405,
            "{line}: {answer:?}"
        );
    }
    let absolute = ask(&serving, "GET http://test/api/v1/chains HTTP/1.1", "");
    assert_eq!(absolute.status, 200, "{absolute:?}");
    for line in [
        "GET http://elsewhere.example/api/v1/chains HTTP/1.1",
        "CONNECT example.org:443 HTTP/1.1",
    ] {
        bare(&ask(&serving, line, ""), 400);
    }
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
fn a_client_that_hangs_up_can_repeat_its_request() {
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
