//! Mails about the expiry of keys: 14 and 3 days before it, and at it, each once.

mod message;

use jiff::Timestamp;

use super::{KeyId, KeyRecord, NamedKey, sql};
use crate::database::writers;
use crate::domain::day::DAY;
use crate::domain::service_identity::ServiceIdentity;
use crate::mail::NewMail;
use crate::projects;
use db::{Db, DbError, Timeouts};
use edge::clock::after;

/// A notice of the expiry of a key; later ones are larger.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ExpiryNotice {
    /// 14 days before the end.
    Fortnight,
    /// 3 days before it.
    Days,
    /// At the end, or up to 3 days after it if no server ran then.
    Ended,
}

/// The key of a notice, as it was read: a key that has changed since gets none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExpiringKey {
    pub key: KeyId,
    pub expires_at: Timestamp,
    pub notice: ExpiryNotice,
    /// When the event is sent to webhooks, if it is.
    pub told_at: Option<Timestamp>,
}

/// The reason why mails were not put into the outbox.
#[derive(Debug, thiserror::Error)]
pub enum NoticeError {
    #[error(transparent)]
    Template(#[from] askama::Error),
    #[error(transparent)]
    Db(#[from] DbError),
}

impl ExpiryNotice {
    /// All, the most urgent first: the later of two that are due replaces the earlier.
    const ALL: [Self; 3] = [Self::Ended, Self::Days, Self::Fortnight];

    /// Its number in the database.
    pub(crate) fn number(self) -> u32 {
        match self {
            Self::Fortnight => 1,
            Self::Days => 2,
            Self::Ended => 3,
        }
    }

    /// The ends of keys, after the first time and up to the second, for which it is due.
    fn ends(self, now: Timestamp) -> (Timestamp, Timestamp) {
        let before = |time| now.saturating_sub(time).unwrap_or(Timestamp::MIN);
        match self {
            Self::Fortnight => (after(now, DAY * 3), after(now, DAY * 14)),
            Self::Days => (now, after(now, DAY * 3)),
            Self::Ended => (before(DAY * 3), now),
        }
    }

    /// Whether a key gets it: not one that was issued for less time.
    fn applies(self, created_at: Timestamp, expires_at: Timestamp) -> bool {
        let least = match self {
            Self::Fortnight => DAY * 14,
            Self::Days | Self::Ended => DAY * 3,
        };
        created_at
            .saturating_add(least)
            .is_ok_and(|least| least < expires_at)
    }
}

/// Puts the mails that are due into the outbox, to the owners of the keys' projects; returns how many
/// keys there are mails about. Servers that do so at the same time write each mail once.
///
/// # Errors
/// When a mail cannot be written, or the database fails.
pub async fn announce(
    store: &Db,
    service: &ServiceIdentity,
    now: Timestamp,
) -> Result<usize, NoticeError> {
    let mut count = 0;
    for notice in ExpiryNotice::ALL {
        let (after, until) = notice.ends(now);
        let due = store.read(move |tx| sql::to_announce(tx, notice, after, until));
        for key in due.await? {
            count += usize::from(announce_one(store, service, &key, notice, now).await?);
        }
    }
    Ok(count)
}

async fn announce_one(
    store: &Db,
    service: &ServiceIdentity,
    key: &KeyRecord,
    notice: ExpiryNotice,
    now: Timestamp,
) -> Result<bool, NoticeError> {
    let Some(expires_at) = key.expires_at else {
        return Ok(false);
    };
    let mut mails = Vec::new();
    let applies = notice.applies(key.created_at, expires_at);
    if applies {
        let named = NamedKey::of(store, key).await?;
        for owner in projects::store::owners(store, key.project).await? {
            let message = message::key_expiry(service, owner, &named, (notice, expires_at), now)?;
            mails.push(NewMail::new(message, now));
        }
    }
    let has_mails = !mails.is_empty();
    let expiring = ExpiringKey {
        key: key.id,
        expires_at,
        notice,
        told_at: (applies && notice != ExpiryNotice::Ended).then_some(now),
    };
    let announce = store.write(writers::DASHBOARD, Timeouts::Request, move |tx| {
        sql::announce(tx, expiring, &mails)
    });
    Ok(announce.await? && has_mails)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(day: i64) -> Timestamp {
        Timestamp::from_second(day * 86_400).unwrap()
    }

    /// The mail that is due on a day about a key that ends on day 100.
    fn due(day: i64) -> Option<ExpiryNotice> {
        ExpiryNotice::ALL.into_iter().find(|notice| {
            let (after, until) = notice.ends(at(day));
            after < at(100) && at(100) <= until
        })
    }

    #[test]
    fn one_mail_is_due_at_a_time() {
        let notices = [85, 86, 96, 97, 99, 100, 102, 103].map(due);
        use ExpiryNotice::{Days, Ended, Fortnight};
        let expected = [
            None,
            Some(Fortnight),
            Some(Fortnight),
            Some(Days),
            Some(Days),
            Some(Ended),
            Some(Ended),
            None,
        ];
        assert_eq!(notices, expected);
    }

    #[test]
    fn a_key_of_a_few_days_is_known_to_end() {
        let check = |notice: ExpiryNotice, life, expected| {
            assert_eq!(
                notice.applies(at(0), at(life)),
                expected,
                "{notice:?} {life}"
            );
        };
        check(ExpiryNotice::Fortnight, 14, false);
        check(ExpiryNotice::Fortnight, 15, true);
        check(ExpiryNotice::Days, 3, false);
        check(ExpiryNotice::Ended, 3, false);
        check(ExpiryNotice::Ended, 4, true);
    }
}
