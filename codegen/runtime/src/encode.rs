//! From types to text: JSON, headers, parameters and responses.

pub(crate) mod encoded;
pub mod expression;
pub mod fields;
pub(crate) mod object_writer;
pub(crate) mod param_write;
pub(crate) mod response;
