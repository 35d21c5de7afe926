//! Reads an OpenAPI document and renders a Rust crate from it.
