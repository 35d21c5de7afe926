//! Tests on both databases: a contract's tokens and configs, ranked.

use std::collections::BTreeSet;

use crate::records::{
    address, at, config, config_id, contract, donation, partner_token, place, project_id, revised,
    token,
};
use crate::world::{Site, World};
use features::contracts::LeaderboardEntry;
use features::domain::amount::UsdE6;
use features::domain::donation_stats::DonationStats;
use features::domain::position::{Placed as _, Position};
use features::import::Record;
use features::tokens::PartnerToken;

/// Token 2 has three configs, two of which tie with token 1; token 4 leads, token 3 has nothing.
async fn world(site: &Site) -> World {
    let world = World::new(site).await;
    let mut records = vec![Record::Config(config(3, 1, &[(3, 1)]))];
    records.extend((1..=4).map(|n| Record::PartnerToken(partner_token(n, 1, 1))));
    let given = [
        (1, 1, 1, 50),
        (2, 2, 1, 20),
        (3, 2, 1, 30),
        (4, 4, 1, 90),
        (5, 2, 3, 50),
        (6, 2, 2, 10),
    ];
    let given = given.map(|(n, token, config, usd)| donation(n, token, config, usd));
    records.extend(given.map(Record::Donation));
    world.record_all(records).await;
    world
}

/// The number of a token and of a config, and their sum.
type Figures = (u8, u8, i64);

const ORDER: [Figures; 6] = [
    (4, 1, 90),
    (2, 3, 50),
    (2, 1, 50),
    (1, 1, 50),
    (2, 2, 10),
    (3, 1, 0),
];

fn figures(entry: &LeaderboardEntry) -> Figures {
    (
        entry.token.id.address.sort_key()[19],
        entry.config.id.0[0],
        entry.stats.usd.0,
    )
}

async fn entries(world: &World) -> Vec<LeaderboardEntry> {
    let board = features::contracts::leaderboard::leaderboard(
        &world.store,
        project_id(1),
        contract(1, 1).id,
        None,
        99,
    );
    board.await.unwrap().unwrap()
}

/// The configs of the entries of token 1, with their stats, after the rollups are verified.
async fn configs_of_token(world: &World) -> Vec<(u8, DonationStats)> {
    world.verify().await;
    let mut entries = entries(world).await;
    entries.retain(|entry| entry.token == token(1));
    let config = |entry: LeaderboardEntry| (entry.config.id.0[0], entry.stats);
    entries.into_iter().map(config).collect()
}

fn stats(usd: i64, donations: u64, first: i64, last: i64) -> DonationStats {
    DonationStats {
        usd: UsdE6(usd),
        donations,
        first: Some(at(first)),
        last: Some(at(last)),
    }
}

const EMPTY: DonationStats = DonationStats {
    usd: UsdE6(0),
    donations: 0,
    first: None,
    last: None,
};

async fn every_page_size_gives_the_same_order(site: Site) {
    let world = world(&site).await;
    for limit in 1..=7 {
        let mut seen = Vec::new();
        let mut after = None;
        loop {
            let page = features::contracts::leaderboard::leaderboard(
                &world.store,
                project_id(1),
                contract(1, 1).id,
                after,
                limit,
            );
            let page = page.await.unwrap().unwrap();
            let Some(last) = page.last() else { break };
            after = Some(last.position());
            seen.extend(page.iter().map(figures));
        }
        assert_eq!(seen, ORDER, "limit {limit}");
    }
}

/// Whether or not an entry has it.
async fn every_position_leads_to_the_entries_after_it(site: Site) {
    let world = world(&site).await;
    let list = async |after| {
        let page = features::contracts::leaderboard::leaderboard(
            &world.store,
            project_id(1),
            contract(1, 1).id,
            after,
            9,
        );
        page.await.unwrap().unwrap()
    };
    let whole = list(None).await;
    let of_token = place(2).address.sort_key().to_vec();
    let with_config = |n| [of_token.clone(), config_id(n).0.to_vec()].concat();
    let mut lengths = BTreeSet::new();
    for ordinal in [i64::MIN, -1, 0, 1, 50, 51, 90, i64::MAX] {
        for key in [
            vec![],
            vec![0; 32],
            vec![0xab; 7],
            vec![u8::MAX; 40],
            of_token.clone(),
            with_config(1),
            with_config(2),
            [with_config(3), vec![0]].concat(),
        ] {
            let rest = list(Some(Position { ordinal, key })).await;
            assert!(whole.ends_with(&rest), "{ordinal}");
            lengths.insert(rest.len());
        }
    }
    assert!(lengths.iter().copied().eq(0..=6), "{lengths:?}");
}

async fn an_entry_has_token_creator_config_and_sum(site: Site) {
    let world = world(&site).await;
    let entries = entries(&world).await;
    assert_eq!(entries[2].token, token(2));
    assert_eq!(entries[2].creator, address(200));
    assert_eq!(entries[2].config.beneficiaries.len(), 2);
    assert_eq!(entries[2].stats, stats(50, 2, 2, 3));
    assert_eq!(entries[1].config.beneficiaries.len(), 1);
    assert_eq!(entries[1].stats, stats(50, 1, 5, 5));
    assert_eq!(entries[5].stats, EMPTY);
}

async fn is_its_projects_only(site: Site) {
    let world = world(&site).await;
    let asked = [
        (2, contract(1, 1).id),
        (1, contract(2, 1).id),
        (1, place(1)),
    ];
    for (project, contract) in asked {
        let page = features::contracts::leaderboard::leaderboard(
            &world.store,
            project_id(project),
            contract,
            None,
            9,
        )
        .await
        .unwrap();
        assert_eq!(page, None);
    }
}

/// A donation counts for the config that it names, whichever config is active.
async fn each_config_has_an_entry_of_its_own(site: Site) {
    let world = World::new(&site).await;
    let through_first = [1, 2].map(|n| donation(n, 1, 1, 12_500_000));
    let mut records = vec![Record::PartnerToken(partner_token(1, 1, 1))];
    records.extend(through_first.iter().cloned().map(Record::Donation));
    world.record_all(records).await;
    let first = stats(25_000_000, 2, 1, 2);
    assert_eq!(configs_of_token(&world).await, [(1, first)]);

    let switched = PartnerToken {
        previous_configs: vec![config_id(1)],
        ..partner_token(1, 1, 2)
    };
    world.record_all(vec![Record::PartnerToken(switched)]).await;
    assert_eq!(configs_of_token(&world).await, [(1, first), (2, EMPTY)]);
    let through_second = donation(3, 1, 2, 1_000_000);
    let record = Record::Donation(through_second.clone());
    world.record_all(vec![record]).await;
    let second = stats(1_000_000, 1, 3, 3);
    assert_eq!(configs_of_token(&world).await, [(1, first), (2, second)]);

    let [one, other] = &through_first;
    world.record_all(vec![Record::Donation(revised(one))]).await;
    let rest = stats(12_500_000, 1, 2, 2);
    assert_eq!(configs_of_token(&world).await, [(1, rest), (2, second)]);
    world
        .record_all(vec![Record::Donation(revised(other))])
        .await;
    assert_eq!(configs_of_token(&world).await, [(2, second)]);
    let back = Record::Donation(revised(&through_second));
    world.record_all(vec![back]).await;
    assert_eq!(configs_of_token(&world).await, [(2, EMPTY)]);

    // The donation is made again, through the config that is no longer active.
    let again = Record::Donation(revised(&revised(other)));
    world.record_all(vec![again]).await;
    assert_eq!(configs_of_token(&world).await, [(1, rest), (2, EMPTY)]);
    // The token switches back.
    let back = Record::PartnerToken(partner_token(1, 1, 1));
    world.record_all(vec![back]).await;
    assert_eq!(configs_of_token(&world).await, [(1, rest)]);
}

/// The first and last donations are taken back, one after the other, among donations of others.
async fn dates_are_those_of_the_standing_donations(site: Site) {
    let world = World::new(&site).await;
    let mut records = vec![Record::PartnerToken(partner_token(1, 1, 1))];
    records.extend((1..=5).map(|n| Record::Donation(donation(n * 100_000, 1, 1, 1))));
    records.extend((0..=6).map(|n| Record::Donation(donation(n * 100_000 + 1, 1, 2, 100))));
    records.extend((0..=6).map(|n| Record::Donation(donation(n * 100_000 + 2, 2, 1, 100))));
    world.record_all(records).await;
    for (taken_back, donations, first, last) in [
        (1, 4, 200_000, 500_000),
        (5, 3, 200_000, 400_000),
        (3, 2, 200_000, 400_000),
        (2, 1, 400_000, 400_000),
    ] {
        let back = revised(&donation(taken_back * 100_000, 1, 1, 1));
        world.record_all(vec![Record::Donation(back)]).await;
        let left = stats(donations as i64, donations, first, last);
        let others = stats(700, 7, 1, 600_001);
        assert_eq!(configs_of_token(&world).await, [(2, others), (1, left)]);
    }
}

async fn a_new_partner_token_has_entries_of_its_earlier_donations(site: Site) {
    let world = World::new(&site).await;
    let given = [
        donation(1, 1, 1, 1),
        donation(2, 1, 2, 20),
        donation(3, 1, 2, 30),
        donation(4, 1, 1, 400),
    ];
    let back = revised(&given[3]);
    let records = given.into_iter().chain([back]).map(Record::Donation);
    world.record_all(records.collect()).await;
    let configs = vec![Record::Config(config(3, 1, &[(3, 1)]))];
    world.record_all(configs).await;
    let partner = Record::PartnerToken(partner_token(1, 1, 3));
    world.record_all(vec![partner]).await;
    let expected = [(2, stats(50, 2, 2, 3)), (1, stats(1, 1, 1, 1)), (3, EMPTY)];
    assert_eq!(configs_of_token(&world).await, expected);
}

async fn a_batch_switches_configs_between_its_donations(site: Site) {
    let world = World::new(&site).await;
    let given = donation(1, 1, 1, 5);
    world
        .record_all(vec![
            Record::PartnerToken(partner_token(1, 1, 1)),
            Record::Donation(given.clone()),
            Record::PartnerToken(partner_token(1, 1, 2)),
            Record::Donation(donation(2, 1, 2, 7)),
            Record::Donation(revised(&given)),
            Record::Donation(donation(3, 1, 1, 9)),
            Record::Donation(donation(4, 1, 1, 9)),
            Record::Donation(revised(&donation(3, 1, 1, 9))),
        ])
        .await;
    let expected = [(1, stats(9, 1, 4, 4)), (2, stats(7, 1, 2, 2))];
    assert_eq!(configs_of_token(&world).await, expected);
}

async fn entries_of_deleted_configs_stay(site: Site) {
    let world = world(&site).await;
    let (store, before) = (&world.store, entries(&world).await);
    for (project, n) in [(1, 1), (1, 3), (2, 2)] {
        let deleted = features::configs::store::delete_config(
            store,
            crate::records::BY_KEY,
            project_id(project),
            config_id(n),
            None,
            at(1000),
        );
        assert!(deleted.await.unwrap());
    }
    let after = entries(&world).await;
    let figures = |entries: &[LeaderboardEntry]| -> Vec<_> {
        entries
            .iter()
            .map(|entry| (figures(entry), entry.stats))
            .collect()
    };
    assert_eq!(figures(&after), figures(&before));
    assert!(after.iter().all(|entry| entry.config.deleted_at.is_some()));
}

async fn a_new_creator_is_shown_by_every_entry(site: Site) {
    let world = world(&site).await;
    let changed = PartnerToken {
        creator: address(201),
        ..partner_token(2, 1, 1)
    };
    world.record_all(vec![Record::PartnerToken(changed)]).await;
    world.verify().await;
    let entries = entries(&world).await;
    let order: Vec<_> = entries.iter().map(figures).collect();
    assert_eq!(order, ORDER);
    for entry in entries {
        let is_changed = entry.token == token(2);
        assert_eq!(entry.creator == address(201), is_changed);
    }
}

on_each_database! {
    every_page_size_gives_the_same_order,
    every_position_leads_to_the_entries_after_it,
    an_entry_has_token_creator_config_and_sum,
    is_its_projects_only,
    each_config_has_an_entry_of_its_own,
    dates_are_those_of_the_standing_donations,
    a_new_partner_token_has_entries_of_its_earlier_donations,
    a_batch_switches_configs_between_its_donations,
    entries_of_deleted_configs_stay,
    a_new_creator_is_shown_by_every_entry,
}
