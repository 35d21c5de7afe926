//! Donations as an indexer brings them: lines in the pipe of `import --follow`.

use crate::server_programs::Programs;
use jiff::Timestamp;
use serde_json::Value;
use std::io::{self, BufWriter, Write as _};
use std::process::{ChildStdin, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// New donations, to configs in turn.
pub(crate) struct Donations {
    /// The template of the lines.
    line: Value,
    configs: Vec<String>,
    made: u128,
}

impl Donations {
    pub(super) fn new(line: Value, configs: Vec<String>) -> Donations {
        Donations {
            line,
            configs,
            made: 0,
        }
    }

    /// A donation that is made now.
    fn next(&mut self) -> &Value {
        let turn = usize::try_from(self.made).unwrap_or(0) % self.configs.len().max(1);
        self.made += 1;
        // An odd factor makes other digits of each number, in no order.
        let digits = self
            .made
            .wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835);
        let config = self.configs.get(turn).cloned();
        let members = [
            ("config", config.unwrap_or_default()),
            ("transaction", format!("0x{digits:032x}{digits:032x}")),
            ("at", format!("{:.3}", Timestamp::now())),
        ];
        if let Value::Object(line) = &mut self.line {
            line.extend(members.map(|(name, text)| (name.to_owned(), text.into())));
        }
        &self.line
    }
}

/// Imports so many lines as they come: as fast as they are taken, or so many in a second. How many seconds
/// that takes, until the last is recorded.
///
/// # Errors
/// When the import fails.
pub(crate) fn follow(
    programs: &Programs,
    database: &str,
    donations: &mut Donations,
    count: u64,
    rate: Option<u32>,
) -> io::Result<f64> {
    let mut command = Command::new(&programs.server);
    command.args(["import", "--follow", "-", "--database", database]);
    let mut import = command
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let pipe = import.stdin.take().ok_or(io::ErrorKind::BrokenPipe)?;
    let start = Instant::now();
    let written = write(pipe, donations, count, rate);
    let output = import.wait_with_output()?;
    match (output.status.success(), written) {
        (true, Ok(())) => Ok(start.elapsed().as_secs_f64()),
        (_, written) => {
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            Err(written.err().unwrap_or(io::Error::other(said)))
        }
    }
}

/// Writes the lines, and closes the pipe.
fn write(
    pipe: ChildStdin,
    donations: &mut Donations,
    count: u64,
    rate: Option<u32>,
) -> io::Result<()> {
    let mut pipe = BufWriter::new(pipe);
    let start = Instant::now();
    for number in 0..count {
        if let Some(rate) = rate {
            pipe.flush()?;
            let time = Duration::from_secs_f64(number as f64 / f64::from(rate));
            thread::sleep(time.saturating_sub(start.elapsed()));
        }
        writeln!(pipe, "{}", donations.next())?;
    }
    pipe.flush()
}
