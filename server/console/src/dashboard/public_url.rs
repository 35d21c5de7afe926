//! The public URL of the dashboard: its host, its origin, and whether it is reached by TLS.

use http::Uri;

use features::domain::loopback::is_loopback;
use features::domain::service_identity::BaseUrl;

/// The names of this machine; the first is its name in the dashboard's URL.
const NAMES: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

/// The public URL, in the forms that browsers send.
#[derive(Debug, Clone)]
pub(super) struct PublicUrl {
    /// `https://host` or `https://host:port`, the port of the scheme left out.
    origin: BaseUrl,
    /// The `Host` that a browser sends.
    host: String,
    /// The `Host`s that it sends where another name of this machine was typed.
    other_hosts: Vec<String>,
    is_secure: bool,
}

impl PublicUrl {
    /// The dashboard's URL where the service is at `base`, if browsers can keep a session there that
    /// nobody on the way takes over: it has no path, and is reached by TLS, or is this machine. That is
    /// then called `localhost`, since passkeys belong to a name.
    pub(super) fn new(base: &BaseUrl) -> Option<Self> {
        let uri: Uri = base.as_str().parse().ok()?;
        let authority = uri.authority()?;
        let is_secure = uri.scheme_str() == Some("https");
        if uri.path() != "/" || !(is_secure || is_loopback(authority.host())) {
            return None;
        }
        let port = authority
            .port_u16()
            .filter(|port| *port != if is_secure { 443 } else { 80 });
        let at = |host: &str| port.map_or_else(|| host.to_owned(), |it| format!("{host}:{it}"));
        let host = authority.host().to_ascii_lowercase();
        let is_named = !is_secure && NAMES.contains(&&*host);
        let (host, other_hosts) = match is_named {
            true => (
                at(NAMES[0]),
                NAMES[1..].iter().map(|name| at(name)).collect(),
            ),
            false => (at(&host), Vec::new()),
        };
        let scheme = if is_secure { "https" } else { "http" };
        Some(Self {
            origin: format!("{scheme}://{host}").parse().ok()?,
            host,
            other_hosts,
            is_secure,
        })
    }

    pub(super) fn base(&self) -> &BaseUrl {
        &self.origin
    }

    pub(super) fn is_loopback(&self) -> bool {
        let uri = self.origin.as_str().parse::<Uri>();
        uri.is_ok_and(|uri| uri.host().is_some_and(is_loopback))
    }

    /// Whether a request's `Host` is another name of the same server.
    pub(super) fn is_other_host(&self, sent: &str) -> bool {
        self.other_hosts
            .iter()
            .any(|host| sent.eq_ignore_ascii_case(host))
    }

    /// The origin that a browser sends with the dashboard's own forms.
    pub(super) fn origin(&self) -> &str {
        self.origin.as_str()
    }

    /// The host without its port, which passkeys are made for.
    pub(super) fn host_name(&self) -> &str {
        let (name, _port) = self.host.split_once(':').unwrap_or((&self.host, ""));
        name
    }

    pub(super) fn is_secure(&self) -> bool {
        self.is_secure
    }

    /// Whether a request's `Host` is the public one.
    pub(super) fn is_host(&self, sent: &str) -> bool {
        sent.eq_ignore_ascii_case(&self.host)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> Option<PublicUrl> {
        PublicUrl::new(&text.parse().unwrap())
    }

    #[test]
    fn is_reached_by_tls_or_on_this_machine_and_has_no_path() {
        let check = |text: &str, expected: Option<&str>| {
            let url = url(text);
            assert_eq!(url.as_ref().map(PublicUrl::origin), expected, "{text}");
        };
        check("https://API.example.org", Some("https://api.example.org"));
        check(
            "https://api.example.org:443/",
            Some("https://api.example.org"),
        );
        check(
            "https://api.example.org:8443",
            Some("https://api.example.org:8443"),
        );
        check("http://127.0.0.1:8080", Some("http://localhost:8080"));
        check("http://[::1]:80", Some("http://localhost"));
        check("http://127.0.0.2:8080", Some("http://127.0.0.2:8080"));
        check("https://127.0.0.1", Some("https://127.0.0.1"));
        check("http://api.example.org", None);
        check("http://127.0.0.1.example.org", None);
        check("http://127.0.0.1:8080/api", None);
        check("https://api.example.org/api", None);
    }

    #[test]
    fn hosts_are_compared_with_their_ports() {
        let url = url("https://api.example.org").unwrap();
        assert!(url.is_host("API.example.org"));
        for host in [
            "api.example.org:8443",
            "api.example.org.evil.example",
            "localhost",
            "",
        ] {
            assert!(!url.is_host(host) && !url.is_other_host(host), "{host}");
        }
        assert!(!url.is_loopback());
    }

    #[test]
    fn this_machine_has_other_names() {
        let url = url("http://127.0.0.1:8080").unwrap();
        assert!(url.is_host("localhost:8080") && url.is_loopback());
        for host in ["127.0.0.1:8080", "[::1]:8080"] {
            assert!(!url.is_host(host) && url.is_other_host(host), "{host}");
        }
        for host in ["127.0.0.1", "127.0.0.1:9090", "evil.example:8080"] {
            assert!(!url.is_host(host) && !url.is_other_host(host), "{host}");
        }
    }
}
