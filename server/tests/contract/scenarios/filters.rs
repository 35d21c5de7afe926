//! Statistics with filters, and by hour.

use std::sync::Arc;

use jiff::Timestamp;
use serde_json::Value;

use super::super::donations::{self, Donation};
use super::super::fixture::{self, BASE, BITCOIN, BITCOIN_COIN, ENTERPRISE, PRO, USDC};
use super::super::test_request::TestRequest;
use super::super::world::{Template, World};
use super::analytics::key;
use super::attribution::figures;
use super::paging;
use super::parameters::assert_issue;

/// The first day with donations. Ranges with filters may start 91 days before the last day, which is 2026-11-20.
const FIRST: &str = "2026-09-01";

const PATHS: [&str; 5] = ["", "/series", "/charities", "/tokens", "/configs"];

/// A filter as parameters, and the donations that it matches.
type Filter = (Vec<(&'static str, String)>, Box<dyn Fn(&Donation) -> bool>);

/// The path that has no filter of this name, because it lists by it.
fn lists_by(name: &str) -> &'static str {
    match name {
        "configId" => "/configs",
        "charityId" => "/charities",
        "token" => "/tokens",
        _ => "",
    }
}

fn request(world: &World, project: &str, path: &str) -> TestRequest {
    TestRequest::get(format!("/analytics{path}")).key(key(world, project))
}

fn filters() -> Vec<Filter> {
    let mut filters: Vec<Filter> = Vec::new();
    for n in [0, 2, 5, 10, 99] {
        let through = move |donation: &Donation| donation.config == n;
        filters.push((vec![("configId", fixture::config(n))], Box::new(through)));
    }
    for chain in [BASE, BITCOIN, 999] {
        let on = move |donation: &Donation| donation.chain == chain;
        filters.push((vec![("chainId", chain.to_string())], Box::new(on)));
    }
    let partner = fixture::partner(3);
    for token in [USDC.to_owned(), BITCOIN_COIN.to_owned(), partner] {
        let own = token.clone();
        let within = move |donation: &Donation| donation.token.eq_ignore_ascii_case(&own);
        filters.push((vec![("token", token)], Box::new(within)));
    }
    let usdc = vec![("token", USDC.to_owned()), ("chainId", BASE.to_string())];
    let within = |donation: &Donation| donation.token == USDC && donation.chain == BASE;
    filters.push((usdc, Box::new(within)));
    let both = vec![
        ("configId", fixture::config(1)),
        ("from", "2026-11-01".to_owned()),
    ];
    let since: Timestamp = "2026-11-01T00:00:00Z".parse().unwrap();
    let matches = move |donation: &Donation| donation.config == 1 && donation.at >= since;
    filters.push((both, Box::new(matches)));
    let two = vec![
        ("configId", fixture::config(2)),
        ("chainId", BASE.to_string()),
    ];
    let matches = |donation: &Donation| donation.config == 2 && donation.chain == BASE;
    filters.push((two, Box::new(matches)));
    filters
}

async fn sums_are_of_the_donations_that_match(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    for project in [ENTERPRISE, PRO] {
        for (params, matches) in filters() {
            let mut donations = donations::of_project(project);
            donations.retain(matches);
            let sum = donations::sum(&donations);
            for path in PATHS {
                let is_listed = |(name, _): &(&str, String)| lists_by(name) == path;
                if !path.is_empty() && params.iter().any(is_listed) {
                    continue;
                }
                let mut asked = request(&world, project, path);
                for (name, value) in &params {
                    asked = asked.query(name, value);
                }
                let has = |name| params.iter().any(|it| it.0 == name);
                let needs_first = match path {
                    "/series" => false,
                    "" => has("configId") && has("chainId"),
                    _ => true,
                };
                if needs_first && !has("from") {
                    asked = asked.query("from", FIRST);
                }
                let at = format!("{project} {path} {params:?}");
                let shown = match path {
                    "" => figures(&asked.expect(&world, 200).await.json()),
                    "/series" => {
                        let whole = asked.query("interval", "week");
                        let whole = match has("from") {
                            true => whole,
                            false => whole.query("from", FIRST),
                        };
                        total(whole.expect(&world, 200).await.json()["response"].as_array())
                    }
                    _ => {
                        let items = paging::walk(&world, &asked, Some(200)).await;
                        let stats: Vec<_> = items.iter().map(|it| it["stats"].clone()).collect();
                        total(Some(&stats))
                    }
                };
                assert_eq!(shown.0, sum.usd, "{at}");
                // A donation counts once for each of its charities.
                if path != "/charities" {
                    assert_eq!(shown.1, sum.count, "{at}");
                }
            }
        }
    }
}

fn total(stats: Option<&Vec<Value>>) -> (i64, usize) {
    let figures = stats.unwrap().iter().map(figures);
    figures.fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1))
}

/// The sum of donations to a charity alone is that in the list of all charities.
async fn a_charitys_parts_are_those_of_the_list(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    let charities = request(&world, ENTERPRISE, "/charities");
    let charities = paging::walk(&world, &charities, Some(200)).await;
    assert!(charities.len() > 3);
    for entry in charities.iter().take(4) {
        let id = entry["charity"]["id"].as_str().unwrap();
        let of = |path: &str| request(&world, ENTERPRISE, path).query("charityId", id);
        let totals = of("").expect(&world, 200).await.json();
        assert_eq!(figures(&totals), figures(&entry["stats"]));
        assert_eq!(totals["charityCount"], "1");
        for path in ["/tokens", "/configs"] {
            let listed = of(path).query("from", FIRST);
            let items = paging::walk(&world, &listed, Some(200)).await;
            let stats: Vec<_> = items.iter().map(|it| it["stats"].clone()).collect();
            assert_eq!(total(Some(&stats)), figures(&totals), "{path}");
        }
        let series = of("/series").query("interval", "month");
        let series = series.query("from", "2026-08-01");
        let series = series.expect(&world, 200).await.json();
        assert_eq!(total(series["response"].as_array()), figures(&totals));
    }
    let nobody = request(&world, ENTERPRISE, "").query("charityId", PRO);
    let nobody = nobody.expect(&world, 200).await.json();
    assert_eq!(figures(&nobody), (0, 0));
    assert!(nobody["firstDonationDate"].is_null());
}

async fn both_spellings_of_a_config_find_it_and_others_are_refused(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    let configs = request(&world, ENTERPRISE, "/configs");
    let first = configs.expect(&world, 200).await.json()["response"][0].clone();
    for spelling in ["hex", "base58"] {
        let id = first["config"]["id"][spelling].as_str().unwrap();
        let totals = request(&world, ENTERPRISE, "").query("configId", id);
        let totals = totals.expect(&world, 200).await.json();
        assert_eq!(figures(&totals), figures(&first["stats"]), "{spelling}");
    }
    for (name, value, rule) in [
        ("configId", "z".repeat(44), "invalidId"),
        ("token", "nonsense".to_owned(), "invalidAddress"),
    ] {
        let wrong = request(&world, ENTERPRISE, "").query(name, &value);
        let issues = wrong.expect(&world, 400).await.issues();
        assert_issue(&issues, "query", name, rule);
    }
    // An address of another kind than the chain's.
    let wrong = request(&world, ENTERPRISE, "").query("token", USDC);
    let wrong = wrong.query("chainId", &BITCOIN.to_string());
    let issues = wrong.expect(&world, 400).await.issues();
    assert_issue(&issues, "query", "token", "invalidAddress");
}

async fn a_cursor_belongs_to_its_filters(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    let chain = BASE.to_string();
    for path in ["/charities", "/tokens", "/configs"] {
        let page = request(&world, ENTERPRISE, path).query("limit", "1");
        let page = page.query("from", FIRST);
        let filtered = page.clone().query("chainId", &chain);
        let next = filtered.clone().expect(&world, 200).await.json()["pageKey"].clone();
        let next = next.as_str().unwrap();
        filtered.query("cursor", next).expect(&world, 200).await;
        page.query("cursor", next).expect(&world, 400).await;
    }
}

async fn hours_have_a_point_each(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    let by_hour = request(&world, ENTERPRISE, "/series").query("interval", "hour");
    let days = by_hour.clone().query("from", "2026-11-19");
    let series = days.expect(&world, 200).await.json();
    let points = series["response"].as_array().unwrap();
    assert_eq!(points.len(), 48);
    let donations = donations::of_project(ENTERPRISE);
    for (n, point) in points.iter().enumerate() {
        let start = point["startsAt"].as_str().unwrap();
        assert_eq!(&start[11..], format!("{:02}:00:00.000Z", n % 24));
        assert_eq!(&start[..10], point["start"]);
        let start: Timestamp = start.parse().unwrap();
        let within = |it: &&Donation| (0..3600).contains(&it.at.duration_since(start).as_secs());
        let after = donations.iter().filter(|it| it.at >= start);
        let sum = donations::sum(after.filter(within));
        assert_eq!(figures(point), (sum.usd, sum.count), "{start}");
    }
    // A donation in the last millisecond of a day, and one in the first of the next.
    assert_eq!(figures(&points[23]), (1_000_000, 1));
    assert_eq!(figures(&points[24]), (2_000_003, 1));

    let default = by_hour.clone().expect(&world, 200).await.json();
    assert_eq!(default["from"], "2026-11-14");
    assert_eq!(default["response"].as_array().map(Vec::len), Some(7 * 24));
    let too_long = by_hour
        .query("from", "2026-11-13")
        .query("to", "2026-11-20");
    let issues = too_long.expect(&world, 400).await.issues();
    assert_issue(&issues, "query", "from", "rangeTooLong");
}

/// 92 days with filters, 366 in lists without them, and totals of all time with one filter.
async fn ranges_are_bounded(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    let (chain, config) = (BASE.to_string(), fixture::config(2));
    let one = [("chainId", chain.as_str())];
    let two = [("chainId", chain.as_str()), ("configId", config.as_str())];
    let by_charity = "/charities";
    let longest = [("from", "2026-08-21"), ("to", "2026-11-20")];
    let too_long = [("from", "2026-08-20"), ("to", "2026-11-20")];
    let year = [("from", "2025-11-20"), ("to", "2026-11-20")];
    let more = [("from", "2025-11-19"), ("to", "2026-11-20")];
    let until = [("to", "2026-11-20")];
    type Query<'q> = &'q [(&'q str, &'q str)];
    let cases: [(&str, Query<'_>, Query<'_>, u16); 20] = [
        ("", &one, &[], 200),
        ("", &one, &longest, 200),
        ("", &one, &too_long, 400),
        ("", &one, &until, 400),
        ("", &two, &longest, 200),
        ("", &two, &[], 400),
        ("", &two, &too_long, 400),
        ("", &[], &more, 200),
        ("", &[], &until, 200),
        (by_charity, &one, &longest, 200),
        (by_charity, &one, &[], 400),
        (by_charity, &one, &until, 400),
        (by_charity, &one, &too_long, 400),
        (by_charity, &[], &[], 200),
        (by_charity, &[], &year, 200),
        (by_charity, &[], &more, 400),
        (by_charity, &[], &until, 400),
        ("/series", &one, &year, 200),
        ("/series", &two, &longest, 200),
        ("/series", &two, &too_long, 400),
    ];
    for (path, filters, days, status) in cases {
        let mut asked = request(&world, ENTERPRISE, path);
        for (name, value) in filters.iter().chain(days) {
            asked = asked.query(name, value);
        }
        let response = asked.expect(&world, status).await;
        if status == 400 {
            assert_issue(&response.issues(), "query", "from", "rangeTooLong");
        }
    }
    // Without a first day, a series has its default one.
    let by_default = request(&world, ENTERPRISE, "/series");
    let by_default = by_default.query("chainId", &chain);
    by_default
        .query("configId", &config)
        .expect(&world, 200)
        .await;
}

super::theme! {
    sums_are_of_the_donations_that_match,
    a_charitys_parts_are_those_of_the_list,
    both_spellings_of_a_config_find_it_and_others_are_refused,
    a_cursor_belongs_to_its_filters,
    hours_have_a_point_each,
    ranges_are_bounded,
}
