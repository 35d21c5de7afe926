//! A log whose reader has stopped.

use super::others::{Memory, Others, PAGE, metric};
use crate::faults::fault::Fault;
use crate::faults::requests::keyed;
use crate::serving::serve;
use crate::world::CHARITY;

/// More requests than the pipe and the buffer hold lines of.
const REQUESTS: usize = 12_000;

pub(super) fn a_log_that_nobody_reads(fault: &mut Fault) {
    let (folder, secret) = keyed();
    let serving = serve(&folder, &[]);
    let memory = Memory::before(&serving);
    let unread = serving.leave_log_unread();
    let others = Others::read_and_write(&serving, &secret, CHARITY);
    let mut wire = serving.connect();
    let requests = "HEAD /assets/site.css HTTP/1.1\r\nhost: test\r\n\r\n".repeat(100);
    for _ in 0..REQUESTS / 100 {
        wire.send(requests.as_bytes());
        for _ in 0..100 {
            wire.head();
        }
    }
    others.were_served();
    memory.is_bounded(&serving);
    fault.request("another client, after 12 000 requests", &serving, PAGE);
    fault.becomes("the operators' `/livez`", || serving.operators("/livez"));
    fault.becomes("the operators' `/metrics`", || {
        serving.operators("/metrics")
    });
    let dropped = metric(&serving, "log_lines_dropped_total");
    assert!(dropped.is_some_and(|lines| lines > 1_000), "{dropped:?}");
    drop(unread);
}
