//! The donations to a charity and through a config, compared with the fixture's donations.

use std::sync::Arc;

use generated::api::charities::{
    CharitiesDonationsOkContent, CharitiesDonationsParams, CharitiesDonationsResponse,
};
use generated::api::configs::{
    ConfigsDonationsOkContent, ConfigsDonationsParams, ConfigsDonationsResponse,
};
use generated::models::{ReceivedDonation, SplitDonation};
use jiff::Timestamp;
use serde_json::{Value, json};

use super::super::donations::{self, Donation};
use super::super::fixture::{self, ACTIVE, BASE, BITCOIN, charity};
use super::super::table;
use super::super::test_request::{Answer, TestRequest};
use super::super::world::{Template, World, eventually};
use super::attribution::figures;
use super::parameters::assert_issue;

const EVERYTHING: CharitiesDonationsParams = CharitiesDonationsParams {
    limit: 200,
    cursor: None,
    chain_id: None,
    from: None,
    to: None,
};

const THROUGH: ConfigsDonationsParams = ConfigsDonationsParams {
    limit: 200,
    cursor: None,
    chain_id: None,
    from: None,
    to: None,
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
                    && it.usd_donated_e6 == donation.usd.to_string()
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

/// The totals of a charity are those of the list of its donations.
async fn totals_are_those_of_the_list(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    let key = &world.keys.enterprise;
    for n in [0, 1, 2, ACTIVE - 1] {
        let list = listed(&world, &charity(n), EVERYTHING).await;
        let parts = list.iter().map(|it| it.usd_received_e6.parse::<i64>());
        let usd: i64 = parts.map(Result::unwrap).sum();
        let totals = TestRequest::get(format!("/charities/{}/totals", charity(n))).key(key);
        let totals = totals.expect(&world, 200).await.json();
        assert_eq!(figures(&totals), (usd, list.len()), "charity {n}");
        let made = |it: Option<&ReceivedDonation>| it.map(|it| it.donated_at.value().0);
        let shown = |name: &str| totals[name].as_str().map(|at| at.parse().unwrap());
        assert_eq!(shown("lastDonationDate"), made(list.first()));
        assert_eq!(shown("firstDonationDate"), made(list.last()));
    }
    let by_slug = TestRequest::get(format!("/charities/{}/totals", fixture::slug(0)));
    by_slug.expect(&world, 200).await;
    for unknown in [charity(ACTIVE), "nobody".to_owned()] {
        let totals = TestRequest::get(format!("/charities/{unknown}/totals"));
        totals.expect(&world, 404).await;
    }
}

/// The parts of all charities add up to the donations, and nobody who gave is named.
async fn parts_add_up(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    let mut parts: i64 = 0;
    for n in 0..ACTIVE {
        let listed = listed(&world, &charity(n), EVERYTHING).await;
        parts += listed
            .iter()
            .map(|it| it.usd_received_e6.parse::<i64>().unwrap())
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
        from: Some(text.parse().unwrap()),
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
    let until = |text: &str| CharitiesDonationsParams {
        to: Some(text.parse().unwrap()),
        ..EVERYTHING
    };
    let early = listed(&world, &charity(0), until("2026-11-19T23:59:59.999Z")).await;
    assert_eq!(early, whole[2..]);
    let earlier = listed(&world, &charity(0), until("2026-11-20T00:59:59.9991+01:00")).await;
    assert_eq!(earlier, whole[1..]);
    let reversed = format!("/charities/{}/donations", charity(0));
    let reversed = TestRequest::get(reversed).query("from", "2026-11-20T00:00:00Z");
    let reversed = reversed.query("to", "2026-11-19T00:00:00Z");
    let issues = reversed.expect(&world, 400).await.issues();
    assert_issue(&issues, "query", "from", "reversedRange");
}

/// Those through a config show the part of each of its charities, the same that the charity's own list shows.
async fn through_a_config_are_listed(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    for n in [0, 1, 2, 3, 4] {
        let id = fixture::config(n);
        let split = through(&world, &id, THROUGH).await.unwrap();
        let mut expected = donations::all();
        expected.retain(|donation| donation.config == n);
        assert_eq!(split.len(), expected.len(), "config {n}");
        let weights = fixture::weights(n);
        assert!(split.iter().all(|it| it.shares.len() == weights.len()));
        for (place, (charity_number, _)) in weights.into_iter().enumerate() {
            let received = listed(&world, &charity(charity_number), EVERYTHING).await;
            for donation in &split {
                let of_charity = received.iter().find(|it| it.id == donation.id).unwrap();
                let share = &donation.shares[place];
                assert_eq!(share.charity.id.to_string(), charity(charity_number));
                assert_eq!(share.usd_received_e6, of_charity.usd_received_e6);
                assert_eq!(donation.usd_donated_e6, of_charity.usd_donated_e6);
                assert_eq!(donation.donated_at, of_charity.donated_at);
                assert_eq!(donation.transaction_hash, of_charity.transaction_hash);
            }
        }
    }
    // A deleted config and another project's are not found.
    for n in [5, 10] {
        assert_eq!(
            through(&world, &fixture::config(n), THROUGH).await,
            None,
            "{n}"
        );
    }
    let on = |chain| ConfigsDonationsParams {
        chain_id: Some(chain),
        ..THROUGH
    };
    let second = fixture::config(2);
    let on_bitcoin = through(&world, &second, on(BITCOIN)).await.unwrap();
    assert_eq!(on_bitcoin.len(), 1);
    let whole = through(&world, &second, THROUGH).await.unwrap();
    assert_eq!(
        through(&world, &second, on(BASE)).await.unwrap().len(),
        whole.len() - 1
    );
}

/// A table has the lines of the page, and its page key in a header.
async fn are_tables_too(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    let mut line = donations::lines().swap_remove(0);
    let token = "0x00000000000000000000000000000000000000aa";
    let symbol = json!({
        "kind": "token", "chainId": BASE, "address": token, "name": "T", "symbol": "=1+1,\"x\"",
        "decimals": 6,
    });
    line["transaction"] = format!("0x{:064x}", 77_777).into();
    line["config"] = fixture::config(0).into();
    line["token"] = token.into();
    line["at"] = "2026-11-20T11:00:00.000Z".into();
    world.import(&[symbol, line]).await;
    for (target, per_donation) in [
        (format!("/charities/{}/donations", charity(0)), 1),
        (format!("/configs/{}/donations", fixture::config(0)), 3),
    ] {
        let request = TestRequest::get(format!("{target}?limit=2")).key(&world.keys.enterprise);
        let json = request.expect(&world, 200).await;
        let csv = request.clone().accept("text/csv").expect(&world, 200).await;
        let page = json.json();
        assert_eq!(csv.header("x-page-key"), page["pageKey"].as_str());
        assert_eq!(json.header("x-page-key"), page["pageKey"].as_str());
        assert!(csv.header("x-page-key").is_some());
        let table = read_table(&csv);
        assert_eq!(table.len(), 2 * per_donation);
        for (n, line) in table.iter().enumerate() {
            let donation = &page["response"][n / per_donation];
            let share = &donation["shares"][n % per_donation];
            for (column, value) in line {
                let expected = match column.as_str() {
                    "tokenAddress" => &donation["token"]["address"],
                    "tokenSymbol" => &donation["token"]["symbol"],
                    "tokenDecimals" => &donation["token"]["decimals"],
                    "charityId" => &share["charity"]["id"],
                    "charityName" => &share["charity"]["name"],
                    "usdReceivedE6" if per_donation > 1 => &share["usdReceivedE6"],
                    member => &donation[member],
                };
                let expected = match expected {
                    Value::String(text) if text.starts_with('=') => format!("'{text}"),
                    Value::String(text) => text.clone(),
                    other => other.to_string(),
                };
                assert_eq!(*value, expected, "{target} {column}");
            }
        }
        let last = request.query("cursor", csv.header("x-page-key").unwrap());
        let last = last.query("to", "1970-01-02T00:00:00Z");
        last.expect(&world, 400).await;
        let none = format!("{target}?to=1970-01-02T00:00:00Z");
        let none = TestRequest::get(none).key(&world.keys.enterprise);
        let none = none.accept("text/csv").expect(&world, 200).await;
        assert_eq!(read_table(&none), Vec::<Vec<(String, String)>>::new());
        assert_eq!(none.header("x-page-key"), None);
    }
}

/// The lines of a table, each field with the name of its column.
fn read_table(answer: &Answer) -> Vec<Vec<(String, String)>> {
    let text = String::from_utf8(answer.body.to_vec()).unwrap();
    let mut lines = table::read(&text).unwrap().into_iter();
    let names = lines.next().unwrap();
    lines
        .map(|line| names.iter().cloned().zip(line).collect())
        .collect()
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
        CharitiesDonationsResponse::Ok { body, .. } => match body.body {
            CharitiesDonationsOkContent::Json(page) => page.decode().unwrap().response,
            CharitiesDonationsOkContent::TextCsv(table) => panic!("{table}"),
        },
        other => panic!("{other:?}"),
    }
}

/// `None` for a config that is not found.
async fn through(
    world: &World,
    config: &str,
    params: ConfigsDonationsParams,
) -> Option<Vec<SplitDonation>> {
    let client = world.client_with(&world.keys.enterprise);
    let answer = client.configs_donations(config.to_owned(), params);
    match answer.await.unwrap() {
        ConfigsDonationsResponse::Ok { body, .. } => match body {
            ConfigsDonationsOkContent::Json(page) => Some(page.decode().unwrap().response),
            ConfigsDonationsOkContent::TextCsv(table) => panic!("{table}"),
        },
        ConfigsDonationsResponse::NotFound { .. } => None,
    }
}

super::theme! {
    of_a_charity_are_listed,
    totals_are_those_of_the_list,
    parts_add_up,
    are_filtered,
    through_a_config_are_listed,
    are_tables_too,
    follow_the_chain,
    of_hidden_charities_are_not_found,
    of_a_charity_that_is_called_tokens,
}
