//! Answers, and the figures of many.

use crate::table::quantile;
use std::collections::BTreeMap;

/// An answer of a server.
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) body: Vec<u8>,
}

impl Answer {
    /// The parts of a whole answer; `None` without a status.
    pub(super) fn of(bytes: &[u8]) -> Option<Answer> {
        let status = str::from_utf8(bytes.get(9..12)?).ok()?.parse().ok()?;
        let end = bytes.windows(4).position(|end| end == b"\r\n\r\n")?;
        let body = bytes.get(end + 4..)?.to_vec();
        Some(Answer { status, body })
    }
}

/// The answers that callers have got.
#[derive(Default)]
pub(super) struct Seen {
    /// How many answers had each status.
    pub(super) statuses: BTreeMap<u16, usize>,
    /// How many milliseconds each answer took.
    waits: Vec<f64>,
    /// Failures: answers that the contract does not know, and requests without an answer.
    pub(super) failures: Vec<String>,
}

impl Seen {
    /// Notes an answer.
    pub(super) fn note(&mut self, status: u16, milliseconds: f64) {
        *self.statuses.entry(status).or_default() += 1;
        self.waits.push(milliseconds);
    }

    /// Adds the answers that another caller has got.
    pub(super) fn add(&mut self, other: Seen) {
        for (status, count) in other.statuses {
            *self.statuses.entry(status).or_default() += count;
        }
        self.waits.extend(other.waits);
        self.failures.extend(other.failures);
    }

    /// How long so many in a hundred answers took at most, in milliseconds.
    pub(super) fn wait(&self, percent: usize) -> f64 {
        quantile(&self.waits, percent)
    }
}
