//! JSON Schema 2020-12 for the generator and for what it generates.
//!
//! - [`validator`]: compiles a bundle of named schemas ([`Schemas`]) and names
//!   every violation of one of them by a value as an [`Issue`].
//! - [`keyword`]: the table of keywords.
//! - [`pattern`]: regular expressions of ECMA-262, matched within bounds.
//! - [`number`] and [`equality`]: exact decimals, and when two JSON values are
//!   equal.
//! - [`format`]: the values of `format` that are checked.
//! - [`types`]: sets of the types of JSON values.
//! - [`coerce`]: the value that raw text, such as a query parameter, stands
//!   for under a schema.
//! - [`json`]: reads JSON in which no object repeats a member.
//!
//! The feature `exact-numbers` (on by default) keeps all digits of numbers.

pub mod coerce;
pub mod equality;
pub mod format;
pub mod issue;
pub mod json;
pub mod keyword;
pub mod number;
pub mod pattern;
pub mod types;
pub mod validator;

pub use self::issue::{Issue, Issues, Place};
pub use self::pattern::Pattern;
pub use self::validator::Schemas;
