//! Resource limits of the process.

use std::io;

use rustix::process::{Resource, Rlimit, Signal, getrlimit, setrlimit};
use tokio::signal::unix::{SignalKind, signal};

/// The descriptors that connections of the API do not use.
const RESERVED: usize = 256;

/// Allows as many descriptors as the system gives: every connection is one, and the usual limit of
/// 1024 is there for programs that cannot count further.
///
/// Returns how many there are.
pub(super) fn raise_descriptors() -> usize {
    let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
    let raised = Rlimit {
        current: maximum,
        maximum,
    };
    if let Err(error) = setrlimit(Resource::Nofile, raised) {
        tracing::warn!(%error, "cannot raise the limit of open files");
    }
    let limit = getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX);
    usize::try_from(limit).unwrap_or(usize::MAX)
}

/// Lowers the number of connections of the API so that `descriptors` suffice for it, for the operators' port and for
/// databases, webhooks and files.
pub(super) fn fit_connections(max: &mut usize, descriptors: usize) {
    let reserved = RESERVED.min(descriptors / 2);
    let fitting = descriptors.saturating_sub(reserved);
    if *max > fitting {
        tracing::warn!(
            max_connections = *max,
            descriptors,
            "--max-connections exceeds the limit of open files and is lowered to {fitting}; raise LimitNOFILE or \
             ulimit -n"
        );
        *max = fitting;
    }
}

/// Makes a file that may not grow a failure of the write that meets it, as a full disk is, and not
/// the end of the process. Must run on a Tokio runtime.
pub(super) fn survive_file_limits() -> io::Result<()> {
    // A signal with a listener does not end the process, even if the listener is dropped.
    signal(SignalKind::from_raw(Signal::XFSZ.as_raw())).map(drop)
}
