//! The network that a sign-in is asked for from.

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
        // The lengths fit their kinds of addresses.
        Self(IpNet::new_assert(address, length).trunc())
    }
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_share_a_network() {
        let check = |address: &str, network: &str| {
            assert_eq!(Network::of(address.parse().unwrap()).to_string(), network);
        };
        check("192.0.2.77", "192.0.2.0/24");
        check("::ffff:192.0.2.77", "192.0.2.0/24");
        check("2001:db8:1:2:3::4", "2001:db8:1:2::/64");
    }
}
