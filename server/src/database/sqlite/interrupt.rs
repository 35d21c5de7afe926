//! Interrupts work on a connection that takes too long.

use std::time::Instant;

use rusqlite::Connection;

use crate::database::StoreError;

/// The number of instructions of SQLite's virtual machine between two looks at the clock: some 10 µs.
const INSTRUCTIONS: i32 = 1000;

/// Runs `work`, whose statements fail from the `deadline` on.
pub(super) fn after<T>(
    deadline: Option<Instant>,
    connection: &mut Connection,
    work: impl FnOnce(&mut Connection) -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    let Some(deadline) = deadline else {
        return work(connection);
    };
    let is_late = move || Instant::now() >= deadline;
    if is_late() {
        return Err(late());
    }
    connection.progress_handler(INSTRUCTIONS, Some(is_late))?;
    let done = work(connection);
    connection.progress_handler(0, None::<fn() -> bool>)?;
    match done {
        Err(StoreError::Unavailable(_)) if is_late() => Err(late()),
        done => done,
    }
}

fn late() -> StoreError {
    StoreError::Unavailable("it does not answer in time".to_owned())
}
