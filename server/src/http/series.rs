//! The series that a request adds to. Finding one by its labels costs more than adding to it, so it is
//! found once and kept at hand.

use std::collections::HashMap;
use std::hash::{Hash, Hasher};
use std::sync::{PoisonError, RwLock};

use ::metrics::{Counter, Histogram};
use foldhash::fast::FixedState;
use http::StatusCode;

use super::record::ABORTED;

/// What tells the series of one request from those of others.
///
/// Names are compared by where they are in the program, which is cheaper than by what they say. A name that
/// is there twice is registered twice, with the same handles.
#[derive(Debug, Clone, Copy)]
pub(super) struct Series {
    pub(super) operation: &'static str,
    pub(super) method: &'static str,
    /// `None` for a request whose client hung up first.
    pub(super) status: Option<StatusCode>,
}

impl Series {
    /// The status as a label.
    pub(super) fn status_text(&self) -> &str {
        self.status.as_ref().map_or(ABORTED, StatusCode::as_str)
    }
}

impl Series {
    fn place(&self) -> (*const u8, *const u8, Option<StatusCode>) {
        (self.operation.as_ptr(), self.method.as_ptr(), self.status)
    }
}

impl PartialEq for Series {
    fn eq(&self, other: &Self) -> bool {
        self.place() == other.place()
    }
}

impl Eq for Series {}

impl Hash for Series {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.place().hash(state);
    }
}

/// What a request adds to.
pub(super) struct Handles {
    pub(super) count: Counter,
    pub(super) duration: Histogram,
}

/// The handles of all series that were ever added to. Their number is bounded as that of the labels is.
///
/// No series is a client's choice, so that no secret is needed to spread them.
#[derive(Default)]
pub(super) struct SeriesTable(RwLock<HashMap<Series, Handles, FixedState>>);

impl SeriesTable {
    /// Adds to a series; `register` makes the handles of a new one.
    pub(super) fn add(
        &self,
        series: Series,
        register: impl FnOnce() -> Handles,
        add: impl FnOnce(&Handles),
    ) {
        // The table is whole between any two statements, so a panic elsewhere cannot spoil it.
        let known = self.0.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(handles) = known.get(&series) {
            return add(handles);
        }
        drop(known);
        let mut known = self.0.write().unwrap_or_else(PoisonError::into_inner);
        add(known.entry(series).or_insert_with(register));
    }
}
