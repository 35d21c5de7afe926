//! Where requests to webhooks may go.
//!
//! The URL of a webhook is somebody else's, and a name in it leads wherever its owner wants, at any time. So
//! the URL is checked when it is given, and the addresses of its name each time that a connection is made.

use std::net::{IpAddr, Ipv4Addr};

use ipnet::IpNet;
use url::{Host, Url};

use super::address;
use crate::domain::loopback::is_loopback;

/// The rules of a server: the targets that its operator allows beyond the public internet.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TargetRules {
    /// Networks that requests may go to as well.
    pub networks: Vec<IpNet>,
    /// Whether this is a demo, whose requests may go to this machine, without TLS.
    pub is_demo: bool,
}

/// The URL of a webhook, which may be asked if the addresses of its host may be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    url: Url,
}

/// The reason why a URL may not be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TargetError {
    #[error("must be a URL, such as https://partner.example/hooks")]
    Malformed,
    /// It has another scheme.
    #[error("must be an https URL")]
    Scheme,
    /// It has a user name or a password.
    #[error("must not contain a user name or password")]
    Credentials,
    #[error("must not contain a fragment")]
    Fragment,
    /// It has the port 0, to which nothing connects.
    #[error("must not use port 0")]
    Port,
    /// Its address is not public.
    #[error("must resolve to a public internet address")]
    Address,
}

impl TargetRules {
    /// Checks the URL of a webhook, without asking for the addresses of a name.
    ///
    /// # Errors
    /// When the URL may not be asked, whatever its name leads to.
    pub fn check(&self, text: &str) -> Result<Target, TargetError> {
        let url = Url::parse(text).map_err(|_| TargetError::Malformed)?;
        let host = url.host().ok_or(TargetError::Malformed)?;
        match url.scheme() {
            "https" => {}
            "http" if self.is_demo && is_loopback(&host.to_string()) => {}
            _ => return Err(TargetError::Scheme),
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(TargetError::Credentials);
        }
        if url.fragment().is_some() {
            return Err(TargetError::Fragment);
        }
        if url.port() == Some(0) {
            return Err(TargetError::Port);
        }
        let address = match host {
            Host::Ipv4(address) => Some(IpAddr::V4(address)),
            Host::Ipv6(address) => Some(IpAddr::V6(address)),
            Host::Domain(name) => is_localhost(name).then_some(Ipv4Addr::LOCALHOST.into()),
        };
        match address.is_none_or(|address| self.admits(address)) {
            true => Ok(Target { url }),
            false => Err(TargetError::Address),
        }
    }

    /// Whether a connection to an address may be made.
    pub fn admits(&self, address: IpAddr) -> bool {
        address::is_public(address)
            || self.is_demo && address.is_loopback()
            || self
                .networks
                .iter()
                .any(|network| network.contains(&address))
    }
}

/// Whether a name in lower case is always this machine's (RFC 6761, section 6.3).
fn is_localhost(name: &str) -> bool {
    let name = name.trim_end_matches('.');
    name == "localhost" || name.ends_with(".localhost")
}

impl Target {
    pub fn url(&self) -> &Url {
        &self.url
    }

    pub(super) fn is_secure(&self) -> bool {
        self.url.scheme() == "https"
    }

    /// The name or address in it, without brackets.
    pub(super) fn host(&self) -> String {
        let host = self.url.host_str().unwrap_or_default();
        host.trim_start_matches('[')
            .trim_end_matches(']')
            .to_owned()
    }

    /// The port in it, or that of its scheme.
    pub(super) fn port(&self) -> u16 {
        self.url.port_or_known_default().unwrap_or(443)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(rules: &TargetRules, text: &str) -> Option<TargetError> {
        rules.check(text).err()
    }

    #[test]
    fn a_url_is_of_https_and_leads_out() {
        let rules = TargetRules::default();
        for text in [
            "https://partner.example/hooks?a=b",
            "https://partner.example:8443/",
            "HTTPS://partner.example/",
            "https://1.1.1.1/",
            "https://[2606:4700::1]:444/",
            "https://localhost.example/",
            "https://nolocalhost/",
        ] {
            assert_eq!(refused(&rules, text), None, "{text}");
        }
        for (text, error) in [
            ("", TargetError::Malformed),
            ("partner.example", TargetError::Malformed),
            ("https://", TargetError::Malformed),
            ("https://a b/", TargetError::Malformed),
            ("http://partner.example/", TargetError::Scheme),
            ("http://127.0.0.1/", TargetError::Scheme),
            ("ftp://partner.example/", TargetError::Scheme),
            ("https://user@partner.example/", TargetError::Credentials),
            ("https://:pass@partner.example/", TargetError::Credentials),
            ("https://partner.example/#a", TargetError::Fragment),
            ("https://partner.example:0/", TargetError::Port),
            ("https://localhost/", TargetError::Address),
            ("https://LOCALHOST.:8443/", TargetError::Address),
            ("https://a.localhost/", TargetError::Address),
            ("https://10.0.0.1/", TargetError::Address),
            ("https://169.254.169.254/latest", TargetError::Address),
            ("https://[::1]/", TargetError::Address),
            ("https://[::ffff:8.8.8.8]/", TargetError::Address),
            // The many spellings of 127.0.0.1.
            ("https://2130706433/", TargetError::Address),
            ("https://0x7f.1/", TargetError::Address),
            ("https://0177.0.0.1/", TargetError::Address),
            ("https://127.1/", TargetError::Address),
            ("https://１２７.0.0.1/", TargetError::Address),
        ] {
            assert_eq!(refused(&rules, text), Some(error), "{text}");
        }
    }

    #[test]
    fn an_operator_may_allow_networks_and_nothing_else_is_weakened() {
        let rules = TargetRules {
            networks: vec![
                "10.1.0.0/16".parse().unwrap(),
                "127.0.0.0/8".parse().unwrap(),
            ],
            is_demo: false,
        };
        assert_eq!(refused(&rules, "https://10.1.2.3/"), None);
        assert_eq!(refused(&rules, "https://localhost/"), None);
        let address = Some(TargetError::Address);
        assert_eq!(refused(&rules, "https://10.2.0.1/"), address);
        assert_eq!(refused(&rules, "https://[::ffff:10.1.2.3]/"), address);
        let scheme = Some(TargetError::Scheme);
        assert_eq!(refused(&rules, "http://10.1.2.3/"), scheme);
    }

    #[test]
    fn a_demo_asks_this_machine_without_tls_and_no_other() {
        let rules = TargetRules {
            is_demo: true,
            ..TargetRules::default()
        };
        for text in [
            "http://127.0.0.1:9/",
            "http://[::1]/",
            "http://localhost:9/a",
        ] {
            assert_eq!(refused(&rules, text), None, "{text}");
        }
        let scheme = Some(TargetError::Scheme);
        assert_eq!(refused(&rules, "http://partner.example/"), scheme);
        let address = Some(TargetError::Address);
        assert_eq!(refused(&rules, "https://10.0.0.1/"), address);
    }
}
