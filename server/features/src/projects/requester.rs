//! The requester of a change of a part of a project, such as a config.

use super::{Actor, ProjectId};
use crate::domain::ids::KeyId;
use db::Writer;

/// The requester of a change of a part of a project, such as a config.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Requester {
    /// A program, with a key of the project that was checked when its request was admitted.
    Key(KeyId),
    /// A person. The permission to change the project is checked in the transaction.
    Actor(Actor),
}

impl From<Actor> for Requester {
    fn from(actor: Actor) -> Self {
        Self::Actor(actor)
    }
}

impl Requester {
    /// The author of its writes, which wait for others of the same author.
    pub(crate) fn writer(self, project: ProjectId) -> Writer {
        match self {
            Self::Key(_) => Writer::Queued(project.0),
            Self::Actor(actor) => actor.writer(),
        }
    }
}
