//! Interrupts work on a connection that takes too long.

use std::time::Instant;

use rusqlite::Connection;

use crate::DbError;

/// The number of instructions of SQLite's virtual machine between two looks at the clock: some 10 µs.
const INSTRUCTIONS: i32 = 1000;

/// Runs `work`, whose statements fail from the `deadline` on.
pub(super) fn after<T, E: From<DbError>>(
    deadline: Option<Instant>,
    connection: &mut Connection,
    work: impl FnOnce(&mut Connection) -> Result<T, E>,
) -> Result<T, E> {
    let Some(deadline) = deadline else {
        return work(connection);
    };
    let is_late = move || Instant::now() >= deadline;
    if is_late() {
        return Err(DbError::unavailable("it did not respond in time").into());
    }
    let handler = connection.progress_handler(INSTRUCTIONS, Some(is_late));
    handler.map_err(DbError::from)?;
    let done = work(connection);
    let handler = connection.progress_handler(0, None::<fn() -> bool>);
    handler.map_err(DbError::from)?;
    done
}
