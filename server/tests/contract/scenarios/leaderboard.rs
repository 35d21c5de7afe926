//! The leaderboard of a partner contract.

use std::collections::BTreeMap;
use std::sync::Arc;

use generated::api::contracts::{
    ContractsTokenLeaderboardParams, ContractsTokenLeaderboardResponse,
};
use generated::{formats, models};
use serde_json::{Value, json};

use super::super::donations::{self, Sum};
use super::super::fixture::{self, BARREN, BASE, LAUNCHPAD, NEIGHBOUR, PARTNERS, SOLANA};
use super::super::test_request::TestRequest;
use super::super::world::{Template, World};
use super::paging;

/// The launchpad's entries by token and number of the config, from the fixture's donations.
fn expected() -> BTreeMap<(String, usize), Sum> {
    let mut donations = donations::all();
    donations.retain(|donation| donation.partner.is_some_and(|partner| partner < PARTNERS));
    let mut entries = donations::by(&donations, |it| (it.token.clone(), it.config));
    for n in 0..PARTNERS {
        let active = (fixture::partner(n), fixture::active_config(n));
        entries.entry(active).or_default();
    }
    entries
}

async fn is_ordered_totally(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    let page = board(&world, &world.keys.enterprise, BASE, LAUNCHPAD).await;
    assert_eq!(page.page_key, None);
    let mut expected = expected();
    assert_eq!((page.response.len(), expected.len()), (16, 16));
    for entry in &page.response {
        let address = entry.partner_token.token.address.to_lowercase();
        let numbers = [0, 1, 2, 3, 5, 10, 11].into_iter();
        let number = numbers
            .clone()
            .find(|n| fixture::config(*n) == entry.config.id.hex)
            .unwrap();
        let sum = expected.remove(&(address.clone(), number)).unwrap();
        let stats = &entry.stats;
        assert_eq!(stats.usd_donated_e6, sum.usd.to_string(), "{address}");
        assert_eq!(stats.donation_count, sum.count.to_string());
        let time = |at: Option<jiff::Timestamp>| at.map(|at| formats::DateTime(at).into());
        assert_eq!(stats.first_donation_date, time(sum.first));
        assert_eq!(stats.last_donation_date, time(sum.last));
        let charities = entry.config.charities.iter();
        let shown = charities.map(|it| (it.id.to_string(), it.weight.clone()));
        let given = fixture::weights(number).into_iter();
        let given = given.map(|(n, weight)| (fixture::charity(n), weight.to_string()));
        assert!(shown.eq(given), "{address}");
        assert_eq!(entry.config.deleted_at.is_some(), number == 5);
    }
    // Ties have one order: of tokens, of configs of a token, and without donations.
    let sums: Vec<i64> = page
        .response
        .iter()
        .map(|entry| entry.stats.usd_donated_e6.parse().unwrap())
        .collect();
    let ties = sums.windows(2).filter(|pair| pair[0] == pair[1]).count();
    assert!(ties >= 6 && sums.is_sorted_by(|a, b| a >= b), "{sums:?}");

    let barren = board(&world, &world.keys.enterprise, SOLANA, BARREN).await;
    assert_eq!((barren.response.len(), barren.page_key), (0, None));
    let neighbour = board(&world, &world.keys.pro, BASE, NEIGHBOUR).await;
    assert_eq!(neighbour.response.len(), 2);
    let theirs = format!("/{BASE}/contracts/{NEIGHBOUR}/tokens/leaderboard");
    let theirs = TestRequest::get(theirs).key(&world.keys.enterprise);
    assert_eq!(theirs.expect(&world, 404).await.code(), "NOT_FOUND");
}

async fn has_an_entry_for_each_config_of_a_token(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    switches_configs(&world, 1, async |lines: &[Value]| world.import(lines).await).await;
    switches_configs(&world, 2, async |lines: &[Value]| world.follow(lines).await).await;
    assert_eq!(
        features::rollups::verification::verify_rollups(&world.store)
            .await
            .unwrap(),
        []
    );
}

/// A token receives 2 × 12.50 through config A, switches to B, and receives 1.00. Then the donations through
/// A are taken back.
async fn switches_configs(world: &World, n: usize, import: impl AsyncFn(&[Value])) {
    let (a, b) = (fixture::config(1), fixture::config(3));
    let token = format!("0x{:040x}", 0x7000 + n);
    let partner = |active: &str, previous: &[&str]| {
        json!({
            "kind": "partner-token", "chainId": BASE, "token": token, "contract": LAUNCHPAD,
            "creator": fixture::partner(90), "activeConfig": active, "previousConfigs": previous,
        })
    };
    let donation = |index: usize, config: &str, usd: i64, revision: i64| {
        json!({
            "kind": "donation", "chainId": BASE, "transaction": format!("0x{:064x}", 88_000 + n),
            "logIndex": index, "token": token, "config": config, "amount": "1",
            "usdE6": usd.to_string(), "at": format!("2026-11-1{index}T10:00:00.000Z"),
            "revision": revision,
        })
    };
    let entry = |config: &str, usd: i64, count: i64, days: Option<[u8; 2]>| {
        let [first, last] = match days {
            Some(days) => days.map(|day| json!(format!("2026-11-1{day}T10:00:00.000Z"))),
            None => [Value::Null, Value::Null],
        };
        let stats = json!({
            "usdDonatedE6": usd.to_string(), "donationCount": count.to_string(),
            "firstDonationDate": first, "lastDonationDate": last,
        });
        (config.to_owned(), stats)
    };
    let entries = async || {
        let target = format!("/{BASE}/contracts/{LAUNCHPAD}/tokens/leaderboard");
        let request = TestRequest::get(target).key(&world.keys.enterprise);
        let whole = paging::walk(world, &request, Some(200)).await;
        assert_eq!(paging::walk(world, &request, Some(1)).await, whole);
        let of_token = whole
            .iter()
            .filter(|it| it["partnerToken"]["token"]["address"] == token.as_str());
        let config = |it: &Value| it["config"]["id"]["hex"].as_str().unwrap().to_owned();
        let entries: Vec<_> = of_token
            .map(|it| (config(it), it["stats"].clone()))
            .collect();
        entries
    };

    let line = json!({
        "kind": "token", "chainId": BASE, "address": token, "name": "T", "symbol": "T", "decimals": 6,
    });
    let given = [1, 2].map(|index| donation(index, &a, 12_500_000, 0));
    import(&[vec![line, partner(&a, &[])], given.to_vec()].concat()).await;
    let through_a = entry(&a, 25_000_000, 2, Some([1, 2]));
    assert_eq!(entries().await, std::slice::from_ref(&through_a));
    import(&[partner(&b, &[&a])]).await;
    assert_eq!(entries().await, [through_a.clone(), entry(&b, 0, 0, None)]);
    import(&[donation(3, &b, 1_000_000, 0)]).await;
    let through_b = entry(&b, 1_000_000, 1, Some([3, 3]));
    assert_eq!(entries().await, [through_a, through_b.clone()]);
    import(&[donation(1, &a, 12_500_000, 1)]).await;
    let rest = entry(&a, 12_500_000, 1, Some([2, 2]));
    assert_eq!(entries().await, [rest, through_b.clone()]);
    import(&[donation(2, &a, 12_500_000, 1)]).await;
    assert_eq!(entries().await, [through_b]);
    import(&[donation(3, &b, 1_000_000, 1)]).await;
    assert_eq!(entries().await, [entry(&b, 0, 0, None)]);
}

async fn board(world: &World, key: &str, chain: i64, contract: &str) -> models::LeaderboardPage {
    let params = ContractsTokenLeaderboardParams {
        limit: 50,
        cursor: None,
    };
    let client = world.client_with(key);
    let called = client.contracts_token_leaderboard(chain, contract.to_owned(), params);
    match called.await.unwrap() {
        ContractsTokenLeaderboardResponse::Ok { body } => body.decode().unwrap(),
        other => panic!("{other:?}"),
    }
}

super::theme! {
    is_ordered_totally,
    has_an_entry_for_each_config_of_a_token,
}
