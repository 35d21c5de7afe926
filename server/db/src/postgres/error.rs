//! Classifies PostgreSQL's errors.

use std::error::Error as _;
use std::io;

use tokio_postgres::Error;
use tokio_postgres::error::SqlState;

use crate::DbError;

/// The advice about a pooler that changes sessions.
pub(crate) const POOLER: &str = "a pooler gives one session to several connections; this program needs sessions of \
    its own (PgBouncer: pool_mode = session), or no pooler";

/// The advice about an encoding.
pub(crate) const ENCODING: &str = "create the database with the encoding UTF8 (CREATE DATABASE … ENCODING 'UTF8' \
    TEMPLATE template0), and move the data by pg_dump";

impl From<Error> for DbError {
    fn from(error: Error) -> Self {
        let reason = explain(&error);
        match error.code() {
            Some(code) if is_conflict(code) || is_temporary(code) => DbError::Unavailable(reason),
            Some(code) if is_damage(code) => DbError::Corrupt(reason),
            Some(code) => match advice(code) {
                Some(advice) => DbError::Misconfigured(format!("{reason}: {advice}")),
                None => DbError::Rejected(reason),
            },
            None if is_connection_error(&error) => DbError::Unavailable(reason),
            None => DbError::Corrupt(reason),
        }
    }
}

/// What to do about an error that the setup of the database causes.
fn advice(code: &SqlState) -> Option<&'static str> {
    match code.code() {
        // Prepared statements are missing or there already: the session is another one.
        "26000" | "42P05" => Some(POOLER),
        // Characters that the encoding lacks.
        "22021" | "22P05" => Some(ENCODING),
        _ => None,
    }
}

/// Whether the server found damaged pages or indexes.
fn is_damage(code: &SqlState) -> bool {
    *code == SqlState::DATA_CORRUPTED || *code == SqlState::INDEX_CORRUPTED
}

/// Whether two transactions were in conflict. A unique violation is such a conflict: another
/// transaction has recorded the same value at the same time.
pub(crate) fn is_conflict(code: &SqlState) -> bool {
    *code == SqlState::T_R_SERIALIZATION_FAILURE
        || *code == SqlState::T_R_DEADLOCK_DETECTED
        || *code == SqlState::UNIQUE_VIOLATION
}

/// Whether an error belongs to a class that concerns the server and not the statement: connections,
/// access, resources, operator intervention, system errors; and writes to a standby.
fn is_temporary(code: &SqlState) -> bool {
    const CLASSES: [&str; 7] = ["08", "28", "53", "55", "57", "58", "3D"];
    CLASSES.iter().any(|class| code.code().starts_with(class))
        || *code == SqlState::READ_ONLY_SQL_TRANSACTION
        || *code == SqlState::INSUFFICIENT_PRIVILEGE
}

/// Whether the response was lost, or there was none.
fn is_connection_error(error: &Error) -> bool {
    let is_io = |source: &(dyn std::error::Error + 'static)| source.is::<io::Error>();
    error.is_closed() || error.source().is_some_and(is_io)
}

/// The server's message, without the detail, which quotes values; for other errors the error and its
/// causes, without repetitions.
pub(crate) fn explain(error: &Error) -> String {
    if let Some(said) = error.as_db_error() {
        return format!("{} (SQLSTATE {})", said.message(), said.code().code());
    }
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        text = format!("{text}: {cause}");
        source = cause.source();
    }
    text
}
