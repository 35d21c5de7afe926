//! The stations with their readings, and the reports, in memory.

use axum::body::Bytes;
use stations_api::models::{Buoy, Filter, OtherStation, Reading, Station, Summary};
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A picture of a report.
#[derive(Debug, Clone)]
pub(crate) struct Picture {
    pub(crate) media_type: String,
    pub(crate) taken_at: String,
    pub(crate) bytes: Bytes,
}

/// A report as it was filed.
#[derive(Debug, Clone)]
pub(crate) struct Report {
    pub(crate) summary: Summary,
    pub(crate) notes: Vec<String>,
    pub(crate) pictures: Vec<Picture>,
}

/// The state of all stations.
#[derive(Debug)]
pub(crate) struct Network(Mutex<Known>);

#[derive(Debug)]
struct Known {
    stations: BTreeMap<String, (Station, Vec<Reading>)>,
    reports: Vec<Report>,
}

impl Default for Network {
    /// A network with two stations.
    fn default() -> Self {
        let stations = [
            Station::Buoy(Buoy::new("coast:north".into(), 21.0)),
            Station::OtherStation(OtherStation {
                kind: Some("balloon".into()),
                name: "sky:1".into(),
            }),
        ];
        let stations = stations.map(|one| (name(&one).to_owned(), (one, Vec::new())));
        Self(Mutex::new(Known {
            stations: stations.into(),
            reports: Vec::new(),
        }))
    }
}

fn name(station: &Station) -> &str {
    match station {
        Station::Buoy(buoy) => &buoy.name,
        Station::Tower(tower) => &tower.name,
        Station::OtherStation(other) => &other.name,
    }
}

fn kind(station: &Station) -> Option<&str> {
    match station {
        Station::Buoy(_) => Some("buoy"),
        Station::Tower(_) => Some("tower"),
        Station::OtherStation(other) => other.kind.as_deref(),
    }
}

impl Network {
    /// The stations that a filter lets pass. Nobody knows where stations are, so that all are near.
    pub(crate) fn filtered(&self, filter: Option<&Filter>) -> Vec<Station> {
        let kinds = filter.and_then(|filter| filter.kinds.as_ref());
        let known = self.known();
        let stations = known.stations.values().map(|(station, _)| station);
        let wanted = stations.filter(|station| {
            kinds.is_none_or(|kinds| kinds.iter().any(|wanted| kind(station) == Some(wanted)))
        });
        wanted.cloned().collect()
    }

    /// A station with its readings.
    pub(crate) fn get(&self, name: &str) -> Option<(Station, Vec<Reading>)> {
        self.known().stations.get(name).cloned()
    }

    /// Adds a copy of a station under another name, and gives it.
    pub(crate) fn copy(&self, from: &str, to: String) -> Option<Station> {
        let mut known = self.known();
        let (mut copy, _) = known.stations.get(from).cloned()?;
        match &mut copy {
            Station::Buoy(buoy) => buoy.name.clone_from(&to),
            Station::Tower(tower) => tower.name.clone_from(&to),
            Station::OtherStation(other) => other.name.clone_from(&to),
        }
        known.stations.insert(to, (copy.clone(), Vec::new()));
        Some(copy)
    }

    /// Adds a reading of a station; whether there is one of that name.
    pub(crate) fn add(&self, name: &str, reading: Reading) -> bool {
        let mut known = self.known();
        let station = known.stations.get_mut(name);
        station
            .map(|(_, readings)| readings.push(reading))
            .is_some()
    }

    /// Files a report, and gives its number.
    pub(crate) fn file(&self, report: Report) -> usize {
        let mut known = self.known();
        known.reports.push(report);
        known.reports.len()
    }

    /// The report of a number.
    pub(crate) fn report(&self, number: i64) -> Option<Report> {
        let index = usize::try_from(number).ok()?.checked_sub(1)?;
        self.known().reports.get(index).cloned()
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
