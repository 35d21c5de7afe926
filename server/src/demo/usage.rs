//! A month of invented requests of the three customers, and an old key of one that is being replaced.

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use uuid::Uuid;

use super::random::Random;
use super::{DemoKeys, ENTERPRISE, FREE, PRO, digest, uuid};
use db::{Db, DbError};
use features::keys::{KeyDigest, KeyId, KeyLabels, NewKey};
use features::projects::ProjectId;
use features::usage::{self, Minute, MinuteCount, RunId, StatusClass};

/// The most counts that are stored in one transaction.
const BATCH: usize = 2_000;

/// The operations that are asked for, and how many of a hundred requests are for each.
const OPERATIONS: [(&str, u64); 5] = [
    ("charities.list", 41),
    ("charities.get", 27),
    ("configs.get", 17),
    ("analytics.totals", 9),
    ("charities.feed", 6),
];

/// How many of a thousand requests are answered with each class.
const CLASSES: [(StatusClass, u64); 4] = [
    (StatusClass::Success, 776),
    (StatusClass::NotModified, 188),
    (StatusClass::ClientError, 32),
    (StatusClass::ServerError, 4),
];

/// The product of the factors of an hour with the most requests: the share of the hour, the share of the
/// weekday, the mean of the chance, and the minutes of the hour.
const BUSIEST: u64 = 19 * 10 * 100 * 60;

/// How long ago the old key was replaced, in minutes, and when its last user changed.
const REPLACED: i64 = 20 * 60;
const SILENT: i64 = 5 * 60;

/// The key that the Pro project used before, which still works for some hours. Its secret is unknown.
pub(super) fn old_key(now: Timestamp) -> NewKey {
    NewKey {
        labels: KeyLabels::with_label("checkout server, old key"),
        expires_at: Some(before(now, -4 * 60)),
        ..NewKey::issued(
            KeyId(uuid("old key")),
            KeyDigest(digest("old key")),
            "sk_OldDemoK",
            before(now, 80 * 24 * 60),
        )
    }
}

fn before(now: Timestamp, minutes: i64) -> Timestamp {
    let then = now.checked_sub(SignedDuration::from_mins(minutes));
    then.unwrap_or(now)
}

/// Stores the requests as servers do.
pub(super) async fn seed(
    store: &Db,
    now: Timestamp,
    keys: &DemoKeys,
    old: KeyId,
) -> Result<(), DbError> {
    let run = RunId(Uuid::nil());
    for batch in counts(now, keys, old).chunks(BATCH) {
        features::usage::store::put_usage(store, run, batch.to_vec()).await?;
    }
    usage::maintain(store, now).await
}

/// The counts until `now`: each minute of the last two hours, an hour of the last days as one minute,
/// and six hours as one before.
fn counts(now: Timestamp, keys: &DemoKeys, old: KeyId) -> Vec<MinuteCount> {
    let now = Minute::of(now);
    let minutes = (1..120).map(|ago| (ago, 1));
    let hours = (0..94).map(|hour| (120 + hour * 60, 60));
    let days = (0..105).map(|part| (96 * 60 + part * 360, 360));
    let mut counts = Vec::new();
    for (ago, length) in minutes.chain(hours).chain(days) {
        let at = Minute(now.0 - ago);
        let mut add = |project, key, hourly| {
            add(&mut counts, at, (project, key), hourly * length as u64);
        };
        let replaced = share_of_new_key(ago);
        add(FREE, keys.free.id, 610);
        add(PRO, keys.pro.id, 4_200 * replaced / 100);
        add(PRO, old, 4_200 * (100 - replaced) / 100);
        add(ENTERPRISE, keys.enterprise.id, 21_000);
    }
    counts
}

/// The percentage of requests of the Pro project that had the new key so many minutes ago.
fn share_of_new_key(ago: i64) -> u64 {
    let gone = (REPLACED - ago).clamp(0, REPLACED - SILENT);
    u64::try_from(gone * 100 / (REPLACED - SILENT)).unwrap_or(0)
}

/// Adds the requests of a key at a minute, in proportion to `most`. A share of a request is one by chance, so
/// that a quiet night has requests, too.
fn add(counts: &mut Vec<MinuteCount>, at: Minute, of: (ProjectId, KeyId), most: u64) {
    let (project, key) = of;
    let mut random = Random::new(at.0.unsigned_abs() ^ key.0.as_u64_pair().1);
    // More requests in the day of the customers, who are in Europe, and fewer at weekends.
    let time = at.start().to_zoned(TimeZone::UTC);
    let hour = u64::from(time.hour().unsigned_abs());
    let by_hour = [
        3, 2, 2, 2, 3, 5, 8, 12, 16, 18, 19, 18, 17, 18, 19, 18, 17, 16, 14, 13, 11, 9, 6, 4,
    ];
    let activity = by_hour.get(hour as usize).copied().unwrap_or(1);
    let week = if time.weekday().to_monday_zero_offset() > 4 {
        6
    } else {
        10
    };
    let requests = most * activity * week * (80 + random.below(41));
    let mut push = |operation, class, requests| {
        if requests > 0 {
            counts.push(MinuteCount {
                minute: at,
                project,
                key,
                operation,
                class,
                requests,
                is_coarse: false,
            });
        }
    };
    for (operation, share) in OPERATIONS {
        for (class, part) in CLASSES {
            let exact = requests * share * part / BUSIEST;
            push(operation, class, (exact + random.below(100_000)) / 100_000);
        }
    }
    // The Free project reaches its limit now and then.
    let refused = if project == FREE && activity > 16 && random.below(5) == 0 {
        requests / BUSIEST / 9
    } else {
        0
    };
    push("charities.list", StatusClass::Refused, refused);
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn each_customer_has_requests_in_each_hour_of_the_week() {
        let key = |n| KeyId(Uuid::from_bytes([n; 16]));
        let monday: Timestamp = "2026-11-23T00:00:00Z".parse().unwrap();
        for hour in 0..7 * 24 {
            let first = Minute::of(monday).0 + hour * 60;
            for (n, of, most) in [(1, FREE, 610), (2, PRO, 4_200), (3, ENTERPRISE, 21_000)] {
                let mut counts = Vec::new();
                for minute in first..first + 60 {
                    add(&mut counts, Minute(minute), (of, key(n)), most);
                }
                let operations: BTreeSet<_> = counts.iter().map(|c| c.operation).collect();
                assert!(operations.len() > 1, "{of:?} {hour}: {operations:?}");
            }
        }
    }
}
