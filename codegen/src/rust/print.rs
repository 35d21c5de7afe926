//! How tokens become text: laid out by what the generator writes, in one pass over what
//! `quote` gives, without a syntax tree.
//!
//! The tokens are put in a row, with the text that they would be on one line, from which
//! [`Layout`] copies whatever fits. What comes out is the tokens that went in, but for commas at the ends of
//! lists; where a shape is not foreseen, it is the lines that suffer.

mod block;
mod context;
mod expression;
mod flat;
mod flatten;
mod item;
mod layout;
mod list;
#[cfg(test)]
mod tests;
mod text;
mod words;

pub(super) use flat::{Flat, Kind, Shape};
pub(super) use flatten::flatten;

use layout::Layout;
use std::ops::Range;

impl Flat {
    /// The places of the items that the tokens are.
    pub(super) fn items(&self) -> Vec<Range<usize>> {
        let mut out = String::new();
        let layout = Layout::of(self, &mut out);
        let (mut items, mut start) = (Vec::new(), 0);
        while start < self.tokens.len() {
            let end = layout.item_end(start..self.tokens.len());
            items.push(start..end);
            start = end;
        }
        items
    }

    /// Adds the text of an item to some text, at the beginning of a line.
    pub(super) fn print(&self, item: Range<usize>, out: &mut String) {
        Layout::of(self, out).item(item);
        out.push('\n');
    }
}
