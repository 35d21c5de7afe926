//! A part of the subjects, behind one lock.

use std::time::Duration;

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;

use super::hash::SubjectHash;
use super::subject::Subject;
use super::window::Window;

#[derive(Debug)]
pub(super) struct Shard {
    windows: HashTable<Owned>,
    hash: SubjectHash,
    networks: usize,
    max_networks: usize,
    /// What networks share once there are too many of them.
    overflow: Window,
}

/// A window and whose it is, in two cache lines that are side by side: most checks need no other.
#[derive(Debug)]
#[repr(align(128))]
struct Owned {
    subject: Subject,
    window: Window,
}

const _: () = assert!(size_of::<Owned>() == 128);

impl Shard {
    pub(super) fn new(hash: SubjectHash, max_networks: usize) -> Self {
        Self {
            windows: HashTable::new(),
            hash,
            networks: 0,
            max_networks,
            overflow: Window::default(),
        }
    }

    /// The window that counts the requests of `subject`, new if it had none. `hash` is its hash.
    pub(super) fn window_of(&mut self, subject: Subject, hash: u64) -> &mut Window {
        let is_own = |owned: &Owned| owned.subject == subject;
        let function = self.hash;
        let entry = self
            .windows
            .entry(hash, is_own, |owned| function.of(owned.subject));
        match entry {
            Entry::Occupied(entry) => &mut entry.into_mut().window,
            Entry::Vacant(entry) => {
                if matches!(subject, Subject::Network(_)) {
                    if self.networks == self.max_networks {
                        return &mut self.overflow;
                    }
                    self.networks += 1;
                }
                let window = Window::default();
                &mut entry.insert(Owned { subject, window }).into_mut().window
            }
        }
    }

    /// Whether `subject` has a window of its own, or would get one. `hash` is its hash.
    pub(super) fn has_place_for(&self, subject: Subject, hash: u64) -> bool {
        let is_own = |owned: &Owned| owned.subject == subject;
        matches!(subject, Subject::Project(_))
            || self.networks < self.max_networks
            || self.windows.find(hash, is_own).is_some()
    }

    /// Shows every window that is a subject's own.
    pub(super) fn visit(&mut self, visitor: &mut impl FnMut(Subject, &mut Window)) {
        for Owned { subject, window } in &mut self.windows {
            visitor(*subject, window);
        }
    }

    /// Drops the subjects of whom nothing counts any more.
    pub(super) fn forget_idle(&mut self, now: Duration) {
        self.windows.retain(|owned| !owned.window.is_idle(now));
        self.networks = self
            .windows
            .iter()
            .filter(|owned| matches!(owned.subject, Subject::Network(_)))
            .count();
    }

    pub(super) fn len(&self) -> usize {
        self.windows.len()
    }
}
