//! Lists in memory in a total order, and encoded pages of them.

mod pages;

use std::ops::Bound;
use std::sync::Arc;

use generated::Encoded;
use generated::runtime::EntityTag;
use imbl::OrdMap;

use crate::domain::paging::PageRequest;
use crate::domain::position::{Placed, Position};

pub(crate) use pages::Pages;

/// An encoded body with its entity tag.
pub(crate) type Tagged<T> = generated::runtime::Tagged<Encoded<T>>;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Direction {
    Ascending,
    Descending,
}

/// Elements by their positions. A clone shares its elements, and changes in O(log n).
pub(crate) struct Listing<E> {
    entries: OrdMap<Position, Arc<E>>,
    direction: Direction,
}

impl<E> Clone for Listing<E> {
    fn clone(&self) -> Self {
        Listing {
            entries: self.entries.clone(),
            direction: self.direction,
        }
    }
}

/// An element with its position in a list.
pub(crate) struct Listed<'a, E> {
    position: &'a Position,
    pub(crate) element: &'a Arc<E>,
}

impl<E> Placed for Listed<'_, E> {
    fn position(&self) -> Position {
        self.position.clone()
    }
}

/// The elements of a page.
pub(crate) struct Run<'a, E> {
    pub(crate) entries: Vec<&'a Arc<E>>,
    /// The cursor of the next page, if there is one.
    pub(crate) page_key: Option<String>,
}

impl<E> Listing<E> {
    pub(crate) fn new(direction: Direction) -> Self {
        Listing {
            entries: OrdMap::new(),
            direction,
        }
    }

    /// Adds an element, or replaces the one at this position.
    pub(crate) fn insert(&mut self, position: Position, element: Arc<E>) {
        self.entries.insert(position, element);
    }

    pub(crate) fn remove(&mut self, position: &Position) {
        self.entries.remove(position);
    }

    pub(crate) fn get(&self, position: &Position) -> Option<&Arc<E>> {
        self.entries.get(position)
    }

    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// The elements in the order of the list.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Arc<E>> {
        self.after(None).map(|listed| listed.element)
    }

    fn after(&self, position: Option<&Position>) -> Box<dyn Iterator<Item = Listed<'_, E>> + '_> {
        let beyond = position.map_or(Bound::Unbounded, |it| Bound::Excluded(it.clone()));
        let listed = |(position, element)| Listed { position, element };
        match self.direction {
            Direction::Ascending => {
                let range = self.entries.range((beyond, Bound::Unbounded));
                Box::new(range.map(listed))
            }
            Direction::Descending => {
                let range = self.entries.range((Bound::Unbounded, beyond));
                Box::new(range.rev().map(listed))
            }
        }
    }

    /// The page of the elements that `keep` lets through.
    pub(crate) fn run(&self, page: &PageRequest, keep: impl Fn(&E) -> bool) -> Run<'_, E> {
        let kept = self.after(page.after.as_ref());
        let kept = kept.filter(|listed| keep(listed.element));
        let mut listed: Vec<_> = kept.take(page.rows()).collect();
        let page_key = page.cut(&mut listed);
        Run {
            entries: listed.iter().map(|it| it.element).collect(),
            page_key,
        }
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

    fn listing(direction: Direction, elements: &[(i64, u8)]) -> Listing<(i64, u8)> {
        let mut listing = Listing::new(direction);
        for (ordinal, key) in elements {
            let position = Position {
                ordinal: *ordinal,
                key: vec![*key],
            };
            listing.insert(position, Arc::new((*ordinal, *key)));
        }
        listing
    }

    fn page(cursor: Option<&str>, limit: usize) -> PageRequest {
        PageRequest::new(List::of("pairs"), cursor, limit).unwrap()
    }

    fn pages(
        direction: Direction,
        limit: usize,
        keep: fn(&(i64, u8)) -> bool,
    ) -> Vec<Vec<(i64, u8)>> {
        let listing = listing(direction, &[(1, 2), (3, 0), (1, 1), (2, 9), (1, 0)]);
        let (mut pages, mut cursor) = (Vec::new(), None);
        loop {
            let run = listing.run(&page(cursor.as_deref(), limit), keep);
            pages.push(run.entries.into_iter().map(|it| **it).collect());
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
        let listing = listing(Direction::Descending, &[(1, 0), (5, 0)]);
        let position = Position {
            ordinal: 3,
            key: vec![7],
        };
        let between = page(None, 10).cursor(&position);
        let run = listing.run(&page(Some(&between), 10), |_| true);
        assert_eq!(run.entries, [&Arc::new((1, 0))]);
    }
}
