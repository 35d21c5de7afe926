//! Rows of usage as arrays of columns, and rows that are read.

use std::collections::BTreeMap;

use tokio_postgres::Row;

use super::{Breakdown, Failure, Minute, MinuteCount, RunId, Series, Unfolded, UsageRow, column};
use crate::keys::KeyId;
use crate::projects::ProjectId;
use crate::usage::StatusClass;
use crate::usage::fold::Addition;

/// Rows of counts or sums.
#[derive(Debug, Default)]
pub(super) struct SumRows<'a> {
    pub(super) projects: Vec<ProjectId>,
    pub(super) minutes: Vec<Minute>,
    pub(super) keys: Vec<KeyId>,
    pub(super) operations: Vec<&'a str>,
    pub(super) classes: Vec<StatusClass>,
    pub(super) requests: Vec<i64>,
    pub(super) is_coarse: Vec<bool>,
}

/// Rows of minutes with their runs.
#[derive(Debug)]
pub(super) struct MinuteRows<'a> {
    pub(super) runs: Vec<RunId>,
    pub(super) rows: SumRows<'a>,
}

impl<'a> SumRows<'a> {
    pub(super) fn of_counts(counts: &'a [MinuteCount]) -> Self {
        let mut rows = Self::default();
        for count in counts {
            rows.projects.push(count.project);
            rows.minutes.push(count.minute);
            rows.keys.push(count.key);
            rows.operations.push(count.operation);
            rows.classes.push(count.class);
            rows.requests.push(number(count.requests));
            rows.is_coarse.push(count.is_coarse);
        }
        rows
    }

    pub(super) fn of_sums(sums: &'a BTreeMap<(Minute, Series), Addition>) -> Self {
        let mut rows = Self::default();
        for ((minute, series), addition) in sums {
            rows.push(*minute, series, *addition);
        }
        rows
    }

    fn push(&mut self, minute: Minute, series: &'a Series, addition: Addition) {
        self.projects.push(series.project);
        self.minutes.push(minute);
        self.keys.push(series.key);
        self.operations.push(&series.operation);
        self.classes.push(series.class);
        self.requests.push(number(addition.requests));
        self.is_coarse.push(addition.is_coarse);
    }
}

impl<'a> MinuteRows<'a> {
    pub(super) fn of(minutes: &'a [Unfolded]) -> Self {
        let mut rows = SumRows::default();
        for row in minutes {
            let counted = Addition {
                requests: row.requests,
                is_coarse: row.is_coarse,
            };
            rows.push(row.minute, &row.series, counted);
        }
        let runs = minutes.iter().map(|row| row.run).collect();
        Self { runs, rows }
    }
}

fn number(requests: u64) -> i64 {
    i64::try_from(requests).unwrap_or(i64::MAX)
}

pub(super) fn read_unfolded(row: &Row) -> Result<Unfolded, Failure> {
    Ok(Unfolded {
        series: Series {
            project: row.try_get("project")?,
            key: row.try_get("key")?,
            operation: row.try_get("operation")?,
            class: row.try_get("class")?,
        },
        minute: row.try_get("minute")?,
        run: row.try_get("run")?,
        requests: column::number(row, "requests")?,
        folded: column::number(row, "folded")?,
        is_coarse: row.try_get("is_coarse")?,
    })
}

pub(super) fn read_row(row: &Row, breakdown: Breakdown) -> Result<UsageRow, Failure> {
    Ok(UsageRow {
        minute: row.try_get("minute")?,
        key: match breakdown.has_key() {
            true => row.try_get("key")?,
            false => None,
        },
        operation: match breakdown.has_operation() {
            true => row.try_get("operation")?,
            false => None,
        },
        class: row.try_get("class")?,
        requests: column::number(row, "requests")?,
        is_coarse: row.try_get("is_coarse")?,
    })
}
