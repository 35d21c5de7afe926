//! Suspensions: an operator takes a project out of service until it is resumed.
//!
//! The keys of a suspended project are refused like any that does not work, 403 `INVALID_API_KEY`: the
//! contract has no other answer for a key that is refused. They are not revoked, so that they work again
//! afterwards; the dashboard shows the members why. Its owners get nothing in place of it until then: [`OwnsSuspended`].

mod message;
pub mod sql;
pub mod store;
mod suspension;

pub use suspension::{
    OwnsSuspended, Suspension, SuspensionError, SuspensionRejection, of_project, resume, suspend,
};
