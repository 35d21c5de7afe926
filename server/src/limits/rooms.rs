//! The room for the windows of networks, which callers without a key fill.
//!
//! IPv4 and IPv6 have room of their own, and no provider and no site can take all of it: a caller with
//! many networks fills its own part, and then its networks share windows.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::subject::Network;

/// The part of a family's room that the networks of one provider may take: an eighth.
const PART: usize = 8;

/// How many networks of anonymous callers have windows of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Capacity {
    /// Of each family, IPv4 and IPv6.
    pub networks: usize,
    /// The /64s of an IPv6 /48; further ones share one window.
    pub networks_per_48: usize,
}

impl Default for Capacity {
    /// About 100 MB in all.
    fn default() -> Self {
        Self {
            networks: 65_536,
            networks_per_48: 64,
        }
    }
}

/// The windows of networks that there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Occupancy {
    /// Of IPv4.
    pub ipv4: usize,
    /// Of IPv6.
    pub ipv6: usize,
    /// Those that several networks share.
    pub shared: usize,
    /// How many there may be of a family.
    pub most: usize,
}

/// The room of both families.
#[derive(Debug)]
pub(super) struct Rooms {
    capacity: Capacity,
    ipv4: Room,
    ipv6: Room,
}

/// The room of one family: how many networks have a window.
#[derive(Debug, Default)]
struct Room {
    narrow: AtomicUsize,
    sites: AtomicUsize,
    providers: AtomicUsize,
}

impl Rooms {
    pub(super) fn new(capacity: Capacity) -> Self {
        Self {
            capacity,
            ipv4: Room::default(),
            ipv6: Room::default(),
        }
    }

    /// Whether there is room for a new window of `network`. `held` is how many networks with a window
    /// each of its holders has.
    pub(super) fn admits(&self, network: Network, held: impl Fn(Network) -> usize) -> bool {
        let room = self.of(network);
        if network.holders().next().is_none() {
            // The window of all addresses of a family needs no room.
            let is_all = network.wider().is_none();
            return is_all || count(&room.providers) < self.capacity.networks;
        }
        let part = |holder: Network| match holder.holders().next() {
            Some(_) => self.capacity.networks_per_48,
            None => (self.capacity.networks / PART).max(1),
        };
        count(&room.narrow) + count(&room.sites) < self.capacity.networks
            && network.holders().all(|holder| held(holder) < part(holder))
    }

    /// Counts a window more.
    pub(super) fn enter(&self, network: Network) {
        self.counter(network).fetch_add(1, Ordering::Relaxed);
    }

    /// Counts a window less.
    pub(super) fn leave(&self, network: Network) {
        self.counter(network).fetch_sub(1, Ordering::Relaxed);
    }

    pub(super) fn occupancy(&self) -> Occupancy {
        let own = |room: &Room| count(&room.narrow);
        let shared = |room: &Room| count(&room.sites) + count(&room.providers);
        Occupancy {
            ipv4: own(&self.ipv4) + shared(&self.ipv4),
            ipv6: own(&self.ipv6) + shared(&self.ipv6),
            shared: shared(&self.ipv4) + shared(&self.ipv6),
            most: self.capacity.networks,
        }
    }

    fn of(&self, network: Network) -> &Room {
        match network.address().is_ipv4() {
            true => &self.ipv4,
            false => &self.ipv6,
        }
    }

    fn counter(&self, network: Network) -> &AtomicUsize {
        let room = self.of(network);
        match (network.is_narrow(), network.holders().next()) {
            (true, _) => &room.narrow,
            (false, Some(_)) => &room.sites,
            (false, None) => &room.providers,
        }
    }
}

fn count(counter: &AtomicUsize) -> usize {
    counter.load(Ordering::Relaxed)
}
