//! The `X-RateLimit-*` headers of an answer.

use http::{HeaderName, HeaderValue};

const LIMIT: HeaderName = HeaderName::from_static("x-ratelimit-limit");
const REMAINING: HeaderName = HeaderName::from_static("x-ratelimit-remaining");
const RESET: HeaderName = HeaderName::from_static("x-ratelimit-reset");

/// The values of the `X-RateLimit-*` headers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RateHeaders {
    /// `X-RateLimit-Limit`: requests in any 60 s.
    pub limit: u32,
    /// `X-RateLimit-Remaining`: how many of them are left now.
    pub remaining: u32,
    /// `X-RateLimit-Reset`: the epoch second at which the oldest counted request has left the window.
    pub reset: i64,
}

impl RateHeaders {
    pub fn named(self) -> Vec<(HeaderName, HeaderValue)> {
        vec![
            (LIMIT, HeaderValue::from(self.limit)),
            (REMAINING, HeaderValue::from(self.remaining)),
            (RESET, HeaderValue::from(self.reset)),
        ]
    }
}
