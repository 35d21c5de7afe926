//! The subjects whose requests are counted together.

use std::fmt;
use std::net::IpAddr;

use ipnet::IpNet;
use uuid::Uuid;

/// The owner of one window.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Subject {
    /// A caller with a valid key, by the id that the server gives it: all its keys and all operations share the window.
    Caller(Uuid),
    /// Callers without a valid key, known by their network alone.
    Network(Network),
}

/// A network whose callers share a window. That of one subscriber is a whole IPv4 address, or the /64 of
/// an IPv6 address, within which a client may choose any address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Network(IpNet);

impl Network {
    /// The network of an address and a length of its prefix; `None` if it has no such length.
    pub(super) fn new(address: IpAddr, prefix: u8) -> Option<Self> {
        let network = IpNet::new(address, prefix).ok()?;
        Some(Self(network.trunc()))
    }

    /// Its first address.
    pub(super) fn address(self) -> IpAddr {
        self.0.addr()
    }

    /// The length of its prefix.
    pub(super) fn prefix(self) -> u8 {
        self.0.prefix_len()
    }

    /// The next wider network that counts: a site (an IPv6 /48), a provider (an IPv4 /16 or an
    /// IPv6 /32), all addresses of the family; `None` for those.
    pub(super) fn wider(self) -> Option<Self> {
        let prefix = match (self.0, self.prefix()) {
            (IpNet::V6(_), 49..) => 48,
            (IpNet::V6(_), 33..) => 32,
            (IpNet::V4(_), 17..) => 16,
            (_, 1..) => 0,
            (_, 0) => return None,
        };
        Self::new(self.address(), prefix)
    }

    /// The site of one subscriber's network: its IPv6 /48; an IPv4 address is its own.
    pub fn site(self) -> Self {
        match self.0 {
            IpNet::V4(_) => self,
            IpNet::V6(_) => self.wider().unwrap_or(self),
        }
    }

    /// The networks that hold it and less than all addresses, the narrowest first.
    pub(super) fn holders(self) -> impl Iterator<Item = Self> {
        let holders = std::iter::successors(self.wider(), |network| network.wider());
        holders.take_while(|network| network.prefix() > 0)
    }

    /// Itself, or the widest of its holders.
    pub(super) fn provider(self) -> Self {
        self.holders().last().unwrap_or(self)
    }

    /// Whether it is one subscriber's.
    pub(super) fn is_narrow(self) -> bool {
        match self.0 {
            IpNet::V4(_) => self.prefix() == 32,
            IpNet::V6(_) => self.prefix() == 64,
        }
    }
}

impl From<IpAddr> for Network {
    /// An IPv4 address that is mapped into IPv6 is the IPv4 address.
    fn from(address: IpAddr) -> Self {
        let whole = IpNet::from(address.to_canonical());
        let narrow = match whole {
            IpNet::V4(_) => None,
            IpNet::V6(_) => Self::new(whole.addr(), 64),
        };
        narrow.unwrap_or(Self(whole))
    }
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
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

    fn network(text: &str) -> Network {
        Network::from(text.parse::<IpAddr>().unwrap())
    }

    #[track_caller]
    fn check(left: &str, right: &str, same: bool) {
        let [left, right] = [left, right].map(network);
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

    #[test]
    fn wider_networks_are_sites_and_providers() {
        let check = |text: &str, holders: &[&str]| {
            let found: Vec<_> = network(text).holders().map(|it| it.to_string()).collect();
            assert_eq!(found, holders);
        };
        check("192.0.2.1", &["192.0.0.0/16"]);
        check("2001:db8:1:2::3", &["2001:db8:1::/48", "2001:db8::/32"]);
        let provider = network("192.0.2.1").provider();
        assert_eq!(provider.wider().unwrap().to_string(), "0.0.0.0/0");
    }
}
