//! Generated models and traits.
