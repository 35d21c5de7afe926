//! Filters on an object's members that rule out variants of a union.

use crate::schema::JsonType;
use serde_json::Value;

/// Conditions that every object of a variant meets; other objects are not of the variant.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct VariantFilter {
    /// The members that it must have.
    pub required: Vec<String>,
    /// The only members that it may have; `None` where others are allowed.
    pub closed: Option<Vec<String>>,
    /// The types that members may have.
    pub members: Vec<(String, Vec<JsonType>)>,
    /// The values that members may have: truth values, texts and whole numbers of 64 bits.
    pub constants: Vec<(String, Vec<Value>)>,
    /// The variants after this one that it does not tell apart from this one.
    pub overlaps: Vec<usize>,
}
