//! The requests of a project as one chart, by the class of their answers.

use super::chart::{self, Bar, Scale, Tick, fill, grouped};
use super::period::Period;
use crate::usage::{StatusClass, UsageRow};

/// The chart of all requests, its table and its sums.
pub(super) struct Overview {
    pub(super) bars: Vec<Bar>,
    pub(super) ticks: Vec<Tick>,
    /// The labels of the vertical axis, from above.
    pub(super) axis: [String; 3],
    /// The classes of admitted requests that occur.
    pub(super) legend: Vec<Legend>,
    /// The steps with a request.
    pub(super) rows: Vec<TableRow>,
    pub(super) admitted: String,
    pub(super) errors: String,
    pub(super) refused: String,
    /// A sentence about the chart.
    pub(super) description: String,
}

/// A colour and its meaning.
pub(super) struct Legend {
    pub(super) class: &'static str,
    pub(super) text: &'static str,
    pub(super) requests: String,
}

/// A step as a row of the table: all admitted requests, and those of each class.
pub(super) struct TableRow {
    pub(super) name: String,
    pub(super) is_unfinished: bool,
    pub(super) admitted: String,
    pub(super) classes: Vec<String>,
}

/// The requests of each class in each step.
pub(super) struct Classes(Vec<Vec<u64>>);

impl Classes {
    pub(super) fn of<'a>(rows: impl IntoIterator<Item = &'a UsageRow>, period: &Period) -> Self {
        let mut classes = vec![vec![0; period.buckets.len()]; StatusClass::ALL.len()];
        for row in rows {
            let class = StatusClass::ALL.iter().position(|it| *it == row.class);
            let counts = class.and_then(|class| classes.get_mut(class));
            let place = period.place(row.minute);
            if let Some((counts, place)) = counts.zip(place)
                && let Some(count) = counts.get_mut(place)
            {
                *count += row.requests;
            }
        }
        Self(classes)
    }

    /// The requests of a class in each step.
    pub(super) fn steps(&self, class: StatusClass) -> &[u64] {
        let place = StatusClass::ALL.iter().position(|it| *it == class);
        place
            .and_then(|place| self.0.get(place))
            .map_or(&[], Vec::as_slice)
    }

    pub(super) fn total(&self, class: StatusClass) -> u64 {
        self.steps(class).iter().sum()
    }

    /// The admitted requests in each step.
    pub(super) fn admitted(&self) -> Vec<u64> {
        let mut admitted = Vec::new();
        for class in admitted_classes() {
            let steps = self.steps(class);
            admitted.resize(steps.len(), 0);
            admitted
                .iter_mut()
                .zip(steps)
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

/// The meaning of a class.
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
        let stacks: Vec<_> = admitted_classes()
            .map(|class| (fill(class), classes.steps(class)))
            .collect();
        let total = admitted.iter().sum();
        Self {
            bars: chart::bars(period, &stacks, scale),
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
        class: fill(class),
        text: meaning(class),
        requests: grouped(requests),
    });
    legend.collect()
}

fn table(classes: &Classes, admitted: &[u64], period: &Period) -> Vec<TableRow> {
    let row = |(place, bucket)| {
        let of = |class| classes.steps(class).get(place).copied().unwrap_or(0);
        let counts = StatusClass::ALL.map(of);
        let row = TableRow {
            name: period.name(bucket),
            is_unfinished: bucket.is_unfinished,
            admitted: grouped(admitted.get(place).copied().unwrap_or(0)),
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
            period.width.value(),
            grouped(*count),
            period.name(bucket),
        ),
        _ => format!("{}. There were none.", period.span()),
    }
}
