//! Limits the number of connections of each network.
//!
//! The limit is `--max-connections-per-network`, a quarter of `--max-connections` by default, for an
//! IPv4 address or an IPv6 /64; a changed one applies to later connections. A connection beyond it is
//! closed at once and counted in `http_connections_refused_total`. Trusted proxies are exempt.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::edge::EdgeOptions;
use super::metrics::Metrics;
use crate::limits::Network;
use crate::reloadable::Reloadable;

/// The connections that are open, counted by the network that they come from. Clones count together.
#[derive(Clone)]
pub struct NetworkConnections(Arc<Shared>);

struct Shared {
    open: Mutex<HashMap<Network, usize>>,
    options: Reloadable<EdgeOptions>,
    metrics: Arc<Metrics>,
}

/// A connection that is counted until this is dropped.
pub(super) struct CountedConnection {
    connections: NetworkConnections,
    network: Network,
}

impl NetworkConnections {
    /// No connections yet, to be held to `options`.
    pub fn new(options: Reloadable<EdgeOptions>, metrics: Arc<Metrics>) -> Self {
        Self(Arc::new(Shared {
            open: Mutex::default(),
            options,
            metrics,
        }))
    }

    /// Counts a connection from `peer`; `None` if its network holds as many as it may.
    pub(super) fn open(&self, peer: IpAddr) -> Option<CountedConnection> {
        let options = self.0.options.get();
        let network = Network::from(peer);
        let mut open = self.lock();
        let held = open.get(&network).copied().unwrap_or_default();
        if held >= options.max_connections_per_network && !options.trusted_proxies.contains(peer) {
            self.0.metrics.connection_refused();
            return None;
        }
        open.insert(network, held + 1);
        Some(CountedConnection {
            connections: self.clone(),
            network,
        })
    }

    /// No code can leave the numbers half-changed, so a poisoned lock is as good as another.
    fn lock(&self) -> MutexGuard<'_, HashMap<Network, usize>> {
        self.0.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for CountedConnection {
    fn drop(&mut self) {
        let mut open = self.connections.lock();
        if let Some(count) = open.get_mut(&self.network) {
            *count -= 1;
            if *count == 0 {
                open.remove(&self.network);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::tests::{metrics, options};

    #[test]
    fn a_network_holds_up_to_its_limit_and_is_forgotten_when_it_left() {
        let options = EdgeOptions {
            max_connections_per_network: 2,
            ..options()
        };
        let connections = NetworkConnections::new(Reloadable::new(options), metrics());
        let open = |peer: &str| connections.open(peer.parse().unwrap());
        let (first, second) = (open("192.0.2.1"), open("192.0.2.1"));
        assert!(first.is_some() && second.is_some());
        assert!(open("192.0.2.1").is_none());
        assert!(open("192.0.2.2").is_some(), "another network");
        drop(first);
        let third = open("192.0.2.1");
        assert!(third.is_some());
        drop((second, third));
        assert_eq!(connections.lock().len(), 0);
    }
}
