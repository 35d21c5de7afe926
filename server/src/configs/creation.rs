//! Making a config on request, once for each idempotency key.

pub(crate) mod sql;

use jiff::{SignedDuration, Timestamp};

use super::lifecycle::ConfigChangeError;
use super::{Beneficiary, Config};
use crate::charities::{Charity, CharityId};
use crate::domain::config_id::ConfigId;
use crate::idempotency::{Idempotency, IdempotencyRecord};
use db::DbError;

/// How long a deleted config counts.
const DELETED_COUNT_FOR: SignedDuration = SignedDuration::from_hours(24);

/// Encodes the response to a creation from the config and its charities, which are in the order of the
/// beneficiaries. A database may call it more than once.
pub type Encode = fn(&Config, &[Charity]) -> Result<Vec<u8>, DbError>;

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
    /// The key was used for another request in the last 24 hours.
    KeyReused,
    /// The project has as many configs as it may.
    QuotaExceeded,
    /// Charities that are unknown or inactive, by their places among the beneficiaries.
    UnknownCharities(Vec<usize>),
    /// The requester may not change the project, or there is none.
    UnknownProject,
}

/// The result for a request with a key that has a record.
pub(crate) fn repeat(
    record: IdempotencyRecord,
    request: &Idempotency,
) -> Result<Creation, DbError> {
    if !record.is_repeated_by(request) {
        return Ok(Creation::KeyReused);
    }
    let missing = || DbError::Corrupt("an idempotency key has no response".to_owned());
    Ok(Creation::Replayed {
        config: ConfigId(record.resource()?),
        answer: record.response.ok_or_else(missing)?,
    })
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

/// The time since when a deleted config counts.
pub(crate) fn deleted_count_since(now: Timestamp) -> Timestamp {
    now.checked_sub(DELETED_COUNT_FOR).unwrap_or(Timestamp::MIN)
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
