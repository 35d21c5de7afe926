//! How many connections each network holds.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::limits::Network;

/// The connections that are open, counted by where they come from. Clones count together.
#[derive(Clone, Default)]
pub(super) struct NetworkConnections(Arc<Mutex<HashMap<Network, usize>>>);

/// A connection that is counted until this is dropped.
pub(super) struct CountedConnection {
    connections: NetworkConnections,
    network: Network,
}

impl NetworkConnections {
    /// How many connections a network holds.
    pub(super) fn held(&self, network: Network) -> usize {
        self.lock().get(&network).copied().unwrap_or_default()
    }

    /// Counts one more.
    pub(super) fn take(&self, network: Network) -> CountedConnection {
        *self.lock().entry(network).or_default() += 1;
        CountedConnection {
            connections: self.clone(),
            network,
        }
    }

    /// No code can leave the numbers half-changed, so a poisoned lock is as good as another.
    fn lock(&self) -> MutexGuard<'_, HashMap<Network, usize>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for CountedConnection {
    fn drop(&mut self) {
        let mut held = self.connections.lock();
        if let Some(count) = held.get_mut(&self.network) {
            *count -= 1;
            if *count == 0 {
                held.remove(&self.network);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use super::*;

    #[test]
    fn counts_what_is_open_and_forgets_who_left() {
        let network = |text: &str| Network::from(text.parse::<IpAddr>().unwrap());
        let (connections, one) = (NetworkConnections::default(), network("192.0.2.1"));
        let first = connections.take(one);
        let second = connections.take(one);
        assert_eq!(
            (
                connections.held(one),
                connections.held(network("192.0.2.2"))
            ),
            (2, 0)
        );
        drop(first);
        assert_eq!(connections.held(one), 1);
        drop(second);
        assert_eq!(connections.lock().len(), 0);
    }
}
