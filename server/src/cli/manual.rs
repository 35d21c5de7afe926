//! `completions` and `man`: the command line described for shells and for `man`, as packages install
//! them.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use super::{Cli, CliError};

/// Arguments of `completions`.
#[derive(Debug, Args)]
pub struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

/// Arguments of `man`.
#[derive(Debug, Args)]
pub struct ManArgs {
    /// An existing folder
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
}

impl CompletionsArgs {
    /// Writes the script to standard output.
    pub(super) fn run(&self) -> Result<ExitCode, CliError> {
        let mut script = Vec::new();
        let mut command = Cli::command();
        let name = command.get_name().to_owned();
        clap_complete::generate(self.shell, &mut command, name, &mut script);
        io::stdout().lock().write_all(&script)?;
        Ok(ExitCode::SUCCESS)
    }
}

impl ManArgs {
    /// Writes a page for each command.
    pub(super) fn run(&self) -> Result<ExitCode, CliError> {
        clap_mangen::generate_to(Cli::command(), &self.folder)?;
        Ok(ExitCode::SUCCESS)
    }
}
