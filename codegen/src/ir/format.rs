//! Rust types that stand for the strings of a `format`.

use crate::formats::Typed;

/// The index of a format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct FormatId(pub usize);

/// A format of the contract whose strings have a type.
#[derive(Debug)]
pub struct Format {
    /// As schemas name it.
    pub name: String,
    /// The type around that of the table, in `formats.rs`.
    pub rust: String,
    /// The row of the table.
    pub typed: Typed,
}
