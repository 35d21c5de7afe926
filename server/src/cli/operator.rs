//! `operator`: makes and removes the accounts that may look after all projects in the dashboard.

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
    /// Make the account of a mail address an operator, and print the code for its first passkey
    ///
    /// There need not be an account yet. Passkeys that it has are removed, and it is signed out.
    Add {
        /// The mail address
        email: Email,
    },
    /// Remove the passkeys of an operator that has lost them, and print the code for a new one
    Recover {
        /// The mail address
        email: Email,
    },
    /// Make an operator a mere account, and sign it out
    Remove {
        /// The mail address
        email: Email,
    },
    /// List all operators: since when, number of passkeys, mail address
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

/// The code alone goes to standard output, for scripts.
fn tell(issued: &IssuedEnrolment) -> std::io::Result<()> {
    eprintln!(
        "Give this code to nobody but the operator. Signed in by mail, the operator adds a passkey with \
         it at /dashboard/passkeys, once, until {:.0}.",
        issued.ends_at
    );
    say(issued.code.reveal())
}
