//! The operator of a deployment, who reloads settings, imports, and restarts PostgreSQL.

use super::deployment::Deployment;
use super::repeat;
use crate::server_programs::Programs;
use serde_json::Value;
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::PoisonError;
use std::time::{Duration, Instant};
use std::{fs, thread};

/// How many donations an import brings.
const DONATIONS: usize = 1000;

/// The pause between two imports.
const PAUSE: Duration = Duration::from_secs(2);

/// How many times an import is tried, twice a second: PostgreSQL may be restarting.
const TRIES: usize = 60;

/// Donations to import, and a charity that is changed besides.
pub(super) struct Lines {
    charity: Value,
    donations: PathBuf,
}

impl Lines {
    /// Writes as many as can be imported in this time.
    ///
    /// # Errors
    /// When they cannot be written.
    pub(super) fn write(programs: &Programs, work: &Path, time: Duration) -> io::Result<Lines> {
        let count = (time.as_secs() / PAUSE.as_secs() + 1) as usize * DONATIONS;
        let [catalogue, donations] =
            ["catalogue", "donations"].map(|name| work.join(format!("{name}.ndjson")));
        let [first, second] = [&catalogue, &donations].map(|path| path.display().to_string());
        programs.inside(&["donations", &count.to_string(), "0", &first, &second])?;
        let lines = fs::read_to_string(catalogue)?;
        let line = lines
            .lines()
            .find(|line| line.contains(r#""kind":"charity""#));
        let charity = serde_json::from_str(line.unwrap_or_default())?;
        Ok(Lines { charity, donations })
    }
}

/// Imports donations and a change of the catalogue, again and again; how many times.
///
/// # Errors
/// When an import fails although the database answers.
pub(super) fn import(
    into: &Deployment,
    programs: &Programs,
    lines: &Lines,
    end: Instant,
) -> io::Result<usize> {
    let mut donations = BufReader::new(fs::File::open(&lines.donations)?).lines();
    let mut charity = lines.charity.clone();
    let mut count = 0;
    repeat(end, PAUSE, |turn| {
        if let Some(name) = charity.get_mut("name") {
            *name = format!("Charity number {turn}").into();
        }
        let mut text = format!("{charity}\n");
        for line in donations.by_ref().take(DONATIONS) {
            text.push_str(&line?);
            text.push('\n');
        }
        count += 1;
        import_text(into, programs, &text)
    })?;
    Ok(count)
}

/// Imports lines, which may be in the database already.
fn import_text(into: &Deployment, programs: &Programs, text: &str) -> io::Result<()> {
    let mut said = Vec::new();
    for _ in 0..TRIES {
        let mut command = Command::new(&programs.server);
        command.args(["import", "-", "--database", &into.database]);
        command.stdin(Stdio::piped()).stderr(Stdio::piped());
        let mut import = command.spawn()?;
        if let Some(mut stdin) = import.stdin.take() {
            // An import that fails reads no further.
            let _ = stdin.write_all(text.as_bytes());
        }
        let output = import.wait_with_output()?;
        if output.status.success() {
            return Ok(());
        }
        said = output.stderr;
        thread::sleep(Duration::from_millis(500));
    }
    let said = String::from_utf8_lossy(&said).into_owned();
    Err(io::Error::other(format!("{}: {said}", into.name)))
}

/// Reloads changed settings; how many times.
///
/// # Errors
/// When the file cannot be written, or a server has ended.
pub(super) fn reload(of: &Deployment, end: Instant) -> io::Result<usize> {
    let mut count = 0;
    repeat(end, Duration::from_secs(5), |turn| {
        let limit = 20 + turn % 2 * 10;
        fs::write(&of.settings, format!("limit-anonymous = {limit}\n"))?;
        count += 1;
        of.servers
            .iter()
            .try_for_each(|server| server.signal("HUP"))
    })?;
    Ok(count)
}

/// Restarts PostgreSQL, if the deployment has one; how many times.
///
/// # Errors
/// When it does not start again.
pub(super) fn restart_postgres(of: &Deployment, end: Instant) -> io::Result<usize> {
    let Some(postgres) = &of.postgres else {
        return Ok(0);
    };
    let mut count = 0;
    repeat(end, Duration::from_secs(45), |turn| {
        if turn > 0 {
            let mut postgres = postgres.lock().unwrap_or_else(PoisonError::into_inner);
            postgres.restart()?;
            count += 1;
        }
        Ok(())
    })?;
    Ok(count)
}
