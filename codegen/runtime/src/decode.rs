//! From text to types: parameters, forms and JSON, read strictly, with every violation.

pub(crate) mod buffered;
pub(crate) mod candidates;
pub mod check;
pub mod condition;
pub mod constant;
pub(crate) mod explain;
pub(crate) mod form_pairs;
pub mod formatted;
pub mod integer;
pub(crate) mod json_single;
pub(crate) mod json_text;
pub mod object;
pub(crate) mod param;
pub(crate) mod param_source;
pub(crate) mod param_text;
pub(crate) mod raw_decode;
pub(crate) mod reader;
pub(crate) mod replay;
pub mod union;
pub(crate) mod union_parts;
pub(crate) mod variant_filter;
