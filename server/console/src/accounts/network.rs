//! The network that a sign-in is asked for from, and how much of a limit the networks of one provider take.

use std::fmt;
use std::net::IpAddr;

use ipnet::IpNet;

/// The network of a browser, whose sign-ins are counted together: a /24 of IPv4, a /64 of IPv6.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Network(IpNet);

impl Network {
    /// The network of an address.
    pub fn of(address: IpAddr) -> Self {
        let address = address.to_canonical();
        let length = if address.is_ipv4() { 24 } else { 64 };
        Self(network(address, length))
    }

    /// The network of its provider: a /16 of IPv4, a /32 of IPv6.
    pub(crate) fn provider(self) -> Network {
        let address = self.0.addr();
        let length = if address.is_ipv4() { 16 } else { 32 };
        Self(network(address, length))
    }
}

/// A number for a network, for the networks of its provider together, and for all: a limit, or a count.
///
/// Addresses of IPv6 are given out in plenty: whoever has a /48 has 65,536 networks. The share of a provider
/// keeps one customer of it from using up the limit of all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NetworkCounts {
    pub(crate) network: i64,
    pub(crate) provider: i64,
    pub(crate) all: i64,
}

impl NetworkCounts {
    /// Whether there is room for one more below `limit`.
    pub(crate) fn is_below(self, limit: NetworkCounts) -> bool {
        self.network < limit.network && self.provider < limit.provider && self.all < limit.all
    }
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The network of a length that fits the address.
fn network(address: IpAddr, length: u8) -> IpNet {
    IpNet::new_assert(address, length).trunc()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_share_a_network() {
        let check = |address: &str, network: &str, provider: &str| {
            let found = Network::of(address.parse().unwrap());
            assert_eq!(found.to_string(), network);
            assert_eq!(found.provider().to_string(), provider);
        };
        check("192.0.2.77", "192.0.2.0/24", "192.0.0.0/16");
        check("::ffff:192.0.2.77", "192.0.2.0/24", "192.0.0.0/16");
        check("2001:db8:1:2:3::4", "2001:db8:1:2::/64", "2001:db8::/32");
    }
}
