//! Callers who do nothing wrong while somebody attacks.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle, sleep};
use std::time::{Duration, Instant};

use crate::faults::requests::{get, key, post};
use crate::serving::Serving;
use crate::wire::Wire;

/// The addresses of the others. No attack comes from them.
const ADDRESS_V4: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 99);
const ADDRESS_V6: Ipv6Addr = Ipv6Addr::new(0x2001, 0xdb8, 2, 0, 0, 0, 0, 1);

/// The pause between two requests.
const PAUSE: Duration = Duration::from_millis(20);

/// The longest median of their latencies: far more than a request takes on a busy machine.
const MEDIAN: Duration = Duration::from_millis(250);

/// The longest of their latencies: less than the 1.5 s of an attack that used up the processors.
const WORST: Duration = Duration::from_secs(1);

/// The memory that an attack may cost, in bytes: the buffers of its connections, and whole tables.
const HELD: usize = 24 << 20;

/// A request for a page that no limit counts.
pub(super) const PAGE: &str = "GET /docs/guides/paging HTTP/1.1\r\nhost: test\r\n\r\n";

/// A caller that repeats a request, each time on a new connection, until it is stopped.
pub(super) struct Others {
    stop: Arc<AtomicBool>,
    asking: JoinHandle<Seen>,
}

/// The answers that the others got.
#[derive(Debug, Default)]
struct Seen {
    /// The time that each answer took, from the start of its connection.
    latencies: Vec<Duration>,
    /// How many connections ended without an answer, and how many answers were no success.
    refused: usize,
}

impl Others {
    /// Reads a page, reads the database with a key and writes to it, in turn. `charity` is one that exists.
    pub(super) fn read_and_write(serving: &Serving, secret: &str, charity: &str) -> Self {
        let body =
            format!(r#"{{"charityBeneficiaries":[{{"charityId":"{charity}","weight":1}}]}}"#);
        let read = get("/configs", &key(secret));
        let write = post(&key(secret), &body);
        Self::repeat(serving.api, [PAGE.to_owned(), read, PAGE.to_owned(), write])
    }

    /// Sends `requests` in turn, over and over.
    pub(super) fn repeat(to: SocketAddr, requests: impl Into<Vec<String>>) -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let requests = requests.into();
        let stopped = Arc::clone(&stop);
        let asking = thread::spawn(move || {
            let mut seen = Seen::default();
            for request in requests.iter().cycle() {
                seen.ask(to, request);
                // Each is sent once at least.
                let are_sent = seen.latencies.len() >= requests.len();
                if are_sent && stopped.load(Ordering::Relaxed) {
                    break;
                }
                sleep(PAUSE);
            }
            seen
        });
        Self { stop, asking }
    }

    /// Stops them. Fails unless every request was answered, half of them within [`MEDIAN`], and all
    /// within [`WORST`].
    #[track_caller]
    pub(super) fn were_served(self) {
        self.stop.store(true, Ordering::Relaxed);
        let Seen {
            mut latencies,
            refused,
        } = self.asking.join().unwrap();
        latencies.sort_unstable();
        let count = latencies.len();
        let (median, worst) = (latencies[count / 2], latencies[count - 1]);
        let seen = format!("{refused} of {count} refused, median {median:?}, worst {worst:?}");
        println!("others: {seen}");
        assert!(refused == 0 && median <= MEDIAN && worst <= WORST, "{seen}");
    }
}

impl Seen {
    fn ask(&mut self, to: SocketAddr, request: &str) {
        let started = Instant::now();
        let from = match to {
            SocketAddr::V4(_) => IpAddr::from(ADDRESS_V4),
            SocketAddr::V6(_) => IpAddr::from(ADDRESS_V6),
        };
        let answer = Wire::connect_from(from, to).try_ask(request.as_bytes());
        self.latencies.push(started.elapsed());
        self.refused +=
            usize::from(answer.is_none_or(|answer| !matches!(answer.status, 200 | 201)));
    }
}

/// The resident memory of a server before an attack.
pub(super) struct Memory(usize);

impl Memory {
    pub(super) fn before(serving: &Serving) -> Self {
        // What the first requests take is not the attack's.
        serving.connect().ask(PAGE.as_bytes());
        Self(memory(serving))
    }

    /// Fails if it has grown by more than [`HELD`] since then.
    #[track_caller]
    pub(super) fn is_bounded(&self, serving: &Serving) {
        self.is_below(HELD, serving);
    }

    /// Fails if it has grown by more than `bytes` since then.
    #[track_caller]
    pub(super) fn is_below(&self, bytes: usize, serving: &Serving) {
        let held = memory(serving).saturating_sub(self.0);
        println!("the attack holds {} KiB", held >> 10);
        assert!(held < bytes, "{held} bytes");
    }
}

/// The resident memory of the server in bytes.
fn memory(serving: &Serving) -> usize {
    let status = std::fs::read_to_string(format!("/proc/{}/status", serving.id())).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS"));
    let kilobytes = line.unwrap().split_whitespace().nth(1).unwrap();
    kilobytes.parse::<usize>().unwrap() << 10
}

/// The value of a metric, with its labels as they are shown.
pub(super) fn metric(serving: &Serving, name: &str) -> Option<u64> {
    let metrics = serving.operators("/metrics").body;
    let mut lines = metrics.lines();
    let value = lines.find_map(|line| line.strip_prefix(name)?.strip_prefix(' '))?;
    Some(value.parse().unwrap())
}
