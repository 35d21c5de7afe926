//! `cargo xtask bench edit`: how long a maintainer waits between saving the contract and the
//! compiler's verdict on the server, with `cargo xtask gen --watch` running.
//!
//! A copy of the workspace is edited, with a target folder of its own that is warm.

use super::record::{Bench, record};
use super::table::{Table, median, spread};
use std::io::{self, BufRead as _, BufReader, Lines};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, Command, Stdio};
use std::time::Instant;
use std::{env, fs};

/// The arguments of `bench edit`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// How often each edit is made and reverted
    #[arg(long, default_value_t = 5)]
    rounds: usize,
    /// Also write the table to this file, as Markdown
    #[arg(long, value_name = "FILE")]
    markdown: Option<PathBuf>,
}

const MEANING: &str = "\
Wall-clock seconds from saving `spec/openapi.yaml` until `cargo xtask gen --watch` prints the result of `cargo check` \
for `generated` and `server`. Builds use the profile `dev` and are warm.";

/// A change of the contract, made everywhere in its text.
struct Edit {
    name: &'static str,
    from: &'static str,
    to: &'static str,
    /// Whether the server still compiles afterwards.
    fits: bool,
}

const EDITS: [Edit; 3] = [
    Edit {
        name: "a changed description",
        from: "Organization that can receive donations.",
        to: "Organization that may receive donations.",
        fits: true,
    },
    Edit {
        name: "a renamed property",
        from: "taxId",
        to: "taxNumber",
        fits: false,
    },
    Edit {
        name: "a renamed operation",
        from: "operationId: chains.list",
        to: "operationId: chains.all",
        fits: false,
    },
];

/// Measures.
///
/// # Errors
/// When the workspace cannot be copied or compiled, an edit does not fit the contract, or the compiler
/// does not say what is expected.
pub(crate) fn run(arguments: &Arguments) -> io::Result<bool> {
    let copy = workspace::target().join("bench/edit");
    copy_workspace(&copy)?;
    cargo(&copy, &["build", "--quiet", "--package", "xtask"])?;
    cargo(&copy, &["check", "--quiet", "--package", "server"])?;
    let mut watch = Watch::start(&copy)?;
    let mut table = Table::new(&["edit", "seconds", "spread"]);
    for edit in EDITS {
        let mut seconds = Vec::new();
        for round in 0..arguments.rounds.max(1) {
            eprintln!("{:>12} {} of {}", "Round", round + 1, edit.name);
            seconds.push(watch.replace(edit.from, edit.to, edit.fits)?);
            watch.replace(edit.to, edit.from, true)?;
        }
        table.row(vec![
            edit.name.to_owned(),
            format!("{:.2}", median(&seconds)),
            spread(&seconds),
        ]);
    }
    print!("{}", table.render(false));
    if let Some(file) = &arguments.markdown {
        let command = format!("cargo xtask bench edit --rounds {}", arguments.rounds);
        let text = format!("{}\n{MEANING}", table.render(true));
        record(file, Bench::Edit, &command, &text)?;
    }
    Ok(true)
}

/// Copies the files that git knows, as they are on disk.
fn copy_workspace(to: &Path) -> io::Result<()> {
    let root = workspace::root();
    let mut list = Command::new("git");
    let list = list.args(["ls-files", "-z"]).current_dir(&root).output()?;
    let list = String::from_utf8(list.stdout).map_err(io::Error::other)?;
    for name in list.split_terminator('\0') {
        let (from, to) = (root.join(name), to.join(name));
        if from.is_file() {
            workspace::put(&to, fs::read(&from)?)?;
        }
    }
    Ok(())
}

/// Runs cargo in the copy, with the copy's own target folder.
fn cargo(copy: &Path, arguments: &[&str]) -> io::Result<()> {
    let mut cargo = Command::new("cargo");
    if in_copy(&mut cargo, copy)
        .args(arguments)
        .status()?
        .success()
    {
        return Ok(());
    }
    Err(io::Error::other(format!("{cargo:?} fails")))
}

/// Lets a command run in the copy as if it had been started there.
fn in_copy<'a>(command: &'a mut Command, copy: &Path) -> &'a mut Command {
    let inherited = env::vars_os().map(|(name, _)| name);
    for name in inherited.filter(|name| name.to_string_lossy().starts_with("CARGO_")) {
        command.env_remove(name);
    }
    command.env("CARGO_TARGET_DIR", copy.join("target"));
    command.current_dir(copy)
}

/// `gen --watch` of the copy; it ends when this is dropped.
struct Watch {
    child: Child,
    lines: Lines<BufReader<ChildStderr>>,
    contract: PathBuf,
}

impl Watch {
    /// Starts it, and waits for its first verdict.
    fn start(copy: &Path) -> io::Result<Watch> {
        let mut command = Command::new(copy.join("target/debug/xtask"));
        in_copy(&mut command, copy).args(["gen", "--watch"]);
        let mut child = command.stderr(Stdio::piped()).spawn()?;
        let stderr = child.stderr.take();
        let stderr = stderr.ok_or_else(|| io::Error::other("no standard error"))?;
        let mut watch = Watch {
            child,
            lines: BufReader::new(stderr).lines(),
            contract: copy.join("spec/openapi.yaml"),
        };
        watch.verdict(true)?;
        Ok(watch)
    }

    /// Replaces a text everywhere in the contract; the seconds until the verdict.
    fn replace(&mut self, from: &str, to: &str, fits: bool) -> io::Result<f64> {
        let text = fs::read_to_string(&self.contract)?;
        if !text.contains(from) {
            return Err(io::Error::other(format!("the contract lacks `{from}`")));
        }
        let start = Instant::now();
        fs::write(&self.contract, text.replace(from, to))?;
        self.verdict(fits)?;
        Ok(start.elapsed().as_secs_f64())
    }

    /// Reads until the line that says whether the server fits the contract.
    fn verdict(&mut self, fits: bool) -> io::Result<()> {
        let mut said = String::new();
        for line in self.lines.by_ref() {
            let line = line?;
            if line.trim_start().starts_with("Checked") {
                return match line.contains("fits") == fits {
                    true => Ok(()),
                    false => Err(io::Error::other(format!("{said}{line}"))),
                };
            }
            said.push_str(&line);
            said.push('\n');
            if line.starts_with("error: nothing was generated") {
                break;
            }
        }
        Err(io::Error::other(said))
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_contract_has_the_texts_that_are_edited() {
        let contract = workspace::root().join("spec/openapi.yaml");
        let contract = fs::read_to_string(contract).unwrap();
        for edit in EDITS {
            assert!(contract.contains(edit.from), "{}", edit.from);
            assert!(!contract.contains(edit.to), "{}", edit.to);
        }
    }
}
