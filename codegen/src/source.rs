//! A document's text, and the places of values in it.
//!
//! Values carry no positions: a [`Pointer`] names a value, and [`Source::spans`] finds it in the
//! text. Positions are looked up only for diagnostics, so a good document pays nothing.
//!
//! Two YAML libraries read a text. `serde_yaml` makes the value, because it resolves anchors, tags
//! and types as other tools do; it keeps neither the position of a value nor how a scalar is
//! written. `saphyr-parser` gives the events with their positions: they serve spans, members that
//! stand twice, merge keys and long numbers. The spans of a JSON text come from `serde_json`.

pub mod files;
mod json_spans;
pub(crate) mod read;
pub(crate) mod span;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

/// The characters of a pointer that are escaped in a URI's fragment (RFC 3986 §3.5).
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'/')
    .remove(b'_')
    .remove(b'~');

/// A document as its author wrote it.
#[derive(Debug, Clone)]
pub struct Source {
    /// The name that diagnostics print, usually the path as given.
    pub name: String,
    /// The whole text, YAML or JSON.
    pub text: String,
}

/// A JSON Pointer (RFC 6901) into a document.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pointer(String);

impl Pointer {
    /// Reads a pointer in its escaped form.
    pub fn parse(text: &str) -> Option<Pointer> {
        (text.is_empty() || text.starts_with('/')).then(|| Pointer(text.to_owned()))
    }

    /// Reads a reference into the same document: a pointer as a URI fragment (RFC 6901 §6), in
    /// which braces, for one, are percent-encoded.
    pub fn of_reference(reference: &str) -> Option<Pointer> {
        let fragment = percent_decode_str(reference.strip_prefix('#')?);
        Pointer::parse(&fragment.decode_utf8().ok()?)
    }

    /// The pointer as the fragment of a URI (RFC 6901 §6).
    pub(crate) fn fragment(&self) -> String {
        utf8_percent_encode(&self.0, ESCAPED).to_string()
    }

    /// The pointer to a member or item below this one.
    #[must_use]
    pub fn child(&self, token: impl AsRef<str>) -> Pointer {
        let token = token.as_ref();
        let mut text = String::with_capacity(self.0.len() + 1 + token.len());
        text.push_str(&self.0);
        text.push('/');
        let mut rest = token;
        while let Some((plain, escaped)) = rest.split_once(['~', '/']) {
            text.push_str(plain);
            let tilde = rest.as_bytes().get(plain.len()) == Some(&b'~');
            text.push_str(if tilde { "~0" } else { "~1" });
            rest = escaped;
        }
        text.push_str(rest);
        Pointer(text)
    }

    /// The unescaped tokens from the root.
    pub fn tokens(&self) -> impl Iterator<Item = String> {
        self.0
            .split('/')
            .skip(1)
            .map(|token| token.replace("~1", "/").replace("~0", "~"))
    }

    /// The name of the component that the pointer leads to, if it is one of `components.{section}`.
    pub fn component(&self, section: &str) -> Option<String> {
        let tokens: Vec<String> = self.tokens().collect();
        match tokens.as_slice() {
            [components, folder, name] if components == "components" && folder == section => {
                Some(name.clone())
            }
            _ => None,
        }
    }

    /// The escaped text; empty for the whole document.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Display for Pointer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "#{}", self.0)
    }
}
