//! Callers who guess keys, or try to use up memory.

use super::fault::Fault;
use super::requests::{get, key, keyed};
use crate::serving::Serving;

pub(super) fn guessed_keys(fault: &mut Fault) {
    let (folder, secret) = keyed();
    let serving = fault.serve(&folder, &[]);
    // Keys of the same shape; none is the key itself, whatever its end.
    let (begin, end) = secret.split_at(secret.len() - 3);
    let other = if end.starts_with('x') { 'y' } else { 'x' };
    let guess = |number: usize| format!("{begin}{other}{number:02}");
    for number in 0..20 {
        let request = get("/configs", &key(&guess(number)));
        fault.request("each of the first 20 in 60 s", &serving, request);
    }
    let guess = get("/configs", &key(&guess(20)));
    fault.request("each one after that", &serving, guess);
    let holder = get("/configs", &key(&secret));
    fault.request("the holder of a key, at the same address", &serving, holder);
}

pub(super) fn addresses_that_rotate(fault: &mut Fault) {
    let (folder, _) = keyed();
    let serving = fault.serve(&folder, &["--trusted-proxies", "127.0.0.1"]);
    let from = |address: String| get("/chains", &format!("x-forwarded-for: {address}\r\n"));
    let mut wire = serving.connect();
    for host in 0..20 {
        let request = from(format!("2001:db8:1:1::{host:x}"));
        fault.ask(
            "the first 20 requests of an IPv6 /64 in 60 s",
            &mut wire,
            request,
        );
    }
    for host in 20..40 {
        let request = from(format!("2001:db8:1:1:{host:x}::1"));
        fault.ask("those after them", &mut wire, request);
    }
    let other = from("2001:db8:1:2::1".to_owned());
    fault.ask("another /64", &mut wire, other);
}

pub(super) fn networks_that_rotate(fault: &mut Fault) {
    let (folder, _) = keyed();
    let serving = fault.serve(&folder, &["--trusted-proxies", "127.0.0.1"]);
    let from = |address: String| get("/chains", &format!("x-forwarded-for: {address}\r\n"));
    let mut wire = serving.connect();
    for (asked, networks) in [
        ("a first request from each of 64 /64s of a /48", 0..64),
        ("the first 20 requests from further ones", 64..84),
        ("those after them", 84..90),
    ] {
        for network in networks {
            let request = from(format!("2001:db8:1:{network:x}::1"));
            fault.ask(asked, &mut wire, request);
        }
    }
    for other in ["2001:db8:2::1", "203.0.113.1"] {
        let asked = "another /48, and an IPv4 address";
        fault.ask(asked, &mut wire, from(other.to_owned()));
    }
    fault.becomes("the operators' `/metrics`", || {
        serving.operators("/metrics")
    });
}

pub(super) fn names_made_up_for_metrics(fault: &mut Fault) {
    const SCANNED: usize = 10_000;
    let (folder, _) = keyed();
    let serving = fault.serve(&folder, &["--lift-limits", "--log", "off"]);
    let scan = |numbers: std::ops::Range<usize>| {
        let mut wire = serving.connect();
        for number in numbers {
            let request = match number % 3 {
                0 => get(&format!("/made/up/{number}?a={number}"), ""),
                1 => get(
                    "/chains",
                    &format!("x-{number}: {number}\r\nx-request-id: {number}\r\n"),
                )
                .replace("GET", &format!("BREW{number}")),
                _ => get("/charities", &format!("service-api-key: k{number}\r\n"))
                    .replace("host: test", &format!("host: h{number}")),
            };
            assert!(wire.ask(request.as_bytes()).status >= 400);
        }
    };
    scan(0..3);
    let before = series(&serving);
    scan(0..SCANNED);
    let known = series(&serving);
    assert_eq!(before, known);
    fault.becomes(
        "the operators' `/metrics`, after 10 000 paths, methods and fields",
        || serving.operators("/metrics"),
    );
}

/// The number of time series.
fn series(serving: &Serving) -> usize {
    let metrics = serving.operators("/metrics").body;
    metrics
        .lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty())
        .count()
}
