//! What the members of an object say about the variant of a union that it is.

use crate::schema::JsonType;
use serde_json::Value;

/// What every object of a variant is like; one that is otherwise is not of the variant.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct VariantFilter {
    /// The members that it must have.
    pub required: Vec<String>,
    /// The only members that it may have; `None` where others are fine.
    pub closed: Option<Vec<String>>,
    /// The types that members may have.
    pub members: Vec<(String, Vec<JsonType>)>,
    /// The values that members may have: truth values, texts and whole numbers of 64 bits.
    pub constants: Vec<(String, Vec<Value>)>,
    /// The variants after this one that it does not tell apart from this one.
    pub overlaps: Vec<usize>,
}
