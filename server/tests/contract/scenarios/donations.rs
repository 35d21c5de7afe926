//! The donations to a charity, compared with the fixture's donations.

use std::sync::Arc;

use generated::api::charities::{CharitiesDonationsParams, CharitiesDonationsResponse};
use generated::models::ReceivedDonation;
use jiff::Timestamp;
use serde_json::json;

use super::super::donations::{self, Donation};
use super::super::fixture::{self, ACTIVE, BASE, BITCOIN, charity};
use super::super::test_request::TestRequest;
use super::super::world::{Template, World, eventually};

const EVERYTHING: CharitiesDonationsParams = CharitiesDonationsParams {
    limit: 200,
    cursor: None,
    chain_id: None,
    since: None,
};

async fn of_a_charity_are_listed(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    for n in 0..ACTIVE {
        let listed = listed(&world, &charity(n), EVERYTHING).await;
        let expected = expected(n);
        assert_eq!(listed.len(), expected.len(), "charity {n}");
        let at = |donation: &ReceivedDonation| -> Timestamp { donation.donated_at.value().0 };
        assert!(listed.is_sorted_by(|a, b| at(a) >= at(b)), "charity {n}");
        for donation in &expected {
            let found = listed.iter().find(|it| {
                let token = it.token.address.to_lowercase();
                token == donation.token.to_lowercase()
                    && it.usd_e6 == donation.usd.to_string()
                    && at(it) == donation.at
            });
            let found = found.unwrap_or_else(|| panic!("charity {n}: {donation:?}"));
            assert_eq!(
                (found.chain_id, found.token.chain_id),
                (donation.chain, donation.chain)
            );
            assert_eq!(found.amount, ruint::aliases::U256::MAX.to_string());
            assert!(found.id.contains(&found.transaction_hash), "{}", found.id);
        }
    }
    // A slug names the same charity.
    let by_slug = listed(&world, &fixture::slug(0), EVERYTHING).await;
    assert_eq!(by_slug, listed(&world, &charity(0), EVERYTHING).await);
}

/// The parts of all charities add up to the donations, and nobody who gave is named.
async fn parts_add_up(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    let mut parts: i64 = 0;
    for n in 0..ACTIVE {
        let listed = listed(&world, &charity(n), EVERYTHING).await;
        parts += listed
            .iter()
            .map(|it| it.received_usd_e6.parse::<i64>().unwrap())
            .sum::<i64>();
    }
    assert_eq!(parts, donations::sum(&donations::all()).usd);
}

async fn are_filtered(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    let on = |chain| CharitiesDonationsParams {
        chain_id: Some(chain),
        ..EVERYTHING
    };
    let since = |text: &str| CharitiesDonationsParams {
        since: Some(text.parse().unwrap()),
        ..EVERYTHING
    };
    // Charity 0 has its donations on Base, and charity 4 one on Bitcoin.
    let whole = listed(&world, &charity(0), EVERYTHING).await;
    assert_eq!(listed(&world, &charity(0), on(BASE)).await, whole);
    assert_eq!(listed(&world, &charity(0), on(BITCOIN)).await, []);
    assert_eq!(listed(&world, &charity(4), on(BITCOIN)).await.len(), 1);
    assert_eq!(listed(&world, &charity(0), on(77)).await, []);
    let late = listed(&world, &charity(0), since("2026-11-19T23:59:59.999Z")).await;
    assert_eq!(late, whole[..2]);
    let later = listed(&world, &charity(0), since("2026-11-20T00:59:59.9991+01:00")).await;
    assert_eq!(later, whole[..1]);
}

/// A new donation is listed at once, and one that is taken back no more.
async fn follow_the_chain(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    let before = listed(&world, &charity(0), EVERYTHING).await;
    let mut line = donations::lines().swap_remove(0);
    line["transaction"] = format!("0x{:064x}", 77_777).into();
    line["config"] = fixture::config(0).into();
    line["at"] = "2026-11-20T11:00:00.000Z".into();
    world.import(&[line.clone()]).await;
    let after = listed(&world, &charity(0), EVERYTHING).await;
    assert_eq!(after[1..], before);
    line["revision"] = 1.into();
    world.import(&[line]).await;
    assert_eq!(listed(&world, &charity(0), EVERYTHING).await, before);
}

async fn of_hidden_charities_are_not_found(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    for id in [
        charity(ACTIVE),
        fixture::slug(ACTIVE),
        charity(9999),
        "nobody".to_owned(),
    ] {
        let request = TestRequest::get(format!("/charities/{id}/donations"));
        assert_eq!(request.expect(&world, 404).await.code(), "NOT_FOUND");
    }
}

/// `/charities/tokens/donations` also has the form of a token's path, `/{chainId}/tokens/{address}`, which
/// has more parameters and so gives way.
async fn of_a_charity_that_is_called_tokens(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    let request = TestRequest::get("/charities/tokens/donations");
    assert_eq!(request.expect(&world, 404).await.code(), "NOT_FOUND");
    let line = json!({
        "kind": "charity", "id": charity(500), "slug": "tokens", "name": "Tokens", "country": "NL",
        "description": "A charity.", "category": "food", "listedAt": "2026-11-20T11:59:59.999Z",
    });
    world.import(&[line]).await;
    let page = eventually(async || {
        let answer = request.of(&world).await;
        (answer.status == 200).then_some(answer)
    });
    assert_eq!(page.await.json()["response"], json!([]));
}

/// The fixture's donations that a charity received parts of.
fn expected(charity: usize) -> Vec<Donation> {
    let mut donations = donations::all();
    donations.retain(|donation| {
        let weights = fixture::weights(donation.config);
        weights.iter().any(|(n, _)| *n == charity)
    });
    donations
}

async fn listed(
    world: &World,
    charity: &str,
    params: CharitiesDonationsParams,
) -> Vec<ReceivedDonation> {
    let client = world.client();
    let answer = client.charities_donations(charity.to_owned(), params);
    match answer.await.unwrap() {
        CharitiesDonationsResponse::Ok { body } => body.body.decode().unwrap().response,
        other => panic!("{other:?}"),
    }
}

super::theme! {
    of_a_charity_are_listed,
    parts_add_up,
    are_filtered,
    follow_the_chain,
    of_hidden_charities_are_not_found,
    of_a_charity_that_is_called_tokens,
}
