//! Counts the windows of networks, and says whether there may be one more.
//!
//! Callers without a key make windows, so that their number is bounded: for IPv4 and IPv6 apart, and for
//! each provider and site. Networks beyond these bounds share windows.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::subject::Network;

/// The part of a family's windows that the networks of one provider may have while the table is empty: an
/// eighth. It shrinks by the square of the part that is free: with eight providers that take all they
/// can, half of the table is still free for others, with eighty an eleventh.
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
    pub ipv4: usize,
    pub ipv6: usize,
    /// Those that several networks share.
    pub shared: usize,
    /// How many there may be of a family.
    pub most: usize,
}

/// The number of windows of networks, and their bounds.
#[derive(Debug)]
pub(super) struct NetworkWindows {
    capacity: Capacity,
    ipv4: FamilyCounts,
    ipv6: FamilyCounts,
}

/// The number of windows of IPv4 or of IPv6, by the size of their networks.
#[derive(Debug, Default)]
struct FamilyCounts {
    narrow: AtomicUsize,
    sites: AtomicUsize,
    providers: AtomicUsize,
}

impl NetworkWindows {
    pub(super) fn new(capacity: Capacity) -> Self {
        Self {
            capacity,
            ipv4: FamilyCounts::default(),
            ipv6: FamilyCounts::default(),
        }
    }

    /// Whether `network` may have a new window. `held` is how many networks with a window
    /// each of its holders has.
    pub(super) fn admits(&self, network: Network, held: impl Fn(Network) -> usize) -> bool {
        let family = self.of(network);
        if network.holders().next().is_none() {
            // The window of all addresses of a family is always there.
            let is_all = network.wider().is_none();
            return is_all || count(&family.providers) < self.capacity.networks;
        }
        let taken = count(&family.narrow) + count(&family.sites);
        let free = self.capacity.networks.saturating_sub(taken);
        let part = |holder: Network| match holder.holders().next() {
            Some(_) => self.capacity.networks_per_48,
            None => self.part_of_provider(free),
        };
        network.holders().all(|holder| held(holder) < part(holder))
    }

    /// How many windows the networks of one provider may have when `free` are free.
    fn part_of_provider(&self, free: usize) -> usize {
        let all = self.capacity.networks.max(1).saturating_mul(PART);
        free.saturating_mul(free).div_ceil(all)
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
        let own = |family: &FamilyCounts| count(&family.narrow);
        let shared = |family: &FamilyCounts| count(&family.sites) + count(&family.providers);
        Occupancy {
            ipv4: own(&self.ipv4) + shared(&self.ipv4),
            ipv6: own(&self.ipv6) + shared(&self.ipv6),
            shared: shared(&self.ipv4) + shared(&self.ipv6),
            most: self.capacity.networks,
        }
    }

    fn of(&self, network: Network) -> &FamilyCounts {
        match network.address().is_ipv4() {
            true => &self.ipv4,
            false => &self.ipv6,
        }
    }

    fn counter(&self, network: Network) -> &AtomicUsize {
        let family = self.of(network);
        match (network.is_narrow(), network.holders().next()) {
            (true, _) => &family.narrow,
            (false, Some(_)) => &family.sites,
            (false, None) => &family.providers,
        }
    }
}

fn count(counter: &AtomicUsize) -> usize {
    counter.load(Ordering::Relaxed)
}
