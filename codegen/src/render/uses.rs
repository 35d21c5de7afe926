//! Imports: whatever the items of a file name, and nothing else.

use super::rust::ident;
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::quote;
use std::collections::BTreeSet;

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
            ("models", Named::Head),
            ("patterns", Named::Head),
        ],
    ),
    (
        "crate::runtime",
        &[
            ("body", Named::Head),
            ("check", Named::Head),
            ("condition", Named::Head),
            ("constant", Named::Head),
            ("fault", Named::Head),
            ("format", Named::Head),
            ("media", Named::Head),
            ("union", Named::Head),
        ],
    ),
    (
        "crate::runtime::check",
        &[("Check", Named::Method("is_valid"))],
    ),
    ("crate::runtime::encoded", &[("Encoded", Named::Word)]),
    (
        "crate::runtime::fault",
        &[
            ("Answer", Named::Word),
            ("Denial", Named::Word),
            ("Fault", Named::Word),
            ("Plain", Named::Word),
        ],
    ),
    ("crate::runtime::host", &[("Host", Named::Word)]),
    (
        "crate::runtime::issue",
        &[("Issue", Named::Word), ("Place", Named::Word)],
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
            ("Call", Named::Word),
            ("Dispatch", Named::Word),
            ("Limits", Named::Word),
            ("Reply", Named::Word),
            ("Service", Named::Word),
        ],
    ),
    ("axum::body", &[("Body", Named::Word)]),
    ("bytes", &[("Bytes", Named::Word)]),
    (
        "http",
        &[
            ("HeaderMap", Named::Word),
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

/// The import lines of a file with these items.
pub(super) fn imports(items: &[TokenStream]) -> TokenStream {
    let mut seen = Seen::default();
    for item in items {
        seen.walk(item.clone(), Delimiter::None);
    }
    let lines = IMPORTS.iter().filter_map(|(path, names)| {
        let wanted = names.iter().filter(|(name, named)| seen.has(name, *named));
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

/// What the tokens of a file name.
#[derive(Default)]
struct Seen {
    heads: BTreeSet<String>,
    words: BTreeSet<String>,
    calls: BTreeSet<String>,
    methods: BTreeSet<String>,
    /// Types that the file itself defines; an import of the same name would be another.
    defined: BTreeSet<String>,
}

impl Seen {
    fn has(&self, name: &str, named: Named) -> bool {
        if self.defined.contains(name) {
            return false;
        }
        match named {
            Named::Head => self.heads.contains(name),
            Named::Word => self.words.contains(name),
            Named::Call => self.calls.contains(name),
            Named::Method(method) => self.methods.contains(method) || self.words.contains(name),
        }
    }

    fn walk(&mut self, tokens: TokenStream, inside: Delimiter) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        for (at, token) in tokens.iter().enumerate() {
            match token {
                TokenTree::Group(group) => self.walk(group.stream(), group.delimiter()),
                TokenTree::Ident(word) if !is_variant(&tokens, at, inside) => {
                    self.word(&tokens, at, word.to_string());
                }
                _ => {}
            }
        }
    }

    fn word(&mut self, tokens: &[TokenTree], at: usize, word: String) {
        let before = |distance| at.checked_sub(distance).and_then(|at| tokens.get(at));
        let follows =
            |keyword: &str| matches!(before(1), Some(TokenTree::Ident(word)) if word == keyword);
        let public = || matches!(before(2), Some(TokenTree::Ident(word)) if word == "pub");
        if follows("fn") {
            return;
        }
        let type_of_its_own = ["struct", "enum", "trait"]
            .iter()
            .any(|keyword| follows(keyword));
        if type_of_its_own || (follows("type") && public()) {
            self.defined.insert(word);
            return;
        }
        if is(before(1), '.') {
            // Other methods of the same name have arguments.
            let asks =
                |token: &TokenTree| matches!(token, TokenTree::Group(g) if g.stream().is_empty());
            if tokens.get(at + 1).is_some_and(asks) {
                self.methods.insert(word);
            }
        } else if !(is(before(1), ':') && is(before(2), ':')) {
            if is(tokens.get(at + 1), ':') && is(tokens.get(at + 2), ':') {
                self.heads.insert(word.clone());
            } else if matches!(tokens.get(at + 1), Some(TokenTree::Group(_))) {
                self.calls.insert(word.clone());
            }
            self.words.insert(word);
        }
    }
}

fn is(token: Option<&TokenTree>, wanted: char) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == wanted)
}

/// Whether an identifier is the name of an enum's variant where the enum is defined: it names
/// nothing that could be imported.
fn is_variant(tokens: &[TokenTree], at: usize, inside: Delimiter) -> bool {
    let before = at.checked_sub(1).and_then(|at| tokens.get(at));
    let attribute = |token: &TokenTree| matches!(token, TokenTree::Group(g) if g.delimiter() == Delimiter::Bracket);
    let begins = before.is_none_or(|token| attribute(token) || is(Some(token), ','));
    let after = tokens.get(at + 1);
    let ends =
        after.is_none_or(|token| matches!(token, TokenTree::Group(_)) || is(Some(token), ','));
    let capital = tokens
        .get(at)
        .is_some_and(|t| t.to_string().starts_with(|c: char| c.is_uppercase()));
    inside == Delimiter::Brace && capital && begins && ends
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn imports_what_is_named_and_not_defined_here() {
        let items = [
            quote!(
                pub struct Response {
                    body: Encoded<u8>,
                    other: Option<Response>,
                }
            ),
            quote!(
                fn status(a: A) -> bool {
                    a.is_valid(1) && within(a)
                }
            ),
        ];
        let expected = quote!(
            use crate::runtime::encoded::Encoded;
            use crate::runtime::respond::within;
        );
        assert_eq!(imports(&items).to_string(), expected.to_string());
    }
}
