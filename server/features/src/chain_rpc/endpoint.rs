//! The setting of an endpoint: a chain and a URL.

use std::fmt;
use std::str::FromStr;

use http::Uri;

use crate::chains::ChainId;

/// A chain and the URL of its nodes, such as `8453=https://node.example/key`. Its `Debug` form shows no
/// path, which may hold a key.
#[derive(Clone, PartialEq, Eq, serde::Deserialize)]
#[serde(try_from = "String")]
pub struct ChainEndpoint {
    pub chain: ChainId,
    pub(super) url: Uri,
}

/// The text is no chain and URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("is not of the form CHAIN=https://HOST/PATH or CHAIN=http://HOST/PATH")]
pub struct InvalidEndpoint;

impl ChainEndpoint {
    pub(super) fn is_secure(&self) -> bool {
        self.url.scheme_str() == Some("https")
    }
}

impl fmt::Debug for ChainEndpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.chain, self.url.host().unwrap_or_default())
    }
}

impl FromStr for ChainEndpoint {
    type Err = InvalidEndpoint;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (chain, url) = text.split_once('=').ok_or(InvalidEndpoint)?;
        let chain = chain.trim().parse().ok().and_then(ChainId::new);
        let url: Uri = url.trim().parse().map_err(|_| InvalidEndpoint)?;
        let is_web = matches!(url.scheme_str(), Some("http" | "https"));
        let has_user = url.authority().is_some_and(|it| it.as_str().contains('@'));
        if !is_web || has_user || url.host().is_none_or(str::is_empty) {
            return Err(InvalidEndpoint);
        }
        let chain = chain.ok_or(InvalidEndpoint)?;
        Ok(Self { chain, url })
    }
}

impl TryFrom<String> for ChainEndpoint {
    type Error = InvalidEndpoint;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_a_chain_and_a_url() {
        let endpoint: ChainEndpoint = "8453=https://node.example:8545/key".parse().unwrap();
        assert_eq!(endpoint.chain.get(), 8453);
        assert!(endpoint.is_secure());
        assert_eq!(format!("{endpoint:?}"), "8453=node.example");
        for text in [
            "",
            "8453",
            "https://node.example",
            "x=https://node.example",
            "-1=https://node.example",
            "1=ftp://node.example",
            "1=https://user@node.example",
            "1=/path",
        ] {
            assert_eq!(
                text.parse::<ChainEndpoint>(),
                Err(InvalidEndpoint),
                "{text}"
            );
        }
    }
}
