//! Rust types for the strings of a `format`.

use super::Name;
use crate::formats::Typed;

/// The index of a format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct FormatId(pub usize);

/// A format of the contract whose strings have a type.
#[derive(Debug)]
pub struct Format {
    /// Its name in schemas.
    pub wire: String,
    /// The name of its type.
    pub name: Name,
    /// The row of the table.
    pub typed: Typed,
}
