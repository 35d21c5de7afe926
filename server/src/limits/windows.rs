//! The windows of all subjects in the memory of one process.

use std::collections::HashMap;
use std::time::Duration;

use super::sharded::{SHARDS, Sharded};
use super::subject::Subject;
use super::window::{Verdict, Window};

/// The windows of all subjects. Shared between threads by reference.
///
/// Time is an argument: the time since an arbitrary fixed start, from a clock that never runs
/// backwards.
#[derive(Debug)]
pub struct Windows {
    shards: Sharded<Shard>,
    networks_per_shard: usize,
}

/// The windows behind one lock.
#[derive(Debug, Default)]
struct Shard {
    projects: HashMap<Subject, Window>,
    networks: HashMap<Subject, Window>,
    /// Shared by the networks that have no window of their own.
    overflow: Window,
}

impl Windows {
    /// Empty windows.
    ///
    /// About `max_networks` networks get a window of their own. When they are used up, further networks
    /// share a few overflow windows, so that a flood of addresses cannot grow memory without bound.
    /// Projects always have their own.
    pub fn new(max_networks: usize) -> Self {
        Self {
            shards: Sharded::default(),
            networks_per_shard: max_networks.div_ceil(SHARDS),
        }
    }

    /// Admits and counts a request of `subject`, or refuses it and counts nothing.
    ///
    /// A changed `limit` applies from this request on.
    pub fn check(&self, subject: Subject, limit: u32, now: Duration) -> Verdict {
        let mut shard = self.shards.of(subject);
        shard
            .window_of(subject, self.networks_per_shard)
            .check(limit, now)
    }

    /// Counts a request that was admitted at `at` by another rule than [`Self::check`].
    pub fn record(&self, subject: Subject, at: Duration) {
        let mut shard = self.shards.of(subject);
        shard.window_of(subject, self.networks_per_shard).record(at);
    }

    /// The overflow window that `subject` shares with others, by number; `None` if it has one of its
    /// own, or would get one.
    pub(super) fn overflow(&self, subject: Subject) -> Option<usize> {
        let shard = self.shards.of(subject);
        let own = shard.has_room_for(subject, self.networks_per_shard);
        (!own).then(|| self.shards.index(subject))
    }

    /// Forgets the idle subjects of one shard, a different one at each call.
    ///
    /// An idle window is as good as none, so this changes no verdict; it only frees memory. Called
    /// twice a second it visits every shard about twice in a minute.
    pub fn sweep(&self, now: Duration) {
        let mut shard = self.shards.next();
        shard.projects.retain(|_, window| !window.is_idle(now));
        shard.networks.retain(|_, window| !window.is_idle(now));
    }

    /// The number of subjects that have a window of their own.
    pub fn subjects(&self) -> usize {
        let shards = self.shards.each();
        shards
            .map(|shard| shard.projects.len() + shard.networks.len())
            .sum()
    }

    /// Shows every window that is a subject's own, a shard at a time.
    pub(super) fn visit(&self, mut visitor: impl FnMut(Subject, &mut Window)) {
        for mut shard in self.shards.each() {
            let Shard {
                projects, networks, ..
            } = &mut *shard;
            for (subject, window) in projects.iter_mut().chain(networks) {
                visitor(*subject, window);
            }
        }
    }
}

impl Shard {
    /// The window that counts the requests of `subject`, new if it had none.
    fn window_of(&mut self, subject: Subject, max_networks: usize) -> &mut Window {
        if !self.has_room_for(subject, max_networks) {
            return &mut self.overflow;
        }
        let windows = match subject {
            Subject::Project(_) => &mut self.projects,
            Subject::Network(_) => &mut self.networks,
        };
        windows.entry(subject).or_default()
    }

    /// Whether `subject` has a window of its own, or would get one.
    fn has_room_for(&self, subject: Subject, max_networks: usize) -> bool {
        matches!(subject, Subject::Project(_))
            || self.networks.len() < max_networks
            || self.networks.contains_key(&subject)
    }
}
