//! Making a config on request, once for each idempotency key.

pub(crate) mod sql;

use std::collections::HashMap;

use jiff::{SignedDuration, Timestamp};

use super::{Beneficiary, Config, ConfigError, ConfigRejection};
use crate::charities::{Charity, CharityId};
use crate::domain::config_id::ConfigId;
use crate::idempotency::{Idempotency, IdempotencyRecord};
use db::DbError;

/// How long a deleted config counts.
const DELETED_COUNT_FOR: SignedDuration = SignedDuration::from_hours(24);

/// Encodes the response to a creation from the config and its charities, which are in the order of the
/// beneficiaries. A database may call it more than once.
pub type Encode = fn(&Config, &[Charity]) -> Result<Vec<u8>, DbError>;

/// The response to a request that has created a config.
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
}

/// The result for a request with a key that has a record.
pub(crate) fn repeat(
    record: IdempotencyRecord,
    request: &Idempotency,
) -> Result<Creation, ConfigError> {
    if !record.is_repeated_by(request) {
        return Err(ConfigRejection::KeyReused.into());
    }
    let missing = || DbError::Corrupt("an idempotency key has no response".to_owned());
    Ok(Creation::Replayed {
        config: ConfigId(record.resource()?),
        answer: record.response.ok_or_else(missing)?,
    })
}

/// Rejects charities that are none, too many, or named more than once.
pub(crate) fn check(beneficiaries: &[Beneficiary]) -> Result<(), ConfigRejection> {
    if !(1..=Config::MAX_BENEFICIARIES).contains(&beneficiaries.len()) {
        return Err(ConfigRejection::Number);
    }
    let repeated = repeated(beneficiaries);
    if !repeated.is_empty() {
        return Err(ConfigRejection::Repeated(repeated));
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

/// The charities with these ids, in order, if all of them are known and active.
pub(crate) fn active_charities(
    ids: &[CharityId],
    known: Vec<Charity>,
) -> Result<Vec<Charity>, ConfigRejection> {
    let active = known.into_iter().filter(|it| it.active);
    let mut active: HashMap<_, _> = active.map(|it| (it.id, it)).collect();
    let mut charities = Vec::new();
    let mut unknown = Vec::new();
    for id in ids {
        match active.remove(id) {
            Some(charity) => charities.push(charity),
            None => unknown.push(*id),
        }
    }
    match unknown.is_empty() {
        true => Ok(charities),
        false => Err(ConfigRejection::UnknownCharities(unknown)),
    }
}
