//! The windows of all subjects in the memory of one process.

use std::time::Duration;

use uuid::Uuid;

use super::network_windows::NetworkWindows;
use super::sharded::Sharded;
use super::subject::{Network, Subject};
use super::window::{Verdict, Window, WindowUse};
use super::{Capacity, HashMap, Occupancy};

/// The windows of all subjects. Shared between threads by reference.
///
/// Time is an argument: the time since an arbitrary fixed start, from a clock that never runs
/// backwards.
#[derive(Debug)]
pub struct Windows {
    /// A provider's networks are in one shard, which counts them.
    shards: Sharded<Shard>,
    counts: NetworkWindows,
}

/// The windows behind one lock.
#[derive(Debug, Default)]
struct Shard {
    callers: HashMap<Subject, Window>,
    networks: HashMap<Network, Window>,
    /// How many networks with a window each wider network holds.
    held: HashMap<Network, usize>,
}

impl Windows {
    /// Empty windows.
    ///
    /// Callers with a key always have their own. A network has its own as far as there is room; otherwise it shares
    /// the window of the narrowest network around it that has one or finds room.
    pub fn new(capacity: Capacity) -> Self {
        Self {
            shards: Sharded::default(),
            counts: NetworkWindows::new(capacity),
        }
    }

    /// Admits and counts a request of `subject`, or refuses it and counts nothing.
    ///
    /// A changed `limit` applies from this request on.
    pub fn check(&self, subject: Subject, limit: u32, now: Duration) -> Verdict {
        self.with_window(subject, |window| window.check(limit, now))
    }

    /// Counts a request that was admitted at `at` by another rule than [`Self::check`].
    pub fn record(&self, subject: Subject, at: Duration) {
        self.with_window(subject, |window| window.record(at));
    }

    /// How much of its limit a caller uses at `now`.
    pub(super) fn used(&self, caller: Uuid, limit: u32, now: Duration) -> WindowUse {
        let subject = Subject::Caller(caller);
        let shard = self.shards.of(subject);
        let window = shard.callers.get(&subject);
        window.map_or_else(WindowUse::default, |window| window.used(limit, now))
    }

    /// The subject whose window counts the requests of `subject`: itself, or a wider network.
    pub(super) fn counted(&self, subject: Subject) -> Subject {
        match subject {
            Subject::Caller(_) => subject,
            Subject::Network(network) => {
                let shard = self.shards.of(network.provider());
                Subject::Network(shard.counted(network, &self.counts))
            }
        }
    }

    /// Forgets the idle subjects of one shard, a different one at each call.
    ///
    /// An idle window is as good as none, so this changes no verdict; it only frees memory. Called
    /// twice a second it visits every shard about twice in a minute.
    pub fn sweep(&self, now: Duration) {
        let mut shard = self.shards.next();
        shard.callers.retain(|_, window| !window.is_idle(now));
        let Shard { networks, held, .. } = &mut *shard;
        networks.retain(|network, window| {
            let idle = window.is_idle(now);
            if idle {
                self.counts.leave(*network);
                network.holders().for_each(|holder| release(held, holder));
            }
            !idle
        });
    }

    /// The number of subjects that have a window.
    pub fn subjects(&self) -> usize {
        let shards = self.shards.each();
        shards
            .map(|shard| shard.callers.len() + shard.networks.len())
            .sum()
    }

    /// How much of the room for networks is taken.
    pub fn occupancy(&self) -> Occupancy {
        self.counts.occupancy()
    }

    /// Shows every window, a shard at a time.
    pub(super) fn visit(&self, mut visitor: impl FnMut(Subject, &mut Window)) {
        for mut shard in self.shards.each() {
            let Shard {
                callers, networks, ..
            } = &mut *shard;
            for (subject, window) in callers {
                visitor(*subject, window);
            }
            for (network, window) in networks {
                visitor(Subject::Network(*network), window);
            }
        }
    }

    fn with_window<T>(&self, subject: Subject, work: impl FnOnce(&mut Window) -> T) -> T {
        match subject {
            Subject::Caller(_) => {
                let mut shard = self.shards.of(subject);
                work(shard.callers.entry(subject).or_default())
            }
            Subject::Network(network) => {
                let mut shard = self.shards.of(network.provider());
                work(shard.window_of(network, &self.counts))
            }
        }
    }
}

impl Shard {
    /// The window that counts the requests of `network`, new if it had none.
    fn window_of(&mut self, network: Network, counts: &NetworkWindows) -> &mut Window {
        let counted = self.counted(network, counts);
        self.networks.entry(counted).or_insert_with(|| {
            counts.enter(counted);
            for holder in counted.holders() {
                *self.held.entry(holder).or_default() += 1;
            }
            Window::default()
        })
    }

    /// The narrowest network around `network` that has a window or finds room for one.
    fn counted(&self, network: Network, counts: &NetworkWindows) -> Network {
        let held = |holder| self.held.get(&holder).copied().unwrap_or(0);
        let mut counted = network;
        while !self.networks.contains_key(&counted)
            && !counts.admits(counted, held)
            && let Some(wider) = counted.wider()
        {
            counted = wider;
        }
        counted
    }
}

/// Counts one network less that `holder` holds.
fn release(held: &mut HashMap<Network, usize>, holder: Network) {
    if let Some(count) = held.get_mut(&holder) {
        *count -= 1;
        if *count == 0 {
            held.remove(&holder);
        }
    }
}
