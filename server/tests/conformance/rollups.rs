//! Tests on both databases: where donations count.

use jiff::civil::date;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use uuid::Uuid;

use crate::analytics;
use crate::records::{
    at, basic_records, campaign, charity_id, config_id, contract, donation, partner_token,
    project_id, revised,
};
use crate::world::{Site, World};
use features::campaigns::{Campaign, CampaignBeneficiary, CampaignId};
use features::domain::amount::UsdE6;
use features::domain::day::DayRange;
use features::domain::recording::{Change, OnRejection, Rule};
use features::import::Record;

async fn usd(world: &World, project: u8) -> i64 {
    features::analytics::store::project_totals(&world.store, analytics::of_project(project))
        .await
        .unwrap()
        .stats
        .usd
        .0
}

async fn a_donation_counts_once_for_its_configs_and_its_tokens_project(site: Site) {
    let world = World::new(&site).await;
    world
        .record_all(vec![Record::PartnerToken(partner_token(1, 1, 1))])
        .await;
    // Both project 1's; project 2's config in project 1's token; project 2's alone.
    let given = [
        donation(1, 1, 1, 1),
        donation(2, 1, 2, 20),
        donation(3, 2, 2, 300),
    ];
    world.record_all(given.map(Record::Donation).into()).await;
    assert_eq!((usd(&world, 1).await, usd(&world, 2).await), (21, 320));
    world.verify().await;
}

async fn a_new_partner_token_brings_its_earlier_donations(site: Site) {
    let world = World::new(&site).await;
    let given = [
        donation(1, 1, 1, 1),
        donation(2, 1, 2, 20),
        donation(3, 1, 2, 300),
    ];
    let taken_back = revised(&given[2]);
    world.record_all(given.map(Record::Donation).into()).await;
    world.record_all(vec![Record::Donation(taken_back)]).await;
    assert_eq!((usd(&world, 1).await, usd(&world, 2).await), (1, 20));
    world
        .record_all(vec![Record::PartnerToken(partner_token(1, 1, 1))])
        .await;
    assert_eq!((usd(&world, 1).await, usd(&world, 2).await), (21, 20));
    world.verify().await;
}

async fn campaigns_raise_donations_to_their_beneficiary_in_their_period(site: Site) {
    let world = World::new(&site).await;
    let for_charity = campaign(1, CampaignBeneficiary::Charity(charity_id(1)), 2, 4);
    let for_config = campaign(2, CampaignBeneficiary::Config(config_id(1)), 2, 4);
    let given = [1, 2, 3, 4].map(|n| donation(n, 1, 1, 30));
    let (before, after) = given.split_at(2);
    world
        .record_all(before.iter().cloned().map(Record::Donation).collect())
        .await;
    // Donations before a campaign is recorded count too, if they are in its period.
    world
        .record_all(vec![
            Record::Campaign(for_charity.clone()),
            Record::Campaign(for_config),
        ])
        .await;
    let versions = features::database::versions(&world.store).await.unwrap();
    world
        .record_all(after.iter().cloned().map(Record::Donation).collect())
        .await;
    let raised = crate::world::raised(&world.store).await;
    assert_eq!(
        raised.get(&CampaignId(Uuid::from_bytes([1; 16]))),
        Some(&UsdE6(20))
    );
    assert_eq!(
        raised.get(&CampaignId(Uuid::from_bytes([2; 16]))),
        Some(&UsdE6(60))
    );
    let later = features::database::versions(&world.store).await.unwrap();
    assert_eq!(
        (later.campaigns, later.charities),
        (versions.campaigns + 1, versions.charities)
    );

    let longer = Campaign {
        ends_at: None,
        ..for_charity
    };
    assert_eq!(
        world.record(Record::Campaign(longer)).await,
        Ok(Change::Updated)
    );
    world
        .record_all(vec![Record::Donation(revised(&given[2]))])
        .await;
    world.verify().await;
}

/// Of every project, once; a donation that is taken back leaves nothing, and not its date either.
async fn charities_total_what_they_received(site: Site) {
    let world = World::new(&site).await;
    let given = [
        donation(5, 1, 1, 30),
        donation(6, 1, 2, 7),
        donation(7, 2, 2, 200),
    ];
    let (first, last) = (revised(&given[0]), revised(&given[2]));
    let token = Record::PartnerToken(partner_token(1, 1, 1));
    world.record_all(vec![token]).await;
    world.record_all(given.map(Record::Donation).into()).await;
    let total = async |charity| {
        let received = crate::world::received(&world.store).await;
        let total = received.get(&charity_id(charity)).copied();
        let total = total.unwrap_or_default();
        (total.usd.0, total.donations, total.first, total.last)
    };
    assert_eq!(total(1).await, (10, 1, Some(at(5)), Some(at(5))));
    assert_eq!(total(2).await, (227, 3, Some(at(5)), Some(at(7))));
    assert_eq!(total(3).await, (0, 0, None, None));
    let before = features::database::versions(&world.store).await.unwrap();
    let batch = vec![Record::Donation(first), Record::Donation(last)];
    world.record_all(batch.clone()).await;
    let after = features::database::versions(&world.store).await.unwrap();
    assert_eq!(after.received, before.received + 1);
    assert_eq!(total(1).await, (0, 0, None, None));
    assert_eq!(total(2).await, (7, 1, Some(at(6)), Some(at(6))));
    // What is recorded already changes nothing.
    world.record_all(batch).await;
    assert_eq!(
        features::database::versions(&world.store).await.unwrap(),
        after
    );
    world.verify().await;
}

/// Of every project; a day of which everything is taken back has no row.
async fn charities_have_days(site: Site) {
    const DAY: i64 = 86_400;
    let world = World::new(&site).await;
    let given = [
        donation(5, 1, 1, 30),
        donation(6, 1, 2, 7),
        donation(DAY as u32 + 1, 2, 2, 200),
        donation(DAY as u32 * 2, 2, 1, 9),
    ];
    let taken_back = [revised(&given[1]), revised(&given[2])];
    world.record_all(given.map(Record::Donation).into()).await;
    let range = DayRange::new(date(1970, 1, 1), date(1970, 1, 2)).unwrap();
    let days = async |charity| {
        let days =
            features::rollups::store::days_of_charity(&world.store, charity_id(charity), range);
        let days = days.await.unwrap().into_iter();
        let days = days.map(|(day, it)| (day.number(), it.usd.0, it.donations));
        days.collect::<Vec<_>>()
    };
    let all = async || {
        let sum = features::rollups::store::received_within(&world.store, range);
        sum.await.unwrap().0
    };
    assert_eq!(days(1).await, [(0, 10, 1)]);
    assert_eq!(days(2).await, [(0, 27, 2), (1, 200, 1)]);
    assert_eq!((days(3).await, all().await), (vec![], 237));
    world.verify().await;
    world
        .record_all(taken_back.map(Record::Donation).into())
        .await;
    assert_eq!(days(2).await, [(0, 20, 1)]);
    assert_eq!(all().await, 30);
    world.verify().await;
}

/// Charity 2 receives from two projects, whose own sums fit.
async fn charities_cannot_overflow(site: Site) {
    let world = World::new(&site).await;
    let whole = donation(1, 1, 2, i64::MAX);
    world
        .record_all(vec![Record::Donation(whole.clone())])
        .await;
    let too_much = Record::Donation(donation(2, 2, 1, 3));
    let refused = world.record(too_much.clone()).await.unwrap_err();
    assert_eq!(
        (refused.member.as_str(), refused.rule),
        ("/usdE6", Rule::Overflow)
    );
    assert_eq!(usd(&world, 1).await, 0);
    let back = Record::Donation(revised(&whole));
    world.record_all(vec![back, too_much]).await;
    world.verify().await;
}

/// Transaction, token, config, sum, and how often it is revised.
type Story = Vec<(u32, u8, u8, i64, u8)>;

fn stories() -> impl Strategy<Value = Story> {
    let usd = prop_oneof![9 => 0..1000_i64, 1 => (i64::MAX - 2000)..=i64::MAX];
    // Seconds up to three days, so that cells share and differ in days.
    let one = (0..250_000_u32, 1..=4_u8, 1..=2_u8, usd, 0..=3_u8);
    prop::collection::vec(one, 1..24)
}

/// The records of a story, in order. Revisions come long after their donations, and token 1 changes its active
/// config before them.
fn told(story: &Story) -> Vec<Record> {
    let for_charity = CampaignBeneficiary::Charity(charity_id(2));
    let mut records = vec![
        Record::PartnerToken(partner_token(1, 1, 1)),
        Record::PartnerToken(partner_token(2, 1, 2)),
        Record::Campaign(campaign(1, for_charity, 100_000, 200_000)),
    ];
    let donation =
        |(n, token, config, usd, revisions): &_| (donation(*n, *token, *config, *usd), *revisions);
    let mut waiting: Vec<(_, u8)> = story.iter().map(donation).collect();
    let mut active = 2;
    while !waiting.is_empty() {
        let donations = waiting.iter().map(|(donation, _)| donation.clone());
        records.extend(donations.map(Record::Donation));
        records.push(Record::PartnerToken(partner_token(1, 1, active)));
        active = 3 - active;
        waiting.retain(|(_, revisions)| *revisions > 0);
        for (donation, revisions) in &mut waiting {
            *donation = revised(donation);
            *revisions -= 1;
        }
    }
    records.push(Record::PartnerToken(partner_token(3, 1, 1)));
    records
}

/// Two donations of one transaction differ, and some sums overflow: every database refuses the same
/// records, and the others are counted.
async fn rollups_equal_the_sums_of_the_donations(site: Site) {
    let trying = move || {
        let mut runner = TestRunner::new(ProptestConfig {
            cases: 12,
            failure_persistence: None,
            ..ProptestConfig::default()
        });
        let stories = (stories(), 1..40_usize);
        let ran = runner.run(&stories, |(story, batch)| {
            let runtime = tokio::runtime::Builder::new_current_thread();
            let runtime = { runtime }.enable_all().build().unwrap();
            runtime.block_on(holds_for(&site, &told(&story), batch));
            Ok(())
        });
        ran.unwrap();
    };
    // Each try has a runtime, which cannot stand within another one.
    tokio::task::spawn_blocking(trying).await.unwrap();
}

async fn holds_for(site: &Site, records: &[Record], batch: usize) {
    let mut outcomes = Vec::new();
    for (site, batch) in [(site, batch), (&Site::Files, records.len())] {
        let world = World::new(site).await;
        let mut of_site = Vec::new();
        for records in records.chunks(batch) {
            let recorded = features::import::store::record(
                &world.store,
                records.to_vec(),
                OnRejection::Continue,
            );
            of_site.extend(recorded.await.unwrap());
        }
        world.verify().await;
        let pairs = records.iter().zip(&of_site);
        let recorded = pairs.filter_map(|(record, outcome)| outcome.is_ok().then_some(record));
        let basic = basic_records();
        let model = analytics::Model::of(basic.iter().chain(recorded));
        analytics::assert_equal_model(&world, &model).await;
        let raised = crate::world::raised(&world.store).await;
        let totals =
            features::analytics::store::project_totals(&world.store, analytics::of_project(1))
                .await
                .unwrap();
        let board = features::contracts::leaderboard::leaderboard(
            &world.store,
            project_id(1),
            contract(1, 1).id,
            None,
            99,
        );
        outcomes.push((of_site, raised, totals, board.await.unwrap().unwrap()));
    }
    assert_eq!(outcomes[0], outcomes[1]);
}

on_each_database! {
    a_donation_counts_once_for_its_configs_and_its_tokens_project,
    a_new_partner_token_brings_its_earlier_donations,
    campaigns_raise_donations_to_their_beneficiary_in_their_period,
    rollups_equal_the_sums_of_the_donations,
    charities_total_what_they_received,
    charities_have_days,
    charities_cannot_overflow,
}
