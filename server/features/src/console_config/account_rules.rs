//! The rules for accounts.

use std::time::Duration;

use crate::domain::day::DAY;

/// The operator's rules for accounts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AccountRules {
    /// How long a session lives that is not used.
    pub session_idle: Duration,
    /// How long a session lives in any case.
    pub session_life: Duration,
    /// The number of Free projects that an account may own, including those it created or deleted in the last 24 h.
    pub free_projects: u32,
    /// The number of keys that a project may have which are valid or were issued in the last 24 h.
    pub keys_per_project: u32,
}

impl Default for AccountRules {
    fn default() -> Self {
        Self {
            session_idle: 14 * DAY,
            session_life: 90 * DAY,
            free_projects: 3,
            keys_per_project: 100,
        }
    }
}
