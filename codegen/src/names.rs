//! Wire names to Rust names: cases, keywords, digits, collisions. The only caller of `heck`.

use crate::source::Pointer;
use crate::source::files;
use heck::{ToPascalCase, ToSnakeCase};
use std::collections::HashSet;

/// Words that cannot be plain identifiers in edition 2024.
const KEYWORDS: &[&str] = &[
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "do", "dyn",
    "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let",
    "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return",
    "static", "struct", "trait", "true", "try", "type", "typeof", "unsafe", "unsized", "use",
    "virtual", "where", "while", "yield",
];

/// Keywords that cannot even be raw identifiers.
const UNRAWABLE: &[&str] = &["crate", "self", "super", "Self", "_"];

/// Crates of Rust's standard distribution.
const BUILT_IN: &[&str] = &["alloc", "core", "proc_macro", "std", "test"];

/// Whether a word has a meaning in Rust, so that no crate should have it as its name.
pub fn is_reserved(word: &str) -> bool {
    let mut reserved = [KEYWORDS, UNRAWABLE, BUILT_IN].into_iter().flatten();
    reserved.any(|known| *known == word)
}

/// Variables of the functions that read a request, beside those of its parameters.
pub(crate) const LOCALS: &[&str] = &[
    "host",
    "call",
    "principal",
    "accept",
    "bytes",
    "consumed",
    "reader",
    "params",
    "body",
    "stream",
    "trouble",
];

/// Arguments and variables of a handler's and a client's method, beside those of the parameters in
/// its path.
pub(crate) const ARGUMENTS: &[&str] = &[
    "principal",
    "extensions",
    "headers",
    "accept",
    "params",
    "body",
    "draft",
    "request",
    "response",
    "stream",
];

/// The variables and functions in the code that writes an answer, beside those of its headers.
pub(crate) const HEADERS: &[&str] = &["status", "body", "respond", "within", "responder"];

/// The name of a schema's type from its key: the last step of its place, or the path of its file if
/// it is the whole file.
pub(crate) fn of_key(key: &str) -> String {
    let (place, last) = key.rsplit_once('/').unwrap_or_default();
    let step = Pointer::parse(key).and_then(|place| place.tokens().last());
    match step {
        Some(path) if place.strip_prefix('/') == Some(files::MOUNT) => {
            let stem = path
                .rsplit_once('.')
                .map_or(path.as_str(), |(stem, _)| stem);
            stem.to_owned()
        }
        Some(step) => step,
        None if last.is_empty() => key.to_owned(),
        None => last.to_owned(),
    }
}

/// A field, method, argument or module name.
pub(crate) fn snake(wire: &str) -> String {
    let name = bounded(guard_digit(readable(wire).to_snake_case(), "n"));
    if UNRAWABLE.contains(&name.as_str()) {
        format!("{name}_")
    } else if KEYWORDS.contains(&name.as_str()) {
        format!("r#{name}")
    } else {
        name
    }
}

/// A type or variant name.
pub(crate) fn pascal(wire: &str) -> String {
    let name = bounded(guard_digit(readable(wire).to_pascal_case(), "N"));
    if UNRAWABLE.contains(&name.as_str()) {
        format!("{name}_")
    } else {
        name
    }
}

/// A name without the marks of a keyword, as a part of other names.
pub(crate) fn stem(name: &str) -> &str {
    name.trim_start_matches("r#").trim_end_matches('_')
}

/// The wire name with every character that is not allowed in identifiers replaced by a word break
/// or a word.
fn readable(wire: &str) -> String {
    let mut text = String::with_capacity(wire.len());
    let lead = match wire.chars().next() {
        Some('-') if wire.len() > 1 => "minus ",
        Some('+') if wire.len() > 1 => "plus ",
        Some('$') => "dollar ",
        Some('@') => "at ",
        _ => "",
    };
    text.push_str(lead);
    text.extend(
        wire.chars()
            .map(|c| if c.is_ascii_alphanumeric() { c } else { ' ' }),
    );
    if text.trim().is_empty() {
        // A name without any letter is spelled by its code points: `=` becomes `U3d`.
        text = wire
            .chars()
            .map(|c| format!("u{:x} ", u32::from(c)))
            .collect();
        if text.is_empty() {
            text.push_str("empty");
        }
    }
    text
}

fn guard_digit(name: String, prefix: &str) -> String {
    if name.starts_with(|c: char| c.is_ascii_digit()) {
        format!("{prefix}{name}")
    } else {
        name
    }
}

/// The longest name, in bytes. Modules are files, types are files of the documentation, and most
/// file systems allow names of 255 bytes.
const LONGEST: usize = 160;

/// A name cut to the greatest length; it is ASCII.
fn bounded(mut name: String) -> String {
    name.truncate(LONGEST);
    name.truncate(name.trim_end_matches('_').len());
    name
}

/// Hands out distinct names.
#[derive(Debug, Default, Clone)]
pub(crate) struct Scope(HashSet<String>);

impl Scope {
    /// A scope in which some names are taken from the beginning.
    pub(crate) fn reserving(names: &[&str]) -> Scope {
        Scope(names.iter().map(|name| (*name).to_owned()).collect())
    }

    /// The wanted name, or the first of `wanted2`, `wanted3` … that is free.
    pub(crate) fn claim(&mut self, wanted: String) -> String {
        if self.0.insert(wanted.clone()) {
            return wanted;
        }
        let stem = stem(&wanted);
        let free = (2usize..)
            .map(|n| format!("{stem}{n}"))
            .find(|name| !self.0.contains(name));
        let name = free.unwrap_or(wanted);
        self.0.insert(name.clone());
        name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schemas_are_named_after_their_places() {
        assert_eq!(of_key("Pet"), "Pet");
        assert_eq!(of_key("/x-files/b.yaml/$defs/a~1b"), "a/b");
        assert_eq!(of_key("/x-files/sub~1old.pet.yaml"), "sub/old.pet");
        assert_eq!(of_key("place/of/use"), "use");
    }

    #[test]
    fn spells_hostile_names() {
        for (wire, expected_snake, expected_pascal) in [
            ("usdDonatedE6", "usd_donated_e6", "UsdDonatedE6"),
            ("type", "r#type", "Type"),
            ("self", "self_", "Self_"),
            ("2fa", "n2fa", "N2fa"),
            ("a-b", "a_b", "AB"),
            ("-1", "minus_1", "Minus1"),
            ("+1", "plus_1", "Plus1"),
            ("", "empty", "Empty"),
            ("😀", "u1f600", "U1f600"),
            ("$ref", "dollar_ref", "DollarRef"),
            (
                "charities.feedAtom",
                "charities_feed_atom",
                "CharitiesFeedAtom",
            ),
        ] {
            assert_eq!(snake(wire), expected_snake, "{wire}");
            assert_eq!(pascal(wire), expected_pascal, "{wire}");
        }
    }

    #[test]
    fn keeps_names_short_enough_for_files() {
        let wire = format!("{}_b", "a".repeat(LONGEST - 1));
        assert_eq!(snake(&wire), "a".repeat(LONGEST - 1));
        assert_eq!(pascal(&wire).len(), LONGEST);
    }

    #[test]
    fn keeps_names_apart() {
        let mut scope = Scope::default();
        assert_eq!(scope.claim("a_b".into()), "a_b");
        assert_eq!(scope.claim("a_b".into()), "a_b2");
        assert_eq!(scope.claim("r#type".into()), "r#type");
        assert_eq!(scope.claim("r#type".into()), "type2");
    }
}
