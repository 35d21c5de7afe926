//! The document has no operations.

/// None that failed.
pub fn all() -> Vec<String> {
    Vec::new()
}
