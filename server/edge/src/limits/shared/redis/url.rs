//! The URL of a Redis.

use std::fmt;
use std::str::FromStr;

use redis::{ConnectionInfo, IntoConnectionInfo};

/// The URL of a Redis, such as `redis://user:password@host:6379/0`, or `rediss://…` for TLS. Its
/// `Debug` form shows no password.
#[derive(Clone, PartialEq, Eq, serde::Deserialize)]
#[serde(try_from = "String")]
pub struct RedisUrl {
    /// The URL with the scheme `redis`.
    plain: String,
    tls: bool,
}

/// The text is no URL of a Redis.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum RedisUrlError {
    /// Not of the form.
    #[error("is not of the form redis://HOST:PORT, rediss://HOST:PORT or redis+unix:///PATH")]
    Malformed,
    /// `#insecure`, or anything else after a `#`.
    #[error("has a #fragment: verification of certificates cannot be disabled")]
    Fragment,
}

impl RedisUrl {
    /// Address and credentials, without TLS.
    pub(super) fn info(&self) -> redis::RedisResult<ConnectionInfo> {
        self.plain.as_str().into_connection_info()
    }

    /// Whether the connection uses TLS.
    pub(super) fn tls(&self) -> bool {
        self.tls
    }
}

impl FromStr for RedisUrl {
    type Err = RedisUrlError;

    /// The library is given the URL without TLS, and a connection that has it.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let encrypted = ["redis", "valkey"].iter().find_map(|scheme| {
            let rest = text.strip_prefix(scheme)?.strip_prefix("s:")?;
            Some(format!("{scheme}:{rest}"))
        });
        if encrypted.is_some() && text.contains('#') {
            return Err(RedisUrlError::Fragment);
        }
        let url = Self {
            tls: encrypted.is_some(),
            plain: encrypted.unwrap_or_else(|| text.to_owned()),
        };
        url.info().map_err(|_| RedisUrlError::Malformed)?;
        Ok(url)
    }
}

impl TryFrom<String> for RedisUrl {
    type Error = RedisUrlError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl fmt::Debug for RedisUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RedisUrl(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_is_checked_and_keeps_its_password_to_itself() {
        let check = |text: &str, tls| {
            let url = text.parse::<RedisUrl>();
            assert_eq!(url.map(|url| url.tls), tls, "{text}");
        };
        check("redis://127.0.0.1:6379", Ok(false));
        check("redis://:secret@redis.internal:6379/2", Ok(false));
        check("redis+unix:///run/redis.sock", Ok(false));
        check("rediss://127.0.0.1:6379", Ok(true));
        check("rediss://:secret@redis.internal:6380/2", Ok(true));
        check("valkeys://valkey.internal", Ok(true));
        check("rediss://127.0.0.1#insecure", Err(RedisUrlError::Fragment));
        for text in [
            "http://127.0.0.1",
            "",
            "rediss:",
            "redisss://h",
            "REDISS://h",
        ] {
            check(text, Err(RedisUrlError::Malformed));
        }
        let url: RedisUrl = "redis://:secret@host".parse().unwrap();
        assert!(!format!("{url:?}").contains("secret"));
    }
}
