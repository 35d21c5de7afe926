//! From types to text: JSON, headers, parameters, requests and responses.

pub(crate) mod encoded;
pub mod fields;
pub(crate) mod object_writer;

#[cfg(feature = "operations")]
pub mod expression;
#[cfg(feature = "operations")]
pub(crate) mod param_write;
#[cfg(feature = "operations")]
pub(crate) mod path;
#[cfg(feature = "operations")]
pub(crate) mod request_builder;
#[cfg(feature = "server")]
pub(crate) mod response;
