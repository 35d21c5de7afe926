//! The command line.
//!
//! Each command's arguments are a type, parsed by clap; its `run` calls a use case. Results go to
//! standard output, remarks for people and log lines to standard error.

pub mod backup;
pub mod claim;
pub mod contract;
pub mod demo;
mod env_file;
pub mod import;
pub mod key;
pub mod manual;
#[cfg(feature = "console")]
pub mod operator;
mod process;
pub mod project;
mod reload;
mod run;
mod variables;
mod verify;

pub use env_file::apply_env_file;
pub use features::domain::printable::printable_lines;
pub use run::CliError;

use std::fmt::Display;
use std::io::{self, Write};
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

use crate::config::{Config, ConfigError, Redacted, Settings};
use db::Location;

/// The heading in the help for the options that every command takes.
const EVERYWHERE: &str = "Options of every command";

/// Writes a result and a line feed to standard output. Control characters in it do not reach the terminal. A
/// closed pipe is an error, and not a panic as with `println!`.
fn say(answer: impl Display) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{}", printable_lines(&answer.to_string()))?;
    out.flush()
}

/// The donation catalog API: server, import and administration in one program.
///
/// Settings come from flags, then from the environment, then from the file of --config.
#[derive(Debug, Parser)]
#[command(name = "donation-catalog", version)]
pub struct Cli {
    /// A TOML file of settings, which have the names of serve's flags: admin-listen = "127.0.0.1:9090"
    #[arg(long, global = true, env = "CATALOG_CONFIG", value_name = "FILE")]
    #[arg(help_heading = EVERYWHERE)]
    pub config: Option<PathBuf>,
    /// A file of environment variables, NAME=VALUE lines as in systemd's EnvironmentFile; they override
    /// the environment
    #[arg(long, global = true, value_name = "FILE", help_heading = EVERYWHERE)]
    pub env_file: Option<PathBuf>,
    /// A SQLite file, which serve, import and migrate create in an existing folder, or a PostgreSQL
    /// database: postgres://user:password@host:5432/database [default: donation-catalog.db]
    #[arg(
        long,
        global = true,
        env = "CATALOG_DATABASE",
        value_name = "FILE or URL"
    )]
    #[arg(hide_env_values = true, help_heading = EVERYWHERE)]
    #[arg(value_parser = Redacted::<Location>::new())]
    pub database: Option<Location>,
    /// The command.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Serve the API until SIGINT or SIGTERM; a second signal stops immediately
    Serve(Box<ServeArgs>),
    /// Load charities, chains, tokens, campaigns, projects, contracts, configs and donations
    Import(import::ImportArgs),
    /// Create and change projects
    #[command(subcommand)]
    Project(project::ProjectCommand),
    /// Register partner contracts
    #[command(subcommand)]
    Contract(contract::ContractCommand),
    /// Decide the contract claims that projects submit in the dashboard
    #[command(subcommand)]
    Claim(claim::ClaimCommand),
    /// Issue, list, rotate, disable and revoke keys; takes effect within a second
    #[command(subcommand)]
    Key(key::KeyCommand),
    /// Add, recover, remove and list operators, who manage all projects in the dashboard
    #[cfg(feature = "console")]
    #[command(subcommand)]
    Operator(operator::OperatorCommand),
    /// Migrate the database to this version's schema; for PostgreSQL, before a new version serves.
    /// Safe to run concurrently
    Migrate,
    /// Copy the SQLite database to a file, even while it is in use
    Backup(backup::BackupArgs),
    /// Restore the SQLite database from a backup, even under a running server
    Restore(backup::RestoreArgs),
    /// Sign all users out of the dashboard and delete pending sign-in links and emails; run it after
    /// restoring a database from a copy of its files or volume
    #[cfg(feature = "console")]
    EndSessions,
    /// Recompute the statistics and lists from the donation log and print the differences; exits with 1
    /// if there are any
    Verify,
    /// Print shell completions
    Completions(manual::CompletionsArgs),
    /// Write the manual, a page per command
    #[command(hide = true)]
    Man(manual::ManArgs),
}

/// The arguments of `serve`.
#[derive(Debug, Args)]
pub struct ServeArgs {
    /// Serve fictional data on loopback, with the README's keys, from a temporary database instead of
    /// --database
    #[arg(long)]
    pub demo: bool,
    /// The rest of the configuration.
    #[command(flatten)]
    pub settings: Settings,
}

impl Cli {
    /// The configuration of the given command.
    ///
    /// # Errors
    /// When the file of `--config` is wrong, or a demo would be reachable from other machines.
    pub fn resolve(&self) -> Result<Config, ConfigError> {
        self.checked(self.settings()?)
    }

    fn checked(&self, settings: Settings) -> Result<Config, ConfigError> {
        let config = Config::of(settings);
        if matches!(&self.command, Command::Serve(serve) if serve.demo) {
            config.require_loopback()?;
        }
        Ok(config)
    }

    /// The settings of flags, environment and file.
    fn settings(&self) -> Result<Settings, ConfigError> {
        let file = self.config.as_deref().map(Settings::from_file);
        Ok(self.flags().or(file.transpose()?.unwrap_or_default()))
    }

    /// The settings of flags and environment.
    fn flags(&self) -> Settings {
        let flags = match &self.command {
            Command::Serve(serve) => serve.settings.clone(),
            _ => Settings::default(),
        };
        Settings {
            database: self.database.clone(),
            ..flags
        }
    }
}

#[cfg(test)]
mod tests;
