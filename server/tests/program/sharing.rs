//! Limits that several servers share in a real Redis, with its faults.
//!
//! The limiter's own tests prove on a model that every interleaving is right; these tests check that
//! Redis behaves like the model.

mod exact;
mod faults;
mod fleet;
pub(crate) mod proxy;
pub(crate) mod redis;
pub(crate) mod replicas;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use edge::http::Metrics;
use edge::limits::shared::{Instruments, Options, Redis};
use edge::limits::{Capacity, Shared, Subject};
use tokio::task::JoinHandle;
use uuid::Uuid;

/// Longer than any pause of a busy machine, so that a Redis that answers always decides.
const LONG_TIMEOUT: Duration = Duration::from_secs(20);

/// The default timeout of Redis.
const SHORT_TIMEOUT: Duration = Duration::from_millis(30);

fn project(id: u128) -> Subject {
    Subject::Caller(Uuid::from_u128(id))
}

/// One replica's limiter, and the time since an arbitrary start.
struct Replica {
    limiter: Arc<Shared>,
    metrics: Metrics,
    started: Instant,
}

impl Replica {
    /// A replica that has looked for Redis once, some time ago: an empty one is not doubted any more.
    async fn at(url: &str, window: Duration, timeout: Duration) -> Self {
        let remote = Redis::new(&url.parse().unwrap(), None, window, timeout).unwrap();
        let options = Options {
            timeout,
            replicas: 1,
            capacity: Capacity::default(),
        };
        let metrics = Metrics::new().unwrap();
        let instruments = metrics.record(Instruments::register);
        let limiter = Arc::new(Shared::new(remote, options, instruments));
        let mut replica = Self {
            limiter,
            metrics,
            started: Instant::now(),
        };
        replica.maintain().await;
        replica.started -= Duration::from_secs(2);
        replica
    }

    async fn maintain(&self) {
        self.limiter.maintain(self.started.elapsed()).await;
    }

    /// Whether a request is admitted, or when it will be.
    async fn ask(&self, subject: Subject, limit: u32) -> Result<u32, Duration> {
        let now = self.started.elapsed();
        let verdict = self.limiter.check(subject, limit, now).await;
        match verdict.retry_in {
            None => Ok(verdict.remaining),
            Some(wait) => Err(wait),
        }
    }

    async fn admitted(&self, subject: Subject, limit: u32, tries: usize) -> usize {
        let mut admitted = 0;
        for _ in 0..tries {
            admitted += usize::from(self.ask(subject, limit).await.is_ok());
        }
        admitted
    }

    /// The value of a series.
    fn metric(&self, series: &str) -> u64 {
        metric(&self.metrics.render(), series)
    }

    fn is_degraded(&self) -> bool {
        self.metric("rate_limit_degraded") == 1
    }

    /// Tends it until it is shared, or is not.
    async fn becomes(&self, degraded: bool) {
        let began = Instant::now();
        while self.is_degraded() != degraded {
            assert!(
                began.elapsed() < LONG_TIMEOUT,
                "it does not become {degraded}"
            );
            tokio::time::sleep(Duration::from_millis(20)).await;
            self.maintain().await;
        }
    }
}

/// The value of a series in the text format.
fn metric(text: &str, series: &str) -> u64 {
    let value = |line: &str| line.strip_prefix(series)?.trim().parse().ok();
    text.lines().find_map(value).unwrap_or(0)
}

/// Clients that send requests until they are stopped.
struct Load {
    stop: Arc<AtomicBool>,
    asked: Arc<AtomicUsize>,
    clients: Vec<JoinHandle<Vec<Admission>>>,
}

/// An admission was decided between two moments.
#[derive(Debug, Clone, Copy)]
struct Admission {
    after: Instant,
    before: Instant,
}

impl Load {
    /// So many clients of each replica, all of one project.
    fn on(replicas: &[Arc<Replica>], clients: usize, limit: u32) -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let asked = Arc::new(AtomicUsize::new(0));
        let client = |replica: &Arc<Replica>| {
            let (replica, stop, asked) = (replica.clone(), stop.clone(), asked.clone());
            tokio::spawn(async move {
                let mut admitted = Vec::new();
                while !stop.load(Ordering::Relaxed) {
                    asked.fetch_add(1, Ordering::Relaxed);
                    let after = Instant::now();
                    if replica.ask(project(1), limit).await.is_ok() {
                        let before = Instant::now();
                        admitted.push(Admission { after, before });
                    }
                    tokio::task::yield_now().await;
                }
                admitted
            })
        };
        let clients = (0..clients)
            .flat_map(|_| replicas.iter().map(client))
            .collect();
        Self {
            stop,
            asked,
            clients,
        }
    }

    /// All admissions.
    async fn stopped(self) -> Vec<Admission> {
        self.stop.store(true, Ordering::Relaxed);
        assert!(self.asked.load(Ordering::Relaxed) > 0);
        let mut all = Vec::new();
        for client in self.clients {
            all.extend(client.await.unwrap());
        }
        all
    }
}

/// How many were decided for certain within one window, at most.
fn most(admitted: &[Admission], window: Duration) -> usize {
    let within = |first: &&Admission, last: &Admission| {
        first.before <= last.before && last.before - first.after < window
    };
    let up_to = |last| admitted.iter().filter(|first| within(first, last)).count();
    admitted.iter().map(up_to).max().unwrap_or(0)
}
