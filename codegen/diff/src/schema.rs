//! Differences between the schemas of two versions of a contract.
//!
//! Schemas are compared in normal form, place by place. A pair of schemas is looked at once, however often
//! it is referred to; recursive schemas are equal exactly when no finite value tells them apart.

mod edit;
mod exclusive;
mod limits;
mod pairs;
mod read;
mod settle;
mod variants;

pub(crate) use edit::Effect;
pub(crate) use exclusive::is_exclusive;
pub(crate) use pairs::{Finding, PairId, SchemaPairs, Step};
