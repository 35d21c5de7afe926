//! Forms: what their fields hold, and how each is written (OpenAPI 3.1.1 §4.8.15).

use super::{Layout, Pattern, Style, Type};

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
    pub layout: Layout,
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

impl FieldContent {
    /// Whether it is a file, or several.
    pub fn is_file(&self) -> bool {
        matches!(self, FieldContent::File | FieldContent::Files { .. })
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
    /// What is in it.
    pub content: FieldContent,
}

/// What a field of a form holds.
#[derive(Debug)]
pub enum FieldContent {
    /// Text of a type; the key is that of its schema.
    Text(Type, String),
    /// JSON of a type; the key is that of its schema.
    Json(Type, String),
    /// A file.
    File,
    /// Several files.
    Files {
        /// At least so many.
        min: u64,
        /// At most so many.
        max: Option<u64>,
    },
}
