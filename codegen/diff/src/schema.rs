//! Differences between the schemas of two versions of a contract.
//!
//! Schemas are compared in normal form, place by place, and a pair of schemas once, however often it is
//! referred to. Recursive schemas are equal exactly when no finite value distinguishes them.

mod compare;
mod edit;
mod exclusive;
mod fixpoint;
mod limits;
mod pairs;
mod variants;

pub(crate) use edit::Effect;
pub(crate) use exclusive::is_exclusive;
pub(crate) use pairs::{Finding, PairId, SchemaPairs, Step};
