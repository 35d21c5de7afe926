//! The binary format of admissions up to a moment.
//!
//! The moment in µs since 1970, then for each subject its kind, its id, the number of its admissions,
//! and the time of each before the moment, in µs. Numbers are little-endian.

use std::net::IpAddr;
use std::time::Duration;

use jiff::Timestamp;
use uuid::Uuid;

use crate::clock::Moment;
use crate::limits::{Network, Subject};

const CALLER: u8 = 0;
const NETWORK_V4: u8 = 1;
const NETWORK_V6: u8 = 2;

/// A frame that is being written.
#[derive(Debug)]
pub(super) struct Draft {
    now: Moment,
    bytes: Vec<u8>,
    empty: bool,
}

/// A frame that was read.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Frame {
    /// The moment up to which it holds admissions.
    pub(super) written: Timestamp,
    /// Each admission: its subject, and its time before that moment.
    pub(super) admissions: Vec<(Subject, Duration)>,
}

impl Draft {
    /// A frame of the moment `now` without admissions.
    pub(super) fn at(now: Moment) -> Self {
        // Rounded up, as the ages are rounded down: an admission never counts for less than its time.
        let written = now.wall.as_microsecond().saturating_add(1);
        Self {
            now,
            bytes: written.to_le_bytes().to_vec(),
            empty: true,
        }
    }

    /// Adds admissions of `subject`, at times of the clock of `now`.
    pub(super) fn add(&mut self, subject: Subject, admitted: impl Iterator<Item = Duration>) {
        let ages: Vec<u32> = admitted.map(|at| age(self.now.elapsed, at)).collect();
        let Some(count) = u32::try_from(ages.len()).ok().filter(|count| *count > 0) else {
            return;
        };
        self.empty = false;
        match subject {
            Subject::Caller(id) => {
                self.bytes.push(CALLER);
                self.bytes.extend(id.into_bytes());
            }
            Subject::Network(network) => {
                match network.address() {
                    IpAddr::V4(address) => {
                        self.bytes.push(NETWORK_V4);
                        self.bytes.extend(address.octets());
                    }
                    IpAddr::V6(address) => {
                        self.bytes.push(NETWORK_V6);
                        self.bytes.extend(address.octets());
                    }
                }
                self.bytes.push(network.prefix());
            }
        }
        self.bytes.extend(count.to_le_bytes());
        self.bytes
            .extend(ages.into_iter().flat_map(u32::to_le_bytes));
    }

    pub(super) fn is_empty(&self) -> bool {
        self.empty
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

impl Frame {
    /// Reads a whole frame; `None` if it is none.
    pub(super) fn parse(bytes: &[u8]) -> Option<Self> {
        let (written, mut rest) = bytes.split_first_chunk()?;
        let written = Timestamp::from_microsecond(i64::from_le_bytes(*written)).ok()?;
        let mut admissions = Vec::new();
        while !rest.is_empty() {
            let (subject, after) = subject(rest)?;
            let (count, after) = after.split_first_chunk()?;
            let length = (u32::from_le_bytes(*count) as usize).checked_mul(4)?;
            let (ages, after) = after.split_at_checked(length)?;
            let (ages, _) = ages.as_chunks();
            let age = |bytes: &[u8; 4]| Duration::from_micros(u32::from_le_bytes(*bytes).into());
            admissions.extend(ages.iter().map(|bytes| (subject, age(bytes))));
            rest = after;
        }
        Some(Self {
            written,
            admissions,
        })
    }
}

fn age(now: Duration, at: Duration) -> u32 {
    u32::try_from(now.saturating_sub(at).as_micros()).unwrap_or(u32::MAX)
}

fn subject(bytes: &[u8]) -> Option<(Subject, &[u8])> {
    let (kind, rest) = bytes.split_first()?;
    match *kind {
        CALLER => {
            let (id, rest) = rest.split_first_chunk()?;
            Some((Subject::Caller(Uuid::from_bytes(*id)), rest))
        }
        NETWORK_V4 => {
            let (octets, rest) = rest.split_first_chunk::<4>()?;
            network((*octets).into(), rest)
        }
        NETWORK_V6 => {
            let (octets, rest) = rest.split_first_chunk::<16>()?;
            network((*octets).into(), rest)
        }
        _ => None,
    }
}

fn network(address: IpAddr, bytes: &[u8]) -> Option<(Subject, &[u8])> {
    let (prefix, rest) = bytes.split_first()?;
    Some((Subject::Network(Network::new(address, *prefix)?), rest))
}
