//! What the members of an object say about the variant of a union that it is.

use crate::schema::JsonType;

/// What every object of a variant is like; one that is otherwise is not of the variant.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Outline {
    /// The members that it must have.
    pub required: Vec<String>,
    /// The only members that it may have; `None` where others are fine.
    pub closed: Option<Vec<String>>,
    /// The types that members may have.
    pub members: Vec<(String, Vec<JsonType>)>,
}
