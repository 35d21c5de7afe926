//! Runs `cargo check` on the server while `gen --watch` waits for the next change, to show the code
//! that does not fit the contract any more.

use crate::report;
use std::io::{self, BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, ChildStderr, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::{env, thread};

/// The maximum number of errors that are shown; later ones often follow from the first.
const MAX_SHOWN: usize = 8;

/// A running check, which is stopped when it is dropped.
pub(crate) struct RustCheck {
    cargo: Child,
    /// Whether the result is not wanted any more.
    is_dropped: Arc<AtomicBool>,
}

impl RustCheck {
    /// Starts to check a package of the workspace around a folder; prints the result when it is known.
    ///
    /// # Errors
    /// When cargo cannot be started.
    pub(crate) fn start(folder: &Path, package: &str) -> io::Result<RustCheck> {
        let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = Command::new(cargo);
        command.args([
            "check",
            "--quiet",
            "--message-format=short",
            "--package",
            package,
        ]);
        command
            .current_dir(folder)
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        let mut child = command.spawn()?;
        let is_dropped = Arc::new(AtomicBool::new(false));
        if let Some(stderr) = child.stderr.take() {
            let is_dropped = Arc::clone(&is_dropped);
            thread::spawn(move || {
                let summary = summary(stderr);
                if !is_dropped.load(Ordering::Relaxed) {
                    eprint!("{summary}");
                }
            });
        }
        Ok(RustCheck {
            cargo: child,
            is_dropped,
        })
    }
}

impl Drop for RustCheck {
    fn drop(&mut self) {
        self.is_dropped.store(true, Ordering::Relaxed);
        // It may have ended already.
        let _ = self.cargo.kill();
        let _ = self.cargo.wait();
    }
}

/// The first errors, a line each, and the number of further ones.
fn summary(stderr: ChildStderr) -> String {
    let lines = BufReader::new(stderr).lines().map_while(Result::ok);
    summarize(lines.filter(|line| line.contains("error")))
}

fn summarize(errors: impl Iterator<Item = String>) -> String {
    let errors: Vec<String> = errors
        .filter(|line| !line.starts_with("error: could not compile"))
        .collect();
    let mut text = String::new();
    for error in errors.iter().take(MAX_SHOWN) {
        text.push_str(error);
        text.push('\n');
    }
    match errors.len() {
        0 => report::line(&mut text, "Checked", "the server fits the contract"),
        count if count > MAX_SHOWN => {
            report::line(
                &mut text,
                "Checked",
                &format!("{} more errors", count - MAX_SHOWN),
            );
        }
        count => report::line(&mut text, "Checked", &format!("{count} errors")),
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shows_the_first_errors_and_counts_the_others() {
        let error =
            |n: usize| format!("server/src/api.rs:{n}:1: error[E0046]: not all trait items");
        let last = "error: could not compile `server`".to_owned();
        let text = summarize((0..10).map(error).chain([last.clone()]));
        assert_eq!(text.lines().count(), MAX_SHOWN + 1, "{text}");
        assert!(text.ends_with("2 more errors\n"), "{text}");
        assert!(summarize([last].into_iter()).contains("fits the contract"));
    }
}
