//! Measures the cost of a command: the time, by the processor and by the clock, and the memory of its
//! process and its children.
//!
//! A new process counts its parent's memory as its own until it executes its program, and keeps it as
//! its peak. So commands are started by a process that has hardly any: this program again, as `bench
//! cost`.

use serde::{Deserialize, Serialize};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use std::{env, io};
use wait4::Wait4 as _;

/// The cost of a command.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct Cost {
    /// Processor time, in user and system mode together.
    pub(crate) cpu: Duration,
    /// Time by the clock, from start to end.
    pub(crate) elapsed: Duration,
    /// The most memory that one process held at a time, in bytes.
    pub(crate) memory: u64,
    /// Whether it ended well.
    pub(crate) success: bool,
}

/// The arguments of `bench cost`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The program and its arguments
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true)]
    command: Vec<String>,
}

/// Runs a command and prints its cost as JSON; its output is discarded.
///
/// # Errors
/// When it cannot be started.
pub(super) fn run(arguments: &Arguments) -> io::Result<bool> {
    let (program, rest) = match arguments.command.as_slice() {
        [program, rest @ ..] => (program, rest),
        [] => return Ok(false),
    };
    let mut command = Command::new(program);
    command
        .args(rest)
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    println!("{}", serde_json::to_string(&Cost::here(&mut command)?)?);
    Ok(true)
}

impl Cost {
    /// Runs a command to its end, from a small process of its own; its output is discarded.
    ///
    /// # Errors
    /// When it cannot be started.
    pub(crate) fn of(command: &Command) -> io::Result<Cost> {
        let mut small = Command::new(env::current_exe()?);
        small.args(["cost", "--"]).arg(command.get_program());
        small.args(command.get_args());
        for (name, value) in command.get_envs() {
            match value {
                Some(value) => small.env(name, value),
                None => small.env_remove(name),
            };
        }
        if let Some(folder) = command.get_current_dir() {
            small.current_dir(folder);
        }
        let output = small.stderr(Stdio::inherit()).output()?;
        serde_json::from_slice(&output.stdout)
            .map_err(|_| io::Error::other(format!("{command:?} cannot be started")))
    }

    /// Runs a command to its end from this process.
    fn here(command: &mut Command) -> io::Result<Cost> {
        let start = Instant::now();
        let end = command.spawn()?.wait4()?;
        Ok(Cost {
            cpu: end.rusage.utime + end.rusage.stime,
            elapsed: start.elapsed(),
            memory: end.rusage.maxrss,
            success: end.status.success(),
        })
    }

    /// The minimum of two costs of the same command, field by field: other load on the machine only
    /// ever adds.
    pub(crate) fn least(self, other: Cost) -> Cost {
        Cost {
            cpu: self.cpu.min(other.cpu),
            elapsed: self.elapsed.min(other.elapsed),
            memory: self.memory.min(other.memory),
            success: self.success && other.success,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_the_work_of_a_process_and_not_its_sleep() {
        let run = |script: &str| Cost::here(Command::new("sh").args(["-c", script])).unwrap();
        let idle = run("exit 3");
        let busy = run("i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done");
        assert!(!idle.success && busy.success);
        assert!(busy.cpu > idle.cpu, "{busy:?} {idle:?}");
        assert!(
            idle.memory > 100_000 && idle.memory < 1_000_000_000,
            "{idle:?}"
        );
        let least = busy.least(idle);
        assert_eq!((least.cpu, least.success), (idle.cpu, false));
    }
}
