//! What the contract says of the fields of a form: which there are, and how each is written.

use super::multipart_read::is_of;
use super::pattern::Pattern;

/// How the value of a field is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Written {
    /// As text, or as several parts of text.
    Text,
    /// As JSON, or as several parts of JSON.
    Json,
    /// As it is: a file, or several.
    File,
}

/// A field of a form.
#[derive(Debug, Clone, Copy)]
pub struct Field {
    pub(super) written: Written,
    /// The name of its schema; a file has none.
    pub(super) schema: &'static str,
}

impl Field {
    /// Text of a schema, or several parts of text.
    #[must_use]
    pub const fn text(schema: &'static str) -> Self {
        Self {
            written: Written::Text,
            schema,
        }
    }

    /// JSON of a schema, or several parts of JSON.
    #[must_use]
    pub const fn json(schema: &'static str) -> Self {
        Self {
            written: Written::Json,
            schema,
        }
    }

    /// A file, or several.
    #[must_use]
    pub const fn file() -> Self {
        Self {
            written: Written::File,
            schema: "",
        }
    }

    pub(super) fn is_file(&self) -> bool {
        self.written == Written::File
    }
}

/// The fields of a form.
#[derive(Debug)]
pub struct Fields {
    /// Those that have a name.
    pub named: &'static [(&'static str, Field)],
    /// Those whose names match a pattern.
    pub matched: &'static [(&'static Pattern, Field)],
    /// Those whose names match none, where they are anything in particular.
    pub rest: Option<Field>,
}

impl Fields {
    /// The name of the field that a part is of, which may be a member's
    /// (`field[member]`).
    pub(super) fn name<'p>(&self, part: &'p str) -> &'p str {
        let mut named = self.named.iter();
        let length = match named.find(|(name, _)| is_of(part, name)) {
            Some((name, _)) => name.len(),
            None => part.find('[').unwrap_or(part.len()),
        };
        part.get(..length).unwrap_or(part)
    }

    /// What is said of a field.
    pub(super) fn get(&self, name: &str) -> Option<&Field> {
        let named = self.named.iter().find(|(own, _)| *own == name);
        named.map(|(_, field)| field).or_else(|| {
            let mut matched = self.matched.iter();
            let matched = matched.find(|(pattern, _)| pattern.is_match(name));
            matched.map(|(_, field)| field).or(self.rest.as_ref())
        })
    }

    /// Whether a part is a file.
    pub(super) fn is_file(&self, part: &str) -> bool {
        self.get(self.name(part)).is_some_and(Field::is_file)
    }
}
