//! An import that follows an indexer sends events of its records; another import sends none.

use generated::models::{DonationRecordedEvent, DonationRevertedEvent};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::records::{at, charity_id, config_id, donation, partner_token, project_id, revised};
use crate::webhooks::{create, id, webhook};
use crate::world::{Site, World};
use db::Db;
use features::campaigns::{Campaign, CampaignBeneficiary, CampaignId};
use features::domain::amount::UsdE6;
use features::domain::recording::OnRejection;
use features::donations::Donation;
use features::events::{EventType, EventTypes};
use features::import::Record;
use features::webhooks::Webhook;

const NOW: i64 = 2_000_000;

/// Webhooks 1 of project 1 and 2 of project 2, which are told everything.
async fn told_everything(site: &Site) -> World {
    let world = World::new(site).await;
    for project in [1, 2] {
        let every = Webhook {
            events: EventTypes::from_iter(EventType::CHOICE),
            ..webhook(project, project)
        };
        create(&world.store, every).await.unwrap();
    }
    world
}

async fn record(store: &Db, donations: &[Donation], told: bool) {
    let batch = donations.iter().cloned().map(Record::Donation).collect();
    let told_at = told.then(|| at(NOW));
    let recorded = features::import::store::record_with_checkpoint(
        store,
        batch,
        OnRejection::Continue,
        None,
        told_at,
    );
    for outcome in recorded.await.unwrap() {
        outcome.unwrap();
    }
}

/// The bodies of the deliveries to a webhook, in the order of the events about each config.
async fn told(store: &Db, n: u8) -> Vec<Value> {
    let due = features::webhooks::queue::due_deliveries(store, id(n), at(NOW), 100)
        .await
        .unwrap();
    let bodies = due.iter().map(|it| serde_json::from_slice(&it.body));
    let mut bodies: Vec<Value> = bodies.map(Result::unwrap).collect();
    bodies.sort_by_key(|it| it["sequence"].as_i64());
    bodies
}

fn types(bodies: &[Value]) -> Vec<&str> {
    bodies.iter().filter_map(|it| it["type"].as_str()).collect()
}

/// Asserts that the body is the whole of the contract's event, and names a config.
fn assert_names<T: DeserializeOwned + Serialize>(body: &Value, config: u8) {
    let event: T = serde_json::from_value(body.clone()).unwrap();
    assert_eq!(serde_json::to_value(event).unwrap(), *body);
    let id = config_id(config);
    let both = json!({ "hex": id.to_string(), "base58": id.base58() });
    assert_eq!(body["configId"], both);
}

async fn donations_are_told_as_they_would_be_listed(site: Site) {
    let world = told_everything(&site).await;
    let given = donation(7, 1, 1, 10);
    record(&world.store, std::slice::from_ref(&given), false).await;
    assert_eq!(told(&world.store, 1).await, Vec::<Value>::new());
    let other = donation(8, 1, 1, 9);
    let lines = [other.clone(), revised(&given), other];
    record(&world.store, &lines, true).await;
    let bodies = told(&world.store, 1).await;
    assert_eq!(types(&bodies), ["donation.recorded", "donation.reverted"]);
    assert_eq!(bodies[0]["timestamp"], "1970-01-24T03:33:20.000Z");
    assert_eq!(
        (&bodies[0]["sequence"], &bodies[1]["sequence"]),
        (&1.into(), &2.into())
    );
    assert_names::<DonationRecordedEvent>(&bodies[0], 1);
    assert_names::<DonationRevertedEvent>(&bodies[1], 1);
    let data = &bodies[0]["data"];
    assert_eq!(
        (&data["usdDonatedE6"], &data["chainId"]),
        (&"9".into(), &1.into())
    );
    let shares: Vec<_> = data["shares"].as_array().unwrap().iter().collect();
    assert_eq!(shares.len(), 2);
    assert_eq!(
        (&shares[0]["usdReceivedE6"], &shares[1]["usdReceivedE6"]),
        (&"3".into(), &"6".into())
    );
    assert_eq!(
        told(&world.store, 2).await,
        Vec::<Value>::new(),
        "another project's"
    );
}

async fn the_owner_of_a_partner_token_is_told_too(site: Site) {
    let world = told_everything(&site).await;
    world
        .record_all(vec![Record::PartnerToken(partner_token(1, 1, 1))])
        .await;
    // Through the other project's config, in a token of this one's contract.
    record(&world.store, &[donation(7, 1, 2, 10)], true).await;
    for n in [1, 2] {
        let bodies = told(&world.store, n).await;
        assert_eq!(types(&bodies), ["donation.recorded"]);
        assert_names::<DonationRecordedEvent>(&bodies[0], 2);
    }
    let found =
        features::rollups::store::config_with_stats(&world.store, project_id(1), config_id(2))
            .await;
    assert_eq!(found.unwrap(), None, "another project's");
    // Once where both are the same project.
    record(&world.store, &[donation(8, 1, 1, 10)], true).await;
    assert_eq!(told(&world.store, 1).await.len(), 2);
    assert_eq!(told(&world.store, 2).await.len(), 1);
}

async fn a_goal_is_told_when_it_is_reached(site: Site) {
    let world = told_everything(&site).await;
    let campaign = |n, beneficiary| Campaign {
        id: CampaignId(Uuid::from_bytes([n; 16])),
        title: "Wells".to_owned(),
        description: "Wells.".to_owned(),
        beneficiary,
        goal: UsdE6(10),
        starts_at: at(0),
        ends_at: None,
    };
    let config = campaign(1, CampaignBeneficiary::Config(config_id(1)));
    let charity = campaign(2, CampaignBeneficiary::Charity(charity_id(2)));
    let records = [config, charity].map(Record::Campaign);
    world.record_all(records.into()).await;
    let goals = async |n| {
        let bodies = told(&world.store, n).await;
        let goals = bodies
            .into_iter()
            .filter(|it| it["type"] == "campaign.goal_reached");
        let mut raised: Vec<_> = goals
            .map(|it| it["data"]["usdRaisedE6"].to_string())
            .collect();
        raised.sort();
        raised
    };
    record(&world.store, &[donation(7, 1, 1, 9)], true).await;
    assert!(goals(1).await.is_empty());
    let last = donation(8, 1, 1, 3);
    record(&world.store, std::slice::from_ref(&last), true).await;
    // That of the config is told to its project alone, and that of the charity has raised two thirds.
    assert_eq!(goals(1).await, ["\"12\""]);
    assert!(goals(2).await.is_empty());
    record(&world.store, &[donation(9, 1, 1, 3)], true).await;
    assert_eq!(goals(1).await, ["\"10\"", "\"12\""]);
    assert_eq!(goals(2).await, ["\"10\""]);
}

on_each_database! {
    donations_are_told_as_they_would_be_listed,
    the_owner_of_a_partner_token_is_told_too,
    a_goal_is_told_when_it_is_reached,
}
