//! The keys that exist, found by digest.

use std::hash::{BuildHasherDefault, Hasher};

use imbl::{GenericHashMap, HashMap, shared_ptr::DefaultSharedPtr};
use jiff::Timestamp;
use subtle::ConstantTimeEq;

use super::{Key, KeyDigest, KeyId, KeyRecord};
use crate::database::Update;
use crate::projects::{ProjectId, Tier};

/// The keys. A clone shares them.
#[derive(Debug, Clone, Default)]
pub struct KeyTable {
    keys: GenericHashMap<KeyDigest, KnownKey, BuildHasherDefault<DigestPart>, DefaultSharedPtr>,
    /// The digests of each project's keys.
    by_project: HashMap<ProjectId, Vec<KeyDigest>>,
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
    /// A copy with newer keys: those of a project that has changed are replaced.
    pub fn updated(&self, update: Update<ProjectId, KeyRecord>) -> Self {
        let mut table = match &update {
            Update::All(_) => Self::default(),
            Update::None | Update::Some { .. } => self.clone(),
        };
        for project in update.changed().unwrap_or_default() {
            for digest in table.by_project.remove(&project).unwrap_or_default() {
                table.keys.remove(&digest);
            }
        }
        for record in update.into_rows() {
            let known = KnownKey {
                id: record.id,
                project: record.project,
                tier: record.tier,
                refused_from: record.refused_from(),
            };
            let digests = table.by_project.entry(record.project).or_default();
            digests.push(record.digest);
            table.keys.insert(record.digest, known);
        }
        table
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
