//! When a key was last used, in words.

use jiff::Timestamp;

use crate::dashboard::time::Time;
use features::keys::KeyRecord;
use features::usage::{LastUses, Minute};

/// How soon a key ends for it to be told how long it has been idle, in hours: a week and some.
const ENDING: i64 = 8 * 24;

/// When a key was last used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::dashboard) enum KeyUse {
    /// Then, to the minute.
    At {
        at: Time,
        /// For how long a key that ends soon has been idle.
        idle: Option<String>,
    },
    Never,
    /// Not since counting began, before which the key was issued.
    NotSince(Time),
}

impl KeyUse {
    pub(in crate::dashboard) fn of(key: &KeyRecord, uses: &LastUses, now: Timestamp) -> Self {
        let Some(minute) = uses.minutes.get(&key.id) else {
            return match key.created_at < uses.recorded_since {
                false => Self::Never,
                true => Self::NotSince(Time::new(uses.recorded_since, now)),
            };
        };
        let at = last_use(key, *minute, now);
        Self::At {
            at: Time { at, now },
            idle: ends_soon(key, now).then(|| idle(at, now)),
        }
    }
}

/// The start of the minute of the last use, by which the use was not earlier; a key that ended within that minute
/// was used before.
fn last_use(key: &KeyRecord, minute: Minute, now: Timestamp) -> Timestamp {
    let ends = [key.revoked_at, key.expires_at, Some(now)];
    ends.into_iter()
        .flatten()
        .fold(minute.start(), Timestamp::min)
}

/// Whether a key that works ends within days, as the old one of a rotation does.
fn ends_soon(key: &KeyRecord, now: Timestamp) -> bool {
    let ends = |at: Timestamp| at.duration_since(now).as_hours() < ENDING;
    key.is_live(now) && key.expires_at.is_some_and(ends)
}

/// For how long nothing has happened since a time.
fn idle(at: Timestamp, now: Timestamp) -> String {
    match now.duration_since(at).as_mins() {
        ..2 => "in use".to_owned(),
        minutes @ 2..60 => format!("idle for {minutes} min"),
        minutes @ 60..2_880 => format!("idle for {} h", minutes / 60),
        minutes => format!("idle for {} days", minutes / 1_440),
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use features::keys::{KeyDigest, KeyId, NewKey};
    use features::projects::{ProjectId, Tier};

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).unwrap()
    }

    fn key(created: i64, expires: Option<i64>) -> KeyRecord {
        KeyRecord::from_new_key(
            NewKey {
                expires_at: expires.map(at),
                ..NewKey::issued(
                    KeyId(Uuid::nil()),
                    KeyDigest([0; 32]),
                    "sk_abcd",
                    at(created),
                )
            },
            ProjectId(Uuid::nil()),
            Tier::Free,
        )
    }

    fn uses(minute: Option<i64>) -> LastUses {
        let id = KeyId(Uuid::nil());
        LastUses {
            minutes: minute
                .map(|minute| (id, Minute(minute)))
                .into_iter()
                .collect(),
            recorded_since: at(1_000),
        }
    }

    #[test]
    fn never_is_said_of_a_key_that_was_counted_from_its_beginning() {
        let now = at(100_000);
        let never = |created| KeyUse::of(&key(created, None), &uses(None), now);
        assert_eq!(never(1_000), KeyUse::Never);
        let since = Time { at: at(1_000), now };
        assert_eq!(never(999), KeyUse::NotSince(since));
    }

    #[test]
    fn a_use_is_not_later_than_it_was() {
        let (now, minute) = (at(650), Minute(10));
        let used = |key: &KeyRecord| last_use(key, minute, now);
        assert_eq!(used(&key(0, None)), at(600));
        assert_eq!(used(&key(0, Some(590))), at(590), "it expired");
        let revoked = KeyRecord {
            revoked_at: Some(at(580)),
            ..key(0, Some(590))
        };
        assert_eq!(used(&revoked), at(580));
        assert_eq!(last_use(&key(0, None), minute, at(570)), at(570));
    }

    #[test]
    fn a_key_that_ends_soon_is_idle_for_a_time() {
        let told = |expires, now: i64| match KeyUse::of(&key(0, expires), &uses(Some(10)), at(now))
        {
            KeyUse::At { idle, .. } => idle,
            other => panic!("{other:?}"),
        };
        let soon = Some(86_400 * 7);
        assert_eq!(told(None, 650), None);
        assert_eq!(told(Some(86_400 * 90), 650), None);
        assert_eq!(told(soon, 650).unwrap(), "in use");
        assert_eq!(told(soon, 600 + 180).unwrap(), "idle for 3 min");
        assert_eq!(told(soon, 600 + 3 * 3_600).unwrap(), "idle for 3 h");
        assert_eq!(told(soon, 600 + 3 * 86_400).unwrap(), "idle for 3 days");
        assert_eq!(told(soon, 86_400 * 8), None, "it has ended");
    }
}
