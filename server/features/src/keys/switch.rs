//! Disabling a key, and enabling it again.

use jiff::Timestamp;

use super::{KeyOfProject, KeyRecord, KeyRejection};
use crate::audit::AuditAction;
use crate::projects::Project;

/// The next state of a key that has not ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeySwitch {
    /// It is refused until it is enabled again.
    Disabled,
    Enabled,
}

impl KeySwitch {
    /// Since when the key is disabled, if it is.
    pub(crate) fn disabled_at(self, now: Timestamp) -> Option<Timestamp> {
        (self == Self::Disabled).then_some(now)
    }
}

impl KeyOfProject {
    /// The action in the audit log when the key, whose stored record is `stored`, becomes `to`; `None` if it is so
    /// already. `managed` is the project, if the actor manages it.
    pub(crate) fn switching(
        self,
        managed: Option<&Project>,
        stored: Option<&KeyRecord>,
        to: KeySwitch,
        now: Timestamp,
    ) -> Result<Option<AuditAction>, KeyRejection> {
        let key = self.revocation(managed, stored)?;
        if let Some(end) = key.end(now) {
            return Err(KeyRejection::Ended(self.key, end));
        }
        let prefix = key.display_prefix.clone();
        Ok(match (to, key.disabled_at) {
            (KeySwitch::Disabled, None) => Some(AuditAction::KeyDisabled(prefix)),
            (KeySwitch::Enabled, Some(_)) => Some(AuditAction::KeyEnabled(prefix)),
            _ => None,
        })
    }
}
