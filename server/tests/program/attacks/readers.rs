//! Clients that read their answers as slowly as they may.

use std::thread::{self, JoinHandle, sleep};
use std::time::{Duration, Instant};

use super::others::{Memory, Others, PAGE, metric};
use super::pages;
use crate::faults::fault::Fault;
use crate::faults::requests::keyed;
use crate::serving::Serving;
use crate::wire::Wire;
use crate::world::{CHARITY, furnished};

/// The interval at which a slow client reads.
const TICK: Duration = Duration::from_millis(20);

/// How long it goes on.
const TIME: Duration = Duration::from_secs(6);

/// A client at an address of its own that asks for the reference's script, and takes few bytes at a time.
fn ask(serving: &Serving, last: u8) -> Wire {
    let mut wire = Wire::connect_narrow([127, 0, 2, last].into(), serving.api);
    let script = "GET /assets/scalar-api-reference-1.72.1.js HTTP/1.1\r\nhost: test\r\n\r\n";
    wire.send(script.as_bytes());
    wire
}

pub(super) fn a_reader_of_two_kilobytes_a_second(fault: &mut Fault) {
    // A fifth of the default timeout, which needs more than five times the minimum throughput, because
    // the kernel takes answers in pieces of some 20 kB.
    let flags = ["--head-timeout", "2s"];
    let few = [&flags[..], &["--max-connections", "16"]].concat();
    let (folder, secret) = keyed();
    let full = fault.serve(&folder, &few);
    let memory = Memory::before(&full);
    let held: Vec<_> = (0..16).map(|last| reading(ask(&full, last), 40)).collect();
    let others = Others::read_and_write(&full, &secret, CHARITY);
    sleep(Duration::from_secs(1));
    let asked = "another client, when they take all connections";
    fault.request(asked, &full, PAGE);
    others.were_served();
    memory.is_below(pages::HELD, &full);
    let serving = fault.serve(&furnished(), &flags);
    let _slow = reading(ask(&serving, 1), 40);
    let honest = reading(ask(&serving, 2), 800);
    fault.becomes("the operators' `/metrics`", || {
        serving.operators("/metrics")
    });
    let (closed, bytes) = honest.join().unwrap();
    assert!(
        closed.is_none(),
        "40 kB/s are enough; closed after {bytes} bytes"
    );
    let slow = "http_connections_closed_total{reason=\"slow reader\"}";
    assert_eq!(metric(&serving, slow), Some(1), "only the slow one");
    drop(held);
}

/// Reads `bytes` in each [`TICK`], for [`TIME`]; when the server closed the connection, if it did, and
/// how many bytes had come.
fn reading(mut wire: Wire, bytes: usize) -> JoinHandle<(Option<Duration>, usize)> {
    thread::spawn(move || {
        let started = Instant::now();
        let mut all = 0;
        while started.elapsed() < TIME {
            match wire.bytes(bytes) {
                Ok(read @ 1..) => all += read,
                _ => return (Some(started.elapsed()), all),
            }
            sleep(TICK);
        }
        (None, all)
    })
}
