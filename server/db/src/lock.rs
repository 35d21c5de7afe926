//! Locks that transactions take besides those of rows.

use crate::Value;

/// A lock by number; each use has its own. In PostgreSQL it is an advisory lock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lock(pub i32);

/// The first half of the keys of advisory locks. No other program may use it in the same database.
const FAMILY: i32 = 0x0d0_4a7e;

impl Lock {
    pub(crate) const MIGRATION: Lock = Lock(0);

    /// The keys of its advisory lock.
    pub(crate) fn key(self) -> [Value; 2] {
        [FAMILY, self.0].map(|half| Value::Integer(half.into()))
    }
}
