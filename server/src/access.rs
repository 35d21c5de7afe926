//! Who is calling, and whether they may go on: keys and limits in one decision.
//!
//! A [`Gate`] is asked once for every request, after routing and before anything else. It answers
//! from memory alone. This module knows headers but no bodies, statuses or operations: what each
//! operation asks for arrives as a [`KeyPolicy`], and how a refusal reads is the caller's business.

mod client;
mod gate;
mod key_table;
mod presented;

pub use client::{ProxyNetwork, ProxyNetworkError, TrustedProxies};
pub use gate::{ANONYMOUS_LIMIT, Caller, Decision, Gate, Outcome, RateHeaders, Visit};
pub use key_table::KeyTable;
pub use presented::{KEY_HEADER, Presented};

/// What a route asks of the key header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyPolicy {
    /// Without a valid key the request is refused.
    Required,
    /// A key may be left out; one that is sent must be valid.
    Optional,
    /// The header is not even read.
    Public,
    /// No operation was found (404, 405). A valid key decides who is charged; a wrong one is not
    /// reported, because routing comes first.
    NoRoute,
}
