//! The parts of bodies that have no names, such as those of `multipart/mixed` (OpenAPI 3.2.0 §4.14.6).

use super::{Name, PartHeaders, Type};

/// The parts of a body, one by one.
#[derive(Debug)]
pub struct BodyParts {
    /// The name of the enum of their kinds; unused where all are of one kind.
    pub name: Name,
    /// The parts that have a place of their own, in order.
    pub prefix: Vec<PartKind>,
    /// All that follow; `None` where none may.
    pub rest: Option<PartKind>,
}

/// The declaration of the parts at one place.
#[derive(Debug)]
pub struct PartKind {
    /// Its name among the kinds.
    pub name: Name,
    /// Its description.
    pub doc: String,
    /// The media types that they may have; empty for any.
    pub types: Vec<String>,
    /// Their content.
    pub content: PartContent,
    /// Their headers, if any are declared.
    pub headers: Option<PartHeaders>,
}

/// The content of a part.
#[derive(Debug)]
pub enum PartContent {
    /// JSON of a type; the key is its schema's.
    Json(Type, String),
    /// Any text.
    Text,
    /// Text that is one value of a type; the key is its schema's.
    Scalar(Type, String),
    /// Bytes.
    Bytes,
    /// Parts of its own.
    Parts(Box<BodyParts>),
}

impl BodyParts {
    /// All kinds, in the order of their places.
    pub fn kinds(&self) -> impl Iterator<Item = &PartKind> {
        self.prefix.iter().chain(&self.rest)
    }

    /// The one kind that all parts are of, if it is one.
    pub fn only(&self) -> Option<&PartKind> {
        self.rest.as_ref().filter(|_| self.prefix.is_empty())
    }

    /// The types of their contents.
    pub fn types(&self) -> Vec<&Type> {
        let types = self.kinds().flat_map(|kind| match &kind.content {
            PartContent::Json(ty, _) | PartContent::Scalar(ty, _) => vec![ty],
            PartContent::Parts(inner) => inner.types(),
            PartContent::Text | PartContent::Bytes => Vec::new(),
        });
        types.collect()
    }

    /// The kind of the part at an index.
    pub fn at(&self, index: usize) -> Option<&PartKind> {
        self.prefix.get(index).or(self.rest.as_ref())
    }
}

impl PartKind {
    /// The media type that they are sent with, where that is known.
    pub fn sent_type(&self) -> Option<&str> {
        let mut concrete = self.types.iter().filter(|name| !name.contains('*'));
        let declared = concrete.next().map(String::as_str);
        declared.or(match self.content {
            PartContent::Json(..) => Some("application/json"),
            PartContent::Text | PartContent::Scalar(..) => Some("text/plain; charset=utf-8"),
            PartContent::Parts(_) => Some("multipart/mixed"),
            PartContent::Bytes if self.types.is_empty() => Some("application/octet-stream"),
            PartContent::Bytes => None,
        })
    }
}
