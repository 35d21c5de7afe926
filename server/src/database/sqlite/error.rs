//! What SQLite's errors mean.

use rusqlite::ErrorCode;
use rusqlite::ffi::SQLITE_CONSTRAINT_DATATYPE;

use crate::database::StoreError;
use crate::database::error::WriteError;
use crate::import::Rule;

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
        // SQLite makes a sum beyond 64 bits a real number, which no column of ours takes.
        match error.sqlite_error().map(|error| error.extended_code) {
            Some(SQLITE_CONSTRAINT_DATATYPE) => WriteError::rejected("/usdE6", Rule::Overflow),
            _ => WriteError::Failed(error.into()),
        }
    }
}
