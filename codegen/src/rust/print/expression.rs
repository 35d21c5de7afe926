//! Values, types and patterns that are too long for their line.

use super::flat::{Kind, Shape, Strength};
use super::layout::Layout;
use std::ops::Range;

/// Where a line may end within some tokens.
enum Place {
    /// Behind the `=` here.
    Assign(usize),
    /// Before each operator of this strength.
    Infix(Strength),
    /// Before each of these calls of methods.
    Calls(Vec<usize>),
    /// In the last group.
    Group,
}

impl Layout<'_> {
    /// Writes a value, a type or a pattern, and leaves room for what comes after it.
    pub(super) fn expression(&mut self, all: Range<usize>, after: usize) {
        if self.fits(&all, after) {
            return self.tokens(all);
        }
        match self.flat.kind(all.start) {
            Kind::Keyword if self.begins_block(all.start) => return self.blocks(all, after),
            Kind::Open(shape) if shape.is_block() => return self.blocks(all, after),
            Kind::Keyword if self.flat.word(all.start) == "return" => {
                return self.behind(all.start + 1, &all, after);
            }
            _ => {}
        }
        if let Some(body) = self.closure_body(&all) {
            return self.behind(body, &all, after);
        }
        match self.place(&all) {
            Place::Assign(at) => {
                self.expression(all.start..at, 2);
                self.gap(at);
                self.tokens(at..at + 1);
                self.assigned(at + 1..all.end, after);
            }
            Place::Infix(strength) => self.operands(&all, strength, after),
            Place::Calls(calls) => self.calls(&all, &calls, after),
            Place::Group if self.flat.kind(all.start) == Kind::Prefix => {
                self.behind(all.start + 1, &all, after);
            }
            Place::Group => self.run(all, after),
        }
    }

    /// Writes what is before a place as it is, and the rest as an expression.
    fn behind(&mut self, at: usize, all: &Range<usize>, after: usize) {
        self.tokens(all.start..at);
        if at < all.end {
            self.gap(at);
            self.expression(at..all.end, after);
        }
    }

    /// Where the body of a closure begins, if the tokens are one.
    pub(super) fn closure_body(&self, all: &Range<usize>) -> Option<usize> {
        let mut at = all.start;
        while self.flat.kind(at) == Kind::Keyword && matches!(self.flat.word(at), "move" | "async")
        {
            at += 1;
        }
        match self.flat.kind(at) {
            Kind::NoArguments => Some(at + 1),
            Kind::Open(Shape::Bars) => Some(self.flat.after(at)),
            _ => None,
        }
    }

    fn begins_block(&self, at: usize) -> bool {
        let word = self.flat.word(at);
        let moves = word == "async" && self.closure_body(&(at..at + 3)).is_none();
        moves || matches!(word, "if" | "match" | "while" | "for" | "loop" | "unsafe")
    }

    fn place(&self, all: &Range<usize>) -> Place {
        let mut weakest = Strength::Tight;
        let mut calls = Vec::new();
        for at in self.level(all) {
            match self.flat.kind(at) {
                Kind::Assign => return Place::Assign(at),
                Kind::Infix(strength) => weakest = weakest.min(strength),
                Kind::Dot if self.is_call(at) => calls.push(at),
                _ => {}
            }
        }
        match calls.len() {
            _ if weakest < Strength::Tight => Place::Infix(weakest),
            0 => Place::Group,
            1 if !self.follows_group(&calls) => Place::Group,
            _ => Place::Calls(calls),
        }
    }

    /// Whether a method is called on what a call gives.
    fn follows_group(&self, calls: &[usize]) -> bool {
        calls.iter().all(|dot| {
            let before = dot
                .checked_sub(1)
                .map_or(Kind::None, |at| self.flat.kind(at));
            before == Kind::Close(Shape::Parenthesis)
        })
    }

    /// Whether a method is called behind a dot, or awaited.
    fn is_call(&self, dot: usize) -> bool {
        let called = matches!(
            self.flat.kind(dot + 2),
            Kind::Open(Shape::Parenthesis) | Kind::Path
        );
        called || self.flat.word(dot + 1) == "await"
    }

    /// Writes what is behind `=` or `=>`: on the next line if it then stays whole, or if not even its
    /// frame has room on this one.
    pub(super) fn assigned(&mut self, value: Range<usize>, after: usize) {
        let frame = value.start..self.frame(&value);
        let below = match self.is_framed(&value) {
            true => !self.fits(&frame, 1) && self.fits_below(&frame, 0),
            false => !self.fits(&value, after + 1) && self.fits_below(&value, after),
        };
        if below {
            self.within(|layout| {
                layout.newline();
                layout.expression(value, after);
            });
        } else {
            self.push(" ");
            self.expression(value, after);
        }
    }

    /// Where the first line of a value ends of which each last group is written over several lines.
    fn frame(&self, value: &Range<usize>) -> usize {
        let (mut end, mut within) = (value.start, value.clone());
        while let Some(last) = within.end.checked_sub(1)
            && let Kind::Close(shape) = self.flat.kind(last)
            && !within.is_empty()
        {
            let open = self.flat.token(last).partner as usize;
            end = open + 1;
            within = match shape {
                Shape::Parenthesis => open + 1..last,
                _ => end..end,
            };
        }
        end
    }

    /// Whether a value is little more than a frame around others: a list, members, a block.
    fn is_framed(&self, value: &Range<usize>) -> bool {
        let last = value.end.saturating_sub(1);
        match self.flat.kind(last) {
            Kind::Close(Shape::Bracket) => {
                let open = self.flat.token(last).partner as usize;
                (value.start..open).all(|at| self.flat.kind(at) == Kind::Prefix)
            }
            Kind::Close(Shape::Parenthesis) => self.hugs_frame(value),
            Kind::Close(shape) => shape == Shape::Members || shape.is_block(),
            _ => false,
        }
    }

    /// Whether a call has one argument that is framed.
    fn hugs_frame(&self, value: &Range<usize>) -> bool {
        let last = value.end.saturating_sub(1);
        let open = self.flat.token(last).partner as usize;
        let call =
            (value.start..open).all(|at| matches!(self.flat.kind(at), Kind::Word | Kind::Path));
        let commas = self.split(&(open + 1..last), Kind::Comma).len();
        call && commas == 1 && self.is_framed(&(open + 1..last))
    }

    fn operands(&mut self, all: &Range<usize>, strength: Strength, after: usize) {
        let operands = self.split(all, Kind::Infix(strength));
        let count = operands.len();
        let deeper = strength != Strength::Alternative;
        for (index, operand) in operands.into_iter().enumerate() {
            let after = if index + 1 == count { after } else { 0 };
            if index == 0 {
                self.expression(operand, after);
                continue;
            }
            let write = |layout: &mut Self| {
                layout.newline();
                layout.tokens(operand.start - 1..operand.start);
                layout.push(" ");
                layout.expression(operand, after);
            };
            match deeper {
                true => self.within(write),
                false => write(self),
            }
        }
    }

    /// Writes calls of methods, each on a line of its own, unless all but the last fit and that one
    /// takes a block.
    fn calls(&mut self, all: &Range<usize>, calls: &[usize], after: usize) {
        let (Some(first), Some(last)) = (calls.first(), calls.last()) else {
            return self.run(all.clone(), after);
        };
        let block = self.level(&(*last..all.end)).find_map(|at| {
            let (_, close) = self.group(at)?;
            self.closure_body(&(at + 1..close))
                .filter(|_| self.is_tall(&(at..close)))
        });
        if let Some(body) = block
            && self.fits(&(all.start..body), 2)
        {
            return self.run(all.clone(), after);
        }
        // A short name is no line of its own.
        let brief = *first == all.start + 1 && self.flat.word(all.start).len() <= 4;
        let calls = if brief {
            calls.get(1..).unwrap_or_default()
        } else {
            calls
        };
        let mut start = all.start;
        for end in calls.iter().copied().chain([all.end]) {
            let part = start..end;
            let after = if end == all.end { after } else { 0 };
            if start == all.start {
                self.part(part, after);
            } else {
                self.within(|layout| {
                    layout.newline();
                    layout.part(part, after);
                });
            }
            start = end;
        }
    }

    fn part(&mut self, part: Range<usize>, after: usize) {
        match self.fits(&part, after) {
            true => self.tokens(part),
            false => self.run(part, after),
        }
    }

    /// Writes tokens one after the other; lines end within the last group, and wherever they have to.
    pub(super) fn run(&mut self, all: Range<usize>, after: usize) {
        let places = self.level(&all);
        let groups: Vec<(usize, usize)> = places.filter_map(|at| self.list_at(at)).collect();
        let mut start = all.start;
        for (index, (open, close)) in groups.iter().copied().enumerate() {
            let last = index + 1 == groups.len();
            let long = last && !self.fits(&(start..all.end), after);
            if long || self.is_tall(&(open..close)) {
                if start < open {
                    self.tokens(start..open);
                    self.gap(open);
                }
                self.broken(open, close);
                start = close + 1;
                if start < all.end {
                    self.gap(start);
                }
            }
        }
        self.tokens(start..all.end);
    }

    /// The group that begins here, if lines can end within: not in `()`, `[T; N]` or
    /// `pub(crate)`.
    fn list_at(&self, open: usize) -> Option<(usize, usize)> {
        let (shape, close) = self.group(open)?;
        let mut within = self.level(&(open + 1..close));
        let whole = match shape {
            Shape::Bracket => within.any(|at| self.flat.kind(at) == Kind::Semicolon),
            _ => open > 0 && self.flat.word(open - 1) == "pub",
        };
        (!whole && open + 1 < close).then_some((open, close))
    }
}
