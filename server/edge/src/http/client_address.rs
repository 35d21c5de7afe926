//! The client's address: the peer's own, or the one that trusted proxies report.

use std::net::{IpAddr, SocketAddr};
use std::str::FromStr;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use ::metrics::{Counter, counter, describe_counter};
use http::{HeaderMap, HeaderName};
use ipnet::IpNet;

use super::metrics::Metrics;

const X_FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");
const WITHOUT_CLIENT: &str = "http_requests_without_client_total";

/// The minimum interval of warnings of proxies that name no client.
const REPEAT: Duration = Duration::from_secs(60);

/// One network of trusted proxies, written as CIDR (`10.0.0.0/8`) or as one address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Deserialize)]
#[serde(try_from = "String")]
pub struct ProxyNetwork(IpNet);

/// The text is neither a CIDR network nor an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected a network such as 10.0.0.0/8 or an address such as 2001:db8::1")]
pub struct ProxyNetworkError;

impl FromStr for ProxyNetwork {
    type Err = ProxyNetworkError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let address = || {
            text.parse::<IpAddr>()
                .map(|a| IpNet::from(a.to_canonical()))
        };
        text.parse()
            .or_else(|_| address())
            .map(Self)
            .map_err(|_| ProxyNetworkError)
    }
}

impl TryFrom<String> for ProxyNetwork {
    type Error = ProxyNetworkError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

/// The proxies whose `X-Forwarded-For` is believed. None by default.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TrustedProxies(Vec<ProxyNetwork>);

impl TrustedProxies {
    /// Trusts exactly `networks`.
    pub fn new(networks: Vec<ProxyNetwork>) -> Self {
        Self(networks)
    }

    /// Whether `address` is one of the proxies.
    pub fn contains(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        self.0.iter().any(|network| network.0.contains(&address))
    }

    /// Whether `peer` is a proxy that reports no readable address, so that a request's client is the proxy.
    pub fn is_silent(&self, peer: IpAddr, headers: &HeaderMap) -> bool {
        self.contains(peer) && reported_hops(headers).next().flatten().is_none()
    }

    /// The address that a request came from.
    ///
    /// Every proxy appends the address that it saw, so the list is read from its end: the first
    /// address that is no trusted proxy is the client, and all before it was written by the client
    /// itself. If all are trusted proxies, the first in the list is the client: a request from a
    /// proxy's own machine. An unreadable entry ends the reading at the hop that reported it.
    pub fn client(&self, peer: IpAddr, headers: &HeaderMap) -> IpAddr {
        let mut nearest = peer.to_canonical();
        if !self.contains(nearest) {
            return nearest;
        }
        let mut reported = reported_hops(headers);
        while self.contains(nearest)
            && let Some(hop) = reported.next().flatten()
        {
            nearest = hop;
        }
        nearest
    }
}

/// The hops of all `X-Forwarded-For` lines, the nearest first; `None` for an unreadable one.
fn reported_hops(headers: &HeaderMap) -> impl Iterator<Item = Option<IpAddr>> {
    let lines: Vec<_> = headers.get_all(X_FORWARDED_FOR).iter().collect();
    lines.into_iter().rev().flat_map(|line| {
        line.to_str()
            .unwrap_or_default()
            .rsplit(',')
            .map(|entry| parse_hop(entry.trim()))
    })
}

/// An address, with or without brackets and port: proxies write all these forms.
fn parse_hop(entry: &str) -> Option<IpAddr> {
    let bare = entry.trim_start_matches('[').trim_end_matches(']');
    let address = bare
        .parse::<IpAddr>()
        .or_else(|_| entry.parse::<SocketAddr>().map(|socket| socket.ip()));
    address.ok().map(|address| address.to_canonical())
}

/// Reports requests that a trusted proxy passes on without their client's address.
///
/// They count as the proxy's own, so that all its callers without a key share one limit. Nothing else shows that:
/// the server cannot tell such a request from one that the proxy makes itself, such as a probe.
pub(super) struct SilentProxies {
    counter: Counter,
    warned: Mutex<Option<Instant>>,
}

impl SilentProxies {
    pub(super) fn new(metrics: &Metrics) -> Self {
        let counter = metrics.record(|| {
            describe_counter!(
                WITHOUT_CLIENT,
                "Requests of trusted proxies without a readable X-Forwarded-For."
            );
            counter!(WITHOUT_CLIENT)
        });
        Self {
            counter,
            warned: Mutex::default(),
        }
    }

    /// Counts a request; logs it at most once a minute.
    pub(super) fn report(&self, proxy: IpAddr) {
        self.counter.increment(1);
        let mut warned = self.warned.lock().unwrap_or_else(PoisonError::into_inner);
        if warned.is_none_or(|at| at.elapsed() >= REPEAT) {
            *warned = Some(Instant::now());
            tracing::warn!(
                %proxy,
                "a trusted proxy sends no readable X-Forwarded-For: its callers share one limit"
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    #[track_caller]
    fn check(peer: &str, lines: &[&str], expected: &str) {
        let trusted = ["10.0.0.0/8", "2001:db8:ffff::/48", "192.0.2.7"];
        let proxies = TrustedProxies::new(trusted.map(|text| text.parse().unwrap()).to_vec());
        let headers: HeaderMap = lines
            .iter()
            .map(|line| (X_FORWARDED_FOR, HeaderValue::from_str(line).unwrap()))
            .collect();
        let client = proxies.client(peer.parse().unwrap(), &headers);
        assert_eq!(client, expected.parse::<IpAddr>().unwrap());
    }

    #[test]
    fn a_peer_that_is_no_proxy_is_the_client() {
        check("203.0.113.9", &[], "203.0.113.9");
        check("203.0.113.9", &["198.51.100.1"], "203.0.113.9");
        check("::ffff:203.0.113.9", &["198.51.100.1"], "203.0.113.9");
    }

    #[test]
    fn the_last_hop_that_is_no_proxy_is_the_client() {
        check("10.1.2.3", &["198.51.100.1"], "198.51.100.1");
        check(
            "10.1.2.3",
            &["1.1.1.1, 198.51.100.1, 10.9.9.9"],
            "198.51.100.1",
        );
        check(
            "10.1.2.3",
            &["1.1.1.1", "198.51.100.1,192.0.2.7"],
            "198.51.100.1",
        );
        check("::ffff:10.1.2.3", &["::ffff:198.51.100.1"], "198.51.100.1");
        check("2001:db8:ffff::1", &["[2001:db8::5]:443"], "2001:db8::5");
        check("10.1.2.3", &["198.51.100.1:8080"], "198.51.100.1");
        check("10.1.2.3", &["[2001:db8::5]"], "2001:db8::5");
    }

    #[test]
    fn reading_ends_at_the_last_hop_that_can_be_believed() {
        check("10.1.2.3", &[], "10.1.2.3");
        check("10.1.2.3", &["10.4.4.4, 10.5.5.5"], "10.4.4.4");
        check("10.1.2.3", &["198.51.100.1, unknown"], "10.1.2.3");
        check(
            "10.1.2.3",
            &["198.51.100.1, nonsense, 10.5.5.5"],
            "10.5.5.5",
        );
        check("10.1.2.3", &[""], "10.1.2.3");
    }

    #[test]
    fn a_proxy_is_silent_without_a_readable_address() {
        let proxies = TrustedProxies::new(vec!["10.0.0.0/8".parse().unwrap()]);
        let check = |peer: &str, field: Option<&'static str>, expected| {
            let field = field.map(|field| (X_FORWARDED_FOR, HeaderValue::from_static(field)));
            let headers = field.into_iter().collect();
            let is_silent = proxies.is_silent(peer.parse().unwrap(), &headers);
            assert_eq!(is_silent, expected, "{peer} {headers:?}");
        };
        check("10.1.2.3", None, true);
        check("10.1.2.3", Some("198.51.100.1, unknown"), true);
        check("10.1.2.3", Some("198.51.100.1"), false);
        check("10.1.2.3", Some("10.1.2.3"), false);
        check("203.0.113.9", None, false);
    }

    #[test]
    fn networks_are_cidr_or_single_addresses() {
        let check = |text: &str, ok| assert_eq!(text.parse::<ProxyNetwork>().is_ok(), ok, "{text}");
        check("10.0.0.0/8", true);
        check("::1", true);
        check("::/0", true);
        check("10.0.0.0/33", false);
        check("10.0.0", false);
        check("", false);
    }
}
