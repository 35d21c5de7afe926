//! Requests for another tier: a member of a project asks with a sentence, an operator decides with one.

mod decision;
mod message;
mod request;
pub(crate) mod sql;

pub use decision::{decide, open};
pub use request::{
    Decision, NewTierRequest, TierRequest, TierRequestError, TierRequestId, TierRequestRejection,
    ask, latest,
};
