//! The demo: a catalog of fictional charities on real chains, three customers, four months of generated donations
//! and one month of generated requests.
//!
//! The records of `demo.ndjson` and the donations are imported like other data; keys and requests are added directly.
//! The same `now` always gives the same data.

mod claim;
mod donations;
mod random;
mod usage;
mod webhook;

use jiff::{SignedDuration, Timestamp};
use serde_json::Value;
use sha2::{Digest, Sha256};
use uuid::{Uuid, uuid};

use db::{Db, DbError};
use features::domain::recording::OnRejection;
use features::import::{self, Event, ImportError};
use features::keys::lifecycle::KeyChangeError;
use features::keys::{self, NewKey};
use features::projects::Actor;
pub use features::projects::demo::{ENTERPRISE, FREE, PRO};

/// The invented address of the Enterprise project's partner contract, with its EIP-55 checksum.
pub const CONTRACT: &str = "0xcA7a106000000000000000000000000000DEcaDE";

/// The chain of [`CONTRACT`]: Base.
pub const CONTRACT_CHAIN: i64 = 8453;

/// The records, except donations, as import lines. The chains and their tokens are real, everything else is fictional.
const RECORDS: &str = include_str!("demo/demo.ndjson");

/// The time that counts as now in [`RECORDS`]: 2026-12-01T00:00:00Z.
const RECORDS_NOW: Timestamp = Timestamp::constant(1_796_083_200, 0);

/// The properties of [`RECORDS`] that are times.
const TIMES: [&str; 4] = ["listedAt", "createdAt", "startsAt", "endsAt"];

/// The keys of the three projects, one for each tier.
#[derive(Debug, Clone)]
pub struct DemoKeys {
    pub free: NewKey,
    pub pro: NewKey,
    pub enterprise: NewKey,
}

/// Fills an empty store.
///
/// # Errors
/// When the store fails. If it refuses the data, which would be a defect of this module, the error is
/// [`DbError::Corrupt`].
pub async fn seed(store: &Db, now: Timestamp, keys: DemoKeys) -> Result<(), DbError> {
    let lines = lines(now).map_err(|error| DbError::Corrupt(error.to_string()))?;
    let lines: String = lines.iter().map(|line| format!("{line}\n")).collect();
    let mut refused = None;
    let imported = import::run(store, lines.as_bytes(), OnRejection::Stop, |event| {
        if let Event::Refused(line) = event {
            refused = Some(line.to_string());
        }
    });
    match imported.await {
        Ok(_) => {}
        Err(ImportError::Store(error)) => return Err(error),
        Err(ImportError::Input(error)) => return Err(DbError::Unavailable(error.to_string())),
    }
    if let Some(refused) = refused {
        return Err(DbError::Corrupt(format!(
            "the demonstration is refused: {refused}"
        )));
    }
    let DemoKeys {
        free,
        pro,
        enterprise,
    } = keys.clone();
    let old = usage::old_key(now);
    // The oldest first, as audit logs have them.
    for (project, key) in [
        (PRO, old.clone()),
        (FREE, free),
        (PRO, pro),
        (ENTERPRISE, enterprise),
    ] {
        let added = keys::store::add_key(store, Actor::Operator, project, key).await;
        added.map_err(|error| match error {
            KeyChangeError::Db(error) => error,
            other => DbError::Corrupt(other.to_string()),
        })?;
    }
    usage::seed(store, now, &keys, old.id).await?;
    claim::seed(store, now).await?;
    webhook::seed(store, now).await
}

/// The demo's records and donations as import lines.
///
/// # Errors
/// When a record is not valid JSON or lacks a property, which would be a defect of this module.
pub fn lines(now: Timestamp) -> Result<Vec<Value>, serde_json::Error> {
    let records = RECORDS.lines().map(serde_json::from_str);
    let mut lines: Vec<Value> = records.collect::<Result<_, _>>()?;
    for line in &mut lines {
        move_times(line, now);
    }
    lines.extend(donations::lines(now, &lines)?);
    Ok(lines)
}

/// Makes the times of a record relative to `now` instead of [`RECORDS_NOW`].
fn move_times(record: &mut Value, now: Timestamp) {
    for property in TIMES {
        if let Some(Value::String(time)) = record.get_mut(property)
            && let Ok(at) = time.parse::<Timestamp>()
        {
            let before = RECORDS_NOW.as_millisecond() - at.as_millisecond();
            *time = milliseconds_before(now, before);
        }
    }
}

/// The time so many milliseconds before `now`, in the format of import lines.
fn milliseconds_before(now: Timestamp, milliseconds: i64) -> String {
    let before = now.saturating_sub(SignedDuration::from_millis(milliseconds));
    format!("{:.3}", before.unwrap_or(now))
}

/// Bytes that depend on the name only.
fn digest(name: &str) -> [u8; 32] {
    Sha256::digest(format!("donation catalog demonstration: {name}")).into()
}

/// A UUID that depends on the name only.
fn uuid(name: &str) -> Uuid {
    Uuid::new_v5(&Uuid::NAMESPACE_OID, name.as_bytes())
}

#[cfg(test)]
mod tests {
    use std::cmp::Reverse;
    use std::collections::BTreeSet;

    use super::*;
    use features::analytics::{self, StatsScope};
    use features::audit;
    use features::catalogue;
    use features::chains::{Address, ChainAddress, ChainId, ChainKind};
    use features::keys::{KeyDigest, KeyId};
    use features::projects::Tier;

    fn now() -> Timestamp {
        "2026-11-20T10:00:00.123Z".parse().unwrap()
    }

    fn key(n: u8) -> NewKey {
        NewKey::issued(
            KeyId(Uuid::from_bytes([n; 16])),
            KeyDigest([n; 32]),
            "sk_demo",
            now(),
        )
    }

    async fn seeded() -> (Db, tempfile::TempDir) {
        let directory = tempfile::tempdir().unwrap();
        let store = features::database::open(&directory.path().join("demo.db")).unwrap();
        let keys = DemoKeys {
            free: key(1),
            pro: key(2),
            enterprise: key(3),
        };
        seed(&store, now(), keys).await.unwrap();
        (store, directory)
    }

    #[test]
    fn times_are_relative_to_now() {
        let records: Vec<Value> = RECORDS
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        assert!(lines(RECORDS_NOW).unwrap().starts_with(&records));
        let charity =
            |lines: &[Value]| lines.iter().find(|line| line["kind"] == "charity").cloned();
        assert_eq!(
            charity(&records).unwrap()["listedAt"],
            "2026-11-30T19:00:00.000Z"
        );
        let moved = charity(&lines(now()).unwrap()).unwrap();
        assert_eq!(moved["listedAt"], "2026-11-20T05:00:00.123Z");
        for property in TIMES {
            assert!(records.iter().any(|record| record.get(property).is_some()));
        }
    }

    #[test]
    fn the_checksums_are_right() {
        assert_eq!(
            Address::parse(ChainKind::Evm, CONTRACT).unwrap().as_str(),
            CONTRACT
        );
        let lines = lines(now()).unwrap();
        let is_invented = |token: &str| {
            lines
                .iter()
                .any(|line| line["kind"] == "partner-token" && line["token"] == token)
        };
        let tokens = lines.iter().filter(|line| line["kind"] == "token");
        let addresses = tokens.filter_map(|line| line["address"].as_str());
        let mut count = 0;
        for token in addresses.filter(|token| token.starts_with("0x") && !is_invented(token)) {
            let address = Address::parse(ChainKind::Evm, token).unwrap();
            assert_eq!(address.as_str(), token, "not the checksummed spelling");
            count += 1;
        }
        assert_eq!(count, 25);
    }

    #[tokio::test]
    async fn audit_logs_are_in_the_order_of_time() {
        let (store, _directory) = seeded().await;
        for project in [FREE, PRO, ENTERPRISE] {
            let events =
                audit::store::audit_events(&store, Actor::Operator, project, None, 100).await;
            let events = events.unwrap().unwrap();
            assert!(
                events.is_sorted_by_key(|event| Reverse(event.at)),
                "{events:?}"
            );
        }
    }

    #[tokio::test]
    async fn has_something_of_everything() {
        let (store, _directory) = seeded().await;
        assert_eq!(
            features::rollups::verification::verify_rollups(&store)
                .await
                .unwrap(),
            []
        );
        let catalogue = catalogue::store::update(&store, None).await.unwrap();
        let active = catalogue
            .charities
            .rows()
            .iter()
            .filter(|charity| charity.active)
            .count();
        // More than a feed holds, and some that are not listed.
        assert!(active > 50 && active < catalogue.charities.rows().len());
        assert!(
            catalogue
                .charities
                .rows()
                .iter()
                .all(|charity| charity.description.contains("fictional"))
        );
        assert_eq!(
            (
                catalogue.chains.rows().len(),
                catalogue.campaigns.rows().len()
            ),
            (6, 10)
        );
        assert!(
            catalogue
                .campaigns
                .rows()
                .iter()
                .any(|progress| progress.raised.0 > 0)
        );
        let (_, keys) = keys::store::update(&store, None).await.unwrap();
        let tiers: Vec<_> = keys.rows().iter().map(|key| key.tier).collect();
        let of = |tier| tiers.iter().filter(|it| **it == tier).count();
        let counts = [Tier::Free, Tier::Pro, Tier::Enterprise].map(of);
        assert_eq!(counts, [1, 2, 1], "one of them is being replaced");
        for project in [FREE, PRO, ENTERPRISE] {
            let totals = analytics::store::project_totals(&store, StatsScope::all(project))
                .await
                .unwrap();
            assert!(
                totals.stats.donations > 100 && totals.tokens > 20,
                "{totals:?}"
            );
        }
    }

    #[tokio::test]
    async fn the_leaderboard_is_long_and_has_ties() {
        let (store, _directory) = seeded().await;
        let contract = ChainAddress {
            chain: ChainId::new(CONTRACT_CHAIN).unwrap(),
            address: Address::parse(ChainKind::Evm, CONTRACT).unwrap(),
        };
        let board =
            features::contracts::leaderboard::leaderboard(&store, ENTERPRISE, contract, None, 200)
                .await
                .unwrap()
                .unwrap();
        let tokens: BTreeSet<_> = board.iter().map(|entry| entry.token.id.key()).collect();
        assert_eq!((board.len(), tokens.len()), (24, 18));
        let sums: Vec<_> = board.iter().map(|entry| entry.stats.usd).collect();
        assert!(sums.windows(2).all(|pair| pair[0] >= pair[1]));
        let ties = sums.windows(2).filter(|pair| pair[0] == pair[1]).count();
        assert_eq!(ties, 4);
    }
}
