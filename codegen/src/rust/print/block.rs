//! Statements and the arms of a `match`.

use super::flat::{Kind, Shape};
use super::layout::Layout;
use std::ops::Range;

impl Layout<'_> {
    /// Writes statements, each on a line of its own.
    pub(super) fn statements(&mut self, all: Range<usize>) {
        let mut at = all.start;
        while at < all.end {
            self.newline();
            at = self.leading(&(at..all.end));
            let end = self.statement_end(at..all.end);
            self.statement(at..end);
            at = end;
        }
    }

    /// Where a statement ends that begins here.
    fn statement_end(&self, rest: Range<usize>) -> usize {
        let first = self.flat.word(rest.start);
        let item = matches!(
            first,
            "fn" | "pub" | "struct" | "enum" | "impl" | "trait" | "mod"
        );
        if item {
            return self.item_end(rest);
        }
        let block = matches!(self.flat.kind(rest.start), Kind::Open(shape) if shape.is_block())
            || matches!(first, "if" | "match" | "while" | "for" | "loop" | "unsafe");
        for at in self.level(&rest) {
            match self.flat.kind(at) {
                Kind::Semicolon => return at + 1,
                Kind::Open(shape) if block && shape.is_block() => {
                    let end = self.flat.after(at);
                    let goes_on = matches!(self.flat.kind(end), Kind::Dot | Kind::Question)
                        || self.flat.word(end) == "else";
                    if !goes_on {
                        return end.min(rest.end);
                    }
                }
                _ => {}
            }
        }
        rest.end
    }

    fn statement(&mut self, all: Range<usize>) {
        let ended = self.flat.kind(all.end.saturating_sub(1)) == Kind::Semicolon;
        let end = if ended { all.end - 1 } else { all.end };
        let value = all.start..end;
        let first = self.flat.word(all.start);
        match first {
            "fn" | "pub" | "struct" | "enum" | "impl" | "trait" | "mod" => {
                return self.item(all);
            }
            "if" | "match" | "while" | "for" | "loop" => self.blocks(value, 1),
            "let" => self.binding(value),
            _ => self.expression(value, 1),
        }
        if ended {
            self.push(";");
        }
    }

    /// Writes a `let`, whose `else` is a block on lines of its own.
    fn binding(&mut self, all: Range<usize>) {
        let mut level = self.level(&all);
        let otherwise = level.find(|at| {
            let block = self.flat.kind(at + 1) == Kind::Open(Shape::Block);
            block && self.flat.word(*at) == "else"
        });
        match otherwise {
            Some(at) => {
                let whole = self.fits(&(all.start..at), 7);
                self.expression(all.start..at, 7);
                match whole {
                    true => self.push(" "),
                    false => self.newline(),
                }
                self.blocks(at..all.end, 1);
            }
            None => self.expression(all, 1),
        }
    }

    /// Writes what has blocks: each on lines of its own, behind what is before it.
    pub(super) fn blocks(&mut self, all: Range<usize>, after: usize) {
        let mut start = all.start;
        while start < all.end {
            let mut level = self.level(&(start..all.end));
            let block = level.find_map(|at| {
                let (shape, close) = self.group(at)?;
                shape.is_block().then_some((shape, at, close))
            });
            if start > all.start {
                self.gap(start);
            }
            let Some((shape, open, close)) = block else {
                return self.run(start..all.end, after);
            };
            if start < open {
                self.head(start..open);
                self.push(" ");
            }
            self.braces(shape, open, close);
            start = close + 1;
        }
    }

    /// Writes what is before a block: keywords, and a condition or a value.
    fn head(&mut self, all: Range<usize>) {
        if self.fits(&all, 2) {
            return self.tokens(all);
        }
        let keywords = all.clone().take_while(|at| {
            let word = self.flat.word(*at);
            matches!(word, "else" | "if" | "while" | "match" | "let")
        });
        let value = all.start + keywords.count();
        self.tokens(all.start..value);
        if value > all.start {
            self.gap(value);
        }
        match value < all.end && value > all.start {
            true => self.expression(value..all.end, 2),
            false => self.run(value..all.end, 2),
        }
    }

    /// Writes the arms of a `match`.
    pub(super) fn arms(&mut self, all: Range<usize>) {
        let mut at = all.start;
        while at < all.end {
            self.newline();
            at = self.leading(&(at..all.end));
            let mut level = self.level(&(at..all.end));
            let arrow = level.find(|at| self.flat.kind(*at) == Kind::FatArrow);
            let Some(arrow) = arrow else {
                return self.run(at..all.end, 0);
            };
            self.expression(at..arrow, 4);
            self.push(" =>");
            at = self.arm(arrow + 1..all.end);
        }
    }

    /// Writes the value of an arm; the place behind it.
    fn arm(&mut self, rest: Range<usize>) -> usize {
        let close = self.flat.after(rest.start);
        let block = self.flat.kind(rest.start) == Kind::Open(Shape::Block)
            && !matches!(self.flat.kind(close), Kind::Dot | Kind::Question);
        if block {
            self.push(" ");
            self.blocks(rest.start..close, 0);
            let comma = self.flat.kind(close) == Kind::Comma;
            return if comma { close + 1 } else { close };
        }
        let mut level = self.level(&rest);
        let comma = level.find(|at| self.flat.kind(*at) == Kind::Comma);
        let end = comma.unwrap_or(rest.end);
        self.assigned(rest.start..end, 1);
        self.push(",");
        end + 1
    }
}
