//! The navigation of the documentation, on each of its pages.

use super::contract::{CONTRACT, Tag};
use super::guide::{GUIDES, Group};

/// The navigation of a page.
#[derive(Debug)]
pub(super) struct Sidebar<'a> {
    pub(super) groups: &'static [Group],
    /// The contract's operations, parts of the reference.
    pub(super) tags: &'static [Tag],
    /// The guide, operation or other page that is shown.
    pub(super) current: &'a str,
    /// The query of the search, if there was one.
    pub(super) query: &'a str,
}

impl<'a> Sidebar<'a> {
    /// The sidebar of the page of this name.
    pub(super) fn of(current: &'a str) -> Sidebar<'a> {
        Sidebar {
            groups: GUIDES,
            tags: &CONTRACT.tags,
            current,
            query: "",
        }
    }

    /// The same, with the query of a search.
    pub(super) fn with_query(mut self, query: &'a str) -> Sidebar<'a> {
        self.query = query;
        self
    }

    /// Whether the page that is shown is one of an operation of this tag.
    pub(super) fn is_within(&self, tag: &Tag) -> bool {
        tag.operations.iter().any(|one| one.id == self.current)
    }
}
