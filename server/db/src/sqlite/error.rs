//! Classifies SQLite's errors.

use rusqlite::ErrorCode;

use crate::DbError;

impl From<rusqlite::Error> for DbError {
    fn from(error: rusqlite::Error) -> Self {
        use ErrorCode::{
            CannotOpen, DatabaseBusy, DatabaseLocked, DiskFull, FileLockingProtocolFailed,
            OperationInterrupted, OutOfMemory, PermissionDenied, ReadOnly, SystemIoFailure,
        };
        match error.sqlite_error_code() {
            Some(
                DatabaseBusy
                | DatabaseLocked
                | DiskFull
                | SystemIoFailure
                | CannotOpen
                | ReadOnly
                | PermissionDenied
                | OutOfMemory
                | OperationInterrupted
                | FileLockingProtocolFailed,
            ) => DbError::Unavailable(error.to_string()),
            _ => DbError::Corrupt(error.to_string()),
        }
    }
}
