//! The attribution of donations to projects: breakdowns compared with plain sums over the fixture's
//! donations.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value;

use super::super::donations::{self, Donation};
use super::super::fixture::{self, ENTERPRISE, FREE, PRO, charity};
use super::super::test_request::TestRequest;
use super::super::world::{Template, World};
use super::analytics::key;
use super::paging;

/// Sum and number by member, as in a list of statistics.
type Breakdown = BTreeMap<String, (i64, usize)>;

async fn each_donation_counts_once(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    for project in [FREE, PRO, ENTERPRISE] {
        let donations = donations::of_project(project);
        let by_token = expected(&donations, |donation| {
            format!("{} {}", donation.chain, donation.token.to_lowercase())
        });
        let tokens = breakdown(&world, project, "tokens", |item| {
            let address = item["token"]["address"].as_str().unwrap();
            format!("{} {}", item["token"]["chainId"], address.to_lowercase())
        });
        let lower = |map: Breakdown| -> Breakdown { map.into_iter().collect() };
        assert_eq!(lower(tokens.await), by_token);
        let configs = breakdown(&world, project, "configs", |item| {
            item["config"]["id"]["hex"].as_str().unwrap().to_owned()
        });
        assert_eq!(
            configs.await,
            expected(&donations, |donation| fixture::config(donation.config))
        );
    }
    // A config shows all donations through it, in tokens of any owner.
    for (project, n) in [(ENTERPRISE, 0), (PRO, 10), (PRO, 11)] {
        let request =
            TestRequest::get(format!("/configs/{}", fixture::config(n))).key(key(&world, project));
        let stats = request.expect(&world, 200).await.json()["stats"].clone();
        let donations = donations::all();
        let sum = donations::sum(donations.iter().filter(|donation| donation.config == n));
        assert_eq!(figures(&stats), (sum.usd, sum.count));
    }
}

/// The charities' parts add up to the whole without losing a millionth, and each is its exact part
/// but for less than one millionth for each donation.
async fn breakdowns_add_up(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    for project in [FREE, PRO, ENTERPRISE] {
        let donations = donations::of_project(project);
        let charities = breakdown(&world, project, "charities", |item| {
            item["charity"]["id"].as_str().unwrap().to_owned()
        });
        let charities = charities.await;
        let whole: i64 = charities.values().map(|(usd, _)| usd).sum();
        assert_eq!(whole, donations::sum(&donations).usd);
        let mut exact: BTreeMap<String, (f64, usize)> = BTreeMap::new();
        for donation in &donations {
            let weights = fixture::weights(donation.config);
            let total: i64 = weights.iter().map(|(_, weight)| weight).sum();
            for (n, weight) in weights {
                let part = exact.entry(charity(n)).or_default();
                part.0 += donation.usd as f64 * weight as f64 / total as f64;
                part.1 += 1;
            }
        }
        assert_eq!(charities.len(), exact.len());
        for (id, (usd, count)) in charities {
            let (part, donations) = exact[&id];
            assert!(
                (usd as f64 - part).abs() < donations as f64,
                "{id}: {usd} {part}"
            );
            assert_eq!(count, donations);
        }
    }
}

async fn deletion_changes_no_statistics(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    let key = &world.keys.enterprise;
    let board = format!(
        "/{}/contracts/{}/tokens/leaderboard",
        fixture::BASE,
        fixture::LAUNCHPAD
    );
    let look = async || {
        let mut figures = Vec::new();
        for target in [
            "/analytics",
            "/analytics/charities",
            "/analytics/series",
            "/analytics/tokens",
        ] {
            figures.push(
                TestRequest::get(target)
                    .key(key)
                    .expect(&world, 200)
                    .await
                    .json(),
            );
        }
        for target in [board.as_str(), "/analytics/configs"] {
            let page = TestRequest::get(target)
                .key(key)
                .expect(&world, 200)
                .await
                .json();
            let entries = page["response"].as_array().unwrap().iter();
            figures.extend(entries.map(|entry| entry["stats"].clone()));
        }
        figures
    };
    let before = look().await;
    TestRequest::new("DELETE", format!("/configs/{}", fixture::config(0)))
        .key(key)
        .expect(&world, 204)
        .await;
    assert_eq!(look().await, before);
    // Lists of its donations show that it is deleted.
    let listed = paging::walk(
        &world,
        &TestRequest::get("/analytics/configs").key(key),
        Some(200),
    )
    .await;
    let deleted = listed
        .iter()
        .find(|item| item["config"]["id"]["hex"] == fixture::config(0));
    assert!(deleted.unwrap()["config"]["deletedAt"].is_string());
    let shown = TestRequest::get(board.as_str())
        .key(key)
        .expect(&world, 200)
        .await
        .json();
    let entries = shown["response"].as_array().unwrap();
    let of_deleted = entries
        .iter()
        .find(|it| it["config"]["id"]["hex"] == fixture::config(0));
    assert!(of_deleted.unwrap()["config"]["deletedAt"].is_string());
    // Later donations to it still count.
    assert_eq!(
        features::rollups::verification::verify_rollups(&world.store)
            .await
            .unwrap(),
        []
    );
}

fn expected(donations: &[Donation], member: impl Fn(&Donation) -> String) -> Breakdown {
    let sums = donations::by(donations, member).into_iter();
    sums.map(|(member, sum)| (member, (sum.usd, sum.count)))
        .collect()
}

async fn breakdown(
    world: &World,
    project: &str,
    by: &str,
    member: impl Fn(&Value) -> String,
) -> Breakdown {
    let request = TestRequest::get(format!("/analytics/{by}")).key(key(world, project));
    let items = paging::walk(world, &request, Some(3)).await;
    let read = |item: &Value| (member(item), figures(&item["stats"]));
    items.iter().map(read).collect()
}

/// The sum and the number of donations.
pub fn figures(stats: &Value) -> (i64, usize) {
    let text = |name: &str| stats[name].as_str().unwrap();
    (
        text("usdDonatedE6").parse().unwrap(),
        text("donationCount").parse().unwrap(),
    )
}

super::theme! {
    each_donation_counts_once,
    breakdowns_add_up,
    deletion_changes_no_statistics,
}
