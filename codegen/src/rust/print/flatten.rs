//! From a token stream to tokens in a row: operators are put together, generics and the arguments
//! of closures found, and braces told apart by what is before them.

use super::flat::{Flat, Kind, Shape, Strength, Token};
use super::text::unquoted;
use super::words::{goes_on, mark, spaced, word};
use proc_macro2::{Delimiter, Group, Spacing, TokenStream, TokenTree};
use std::fmt::Write as _;
use std::iter::Peekable;

/// The tokens of a stream in a row, in the place of others that are not needed any more.
pub(in crate::rust) fn flatten(stream: TokenStream, mut flat: Flat) -> Flat {
    flat.text.clear();
    flat.tokens.clear();
    flat.breaks = 0;
    let mut flattener = Flattener {
        flat,
        ..Flattener::default()
    };
    flattener.all(stream, Level::default());
    flattener.flat
}

#[derive(Default)]
struct Flattener {
    flat: Flat,
    /// The open `<` of all levels.
    angles: Vec<usize>,
    /// The token that is read.
    read: String,
}

/// What is known within a group of what comes next.
#[derive(Default)]
struct Level {
    shape: Option<Shape>,
    /// What the next braces hold, where a keyword has said so.
    next: Option<Shape>,
    /// Whether that is said by a condition whose pattern is not over.
    in_pattern: bool,
    /// The open bar of a closure.
    bars: Option<usize>,
    /// How many `<` of the levels around are open.
    angles: usize,
}

impl Flattener {
    fn all(&mut self, stream: TokenStream, mut level: Level) {
        level.angles = self.angles.len();
        let mut trees = stream.into_iter().peekable();
        while let Some(tree) = trees.next() {
            match tree {
                TokenTree::Group(group) => self.group(group, &mut level),
                TokenTree::Punct(punct) => {
                    self.read.clear();
                    self.read.push(punct.as_char());
                    self.mark(punct.spacing(), &mut trees, &mut level);
                }
                TokenTree::Ident(name) => {
                    self.read.clear();
                    // Writing to a string cannot fail, here and below.
                    let _ = write!(self.read, "{name}");
                    let kind = word(&self.read);
                    self.expect(&mut level);
                    self.push(kind);
                }
                TokenTree::Literal(literal) => {
                    self.read.clear();
                    let _ = write!(self.read, "{literal}");
                    self.push(Kind::Value);
                }
            }
        }
        // What was never closed compares.
        for at in self.angles.drain(level.angles..) {
            if let Some(token) = self.flat.tokens.get_mut(at) {
                token.kind = Kind::Infix(Strength::Tight);
            }
        }
    }

    fn last(&self) -> Kind {
        self.flat
            .tokens
            .last()
            .map_or(Kind::None, |token| token.kind)
    }

    /// Adds the token that was read; its place.
    fn push(&mut self, kind: Kind) -> usize {
        let flat = &mut self.flat;
        let before = flat.tokens.last().map_or(Kind::None, |token| token.kind);
        if spaced(before, kind) {
            flat.text.push(' ');
        }
        let at = flat.tokens.len();
        let start = flat.text.len();
        flat.text.push_str(&self.read);
        flat.tokens.push(Token {
            start: start as u32,
            end: flat.text.len() as u32,
            partner: at as u32,
            breaks: flat.breaks,
            kind,
        });
        at
    }

    fn push_text(&mut self, text: &str, kind: Kind) -> usize {
        self.read.clear();
        self.read.push_str(text);
        self.push(kind)
    }

    /// Notes what a keyword says of the next braces.
    fn expect(&self, level: &mut Level) {
        let (next, strong) = match self.read.as_str() {
            "use" => (Shape::Names, true),
            "fn" => (Shape::Body, true),
            "struct" | "enum" => (Shape::Definitions, true),
            "trait" | "impl" | "mod" => (Shape::Items, true),
            "match" => (Shape::Arms, false),
            "if" | "while" | "for" | "loop" | "else" | "unsafe" | "async" => (Shape::Block, false),
            "let" => {
                level.in_pattern = level.next.is_some();
                return;
            }
            _ => return,
        };
        match level.next {
            None => level.next = Some(next),
            Some(Shape::Block) if strong => level.next = Some(next),
            Some(_) => {}
        }
    }

    fn mark(
        &mut self,
        spacing: Spacing,
        trees: &mut Peekable<impl Iterator<Item = TokenTree>>,
        level: &mut Level,
    ) {
        if self.read == "'" {
            if let Some(TokenTree::Ident(name)) = trees.next() {
                let _ = write!(self.read, "{name}");
            }
            self.push(Kind::Lifetime);
            return;
        }
        if self.read == "#" && self.documentation(trees) {
            return;
        }
        let mut joint = spacing == Spacing::Joint;
        while joint && let Some(TokenTree::Punct(punct)) = trees.peek() {
            if !goes_on(&self.read, punct.as_char()) {
                break;
            }
            self.read.push(punct.as_char());
            joint = punct.spacing() == Spacing::Joint;
            trees.next();
        }
        let open = self.angles.len() > level.angles;
        match self.read.as_str() {
            ">" if open => self.close_angle(),
            ">>" if open => {
                self.close_angle();
                self.close_angle();
            }
            "<" if self.flat.opens_angle() => self.open_angle(),
            // Generics of which the first is of a trait: `A<<B as C>::D>`.
            "<<" if self.flat.opens_angle() => {
                self.open_angle();
                self.open_angle();
            }
            "|" => self.bar(level),
            "," if self.ends_list(trees, level) => {}
            _ => {
                let kind = mark(&self.read, self.last());
                match kind {
                    Kind::Comma | Kind::FatArrow | Kind::Semicolon if !open => {
                        level.next = None;
                        level.in_pattern = false;
                    }
                    Kind::Assign if !open => level.in_pattern = false,
                    _ => {}
                }
                self.push(kind);
                let statements = matches!(level.shape, Some(Shape::Body | Shape::Block));
                if kind == Kind::Semicolon && statements {
                    self.flat.breaks += 1;
                }
            }
        }
    }

    /// Whether the comma that was read is the last of a list, where it is put only at a line's end.
    fn ends_list(
        &self,
        trees: &mut Peekable<impl Iterator<Item = TokenTree>>,
        level: &Level,
    ) -> bool {
        trees.peek().is_none()
            && level.shape.is_some_and(|shape| match shape {
                Shape::Parenthesis => self.flat.ends_in_list(),
                shape => shape != Shape::Arms,
            })
    }

    fn open_angle(&mut self) {
        let at = self.push_text("<", Kind::Open(Shape::Angle));
        self.angles.push(at);
    }

    fn close_angle(&mut self) {
        if let Some(open) = self.angles.pop() {
            let close = self.push_text(">", Kind::Close(Shape::Angle));
            self.pair(open, close);
        }
    }

    fn pair(&mut self, open: usize, close: usize) {
        for (at, partner) in [(open, close), (close, open)] {
            if let Some(token) = self.flat.tokens.get_mut(at) {
                token.partner = partner as u32;
            }
        }
    }

    /// A bar: of a closure's arguments, or between alternatives.
    fn bar(&mut self, level: &mut Level) {
        match level.bars.take() {
            Some(open) => {
                let close = self.push(Kind::Close(Shape::Bars));
                self.pair(open, close);
            }
            None if self.last().ends_operand() => {
                self.push(Kind::Infix(Strength::Alternative));
            }
            None => level.bars = Some(self.push(Kind::Open(Shape::Bars))),
        }
    }

    fn group(&mut self, group: Group, level: &mut Level) {
        let (open, close, shape) = match group.delimiter() {
            Delimiter::Parenthesis => ("(", ")", Shape::Parenthesis),
            Delimiter::Bracket => ("[", "]", Shape::Bracket),
            Delimiter::Brace => ("{", "}", self.braces(level)),
            Delimiter::None => ("", "", Shape::Parenthesis),
        };
        let stream = group.stream();
        // The stream is this one's alone now, so that its tokens are not copied.
        drop(group);
        let open = self.push_text(open, Kind::Open(shape));
        if shape.is_tall() && !stream.is_empty() {
            self.flat.breaks += 1;
        }
        let within = Level {
            shape: Some(shape),
            ..Level::default()
        };
        self.all(stream, within);
        let close = self.push_text(close, Kind::Close(shape));
        self.pair(open, close);
    }

    /// What braces hold, by what is before them.
    fn braces(&self, level: &mut Level) -> Shape {
        if level.in_pattern {
            return Shape::Members;
        }
        let value = matches!(self.last(), Kind::Word | Kind::Close(Shape::Angle));
        match level.next.take() {
            Some(shape) => shape,
            None if value => Shape::Members,
            None => Shape::Block,
        }
    }

    /// Reads the brackets of an attribute if it is documentation.
    fn documentation(&mut self, trees: &mut Peekable<impl Iterator<Item = TokenTree>>) -> bool {
        let Some(TokenTree::Group(group)) = trees.peek() else {
            return false;
        };
        let mut said = group.stream().into_iter();
        let is_doc = matches!(said.next(), Some(TokenTree::Ident(name)) if name == "doc");
        let (true, Some(_), Some(TokenTree::Literal(literal))) = (is_doc, said.next(), said.next())
        else {
            return false;
        };
        let Some(text) = unquoted(&literal.to_string()) else {
            return false;
        };
        trees.next();
        self.push_text(&text, Kind::Doc);
        self.flat.breaks += 1;
        true
    }
}
