//! A queue of stamps, whose ends are at hand.
//!
//! A window among many is found in no cache, so that each access to memory is waited for. Adding a stamp
//! and taking one away touches what lies beside the window itself; only one in eight of them moves a
//! whole chunk into or out of the memory behind it. Short queues have none.

use super::ring::Ring;

/// Half of a cache line.
const CHUNK: usize = 8;

type Chunk = [u32; CHUNK];

/// A chunk that lies in one cache line.
#[derive(Debug, Default, Clone, Copy)]
#[repr(align(32))]
struct Aligned(Chunk);

/// The stamps, first in, first out.
///
/// In this order, what tells how many there are and which one is the first lies together.
#[derive(Debug, Default)]
#[repr(C)]
pub(super) struct Stamps {
    begin: u8,
    end: u8,
    filled: u8,
    /// How many chunks there are between.
    between: u32,
    /// The first of them, from `begin` to `end`. It is empty only when all is.
    first: Chunk,
    /// The last of them, so many as `filled` says.
    last: Chunk,
    /// Those between, in whole chunks.
    ring: Ring<Aligned>,
}

impl Stamps {
    pub(super) fn len(&self) -> u32 {
        self.at_first() + self.at_between() + u32::from(self.filled)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.begin == self.end
    }

    /// The stamp at an index, which counts from the first.
    pub(super) fn get(&self, index: u32) -> Option<u32> {
        let (chunk, place) = match self.find(index)? {
            Place::First(place) => (&self.first, place),
            Place::Between(chunk, place) => (&self.ring.get(chunk)?.0, place),
            Place::Last(place) => (&self.last, place),
        };
        chunk.get(place).copied()
    }

    /// Adds a stamp at the end.
    pub(super) fn push(&mut self, stamp: u32) {
        let has_room = usize::from(self.end) < CHUNK && self.between == 0;
        if has_room && self.filled == 0 {
            put(&mut self.first, self.end, stamp);
            self.end += 1;
            return;
        }
        put(&mut self.last, self.filled, stamp);
        self.filled += 1;
        if usize::from(self.filled) == CHUNK {
            self.ring.push(self.between, Aligned(self.last));
            self.between += 1;
            self.filled = 0;
        }
    }

    /// Takes the first stamp away.
    pub(super) fn pop(&mut self) {
        if self.is_empty() {
            return;
        }
        self.begin += 1;
        if self.begin < self.end {
            return;
        }
        self.begin = 0;
        if self.between > 0 {
            self.between -= 1;
            Aligned(self.first) = self.ring.pop();
            self.end = CHUNK as u8;
        } else {
            self.first = self.last;
            self.end = self.filled;
            self.filled = 0;
        }
    }

    /// Adds a stamp before the one at an index, or at the end where there is none.
    pub(super) fn insert(&mut self, index: u32, stamp: u32) {
        self.push(stamp);
        let mut carried = stamp;
        for index in index..self.len() {
            let Some(place) = self.get_mut(index) else {
                break;
            };
            std::mem::swap(place, &mut carried);
        }
    }

    /// All of them, the first one first.
    pub(super) fn iter(&self) -> impl Iterator<Item = u32> {
        (0..self.len()).filter_map(|index| self.get(index))
    }

    fn get_mut(&mut self, index: u32) -> Option<&mut u32> {
        let (chunk, place) = match self.find(index)? {
            Place::First(place) => (&mut self.first, place),
            Place::Between(chunk, place) => (&mut self.ring.get_mut(chunk)?.0, place),
            Place::Last(place) => (&mut self.last, place),
        };
        chunk.get_mut(place)
    }

    fn find(&self, index: u32) -> Option<Place> {
        let Some(behind) = index.checked_sub(self.at_first()) else {
            return Some(Place::First(index as usize + usize::from(self.begin)));
        };
        let Some(last) = behind.checked_sub(self.at_between()) else {
            let (chunk, place) = (behind / CHUNK as u32, behind as usize % CHUNK);
            return Some(Place::Between(chunk, place));
        };
        (last < self.filled.into()).then_some(Place::Last(last as usize))
    }

    fn at_first(&self) -> u32 {
        (self.end - self.begin).into()
    }

    fn at_between(&self) -> u32 {
        self.between * CHUNK as u32
    }
}

/// Where a stamp is.
enum Place {
    First(usize),
    Between(u32, usize),
    Last(usize),
}

fn put(chunk: &mut Chunk, place: u8, stamp: u32) {
    if let Some(place) = chunk.get_mut(usize::from(place)) {
        *place = stamp;
    }
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;

    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    #[derive(Debug, Clone)]
    enum Step {
        Push(u32),
        Pop(usize),
        Insert(usize, u32),
    }

    fn step() -> impl Strategy<Value = Step> {
        prop_oneof![
            8 => any::<u32>().prop_map(Step::Push),
            1 => (0_usize..20).prop_map(Step::Pop),
            1 => (0_usize..90, any::<u32>()).prop_map(|(at, stamp)| Step::Insert(at, stamp)),
        ]
    }

    proptest! {
        #[test]
        fn is_a_queue(steps in vec(step(), 0..400)) {
            let (mut stamps, mut model) = (Stamps::default(), VecDeque::new());
            for step in steps {
                match step {
                    Step::Push(stamp) => {
                        stamps.push(stamp);
                        model.push_back(stamp);
                    }
                    Step::Pop(times) => for _ in 0..times {
                        stamps.pop();
                        model.pop_front();
                    },
                    Step::Insert(at, stamp) => {
                        let at = at.min(model.len());
                        stamps.insert(at as u32, stamp);
                        model.insert(at, stamp);
                    }
                }
                prop_assert_eq!(stamps.len() as usize, model.len());
                prop_assert_eq!(stamps.is_empty(), model.is_empty());
                prop_assert_eq!(stamps.get(stamps.len()), None);
                prop_assert!(stamps.iter().eq(model.iter().copied()));
            }
        }
    }
}
