//! `operator`: adds and removes the operators of the dashboard, who manage all projects.

use std::process::ExitCode;

use clap::Subcommand;
use jiff::Timestamp;

use super::{CliError, say};
use console::operators::{self, IssuedEnrolment, Operator};
use db::Db;
use features::domain::email::Email;

/// The subcommands of `operator`.
#[derive(Debug, Subcommand)]
pub enum OperatorCommand {
    /// Make an account an operator, and print the code for its first passkey
    ///
    /// The account need not exist yet. If it does, its passkeys are removed and it is signed out.
    Add {
        /// The account's email address
        email: Email,
    },
    /// Remove an operator's lost passkeys, and print the code for a new one
    Recover {
        /// The account's email address
        email: Email,
    },
    /// Remove the operator role from an account, and sign it out
    Remove {
        /// The account's email address
        email: Email,
    },
    /// List operators: since when, number of passkeys, email address
    List,
}

impl OperatorCommand {
    pub(super) async fn run(self, store: &Db, now: Timestamp) -> Result<ExitCode, CliError> {
        match self {
            Self::Add { email } => tell(&operators::add(store, email, now).await?)?,
            Self::Recover { email } => tell(&operators::recover(store, email, now).await?)?,
            Self::Remove { email } => operators::remove(store, email, now).await?,
            Self::List => {
                for operator in console::operators::store::operators(store).await? {
                    let Operator {
                        email,
                        since,
                        passkeys,
                        ..
                    } = operator;
                    say(format_args!("{since:.0}  {passkeys:2}  {}", email.as_str()))?;
                }
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// Only the code goes to standard output, for scripts.
fn tell(issued: &IssuedEnrolment) -> std::io::Result<()> {
    eprintln!(
        "Give this code only to the operator. To add a passkey with it, the operator signs in by email and \
         opens /dashboard/passkeys. It works once, until {:.0}.",
        issued.ends_at
    );
    say(issued.code.reveal())
}
