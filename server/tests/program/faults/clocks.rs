//! Faults of the clock: it is set, or it panics.

use std::time::Duration;

use edge::clock::Clock;
use jiff::SignedDuration;

use super::fault::Fault;
use super::held::{Held, Inside};
use super::requests::get;
use crate::wire::Answer;
use crate::world::furnished;

const HOUR: SignedDuration = SignedDuration::from_hours(1);

/// The seconds by the wall clock until the window opens, according to the response.
fn opens_in(answer: &Answer, clock: &Held) -> i64 {
    let reset: i64 = answer.header("x-ratelimit-reset").unwrap().parse().unwrap();
    reset - clock.now().wall.as_second()
}

pub(super) fn a_clock_that_is_set(fault: &mut Fault) {
    let folder = furnished();
    let clock = Held::new();
    let server = Inside::start(&folder, &clock);
    let request = get("/chains", "");
    for _ in 0..20 {
        fault.request("a caller, as far as its limit", server.api(), &request);
    }
    server.stop();
    clock.set(-HOUR);
    let server = Inside::start(&folder, &clock);
    let restarted = "the same, of a server started after a jump back";
    let refused = fault.request(restarted, server.api(), &request);
    assert_eq!(opens_in(&refused, &clock), 60, "{refused:?}");
    for jump in [HOUR, -HOUR, -HOUR, HOUR * 24 * 365] {
        clock.set(jump);
        let refused = fault.request("the same, after any jump", server.api(), &request);
        assert_eq!(opens_in(&refused, &clock), 60, "{refused:?}");
    }
    clock.pass(Duration::from_secs(60));
    fault.request("the same, after 60 s", server.api(), &request);
    server.stop();
}

/// Reading the clock panics, in place of any defect that we do not know.
pub(super) fn a_defect_of_the_server(fault: &mut Fault) {
    let folder = furnished();
    let clock = Held::new();
    let server = Inside::start(&folder, &clock);
    let request = get("/chains", "");
    clock.fail(true);
    fault.request("a request that meets it", server.api(), &request);
    clock.fail(false);
    fault.request("another request", server.api(), &request);
    server.stop();
}
