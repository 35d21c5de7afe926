//! The keys that exist, found by digest.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use jiff::Timestamp;
use subtle::ConstantTimeEq;

use super::{Key, KeyDigest, KeyRecord};

/// An immutable table of key records; a change of keys makes a new table.
#[derive(Debug, Default)]
pub struct KeyTable {
    records: HashMap<KeyDigest, KeyRecord, BuildHasherDefault<DigestPart>>,
}

/// Hashes a digest to a part of it. A digest is random already, and the table holds only keys that were
/// issued here, so that clients cannot cause collisions.
#[derive(Debug, Default)]
struct DigestPart(u64);

impl Hasher for DigestPart {
    fn write(&mut self, bytes: &[u8]) {
        if let Some(part) = bytes.first_chunk() {
            self.0 = u64::from_le_bytes(*part);
        }
    }

    /// The length, which is equal for all digests.
    fn write_usize(&mut self, _: usize) {}

    fn finish(&self) -> u64 {
        self.0
    }
}

/// A digest as two numbers, which are compared at a sixteenth of the cost of its bytes.
fn halves(KeyDigest(bytes): KeyDigest) -> [u128; 2] {
    let (halves, _) = bytes.as_chunks();
    [0, 1].map(|half| {
        halves
            .get(half)
            .map_or(0, |half| u128::from_le_bytes(*half))
    })
}

impl KeyTable {
    /// The table of `records`, whose digests are unique in the store.
    pub fn from_records(records: Vec<KeyRecord>) -> Self {
        Self {
            records: records
                .into_iter()
                .map(|record| (record.digest, record))
                .collect(),
        }
    }

    /// Whether `key` exists, even if it is expired or revoked.
    pub(crate) fn knows(&self, key: &Key) -> bool {
        self.records.contains_key(&key.digest())
    }

    /// The record of `key`, if it is accepted at `now`.
    ///
    /// The lookup's timing reveals at most parts of a SHA-256, which a client cannot steer towards a
    /// stored one; the final comparison is in constant time.
    pub(crate) fn live(&self, key: &Key, now: Timestamp) -> Option<&KeyRecord> {
        let digest = key.digest();
        let record = self.records.get(&digest)?;
        let same = bool::from(halves(record.digest).ct_eq(&halves(digest)));
        (same && record.is_accepted(now)).then_some(record)
    }
}
