//! The status page: which parts of the API are available now, and how available they were in the last 90 days.

use askama::Template;
use jiff::Timestamp;

use crate::availability::{Available, DAYS, History};
use crate::chart::Percent;
use crate::site::{Page, PageError, Shell, SiteInfo, policy};
use features::cache_refresh::CacheRefresh;

/// Caches keep this page for a moment only.
const CACHE: &str = "public, max-age=5";

/// A day with more missing minutes than these is marked as a long outage.
const SHORT: u32 = 15;

/// The part of the state of the server that callers notice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct State {
    /// Whether the database responds.
    database: bool,
    /// The age of the catalogue in minutes, if it could not be refreshed.
    minutes: Option<u64>,
    /// When the server last checked itself.
    checked_at: Option<Timestamp>,
}

#[derive(Template)]
#[template(path = "public_pages/status.html")]
struct Status<'a> {
    shell: Shell<'a>,
    state: State,
    /// The availability of each component; none before the first check.
    components: Vec<Component>,
    /// The days of which something is known, latest first, with the availability of each component.
    days: Vec<(String, Vec<String>)>,
}

/// The availability of a part of the API.
struct Component {
    name: &'static str,
    /// In percent of all minutes that are known.
    share: String,
    /// A sentence about the bars.
    description: String,
    bars: Vec<DayBar>,
}

struct DayBar {
    class: &'static str,
    title: String,
    x: Percent,
    width: Percent,
}

impl State {
    /// The state now.
    pub(super) fn of(refresh: &CacheRefresh, history: &History) -> State {
        let age = refresh.catalogue_age();
        State {
            database: refresh.readiness().is_ok(),
            minutes: (!age.is_zero()).then_some(age.as_secs() / 60),
            checked_at: history.checked_at(),
        }
    }
}

impl Component {
    fn new(name: &'static str, days: &[Available]) -> Self {
        let (minutes, of) = sum(days);
        let share = share(minutes, of);
        let outages = days.iter().filter(|day| day.missing() > 0).count();
        let slot = 100.0 / days.len().max(1) as f64;
        let bars = days.iter().enumerate().map(|(index, day)| DayBar {
            class: class(day),
            title: format!("{}: {}", date(day), words(day)),
            x: Percent((index as f64 + 0.1) * slot),
            width: Percent(0.8 * slot),
        });
        let plural = if outages == 1 { "" } else { "s" };
        Self {
            name,
            description: format!("{share} available, with outages on {outages} day{plural}."),
            share,
            bars: bars.collect(),
        }
    }
}

/// The page about a state.
pub(super) fn page(info: &SiteInfo, state: State, history: &History) -> Result<Page, PageError> {
    let page = status(Shell::public(info, "/status"), state, history);
    Ok(Page::html(policy::PAGE, page.render()?).cached(CACHE))
}

fn status<'a>(shell: Shell<'a>, state: State, history: &History) -> Status<'a> {
    let (running, reading) = (history.running(), history.reading());
    let pairs = running.iter().zip(&reading).rev();
    let known = pairs.filter(|(day, _)| day.of > 0);
    let components = [("Catalog", &running), ("Project data", &reading)];
    let components = components.into_iter().filter(|(_, days)| !days.is_empty());
    Status {
        shell,
        state,
        components: components
            .map(|(name, days)| Component::new(name, days))
            .collect(),
        days: known
            .map(|(running, reading)| (date(running), vec![words(running), words(reading)]))
            .collect(),
    }
}

/// The available minutes, and those that are known.
fn sum(days: &[Available]) -> (u32, u32) {
    let sum = |field: fn(&Available) -> u32| days.iter().map(field).sum();
    (sum(|day| day.minutes), sum(|day| day.of))
}

/// A share in percent, rounded down, so that only a whole one is 100%.
fn share(minutes: u32, of: u32) -> String {
    let hundredths = u64::from(minutes.min(of)) * 10_000 / u64::from(of.max(1));
    match hundredths {
        10_000 => "100%".to_owned(),
        hundredths => format!("{}.{:02}%", hundredths / 100, hundredths % 100),
    }
}

fn class(day: &Available) -> &'static str {
    match (day.of, day.missing()) {
        (0, _) => "unknown",
        (_, 0) => "up",
        (_, 1..=SHORT) => "short",
        _ => "long",
    }
}

fn date(day: &Available) -> String {
    day.date.strftime("%-d %b %Y").to_string()
}

/// What is known of a day, such as `12 min unavailable`.
fn words(day: &Available) -> String {
    match (day.of, day.missing()) {
        (0, _) => "no data".to_owned(),
        (_, 0) => "100%".to_owned(),
        (_, missing @ ..60) => format!("{missing} min unavailable"),
        (_, missing) => format!("{} h {} min unavailable", missing / 60, missing % 60),
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    fn written(database: bool, minutes: Option<u64>) -> String {
        let info = SiteInfo {
            service: "Test".to_owned(),
            api: "http://test/api/v1".to_owned(),
            has_dashboard: false,
        };
        let state = State {
            database,
            minutes,
            checked_at: Some(Timestamp::UNIX_EPOCH),
        };
        let status = status(Shell::new(&info, "/status"), state, &History::default());
        status.render().unwrap()
    }

    #[test]
    fn the_page_names_what_is_unavailable() {
        let well = written(true, None);
        assert!(well.contains("All systems operational") && !well.contains("Unavailable"));
        let away = written(false, Some(7));
        assert!(away.contains("Unavailable") && away.contains("7 min"));
        let old = written(true, Some(0));
        assert!(!old.contains("All systems operational") && old.contains("less than a minute"));
    }

    #[test]
    fn a_component_has_a_bar_for_each_day() {
        let day = |minutes, of| Available {
            date: date(2026, 11, 28),
            minutes,
            of,
        };
        let days = [day(0, 0), day(1440, 1440), day(1430, 1440), day(1300, 1440)];
        let component = Component::new("Catalog", &days);
        let bars = component.bars.iter().map(|bar| (bar.class, &*bar.title));
        assert_eq!(
            bars.collect::<Vec<_>>(),
            [
                ("unknown", "28 Nov 2026: no data"),
                ("up", "28 Nov 2026: 100%"),
                ("short", "28 Nov 2026: 10 min unavailable"),
                ("long", "28 Nov 2026: 2 h 20 min unavailable"),
            ]
        );
        assert_eq!(
            component.description,
            "96.52% available, with outages on 2 days."
        );
        assert_eq!(
            (share(1439, 1440), share(1440, 1440)),
            ("99.93%".to_owned(), "100%".to_owned())
        );
    }
}
