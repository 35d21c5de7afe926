//! The platform's own nouns and rules. Knows nothing of HTTP, of the generated code or of the store.

pub mod project;
