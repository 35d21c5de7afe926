//! JSON Schema 2020-12: validates JSON values and names every violation.
//!
//! The generator asks it about the values of a contract; generated servers and
//! clients ask it about requests that their types refused.
//!
//! ```
//! use json_schema::{Issues, Place, Schemas};
//!
//! let schemas = Schemas::parse(r#"{ "Age": { "type": "integer", "minimum": 0 } }"#);
//! let mut issues = Issues::new();
//! schemas.validate("Age", &(-1).into(), Place::Body, "", &mut issues);
//! assert_eq!(issues.as_slice()[0].message, "must be at least 0");
//! ```
//!
//! - [`validator`]: compiles a bundle of named schemas ([`Schemas`]) and names
//!   every violation of one of them by a value as an [`Issue`].
//! - [`keyword`]: the table of keywords.
//! - [`pattern`]: regular expressions of ECMA-262, matched within bounds.
//! - [`number`] and [`equality`]: exact decimals, and when two JSON values are
//!   equal.
//! - [`mod@format`]: the values of `format` that are checked.
//! - [`pairs`] and [`style`]: values as the texts of queries, forms, paths and
//!   headers.
//! - [`mod@reference`]: references between the schemas of a bundle.
//! - [`types`]: sets of the types of JSON values.
//! - [`coerce`]: the value that raw text, such as a query parameter, stands
//!   for under a schema.
//! - [`json`]: reads JSON in which no object repeats a member.
//!
//! The feature `exact-numbers` (on by default) turns on `arbitrary_precision` of `serde_json`, so that numbers
//! keep all their digits; without it, a number is an `f64` or a 64-bit integer. `serde_json` also has
//! `preserve_order`: violations are named in the order of the schema.

pub mod coerce;
pub mod equality;
pub mod format;
pub mod issue;
pub mod json;
pub mod keyword;
pub mod number;
pub mod pairs;
pub mod pattern;
pub mod reference;
pub mod style;
pub mod types;
pub mod validator;

pub use self::issue::{Issue, Issues, Place};
pub use self::pattern::Pattern;
pub use self::validator::Schemas;
