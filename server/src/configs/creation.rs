//! Making a config on request, once for each idempotency key.

#[cfg(test)]
pub(crate) mod conformance;
pub(crate) mod postgres;
pub(crate) mod sqlite;

use jiff::{SignedDuration, Timestamp};

use super::lifecycle::ConfigChangeError;
use super::{Beneficiary, Config, ConfigId};
use crate::charities::{Charity, CharityId};
use crate::database::StoreError;

/// How long the response to an idempotency key is stored, and a deleted config counts.
const LIFETIME: SignedDuration = SignedDuration::from_hours(24);

/// The maximum number of expired responses that a request with a key deletes. It adds one at most, so
/// that they run out, and no request has to delete all of them.
pub(crate) const MAX_DELETED: i64 = 100;

/// The idempotency key and body that identify repetitions of a request of a project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Idempotency {
    /// The caller's key.
    pub key: String,
    /// A digest of the parsed body.
    pub fingerprint: [u8; 32],
}

/// Encodes the response to a creation from the config and its charities, which are in the order of the
/// beneficiaries. A database may call it more than once.
pub type Encode = fn(&Config, &[Charity]) -> Result<Vec<u8>, StoreError>;

/// The result of a request to create a config.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Creation {
    /// The config was made; this is the answer.
    Created(Vec<u8>),
    /// An earlier request with the same key and body created it.
    Replayed {
        /// The config that was made then.
        config: ConfigId,
        /// The answer that was given then.
        answer: Vec<u8>,
    },
    /// The key came with another body in the last 24 hours.
    KeyReused,
    /// The project has as many configs as it may.
    QuotaExceeded,
    /// Charities that are unknown or inactive, by their places among the beneficiaries.
    UnknownCharities(Vec<usize>),
    /// The requester may not change the project, or there is none.
    UnknownProject,
}

/// The answer that is stored for a key of a project.
#[derive(Debug)]
pub(crate) struct StoredAnswer {
    pub(crate) fingerprint: [u8; 32],
    pub(crate) config: ConfigId,
    pub(crate) answer: Vec<u8>,
}

impl StoredAnswer {
    /// The result for a request with the same key.
    pub(crate) fn answer_to(self, request: &Idempotency) -> Creation {
        match self.fingerprint == request.fingerprint {
            true => Creation::Replayed {
                config: self.config,
                answer: self.answer,
            },
            false => Creation::KeyReused,
        }
    }
}

/// Refuses charities that are none, too many, or named more than once.
pub(crate) fn check(beneficiaries: &[Beneficiary]) -> Result<(), ConfigChangeError> {
    if !(1..=Config::MAX_BENEFICIARIES).contains(&beneficiaries.len()) {
        return Err(ConfigChangeError::Number);
    }
    let repeated = repeated(beneficiaries);
    if !repeated.is_empty() {
        return Err(ConfigChangeError::Repeated(repeated));
    }
    Ok(())
}

/// The charities that are named more than once, each once.
fn repeated(beneficiaries: &[Beneficiary]) -> Vec<CharityId> {
    let mut repeated = Vec::new();
    for (place, beneficiary) in beneficiaries.iter().enumerate() {
        let before = beneficiaries.iter().take(place);
        let seen = before
            .filter(|earlier| earlier.charity == beneficiary.charity)
            .count();
        if seen == 1 {
            repeated.push(beneficiary.charity);
        }
    }
    repeated
}

/// The time 24 hours before `now`: an answer from then has expired, and a config that was deleted then
/// counts no more.
pub(crate) fn a_day_before(now: Timestamp) -> Timestamp {
    now.checked_sub(LIFETIME).unwrap_or(Timestamp::MIN)
}

/// The charities in order, or the positions of those that are unknown or inactive. `found` holds the
/// charity of each beneficiary, if it is known.
pub(crate) fn active_charities(found: Vec<Option<Charity>>) -> Result<Vec<Charity>, Vec<usize>> {
    let mut charities = Vec::new();
    let mut unknown = Vec::new();
    for (place, charity) in found.into_iter().enumerate() {
        match charity {
            Some(charity) if charity.active => charities.push(charity),
            _ => unknown.push(place),
        }
    }
    if unknown.is_empty() {
        Ok(charities)
    } else {
        Err(unknown)
    }
}
