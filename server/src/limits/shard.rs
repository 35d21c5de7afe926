//! A part of the subjects, behind one lock.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::time::Duration;

use super::subject::Subject;
use super::window::Window;

#[derive(Debug)]
pub(super) struct Shard {
    windows: HashMap<Subject, Window>,
    networks: usize,
    max_networks: usize,
    /// What networks share once there are too many of them.
    overflow: Window,
}

impl Shard {
    pub(super) fn new(max_networks: usize) -> Self {
        Self {
            windows: HashMap::new(),
            networks: 0,
            max_networks,
            overflow: Window::default(),
        }
    }

    /// The window that counts the requests of `subject`, new if it had none.
    pub(super) fn window_of(&mut self, subject: Subject) -> &mut Window {
        match self.windows.entry(subject) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => {
                if matches!(subject, Subject::Network(_)) {
                    if self.networks == self.max_networks {
                        return &mut self.overflow;
                    }
                    self.networks += 1;
                }
                entry.insert(Window::default())
            }
        }
    }

    /// Whether `subject` has a window of its own, or would get one.
    pub(super) fn has_place_for(&self, subject: Subject) -> bool {
        matches!(subject, Subject::Project(_))
            || self.networks < self.max_networks
            || self.windows.contains_key(&subject)
    }

    /// Shows every window that is a subject's own.
    pub(super) fn visit(&mut self, visitor: &mut impl FnMut(Subject, &mut Window)) {
        for (subject, window) in &mut self.windows {
            visitor(*subject, window);
        }
    }

    /// Drops the subjects of whom nothing counts any more.
    pub(super) fn forget_idle(&mut self, now: Duration) {
        self.windows.retain(|_, window| !window.is_idle(now));
        self.networks = self
            .windows
            .keys()
            .filter(|subject| matches!(subject, Subject::Network(_)))
            .count();
    }

    pub(super) fn len(&self) -> usize {
        self.windows.len()
    }
}
