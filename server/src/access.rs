//! Authentication and rate limiting of requests, in one decision.
//!
//! A [`Gate`] decides on every request once, after routing and before all other checks, and from
//! memory. This module depends neither on HTTP nor on operations: the contract says whether a key is
//! required, and the caller writes the response.

mod client;
mod gate;
mod rate_headers;
mod rates;

pub use client::{ProxyNetwork, ProxyNetworkError, TrustedProxies};
pub(crate) use gate::whole_seconds;
pub use gate::{AdmissionRequest, Decision, Gate, Outcome, Principal};
pub use rate_headers::RateHeaders;
pub use rates::RateLimits;

use http::HeaderName;

/// The header that carries a key.
pub const KEY_HEADER: HeaderName = HeaderName::from_static("service-api-key");
