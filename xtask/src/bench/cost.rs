//! What a command costs: the processor time and the memory of the process and those it starts.

use std::io;
use std::process::Command;
use std::time::Duration;
use wait4::Wait4 as _;

/// What a command has cost.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Cost {
    /// Processor time, in user and system mode together.
    pub(crate) cpu: Duration,
    /// The most memory that one process held at a time, in bytes.
    pub(crate) memory: u64,
    /// Whether it ended well.
    pub(crate) success: bool,
}

impl Cost {
    /// Runs a command to its end.
    ///
    /// # Errors
    /// When it cannot be started.
    pub(crate) fn of(command: &mut Command) -> io::Result<Cost> {
        let end = command.spawn()?.wait4()?;
        Ok(Cost {
            cpu: end.rusage.utime + end.rusage.stime,
            memory: end.rusage.maxrss,
            success: end.status.success(),
        })
    }

    /// The lesser of two costs of the same thing, in each respect: what else the machine does only
    /// ever adds.
    pub(crate) fn least(self, other: Cost) -> Cost {
        Cost {
            cpu: self.cpu.min(other.cpu),
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
        let run = |script: &str| Cost::of(Command::new("sh").args(["-c", script])).unwrap();
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
