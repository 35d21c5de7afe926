//! A deterministic pseudo-random number generator.

/// SplitMix64, by Sebastiano Vigna: enough for invented donations, useless for secrets.
pub(super) struct Random(u64);

impl Random {
    /// The sequence with this number.
    pub(super) fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// A number below `bound`, which is positive. The small bias does not matter for invented data.
    pub(super) fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % bound.max(1)
    }

    /// One of several choices; `None` if there are none.
    pub(super) fn pick<'a, T>(&mut self, choices: &'a [T]) -> Option<&'a T> {
        let index = self.below(u64::try_from(choices.len()).unwrap_or(u64::MAX));
        choices.get(usize::try_from(index).unwrap_or(usize::MAX))
    }
}
