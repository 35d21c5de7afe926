//! `key`: the credentials of projects.

use std::fmt::Write;
use std::io::{self, BufRead};
use std::process::ExitCode;
use std::str::FromStr;

use clap::Subcommand;
use jiff::Timestamp;
use uuid::Uuid;

use super::{CliError, say};
use crate::config::{HumanDuration, Redacted};
use db::Db;
use features::keys::lifecycle::{self, IssuedKey, KeyRequest};
use features::keys::{Key, KeyId, KeyOfProject, KeyRecord, KeySwitch};
use features::projects::{Actor, ProjectId};

/// The subcommands of `key`.
#[derive(Debug, Subcommand)]
pub enum KeyCommand {
    /// Issue a key and print it; it is not shown again
    Issue {
        /// The project's id
        #[arg(long)]
        project: Uuid,
        /// The time after which the key expires, such as 2160h [default: never]
        #[arg(long, value_name = "TIME")]
        expires_in: Option<HumanDuration>,
    },
    /// List a project's keys: id, prefix, creation and state
    List {
        /// The project's id
        #[arg(long)]
        project: Uuid,
    },
    /// Issue a successor to a key, print it, and expire the old key after an overlap
    Rotate {
        /// The id of the key to replace
        #[arg(value_parser = Redacted::<KeyArgument>::new())]
        key: KeyArgument,
        /// How long the old key keeps working, unless it expires earlier
        #[arg(long, value_name = "TIME", default_value = "24h")]
        overlap: HumanDuration,
        /// The time after which the successor expires, such as 2160h [default: never]
        #[arg(long, value_name = "TIME")]
        expires_in: Option<HumanDuration>,
    },
    /// Reject a key until it is enabled again
    Disable {
        /// The key's id
        #[arg(value_parser = Redacted::<KeyArgument>::new())]
        key: KeyArgument,
    },
    /// Accept a disabled key again
    Enable {
        /// The key's id
        #[arg(value_parser = Redacted::<KeyArgument>::new())]
        key: KeyArgument,
    },
    /// Revoke a key immediately
    Revoke {
        /// The key's id, or - to read the key itself from standard input
        #[arg(value_parser = Redacted::<RevokeArgument>::new())]
        key: RevokeArgument,
    },
}

/// The id of a key on the command line.
#[derive(Debug, Clone, Copy)]
pub struct KeyArgument(KeyId);

/// The key to revoke, on the command line.
#[derive(Debug, Clone, Copy)]
pub enum RevokeArgument {
    Id(KeyId),
    /// The key itself is on standard input.
    StandardInput,
}

/// The reason why an argument is not the id of a key. No variant repeats it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum KeyArgumentError {
    /// A key.
    #[error(
        "is a key, not a key's id: `key list --project ID` lists the ids, and `key revoke -` reads \
         the key from standard input"
    )]
    Secret,
    #[error("is not a key's id: `key list --project ID` lists the ids")]
    Malformed,
}

impl FromStr for KeyArgument {
    type Err = KeyArgumentError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.parse() {
            Ok(id) => Ok(Self(KeyId(id))),
            Err(_) if text.contains("sk_") => Err(KeyArgumentError::Secret),
            Err(_) => Err(KeyArgumentError::Malformed),
        }
    }
}

impl FromStr for RevokeArgument {
    type Err = KeyArgumentError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "-" => Ok(Self::StandardInput),
            id => id.parse().map(|KeyArgument(id)| Self::Id(id)),
        }
    }
}

impl KeyCommand {
    pub(super) async fn run(self, store: &Db, now: Timestamp) -> Result<ExitCode, CliError> {
        match self {
            Self::Issue {
                project,
                expires_in,
            } => {
                let life = expires_in.map(|time| time.0);
                let project = ProjectId(project);
                let request = KeyRequest::lasting(life);
                let issued = lifecycle::issue(store, Actor::Operator, project, request, now);
                show_once(&issued.await?)?;
            }
            Self::List { project } => {
                let keys = lifecycle::list(store, Actor::Operator, ProjectId(project)).await?;
                say(table(&keys, now).trim_end())?;
            }
            Self::Rotate {
                key,
                overlap,
                expires_in,
            } => {
                let old = lifecycle::for_operator(store, key.0).await?;
                let life = expires_in.map(|time| time.0);
                let successor = KeyRequest::lasting(life);
                let rotated = lifecycle::rotate(store, old, overlap.0, successor, now);
                let rotated = rotated.await?;
                show_once(&rotated.successor)?;
                eprintln!("The old key expires at {}.", seconds(rotated.ends));
            }
            Self::Disable { key } => switch(store, key, KeySwitch::Disabled, now).await?,
            Self::Enable { key } => switch(store, key, KeySwitch::Enabled, now).await?,
            Self::Revoke { key } => match key {
                RevokeArgument::Id(id) => {
                    let key = lifecycle::for_operator(store, id).await?;
                    lifecycle::revoke(store, key, now).await?;
                }
                RevokeArgument::StandardInput => {
                    let key = read_key(store).await?;
                    lifecycle::revoke(store, key, now).await?;
                    let (id, project) = (key.key.0, key.project.0);
                    eprintln!("Revoked the key {id} of the project {project}.");
                }
            },
        }
        Ok(ExitCode::SUCCESS)
    }
}

async fn switch(
    store: &Db,
    KeyArgument(key): KeyArgument,
    to: KeySwitch,
    now: Timestamp,
) -> Result<(), CliError> {
    let key = lifecycle::for_operator(store, key).await?;
    Ok(lifecycle::switch(store, key, to, now).await?)
}

/// The key whose secret is the first line of standard input.
async fn read_key(store: &Db) -> Result<KeyOfProject, CliError> {
    let mut line = String::new();
    io::stdin().lock().read_line(&mut line)?;
    let key = Key::parse(line.trim())?;
    let found = lifecycle::find_for_operator(store, &key).await?;
    Ok(found.ok_or("no project has this key")?)
}

/// Prints only the key to standard output; it is not stored and cannot be shown again.
fn show_once(issued: &IssuedKey) -> Result<(), CliError> {
    say(issued.key.reveal())?;
    eprintln!(
        "The key's id is {}. The key is not shown again.",
        issued.id.0
    );
    Ok(())
}

/// A table of keys for people to read. It holds no secret.
pub fn table(keys: &[KeyRecord], now: Timestamp) -> String {
    let mut table = format!("{:36}  {:11}  {:20}  STATE\n", "ID", "KEY", "CREATED");
    for key in keys {
        // Writing to a string cannot fail.
        let _ = writeln!(
            table,
            "{:36}  {:11}  {:20}  {}",
            key.id.0,
            key.display_prefix,
            seconds(key.created_at),
            state(key, now),
        );
    }
    table
}

fn state(key: &KeyRecord, now: Timestamp) -> String {
    match (key.revoked_at, key.expires_at, key.disabled_at) {
        (Some(at), ..) if at <= now => format!("revoked {}", seconds(at)),
        (_, Some(at), _) if at <= now => format!("expired {}", seconds(at)),
        (.., Some(at)) => format!("disabled {}", seconds(at)),
        (_, Some(at), None) => format!("expires {}", seconds(at)),
        (_, None, None) => "valid".to_owned(),
    }
}

fn seconds(at: Timestamp) -> String {
    at.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use features::keys::{KeyDigest, NewKey};
    use features::projects::Tier;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    fn key(id: u128, expires_at: Option<&str>, revoked_at: Option<&str>) -> KeyRecord {
        KeyRecord {
            expires_at: expires_at.map(at),
            revoked_at: revoked_at.map(at),
            ..KeyRecord::from_new_key(
                NewKey::issued(
                    KeyId(Uuid::from_u128(id)),
                    KeyDigest([0; 32]),
                    "sk_abcdefgh",
                    at("2026-01-01T00:00:00.123Z"),
                ),
                ProjectId(Uuid::from_u128(9)),
                Tier::Pro,
            )
        }
    }

    #[test]
    fn the_table_tells_the_state_of_each_key() {
        let keys = [
            key(1, None, None),
            key(2, Some("2026-07-01T00:00:00Z"), None),
            key(3, Some("2026-05-01T00:00:00Z"), None),
            key(
                4,
                Some("2026-07-01T00:00:00Z"),
                Some("2026-04-01T00:00:00Z"),
            ),
            KeyRecord {
                disabled_at: Some(at("2026-03-01T00:00:00Z")),
                ..key(5, Some("2026-07-01T00:00:00Z"), None)
            },
        ];
        let table = table(&keys, at("2026-06-01T00:00:00Z"));
        let states: Vec<&str> = table.lines().map(|line| &line[73..]).collect();
        assert_eq!(
            states,
            [
                "STATE",
                "valid",
                "expires 2026-07-01T00:00:00Z",
                "expired 2026-05-01T00:00:00Z",
                "revoked 2026-04-01T00:00:00Z",
                "disabled 2026-03-01T00:00:00Z",
            ]
        );
        assert!(
            table.contains("sk_abcdefgh  2026-01-01T00:00:00Z"),
            "{table}"
        );
    }
}
