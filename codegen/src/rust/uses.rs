//! Imports: whatever the items of a file name, and nothing else.

mod table;

use super::print::{Flat, Kind, Shape};
use super::tokens::ident;
use proc_macro2::TokenStream;
use quote::quote;
use std::ops::Range;
use table::{IMPORTS, Named};

/// What the items of a file name, of what can be imported.
pub(super) struct Names {
    /// By the first byte of the name: only a few begin alike.
    seen: [Vec<(&'static str, Seen)>; 256],
}

/// How a name is used.
#[derive(Default)]
struct Seen {
    head: bool,
    word: bool,
    call: bool,
    method: bool,
    /// The file itself defines a type of this name; an import would be another.
    defined: bool,
}

impl Names {
    pub(super) fn none() -> Names {
        let each = IMPORTS.iter().flat_map(|(_, names)| names.iter());
        let each = each.flat_map(|(name, named)| match named {
            Named::Method(method) => vec![*name, *method],
            _ => vec![*name],
        });
        let mut names = Names {
            seen: std::array::from_fn(|_| Vec::new()),
        };
        for name in each {
            if let Some(alike) = names.seen.get_mut(first(name)) {
                alike.push((name, Seen::default()));
            }
        }
        names
    }

    /// The import lines.
    pub(super) fn imports(&self) -> TokenStream {
        let lines = IMPORTS.iter().filter_map(|(path, names)| {
            let wanted = names.iter().filter(|(name, named)| self.has(name, *named));
            let wanted: Vec<_> = wanted.map(|(name, _)| ident(name)).collect();
            let path = path.split("::").map(ident);
            match wanted.as_slice() {
                [] => None,
                [only] => Some(quote!(use #(#path)::* :: #only;)),
                _ => Some(quote!(use #(#path)::* :: {#(#wanted),*};)),
            }
        });
        lines.collect()
    }

    fn has(&self, name: &str, named: Named) -> bool {
        let Some(seen) = self.of(name).filter(|seen| !seen.defined) else {
            return false;
        };
        match named {
            Named::Head => seen.head,
            Named::Word => seen.word,
            Named::Call => seen.call,
            Named::Method(method) => seen.word || self.of(method).is_some_and(|seen| seen.method),
        }
    }

    /// Takes in what an item names.
    pub(super) fn read(&mut self, flat: &Flat, item: Range<usize>) {
        let mut open = Vec::new();
        for at in item.clone() {
            match flat.kind(at) {
                Kind::Open(Shape::Angle | Shape::Bars)
                | Kind::Close(Shape::Angle | Shape::Bars) => {}
                Kind::Open(shape) => open.push(shape),
                Kind::Close(_) => drop(open.pop()),
                Kind::Word => {
                    let place = Place {
                        flat,
                        item: &item,
                        at,
                    };
                    let defined = open.last() == Some(&Shape::Definitions);
                    if let Some(seen) = self.find(flat.word(at))
                        && !(defined && place.is_variant())
                    {
                        place.see(seen);
                    }
                }
                _ => {}
            }
        }
    }

    /// Takes in what an item imports itself.
    pub(super) fn has_import(&mut self, flat: &Flat, item: Range<usize>) {
        for at in item {
            if flat.kind(at) == Kind::Word
                && let Some(seen) = self.find(flat.word(at))
            {
                seen.defined = true;
            }
        }
    }

    fn of(&self, name: &str) -> Option<&Seen> {
        let mut alike = self.seen.get(first(name))?.iter();
        alike
            .find(|(known, _)| *known == name)
            .map(|(_, seen)| seen)
    }

    fn find(&mut self, word: &str) -> Option<&mut Seen> {
        let mut alike = self.seen.get_mut(first(word))?.iter_mut();
        alike
            .find(|(known, _)| *known == word)
            .map(|(_, seen)| seen)
    }
}

/// The place of the names that begin as this one does.
fn first(name: &str) -> usize {
    name.bytes().next().map_or(0, usize::from)
}

/// A word among the tokens of an item.
struct Place<'a> {
    flat: &'a Flat,
    item: &'a Range<usize>,
    at: usize,
}

impl<'a> Place<'a> {
    fn before(&self, distance: usize) -> Kind {
        let at = self.at.checked_sub(distance);
        let at = at.filter(|at| self.item.contains(at));
        at.map_or(Kind::None, |at| self.flat.kind(at))
    }

    fn after(&self, distance: usize) -> Kind {
        self.flat.kind(self.at + distance)
    }

    fn word_before(&self, distance: usize) -> &'a str {
        let at = self.at.checked_sub(distance);
        at.map_or("", |at| self.flat.word(at))
    }

    fn see(&self, seen: &mut Seen) {
        match self.before(1) {
            // Other methods of the same name have arguments.
            Kind::Dot => {
                let (open, close) = (Shape::Parenthesis, Shape::Parenthesis);
                let called =
                    (self.after(1), self.after(2)) == (Kind::Open(open), Kind::Close(close));
                seen.method |= called;
            }
            Kind::Path => {}
            Kind::Word | Kind::Keyword if self.names(seen) => {}
            _ => {
                match self.after(1) {
                    Kind::Path => seen.head = true,
                    Kind::Open(shape) if !matches!(shape, Shape::Angle | Shape::Bars) => {
                        seen.call = true;
                    }
                    _ => {}
                }
                seen.word = true;
            }
        }
    }

    /// Whether the word is a name that is given here.
    fn names(&self, seen: &mut Seen) -> bool {
        match self.word_before(1) {
            "fn" => {}
            "struct" | "enum" | "trait" => seen.defined = true,
            // An associated type is named by its trait alone.
            "type" => seen.defined |= self.word_before(2) == "pub",
            _ => return false,
        }
        true
    }

    /// Whether a word is the name of an enum's variant where the enum is defined: it names nothing
    /// that could be imported.
    fn is_variant(&self) -> bool {
        let begins = matches!(
            self.before(1),
            Kind::Doc | Kind::Comma | Kind::Open(Shape::Definitions) | Kind::Close(Shape::Bracket)
        );
        let ends = matches!(
            self.after(1),
            Kind::Comma
                | Kind::Open(Shape::Parenthesis | Shape::Members)
                | Kind::Close(Shape::Definitions)
        );
        let word = self.flat.word(self.at);
        word.starts_with(|c: char| c.is_uppercase()) && begins && ends
    }
}

#[cfg(test)]
mod tests {
    use super::super::print;
    use super::*;

    #[test]
    fn imports_what_is_named_and_not_defined_here() {
        let tokens = quote! {
            pub struct Response { body: Encoded<u8>, other: Option<Response> }
            /// Issue
            fn status(a: A) -> bool { a.is_valid(1) && within(a, "Fault") }
            pub enum E { Call, #[x] Reply(u8) }
        };
        let items = print::flatten(tokens, Flat::default());
        let mut names = Names::none();
        for item in items.items() {
            names.read(&items, item);
        }
        let expected = quote!(
            use runtime::Encoded;
            use runtime::__private::within;
        );
        assert_eq!(names.imports().to_string(), expected.to_string());
    }
}
