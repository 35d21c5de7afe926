//! What the keyword `format` means: the one table from formats to Rust types.
//!
//! The standard rows are `standard.yaml`; a team changes them with a file of the same form. A format
//! is asserted where the table has a row for it that is not `ignored`; any other is an annotation,
//! as JSON Schema 2020-12 (Validation §7.2.1) has it.

mod read;

use crate::diagnostic::Diagnostics;
use crate::source::Source;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// The table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Formats {
    rows: BTreeMap<String, Meaning>,
    /// Whether formats without a row are as if they had not been written.
    none_else: bool,
    /// The range of integers that the document does not bound; none for all numbers.
    integers: Option<(i128, i128)>,
}

/// What a format means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Meaning {
    /// Nothing to the machine.
    Ignored,
    /// A form that the runtime knows; the Rust type is that of the JSON type.
    Checked,
    /// A Rust type for the strings that are of it.
    Type(Box<Typed>),
}

/// A Rust type for the strings of a format. Paths and expressions are Rust.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Typed {
    /// The type.
    pub ty: String,
    /// An expression over `text: &str` of a `Result` of the type; none for `text.parse()`.
    pub read: Option<String>,
    /// An expression over `value`, a reference to the type, that can be displayed; none for `value`.
    pub write: Option<String>,
    /// The traits that the type has beside `Debug`, `Clone` and `PartialEq`, and that can be derived.
    pub derives: Vec<String>,
    /// The crate that the type comes from; none for the standard library.
    pub dependency: Option<Dependency>,
}

/// A dependency of a generated crate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dependency {
    /// The package.
    pub name: String,
    /// As cargo takes it; none for a package that is known by its path alone.
    pub version: Option<String>,
    /// The folder of a package, relative to that of the generated crate.
    pub path: Option<String>,
    /// The features that are wanted.
    pub features: Vec<String>,
    /// Whether those that the package has by default are wanted too.
    pub default_features: bool,
}

static STANDARD: LazyLock<Formats> = LazyLock::new(|| {
    let empty = Formats {
        rows: BTreeMap::new(),
        none_else: false,
        integers: None,
    };
    // `standard.yaml`, which a test holds to be right.
    let table = serde_json::from_str(include_str!(concat!(env!("OUT_DIR"), "/formats.json")));
    let rows = read::with(empty.clone(), &table.unwrap_or_default());
    rows.unwrap_or(empty)
});

impl Default for Formats {
    /// The standard rows.
    fn default() -> Formats {
        STANDARD.clone()
    }
}

impl Formats {
    /// Every format is an annotation, as JSON Schema 2020-12 (Validation §7.2.1) has it unless told
    /// otherwise.
    pub fn annotations() -> Formats {
        Formats {
            rows: BTreeMap::new(),
            none_else: true,
            integers: None,
        }
    }

    /// The standard rows as a team's file changes them.
    ///
    /// # Errors
    /// All problems found in the file, each with its place.
    pub fn changed_by(source: &Source) -> Result<Formats, Diagnostics> {
        read::over(Formats::default(), source)
    }

    /// What a format means; nothing where it has no row.
    pub fn meaning(&self, format: &str) -> Option<&Meaning> {
        self.rows.get(format)
    }

    /// Whether a format is as if it had not been written.
    pub fn ignores(&self, format: &str) -> bool {
        match self.rows.get(format) {
            Some(meaning) => *meaning == Meaning::Ignored,
            None => self.none_else,
        }
    }

    /// The range of integers that the document does not bound; none where every number is one.
    pub(crate) fn integers(&self) -> Option<(i128, i128)> {
        self.integers
    }

    /// Every row, by the names of formats.
    pub fn rows(&self) -> impl Iterator<Item = (&str, &Meaning)> {
        self.rows.iter().map(|(name, row)| (name.as_str(), row))
    }

    /// Whether a format is asserted.
    pub(crate) fn asserts(&self, format: &str) -> bool {
        matches!(
            self.rows.get(format),
            Some(Meaning::Checked | Meaning::Type(_))
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_standard_rows_are_right() {
        let source = Source {
            name: "standard.yaml".into(),
            text: include_str!("formats/standard.yaml").into(),
        };
        let found = Formats::changed_by(&source);
        assert_eq!(
            found.map_err(|found| found.render(&source)),
            Ok(Formats::default())
        );
        assert!(Formats::default().asserts("uuid"));
    }

    #[test]
    fn annotations_ignore_what_has_no_row() {
        assert!(Formats::annotations().ignores("uuid"));
        assert!(!Formats::default().ignores("a format of their own"));
    }
}
