//! Resource limits of the process.

use std::io;

use rustix::process::{Resource, Rlimit, Signal, getrlimit, setrlimit};
use tokio::signal::unix::{SignalKind, signal};

/// Allows as many descriptors as the system gives: every connection is one, and the usual limit of
/// 1024 is there for programs that cannot count further.
pub(super) fn raise_descriptors() {
    let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
    let raised = Rlimit {
        current: maximum,
        maximum,
    };
    if let Err(error) = setrlimit(Resource::Nofile, raised) {
        tracing::warn!(%error, "the process may not open as many descriptors as the system gives");
    }
}

/// Makes a file that may not grow a failure of the write that meets it, as a full disk is, and not
/// the end of the process. Must run on a Tokio runtime.
pub(super) fn survive_file_limits() -> io::Result<()> {
    // A signal with a listener does not end the process, even if the listener is dropped.
    signal(SignalKind::from_raw(Signal::XFSZ.as_raw())).map(drop)
}
