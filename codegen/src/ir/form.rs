//! Forms: what their fields hold, and how each is written (OpenAPI 3.1.1 §4.8.15).

use super::{Param, ParamShape, Pattern, Style, Type};

/// A field of `application/x-www-form-urlencoded` that is written like a parameter of a query, and
/// not as `a=1&a=2` or `a[b]=1`, as others are.
#[derive(Debug)]
pub struct Styled {
    /// Its name.
    pub wire: String,
    /// How it is written.
    pub style: Style,
    /// Whether arrays and objects are written out one by one.
    pub explode: bool,
    /// Whether one text, a list or an object is written.
    pub shape: ParamShape,
}

/// A form whose fields may be files.
#[derive(Debug)]
pub struct Form {
    /// The struct.
    pub rust: String,
    /// Its fields.
    pub fields: Vec<FormField>,
    /// What becomes of other fields.
    pub others: OtherFields,
    /// The key of a schema that says more of the form than what each field is: the fields are read
    /// together, as it has them.
    pub whole: Option<String>,
}

/// The fields that a form does not name. Those that are nothing in particular are dropped.
#[derive(Debug, Default)]
pub struct OtherFields {
    /// Whether they are refused.
    pub closed: bool,
    /// What those are whose names match a pattern, files come first.
    pub matched: Vec<(Pattern, FieldContent)>,
    /// What those are that match none.
    pub rest: Option<FieldContent>,
    /// The maps that keep them by their names: one of files, and one of all else.
    pub kept: Vec<KeptFields>,
}

/// Fields that are kept by their names.
#[derive(Debug)]
pub struct KeptFields {
    /// The struct's field.
    pub rust: String,
    /// The variable that holds them while a form is read.
    pub local: String,
    /// What is in each.
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
    /// The media type that its parts are sent with, where one is said.
    pub fn sent_type(&self) -> Option<&str> {
        let mut concrete = self.types.iter().filter(|name| !name.contains('*'));
        concrete.next().map(String::as_str)
    }
}

impl FieldContent {
    /// Whether it is a file, or several.
    pub fn is_file(&self) -> bool {
        self.octets().is_some()
    }

    /// How long each file is; nothing where it is none.
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
    /// The struct's field.
    pub rust: String,
    /// The variable that holds its value while a form is read.
    pub local: String,
    /// What the document says of it.
    pub doc: String,
    /// Whether it must be there.
    pub required: bool,
    /// The media types that its parts may have; any where none is said.
    pub types: Vec<String>,
    /// What is in it.
    pub content: FieldContent,
    /// The headers of its parts, where any are declared.
    pub headers: Option<PartHeaders>,
}

/// The headers that each part of a field has (OpenAPI 3.1.1 §4.8.15.1).
#[derive(Debug)]
pub struct PartHeaders {
    /// The struct.
    pub rust: String,
    /// They are written as parameters in headers are.
    pub params: Vec<Param>,
    /// Whether one value is several parts, and so has a list of these.
    pub is_list: bool,
}

/// What a field of a form holds.
#[derive(Debug)]
pub enum FieldContent {
    /// Text of a type; the key is that of its schema.
    Text(Type, String),
    /// JSON of a type; the key is that of its schema.
    Json(Type, String),
    /// Text of a type in one part, where others are several; the key is that of its schema.
    Joined(Type, String, Joined),
    /// Texts of an object's members in parts of their own names, which are these; the key is that of
    /// its schema.
    Spread(Type, String, Vec<String>),
    /// A file of so many bytes (OpenAPI 3.1.1, Working with Binary Data).
    File(Bounds),
    /// Several files.
    Files {
        /// How many.
        count: Bounds,
        /// How many bytes each of them has.
        octets: Bounds,
    },
}

/// How many there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    /// At least so many.
    pub min: u64,
    /// At most so many.
    pub max: Option<u64>,
}

impl Bounds {
    /// Any number.
    pub const NONE: Bounds = Bounds { min: 0, max: None };
    /// Just one.
    pub const ONE: Bounds = Bounds {
        min: 1,
        max: Some(1),
    };

    /// What is within these bounds and the others.
    pub fn and(self, other: Bounds) -> Bounds {
        Bounds {
            min: self.min.max(other.min),
            max: self.max.into_iter().chain(other.max).min(),
        }
    }

    /// The least bounds around these and the others.
    pub fn or(self, other: Bounds) -> Bounds {
        Bounds {
            min: self.min.min(other.min),
            max: self.max.zip(other.max).map(|(max, most)| max.max(most)),
        }
    }
}

/// How the items of a list, or the members of an object, are one text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Joined {
    /// What is between them.
    pub delimiter: char,
    /// Whether they are the names and values of members in turn.
    pub is_object: bool,
}
