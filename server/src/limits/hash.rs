//! Where a subject is found: a hash that nobody outside can steer.
//!
//! Whoever picks subjects, as somebody with many IPv6 networks does, must not be able to pick such as
//! meet in one place of a table. This is multiply-shift for vectors (Thorup, "High Speed Hashing for
//! Integers and Strings", 2015, section 3.5), which is strongly universal: over the choice of the
//! secret, any two ids hash as if by chance and independently, whichever they are, and so does any
//! part of their hashes. The secret is made when the process starts, and no answer depends on a hash.
//! A check of a limit spends less on this than on the standard library's SipHash by an order of
//! magnitude.

use std::array;
use std::hash::{BuildHasher, RandomState};

use super::subject::Id;

/// The secret, and with it the function.
#[derive(Debug, Clone, Copy)]
pub(super) struct SubjectHash {
    factors: [u128; 2],
    shift: u128,
}

impl SubjectHash {
    /// One by chance.
    pub(super) fn random() -> Self {
        // Keyed by the operating system, and a pseudorandom function under that key.
        let source = RandomState::new();
        Self::made_of(|index| source.hash_one(index))
    }

    /// The function of a secret of six words.
    fn made_of(words: impl Fn(usize) -> u64) -> Self {
        let word = |index| u128::from(words(index));
        let number = |index: usize| word(2 * index) << 64 | word(2 * index + 1);
        Self {
            factors: array::from_fn(number),
            shift: number(2),
        }
    }

    /// The hash of a subject's id.
    pub(super) fn of(&self, id: Id) -> u64 {
        let sum = id
            .into_iter()
            .zip(self.factors)
            .fold(self.shift, |sum, (word, factor)| {
                sum.wrapping_add(factor.wrapping_mul(word.into()))
            });
        (sum >> 64) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn subjects_of_one_number_are_told_apart() {
        let hash = SubjectHash::random();
        let ids = [[0, 1], [1, 0], [1, 4], [1, 6]];
        let hashes: HashSet<u64> = ids.map(|id| hash.of(id)).into();
        assert_eq!(hashes.len(), ids.len());
        let other = SubjectHash::random();
        assert!(ids.iter().all(|id| hash.of(*id) != other.of(*id)));
    }

    /// Neighbours, and numbers that differ at one end only, are where weak hashes fail.
    #[test]
    fn every_part_of_the_hash_spreads_what_differs_in_any_place() {
        // The secret is always the same one here: some are bad luck.
        let hash =
            SubjectHash::made_of(|index| 0x9e37_79b9_7f4a_7c15_u64.wrapping_pow(index as u32 + 2));
        for place in [0, 20, 64, 116] {
            let ids = (0..4096_u128).map(|number| number << place);
            let hashes = ids.map(|id| hash.of([(id >> 64) as u64, id as u64]));
            let hashes: Vec<u64> = hashes.collect();
            for part in [0, 6, 32, 57] {
                let mut buckets = [0_u32; 64];
                for hash in &hashes {
                    buckets[(hash >> part) as usize % 64] += 1;
                }
                // 64 each on average.
                let most = *buckets.iter().max().unwrap();
                assert!(most < 256, "{place} {part}: {buckets:?}");
            }
        }
    }
}
