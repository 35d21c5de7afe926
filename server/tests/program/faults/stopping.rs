//! Signals, with something under way.

use std::time::Instant;

use super::fault::Fault;
use super::requests::{keyed, under_way};
use crate::serving::eventually;

pub(super) fn sigterm_with_requests_in_flight(fault: &mut Fault) {
    let (folder, secret) = keyed();
    let mut serving = fault.serve(&folder, &[]);
    let mut idle = serving.connect();
    let (mut wire, rest) = under_way(&serving, &secret);
    let signalled = Instant::now();
    serving.signal("TERM");
    fault.becomes("the operators' `/readyz`", || serving.operators("/readyz"));
    fault.await_answer("an idle connection", &mut idle, signalled);
    fault.ask("the request in flight", &mut wire, rest);
    fault.end("the process", &mut serving);
}

pub(super) fn sigterm_with_half_a_head_open(fault: &mut Fault) {
    let (folder, secret) = keyed();
    let patient = [
        "--head-timeout",
        "1h",
        "--request-timeout",
        "1h",
        "--shutdown-timeout",
        "1s",
    ];
    let mut serving = fault.serve(&folder, &patient);
    let mut half = serving.connect();
    half.send(b"GET /api/v1/charities HTTP/1.1\r\nhost: te");
    let (mut body, _) = under_way(&serving, &secret);
    let signalled = Instant::now();
    serving.signal("TERM");
    fault.end("the process", &mut serving);
    fault.await_answer("half a head", &mut half, signalled);
    fault.await_answer("half a body", &mut body, signalled);
}

pub(super) fn two_signals(fault: &mut Fault) {
    let (folder, secret) = keyed();
    let patient = ["--shutdown-timeout", "1h", "--request-timeout", "1h"];
    let mut serving = fault.serve(&folder, &patient);
    let (mut under_way, _) = under_way(&serving, &secret);
    serving.signal("TERM");
    eventually("the first is heard", || {
        serving.log().contains("shutting down").then_some(())
    });
    let signalled = Instant::now();
    serving.signal("INT");
    fault.end("the process", &mut serving);
    fault.await_answer("the request in flight", &mut under_way, signalled);
}
