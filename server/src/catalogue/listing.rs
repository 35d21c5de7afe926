//! Lists in a total order, and pages of them.

use generated::Encoded;

use generated::runtime::EntityTag;

use super::Tagged;
use crate::domain::position::Position;

/// Something with a place in a total order.
pub(crate) trait Placed<const N: usize> {
    /// The position; unique in its list.
    fn position(&self) -> Position<N>;
}

/// The direction of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Direction {
    Ascending,
    Descending,
}

/// Elements in order.
pub(crate) struct Listing<E, const N: usize> {
    entries: Vec<E>,
    direction: Direction,
}

/// A run of elements, and where the next one begins.
pub(crate) struct Run<'a, E, const N: usize> {
    pub(crate) entries: Vec<&'a E>,
    /// The place of the last element, if more follow.
    pub(crate) next: Option<Position<N>>,
}

impl<E: Placed<N>, const N: usize> Listing<E, N> {
    pub(crate) fn new(mut entries: Vec<E>, direction: Direction) -> Self {
        entries.sort_by_key(Placed::position);
        if direction == Direction::Descending {
            entries.reverse();
        }
        Listing { entries, direction }
    }

    pub(crate) fn entries(&self) -> &[E] {
        &self.entries
    }

    /// The first `limit` elements after a position that `keep` lets through.
    pub(crate) fn run(
        &self,
        after: Option<Position<N>>,
        limit: usize,
        keep: impl Fn(&E) -> bool,
    ) -> Run<'_, E, N> {
        let start = after.map_or(0, |after| {
            self.entries.partition_point(|entry| match self.direction {
                Direction::Ascending => entry.position() <= after,
                Direction::Descending => entry.position() >= after,
            })
        });
        let mut kept = self.entries.iter().skip(start).filter(|entry| keep(entry));
        let entries: Vec<&E> = kept.by_ref().take(limit).collect();
        let next = match kept.next() {
            Some(_) => entries.last().map(|last| last.position()),
            None => None,
        };
        Run { entries, next }
    }
}

/// The parts of a page of encoded items.
pub(crate) struct Joined<T> {
    /// The key of the next page, `None` on the last one.
    pub(crate) page_key: Option<String>,
    /// The items.
    pub(crate) items: Encoded<Vec<T>>,
    /// The tag of the list.
    pub(crate) tag: Option<EntityTag>,
}

/// Joins encoded items. The tag is made of theirs, which is cheaper than hashing the page again.
pub(crate) fn join<'a, T: 'a, const N: usize>(
    next: Option<Position<N>>,
    items: impl Iterator<Item = &'a Tagged<T>> + Clone,
) -> Joined<T> {
    let page_key = next.map(|position| position.encode());
    let key = page_key.as_deref().unwrap_or_default().as_bytes();
    let tags = items.clone().filter_map(|item| item.tag.as_ref());
    let tags = tags.map(|tag| tag.as_str().as_bytes());
    Joined {
        tag: Some(EntityTag::of_parts(std::iter::once(key).chain(tags))),
        items: Encoded::join(items.map(|item| &item.body)),
        page_key,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Placed<1> for (i64, u8) {
        fn position(&self) -> Position<1> {
            Position {
                ordinal: self.0,
                key: [self.1],
            }
        }
    }

    fn pages(
        direction: Direction,
        limit: usize,
        keep: fn(&(i64, u8)) -> bool,
    ) -> Vec<Vec<(i64, u8)>> {
        let listing = Listing::new(vec![(1, 2), (3, 0), (1, 1), (2, 9), (1, 0)], direction);
        let (mut pages, mut after) = (Vec::new(), None);
        loop {
            let run = listing.run(after, limit, keep);
            pages.push(run.entries.into_iter().copied().collect());
            after = run.next;
            if after.is_none() {
                return pages;
            }
        }
    }

    #[test]
    fn pages_neither_repeat_nor_lose() {
        let down = pages(Direction::Descending, 2, |_| true);
        assert_eq!(
            down,
            [vec![(3, 0), (2, 9)], vec![(1, 2), (1, 1)], vec![(1, 0)]]
        );
        let up = pages(Direction::Ascending, 5, |_| true);
        assert_eq!(up, [vec![(1, 0), (1, 1), (1, 2), (2, 9), (3, 0)]]);
    }

    #[test]
    fn a_filter_leaves_no_empty_last_page() {
        assert_eq!(
            pages(Direction::Descending, 1, |entry| entry.0 > 1),
            [vec![(3, 0)], vec![(2, 9)]]
        );
    }

    #[test]
    fn a_position_between_items_is_valid() {
        let listing = Listing::new(vec![(1, 0), (5, 0)], Direction::Descending);
        let run = listing.run(
            Some(Position {
                ordinal: 3,
                key: [7],
            }),
            10,
            |_| true,
        );
        assert_eq!(run.entries, [&(1, 0)]);
    }
}
