//! Who is calling, and whether they may go on: keys and limits in one decision.
//!
//! A [`Gate`] is asked once for every request, after routing and before anything else. It answers
//! from memory alone. This module knows no requests, statuses or operations: whether a key is
//! required is the contract's matter, and how a refusal reads is the caller's business.

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
