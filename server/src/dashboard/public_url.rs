//! The public URL of the dashboard: its host, its origin, and whether it is reached by TLS.

use http::Uri;

use crate::config::BaseUrl;

/// The public URL, in the forms that browsers send.
#[derive(Debug, Clone)]
pub(super) struct PublicUrl {
    main: Place,
    /// The same place by its name, where the URL has a loopback address: passkeys need a name.
    by_name: Option<Place>,
    is_secure: bool,
}

/// A host in the forms that browsers send.
#[derive(Debug, Clone)]
struct Place {
    /// `https://host` or `https://host:port`, the port of the scheme left out.
    origin: String,
    /// What a browser sends as `Host`.
    host: String,
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
        let own_port = if is_secure { 443 } else { 80 };
        let place = |name: &str| {
            let host = host(name, authority.port_u16(), own_port);
            let origin = format!("{scheme}://{host}");
            Place { origin, host }
        };
        let is_address = is_loopback_address(authority.host());
        Some(Self {
            main: place(authority.host()),
            by_name: is_address.then(|| place(LOCALHOST)),
            is_secure,
        })
    }

    /// The origin of the public URL.
    pub(super) fn origin(&self) -> &str {
        &self.main.origin
    }

    /// The origin whose pages passkeys are made and used on. It has a name in the place of an address.
    pub(super) fn passkey_origin(&self) -> &str {
        let place = self.by_name.as_ref().unwrap_or(&self.main);
        &place.origin
    }

    /// The name that passkeys are made for: the host without its port.
    pub(super) fn passkey_host(&self) -> &str {
        let place = self.by_name.as_ref().unwrap_or(&self.main);
        let (host, _port) = place.host.split_once(':').unwrap_or((&place.host, ""));
        host
    }

    /// Whether the connection to it is encrypted.
    pub(super) fn is_secure(&self) -> bool {
        self.is_secure
    }

    /// The origin that a browser sends with forms of the dashboard at a request's `Host`, if that is a
    /// public one.
    pub(super) fn origin_at(&self, sent: &str) -> Option<&str> {
        let mut places = [&self.main].into_iter().chain(&self.by_name);
        let place = places.find(|place| sent.eq_ignore_ascii_case(&place.host))?;
        Some(&place.origin)
    }
}

/// The host and, unless it is the scheme's own, the port.
fn host(name: &str, port: Option<u16>, own_port: u16) -> String {
    let host = name.to_ascii_lowercase();
    match port.filter(|port| *port != own_port) {
        Some(port) => format!("{host}:{port}"),
        None => host,
    }
}

/// The name of this machine (RFC 6761, section 6.3).
const LOCALHOST: &str = "localhost";

/// Whether a host is always this machine.
fn is_loopback(host: &str) -> bool {
    host.eq_ignore_ascii_case(LOCALHOST) || is_loopback_address(host)
}

fn is_loopback_address(host: &str) -> bool {
    let address = host.trim_start_matches('[').trim_end_matches(']');
    address
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
        assert_eq!(url.origin_at("LOCALHOST"), Some("https://localhost"));
        assert_eq!(url.origin_at("localhost:8443"), None);
        assert_eq!(url.origin_at("localhost.evil.example"), None);
        assert_eq!(url.origin_at(""), None);
    }

    #[test]
    fn an_address_of_this_machine_has_a_name_too() {
        let url = url("http://127.0.0.1:8080").unwrap();
        let by_name = "http://localhost:8080";
        assert_eq!(url.origin_at("localhost:8080"), Some(by_name));
        assert_eq!(url.origin_at("127.0.0.1:8080"), Some(url.origin()));
        assert_eq!(url.origin_at("localhost"), None);
        assert_eq!(url.passkey_origin(), by_name);
        assert_eq!(url.passkey_host(), "localhost");
    }
}
