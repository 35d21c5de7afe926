//! Where lines end: what fits stays on its line, else a line ends at the loosest place that there is.

use super::flat::{Flat, Kind, Shape, Token};
use std::ops::Range;

/// How long a line may be.
const WIDTH: usize = 100;

/// The text of one item as it grows.
pub(super) struct Layout<'a> {
    pub(super) flat: &'a Flat,
    out: &'a mut String,
    indent: usize,
    /// Where the line begins that is written.
    line: usize,
    /// Whether the tokens are a macro's or an attribute's, which has its own mind about commas.
    pub(super) verbatim: bool,
}

impl<'a> Layout<'a> {
    /// Goes on at the end of a text, at the beginning of a line.
    pub(super) fn of(flat: &'a Flat, out: &'a mut String) -> Self {
        Layout {
            flat,
            indent: 0,
            line: out.len(),
            out,
            verbatim: false,
        }
    }

    /// Whether tokens and what comes after them have room on the line.
    pub(super) fn fits(&self, tokens: &Range<usize>, after: usize) -> bool {
        self.fits_at(self.out.len() - self.line, tokens, after)
    }

    /// The same on a new line, one level within.
    pub(super) fn fits_below(&self, tokens: &Range<usize>, after: usize) -> bool {
        self.fits_at(4 * self.indent + 4, tokens, after)
    }

    fn fits_at(&self, column: usize, tokens: &Range<usize>, after: usize) -> bool {
        !self.is_tall(tokens) && column + self.width(tokens) + after <= WIDTH
    }

    /// Whether a line has to end within some tokens.
    pub(super) fn is_tall(&self, tokens: &Range<usize>) -> bool {
        self.flat.token(tokens.start).breaks != self.flat.token(tokens.end).breaks
    }

    fn width(&self, tokens: &Range<usize>) -> usize {
        self.text(tokens).len()
    }

    fn text(&self, tokens: &Range<usize>) -> &'a str {
        if tokens.is_empty() {
            return "";
        }
        let start = self.flat.token(tokens.start).start as usize;
        let end = self.flat.token(tokens.end.saturating_sub(1)).end as usize;
        self.flat.text.get(start..end).unwrap_or_default()
    }

    /// Writes tokens on one line.
    pub(super) fn tokens(&mut self, tokens: Range<usize>) {
        let text = self.text(&tokens);
        self.out.push_str(text);
    }

    /// Writes the space before a token, if there is one.
    pub(super) fn gap(&mut self, at: usize) {
        let before = at
            .checked_sub(1)
            .map_or(0, |before| self.flat.token(before).end);
        if before < self.flat.token(at).start && !self.out.ends_with(' ') {
            self.out.push(' ');
        }
    }

    pub(super) fn push(&mut self, text: &str) {
        self.out.push_str(text);
    }

    /// Ends the line.
    pub(super) fn newline(&mut self) {
        const BLANK: &str = "                                                                ";
        self.out.push('\n');
        self.line = self.out.len();
        let mut columns = 4 * self.indent;
        while columns > 0 {
            let some = columns.min(BLANK.len());
            self.out.push_str(BLANK.get(..some).unwrap_or_default());
            columns -= some;
        }
    }

    /// Leaves a line blank; the cursor is at the end of the line before.
    pub(super) fn blank(&mut self) {
        self.out.push('\n');
    }

    /// Writes something one level within.
    pub(super) fn within(&mut self, write: impl FnOnce(&mut Self)) {
        self.indent += 1;
        write(self);
        self.indent -= 1;
    }

    /// Writes something without commas that are not there.
    pub(super) fn verbatim(&mut self, write: impl FnOnce(&mut Self)) {
        let outside = std::mem::replace(&mut self.verbatim, true);
        write(self);
        self.verbatim = outside;
    }

    /// Writes the documentation and the attributes that begin some tokens, each on lines of its own;
    /// the place behind them.
    pub(super) fn leading(&mut self, tokens: &Range<usize>) -> usize {
        let mut at = tokens.start;
        while at < tokens.end {
            let end = match self.flat.kind(at) {
                Kind::Doc => {
                    self.documentation(at);
                    at + 1
                }
                Kind::Pound => {
                    let end = self.flat.after(at + 1);
                    self.verbatim(|layout| layout.run(at..end, 0));
                    end
                }
                _ => break,
            };
            if end < tokens.end {
                self.newline();
            }
            at = end;
        }
        at
    }

    fn documentation(&mut self, at: usize) {
        let text = self.flat.word(at);
        for (index, line) in text.split('\n').enumerate() {
            if index > 0 {
                self.newline();
            }
            self.push("///");
            self.push(line);
        }
    }

    /// The end of a group whose first bracket is at a place.
    pub(super) fn group(&self, at: usize) -> Option<(Shape, usize)> {
        match self.flat.token(at) {
            Token {
                kind: Kind::Open(shape),
                partner,
                ..
            } if partner as usize > at => Some((shape, partner as usize)),
            _ => None,
        }
    }

    /// The places of tokens that are in no group among these.
    pub(super) fn level(&self, tokens: &Range<usize>) -> impl Iterator<Item = usize> + use<'a> {
        let (flat, end) = (self.flat, tokens.end);
        let next = move |at: &usize| Some(flat.after(*at)).filter(|at| *at < end);
        let first = Some(tokens.start).filter(|at| *at < end);
        std::iter::successors(first, next)
    }

    /// The parts of some tokens between those of a kind.
    pub(super) fn split(&self, tokens: &Range<usize>, kind: Kind) -> Vec<Range<usize>> {
        let mut parts = Vec::new();
        let mut start = tokens.start;
        for at in self.level(tokens).filter(|at| self.flat.kind(*at) == kind) {
            parts.push(start..at);
            start = at + 1;
        }
        if start < tokens.end {
            parts.push(start..tokens.end);
        }
        parts
    }
}
