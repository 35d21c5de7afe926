//! The keys that exist, found by digest.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use jiff::Timestamp;
use subtle::ConstantTimeEq;

use super::{Key, KeyDigest, KeyId, KeyRecord};
use crate::projects::{ProjectId, Tier};

/// An immutable table of keys; a change of keys makes a new table.
#[derive(Debug, Default)]
pub struct KeyTable {
    keys: HashMap<KeyDigest, KnownKey, BuildHasherDefault<DigestPart>>,
}

/// The part of a key's record that admission needs: every request reads it, and it is small enough for that.
#[derive(Debug, Clone, Copy)]
pub(crate) struct KnownKey {
    pub(crate) id: KeyId,
    pub(crate) project: ProjectId,
    pub(crate) tier: Tier,
    /// From when on it is refused, if ever.
    refused_from: Option<Timestamp>,
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
        let known = |record: KeyRecord| {
            let known = KnownKey {
                id: record.id,
                project: record.project,
                tier: record.tier,
                refused_from: record.refused_from(),
            };
            (record.digest, known)
        };
        Self {
            keys: records.into_iter().map(known).collect(),
        }
    }

    /// Whether `key` exists, even if it is expired or revoked.
    pub(crate) fn knows(&self, key: &Key) -> bool {
        self.keys.contains_key(&key.digest())
    }

    /// The entry of `key`, if it is accepted at `now`.
    ///
    /// The lookup's timing reveals at most parts of a SHA-256, which a client cannot steer towards a
    /// stored one; the final comparison is in constant time.
    pub(crate) fn live(&self, key: &Key, now: Timestamp) -> Option<&KnownKey> {
        let digest = key.digest();
        let (known_digest, known) = self.keys.get_key_value(&digest)?;
        let same = bool::from(halves(*known_digest).ct_eq(&halves(digest)));
        let is_accepted = known.refused_from.is_none_or(|end| now < end);
        (same && is_accepted).then_some(known)
    }
}
