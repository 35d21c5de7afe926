//! The rate limiter: exact sliding windows.
//!
//! A request is admitted if and only if fewer than `limit` requests of its [`Subject`] were admitted in
//! the half-open window `(now − 60 s, now]`. Refused requests are not counted, so repeating them does
//! not postpone the next admission. Limits are 20 to 1000 in a minute, so an exact queue of timestamps
//! is cheap: 16 bytes for every admission that still counts.
//!
//! One machine keeps its [`Windows`] in memory, and a [`Journal`] of them beside its database, so that
//! they survive a restart. Several machines share them in Redis ([`Shared`]). This module depends
//! neither on HTTP nor on keys.

mod concurrency;
mod journal;
mod network_windows;
mod sharded;
pub mod shared;
mod subject;
mod window;
mod windows;

use std::collections;
use std::sync::Arc;
use std::time::Duration;

use foldhash::quality::RandomState;
use uuid::Uuid;

use crate::clock::Moment;

pub use concurrency::{Concurrency, Counted};
pub use journal::Journal;
pub use network_windows::{Capacity, Occupancy};
pub use shared::Shared;
pub use subject::{Network, Subject};
pub use window::{Verdict, WINDOW, WindowUse};
pub use windows::Windows;

/// A map by subject. Its hash depends on a secret of the process too, and costs a fifth of the standard
/// library's.
type HashMap<K, V> = collections::HashMap<K, V, RandomState>;

/// The place where requests are counted.
#[derive(Debug)]
pub enum Limiter {
    /// Nowhere: every request is admitted, with the verdict on a first one.
    Lifted,
    /// In this process's memory, and nowhere else.
    Memory(Box<Windows>),
    /// In this process's memory, with a journal from which a restart recovers.
    Kept(Arc<Journal>),
    /// In Redis, together with other processes.
    Shared(Arc<Shared>),
}

impl Limiter {
    /// Admits and counts a request of `subject`, or refuses it and counts nothing.
    ///
    /// `now` is the time since an arbitrary fixed start, from a clock that never runs backwards. A
    /// changed `limit` applies from this request on. Only a shared limiter ever waits.
    pub async fn check(&self, subject: Subject, limit: u32, now: Duration) -> Verdict {
        match self {
            Self::Lifted => window::Window::default().check(limit, now),
            Self::Memory(windows) => windows.check(subject, limit, now),
            Self::Kept(journal) => journal.windows().check(subject, limit, now),
            // Boxed, because its future is large, and would enlarge the futures of all limiters.
            Self::Shared(shared) => Box::pin(shared.check(subject, limit, now)).await,
        }
    }

    /// How much of its limit a caller uses at `now`; `None` where nothing is counted. Replicas that share
    /// their windows answer alike while Redis does.
    pub async fn used(&self, caller: Uuid, limit: u32, now: Duration) -> Option<WindowUse> {
        match self {
            Self::Lifted => None,
            Self::Memory(windows) => Some(windows.used(caller, limit, now)),
            Self::Kept(journal) => Some(journal.windows().used(caller, limit, now)),
            Self::Shared(shared) => Some(shared.used(caller, limit, now).await),
        }
    }

    /// How much of the room for networks is taken; `None` where nothing is counted.
    pub fn occupancy(&self) -> Option<Occupancy> {
        match self {
            Self::Lifted => None,
            Self::Memory(windows) => Some(windows.occupancy()),
            Self::Kept(journal) => Some(journal.windows().occupancy()),
            Self::Shared(shared) => Some(shared.occupancy()),
        }
    }

    /// Maintenance, about twice a second: frees the memory of idle subjects, writes the journal, asks
    /// whether Redis decides.
    pub async fn maintain(&self, now: Moment) {
        match self {
            Self::Lifted => {}
            Self::Memory(windows) => windows.sweep(now.elapsed),
            Self::Kept(journal) => {
                journal.windows().sweep(now.elapsed);
                journal::save(journal, now).await;
            }
            Self::Shared(shared) => {
                shared.sweep(now.elapsed);
                shared.maintain(now.elapsed).await;
            }
        }
    }

    /// Writes the journal or leaves Redis, after the last request.
    pub async fn close(&self, now: Moment) {
        match self {
            Self::Lifted | Self::Memory(_) => {}
            Self::Kept(journal) => journal::save(journal, now).await,
            Self::Shared(shared) => shared.leave().await,
        }
    }
}

#[cfg(test)]
mod tests;
