//! Whose requests are counted together.

use std::net::{IpAddr, Ipv4Addr};

use uuid::Uuid;

use crate::projects::ProjectId;

/// The owner of one window.
///
/// It is laid out as in C so that the id begins at a whole word: one that is read in other pieces than it
/// was written in makes the processor wait until all that was written before it is in the cache, which
/// doubles what a check of a limit costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(C)]
pub enum Subject {
    /// A project: all its keys and all operations share the window.
    Project(ProjectId),
    /// A caller without a valid key, known by its network alone.
    Network(Network),
}

/// The part of an address that one subscriber holds: a whole IPv4 address, or the /64 of an IPv6
/// address, within which a client may pick addresses at will.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Network {
    /// One IPv4 address.
    V4(Ipv4Addr),
    /// The first 64 bits of an IPv6 address.
    V6(u64),
}

/// A subject as numbers, which no other of its kind has.
pub(super) type Id = [u64; 2];

/// Which of [`Network`] an id is of.
const V4: u64 = 4;
const V6: u64 = 6;

impl Subject {
    /// The subject as numbers.
    pub(super) fn id(self) -> Id {
        match self {
            Self::Project(project) => {
                let (high, low) = project.0.as_u64_pair();
                [high, low]
            }
            Self::Network(Network::V4(address)) => [address.to_bits().into(), V4],
            Self::Network(Network::V6(prefix)) => [prefix, V6],
        }
    }

    /// The project that has an id.
    pub(super) fn project([high, low]: Id) -> Self {
        Self::Project(ProjectId(Uuid::from_u64_pair(high, low)))
    }

    /// The network that has an id.
    pub(super) fn network([bits, version]: Id) -> Self {
        Self::Network(match version {
            V4 => Network::V4(Ipv4Addr::from_bits(bits as u32)),
            _ => Network::V6(bits),
        })
    }
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
    fn ids_tell_subjects_apart_and_lead_back_to_them() {
        let project = Subject::Project(ProjectId(Uuid::from_u128(1 << 64 | 4)));
        assert_eq!(Subject::project(project.id()), project);
        let networks = ["0.0.0.9", "::9:0:0:0:0", "255.255.255.255", "2001:db8::"];
        let networks = networks.map(|text| Subject::from(text.parse::<IpAddr>().unwrap()));
        for network in networks {
            assert_eq!(Subject::network(network.id()), network);
        }
        assert_ne!(networks[0].id(), networks[1].id());
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
