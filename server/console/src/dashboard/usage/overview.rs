//! The requests of a project as charts: all admitted requests, and the errors on a scale of their own.

use super::chart::{self, css_class};
use super::period::Period;
use crate::chart::{Bar, Scale, Tick, grouped};
use features::usage::{StatusClass, UsageRow};

/// The charts of all requests, their table and their sums.
pub(super) struct Overview {
    pub(super) plots: Vec<Plot>,
    pub(super) ticks: Vec<Tick>,
    /// The buckets with a request.
    pub(super) rows: Vec<TableRow>,
    pub(super) admitted: String,
    pub(super) errors: String,
    pub(super) refused: String,
}

/// A chart.
pub(super) struct Plot {
    pub(super) id: &'static str,
    pub(super) title: &'static str,
    /// In pixels.
    pub(super) height: u32,
    pub(super) bars: Vec<Bar>,
    /// The labels of the vertical axis, from above.
    pub(super) axis: [String; 3],
    /// The classes that occur.
    pub(super) legend: Vec<Legend>,
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

/// The classes of failed requests.
const ERRORS: [StatusClass; 4] = [
    StatusClass::ClientError,
    StatusClass::ServerError,
    StatusClass::Refused,
    StatusClass::HungUp,
];

fn admitted_classes() -> impl Iterator<Item = StatusClass> {
    let all = StatusClass::ALL.into_iter();
    all.filter(|class| class.is_admitted())
}

pub(in crate::dashboard) fn meaning(class: StatusClass) -> &'static str {
    match class {
        StatusClass::Success => "2xx Success",
        StatusClass::NotModified => "3xx Not modified",
        StatusClass::ClientError => "4xx Client errors",
        StatusClass::ServerError => "5xx Server errors",
        StatusClass::HungUp => "Closed by the client",
        StatusClass::Refused => "429 Rate-limited",
    }
}

impl Overview {
    pub(super) fn of(rows: &[UsageRow], period: &Period) -> Self {
        let classes = Classes::of(rows, period);
        let admitted = classes.admitted();
        let total = admitted.iter().sum();
        let all: Vec<_> = admitted_classes().collect();
        let mut plots = vec![Plot {
            id: "all",
            title: "Allowed requests",
            height: 190,
            ..Plot::of(&classes, &all, period)
        }];
        if ERRORS.iter().any(|class| classes.total(*class) > 0) {
            plots.push(Plot {
                id: "errors",
                title: "Errors",
                height: 80,
                ..Plot::of(&classes, &ERRORS, period)
            });
        }
        Self {
            plots,
            ticks: chart::ticks(period),
            rows: table(&classes, &admitted, period),
            admitted: grouped(total),
            errors: grouped(classes.errors()),
            refused: grouped(classes.total(StatusClass::Refused)),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }
}

impl Plot {
    /// The bars of some classes, and what belongs to them.
    fn of(classes: &Classes, shown: &[StatusClass], period: &Period) -> Self {
        let sum = |index| {
            let counts = shown
                .iter()
                .filter_map(|class| classes.counts(*class).get(index));
            counts.sum()
        };
        let sums: Vec<u64> = (0..period.buckets.len()).map(sum).collect();
        let scale = Scale::of(sums.iter().copied().max().unwrap_or(0));
        let series = shown
            .iter()
            .map(|class| (css_class(*class), classes.counts(*class)));
        Self {
            id: "",
            title: "",
            height: 0,
            bars: chart::bars(period, &series.collect::<Vec<_>>(), scale),
            axis: scale.labels(),
            legend: legend(classes, shown),
            description: description(&sums, period),
        }
    }
}

fn legend(classes: &Classes, shown: &[StatusClass]) -> Vec<Legend> {
    let legend = shown.iter().map(|class| (*class, classes.total(*class)));
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
            "{}, by {}. The peak is {} at {}.",
            period.span(),
            period.resolution.value(),
            grouped(*count),
            period.name(bucket),
        ),
        _ => format!("{}. None.", period.span()),
    }
}
