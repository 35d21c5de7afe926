//! Conformance cases of extreme values: 64 and 256 bits, time, and alphabets.

use jiff::civil::{Date, date};
use ruint::aliases::U256;
use uuid::Uuid;

use crate::analytics::of_project;
use crate::records::{at, charity_id, donation, partner_token, project, revised, token};
use crate::world::{Site, World, partner_of};
use features::analytics::StatsScope;
use features::campaigns::{Campaign, CampaignBeneficiary, CampaignId};
use features::domain::amount::{TokenAmount, UsdE6};
use features::domain::day::DayRange;
use features::domain::recording::{Change, OnRejection, Rule};
use features::donations::Donation;
use features::import::Record;
use features::projects::Project;

async fn the_largest_amounts_are_kept(site: Site) {
    let world = World::new(&site).await;
    let largest = Donation {
        amount: TokenAmount(U256::MAX),
        log_index: u32::MAX,
        ..donation(1, 1, 1, i64::MAX)
    };
    let insert = world.record(Record::Donation(largest.clone())).await;
    assert_eq!(insert, Ok(Change::Inserted));
    for (amount, expected) in [
        (U256::MAX, None),
        (U256::MAX - U256::from(1), Some("/amount")),
        (U256::from(1) << 64, Some("/amount")),
        (U256::ZERO, Some("/amount")),
    ] {
        let again = Donation {
            amount: TokenAmount(amount),
            ..largest.clone()
        };
        let refused = world.record(Record::Donation(again)).await.err();
        assert_eq!(refused.as_ref().map(|it| it.member.as_str()), expected);
    }
    let totals = features::analytics::store::project_totals(&world.store, of_project(1));
    assert_eq!(totals.await.unwrap().stats.usd, UsdE6(i64::MAX));
    let one_more = world.record(Record::Donation(donation(2, 1, 1, 1))).await;
    assert_eq!(one_more.unwrap_err().rule, Rule::Overflow);
    // A donation of zero fits, and after one is taken back others fit again.
    let nothing = world.record(Record::Donation(donation(3, 1, 1, 0))).await;
    assert_eq!(nothing, Ok(Change::Inserted));
    world
        .record_all(vec![Record::Donation(revised(&largest))])
        .await;
    let fits = world.record(Record::Donation(donation(2, 1, 1, 1))).await;
    assert_eq!(fits, Ok(Change::Inserted));
    world.verify().await;
}

async fn times_before_1970_have_days(site: Site) {
    let world = World::new(&site).await;
    let given = |n, second| {
        let donation = donation(n, 1, 1, 1);
        Record::Donation(Donation {
            at: at(second),
            ..donation
        })
    };
    world
        .record_all(vec![
            given(1, -1),
            given(2, 0),
            given(3, -86_400),
            given(4, -86_401),
        ])
        .await;
    let back = revised(&Donation {
        at: at(-86_401),
        ..donation(4, 1, 1, 1)
    });
    world.record_all(vec![Record::Donation(back)]).await;
    let range = DayRange::new(date(1969, 12, 30), date(1970, 1, 1)).unwrap();
    let scope = StatsScope {
        range: Some(range),
        ..of_project(1)
    };
    let days = features::analytics::store::project_days(&world.store, scope)
        .await
        .unwrap();
    let days: Vec<_> = days.iter().map(|day| (day.start, day.usd.0)).collect();
    let day = |date: Date| date.at(0, 0, 0, 0);
    assert_eq!(
        days,
        [(day(date(1969, 12, 31)), 2), (day(date(1970, 1, 1)), 1)]
    );
    let hours = features::analytics::store::project_hours(&world.store, scope)
        .await
        .unwrap();
    let hours: Vec<_> = hours.iter().map(|hour| (hour.start, hour.usd.0)).collect();
    assert_eq!(
        hours,
        [
            (day(date(1969, 12, 31)), 1),
            (date(1969, 12, 31).at(23, 0, 0, 0), 1),
            (day(date(1970, 1, 1)), 1)
        ]
    );
    let totals = features::analytics::store::project_totals(&world.store, scope)
        .await
        .unwrap();
    assert_eq!(
        (totals.stats.first, totals.stats.last),
        (Some(at(-86_400)), Some(at(0)))
    );
    world.verify().await;
}

async fn texts_are_in_the_order_of_bytes(site: Site) {
    let world = World::empty(&site).await;
    let names = [
        "a",
        "B",
        "b",
        "Z",
        "_",
        "-",
        "ä",
        "z",
        "A b",
        "Ab",
        "\u{10348}",
        "\u{FF5E}",
    ];
    let named = |(n, name): (u8, &&str)| {
        Record::Project(Project {
            name: (*name).to_owned(),
            ..project(n)
        })
    };
    world
        .record_all((1..).zip(&names).map(named).collect())
        .await;
    let listed = features::projects::store::projects(&world.store)
        .await
        .unwrap();
    let mut sorted = names;
    sorted.sort_unstable();
    assert_eq!(
        listed.iter().map(|it| it.name.as_str()).collect::<Vec<_>>(),
        sorted
    );
}

fn campaign(n: u8) -> Campaign {
    Campaign {
        id: CampaignId(Uuid::from_bytes([n; 16])),
        title: "A campaign".to_owned(),
        description: "For a good cause.".to_owned(),
        beneficiary: CampaignBeneficiary::Charity(charity_id(2)),
        goal: UsdE6(i64::MAX),
        starts_at: at(0),
        ends_at: None,
    }
}

/// Charity 2 receives from two projects, whose own sums fit.
async fn campaigns_cannot_overflow(site: Site) {
    let world = World::new(&site).await;
    let whole = Record::Donation(donation(1, 1, 2, i64::MAX));
    world
        .record_all(vec![Record::Campaign(campaign(1)), whole])
        .await;
    let too_much = Record::Donation(donation(2, 2, 1, 3));
    let refused = world.record(too_much).await.unwrap_err();
    assert_eq!(
        (refused.member.as_str(), refused.rule),
        ("/usdE6", Rule::Overflow)
    );
    let totals = features::analytics::store::project_totals(&world.store, of_project(1))
        .await
        .unwrap();
    assert_eq!(totals.stats.donations, 0);
    world.verify().await;
}

async fn a_partner_token_cannot_overflow_its_project(site: Site) {
    let world = World::new(&site).await;
    let batch = vec![
        Record::Donation(donation(1, 1, 1, i64::MAX)),
        Record::Donation(donation(2, 2, 2, 1)),
        Record::PartnerToken(partner_token(2, 1, 1)),
        Record::PartnerToken(partner_token(3, 1, 1)),
    ];
    let outcomes = features::import::store::record(&world.store, batch, OnRejection::Continue)
        .await
        .unwrap();
    assert_eq!(outcomes[2].as_ref().unwrap_err().rule, Rule::Overflow);
    assert_eq!(outcomes[3], Ok(Change::Inserted));
    partner_of(&world.store, token(3).id).await;
    world.verify().await;
}

on_each_database! {
    the_largest_amounts_are_kept,
    times_before_1970_have_days,
    texts_are_in_the_order_of_bytes,
    campaigns_cannot_overflow,
    a_partner_token_cannot_overflow_its_project,
}
