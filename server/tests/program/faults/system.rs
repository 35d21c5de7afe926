//! Resource limits of the operating system.

use std::process::Command;

/// Sets a resource limit of a running process, as `prlimit` does.
#[track_caller]
pub(super) fn limit(process: u32, what: &str) {
    let mut command = Command::new("prlimit");
    let command = command.args(["--pid", &process.to_string(), what]);
    assert!(command.status().unwrap().success(), "{what}");
}

/// The same command, so limited from its start.
pub(crate) fn limited(what: &str, command: &Command) -> Command {
    let mut limited = Command::new("/usr/bin/prlimit");
    limited.arg(what).arg(command.get_program());
    limited.args(command.get_args()).env_clear();
    limited.current_dir(command.get_current_dir().unwrap());
    limited
}
