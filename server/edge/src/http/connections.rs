//! The open connections of a listener, and how many of them an address may have.
//!
//! | limit | setting, default | beyond it |
//! |---|---|---|
//! | all connections | `max-connections`, 4096 | the longest idle one makes room |
//! | of an IPv4 address or an IPv6 /64 | `max-connections-per-network`, 1/16 of those | closed at once |
//! | of an IPv6 /48 | `max-connections-per-48`, 1/8 of those | closed at once |
//!
//! Trusted proxies may have any number.
//!
//! While all connections are taken, a new one takes the place of another: the longest idle one of the
//! address or /48 that has the most. A connection is idle while its client neither sends nor reads and no
//! request of it is being answered, and when the body of its request has not come within half a second. A new connection never takes the place of one whose address or /48
//! has fewer than its own; it waits until a connection ends or becomes idle. At most [`MAX_WAITING`] wait,
//! each for `head-timeout`; further ones are closed at once. Waiting connections count as open.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use ::metrics::{Gauge, describe_gauge, gauge};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use super::activity::Activity;
use super::edge::EdgeOptions;
use super::metrics::Metrics;
use crate::limits::Network;
use crate::reloadable::Reloadable;

const OPEN: &str = "http_connections_open";
const MAX: &str = "http_connections_max";

/// The interval at which a new connection looks again for an idle one.
const RETRY: Duration = Duration::from_millis(100);

/// The maximum number of connections that wait for a place.
const MAX_WAITING: usize = 64;

/// The open connections of one listener. Clones share them.
#[derive(Clone)]
pub struct Connections(Arc<Shared>);

struct Shared {
    /// By IPv4 address or IPv6 /48.
    open: Mutex<HashMap<Network, Vec<Arc<Activity>>>>,
    places: Arc<Semaphore>,
    waiting: Semaphore,
    options: Reloadable<EdgeOptions>,
    metrics: Arc<Metrics>,
    gauge: Gauge,
}

/// A connection that is counted until this is dropped.
pub(super) struct OpenConnection {
    connections: Connections,
    site: Network,
    pub(super) activity: Arc<Activity>,
}

impl Connections {
    /// No connections yet, of at most `max`. `listener` is their label in metrics.
    pub fn new(
        listener: &'static str,
        max: usize,
        options: Reloadable<EdgeOptions>,
        metrics: Arc<Metrics>,
    ) -> Self {
        let max = max.min(Semaphore::MAX_PERMITS);
        let gauge = metrics.record(|| {
            describe_gauge!(OPEN, "Open connections.");
            describe_gauge!(MAX, "Maximum number of open connections.");
            gauge!(MAX, "listener" => listener).set(max as f64);
            gauge!(OPEN, "listener" => listener)
        });
        Self(Arc::new(Shared {
            open: Mutex::default(),
            places: Arc::new(Semaphore::new(max)),
            waiting: Semaphore::new(MAX_WAITING),
            options,
            metrics,
            gauge,
        }))
    }

    /// Counts a connection from `peer`; `None` if its network holds as many as it may.
    pub(super) fn open(&self, peer: IpAddr) -> Option<OpenConnection> {
        let options = self.0.options.get();
        let network = Network::from(peer);
        let site = network.site();
        let is_proxy = options.trusted_proxies.contains(peer);
        let mut open = self.lock();
        let held = open.entry(site).or_default();
        let of_network = || held.iter().filter(|it| it.network == network).count();
        let is_full = site != network && held.len() >= options.max_connections_per_48
            || of_network() >= options.max_connections_per_network;
        if is_full && !is_proxy {
            drop(open);
            self.0.metrics.connection_refused();
            return None;
        }
        let activity = Arc::new(Activity::new(network, is_proxy));
        held.push(Arc::clone(&activity));
        drop(open);
        self.0.gauge.increment(1);
        Some(OpenConnection {
            connections: self.clone(),
            site,
            activity,
        })
    }

    /// Closes an idle connection to make room for one from `site`, and returns its place.
    fn take_place(&self, site: Network) -> Option<OwnedSemaphorePermit> {
        let mut open = self.lock();
        let least = open.get(&site).map_or(0, Vec::len);
        let idle = open.iter().filter_map(|(site, held)| {
            let longest = held.iter().filter_map(|it| Some((it.idle()?, it)));
            let (idle, activity) = longest.max_by_key(|(idle, _)| *idle)?;
            let has_more = held.len() >= least;
            has_more.then(|| (held.len(), idle, *site, Arc::clone(activity)))
        });
        let (.., site, activity) = idle.max_by_key(|(count, idle, ..)| (*count, *idle))?;
        forget(&mut open, site, &activity);
        drop(open);
        activity.close()
    }

    /// Closes the connections that wait for a place, now and from now on.
    pub(super) fn close_waiting(&self) {
        self.0.places.close();
    }

    /// No code can leave the lists half-changed, so a poisoned lock is harmless.
    fn lock(&self) -> MutexGuard<'_, HashMap<Network, Vec<Arc<Activity>>>> {
        self.0.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl OpenConnection {
    /// Gives it a place that is free, or an idle connection's. `false` if there is neither.
    pub(super) fn find_place(&self) -> bool {
        let free = Arc::clone(&self.connections.0.places).try_acquire_owned();
        let place = free.ok().or_else(|| self.connections.take_place(self.site));
        self.take(place)
    }

    /// Waits until [`find_place`](Self::find_place) can give it a place, and no longer than `patience`.
    /// `false` if none was found: it is to be closed.
    pub(super) async fn wait_for_place(&self, patience: Duration) -> bool {
        let shared = &self.connections.0;
        let place = match shared.waiting.try_acquire() {
            Ok(_waiting) => timeout(patience, self.next_place()).await.ok().flatten(),
            Err(_) => None,
        };
        let is_found = self.take(place);
        if !is_found {
            shared.metrics.connection_refused();
        }
        is_found
    }

    fn take(&self, place: Option<OwnedSemaphorePermit>) -> bool {
        let is_found = place.is_some();
        if let Some(place) = place {
            self.activity.take(place);
        }
        is_found
    }

    /// The next place that is free or an idle connection's; `None` at a shutdown.
    async fn next_place(&self) -> Option<OwnedSemaphorePermit> {
        let places = &self.connections.0.places;
        loop {
            if let Ok(place) = timeout(RETRY, Arc::clone(places).acquire_owned()).await {
                return place.ok();
            }
            if let Some(place) = self.connections.take_place(self.site) {
                return Some(place);
            }
        }
    }
}

impl Drop for OpenConnection {
    fn drop(&mut self) {
        forget(&mut self.connections.lock(), self.site, &self.activity);
        let shared = &self.connections.0;
        shared.gauge.decrement(1);
        if let Some(reason) = self.activity.closing() {
            shared.metrics.connection_closed(reason);
        }
    }
}

/// Removes a connection, and its site with the last one.
fn forget(
    open: &mut HashMap<Network, Vec<Arc<Activity>>>,
    site: Network,
    activity: &Arc<Activity>,
) {
    if let Some(held) = open.get_mut(&site) {
        held.retain(|it| !Arc::ptr_eq(it, activity));
        if held.is_empty() {
            open.remove(&site);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::tests::{metrics, options};

    const PATIENCE: Duration = Duration::from_secs(10);

    fn connections(max: usize) -> Connections {
        let options = EdgeOptions {
            max_connections_per_network: 2,
            max_connections_per_48: 3,
            ..options()
        };
        Connections::new("test", max, Reloadable::new(options), metrics())
    }

    #[test]
    fn a_network_holds_up_to_its_limit_and_is_forgotten_when_it_left() {
        let connections = connections(9);
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

    #[test]
    fn the_networks_of_a_site_share_its_limit() {
        let connections = connections(9);
        let open = |peer: &str| connections.open(peer.parse().unwrap());
        let _held = ["2001:db8:1::1", "2001:db8:1::2", "2001:db8:1:2::1"].map(open);
        assert!(open("2001:db8:1::3").is_none(), "the /64 has two");
        assert!(open("2001:db8:1:3::1").is_none(), "the /48 has three");
        assert!(open("2001:db8:2::1").is_some(), "another /48");
    }

    /// Opens connections that are served by tasks that never end.
    fn serve(connections: &Connections, peer: &str) -> OpenConnection {
        let open = connections.open(peer.parse().unwrap()).unwrap();
        assert!(open.find_place());
        let task = tokio::spawn(std::future::pending::<()>()).abort_handle();
        open.activity.served_by(task);
        open
    }

    #[tokio::test(start_paused = true)]
    async fn a_new_connection_takes_the_place_of_the_longest_idle_of_the_largest_site() {
        let connections = connections(4);
        let one = serve(&connections, "192.0.2.1");
        let first = serve(&connections, "192.0.2.2");
        let second = serve(&connections, "192.0.2.2");
        let three = serve(&connections, "192.0.2.3");
        std::thread::sleep(Duration::from_millis(5));
        first.activity.note_move();
        let fourth = serve(&connections, "192.0.2.4");
        let closed = |it: &OpenConnection| it.activity.closing().is_some();
        assert!(closed(&second) && !closed(&first), "the longest idle one");
        let _answering = [&one, &first, &three].map(|it| it.activity.answering());
        let waiting = connections.open("192.0.2.4".parse().unwrap()).unwrap();
        let taken = connections.take_place(waiting.site);
        assert!(
            taken.is_some() && closed(&fourth),
            "its own, the only idle one"
        );
        let taken = connections.take_place(waiting.site);
        assert!(taken.is_none(), "all others are answering");
    }

    #[tokio::test(start_paused = true)]
    async fn a_bounded_number_waits_for_a_bounded_time() {
        let connections = connections(1);
        let one = serve(&connections, "192.0.2.1");
        let answering = one.activity.answering();
        let finding = |number: usize| {
            let peer = [198, 51, 100, u8::try_from(number).unwrap()];
            let open = connections.open(peer.into()).unwrap();
            assert!(!open.find_place());
            tokio::spawn(async move { (open.wait_for_place(PATIENCE).await, open) })
        };
        let mut waiting: Vec<_> = (0..MAX_WAITING).map(finding).collect();
        tokio::task::yield_now().await;
        let started = tokio::time::Instant::now();
        assert!(!finding(MAX_WAITING).await.unwrap().0, "too many wait");
        assert_eq!(started.elapsed(), Duration::ZERO);
        let last = waiting.pop().unwrap();
        for waiting in waiting {
            assert!(!waiting.await.unwrap().0);
        }
        assert_eq!(started.elapsed(), PATIENCE);
        assert!(!last.await.unwrap().0);
        let late = finding(0);
        drop(answering);
        assert!(late.await.unwrap().0, "the other one is idle now");
    }
}
