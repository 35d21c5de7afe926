//! `completions` and `man`: the command line described for shells and for `man`.

use crate::Cli;
use clap::CommandFactory as _;
use clap_complete::Shell;
use openapi_crate::Failure;
use std::io::{self, Write as _};
use std::path::PathBuf;

/// The arguments of `completions`.
#[derive(clap::Args)]
pub(crate) struct Completions {
    /// The shell.
    shell: Shell,
}

/// The arguments of `man`.
#[derive(clap::Args)]
pub(crate) struct Man {
    /// A folder that exists.
    folder: PathBuf,
}

impl Completions {
    /// Prints the script.
    ///
    /// # Errors
    /// When standard output cannot be written.
    pub(crate) fn run(&self) -> Result<bool, Failure> {
        let mut script = Vec::new();
        clap_complete::generate(
            self.shell,
            &mut Cli::command(),
            codegen::PROGRAM,
            &mut script,
        );
        let written = io::stdout().lock().write_all(&script);
        written.map_err(|error| Failure::Disk(error, "standard output".into()))?;
        Ok(true)
    }
}

impl Man {
    /// Writes the pages.
    ///
    /// # Errors
    /// When a page cannot be written.
    pub(crate) fn run(&self) -> Result<bool, Failure> {
        let written = clap_mangen::generate_to(Cli::command(), &self.folder);
        written.map_err(|error| Failure::Disk(error, self.folder.display().to_string()))?;
        Ok(true)
    }
}
