//! Lists in memory in a total order, and encoded pages of them.

mod pages;

use generated::Encoded;

use generated::runtime::EntityTag;

use crate::domain::paging::PageRequest;
use crate::domain::position::Placed;

pub(crate) use pages::Pages;

/// An encoded body with its entity tag.
pub(crate) type Tagged<T> = generated::runtime::Tagged<Encoded<T>>;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Direction {
    Ascending,
    Descending,
}

/// Elements in order.
pub(crate) struct Listing<E> {
    entries: Vec<E>,
    direction: Direction,
}

/// The elements of a page.
pub(crate) struct Run<'a, E> {
    pub(crate) entries: Vec<&'a E>,
    /// The cursor of the next page, if there is one.
    pub(crate) page_key: Option<String>,
}

impl<E: Placed> Listing<E> {
    pub(crate) fn new(mut entries: Vec<E>, direction: Direction) -> Self {
        entries.sort_by_cached_key(Placed::position);
        if direction == Direction::Descending {
            entries.reverse();
        }
        Listing { entries, direction }
    }

    pub(crate) fn entries(&self) -> &[E] {
        &self.entries
    }

    /// The page of the elements that `keep` lets through.
    pub(crate) fn run(&self, page: &PageRequest, keep: impl Fn(&E) -> bool) -> Run<'_, E> {
        let start = page.after.as_ref().map_or(0, |after| {
            self.entries.partition_point(|entry| match self.direction {
                Direction::Ascending => entry.position() <= *after,
                Direction::Descending => entry.position() >= *after,
            })
        });
        let kept = self.entries.iter().skip(start).filter(|entry| keep(entry));
        let mut entries: Vec<&E> = kept.take(page.rows()).collect();
        let page_key = page.cut(&mut entries);
        Run { entries, page_key }
    }
}

/// The parts of a page of encoded items.
pub(crate) struct Joined<T> {
    pub(crate) items: Encoded<Vec<T>>,
    pub(crate) tag: Option<EntityTag>,
}

/// Joins encoded items. The tag is made of theirs, which is cheaper than hashing the page again.
pub(crate) fn join<'a, T: 'a>(
    page_key: Option<&str>,
    items: impl Iterator<Item = &'a Tagged<T>> + Clone,
) -> Joined<T> {
    let key = page_key.unwrap_or_default().as_bytes();
    let tags = items.clone().filter_map(|item| item.tag.as_ref());
    let tags = tags.map(|tag| tag.as_str().as_bytes());
    Joined {
        tag: Some(EntityTag::of_parts(std::iter::once(key).chain(tags))),
        items: Encoded::join(items.map(|item| &item.body)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::paging::List;
    use crate::domain::position::Position;

    impl Placed for (i64, u8) {
        fn position(&self) -> Position {
            Position {
                ordinal: self.0,
                key: vec![self.1],
            }
        }
    }

    fn page(cursor: Option<&str>, limit: usize) -> PageRequest {
        PageRequest::new(List::of("pairs"), cursor, limit).unwrap()
    }

    fn pages(
        direction: Direction,
        limit: usize,
        keep: fn(&(i64, u8)) -> bool,
    ) -> Vec<Vec<(i64, u8)>> {
        let listing = Listing::new(vec![(1, 2), (3, 0), (1, 1), (2, 9), (1, 0)], direction);
        let (mut pages, mut cursor) = (Vec::new(), None);
        loop {
            let run = listing.run(&page(cursor.as_deref(), limit), keep);
            pages.push(run.entries.into_iter().copied().collect());
            cursor = run.page_key;
            if cursor.is_none() {
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
        let between = page(None, 10).cursor(&(3, 7).position());
        let run = listing.run(&page(Some(&between), 10), |_| true);
        assert_eq!(run.entries, [&(1, 0)]);
    }
}
