//! The rules for changes of keys, which all databases share.

use jiff::Timestamp;

use super::{KeyId, KeyRecord};
use crate::projects::{Actor, Project, ProjectId};

/// The reason why a key is not changed. Another project's key counts as unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum KeyRefusal {
    /// There is no such project, or none that the actor manages.
    #[error("there is no project {}", .0.0)]
    UnknownProject(ProjectId),
    /// The project has no such key.
    #[error("there is no key {}", .0.0)]
    UnknownKey(KeyId),
    /// The key is expired or revoked, and cannot be changed.
    #[error("key {} is expired or revoked already", .0.0)]
    Ended(KeyId),
}

/// A key and the project that an actor says it belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeyOfProject {
    /// The actor that requests it.
    pub actor: Actor,
    /// The project.
    pub project: ProjectId,
    /// The key.
    pub key: KeyId,
}

/// Whether a key may be added to a project.
pub(crate) fn addition(
    actor: Actor,
    id: ProjectId,
    project: Option<&Project>,
) -> Result<(), KeyRefusal> {
    match project {
        Some(project) if actor.manages(project.id) => Ok(()),
        _ => Err(KeyRefusal::UnknownProject(id)),
    }
}

impl KeyOfProject {
    /// When the key expires that is replaced at `now` and was to work until `until`: never later than
    /// it does already.
    pub(crate) fn rotation(
        self,
        found: Option<&KeyRecord>,
        now: Timestamp,
        until: Timestamp,
    ) -> Result<Timestamp, KeyRefusal> {
        let old = self.known(found)?;
        if !old.is_live(now) {
            return Err(KeyRefusal::Ended(self.key));
        }
        Ok(old.expires_at.map_or(until, |earlier| earlier.min(until)))
    }

    /// Whether the key may be revoked: not twice.
    pub(crate) fn revocation(self, found: Option<&KeyRecord>) -> Result<(), KeyRefusal> {
        match self.known(found)?.revoked_at {
            None => Ok(()),
            Some(_) => Err(KeyRefusal::Ended(self.key)),
        }
    }

    fn known(self, found: Option<&KeyRecord>) -> Result<&KeyRecord, KeyRefusal> {
        let own = |key: &&KeyRecord| key.project == self.project && self.actor.manages(key.project);
        found.filter(own).ok_or(KeyRefusal::UnknownKey(self.key))
    }
}
