//! Many requests for the largest answers, to use up processors or memory.

use std::time::{Duration, Instant};

use super::others::{Memory, Others, PAGE};
use crate::faults::fault::Fault;
use crate::faults::requests::keyed;
use crate::serving::{Serving, serve};
use crate::world::CHARITY;

/// The script of the reference.
const SCRIPT: &str = "/assets/scalar-api-reference-1.72.1.js";

/// The memory that large answers may take, in bytes: each text once, and the buffers of connections.
pub(super) const HELD: usize = 64 << 20;

pub(super) fn a_script_that_is_asked_for_uncompressed(fault: &mut Fault) {
    let (folder, secret) = keyed();
    let serving = serve(&folder, &[]);
    let memory = Memory::before(&serving);
    let others = Others::read_and_write(&serving, &secret, CHARITY);
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| ask_for_heads(&serving, Duration::from_secs(2)));
        }
        fault.request("another client, meanwhile", &serving, PAGE);
    });
    others.were_served();
    memory.is_below(HELD, &serving);
}

/// Asks for the head of the script, twenty times at a time.
fn ask_for_heads(serving: &Serving, time: Duration) {
    let started = Instant::now();
    let mut wire = serving.connect();
    let requests = format!("HEAD {SCRIPT} HTTP/1.1\r\nhost: test\r\n\r\n").repeat(20);
    while started.elapsed() < time {
        wire.send(requests.as_bytes());
        for _ in 0..20 {
            wire.head();
        }
    }
}

pub(super) fn answers_that_pile_up(fault: &mut Fault) {
    // Each of these is unlimited, so that only its size could limit it.
    const LARGE: [&str; 3] = [SCRIPT, "/api/v1/openapi", "/api/v1/postman"];
    let few = ["--max-connections-per-network", "500"];
    let (folder, secret) = keyed();
    let serving = serve(&folder, &few);
    let memory = Memory::before(&serving);
    let _unread: Vec<_> = (0..300)
        .map(|number| {
            let mut wire = serving.connect();
            let request = format!("GET {} HTTP/1.1\r\nhost: test\r\n\r\n", LARGE[number % 3]);
            wire.send(request.repeat(4).as_bytes());
            wire
        })
        .collect();
    let others = Others::read_and_write(&serving, &secret, CHARITY);
    std::thread::sleep(Duration::from_secs(1));
    fault.request("another client, meanwhile", &serving, PAGE);
    others.were_served();
    memory.is_below(HELD, &serving);
}
