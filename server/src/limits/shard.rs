//! A part of the subjects, behind one lock.

use std::time::Duration;

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;

use super::hash::SubjectHash;
use super::subject::{Id, Subject};
use super::window::Window;

#[derive(Debug)]
pub(super) struct Shard {
    projects: HashTable<Owned>,
    networks: HashTable<Owned>,
    hash: SubjectHash,
    max_networks: usize,
    /// What networks share once there are too many of them.
    overflow: Window,
}

/// A window and whose it is, in two cache lines that are side by side. In this order the first line is all
/// that a refusal needs, and most other checks need no third one.
#[derive(Debug)]
#[repr(C, align(128))]
struct Owned {
    id: Id,
    window: Window,
}

const _: () = assert!(size_of::<Owned>() == 128);

impl Shard {
    pub(super) fn new(hash: SubjectHash, max_networks: usize) -> Self {
        Self {
            projects: HashTable::new(),
            networks: HashTable::new(),
            hash,
            max_networks,
            overflow: Window::default(),
        }
    }

    /// The window that counts the requests of `subject`, new if it had none. `hash` is its hash.
    pub(super) fn window_of(&mut self, subject: Subject, hash: u64) -> &mut Window {
        let id = subject.id();
        let is_full = self.networks.len() >= self.max_networks;
        let (windows, is_full) = match subject {
            Subject::Project(_) => (&mut self.projects, false),
            Subject::Network(_) => (&mut self.networks, is_full),
        };
        let function = &self.hash;
        match windows.entry(hash, |owned| owned.id == id, |owned| function.of(owned.id)) {
            Entry::Occupied(entry) => &mut entry.into_mut().window,
            Entry::Vacant(_) if is_full => &mut self.overflow,
            Entry::Vacant(entry) => {
                let window = Window::default();
                &mut entry.insert(Owned { id, window }).into_mut().window
            }
        }
    }

    /// Whether `subject` has a window of its own, or would get one. `hash` is its hash.
    pub(super) fn has_place_for(&self, subject: Subject, hash: u64) -> bool {
        let id = subject.id();
        matches!(subject, Subject::Project(_))
            || self.networks.len() < self.max_networks
            || self.networks.find(hash, |owned| owned.id == id).is_some()
    }

    /// Shows every window that is a subject's own.
    pub(super) fn visit(&mut self, visitor: &mut impl FnMut(Subject, &mut Window)) {
        for Owned { id, window } in &mut self.projects {
            visitor(Subject::project(*id), window);
        }
        for Owned { id, window } in &mut self.networks {
            visitor(Subject::network(*id), window);
        }
    }

    /// Drops the subjects of whom nothing counts any more.
    pub(super) fn forget_idle(&mut self, now: Duration) {
        self.projects.retain(|owned| !owned.window.is_idle(now));
        self.networks.retain(|owned| !owned.window.is_idle(now));
    }

    pub(super) fn len(&self) -> usize {
        self.projects.len() + self.networks.len()
    }
}
