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

/// A key of a project, as an actor names it to change the key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeyOfProject {
    /// Who asks for the change.
    pub actor: Actor,
    /// The project.
    pub project: ProjectId,
    /// The key.
    pub key: KeyId,
}

/// Checks that an actor may add a key to a project.
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
    /// The time at which a key expires that is replaced at `now`: `until`, or earlier if the key was to
    /// expire earlier.
    pub(crate) fn rotation(
        self,
        stored: Option<&KeyRecord>,
        now: Timestamp,
        until: Timestamp,
    ) -> Result<Timestamp, KeyRefusal> {
        let old = self.own_key(stored)?;
        if !old.is_live(now) {
            return Err(KeyRefusal::Ended(self.key));
        }
        Ok(old.expires_at.map_or(until, |earlier| earlier.min(until)))
    }

    /// Checks that the key may be revoked: it must not be revoked already.
    pub(crate) fn revocation(self, stored: Option<&KeyRecord>) -> Result<(), KeyRefusal> {
        match self.own_key(stored)?.revoked_at {
            None => Ok(()),
            Some(_) => Err(KeyRefusal::Ended(self.key)),
        }
    }

    fn own_key(self, stored: Option<&KeyRecord>) -> Result<&KeyRecord, KeyRefusal> {
        let own = |key: &&KeyRecord| key.project == self.project && self.actor.manages(key.project);
        stored.filter(own).ok_or(KeyRefusal::UnknownKey(self.key))
    }
}
