//! A quota of processor time for a program (Linux control groups, version 1 or 2).

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The folders in which control groups for processors are made: version 1, version 2.
const ROOTS: [&str; 2] = ["/sys/fs/cgroup/cpu", "/sys/fs/cgroup"];

/// A control group whose processes together may use one processor.
pub(super) struct Quota(PathBuf);

impl Quota {
    /// Makes a group; `None` where the system does not let this process make one.
    pub(super) fn of_one_processor() -> Option<Quota> {
        ROOTS.iter().find_map(|root| {
            let name = format!("donation-catalog-bench-{}", std::process::id());
            let quota = Quota(Path::new(root).join(name));
            fs::create_dir(&quota.0).ok()?;
            let set = |file, value| fs::write(quota.0.join(file), value).is_ok();
            // The most weight, so that other load on the machine matters little.
            let _ = set("cpu.shares", "262144") || set("cpu.weight", "10000");
            // In microseconds of each period, which has 100 ms.
            let is_set = set("cpu.cfs_quota_us", "100000") || set("cpu.max", "100000 100000");
            is_set.then_some(quota)
        })
    }

    /// A command that runs a program in the group.
    pub(super) fn command(&self, program: &Path) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", "echo $$ > \"$0\" && exec \"$@\""]);
        command.arg(self.0.join("cgroup.procs")).arg(program);
        command
    }
}

impl Drop for Quota {
    fn drop(&mut self) {
        // The group stays if a process is left in it; it limits nothing else.
        let _ = fs::remove_dir(&self.0);
    }
}
