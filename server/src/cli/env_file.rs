//! `--env-file`: runs a command with the environment of the service.

use std::env;
use std::io;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::Cli;

/// Set in the process that has the variables of the file.
const APPLIED: &str = "DONATION_CATALOG_ENV_FILE_APPLIED";

/// The reason why the environment file cannot be used. No variant quotes a line, which may hold a password.
#[derive(Debug, thiserror::Error)]
pub enum EnvFileError {
    #[error("cannot read the environment file {}", path.display())]
    Unreadable { path: PathBuf, source: io::Error },
    #[error("{}:{line}: {reason}", path.display())]
    Malformed {
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        reason: &'static str,
    },
    #[error("cannot restart this program with the variables of {}", path.display())]
    NotRun { path: PathBuf, source: io::Error },
}

/// Replaces this process by the same command with the variables of `--env-file`. Returns at once without
/// the option, and in the process that has the variables.
///
/// # Errors
/// When the file cannot be read or is malformed.
pub fn apply_env_file(cli: &Cli) -> Result<(), EnvFileError> {
    let Some(path) = &cli.env_file else {
        return Ok(());
    };
    if env::var_os(APPLIED).is_some() {
        return Ok(());
    }
    let text = std::fs::read_to_string(path).map_err(|source| EnvFileError::Unreadable {
        path: path.clone(),
        source,
    })?;
    let not_run = |source| EnvFileError::NotRun {
        path: path.clone(),
        source,
    };
    let mut arguments = env::args_os();
    let name = arguments.next().unwrap_or_default();
    // Without /proc, as in a chroot, the program is found again by its name.
    let mut command = Command::new(env::current_exe().unwrap_or_else(|_| name.into()));
    command.args(arguments);
    command.envs(variables(path, &text)?).env(APPLIED, "1");
    Err(not_run(command.exec()))
}

/// The variables of a file. What systemd and shells read differently is an error.
fn variables<'t>(path: &Path, text: &'t str) -> Result<Vec<(&'t str, &'t str)>, EnvFileError> {
    let lines = (1..).zip(text.lines().map(str::trim));
    let variables = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with(['#', ';']));
    let read = variables.map(|(line, text)| {
        variable(text).map_err(|reason| EnvFileError::Malformed {
            path: path.to_owned(),
            line,
            reason,
        })
    });
    read.collect()
}

fn variable(line: &str) -> Result<(&str, &str), &'static str> {
    let (name, value) = line.split_once('=').ok_or("is not NAME=VALUE")?;
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if name.is_empty() || !name.chars().all(is_name) {
        return Err("is not NAME=VALUE");
    }
    if value.contains('\\') {
        return Err("has a backslash: in a URL, write it %5C");
    }
    let Some(quote) = value.chars().next().filter(|c| ['"', '\''].contains(c)) else {
        return Ok((name, value));
    };
    let inner = value
        .strip_prefix(quote)
        .and_then(|rest| rest.strip_suffix(quote));
    let inner = inner.filter(|inner| !inner.contains(quote));
    Ok((
        name,
        inner.ok_or("has a value that begins with a quote and does not end with it")?,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_literal() {
        let text = "# a comment\n; another\n\nCATALOG_DATABASE=postgres://u:p%40$x@h/d?a=b&c='d'#e \n\
                    CATALOG_REDIS=\"redis://h\"\nEMPTY=\nQUOTED=''\n";
        let read = variables(Path::new("f"), text).unwrap();
        let expected = [
            ("CATALOG_DATABASE", "postgres://u:p%40$x@h/d?a=b&c='d'#e"),
            ("CATALOG_REDIS", "redis://h"),
            ("EMPTY", ""),
            ("QUOTED", ""),
        ];
        assert_eq!(read, expected);
    }

    #[test]
    fn ambiguous_lines_are_rejected_without_quoting_them() {
        for line in [
            "export A=secret",
            "secret",
            "=secret",
            "A=\"secret",
            "A='sec'ret",
            "A=sec\\ret",
            "A='secret' # comment",
        ] {
            let text = format!("B=1\n{line}\n");
            let said = variables(Path::new("f"), &text).unwrap_err().to_string();
            assert!(said.starts_with("f:2: ") && !said.contains("sec"), "{said}");
        }
    }
}
