//! Being told to stop.

use std::time::Duration;

use crate::answer::undefined;
use crate::folder::Folder;
use crate::serving::{Serving, eventually, serve};
use crate::wire::Wire;
use crate::world::{CHARITY, PROJECT, furnished};

/// A request that is under way: its head and a part of its body have come in. Gives the rest.
fn begin_post(serving: &Serving, key: &str) -> (Wire, String) {
    let body = format!(r#"{{"charityBeneficiaries":[{{"charityId":"{CHARITY}","weight":1}}]}}"#);
    let (sent, rest) = body.split_at(body.len() / 2);
    let head = format!(
        "POST /api/v1/configs HTTP/1.1\r\nhost: test\r\nservice-api-key: {key}\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n{sent}",
        body.len()
    );
    let mut wire = serving.connect();
    wire.send(head.as_bytes());
    eventually("the request is under way", || {
        let metrics = serving.operators("/metrics").body;
        metrics
            .contains("\nhttp_requests_in_flight 1\n")
            .then_some(())
    });
    (wire, rest.to_owned())
}

fn keyed() -> (Folder, String) {
    let folder = furnished();
    let key = folder.ask(&["key", "issue", "--project", PROJECT]);
    (folder, key)
}

#[test]
fn a_server_that_has_just_said_that_it_listens_stops_in_order() {
    let folder = Folder::new();
    let mut serving = serve(&folder, &[]);
    serving.signal("INT");
    assert_eq!(serving.ended().0, Some(0), "{}", serving.log());
    assert_eq!(
        folder.names(),
        ["donation-catalog.db"],
        "the log is written back"
    );
}

#[test]
fn what_is_under_way_is_finished_while_readiness_fails() {
    let (folder, key) = keyed();
    let mut serving = serve(&folder, &[]);
    assert_eq!(serving.operators("/readyz").status, 200);
    let mut idle = serving.connect();
    let (mut wire, rest) = begin_post(&serving, &key);
    serving.signal("TERM");
    let not_ready = eventually("readiness fails", || {
        let answer = serving.operators("/readyz");
        (answer.status == 503).then_some(answer)
    });
    assert_eq!(not_ready.body, "shutting down");
    assert_eq!(serving.operators("/livez").status, 200);
    assert!(idle.is_closed(), "an idle connection is closed");
    wire.send(rest.as_bytes());
    let answer = wire.answer();
    assert_eq!(answer.status, 201, "{answer:?}");
    assert_eq!(answer.header("connection"), Some("close"));
    assert_eq!(serving.ended().0, Some(0));
    // Its last words may be read after it has ended.
    eventually("it says how it ended", || {
        serving.log().contains("ToTheEnd").then_some(())
    });
}

#[test]
fn the_api_is_served_on_while_load_balancers_notice() {
    let folder = furnished();
    let mut serving = serve(&folder, &["--drain-delay", "1s"]);
    serving.signal("TERM");
    eventually("readiness fails", || {
        (serving.operators("/readyz").status == 503).then_some(())
    });
    assert_eq!(serving.get("/chains", None).status, 200);
    assert_eq!(serving.ended().0, Some(0));
}

#[test]
fn half_a_head_and_half_a_body_hold_nobody_past_the_deadline() {
    let (folder, key) = keyed();
    let patient = [
        "--head-timeout",
        "1h",
        "--request-timeout",
        "1h",
        "--shutdown-timeout",
        "1s",
    ];
    let mut serving = serve(&folder, &patient);
    let mut half_a_head = serving.connect();
    half_a_head.send(b"GET /api/v1/charities HTTP/1.1\r\nhost: te");
    let (_half_a_body, _) = begin_post(&serving, &key);
    serving.signal("TERM");
    let (code, took) = serving.ended();
    assert_eq!(code, Some(0), "{}", serving.log());
    assert!(took < Duration::from_secs(5), "it took {took:?}");
    assert!(serving.log().contains("CutOff"), "{}", serving.log());
}

#[test]
fn a_second_signal_stops_at_once() {
    let (folder, key) = keyed();
    let mut serving = serve(
        &folder,
        &["--shutdown-timeout", "1h", "--request-timeout", "1h"],
    );
    let (_under_way, _) = begin_post(&serving, &key);
    serving.signal("TERM");
    eventually("the first is heard", || {
        serving.log().contains("stopping").then_some(())
    });
    serving.signal("INT");
    let (code, took) = serving.ended();
    assert_eq!(code, Some(130), "{}", serving.log());
    assert!(took < Duration::from_secs(5), "it took {took:?}");
}

#[test]
fn a_request_that_takes_too_long_is_told_so() {
    let (folder, key) = keyed();
    let serving = serve(&folder, &["--request-timeout", "500ms"]);
    let (mut wire, _) = begin_post(&serving, &key);
    let answer = wire.answer();
    undefined(&answer, 503);
    assert!(answer.header("retry-after").is_some(), "{answer:?}");
    assert_eq!(
        answer.header("x-ratelimit-remaining"),
        Some("199"),
        "{answer:?}"
    );
}
