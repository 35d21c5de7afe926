//! From text to types: parameters, forms and JSON. A server reads strictly, and reports every violation; a client
//! is a tolerant reader.

pub(crate) mod buffered;
pub mod check;
pub mod condition;
pub mod constant;
pub(crate) mod explain;
pub mod formatted;
pub mod integer;
pub(crate) mod json_single;
pub(crate) mod json_text;
pub(crate) mod loose_formats;
pub mod object;
pub(crate) mod replay;
pub(crate) mod tolerant;
pub mod union;
pub(crate) mod union_parts;
pub(crate) mod variant_filter;

#[cfg(feature = "operations")]
pub(crate) mod candidates;
#[cfg(feature = "operations")]
pub(crate) mod form_pairs;
#[cfg(feature = "operations")]
pub(crate) mod param;
#[cfg(feature = "operations")]
pub(crate) mod param_source;
#[cfg(feature = "operations")]
pub(crate) mod param_text;
#[cfg(feature = "operations")]
pub(crate) mod raw_decode;
#[cfg(feature = "operations")]
pub(crate) mod reader;
