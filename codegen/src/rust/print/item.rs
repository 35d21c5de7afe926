//! Items: where each ends, and how it is laid out.

use super::flat::{Kind, Shape};
use super::layout::Layout;
use std::ops::Range;

impl Layout<'_> {
    /// Writes the items of an implementation or a trait, with blank lines between.
    pub(super) fn members(&mut self, all: Range<usize>) {
        let mut start = all.start;
        while start < all.end {
            if start > all.start {
                self.blank();
            }
            self.newline();
            let end = self.item_end(start..all.end);
            self.item(start..end);
            start = end;
        }
    }

    /// Where the first item of some tokens ends: with its braces, or with a semicolon.
    pub(super) fn item_end(&self, rest: Range<usize>) -> usize {
        let mut assigned = false;
        for at in self.level(&rest) {
            match self.flat.kind(at) {
                Kind::Semicolon => return at + 1,
                Kind::Assign => assigned = true,
                Kind::Open(shape) if shape.is_roomy() && !assigned => {
                    let end = self.flat.after(at);
                    return end.min(rest.end);
                }
                _ => {}
            }
        }
        rest.end
    }

    /// Writes an item with its documentation and its attributes.
    pub(super) fn item(&mut self, all: Range<usize>) {
        let start = self.leading(&all);
        let last = all.end.saturating_sub(1);
        let opened = match self.flat.kind(last) {
            Kind::Close(shape) if shape.is_roomy() => {
                Some((shape, self.flat.token(last).partner as usize))
            }
            _ => None,
        };
        let Some((shape, open)) = opened.filter(|(_, open)| *open > start) else {
            let ended = self.flat.kind(last) == Kind::Semicolon;
            self.declaration(start..if ended { last } else { all.end });
            if ended {
                self.push(";");
            }
            return;
        };
        let head = start..open;
        let tall = match self.fits(&head, 2) {
            true => {
                self.tokens(head);
                false
            }
            false => {
                self.declaration(head);
                shape != Shape::Body
            }
        };
        match tall {
            true => self.newline(),
            false => self.push(" "),
        }
        self.braces(shape, open, last);
    }

    /// Writes what an item is before its braces, or all of it.
    fn declaration(&mut self, all: Range<usize>) {
        if self.fits(&all, 1) {
            return self.tokens(all);
        }
        let arguments = self.arguments(&all);
        match arguments {
            Some((open, close)) => {
                self.tokens(all.start..open);
                self.broken(open, close);
                if close + 1 < all.end {
                    self.gap(close + 1);
                    self.expression(close + 1..all.end, 2);
                }
            }
            None => self.expression(all, 1),
        }
    }

    /// The parentheses around the arguments of a function that has some.
    fn arguments(&self, all: &Range<usize>) -> Option<(usize, usize)> {
        let mut level = self.level(all);
        level.find(|at| self.flat.word(*at) == "fn")?;
        let (open, (_, close)) = level.find_map(|at| {
            let group = self.group(at)?;
            (group.0 == Shape::Parenthesis).then_some((at, group))
        })?;
        (open + 1 < close).then_some((open, close))
    }
}
