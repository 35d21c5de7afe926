//! Authentication and rate limiting of requests, in one decision.
//!
//! A [`Gate`] is asked once for every request, after routing and before anything else. It answers
//! from memory alone. This module knows no HTTP and no operations: the contract says whether a key
//! is required, and the caller writes the response.

mod client;
mod gate;
mod rate_headers;
mod rates;

pub use client::{ProxyNetwork, ProxyNetworkError, TrustedProxies};
pub use gate::{AdmissionRequest, Decision, Gate, Outcome, Principal};
pub use rate_headers::RateHeaders;
pub use rates::RateLimits;

use http::HeaderName;

/// The header that carries a key.
pub const KEY_HEADER: HeaderName = HeaderName::from_static("service-api-key");
