//! Memory and descriptors that a server holds: under the load they must not become more and more.

use super::deployment::Deployment;
use super::memory::Memory;
use crate::table::Table;
use std::io;

/// How many MiB a minute a server may grow by.
pub(super) const SLOPE: f64 = 1.0;

/// How many descriptors more than before the load a server may have after it, both at rest.
pub(super) const DESCRIPTORS: usize = 8;

/// The memory and the descriptors of one server.
pub(super) struct Held<'a> {
    deployment: &'static str,
    memory: &'a Memory,
    /// The most memory, in bytes.
    most: u64,
    before: usize,
    after: usize,
}

impl Held<'_> {
    /// The memory and the descriptors of each server of a deployment, given those before and after.
    ///
    /// # Errors
    /// When a server has ended.
    pub(super) fn by<'a>(
        deployment: &Deployment,
        memory: &'a [Memory],
        before: &[usize],
        after: &[usize],
    ) -> io::Result<Vec<Held<'a>>> {
        let descriptors = before.iter().zip(after);
        let servers = deployment.servers.iter().zip(memory).zip(descriptors);
        let held = servers.map(|((server, memory), (before, after))| {
            Ok(Held {
                deployment: deployment.name,
                memory,
                most: server.peak()?,
                before: *before,
                after: *after,
            })
        });
        held.collect()
    }

    /// Whether neither grows.
    pub(super) fn is_steady(&self) -> bool {
        self.memory.slope() <= SLOPE && self.after <= self.before + DESCRIPTORS
    }
}

/// A table of the memory and the descriptors of servers.
pub(super) fn table(servers: &[Held<'_>]) -> Table {
    let mut table = Table::new(&[
        "server of",
        "MiB, warm",
        "MiB, in the end",
        "most MiB",
        "MiB/min",
        "descriptors before",
        "after",
    ]);
    for held in servers {
        let (warm, end) = held.memory.first_and_last();
        let most = held.most as f64 / f64::from(1 << 20);
        let mut row = vec![held.deployment.to_owned()];
        row.extend([warm, end, most].map(|mib| format!("{mib:.1}")));
        row.push(format!("{:+.2}", held.memory.slope()));
        row.extend([held.before, held.after].map(|count| count.to_string()));
        table.row(row);
    }
    table
}
