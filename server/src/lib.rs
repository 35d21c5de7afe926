//! The donation catalog API: implements the generated traits over an embedded database.

pub mod demo;
pub mod domain;
pub mod import;
pub mod store;
