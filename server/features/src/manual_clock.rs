//! A clock for tests that stands still until it is advanced.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use edge::clock::{Clock, Moment};

#[derive(Clone)]
pub(crate) struct ManualClock(Arc<Mutex<Moment>>);

impl ManualClock {
    pub(crate) fn at(wall: &str) -> Self {
        let wall = wall.parse().unwrap();
        Self(Arc::new(Mutex::new(Moment {
            elapsed: Duration::ZERO,
            wall,
        })))
    }

    pub(crate) fn advance(&self, by: Duration) {
        let mut moment = self.0.lock().unwrap();
        moment.elapsed += by;
        moment.wall += by;
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Moment {
        *self.0.lock().unwrap()
    }
}
