//! Clients that use up the windows of their callers, at all replicas at once.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Instant;

use super::WINDOW;
use jiff::Timestamp;

use crate::answer::denied;
use crate::faults::requests::{get, key};
use crate::serving::Serving;
use crate::wire::{Answer, Wire};

/// The paths that are requested. At each replica a caller has one client for each.
const TARGETS: [&str; 2] = ["/chains", "/configs"];

/// How often a client is refused before it gives up.
const ENOUGH: usize = 10;

/// The longest `Retry-After` in seconds: a window, and the time that Redis may have taken to answer,
/// because the moment of its decision within that time is unknown.
const MAX_WAIT: usize = 69;

/// Somebody with a limit.
#[derive(Debug)]
pub(super) struct Caller {
    fields: String,
    targets: [&'static str; 2],
    pub(super) limit: usize,
    /// The name of the window in Redis.
    pub(super) window: String,
}

impl Caller {
    pub(super) fn with_key(project: &str, secret: &str, limit: usize) -> Self {
        let project = project.replace('-', "");
        Self {
            fields: key(secret),
            targets: TARGETS,
            limit,
            window: format!("catalog:limits:project:{project}"),
        }
    }

    /// Without a key, who may not see configs.
    pub(super) fn at(address: &str) -> Self {
        Self {
            fields: format!("x-forwarded-for: {address}\r\n"),
            targets: [TARGETS[0]; 2],
            limit: 20,
            window: format!("catalog:limits:network:{address}/32"),
        }
    }
}

/// The responses that the clients of a caller received together.
#[derive(Debug, Default)]
pub(super) struct Seen {
    /// The remaining requests that each admitted request was told.
    pub(super) left: Vec<usize>,
    /// How many requests to each replica had no answer.
    pub(super) unanswered: [usize; 4],
}

impl Seen {
    /// Whether no two requests were told the same number.
    pub(super) fn is_distinct(&self) -> bool {
        let told: BTreeSet<_> = self.left.iter().collect();
        told.len() == self.left.len()
    }

    fn add(&mut self, other: Self) {
        self.left.extend(other.left);
        for (sum, more) in self.unanswered.iter_mut().zip(other.unanswered) {
            *sum += more;
        }
    }
}

/// Runs clients of each caller at each replica until all are refused. `upset` is called with the number
/// of each admission of a caller, from 1, as soon as it is known.
pub(super) fn run(
    replicas: &[Serving; 4],
    callers: &[Caller],
    upset: impl Fn(&Caller, usize) + Sync,
) -> Vec<Seen> {
    let began = Instant::now();
    let seen = thread::scope(|scope| {
        let upset = &upset;
        let of_caller = |caller| {
            let admitted = AtomicUsize::new(0);
            let tell = move || upset(caller, admitted.fetch_add(1, Ordering::Relaxed) + 1);
            scope.spawn(move || clients(replicas, caller, &tell))
        };
        let running: Vec<_> = callers.iter().map(of_caller).collect();
        let seen = running.into_iter().map(|clients| clients.join().unwrap());
        seen.collect()
    });
    assert!(began.elapsed() < WINDOW, "this says nothing of one window");
    seen
}

fn clients(replicas: &[Serving; 4], caller: &Caller, tell: &(impl Fn() + Sync)) -> Seen {
    thread::scope(|scope| {
        let mut running = Vec::new();
        for at in 0..replicas.len() {
            for target in caller.targets {
                let client = Client {
                    replicas,
                    at,
                    wire: None,
                };
                running.push(scope.spawn(move || client.use_up(caller, target, tell)));
            }
        }
        let mut all = Seen::default();
        for client in running {
            all.add(client.join().unwrap());
        }
        all
    })
}

/// A client of one replica, which goes to the next when the replica is gone.
struct Client<'a> {
    replicas: &'a [Serving; 4],
    at: usize,
    wire: Option<Wire>,
}

impl Client<'_> {
    fn use_up(mut self, caller: &Caller, target: &str, tell: impl Fn()) -> Seen {
        let request = get(target, &caller.fields);
        let mut seen = Seen::default();
        let began = Timestamp::now().as_second().try_into().unwrap();
        let mut refused = 0;
        while refused < ENOUGH {
            self.connect();
            let Some(answer) = self.ask(&request) else {
                seen.unanswered[self.at] += 1;
                continue;
            };
            assert_eq!(number(&answer, "x-ratelimit-limit"), caller.limit);
            let reset = number(&answer, "x-ratelimit-reset");
            assert!(
                (began..=began + 60 + MAX_WAIT).contains(&reset),
                "{answer:?}"
            );
            let left = number(&answer, "x-ratelimit-remaining");
            if answer.status == 200 {
                assert!(left < caller.limit, "{answer:?}");
                seen.left.push(left);
                tell();
            } else {
                assert_eq!(denied(&answer, 429), "RATE_LIMIT_EXCEEDED");
                let wait = number(&answer, "retry-after");
                assert!(left == 0 && (1..=MAX_WAIT).contains(&wait), "{answer:?}");
                refused += 1;
            }
        }
        seen
    }

    /// Connects to the first replica from here that listens, unless it is connected.
    fn connect(&mut self) {
        for _ in self.replicas {
            if self.wire.is_some() {
                return;
            }
            self.wire = Wire::try_connect(self.replicas[self.at].api).ok();
            if self.wire.is_none() {
                self.at = (self.at + 1) % self.replicas.len();
            }
        }
    }

    /// `None`, and no connection any more, if there is no answer.
    fn ask(&mut self, request: &str) -> Option<Answer> {
        let answer = self.wire.as_mut().unwrap().try_ask(request.as_bytes());
        if answer.is_none() {
            self.wire = None;
        }
        answer
    }
}

#[track_caller]
fn number(answer: &Answer, field: &str) -> usize {
    let value = answer.header(field).and_then(|text| text.parse().ok());
    value.unwrap_or_else(|| panic!("{field}: {answer:?}"))
}
