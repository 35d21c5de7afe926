//! The requests of a project, broken down by status, key or operation.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::Deserialize;

use super::KeyUse;
use super::chart::{self, css_class};
use super::overview::{Classes, meaning};
use super::period::Period;
use crate::chart::{Bar, Scale, grouped};
use features::keys::{KeyId, KeyRecord};
use features::usage::{Breakdown, LastUses, StatusClass, UsageRow};

/// The charts of a page; further parts have their numbers alone.
const CHARTS: usize = 24;

/// The dimension of a breakdown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum By {
    #[default]
    Status,
    Key,
    Operation,
}

/// A part of a breakdown, such as the requests of one key.
pub(super) struct Part {
    pub(super) name: String,
    /// An addition to the name, such as the first characters of a key.
    pub(super) detail: String,
    pub(super) last_use: Option<KeyUse>,
    pub(super) requests: String,
    pub(super) errors: String,
    pub(super) refused: String,
    /// The most requests in one bucket.
    pub(super) most: String,
    pub(super) bars: Vec<Bar>,
    /// Its requests in each bucket with any, for the table of the chart.
    pub(super) rows: Vec<(String, String)>,
    total: u64,
    counts: Vec<u64>,
    css_class: &'static str,
}

impl By {
    pub(super) const ALL: [Self; 3] = [Self::Status, Self::Key, Self::Operation];

    pub(super) fn label(self) -> &'static str {
        match self {
            Self::Status => "Status",
            Self::Key => "Key",
            Self::Operation => "Operation",
        }
    }

    /// Its name in a query.
    pub(super) fn value(self) -> &'static str {
        match self {
            Self::Status => "status",
            Self::Key => "key",
            Self::Operation => "operation",
        }
    }

    pub(super) fn breakdown(self) -> Breakdown {
        match self {
            Self::Status => Breakdown::Status,
            Self::Key => Breakdown::Key,
            Self::Operation => Breakdown::Operation,
        }
    }
}

/// The parts of `rows`, the largest first. A live key is a part even without requests.
pub(super) fn parts(
    rows: &[UsageRow],
    period: &Period,
    by: By,
    keys: &[KeyRecord],
    uses: &LastUses,
    now: Timestamp,
) -> Vec<Part> {
    let mut parts = match by {
        By::Status => by_status(rows, period),
        By::Key => by_key(rows, period, keys, uses, now),
        By::Operation => by_operation(rows, period),
    };
    if by != By::Status {
        parts.sort_by_key(|part| Reverse(part.total));
    }
    for part in parts.iter_mut().take(CHARTS) {
        part.draw(period);
    }
    parts
}

fn by_status(rows: &[UsageRow], period: &Period) -> Vec<Part> {
    let classes = Classes::of(rows, period);
    let part = |class: StatusClass| {
        let counts = classes.counts(class).to_vec();
        let part = Part::new(meaning(class).to_owned(), counts, css_class(class));
        (part.total > 0).then_some(part)
    };
    StatusClass::ALL.into_iter().filter_map(part).collect()
}

fn by_key(
    rows: &[UsageRow],
    period: &Period,
    keys: &[KeyRecord],
    uses: &LastUses,
    now: Timestamp,
) -> Vec<Part> {
    let mut of: BTreeMap<KeyId, Vec<&UsageRow>> = BTreeMap::new();
    for (row, key) in rows.iter().filter_map(|row| Some((row, row.key?))) {
        of.entry(key).or_default().push(row);
    }
    let part = |key: &KeyRecord| {
        let rows = of.get(&key.id).cloned().unwrap_or_default();
        let name = key
            .labels
            .label
            .clone()
            .unwrap_or_else(|| "no label".to_owned());
        let mut part = Part::of(name, &Classes::of(rows, period));
        part.detail = format!("{}…", key.display_prefix);
        part.last_use = Some(KeyUse::of(key, uses, now));
        (key.is_live(now) || of.contains_key(&key.id)).then_some(part)
    };
    keys.iter().filter_map(part).collect()
}

fn by_operation(rows: &[UsageRow], period: &Period) -> Vec<Part> {
    let mut of: BTreeMap<&str, Vec<&UsageRow>> = BTreeMap::new();
    for row in rows {
        let operation = row.operation.as_deref().unwrap_or_default();
        of.entry(operation).or_default().push(row);
    }
    let part = |(operation, rows): (&str, Vec<&UsageRow>)| {
        let name = match operation {
            "<unmatched>" => "Unknown path".to_owned(),
            named => named.to_owned(),
        };
        Part::of(name, &Classes::of(rows, period))
    };
    of.into_iter().map(part).collect()
}

impl Part {
    fn new(name: String, counts: Vec<u64>, css_class: &'static str) -> Self {
        let total = counts.iter().sum();
        Self {
            name,
            detail: String::new(),
            last_use: None,
            requests: grouped(total),
            errors: String::new(),
            refused: String::new(),
            most: grouped(counts.iter().copied().max().unwrap_or(0)),
            bars: Vec::new(),
            rows: Vec::new(),
            total,
            counts,
            css_class,
        }
    }

    /// The admitted requests of some classes.
    fn of(name: String, classes: &Classes) -> Self {
        Self {
            errors: grouped(classes.errors()),
            refused: grouped(classes.total(StatusClass::Refused)),
            ..Self::new(name, classes.admitted(), css_class(StatusClass::Success))
        }
    }

    fn draw(&mut self, period: &Period) {
        let scale = Scale::of(self.counts.iter().copied().max().unwrap_or(0));
        self.bars = chart::bars(period, &[(self.css_class, &self.counts)], scale);
        let counts = self.counts.iter().zip(&period.buckets).rev();
        let some = counts.filter(|(count, _)| **count > 0);
        let rows = some.map(|(count, bucket)| {
            let so_far = if bucket.is_unfinished {
                " (so far)"
            } else {
                ""
            };
            let name = format!("{}{so_far}", period.name(bucket));
            (name, grouped(*count))
        });
        self.rows = rows.collect();
    }
}
