//! Groups over several lines: an element a line, or the one element around which they close.

use super::flat::{Kind, Shape};
use super::layout::Layout;
use std::ops::Range;

impl Layout<'_> {
    /// Writes a group over several lines.
    pub(super) fn broken(&mut self, open: usize, close: usize) {
        match self.flat.kind(open) {
            Kind::Open(
                shape @ (Shape::Definitions
                | Shape::Items
                | Shape::Body
                | Shape::Block
                | Shape::Arms),
            ) => self.braces(shape, open, close),
            _ if self.before(open) == Kind::Bang => {
                self.verbatim(|layout| layout.list(open, close));
            }
            _ => self.list(open, close),
        }
    }

    fn before(&self, at: usize) -> Kind {
        at.checked_sub(1)
            .map_or(Kind::None, |at| self.flat.kind(at))
    }

    fn list(&mut self, open: usize, close: usize) {
        self.tokens(open..open + 1);
        let elements = self.split(&(open + 1..close), Kind::Comma);
        match elements.as_slice() {
            [] => {}
            [.., last] if self.hugs(open, &elements) => {
                self.tokens(open + 1..last.start);
                self.gap(last.start);
                self.expression(last.clone(), 1);
            }
            elements => {
                let ended = self.ends_with_comma(open, elements);
                self.within(|layout| layout.lines(elements, ended));
                self.newline();
            }
        }
        self.tokens(close..close + 1);
    }

    fn lines(&mut self, elements: &[Range<usize>], ended: bool) {
        for (index, element) in elements.iter().enumerate() {
            self.newline();
            let start = self.leading(element);
            self.expression(start..element.end, 1);
            if ended || index + 1 < elements.len() {
                self.push(",");
            }
        }
    }

    /// Whether a comma may come after the last element.
    fn ends_with_comma(&self, open: usize, elements: &[Range<usize>]) -> bool {
        let rest = elements
            .last()
            .is_some_and(|last| self.flat.kind(last.start) == Kind::Range);
        // A value in parentheses is no tuple.
        let grouped = self.flat.kind(open) == Kind::Open(Shape::Parenthesis)
            && !self.before(open).ends_operand()
            && elements.len() == 1
            && elements
                .iter()
                .all(|only| self.flat.kind(only.end) != Kind::Comma);
        !rest && !grouped && !self.verbatim
    }

    /// Whether brackets close around the last element on its own lines: a closure with a block behind
    /// others that are short, or an only element that has brackets itself.
    fn hugs(&self, open: usize, elements: &[Range<usize>]) -> bool {
        let [others @ .., last] = elements else {
            return false;
        };
        let members = self.flat.kind(open) == Kind::Open(Shape::Members);
        if members || self.flat.kind(last.end) == Kind::Comma {
            return false;
        }
        let framed = match self.closure_body(last) {
            Some(_) => self.ends_with_braces(last),
            None => others.is_empty() && self.is_group(last),
        };
        let start = others.first().map_or(last.start, |first| first.start);
        framed && self.fits(&(start..last.start), 4)
    }

    fn ends_with_braces(&self, value: &Range<usize>) -> bool {
        let last = value.end.saturating_sub(1);
        matches!(self.flat.kind(last), Kind::Close(shape) if shape.is_roomy())
    }

    /// Whether a value ends with a group, and has no place before it where a line could end.
    fn is_group(&self, value: &Range<usize>) -> bool {
        let last = value.end.saturating_sub(1);
        let Kind::Close(shape) = self.flat.kind(last) else {
            return false;
        };
        if shape.is_block() {
            return true;
        }
        let open = self.flat.token(last).partner as usize;
        open > value.start
            && shape != Shape::Angle
            && (value.start..open).all(|at| {
                let kind = self.flat.kind(at);
                matches!(kind, Kind::Word | Kind::Path | Kind::Prefix | Kind::Bang)
            })
            || open == value.start
    }

    /// Writes braces with what is within on lines of its own.
    pub(super) fn braces(&mut self, shape: Shape, open: usize, close: usize) {
        self.push("{");
        let within = open + 1..close;
        if !within.is_empty() {
            self.within(|layout| match shape {
                Shape::Definitions => {
                    let elements = layout.split(&within, Kind::Comma);
                    layout.lines(&elements, true);
                }
                Shape::Items => layout.members(within),
                Shape::Arms => layout.arms(within),
                _ => layout.statements(within),
            });
            self.newline();
        }
        self.push("}");
    }
}
