//! The rules for changes of keys, which all databases share.

use jiff::Timestamp;

use super::{KeyEnd, KeyId, KeyRecord, NewKey};
use crate::projects::{Actor, Project, ProjectId};
use crate::suspensions::OwnsSuspended;

/// The reason why a change of a key is rejected. Another project's key counts as unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum KeyRejection {
    /// There is no such project, or none that the actor manages.
    #[error("there is no project {}", .0.0)]
    UnknownProject(ProjectId),
    #[error("there is no key {}", .0.0)]
    UnknownKey(KeyId),
    /// There is a key with the id of the new one: the same request came before.
    #[error("key {} already exists", .0.0)]
    AlreadyIssued(KeyId),
    /// The key is expired or revoked, and cannot be changed.
    #[error("key {} {}; create another", .0.0, .1)]
    Ended(KeyId, KeyEnd),
    /// The key was rotated, and has this successor.
    #[error("key {} was rotated already, and key {} replaces it", .0.0, .1.0)]
    Rotated(KeyId, KeyId),
    /// The project has as many keys as it may.
    #[error(
        "a project has at most {0} keys that are valid or were created in the last 24 hours; revoke \
         keys that you do not use, or try again tomorrow"
    )]
    Quota(u32),
    /// The account owns a project that is suspended.
    #[error(transparent)]
    OwnsSuspended(#[from] OwnsSuspended),
}

/// A key of a project, as an actor names it to change the key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeyOfProject {
    pub actor: Actor,
    pub project: ProjectId,
    pub key: KeyId,
}

/// Checks that a key may be added to a project: `managed` is the project, if the actor manages it, and
/// `same` a key that has the new one's id.
pub(crate) fn addition(
    project: ProjectId,
    managed: Option<&Project>,
    same: Option<&KeyRecord>,
) -> Result<(), KeyRejection> {
    match (managed, same) {
        (None, _) => Err(KeyRejection::UnknownProject(project)),
        (Some(_), Some(same)) => Err(KeyRejection::AlreadyIssued(same.id)),
        (Some(_), None) => Ok(()),
    }
}

impl NewKey {
    /// Checks that a project with `counted` keys, those that are valid or were issued in the last 24 hours, may
    /// have this one too.
    pub(crate) fn fits(&self, counted: i64) -> Result<(), KeyRejection> {
        match self.quota {
            Some(quota) if counted >= i64::from(quota) => Err(KeyRejection::Quota(quota)),
            _ => Ok(()),
        }
    }
}

/// The changes by the rotation of a key.
#[derive(Debug)]
pub(crate) struct Rotation {
    /// From when on the old key is refused.
    pub(crate) expires_at: Timestamp,
    /// The first characters of the old key.
    pub(crate) display_prefix: String,
    /// The new key, which keeps the label of the old one unless it has its own.
    pub(crate) new: NewKey,
}

impl KeyOfProject {
    /// The rotation of the key, whose stored record is `stored`: it expires at `until`, or earlier if it
    /// was to expire earlier. `managed` is the project, if the actor manages it, and `same` a key that has the
    /// new one's id.
    pub(crate) fn rotation(
        self,
        managed: Option<&Project>,
        (stored, same): (Option<&KeyRecord>, Option<&KeyRecord>),
        new: &NewKey,
        until: Timestamp,
    ) -> Result<Rotation, KeyRejection> {
        let old = self.own_key(managed, stored)?;
        if let Some(same) = same {
            return Err(KeyRejection::AlreadyIssued(same.id));
        }
        if let Some(end) = old.end(new.created_at) {
            return Err(KeyRejection::Ended(self.key, end));
        }
        if let Some(successor) = old.successor {
            return Err(KeyRejection::Rotated(self.key, successor));
        }
        let mut new = new.clone();
        new.labels = new.labels.or(&old.labels);
        Ok(Rotation {
            expires_at: old.expires_at.map_or(until, |earlier| earlier.min(until)),
            display_prefix: old.display_prefix.clone(),
            new,
        })
    }

    /// The key to revoke: it must not be revoked already.
    pub(crate) fn revocation<'a>(
        self,
        managed: Option<&Project>,
        stored: Option<&'a KeyRecord>,
    ) -> Result<&'a KeyRecord, KeyRejection> {
        let key = self.own_key(managed, stored)?;
        match key.revoked_at {
            None => Ok(key),
            Some(at) => Err(KeyRejection::Ended(self.key, KeyEnd::Revoked(at))),
        }
    }

    fn own_key<'a>(
        self,
        managed: Option<&Project>,
        stored: Option<&'a KeyRecord>,
    ) -> Result<&'a KeyRecord, KeyRejection> {
        let own = |key: &&KeyRecord| managed.is_some_and(|project| project.id == key.project);
        stored.filter(own).ok_or(KeyRejection::UnknownKey(self.key))
    }
}
