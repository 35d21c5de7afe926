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
    /// Those that a team has changed or added.
    rows: BTreeMap<String, Meaning>,
    /// What holds of formats without such a row.
    others: Others,
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

/// The formats that a team has not spoken of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Others {
    /// They have the standard rows, and are annotations where there is none.
    Standard,
    /// They are as if they had not been written.
    Ignored,
}

/// The standard rows, which a document that has no format does without.
static STANDARD: LazyLock<BTreeMap<String, Meaning>> = LazyLock::new(|| {
    // A test holds the file to be right.
    let table = serde_yaml::from_str(include_str!("formats/standard.yaml"));
    read::rows(&table.unwrap_or_default())
});

impl Default for Formats {
    /// The standard rows.
    fn default() -> Formats {
        Formats {
            rows: BTreeMap::new(),
            others: Others::Standard,
            integers: None,
        }
    }
}

impl Formats {
    /// Every format is an annotation, as JSON Schema 2020-12 (Validation §7.2.1) has it unless told
    /// otherwise.
    pub fn annotations() -> Formats {
        Formats {
            rows: BTreeMap::new(),
            others: Others::Ignored,
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
        let own = self.rows.get(format);
        own.or_else(|| match self.others {
            Others::Standard => STANDARD.get(format),
            Others::Ignored => None,
        })
    }

    /// Whether a format is as if it had not been written.
    pub fn ignores(&self, format: &str) -> bool {
        match self.meaning(format) {
            Some(meaning) => *meaning == Meaning::Ignored,
            None => self.others == Others::Ignored,
        }
    }

    /// The range of integers that the document does not bound; none where every number is one.
    pub(crate) fn integers(&self) -> Option<(i128, i128)> {
        self.integers
    }

    /// Every row, by the names of formats.
    pub fn rows(&self) -> BTreeMap<&str, &Meaning> {
        let mut rows = BTreeMap::new();
        if self.others == Others::Standard {
            rows.extend(STANDARD.iter().map(|(name, row)| (name.as_str(), row)));
        }
        rows.extend(self.rows.iter().map(|(name, row)| (name.as_str(), row)));
        rows
    }

    /// Whether a format is asserted.
    pub(crate) fn asserts(&self, format: &str) -> bool {
        matches!(
            self.meaning(format),
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
        let found = Formats::changed_by(&source).map_err(|found| found.render(&source));
        let written = found.expect("a table without faults");
        assert_eq!(written.rows, *STANDARD);
        assert_eq!(written.integers, Formats::default().integers);
        assert!(Formats::default().asserts("uuid"));
    }

    #[test]
    fn annotations_ignore_what_has_no_row() {
        assert!(Formats::annotations().ignores("uuid"));
        assert!(!Formats::default().ignores("a format of their own"));
    }
}
