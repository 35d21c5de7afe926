//! The subjects whose requests are counted together.

use std::net::{IpAddr, Ipv4Addr};

use crate::projects::ProjectId;

/// The owner of one window.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Subject {
    /// A project: all its keys and all operations share the window.
    Project(ProjectId),
    /// A caller without a valid key, known by its network alone.
    Network(Network),
}

/// The part of an address that one subscriber has: a whole IPv4 address, or the /64 of an IPv6 address,
/// within which a client may choose any address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Network {
    /// One IPv4 address.
    V4(Ipv4Addr),
    /// The first 64 bits of an IPv6 address.
    V6(u64),
}

impl From<IpAddr> for Network {
    /// An IPv4 address that is mapped into IPv6 is the IPv4 address.
    fn from(address: IpAddr) -> Self {
        match address.to_canonical() {
            IpAddr::V4(address) => Self::V4(address),
            IpAddr::V6(address) => Self::V6((address.to_bits() >> 64) as u64),
        }
    }
}

impl From<IpAddr> for Subject {
    fn from(address: IpAddr) -> Self {
        Self::Network(address.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(left: &str, right: &str, same: bool) {
        let [left, right] =
            [left, right].map(|text| Network::from(text.parse::<IpAddr>().unwrap()));
        assert_eq!(left == right, same, "{left:?} {right:?}");
    }

    #[test]
    fn networks_are_whole_ipv4_addresses_and_ipv6_prefixes_of_64_bits() {
        check("192.0.2.1", "192.0.2.1", true);
        check("192.0.2.1", "192.0.2.2", false);
        check("192.0.2.1", "::ffff:192.0.2.1", true);
        check("::ffff:192.0.2.1", "::ffff:192.0.2.2", false);
        check("2001:db8:0:1::1", "2001:db8:0:1:ffff::2", true);
        check("2001:db8:0:1::1", "2001:db8:0:2::1", false);
    }
}
