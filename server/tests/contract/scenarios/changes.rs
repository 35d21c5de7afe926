//! Changes by other processes while the server runs.

use std::sync::Arc;

use serde_json::{Value, json};

use super::super::fixture::{self, ACTIVE, BASE, USDC, charity};
use super::super::test_request::TestRequest;
use super::super::world::{Template, World, eventually};
use super::attribution::figures;

fn donation(revision: u32) -> Value {
    json!({
        "kind": "donation", "chainId": BASE, "transaction": format!("0x{}", "ab".repeat(32)),
        "logIndex": 0, "revision": revision, "token": USDC, "config": fixture::config(0),
        "amount": "1", "usdE6": "1000000000", "at": "2026-11-20T11:00:00.000Z",
    })
}

fn charity_line(n: usize, active: bool) -> Value {
    json!({
        "kind": "charity", "id": charity(n), "slug": format!("charity-{n}"), "name": "Changed",
        "description": "Changed.", "country": "NL", "category": "food", "active": active,
        "listedAt": "2026-11-20T11:59:59.999Z",
    })
}

async fn totals(world: &World) -> Value {
    let request = TestRequest::get("/analytics").key(&world.keys.enterprise);
    request.expect(world, 200).await.json()
}

async fn appear_within_a_second(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    let feed = TestRequest::get("/charities/feed");
    let before = feed.expect(&world, 200).await;
    world.import(&[charity_line(500, true)]).await;
    let shown = eventually(async || {
        let answer = TestRequest::get("/charities/charity-500").of(&world).await;
        (answer.status == 200).then_some(answer)
    });
    assert_eq!(shown.await.json()["id"], charity(500));
    let after = feed.expect(&world, 200).await;
    assert_ne!(before.header("etag"), after.header("etag"));
    assert_eq!(after.json()["response"][0]["slug"], "charity-500");
}

/// Statistics change at once, the amount of a campaign within a second and with a new tag.
async fn of_donations_are_counted(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    let before = totals(&world).await;
    let campaign = TestRequest::get(format!("/campaigns/{}", fixture::campaign(2)));
    let tag = campaign
        .expect(&world, 200)
        .await
        .header("etag")
        .unwrap()
        .to_owned();
    let conditional = campaign.header("if-none-match", &tag);
    conditional.expect(&world, 304).await;
    world.import(&[donation(0)]).await;
    let counted = totals(&world).await;
    assert_ne!(counted["usdDonatedE6"], before["usdDonatedE6"]);
    assert_eq!(counted["lastDonationDate"], "2026-11-20T11:00:00.000Z");
    let answer =
        eventually(async || Some(conditional.of(&world).await).filter(|it| it.status == 200));
    assert_ne!(answer.await.header("etag"), Some(tag.as_str()));
    // An equal donation again changes nothing; taking it back leaves no trace.
    world.import(&[donation(0)]).await;
    assert_eq!(totals(&world).await, counted);
    world.import(&[donation(1)]).await;
    assert_eq!(totals(&world).await, before);
    eventually(async || (conditional.of(&world).await.status == 304).then_some(())).await;
    assert_eq!(
        features::rollups::verification::verify_rollups(&world.store)
            .await
            .unwrap(),
        []
    );
}

/// Sums of donations change within a second, and the order of charities with them.
async fn of_donations_move_charities(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    let key = &world.keys.enterprise;
    let totals = TestRequest::get(format!("/charities/{}/totals", charity(2))).key(key);
    let sorted = TestRequest::get("/charities?sort=donated&limit=5").key(key);
    let largest = async || {
        let page = sorted.expect(&world, 200).await.json();
        let ids = page["response"].as_array().unwrap().iter();
        ids.map(|it| it["id"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    let expected = [4, 0, 7, 1, 2].map(charity);
    let before = totals.expect(&world, 200).await;
    assert_eq!(largest().await, expected);
    world.import(&[donation(0)]).await;
    let moved = [0, 4, 1, 2, 7].map(charity);
    eventually(async || (largest().await == moved).then_some(())).await;
    let after = totals.expect(&world, 200).await;
    assert_ne!(after.header("etag"), before.header("etag"));
    let (usd, donations) = figures(&before.json());
    assert_eq!(figures(&after.json()), (usd + 333_333_333, donations + 1));
    world.import(&[donation(1)]).await;
    eventually(async || (largest().await == expected).then_some(())).await;
    assert_eq!(totals.expect(&world, 200).await.json(), before.json());
}

/// A config may name a charity that the catalogue does not show yet, and no charity that was just
/// deactivated.
async fn of_charities_hold_for_configs_at_once(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    world
        .import(&[
            charity_line(500, true),
            charity_line(1, false),
            charity_line(ACTIVE, true),
        ])
        .await;
    let create = |n: usize| {
        let beneficiary = json!({ "charityId": charity(n), "weight": 1 });
        let request = TestRequest::create(&json!({ "charityBeneficiaries": [beneficiary] }));
        request.key(&world.keys.free)
    };
    for n in [500, ACTIVE] {
        let created = create(n).expect(&world, 201).await.json();
        assert_eq!(created["charities"][0]["name"], "Changed");
        let location = format!("/configs/{}", created["id"]["base58"].as_str().unwrap());
        let shown = TestRequest::get(location)
            .key(&world.keys.free)
            .expect(&world, 200)
            .await
            .json();
        assert_eq!(shown["charities"][0]["id"], charity(n));
    }
    create(1).expect(&world, 404).await;
    // Configs that named it before go on showing it.
    let older = TestRequest::get(format!("/configs/{}", fixture::config(10))).key(&world.keys.pro);
    assert_eq!(
        older.expect(&world, 200).await.json()["charities"][0]["id"],
        charity(1)
    );
}

/// A token shows within a second that its project has deleted its config.
async fn of_configs_are_shown_by_tokens(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    let token = TestRequest::get(format!("/{BASE}/tokens/{}", fixture::partner(0)));
    let deleted_at = async || {
        let token = token.expect(&world, 200).await.json();
        token["partner"]["activeConfig"]["deletedAt"].clone()
    };
    assert_eq!(deleted_at().await, Value::Null);
    let delete = TestRequest::new("DELETE", format!("/configs/{}", fixture::config(0)));
    delete.key(&world.keys.enterprise).expect(&world, 204).await;
    let shown = eventually(async || Some(deleted_at().await).filter(Value::is_string)).await;
    assert_eq!(shown, "2026-11-20T12:00:00.000Z");
}

/// Responses that depend on the time alone change their tag with the time.
async fn of_time_change_tags(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    let campaign = format!("/campaigns/{}", fixture::campaign(4));
    for target in ["/campaigns", "/campaigns?status=ended", campaign.as_str()] {
        let tag = TestRequest::get(target)
            .expect(&world, 200)
            .await
            .header("etag")
            .unwrap()
            .to_owned();
        let conditional = TestRequest::get(target).header("if-none-match", &tag);
        conditional.expect(&world, 304).await;
        // Campaign 4 ends a day after the start of the clock.
        world.clock.advance_secs(24 * 3600);
        conditional.expect(&world, 200).await;
        world.clock.rewind_secs(24 * 3600);
    }
}

super::theme! {
    appear_within_a_second,
    of_donations_are_counted,
    of_donations_move_charities,
    of_charities_hold_for_configs_at_once,
    of_configs_are_shown_by_tokens,
    of_time_change_tags,
}
