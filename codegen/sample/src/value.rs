//! Values without parts: numbers and strings near the limits of a schema, and the choice among them.

pub(crate) mod choice;
pub(crate) mod pattern;
pub(crate) mod scalar;
pub(crate) mod text;
