//! The metrics that Prometheus' client libraries have of every process, and the version.

use std::fs;

use jiff::Timestamp;
use metrics::{Counter, Gauge, Unit, counter, describe_counter, describe_gauge, gauge};
use rustix::process::{Resource, getrlimit};

const CPU: &str = "process_cpu_seconds_total";
const RESIDENT: &str = "process_resident_memory_bytes";
const OPEN: &str = "process_open_fds";
const MAX: &str = "process_max_fds";
const STARTED: &str = "process_start_time_seconds";
const BUILD: &str = "build_info";

/// The unit of processor times in `/proc` (USER_HZ), the same on all architectures of Linux that Rust has.
const TICKS_PER_SECOND: u64 = 100;

/// Metrics of this process.
pub(super) struct ProcessMetrics {
    cpu: Counter,
    resident: Gauge,
    open: Gauge,
}

impl ProcessMetrics {
    /// Registers with the recorder that is current.
    pub(super) fn register() -> Self {
        describe_counter!(CPU, Unit::Seconds, "CPU time, in whole seconds.");
        describe_gauge!(RESIDENT, "Resident memory.");
        describe_gauge!(OPEN, "Open file descriptors.");
        describe_gauge!(MAX, "Maximum number of open file descriptors.");
        describe_gauge!(STARTED, "When the server started.");
        describe_gauge!(BUILD, "1, labeled with the version.");
        gauge!(BUILD, "version" => env!("CARGO_PKG_VERSION")).set(1);
        gauge!(STARTED).set(Timestamp::now().as_duration().as_secs_f64());
        if let Some(max) = getrlimit(Resource::Nofile).current {
            gauge!(MAX).set(max as f64);
        }
        let metrics = Self {
            cpu: counter!(CPU),
            resident: gauge!(RESIDENT),
            open: gauge!(OPEN),
        };
        metrics.record();
        metrics
    }

    /// Measures the process. What `/proc` does not have stays as it was.
    pub(super) fn record(&self) {
        if let Some(ticks) = fs::read_to_string("/proc/self/stat")
            .ok()
            .and_then(|stat| ticks(&stat))
        {
            self.cpu.absolute(ticks / TICKS_PER_SECOND);
        }
        if let Some(bytes) = fs::read_to_string("/proc/self/status")
            .ok()
            .and_then(|it| resident(&it))
        {
            self.resident.set(bytes as f64);
        }
        if let Ok(open) = fs::read_dir("/proc/self/fd") {
            self.open.set(open.count() as f64);
        }
    }
}

/// The processor time of the process, in user and kernel mode. The name of the program, in parentheses, may have blanks.
fn ticks(stat: &str) -> Option<u64> {
    let (_, fields) = stat.rsplit_once(')')?;
    let mut times = fields.split_whitespace().skip(11);
    let mut time = || times.next()?.parse::<u64>().ok();
    Some(time()? + time()?)
}

fn resident(status: &str) -> Option<u64> {
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))?;
    Some(line.trim().strip_suffix(" kB")?.parse::<u64>().ok()? * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proc_is_read() {
        let stat = "7 (a) b) S 1 7 7 0 -1 4194560 1 0 0 0 250 50 0 0 20 0 1 0 9 9 9";
        assert_eq!(ticks(stat), Some(300));
        assert_eq!(resident("Name: a\nVmRSS:\t    12 kB\n"), Some(12 * 1024));
        assert!(resident(&fs::read_to_string("/proc/self/status").unwrap()) > Some(1 << 20));
    }
}
