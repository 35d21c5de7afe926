//! The dynamic scope of an evaluation: the schema of each dynamic anchor
//! (2020-12 Core, 8.2.3.2 and 9.3.1).
//!
//! The outermost resource that evaluation has entered and that has an anchor of
//! a name decides the meaning of the name. A scope is therefore no
//! more than the first schema for each name, and a contract has few of them.

use crate::validator::node::{Assertion, NodeId};

/// One scope of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Scope(usize);

/// The schemas of the names so far.
type Names<'s> = Vec<(&'s str, NodeId)>;

/// The scopes of a run, and the one that holds now.
#[derive(Debug)]
pub(crate) struct Scopes<'s> {
    all: Vec<Names<'s>>,
    current: Scope,
}

impl<'s> Scopes<'s> {
    /// Nothing has been entered.
    pub(crate) fn new() -> Self {
        Self {
            all: vec![Vec::new()],
            current: Scope(0),
        }
    }

    pub(crate) const fn current(&self) -> Scope {
        self.current
    }

    /// The schema that a dynamic anchor stands for.
    pub(crate) fn find(&self, anchor: &str) -> Option<NodeId> {
        let names = self.all.get(self.current.0)?;
        let known = names.iter().find(|(name, _)| *name == anchor);
        known.map(|(_, id)| *id)
    }

    /// Enters the resource that a schema says it is in; the scope outside.
    pub(crate) fn enter(&mut self, keywords: &'s [Assertion]) -> Scope {
        let outside = self.current;
        if let Some(Assertion::Scope(anchors)) = keywords.first() {
            self.add(anchors);
        }
        outside
    }

    /// Goes back to the scope outside.
    pub(crate) const fn leave(&mut self, outside: Scope) {
        self.current = outside;
    }

    fn add(&mut self, anchors: &'s [(String, NodeId)]) {
        let mut names = self.all.get(self.current.0).cloned().unwrap_or_default();
        for (name, id) in anchors {
            if names.iter().all(|(known, _)| known != name) {
                names.push((name, *id));
            }
        }
        let known = self.all.iter().position(|scope| *scope == names);
        let index = known.unwrap_or_else(|| {
            self.all.push(names);
            self.all.len() - 1
        });
        self.current = Scope(index);
    }
}
