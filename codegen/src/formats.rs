//! The table of formats: the Rust type of each `format`.
//!
//! The standard rows are `standard.yaml`; a team changes them with a file of the same structure. A
//! format is asserted if the table has a row for it that is not `ignored`; any other is an
//! annotation, as in JSON Schema 2020-12 (Validation §7.2.1).

mod read;

use crate::diagnostic::Diagnostics;
use crate::source::{Pointer, Source};
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// The table of formats.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Formats {
    /// The rows that a team has changed or added.
    rows: BTreeMap<String, Meaning>,
    /// The meaning of formats without such a row.
    others: Others,
    /// The range of integers that the document leaves unbounded; `None` for all.
    integers: Option<(i128, i128)>,
}

/// The meaning of a format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Meaning {
    /// An annotation.
    Ignored,
    /// Checked by the runtime; the Rust type is the one of the JSON type.
    Checked,
    /// A Rust type for its strings.
    Type(Box<Typed>),
}

/// A Rust type for the strings of a format. Paths and expressions are Rust.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Typed {
    /// The type.
    pub ty: String,
    /// An expression over `text: &str` that gives a `Result` of the type; `None` for
    /// `text.parse()`.
    pub read: Option<String>,
    /// An expression over `value`, a reference to the type, that implements `Display`; `None` for
    /// `value`.
    pub write: Option<String>,
    /// The traits that can be derived beside `Debug`, `Clone` and `PartialEq`.
    pub derives: Vec<String>,
    /// The crate of the type; `None` for the standard library.
    pub dependency: Option<Dependency>,
}

/// A dependency of a generated crate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dependency {
    /// The package.
    pub name: String,
    /// The version requirement; `None` for a package with a path alone.
    pub version: Option<String>,
    /// The folder of a package, relative to the generated crate's.
    pub path: Option<String>,
    /// The features to enable.
    pub features: Vec<String>,
    /// Whether its default features are enabled too.
    pub default_features: bool,
}

/// The meaning of formats that a team's file does not have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Others {
    /// The standard rows hold; formats without one are annotations.
    Standard,
    /// They are ignored.
    Ignored,
}

/// The type that a schema names as its own, by `x-rust-type`.
///
/// # Errors
/// The errors of the row, each with its place.
pub(crate) fn own_type(row: &Value, is_text: bool, at: &Pointer) -> Result<Typed, Diagnostics> {
    read::own_type(row, is_text, at)
}

/// The standard rows, read only for a document with formats.
static STANDARD: LazyLock<BTreeMap<String, Meaning>> = LazyLock::new(|| {
    // A test checks the file.
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
    /// Makes every format an annotation, as JSON Schema 2020-12 (Validation §7.2.1) has it by
    /// default.
    pub fn annotations() -> Formats {
        Formats {
            rows: BTreeMap::new(),
            others: Others::Ignored,
            integers: None,
        }
    }

    /// The standard rows with the changes of a team's file.
    ///
    /// # Errors
    /// All problems found in the file, each with its place.
    pub fn changed_by(source: &Source) -> Result<Formats, Diagnostics> {
        read::over(Formats::default(), source)
    }

    /// The meaning of a format; `None` where it has no row.
    pub fn meaning(&self, format: &str) -> Option<&Meaning> {
        let own = self.rows.get(format);
        own.or_else(|| match self.others {
            Others::Standard => STANDARD.get(format),
            Others::Ignored => None,
        })
    }

    /// Whether a format is ignored.
    pub fn ignores(&self, format: &str) -> bool {
        match self.meaning(format) {
            Some(meaning) => *meaning == Meaning::Ignored,
            None => self.others == Others::Ignored,
        }
    }

    /// The name of the row of a type that a schema names as its own; the row is added, unless it is there.
    pub(crate) fn add(&mut self, typed: Typed) -> String {
        let path = typed.ty.split('<').next().unwrap_or_default();
        let short = path.rsplit("::").next().unwrap_or_default().trim();
        let mut name = short.to_owned();
        let meaning = Meaning::Type(Box::new(typed));
        while self.meaning(&name).is_some_and(|known| *known != meaning) {
            name.push('\'');
        }
        self.rows.insert(name.clone(), meaning);
        name
    }

    /// The range of integers that the document leaves unbounded; `None` for all.
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
        let written = found.expect("a table without errors");
        assert_eq!(written.rows, *STANDARD);
        assert_eq!(written.integers, Formats::default().integers);
        assert!(Formats::default().asserts("uuid"));
    }

    #[test]
    fn annotations_ignore_formats_without_a_row() {
        assert!(Formats::annotations().ignores("uuid"));
        assert!(!Formats::default().ignores("a format of their own"));
    }
}
