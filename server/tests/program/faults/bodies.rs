//! Bodies that are too slow, too large or too deep.

use std::thread::sleep;
use std::time::{Duration, Instant};

use super::fault::Fault;
use super::requests::{config, key, keyed, post};

pub(super) fn a_body_that_dribbles(fault: &mut Fault) {
    let (folder, secret) = keyed();
    let serving = fault.serve(&folder, &["--request-timeout", "700ms"]);
    let whole = post(&key(&secret), &config());
    let head = whole.find("\r\n\r\n").unwrap() + 4;
    let mut wire = serving.connect();
    let started = Instant::now();
    wire.send(&whole.as_bytes()[..head]);
    for byte in whole[head..].bytes().take(5) {
        wire.send(&[byte]);
        sleep(Duration::from_millis(100));
    }
    fault.await_answer("a byte every 100 ms", &mut wire, started);
}

pub(super) fn a_body_that_is_too_large(fault: &mut Fault) {
    let (folder, secret) = keyed();
    let serving = fault.serve(&folder, &[]);
    let large = post(&key(&secret), &" ".repeat(8 << 20));
    fault.request("8 MiB, sent before the answer is read", &serving, large);
    let head = format!(
        "POST /api/v1/configs HTTP/1.1\r\nhost: test\r\n{}content-type: application/json\r\n\
         content-length: {}\r\n\r\n",
        key(&secret),
        1_u64 << 40
    );
    let endless = head + &" ".repeat(64 << 20);
    fault.ask("1 TiB", &mut serving.connect(), endless);
}

pub(super) fn deep_json(fault: &mut Fault) {
    let (folder, secret) = keyed();
    let serving = fault.serve(&folder, &["--max-body", "1000000"]);
    let deep = |open: &str, close: &str| open.repeat(100_000) + &close.repeat(100_000);
    for body in [deep("[", "]"), deep("{\"a\":", "}")] {
        let request = post(&key(&secret), &body);
        fault.request("100 000 levels", &serving, request);
    }
    let nested = format!(
        r#"{{"charityBeneficiaries":{}}}"#,
        deep("[", "]").get(99_940..100_060).unwrap()
    );
    fault.request("60 levels", &serving, post(&key(&secret), &nested));
}
