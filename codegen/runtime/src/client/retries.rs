//! When a call is sent again, and how long to wait before.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher as _, Hasher as _};
use std::time::{Duration, SystemTime};

use http::header::RETRY_AFTER;
use http::{HeaderMap, Method, StatusCode, request};

/// How often a call is sent again that failed for a time, and after which waits.
///
/// A wait is twice as long as the one before, and random in its upper half, so that many clients do
/// not come back at once. A response with `Retry-After` adds its time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Retries {
    /// How often a call is sent again at most.
    pub most: u32,
    /// The first wait.
    pub first_wait: Duration,
    /// The longest wait. An answer whose `Retry-After` is longer is the call's answer.
    pub longest_wait: Duration,
}

impl Retries {
    /// None: the first answer is the call's answer.
    pub const NONE: Self = Self {
        most: 0,
        first_wait: Duration::ZERO,
        longest_wait: Duration::ZERO,
    };

    /// The wait before a call is sent again that has been so often already; `None` where it is not.
    /// `asked` is the time that the last response asks for.
    pub(crate) fn wait(&self, retried: u32, asked: Option<Duration>) -> Option<Duration> {
        let asked = asked.unwrap_or_default();
        if retried >= self.most || asked > self.longest_wait {
            return None;
        }
        let factor = 2_u32.saturating_pow(retried);
        let longest = self.first_wait.saturating_mul(factor);
        Some(asked + jittered(longest.min(self.longest_wait)))
    }
}

impl Default for Retries {
    /// Twice, after some 0.2 and 0.4 seconds, or up to 20 seconds where the server asks for that.
    fn default() -> Self {
        Self {
            most: 2,
            first_wait: Duration::from_millis(200),
            longest_wait: Duration::from_secs(20),
        }
    }
}

/// Between a half and the whole of a wait.
fn jittered(wait: Duration) -> Duration {
    // The keys of a hash map are random, and good enough to spread clients.
    let random = RandomState::new().build_hasher().finish();
    let part = u32::try_from(random % 1024).unwrap_or_default();
    wait / 2 + wait / 2 * part / 1024
}

/// Whether a request may be sent again after the server may have had it: its method says so
/// (RFC 9110 §9.2.2), or an `Idempotency-Key` lets the server know it again.
pub(crate) fn is_idempotent(request: &request::Parts) -> bool {
    let by_method = [
        Method::GET,
        Method::HEAD,
        Method::PUT,
        Method::DELETE,
        Method::OPTIONS,
        Method::TRACE,
    ];
    by_method.contains(&request.method)
        // Safe, as a search is that has a body.
        || request.method.as_str() == "QUERY"
        || request.headers.contains_key("idempotency-key")
}

/// Whether an answer says that the same call may succeed soon.
pub(crate) fn is_temporary(status: StatusCode) -> bool {
    matches!(status.as_u16(), 429 | 502 | 503 | 504)
}

/// The wait that `Retry-After` asks for: its seconds, or the time until its date.
pub(crate) fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let text = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    if let Ok(seconds) = text.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let until = httpdate::parse_http_date(text).ok()?;
    Some(
        until
            .duration_since(SystemTime::now())
            .unwrap_or(Duration::ZERO),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_grow_within_their_bounds_and_end() {
        let retries = Retries {
            most: 3,
            first_wait: Duration::from_secs(2),
            longest_wait: Duration::from_secs(5),
        };
        for (retried, longest) in [(0, 2), (1, 4), (2, 5)] {
            let longest = Duration::from_secs(longest);
            for _ in 0..100 {
                let wait = retries.wait(retried, None);
                assert!(wait.is_some_and(|it| longest / 2 <= it && it <= longest));
            }
        }
        assert_eq!(retries.wait(3, None), None);
        assert_eq!(Retries::NONE.wait(0, None), None);
        let waits: Vec<_> = (0..20).map(|_| retries.wait(0, None)).collect();
        assert!(waits.iter().any(|wait| Some(wait) != waits.first()));
    }

    #[test]
    fn what_the_server_asks_for_is_waited_for_or_not_at_all() {
        let retries = Retries::default();
        let asked = Duration::from_secs(3);
        assert!(retries.wait(0, Some(asked)) > Some(asked));
        assert_eq!(retries.wait(0, Some(Duration::from_secs(21))), None);
        let asks = |text: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(RETRY_AFTER, text.parse().ok()?);
            retry_after(&headers)
        };
        assert_eq!(asks("120"), Some(Duration::from_secs(120)));
        assert_eq!(asks("Sun, 06 Nov 1994 08:49:37 GMT"), Some(Duration::ZERO));
        let soon = httpdate::fmt_http_date(SystemTime::now() + Duration::from_secs(60));
        assert!(asks(&soon).is_some_and(|it| it.as_secs() > 50 && it.as_secs() <= 60));
        assert_eq!(asks("soon"), None);
    }
}
