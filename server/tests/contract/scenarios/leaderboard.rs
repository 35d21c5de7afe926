//! The leaderboard of a partner contract.

use std::sync::Arc;

use generated::api::contracts::{
    ContractsTokenLeaderboardParams, ContractsTokenLeaderboardResponse,
};
use generated::{formats, models};

use super::super::donations;
use super::super::fixture::{self, BARREN, BASE, LAUNCHPAD, NEIGHBOUR, PARTNERS, SOLANA};
use super::super::test_request::TestRequest;
use super::super::world::{Template, World};

async fn is_ordered_totally(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    let page = board(&world, &world.keys.enterprise, BASE, LAUNCHPAD).await;
    assert_eq!(page.page_key, None);
    assert_eq!(page.response.len(), PARTNERS);
    let donations = donations::all();
    for entry in &page.response {
        let address = entry.partner_token.token.address.to_lowercase();
        let of_token = donations
            .iter()
            .filter(|donation| donation.token == address);
        let sum = donations::sum(of_token);
        let stats = &entry.stats;
        assert_eq!(stats.usd_donated_e6, sum.usd.to_string(), "{address}");
        assert_eq!(stats.donation_count, sum.count.to_string());
        let time = |at: Option<jiff::Timestamp>| at.map(|at| formats::DateTime(at).into());
        assert_eq!(stats.first_donation_date, time(sum.first));
        assert_eq!(stats.last_donation_date, time(sum.last));
        let charities = entry.config.charities.iter();
        let shown = charities.map(|it| (it.id.to_string(), it.weight.clone()));
        let configs = [0, 1, 2, 3, 11].into_iter();
        let number = configs
            .clone()
            .find(|n| fixture::config(*n) == entry.config.id.hex);
        let given = fixture::weights(number.unwrap()).into_iter();
        let given = given.map(|(n, weight)| (fixture::charity(n), weight.to_string()));
        assert!(shown.eq(given), "{address}");
    }
    // Ties have one order, at the top, in the middle and among tokens without donations.
    let sums: Vec<i64> = page
        .response
        .iter()
        .map(|entry| entry.stats.usd_donated_e6.parse().unwrap())
        .collect();
    let ties = sums.windows(2).filter(|pair| pair[0] == pair[1]).count();
    assert!(ties >= 4 && sums.is_sorted_by(|a, b| a >= b), "{sums:?}");
    // A config of another project is shown where a token uses it.
    let last = fixture::partner(PARTNERS - 1);
    let borrower = page
        .response
        .iter()
        .find(|it| it.partner_token.token.address.to_lowercase() == last);
    assert_eq!(borrower.unwrap().config.id.hex, fixture::config(11));

    let barren = board(&world, &world.keys.enterprise, SOLANA, BARREN).await;
    assert_eq!((barren.response.len(), barren.page_key), (0, None));
    let neighbour = board(&world, &world.keys.pro, BASE, NEIGHBOUR).await;
    assert_eq!(neighbour.response.len(), 1);
    let theirs = format!("/{BASE}/contracts/{NEIGHBOUR}/tokens/leaderboard");
    let theirs = TestRequest::get(theirs).key(&world.keys.enterprise);
    assert_eq!(theirs.expect(&world, 404).await.code(), "NOT_FOUND");
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
}
