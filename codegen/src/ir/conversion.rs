//! Conversions between the read and the write variant of a schema, where every value has one.

use super::{ModelId, Name};

/// How a model becomes another.
#[derive(Debug)]
pub struct Conversion {
    /// The model that is converted.
    pub from: ModelId,
    /// What it becomes.
    pub to: ModelId,
    /// What becomes of its parts.
    pub parts: ConvertedParts,
}

/// The parts of a model that is converted.
#[derive(Debug)]
pub enum ConvertedParts {
    /// The fields of the struct that is made.
    Fields(Vec<(Name, Step)>),
    /// The variants of the union that is converted, which have the same names in the other.
    Variants(Vec<(Name, Step)>),
}

/// What becomes of a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// It stays what it is.
    Same,
    /// It has a conversion of its own.
    Converted {
        /// Whether it is taken out of a box.
        unboxed: bool,
        /// Whether it is put into a box.
        boxed: bool,
    },
    /// It is converted where it is there.
    Optional(Box<Step>),
    /// Each item is converted.
    Items(Box<Step>),
    /// The value of each member is converted.
    Members(Box<Step>),
    /// It is always there, and converted.
    Present(Box<Step>),
    /// It is not there.
    Absent,
    /// No members are kept.
    Empty,
}
