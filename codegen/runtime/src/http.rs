//! HTTP as both sides see it: operations, media types, path captures, credentials, and why a request is
//! rejected.

pub(crate) mod captures;
pub mod credential;
pub(crate) mod entity_tag;
pub(crate) mod error_body;
pub(crate) mod header_lines;
pub(crate) mod limits;
pub mod media;
pub(crate) mod operation;
pub(crate) mod query;
pub mod rejection;
pub(crate) mod segment;
