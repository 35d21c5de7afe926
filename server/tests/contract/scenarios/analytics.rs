//! Totals and series of a project.

use std::str::FromStr;
use std::sync::Arc;

use generated::api::analytics::{
    AnalyticsSeriesParams, AnalyticsSeriesResponse, AnalyticsTotalsParams, AnalyticsTotalsResponse,
};
use generated::formats;
use generated::models::{AnalyticsSeries, AnalyticsTotals, SeriesInterval};
use jiff::civil::Date;
use jiff::tz::TimeZone;

use super::super::donations::{self, Donation};
use super::super::fixture::{ENTERPRISE, FREE, PRO};
use super::super::test_request::TestRequest;
use super::super::world::{Template, World};
use super::parameters::assert_issue;

const PROJECTS: [&str; 3] = [FREE, PRO, ENTERPRISE];

pub fn key<'w>(world: &'w World, project: &str) -> &'w str {
    match project {
        FREE => &world.keys.free,
        PRO => &world.keys.pro,
        _ => &world.keys.enterprise,
    }
}

pub fn day(donation: &Donation) -> Date {
    donation.at.to_zoned(TimeZone::UTC).date()
}

fn bound<T: FromStr>(date: Option<&str>) -> Option<T> {
    date.and_then(|date| date.parse().ok())
}

async fn totals(
    world: &World,
    project: &str,
    from: Option<&str>,
    to: Option<&str>,
) -> AnalyticsTotals {
    let params = AnalyticsTotalsParams {
        from: bound(from),
        to: bound(to),
        config_id: None,
        charity_id: None,
        chain_id: None,
        token: None,
    };
    let client = world.client_with(key(world, project));
    let AnalyticsTotalsResponse::Ok { body } = client.analytics_totals(params).await.unwrap();
    body.decode().unwrap()
}

async fn series(
    world: &World,
    interval: SeriesInterval,
    from: Option<&str>,
    to: Option<&str>,
) -> AnalyticsSeries {
    let params = AnalyticsSeriesParams {
        interval,
        from: bound(from),
        to: bound(to),
        config_id: None,
        charity_id: None,
        chain_id: None,
        token: None,
    };
    let client = world.client_with(&world.keys.enterprise);
    let AnalyticsSeriesResponse::Ok { body } = client.analytics_series(params).await.unwrap();
    body.decode().unwrap()
}

async fn totals_are_those_of_the_range(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    let ranges = [
        (None, None),
        (Some("2026-10-01"), None),
        (None, Some("2026-10-31")),
        (Some("2026-10-05"), Some("2026-10-05")),
        (Some("2026-09-30"), Some("2026-11-19")),
        (Some("2026-08-01"), Some("2026-08-31")),
        (Some("1970-01-01"), Some("2999-12-31")),
        (Some("2030-01-01"), None),
    ];
    for project in PROJECTS {
        for (from, to) in ranges {
            let mut donations = donations::of_project(project);
            donations.retain(|donation| {
                bound(from).is_none_or(|from: Date| day(donation) >= from)
                    && bound(to).is_none_or(|to: Date| day(donation) <= to)
            });
            let sum = donations::sum(&donations);
            let shown = totals(&world, project, from, to).await;
            let at = format!("{project} {from:?} {to:?}");
            assert_eq!(shown.usd_donated_e6, sum.usd.to_string(), "{at}");
            assert_eq!(shown.donation_count, sum.count.to_string(), "{at}");
            let tokens = donations::by(&donations, |donation| {
                (donation.chain, donation.token.clone())
            })
            .len();
            assert_eq!(shown.token_count, tokens.to_string(), "{at}");
            let configs = donations::by(&donations, |donation| donation.config).len();
            assert_eq!(shown.config_count, configs.to_string(), "{at}");
            let time = |at: Option<jiff::Timestamp>| at.map(|at| formats::DateTime(at).into());
            assert_eq!(shown.first_donation_date, time(sum.first), "{at}");
            assert_eq!(shown.last_donation_date, time(sum.last), "{at}");
            assert_eq!((shown.from, shown.to), (bound(from), bound(to)));
        }
    }
}

/// Every interval has a point; the first and the last count only donations within the range.
async fn series_are_filled_with_zeros(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    let donations = donations::of_project(ENTERPRISE);
    for (interval, from, to, starts) in [
        (SeriesInterval::Day, Some("2026-11-01"), None, 20),
        (
            SeriesInterval::Week,
            Some("2026-09-02"),
            Some("2026-11-19"),
            12,
        ),
        (
            SeriesInterval::Month,
            Some("2025-12-31"),
            Some("2026-11-10"),
            12,
        ),
    ] {
        let series = series(&world, interval, from, to).await;
        assert_eq!(series.response.len(), starts, "{interval:?}");
        assert_eq!(Some(series.from.to_string().as_str()), from);
        assert_eq!(series.to.to_string(), to.unwrap_or("2026-11-20"));
        let (first, last) = (series.from.0, series.to.0);
        let mut points = series.response.iter().peekable();
        while let Some(point) = points.next() {
            let start = point.start.0;
            let next = points.peek().map(|next| next.start.0);
            let within = donations.iter().filter(|donation| {
                let day = day(donation);
                (first..=last).contains(&day) && day >= start && next.is_none_or(|next| day < next)
            });
            let sum = donations::sum(within);
            assert_eq!(
                point.usd_donated_e6,
                sum.usd.to_string(),
                "{interval:?} {start}"
            );
            assert_eq!(point.donation_count, sum.count.to_string());
        }
        let begins = series.response.iter().map(|point| point.start.0);
        assert!(begins.clone().all(|start| match interval {
            SeriesInterval::Hour | SeriesInterval::Day => true,
            SeriesInterval::Week => start.weekday() == jiff::civil::Weekday::Monday,
            SeriesInterval::Month => start.day() == 1,
        }));
    }
    // Without parameters: the last thirty days, by day.
    let request = TestRequest::get("/analytics/series").key(&world.keys.enterprise);
    let default = request.expect(&world, 200).await.json();
    assert_eq!(default["interval"], "day");
    assert_eq!(
        (&default["from"], &default["to"]),
        (&"2026-10-22".into(), &"2026-11-20".into())
    );
    assert_eq!(default["response"].as_array().map(Vec::len), Some(30));
}

async fn series_are_bounded(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    let request = |interval: &str, from: &str, to: &str| {
        let target = format!("/analytics/series?interval={interval}&from={from}&to={to}");
        TestRequest::get(target).key(&world.keys.enterprise)
    };
    for (interval, from, to) in [
        ("day", "2025-11-20", "2026-11-20"),
        ("week", "2020-01-06", "2027-01-10"),
        ("month", "2000-01-31", "2030-06-01"),
    ] {
        let answer = request(interval, from, to).expect(&world, 200).await.json();
        assert_eq!(
            answer["response"].as_array().map(Vec::len),
            Some(366),
            "{interval}"
        );
    }
    for (interval, from, to) in [
        ("day", "2025-11-19", "2026-11-20"),
        ("week", "2020-01-05", "2027-01-10"),
        ("month", "2000-01-31", "2030-07-01"),
        ("month", "1970-01-01", "2999-12-31"),
        ("day", "1970-01-01", "2999-12-31"),
    ] {
        let issues = request(interval, from, to)
            .expect(&world, 400)
            .await
            .issues();
        assert!(issues[0].message.contains("366"), "{issues:?}");
    }
    // The first and the last days that the contract lets a caller name, alone.
    for (query, status) in [
        ("to=1970-01-01", 200),
        ("from=2999-12-31", 200),
        ("to=1969-12-31", 400),
        ("from=3000-01-01", 400),
    ] {
        let answer = TestRequest::get(format!("/analytics/series?{query}"));
        let answer = answer.key(&world.keys.enterprise).of(&world).await;
        assert_eq!(answer.status, status, "{query}");
    }
}

async fn ranges_are_checked(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    for path in ["", "/series", "/charities", "/tokens", "/configs"] {
        let request = |query: &str| {
            let request = TestRequest::get(format!("/analytics{path}?{query}"));
            request.key(&world.keys.enterprise)
        };
        request("from=2026-11-20&to=2026-11-20")
            .expect(&world, 200)
            .await;
        request("from=2024-02-29&to=2024-03-01")
            .expect(&world, 200)
            .await;
        let issues = request("from=2026-11-21&to=2026-11-20")
            .expect(&world, 400)
            .await
            .issues();
        assert_eq!(
            (issues[0].place.as_str(), issues[0].at.as_str()),
            ("query", "from")
        );
        let issues = request("from=2026-02-29&to=2026-03-01")
            .expect(&world, 400)
            .await
            .issues();
        assert_issue(&issues, "query", "from", "format");
        for wrong in [
            "2026-1-1",
            "20261120",
            "2026-11-20T00:00:00Z",
            "today",
            "+2026-11-20",
        ] {
            let issues = request(&format!("to={wrong}"))
                .expect(&world, 400)
                .await
                .issues();
            assert!(issues.iter().any(|it| it.at == "to"), "{wrong}");
        }
    }
}

super::theme! {
    totals_are_those_of_the_range,
    series_are_filled_with_zeros,
    series_are_bounded,
    ranges_are_checked,
}
