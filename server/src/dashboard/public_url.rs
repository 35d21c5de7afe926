//! The public URL of the dashboard: its host, its origin, and whether it is reached by TLS.

use http::Uri;
use http::uri::Authority;

use crate::config::BaseUrl;

/// The public URL, in the forms that browsers send.
#[derive(Debug, Clone)]
pub(super) struct PublicUrl {
    /// `https://host` or `https://host:port`, the port of the scheme left out.
    origin: String,
    /// What a browser sends as `Host`.
    host: String,
    is_secure: bool,
}

impl PublicUrl {
    /// The dashboard's URL where the service is at `base`, if browsers can keep a session there that
    /// nobody on the way takes over: it has no path, and is one of this machine.
    pub(super) fn new(base: &BaseUrl) -> Option<Self> {
        let uri: Uri = base.as_str().parse().ok()?;
        let authority = uri.authority()?;
        if !matches!(uri.path(), "" | "/") || !is_loopback(authority.host()) {
            return None;
        }
        let is_secure = uri.scheme_str() == Some("https");
        let scheme = if is_secure { "https" } else { "http" };
        let host = host(authority, if is_secure { 443 } else { 80 });
        Some(Self {
            origin: format!("{scheme}://{host}"),
            host,
            is_secure,
        })
    }

    /// The origin that a browser sends with the dashboard's own forms.
    pub(super) fn origin(&self) -> &str {
        &self.origin
    }

    /// Whether the connection to it is encrypted.
    pub(super) fn is_secure(&self) -> bool {
        self.is_secure
    }

    /// Whether a request's `Host` is the public one.
    pub(super) fn is_host(&self, sent: &str) -> bool {
        sent.eq_ignore_ascii_case(&self.host)
    }
}

/// The host and, unless it is the scheme's own, the port.
fn host(authority: &Authority, own_port: u16) -> String {
    let host = authority.host().to_ascii_lowercase();
    match authority.port_u16().filter(|port| *port != own_port) {
        Some(port) => format!("{host}:{port}"),
        None => host,
    }
}

/// Whether a host is always this machine (RFC 6761, section 6.3, for the name).
fn is_loopback(host: &str) -> bool {
    let address = host.trim_start_matches('[').trim_end_matches(']');
    host.eq_ignore_ascii_case("localhost")
        || address
            .parse::<std::net::IpAddr>()
            .is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> Option<PublicUrl> {
        PublicUrl::new(&text.parse().unwrap())
    }

    #[test]
    fn is_on_this_machine_and_has_no_path() {
        let check = |text: &str, expected: Option<&str>| {
            let url = url(text);
            assert_eq!(url.as_ref().map(PublicUrl::origin), expected, "{text}");
        };
        check("https://LOCALHOST", Some("https://localhost"));
        check("https://localhost:443/", Some("https://localhost"));
        check("https://localhost:8443", Some("https://localhost:8443"));
        check("http://127.0.0.1:8080", Some("http://127.0.0.1:8080"));
        check("http://[::1]:80", Some("http://[::1]"));
        check("https://api.example.org", None);
        check("http://127.0.0.1.example.org", None);
        check("http://127.0.0.1:8080/api", None);
    }

    #[test]
    fn hosts_are_compared_with_their_ports() {
        let url = url("https://localhost").unwrap();
        assert!(url.is_host("LOCALHOST"));
        assert!(!url.is_host("localhost:8443"));
        assert!(!url.is_host("localhost.evil.example"));
        assert!(!url.is_host(""));
    }
}
