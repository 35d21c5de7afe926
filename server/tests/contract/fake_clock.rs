//! A fake clock for tests: it stands still until it is advanced, and can be made to fail.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use edge::clock::{Clock, Moment};
use jiff::Timestamp;

/// The message with which a failing clock panics; the harness keeps it out of the output.
pub const FAILURE: &str = "the clock was told to fail";

/// Clones share the time.
#[derive(Clone)]
pub struct FakeClock(Arc<Held>);

struct Held {
    moment: Mutex<Moment>,
    fails: AtomicBool,
}

impl FakeClock {
    /// A clock that is set to `wall`.
    pub fn at(wall: Timestamp) -> FakeClock {
        // Not zero, so that code that relies on the start fails.
        let elapsed = Duration::from_millis(12_345_678);
        FakeClock(Arc::new(Held {
            moment: Mutex::new(Moment { elapsed, wall }),
            fails: AtomicBool::new(false),
        }))
    }

    /// Moves time on.
    pub fn advance(&self, by: Duration) {
        let mut moment = self.0.moment.lock().unwrap();
        moment.elapsed += by;
        moment.wall += by;
    }

    /// Moves time on by whole seconds.
    pub fn advance_secs(&self, secs: u64) {
        self.advance(Duration::from_secs(secs));
    }

    /// Sets the wall clock back by whole seconds, as an operator may; the other never runs backwards.
    pub fn rewind_secs(&self, secs: u64) {
        self.0.moment.lock().unwrap().wall -= Duration::from_secs(secs);
    }

    /// The time that it shows.
    pub fn wall(&self) -> Timestamp {
        self.0.moment.lock().unwrap().wall
    }

    /// From now on every reading panics, or none does.
    pub fn set_failing(&self, fails: bool) {
        self.0.fails.store(fails, Ordering::SeqCst);
    }
}

impl Clock for FakeClock {
    fn now(&self) -> Moment {
        assert!(!self.0.fails.load(Ordering::SeqCst), "{FAILURE}");
        *self.0.moment.lock().unwrap()
    }
}
