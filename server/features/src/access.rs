//! Authentication and rate limiting of requests, in one decision.
//!
//! A [`Gate`] decides on every request once, after routing and before all other checks, and from
//! memory. This module depends neither on HTTP nor on operations: the contract says whether a key is
//! required, and the caller writes the response.

mod gate;
mod rates;

pub use gate::whole_seconds;
pub use gate::{AdmissionRequest, Decision, Gate, Principal};
pub use rates::RateLimits;
