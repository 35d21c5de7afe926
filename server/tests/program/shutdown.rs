//! Graceful shutdown after signals.

use crate::answer::undefined;
use crate::faults::requests::{keyed, under_way};
use crate::folder::Folder;
use crate::serving::{eventually, serve};
use crate::world::furnished;

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
fn a_request_that_takes_too_long_gets_503() {
    let (folder, key) = keyed();
    let serving = serve(&folder, &["--request-timeout", "500ms"]);
    let (mut wire, _) = under_way(&serving, &key);
    let answer = wire.answer();
    undefined(&answer, 503);
    assert!(answer.header("retry-after").is_some(), "{answer:?}");
    assert_eq!(
        answer.header("x-ratelimit-remaining"),
        Some("199"),
        "{answer:?}"
    );
}
