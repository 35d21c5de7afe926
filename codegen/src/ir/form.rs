//! Forms: the contents of their fields, and how each is written (OpenAPI 3.1.1 §4.8.15).

use super::{Name, Param, ParamShape, Pattern, Style, Type};

/// A field of `application/x-www-form-urlencoded` that is written like a query parameter, and not
/// by default as `a=1&a=2` or `a[b]=1`.
#[derive(Debug)]
pub struct Styled {
    /// Its name.
    pub wire: String,
    /// The style.
    pub style: Style,
    /// Whether arrays and objects are written out one by one.
    pub explode: bool,
    /// The shape of the value: one text, a list or an object.
    pub shape: ParamShape,
}

impl Styled {
    /// The style of a field by its name, and whether it is exploded.
    pub fn of(styled: &[Styled], name: &str) -> Option<(Style, bool)> {
        let field = styled.iter().find(|field| field.wire == name);
        field.map(|field| (field.style, field.explode))
    }
}

/// A form whose fields may be files.
#[derive(Debug)]
pub struct Form {
    /// Its name.
    pub name: Name,
    /// Its fields.
    pub fields: Vec<FormField>,
    /// The handling of other fields.
    pub others: OtherFields,
    /// The key of a schema that says more about the form than its fields do: all fields are checked
    /// by it together.
    pub whole: Option<String>,
}

/// Fields that a form does not name. Those without a schema are dropped.
#[derive(Debug, Default)]
pub struct OtherFields {
    /// Whether they are refused.
    pub closed: bool,
    /// The contents of fields whose names match a pattern, files first.
    pub matched: Vec<(Pattern, FieldContent)>,
    /// The contents of fields whose names match none.
    pub rest: Option<FieldContent>,
    /// The maps that keep such fields by name: one of files, and one of all others.
    pub kept: Vec<KeptFields>,
}

/// Fields that are kept by their names.
#[derive(Debug)]
pub struct KeptFields {
    /// The name of the field that keeps them.
    pub name: Name,
    /// The content of each.
    pub content: FieldContent,
}

impl Form {
    /// Whether any field is a file, so that the form is read as it arrives.
    pub fn has_files(&self) -> bool {
        let kept = self.others.kept.iter().map(|kept| &kept.content);
        let mut all = self.fields.iter().map(|field| &field.content).chain(kept);
        all.any(FieldContent::is_file)
    }
}

impl FormField {
    /// The media type that its parts are sent with, if one is declared.
    pub fn sent_type(&self) -> Option<&str> {
        let mut concrete = self.types.iter().filter(|name| !name.contains('*'));
        concrete.next().map(String::as_str)
    }
}

impl FieldContent {
    /// Whether it holds files.
    pub fn is_file(&self) -> bool {
        self.octets().is_some()
    }

    /// The lengths of its files; `None` for other fields.
    pub fn octets(&self) -> Option<Bounds> {
        match self {
            FieldContent::File(octets) | FieldContent::Files { octets, .. } => Some(*octets),
            _ => None,
        }
    }
}

/// A field of a form.
#[derive(Debug)]
pub struct FormField {
    /// Its name on the wire.
    pub wire: String,
    /// Its name.
    pub name: Name,
    /// Its description.
    pub doc: String,
    /// Whether it is required.
    pub required: bool,
    /// The media types that its parts may have; empty for any.
    pub types: Vec<String>,
    /// Its content.
    pub content: FieldContent,
    /// The headers of its parts, if any are declared.
    pub headers: Option<PartHeaders>,
}

/// The headers that each part of a field has (OpenAPI 3.1.1 §4.8.15.1).
#[derive(Debug)]
pub struct PartHeaders {
    /// Its name.
    pub name: Name,
    /// The headers, written like parameters in headers.
    pub params: Vec<Param>,
    /// Whether one value is several parts, and so has a list of these.
    pub is_list: bool,
}

/// The content of a field.
#[derive(Debug)]
pub enum FieldContent {
    /// Text of a type; the key is its schema's.
    Text(Type, String),
    /// JSON of a type; the key is its schema's.
    Json(Type, String),
    /// Text of a type that is always one part; the key is its schema's.
    Delimited(Type, String, Delimited),
    /// An object whose members are parts with these names; the key is its schema's.
    Spread(Type, String, Vec<String>),
    /// A file with this many bytes (OpenAPI 3.1.1, Working with Binary Data).
    File(Bounds),
    /// Several files.
    Files {
        /// How many files.
        count: Bounds,
        /// How many bytes each of them has.
        octets: Bounds,
    },
}

/// Bounds of a count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    /// At least this many.
    pub min: u64,
    /// At most this many.
    pub max: Option<u64>,
}

impl Bounds {
    /// Any number.
    pub const NONE: Bounds = Bounds { min: 0, max: None };
    /// Exactly one.
    pub const ONE: Bounds = Bounds {
        min: 1,
        max: Some(1),
    };

    /// The bounds that are within both.
    pub fn and(self, other: Bounds) -> Bounds {
        Bounds {
            min: self.min.max(other.min),
            max: self.max.into_iter().chain(other.max).min(),
        }
    }

    /// The least bounds that include both.
    pub fn or(self, other: Bounds) -> Bounds {
        Bounds {
            min: self.min.min(other.min),
            max: self.max.zip(other.max).map(|(max, most)| max.max(most)),
        }
    }
}

/// How the items of a list, or the members of an object, are joined to one text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Delimited {
    /// The delimiter.
    pub delimiter: char,
    /// Whether the names and values of members alternate.
    pub is_object: bool,
}
