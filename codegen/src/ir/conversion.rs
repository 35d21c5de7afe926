//! Conversions between the read and the write variant of a schema, where every value has one.

use super::{ModelId, Name};

/// How a model becomes another.
#[derive(Debug)]
pub struct Conversion {
    /// The model that is converted.
    pub from: ModelId,
    /// The model after the conversion.
    pub to: ModelId,
    /// The conversion of its parts.
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

/// The conversion of a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// None: it stays the same.
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
