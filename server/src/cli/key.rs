//! `key`: the credentials of projects.

use std::fmt::Write;

use clap::Subcommand;
use jiff::Timestamp;
use uuid::Uuid;

use crate::config::Wait;
use crate::domain::project::KeyRecord;

/// What can be done with keys.
#[derive(Debug, Subcommand)]
pub enum KeyCommand {
    /// Issue a key and print it, once and never again
    Issue {
        /// The id of the project that the key speaks for
        #[arg(long)]
        project: Uuid,
        /// After what time the key expires, such as 2160h [default: never]
        #[arg(long, value_name = "TIME")]
        expires_in: Option<Wait>,
    },
    /// List a project's keys, by the characters that they begin with
    List {
        /// The project's id
        #[arg(long)]
        project: Uuid,
    },
    /// Issue a successor to a key, print it, and let the key expire
    Rotate {
        /// The id of the key to replace
        key: Uuid,
        /// How long the old key goes on working
        #[arg(long, value_name = "TIME", default_value = "24h")]
        overlap: Wait,
    },
    /// Revoke a key at once
    Revoke {
        /// The key's id
        key: Uuid,
    },
}

/// When a key that is rotated at `now` expires: after the overlap, or when it would have anyway.
pub fn end_of_overlap(key: &KeyRecord, now: Timestamp, overlap: Wait) -> Timestamp {
    let end = now.saturating_add(overlap.0).unwrap_or(Timestamp::MAX);
    key.expires_at.map_or(end, |expiry| expiry.min(end))
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
    match (key.revoked_at, key.expires_at) {
        (Some(at), _) if at <= now => format!("revoked {}", seconds(at)),
        (_, Some(at)) if at <= now => format!("expired {}", seconds(at)),
        (_, Some(at)) => format!("expires {}", seconds(at)),
        (_, None) => "valid".to_owned(),
    }
}

fn seconds(at: Timestamp) -> String {
    at.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::project::{KeyDigest, KeyId, ProjectId, Tier};

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    fn key(id: u128, expires_at: Option<&str>, revoked_at: Option<&str>) -> KeyRecord {
        KeyRecord {
            id: KeyId(Uuid::from_u128(id)),
            digest: KeyDigest([0; 32]),
            project: ProjectId(Uuid::from_u128(9)),
            tier: Tier::Pro,
            display_prefix: "sk_abcdefgh".to_owned(),
            created_at: at("2026-01-01T00:00:00.123Z"),
            expires_at: expires_at.map(at),
            revoked_at: revoked_at.map(at),
        }
    }

    #[test]
    fn rotation_never_prolongs_a_key() {
        let now = at("2026-06-01T00:00:00Z");
        let check = |expires_at, overlap: &str, end: &str| {
            let overlap = overlap.parse().unwrap();
            assert_eq!(
                end_of_overlap(&key(1, expires_at, None), now, overlap),
                at(end)
            );
        };
        check(None, "24h", "2026-06-02T00:00:00Z");
        check(None, "0s", "2026-06-01T00:00:00Z");
        check(Some("2026-06-01T01:00:00Z"), "24h", "2026-06-01T01:00:00Z");
        check(Some("2027-01-01T00:00:00Z"), "24h", "2026-06-02T00:00:00Z");
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
            ]
        );
        assert!(
            table.contains("sk_abcdefgh  2026-01-01T00:00:00Z"),
            "{table}"
        );
    }
}
