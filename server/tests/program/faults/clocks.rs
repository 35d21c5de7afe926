//! Wall clocks that are set while the server runs.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use server::clock::{Clock, Moment};
use server::config::{Config, Settings};
use server::server::Server;
use server::store::Store;
use tokio::runtime::Builder;

use super::fault::Fault;
use super::requests::get;
use crate::wire::Answer;
use crate::world::furnished;

const HOUR: SignedDuration = SignedDuration::from_hours(1);

/// A clock that stands still until it is moved.
#[derive(Clone)]
struct Held(Arc<Mutex<Moment>>);

impl Clock for Held {
    fn now(&self) -> Moment {
        *self.0.lock().unwrap()
    }
}

impl Held {
    /// Sets the wall clock, as an operator or a time server may; the other clock never jumps.
    fn set(&self, by: SignedDuration) {
        self.0.lock().unwrap().wall += by;
    }

    fn pass(&self, time: Duration) {
        let mut moment = self.0.lock().unwrap();
        moment.elapsed += time;
        moment.wall += time;
    }

    /// How many seconds from now the answer says that the window opens.
    fn opens_in(&self, answer: &Answer) -> i64 {
        let reset: i64 = answer.header("x-ratelimit-reset").unwrap().parse().unwrap();
        reset - self.now().wall.as_second()
    }
}

pub(super) fn a_clock_that_is_set(fault: &mut Fault) {
    let folder = furnished();
    let mut runtime = Builder::new_multi_thread();
    let runtime = runtime.worker_threads(1).enable_all().build().unwrap();
    let clock = Held(Arc::new(Mutex::new(Moment {
        elapsed: Duration::from_secs(10_000),
        wall: "2026-11-20T12:00:00Z".parse::<Timestamp>().unwrap(),
    })));
    let mut config = Config::resolve(Settings::default(), Settings::default());
    config.listen.set_port(0);
    config.admin_listen.set_port(0);
    let store = Store::open(&folder.database()).unwrap();
    let server = runtime.block_on(Server::start(&config, store, Arc::new(clock.clone())));
    let server = server.unwrap();
    let request = get("/chains", "");
    for _ in 0..20 {
        fault.request("a caller, as far as its limit", server.api, &request);
    }
    for jump in [HOUR, -HOUR, -HOUR, HOUR * 24 * 365] {
        clock.set(jump);
        let refused = fault.request("the same, after any jump", server.api, &request);
        assert_eq!(clock.opens_in(&refused), 60, "{refused:?}");
    }
    clock.pass(Duration::from_secs(60));
    fault.request("the same, 60 s after the first", server.api, &request);
    server.shutdown().request();
    runtime.block_on(server.finished());
}
