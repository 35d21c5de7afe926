//! The requests of a project as one chart, by the class of their answers.

use super::chart::{self, css_class};
use super::period::Period;
use crate::chart::{Bar, Scale, Tick, grouped};
use features::usage::{StatusClass, UsageRow};

/// The chart of all requests, its table and its sums.
pub(super) struct Overview {
    pub(super) bars: Vec<Bar>,
    pub(super) ticks: Vec<Tick>,
    /// The labels of the vertical axis, from above.
    pub(super) axis: [String; 3],
    /// The classes of admitted requests that occur.
    pub(super) legend: Vec<Legend>,
    /// The buckets with a request.
    pub(super) rows: Vec<TableRow>,
    pub(super) admitted: String,
    pub(super) errors: String,
    pub(super) refused: String,
    /// A sentence about the chart.
    pub(super) description: String,
}

/// A color and its meaning.
pub(super) struct Legend {
    pub(super) class: &'static str,
    pub(super) text: &'static str,
    pub(super) requests: String,
}

/// A bucket as a row of the table: all admitted requests, and those of each class.
pub(super) struct TableRow {
    pub(super) name: String,
    pub(super) is_unfinished: bool,
    pub(super) admitted: String,
    pub(super) classes: Vec<String>,
}

/// The requests of each class in each bucket.
pub(super) struct Classes(Vec<Vec<u64>>);

impl Classes {
    pub(super) fn of<'a>(rows: impl IntoIterator<Item = &'a UsageRow>, period: &Period) -> Self {
        let mut classes = vec![vec![0; period.buckets.len()]; StatusClass::ALL.len()];
        for row in rows {
            let class = StatusClass::ALL.iter().position(|it| *it == row.class);
            let counts = class.and_then(|class| classes.get_mut(class));
            let index = period.index(row.minute);
            if let Some((counts, index)) = counts.zip(index)
                && let Some(count) = counts.get_mut(index)
            {
                *count += row.requests;
            }
        }
        Self(classes)
    }

    /// The requests of a class in each bucket.
    pub(super) fn counts(&self, class: StatusClass) -> &[u64] {
        let index = StatusClass::ALL.iter().position(|it| *it == class);
        index
            .and_then(|index| self.0.get(index))
            .map_or(&[], Vec::as_slice)
    }

    pub(super) fn total(&self, class: StatusClass) -> u64 {
        self.counts(class).iter().sum()
    }

    /// The admitted requests in each bucket.
    pub(super) fn admitted(&self) -> Vec<u64> {
        let mut admitted = Vec::new();
        for class in admitted_classes() {
            let counts = self.counts(class);
            admitted.resize(counts.len(), 0);
            admitted
                .iter_mut()
                .zip(counts)
                .for_each(|(sum, it)| *sum += it);
        }
        admitted
    }

    /// The admitted requests that failed.
    pub(super) fn errors(&self) -> u64 {
        self.total(StatusClass::ClientError) + self.total(StatusClass::ServerError)
    }
}

fn admitted_classes() -> impl Iterator<Item = StatusClass> {
    let all = StatusClass::ALL.into_iter();
    all.filter(|class| class.is_admitted())
}

pub(super) fn meaning(class: StatusClass) -> &'static str {
    match class {
        StatusClass::Success => "2xx, answered",
        StatusClass::NotModified => "3xx, not modified",
        StatusClass::ClientError => "4xx, refused as wrong",
        StatusClass::ServerError => "5xx, failed here",
        StatusClass::HungUp => "no answer, the client hung up",
        StatusClass::Refused => "429, above the limit",
    }
}

impl Overview {
    pub(super) fn of(rows: &[UsageRow], period: &Period) -> Self {
        let classes = Classes::of(rows, period);
        let admitted = classes.admitted();
        let scale = Scale::of(admitted.iter().copied().max().unwrap_or(0));
        let series: Vec<_> = admitted_classes()
            .map(|class| (css_class(class), classes.counts(class)))
            .collect();
        let total = admitted.iter().sum();
        Self {
            bars: chart::bars(period, &series, scale),
            ticks: chart::ticks(period),
            axis: scale.labels(),
            legend: legend(&classes),
            rows: table(&classes, &admitted, period),
            admitted: grouped(total),
            errors: grouped(classes.errors()),
            refused: grouped(classes.total(StatusClass::Refused)),
            description: description(&admitted, period),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }
}

fn legend(classes: &Classes) -> Vec<Legend> {
    let legend = admitted_classes().map(|class| (class, classes.total(class)));
    let legend = legend.filter(|(_, requests)| *requests > 0);
    let legend = legend.map(|(class, requests)| Legend {
        class: css_class(class),
        text: meaning(class),
        requests: grouped(requests),
    });
    legend.collect()
}

fn table(classes: &Classes, admitted: &[u64], period: &Period) -> Vec<TableRow> {
    let row = |(index, bucket)| {
        let of = |class| classes.counts(class).get(index).copied().unwrap_or(0);
        let counts = StatusClass::ALL.map(of);
        let row = TableRow {
            name: period.name(bucket),
            is_unfinished: bucket.is_unfinished,
            admitted: grouped(admitted.get(index).copied().unwrap_or(0)),
            classes: counts.map(grouped).into(),
        };
        counts.iter().any(|count| *count > 0).then_some(row)
    };
    let rows = period.buckets.iter().enumerate().rev().filter_map(row);
    rows.collect()
}

fn description(admitted: &[u64], period: &Period) -> String {
    let most = admitted
        .iter()
        .zip(&period.buckets)
        .max_by_key(|(count, _)| **count);
    match most {
        Some((count, bucket)) if *count > 0 => format!(
            "{}, by {}. The most were {} at {}.",
            period.span(),
            period.resolution.value(),
            grouped(*count),
            period.name(bucket),
        ),
        _ => format!("{}. There were none.", period.span()),
    }
}
