//! Classifies SQLite's errors.

use rusqlite::ErrorCode;

use crate::database::StoreError;
use crate::database::error::WriteError;

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        use ErrorCode::{
            CannotOpen, DatabaseBusy, DatabaseLocked, DiskFull, FileLockingProtocolFailed,
            OperationInterrupted, OutOfMemory, PermissionDenied, ReadOnly, SystemIoFailure,
        };
        if let rusqlite::Error::FromSqlConversionFailure(_, _, unreadable) = &error {
            return StoreError::Corrupt(unreadable.to_string());
        }
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
            ) => StoreError::Unavailable(error.to_string()),
            _ => StoreError::Corrupt(error.to_string()),
        }
    }
}

impl From<rusqlite::Error> for WriteError {
    fn from(error: rusqlite::Error) -> Self {
        WriteError::Failed(error.into())
    }
}
