//! Imports: whatever the items of a file name, and nothing else.

use super::lexer::{Lexer, Token};
use super::rust::ident;
use proc_macro2::TokenStream;
use quote::quote;
use std::collections::BTreeMap;

/// How an item names an import.
#[derive(Clone, Copy)]
enum Named {
    /// As the head of a path: `check::unique`.
    Head,
    /// By itself: a type, a trait, a macro's argument.
    Word,
    /// By a call: `respond(…)`.
    Call,
    /// By itself or by one of its methods, which take nothing: `.is_valid()`.
    Method(&'static str),
}

/// Everything that generated files import, by module, in the order in which it is printed.
const IMPORTS: &[(&str, &[(&str, Named)])] = &[
    (
        "crate",
        &[
            ("conditions", Named::Head),
            ("formats", Named::Head),
            ("models", Named::Head),
            ("patterns", Named::Head),
            ("security", Named::Head),
        ],
    ),
    (
        "crate::runtime",
        &[
            ("body", Named::Head),
            ("check", Named::Head),
            ("condition", Named::Head),
            ("constant", Named::Head),
            ("credential", Named::Head),
            ("events", Named::Head),
            ("expression", Named::Head),
            ("fault", Named::Head),
            ("format", Named::Head),
            ("formatted", Named::Head),
            ("media", Named::Head),
            ("object", Named::Head),
            ("union", Named::Head),
        ],
    ),
    (
        "crate::runtime::check",
        &[("Check", Named::Method("is_valid"))],
    ),
    ("crate::runtime::call", &[("Call", Named::Word)]),
    ("crate::runtime::encoded", &[("Encoded", Named::Word)]),
    (
        "crate::runtime::fault",
        &[
            ("Answer", Named::Word),
            ("Fault", Named::Word),
            ("Plain", Named::Word),
        ],
    ),
    (
        "crate::runtime::events",
        &[("Event", Named::Word), ("Events", Named::Word)],
    ),
    ("crate::runtime::host", &[("Host", Named::Word)]),
    (
        "crate::runtime::issue",
        &[("Issue", Named::Word), ("Place", Named::Word)],
    ),
    (
        "crate::runtime::items",
        &[("Framing", Named::Word), ("Items", Named::Word)],
    ),
    ("crate::runtime::multipart", &[("File", Named::Word)]),
    (
        "crate::runtime::multipart_read",
        &[("Form", Named::Word), ("Written", Named::Word)],
    ),
    (
        "crate::runtime::multipart_write",
        &[("FormWriter", Named::Word)],
    ),
    (
        "crate::runtime::object_writer",
        &[("ObjectWriter", Named::Word), ("Part", Named::Word)],
    ),
    (
        "crate::runtime::operation",
        &[
            ("Operation", Named::Word),
            ("Scheme", Named::Word),
            ("SchemeKind", Named::Word),
            ("SchemeUse", Named::Word),
        ],
    ),
    (
        "crate::runtime::param",
        &[
            ("Param", Named::Word),
            ("Shape", Named::Word),
            ("Style", Named::Word),
        ],
    ),
    ("crate::runtime::pattern", &[("Pattern", Named::Word)]),
    ("crate::runtime::reader", &[("Reader", Named::Word)]),
    (
        "crate::runtime::respond",
        &[
            ("respond", Named::Call),
            ("status", Named::Call),
            ("within", Named::Call),
        ],
    ),
    (
        "crate::runtime::stream",
        &[("ByteStream", Named::Word), ("Trouble", Named::Word)],
    ),
    (
        "crate::runtime::service",
        &[
            ("Dispatch", Named::Word),
            ("Limits", Named::Word),
            ("Reply", Named::Word),
            ("Service", Named::Word),
        ],
    ),
    (
        "crate::runtime::upload",
        &[("Formed", Named::Word), ("Upload", Named::Word)],
    ),
    ("crate::runtime::schema", &[("Schemas", Named::Word)]),
    ("axum::body", &[("Body", Named::Word)]),
    ("bytes", &[("Bytes", Named::Word)]),
    (
        "http",
        &[
            ("HeaderMap", Named::Word),
            ("Request", Named::Word),
            ("Response", Named::Word),
            ("StatusCode", Named::Word),
        ],
    ),
    (
        "serde",
        &[("Deserialize", Named::Word), ("Serialize", Named::Word)],
    ),
    ("std::future", &[("Future", Named::Word)]),
    ("std::sync", &[("Arc", Named::Word)]),
];

/// What the items of a file name, of what can be imported.
pub(super) struct Names {
    seen: BTreeMap<&'static str, Seen>,
    /// The lengths of the names that begin with a byte, as bits: hardly any other word has one of them.
    lengths: [u32; 256],
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
            seen: BTreeMap::new(),
            lengths: [0; 256],
        };
        for name in each {
            if let Some(lengths) = names.lengths_of(name) {
                *lengths |= bit(name);
            }
            names.seen.insert(name, Seen::default());
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
        let Some(seen) = self.seen.get(name).filter(|seen| !seen.defined) else {
            return false;
        };
        match named {
            Named::Head => seen.head,
            Named::Word => seen.word,
            Named::Call => seen.call,
            Named::Method(method) => {
                seen.word || self.seen.get(method).is_some_and(|seen| seen.method)
            }
        }
    }

    /// Takes in what an item names.
    pub(super) fn read(&mut self, item: &str) {
        let tokens: Vec<Token<'_>> = Lexer::of(item).collect();
        let mut open = Vec::new();
        for (at, token) in tokens.iter().enumerate() {
            match token {
                Token::Open(delimiter) => open.push(*delimiter),
                Token::Close(_) => drop(open.pop()),
                Token::Word(word) => {
                    let place = Place {
                        tokens: &tokens,
                        at,
                    };
                    let in_braces = open.last() == Some(&b'{');
                    if let Some(seen) = self.find(word)
                        && !(in_braces && place.is_variant(word))
                    {
                        place.see(seen);
                    }
                }
                Token::Mark(_) | Token::Value => {}
            }
        }
    }

    /// Takes in what an item imports itself.
    pub(super) fn has_import(&mut self, item: &str) {
        for token in Lexer::of(item) {
            if let Token::Word(word) = token
                && let Some(seen) = self.find(word)
            {
                seen.defined = true;
            }
        }
    }

    fn find(&mut self, word: &str) -> Option<&mut Seen> {
        let likely = *self.lengths_of(word)? & bit(word) != 0;
        self.seen.get_mut(word).filter(|_| likely)
    }

    fn lengths_of(&mut self, word: &str) -> Option<&mut u32> {
        let first = word.bytes().next()?;
        self.lengths.get_mut(usize::from(first))
    }
}

/// The bit that stands for a word's length.
fn bit(word: &str) -> u32 {
    1 << (word.len() % 32)
}

/// A word among the tokens around it.
struct Place<'a> {
    tokens: &'a [Token<'a>],
    at: usize,
}

impl<'a> Place<'a> {
    fn before(&self, distance: usize) -> Option<&Token<'a>> {
        let at = self.at.checked_sub(distance)?;
        self.tokens.get(at)
    }

    fn after(&self, distance: usize) -> Option<&Token<'a>> {
        self.tokens.get(self.at + distance)
    }

    fn see(&self, seen: &mut Seen) {
        let colon = Some(&Token::Mark(b':'));
        match self.before(1) {
            Some(Token::Word("fn")) => {}
            Some(Token::Word("struct" | "enum" | "trait")) => seen.defined = true,
            // An associated type is named by its trait alone.
            Some(Token::Word("type")) => {
                seen.defined |= self.before(2) == Some(&Token::Word("pub"));
            }
            // Other methods of the same name have arguments.
            Some(Token::Mark(b'.')) => {
                let (open, close) = (Token::Open(b'('), Token::Close(b')'));
                seen.method |= self.after(1) == Some(&open) && self.after(2) == Some(&close);
            }
            before if before == colon && self.before(2) == colon => {}
            _ => {
                if self.after(1) == colon && self.after(2) == colon {
                    seen.head = true;
                } else if matches!(self.after(1), Some(Token::Open(_))) {
                    seen.call = true;
                }
                seen.word = true;
            }
        }
    }

    /// Whether a word in braces is the name of an enum's variant where the enum is defined: it
    /// names nothing that could be imported.
    fn is_variant(&self, word: &str) -> bool {
        let begins = matches!(
            self.before(1),
            None | Some(Token::Open(_) | Token::Close(b']') | Token::Mark(b','))
        );
        let ends = matches!(
            self.after(1),
            None | Some(Token::Open(_) | Token::Close(_) | Token::Mark(b','))
        );
        word.starts_with(|c: char| c.is_uppercase()) && begins && ends
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn imports_what_is_named_and_not_defined_here() {
        let mut names = Names::none();
        names.read("pub struct Response { body: Encoded<u8>, other: Option<Response> }");
        names.read("/// Issue\nfn status(a: A) -> bool { a.is_valid(1) && within(a, \"Fault\") }");
        names.read("pub enum E { Call, #[x] Reply(u8) }");
        let expected = quote!(
            use crate::runtime::encoded::Encoded;
            use crate::runtime::respond::within;
        );
        assert_eq!(names.imports().to_string(), expected.to_string());
    }
}
