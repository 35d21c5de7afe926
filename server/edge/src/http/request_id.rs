//! The id that ties an answer to its log lines.
//!
//! The layer of `tower-http` keeps the id of any client; here a trusted proxy alone may choose one,
//! of a few plain characters, since it ends up in the log
//! (`only_a_plain_id_from_a_trusted_proxy_is_kept`).

use http::{HeaderMap, HeaderName, HeaderValue};
use jiff::Timestamp;
use uuid::fmt::Hyphenated;
use uuid::{NoContext, Uuid};

pub(super) const X_REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
const MAX_LEN: usize = 64;

/// The id of one request: a new UUIDv7, or the id that a trusted proxy has sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestId(HeaderValue);

impl RequestId {
    /// The id for a request with `headers` that has arrived at `arrived_at`.
    pub(super) fn choose(
        headers: &HeaderMap,
        from_trusted_proxy: bool,
        arrived_at: Timestamp,
    ) -> Self {
        let inbound = || headers.get(X_REQUEST_ID);
        let believed = from_trusted_proxy.then(inbound).flatten();
        match believed.filter(|id| is_plain(id.as_bytes())) {
            Some(id) => Self(id.clone()),
            None => Self::new(arrived_at),
        }
    }

    fn new(arrived_at: Timestamp) -> Self {
        let seconds = u64::try_from(arrived_at.as_second()).unwrap_or_default();
        let nanoseconds = arrived_at.subsec_nanosecond().unsigned_abs();
        let time = uuid::Timestamp::from_unix(NoContext, seconds, nanoseconds);
        let mut text = [0; Hyphenated::LENGTH];
        let text = Uuid::new_v7(time).hyphenated().encode_lower(&mut text);
        Self(HeaderValue::from_str(text).unwrap_or(HeaderValue::from_static("unknown")))
    }

    /// The id as text: one to 64 of the characters `A-Za-z0-9._-`.
    pub fn as_str(&self) -> &str {
        self.0.to_str().unwrap_or_default()
    }

    pub(super) fn header_value(&self) -> HeaderValue {
        self.0.clone()
    }
}

fn is_plain(id: &[u8]) -> bool {
    (1..=MAX_LEN).contains(&id.len())
        && id
            .iter()
            .all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::UNIX_EPOCH;

    #[track_caller]
    fn check(inbound: &str, from_trusted_proxy: bool, believed: bool) {
        let value = HeaderValue::from_bytes(inbound.as_bytes()).unwrap();
        let headers = HeaderMap::from_iter([(X_REQUEST_ID, value)]);
        let id = RequestId::choose(&headers, from_trusted_proxy, NOW);
        if believed {
            assert_eq!(id.as_str(), inbound);
        } else {
            let version = Uuid::parse_str(id.as_str()).unwrap().get_version_num();
            assert_eq!(version, 7, "{id:?}");
        }
    }

    #[test]
    fn only_a_plain_id_from_a_trusted_proxy_is_kept() {
        check("a.B_9-z", true, true);
        check(&"a".repeat(64), true, true);
        check("a.B_9-z", false, false);
        check(&"a".repeat(65), true, false);
        check("", true, false);
        check("a b", true, false);
        check("a\"b", true, false);
        check("ü", true, false);
    }

    #[test]
    fn a_request_without_an_id_gets_a_fresh_one() {
        let id = || RequestId::choose(&HeaderMap::new(), true, NOW);
        assert_ne!(id(), id());
    }
}
