//! `Idempotency-Key`: one resource for each key of a project, however often a request is repeated.
//!
//! The record of a key is stored in the transaction that creates the resource. It has the response to repeat, except
//! for a webhook: its response has the secret, and is created anew from the webhook.

pub(crate) mod sql;

use jiff::{SignedDuration, Timestamp};
use sha2::{Digest, Sha256};

use db::DbError;

/// How long a record is stored.
const LIFETIME: SignedDuration = SignedDuration::from_hours(24);

/// The maximum number of expired records that a request with a key deletes. It adds one at most, so
/// that they run out, and no request has to delete all of them.
pub(crate) const MAX_DELETED: i64 = 100;

/// The idempotency key and body that identify repetitions of a request of a project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Idempotency {
    /// The caller's key.
    pub key: String,
    /// A digest of the kind of resource and of the parsed body.
    pub fingerprint: [u8; 32],
}

impl Idempotency {
    /// The identity of a request to create a resource of this kind, from the digest of its parsed body.
    pub(crate) fn new(key: String, kind: &str, body: [u8; 32]) -> Self {
        let fingerprint = Sha256::new().chain_update(kind).chain_update(body);
        Self {
            key,
            fingerprint: fingerprint.finalize().into(),
        }
    }

    /// The record of this request.
    pub(crate) fn record(&self, resource: &[u8], response: Option<&[u8]>) -> IdempotencyRecord {
        IdempotencyRecord {
            fingerprint: self.fingerprint,
            resource: resource.to_owned(),
            response: response.map(<[u8]>::to_owned),
        }
    }
}

/// The record of the request that used a key.
#[derive(Debug)]
pub(crate) struct IdempotencyRecord {
    pub(crate) fingerprint: [u8; 32],
    /// The id of the created resource.
    pub(crate) resource: Vec<u8>,
    /// The response, unless it is created anew from the resource.
    pub(crate) response: Option<Vec<u8>>,
}

impl IdempotencyRecord {
    /// Whether a request repeats the recorded one; otherwise, it reuses the key.
    pub(crate) fn is_repeated_by(&self, request: &Idempotency) -> bool {
        self.fingerprint == request.fingerprint
    }

    /// The id of the created resource.
    ///
    /// # Errors
    /// When ids of the resource have another length.
    pub(crate) fn resource<const N: usize>(&self) -> Result<[u8; N], DbError> {
        let id = self.resource.as_slice().try_into();
        id.map_err(|_| DbError::Corrupt("an idempotency key has no resource".to_owned()))
    }
}

/// The time of the latest records that have expired.
pub(crate) fn expired(now: Timestamp) -> Timestamp {
    now.checked_sub(LIFETIME).unwrap_or(Timestamp::MIN)
}
