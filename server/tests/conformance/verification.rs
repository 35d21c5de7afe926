//! Tests on both databases: differences from the log are found.

use uuid::Uuid;

use crate::records::{at, charity_id, config_id, donation, partner_token};
use crate::world::{Site, World};
use features::campaigns::{Campaign, CampaignBeneficiary, CampaignId};
use features::domain::amount::UsdE6;
use features::donations::Donation;
use features::import::Record;
use features::rollups::verification::Drift;

const DAY: i64 = 86_400;

/// Donations on days 0, 3 and 4, to a partner token too.
async fn given(site: &Site) -> World {
    let world = World::new(site).await;
    let partner = Record::PartnerToken(partner_token(1, 1, 1));
    let on_day = |day: i64, n: u32| {
        Record::Donation(Donation {
            at: at(day * DAY),
            ..donation(n, 1 + (n % 2) as u8, 1, 10)
        })
    };
    let given = [(0, 1), (3, 2), (3, 3), (4, 4)].map(|(day, n)| on_day(day, n));
    world
        .record_all([partner].into_iter().chain(given).collect())
        .await;
    world.verify().await;
    world
}

/// The differences that are reported after damage to a new world.
async fn told(site: &Site, damage: &str) -> Vec<String> {
    let world = given(site).await;
    world.tamper(damage).await;
    let drifts = features::rollups::verification::verify_rollups(&world.store)
        .await
        .unwrap();
    let name = |drift| match drift {
        Drift::Sum {
            name,
            recorded,
            expected,
        } if recorded != expected => name,
        other => panic!("{other:?}"),
    };
    drifts.into_iter().map(name).collect()
}

async fn tells_a_rollup_that_is_off(site: Site) {
    let project = "project 01010101-0101-0101-0101-010101010101";
    let moved = |days: i64| {
        format!(
            "INSERT INTO tally_of_day (
               project, facet, day, member, usd_e6, donations, first_at, last_at
             )
             SELECT project, facet, day + {days}, member, usd_e6, donations, first_at, last_at
             FROM tally_of_day WHERE facet = 0 AND day = 0"
        )
    };
    for (damage, expected) in [
        (
            "UPDATE tally SET usd_e6 = usd_e6 + 1 WHERE facet = 0".to_owned(),
            vec![project.to_owned()],
        ),
        (
            "DELETE FROM tally WHERE facet = 0".to_owned(),
            vec![project.to_owned()],
        ),
        (
            "UPDATE tally_of_day SET first_at = first_at + 1 WHERE facet = 0 AND day = 3"
                .to_owned(),
            vec![format!("{project} on 1970-01-04")],
        ),
        (
            "DELETE FROM tally_of_day WHERE facet = 0 AND day IN (0, 4)".to_owned(),
            vec![
                format!("{project} on 1970-01-01"),
                format!("{project} on 1970-01-05"),
            ],
        ),
        // Days without donations: before, between and after the others.
        (moved(-1), vec![format!("{project} on 1969-12-31")]),
        (moved(2), vec![format!("{project} on 1970-01-03")]),
        (moved(9), vec![format!("{project} on 1970-01-10")]),
    ] {
        let mut told = told(&site, &damage).await;
        told.sort_unstable();
        assert_eq!(told, expected, "{damage}");
    }
}

async fn reports_hours_and_chains_that_are_off(site: Site) {
    let of_project = "of project 01010101-0101-0101-0101-010101010101";
    let hour = |n: i64| format!("hour {n:016x} {of_project}");
    for (damage, expected) in [
        (
            "UPDATE tally_of_day SET usd_e6 = usd_e6 + 1 WHERE facet = 5 AND day = 3",
            vec![format!("{} on 1970-01-04", hour(72))],
        ),
        (
            "DELETE FROM tally_of_day WHERE facet = 5 AND day = 4",
            vec![format!("{} on 1970-01-05", hour(96))],
        ),
        (
            "UPDATE tally SET donations = donations + 1 WHERE facet = 4",
            vec![format!("chain 0000000000000001 {of_project}")],
        ),
    ] {
        assert_eq!(told(&site, damage).await, expected, "{damage}");
    }
}

/// A cell with a third of its amount for charity 1, and the number of days of its config and token.
async fn reports_cells_and_pairs_that_are_off(site: Site) {
    let name = |token: u8| {
        format!(
            "config {} and token 0000000000000001{token:0>40}{:024} of project \
             01010101-0101-0101-0101-010101010101",
            config_id(1),
            0
        )
    };
    let cell = |token, day, recorded: &str, expected: &str| {
        let name = name(token);
        format!("{name} on 1970-01-0{day}: recorded {recorded}, expected {expected}")
    };
    let pair = |token, recorded: u64, expected: u64| {
        let name = name(token);
        format!("{name}: recorded {recorded} days, expected {expected}")
    };
    let whole = "10 (3 + 7) in 1 donations";
    let nothing = "0 () in 0 donations";
    for (damage, expected) in [
        (
            "UPDATE tally_of_cell SET usd_e6 = 11 WHERE day = 0",
            vec![cell(2, 1, "11 (3 + 7) in 1 donations", whole)],
        ),
        (
            "UPDATE tally_of_cell SET parts = (
               SELECT other.parts FROM tally_of_cell AS other WHERE other.project <> tally_of_cell.project
             ) WHERE day = 4",
            vec![cell(1, 5, "10 (7) in 1 donations", whole)],
        ),
        (
            "UPDATE tally_of_cell SET day = 2 WHERE day = 0",
            vec![cell(2, 1, nothing, whole), cell(2, 3, whole, nothing)],
        ),
        (
            "DELETE FROM tally_of_cell WHERE day = 4",
            vec![cell(1, 5, nothing, whole), pair(1, 2, 1)],
        ),
        (
            "UPDATE tally_of_pair SET days = days + 1 WHERE days = 2
               AND token = (SELECT token FROM tally_of_cell WHERE day = 0)",
            vec![pair(2, 3, 2)],
        ),
        (
            "DELETE FROM tally_of_pair
             WHERE token = (SELECT token FROM tally_of_cell WHERE day = 0)",
            vec![pair(2, 0, 2)],
        ),
    ] {
        let world = given(&site).await;
        let other = Donation {
            at: at(20 * DAY),
            ..donation(9, 4, 2, 7)
        };
        world.record_all(vec![Record::Donation(other)]).await;
        world.tamper(damage).await;
        let drifts = features::rollups::verification::verify_rollups(&world.store)
            .await
            .unwrap();
        let reported: Vec<_> = drifts.iter().map(ToString::to_string).collect();
        assert_eq!(reported, expected, "{damage}");
    }
}

/// Token 1 is a partner token with donations through config 1, token 3 one without.
async fn reports_a_leaderboard_entry_that_is_off(site: Site) {
    let name = |token, config| {
        let config = config_id(config);
        format!(
            "leaderboard entry of token 0000000000000001{token:0>40}{:024} and config {config}",
            0
        )
    };
    let insert = "INSERT INTO leaderboard_entry (
                    token, config, contract, creator, usd_e6, donations
                  )
                  SELECT entry.token, config.id, entry.contract, entry.creator, 0, 0
                  FROM leaderboard_entry AS entry, config
                  WHERE entry.donations > 0 AND config.id <> entry.config";
    for (damage, entry, recorded, expected) in [
        (
            "UPDATE leaderboard_entry SET usd_e6 = usd_e6 + 1 WHERE donations > 0",
            name(1, 1),
            "21 in 2 donations",
            "20 in 2 donations",
        ),
        (
            "DELETE FROM leaderboard_entry WHERE donations > 0",
            name(1, 1),
            "no entry",
            "20 in 2 donations",
        ),
        (
            "DELETE FROM leaderboard_entry WHERE donations = 0",
            name(3, 2),
            "no entry",
            "0 in 0 donations",
        ),
        (insert, name(1, 2), "0 in 0 donations", "no entry"),
    ] {
        let world = given(&site).await;
        let partner = Record::PartnerToken(partner_token(3, 1, 2));
        world.record_all(vec![partner]).await;
        world.verify().await;
        world.tamper(damage).await;
        let drifts = features::rollups::verification::verify_rollups(&world.store)
            .await
            .unwrap();
        let reported: Vec<_> = drifts.iter().map(ToString::to_string).collect();
        let drift = format!("{entry}: recorded {recorded}, expected {expected}");
        assert_eq!(reported, [drift], "{damage}");
    }
}

async fn tells_a_campaign_that_is_off(site: Site) {
    let world = given(&site).await;
    let campaign = |n: u8, beneficiary| {
        Record::Campaign(Campaign {
            id: CampaignId(Uuid::from_bytes([n; 16])),
            title: "A campaign".to_owned(),
            description: "For a good cause.".to_owned(),
            beneficiary,
            goal: UsdE6(1),
            starts_at: at(3 * DAY),
            ends_at: Some(at(4 * DAY)),
        })
    };
    let campaigns = [
        campaign(1, CampaignBeneficiary::Charity(charity_id(2))),
        campaign(2, CampaignBeneficiary::Config(config_id(1))),
    ];
    world.record_all(campaigns.into()).await;
    world.verify().await;
    world
        .tamper("UPDATE campaign SET raised_e6 = raised_e6 + 1")
        .await;
    let drifts = features::rollups::verification::verify_rollups(&world.store)
        .await
        .unwrap();
    let mut told: Vec<_> = drifts.iter().map(ToString::to_string).collect();
    told.sort_unstable();
    let campaign = |n: u8, recorded: i64| {
        format!(
            "campaign {}: recorded {} in 0 donations, expected {} in 0",
            Uuid::from_bytes([n; 16]),
            UsdE6(recorded + 1),
            UsdE6(recorded)
        )
    };
    assert_eq!(told, [campaign(1, 14), campaign(2, 20)]);
}

async fn tells_a_total_of_a_charity_that_is_off(site: Site) {
    let total = |charity| format!("total of charity {}", charity_id(charity).0);
    for (damage, expected) in [
        ("UPDATE charity_total SET usd_e6 = usd_e6 + 1", vec![1, 2]),
        (
            "UPDATE charity_total SET first_at = first_at + 1",
            vec![1, 2],
        ),
        (
            "INSERT INTO charity_total (charity, usd_e6, donations, first_at, last_at)
             SELECT charity.id, usd_e6, donations, first_at, last_at FROM charity_total, charity
             WHERE charity.id NOT IN (SELECT charity FROM charity_total) AND usd_e6 = 12",
            vec![3],
        ),
        ("DELETE FROM charity_total", vec![1, 2]),
    ] {
        let mut told = told(&site, damage).await;
        told.sort_unstable();
        let expected: Vec<_> = expected.into_iter().map(total).collect();
        assert_eq!(told, expected, "{damage}");
    }
}

async fn tells_a_day_of_a_charity_that_is_off(site: Site) {
    let days = |charity: u8, days: &[u8]| {
        let name = charity_id(charity).0;
        let days = days
            .iter()
            .map(|day| format!("charity {name} on 1970-01-0{day}"));
        days.collect::<Vec<_>>()
    };
    for (damage, expected) in [
        (
            "UPDATE charity_day SET usd_e6 = usd_e6 + 1 WHERE day = 3",
            [days(1, &[4]), days(2, &[4])].concat(),
        ),
        (
            "UPDATE charity_day SET donations = 0 WHERE day = 0",
            [days(1, &[1]), days(2, &[1])].concat(),
        ),
        (
            "DELETE FROM charity_day WHERE day = 4",
            [days(1, &[5]), days(2, &[5])].concat(),
        ),
        (
            "INSERT INTO charity_day (day, charity, usd_e6, donations)
             SELECT day + 5, charity, usd_e6, donations FROM charity_day WHERE day IN (0, 3)",
            [days(1, &[6, 9]), days(2, &[6, 9])].concat(),
        ),
    ] {
        let mut told = told(&site, damage).await;
        told.sort_unstable();
        assert_eq!(told, expected, "{damage}");
    }
}

async fn tells_a_list_that_is_off(site: Site) {
    let list = |charity: u8, missing, extra| Drift::List {
        charity: charity_id(charity),
        missing,
        extra,
    };
    for (damage, expected) in [
        (
            "DELETE FROM charity_donation",
            vec![list(1, 4, 0), list(2, 4, 0)],
        ),
        (
            "UPDATE charity_donation SET at = at + 1 WHERE at < 86400000",
            vec![list(1, 1, 1), list(2, 1, 1)],
        ),
        (
            "INSERT INTO charity_donation (charity, at, chain, tx, log_index, revision)
             SELECT charity, at, chain, tx, log_index, 2 FROM charity_donation",
            vec![list(1, 0, 4), list(2, 0, 4)],
        ),
    ] {
        let world = given(&site).await;
        world.tamper(damage).await;
        assert_eq!(
            features::rollups::verification::verify_rollups(&world.store)
                .await
                .unwrap(),
            expected,
            "{damage}"
        );
    }
}

on_each_database! {
    tells_a_rollup_that_is_off,
    reports_hours_and_chains_that_are_off,
    reports_cells_and_pairs_that_are_off,
    reports_a_leaderboard_entry_that_is_off,
    tells_a_campaign_that_is_off,
    tells_a_total_of_a_charity_that_is_off,
    tells_a_day_of_a_charity_that_is_off,
    tells_a_list_that_is_off,
}
