//! A memory in the test's own hands, with a clock, which can be cut off, lost and kept waiting for.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use uuid::Uuid;

use crate::limits::shared::remote::DOUBT;
use crate::limits::shared::{Epoch, Membership, Outage, Remote};
use crate::limits::window::Window;
use crate::limits::{Subject, Verdict, WINDOW, WindowUse};

/// The state that all replicas share.
#[derive(Debug, Clone)]
pub(super) struct World(Arc<Mutex<State>>);

#[derive(Debug)]
struct State {
    now: Duration,
    run: u32,
    epoch: Option<(u32, Duration, bool)>,
    windows: HashMap<Subject, Window>,
    replicas: HashMap<usize, Duration>,
    cut: HashSet<usize>,
    hangs: bool,
    asked: usize,
}

impl Default for World {
    fn default() -> Self {
        Self(Arc::new(Mutex::new(State {
            now: Duration::from_secs(3600),
            run: 0,
            epoch: None,
            windows: HashMap::new(),
            replicas: HashMap::new(),
            cut: HashSet::new(),
            hangs: false,
            asked: 0,
        })))
    }
}

impl World {
    pub(super) fn replica(&self, number: usize) -> Replica {
        Replica {
            number,
            world: self.clone(),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap()
    }

    pub(super) fn now(&self) -> Duration {
        self.state().now
    }

    pub(super) fn advance(&self, by: Duration) {
        self.state().now += by;
    }

    /// How many requests have arrived.
    pub(super) fn asked(&self) -> usize {
        self.state().asked
    }

    /// How many windows it has ever had.
    pub(super) fn windows(&self) -> usize {
        self.state().windows.len()
    }

    /// It takes in every request and answers none.
    pub(super) fn hang(&self) {
        self.state().hangs = true;
    }

    /// The replica does not reach it.
    pub(super) fn cut(&self, replica: usize) {
        self.state().cut.insert(replica);
    }

    pub(super) fn recover(&self, replica: usize) {
        self.state().cut.remove(&replica);
    }

    /// Everything in it is gone.
    pub(super) fn flush(&self) {
        let mut state = self.state();
        state.epoch = None;
        state.windows.clear();
        state.replicas.clear();
    }

    /// Another process takes its place, with the data that was last saved: here, the epoch alone.
    pub(super) fn restart(&self) {
        let mut state = self.state();
        state.run += 1;
        state.windows.clear();
        state.replicas.clear();
    }
}

/// The connection of one replica to the model.
#[derive(Debug)]
pub(super) struct Replica {
    number: usize,
    world: World,
}

impl Replica {
    /// `None` if it is cut off.
    fn reach(&self) -> Result<MutexGuard<'_, State>, Outage> {
        let state = self.world.state();
        match state.cut.contains(&self.number) {
            true => Err(Outage::TimedOut),
            false => Ok(state),
        }
    }
}

fn name((run, born, young): (u32, Duration, bool)) -> Epoch {
    Epoch(format!("{run}:{born:?}:{young}").into())
}

impl Remote for Replica {
    /// The run that it leads to.
    type Connection = u32;

    async fn join(
        &self,
        connection: Option<&u32>,
        known: Option<&Epoch>,
    ) -> Result<Membership<u32>, Outage> {
        let mut state = self.reach()?;
        let (now, run) = (state.now, state.run);
        if connection.is_some_and(|connection| *connection != run) {
            return Err(Outage::TimedOut);
        }
        let found = state.epoch;
        let lost = known.is_some_and(|known| found.is_none_or(|found| name(found) != *known));
        let epoch = match found {
            Some((begun, born, _)) if begun == run && !lost => (begun, born, found.unwrap().2),
            Some((begun, born, young)) if begun == run => {
                (begun, born, young || now < born + WINDOW)
            }
            _ => (run, now, found.is_some() || lost),
        };
        state.epoch = Some(epoch);
        state.replicas.retain(|_, seen| now < *seen + 10 * WINDOW);
        state.replicas.insert(self.number, now);
        Ok(Membership {
            connection: run,
            epoch: name(epoch),
            trusted: !epoch.2 || now >= epoch.1 + WINDOW,
            doubted_for: match epoch {
                (_, born, false) => (born + DOUBT).saturating_sub(now),
                _ => Duration::ZERO,
            },
            replicas: state.replicas.len() as u32,
        })
    }

    async fn admit(
        &self,
        connection: &u32,
        subject: Subject,
        limit: u32,
        epoch: &Epoch,
    ) -> Result<Verdict, Outage> {
        let hangs = {
            let mut state = self.reach()?;
            state.asked += 1;
            state.hangs
        };
        if hangs {
            std::future::pending::<()>().await;
        }
        let mut state = self.reach()?;
        if *connection != state.run {
            return Err(Outage::TimedOut);
        }
        if state.epoch.map(name).as_ref() != Some(epoch) {
            return Err(Outage::Forgotten);
        }
        let now = state.now;
        Ok(state.windows.entry(subject).or_default().check(limit, now))
    }

    async fn used(&self, _: &u32, caller: Uuid, limit: u32) -> Result<WindowUse, Outage> {
        let state = self.reach()?;
        let window = state.windows.get(&Subject::Caller(caller));
        Ok(window.map_or_else(WindowUse::default, |window| window.used(limit, state.now)))
    }

    async fn leave(&self, _: &u32) {
        if let Ok(mut state) = self.reach() {
            state.replicas.remove(&self.number);
        }
    }
}
