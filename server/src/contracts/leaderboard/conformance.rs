//! Tests on both databases: a contract's tokens, ranked.

use std::collections::BTreeSet;

use crate::database::conformance::world::{
    Site, World, at, contract, donation, partner_token, place, project_id, token,
};
use crate::domain::amount::UsdE6;
use crate::domain::position::{Placed as _, Position};
use crate::donations::DonationStats;
use crate::import::Record;

async fn world(site: &Site) -> World {
    let world = World::new(site).await;
    world
        .record_all(
            (1..=4)
                .map(|n| Record::PartnerToken(partner_token(n, 1, 1)))
                .collect(),
        )
        .await;
    // Tokens 1 and 2 tie, token 4 leads, token 3 has nothing.
    let given = [(1, 1, 50), (2, 2, 20), (3, 2, 30), (4, 4, 90)];
    let records = given.map(|(n, token, usd)| Record::Donation(donation(n, token, 1, usd)));
    world.record_all(records.into()).await;
    world
}

async fn every_page_size_gives_the_same_order(site: Site) {
    let world = world(&site).await;
    for limit in 1..=5 {
        let mut seen = Vec::new();
        let mut after = None;
        loop {
            let page = world
                .store
                .leaderboard(project_id(1), contract(1, 1).id, after, limit);
            let page = page.await.unwrap().unwrap();
            let Some(last) = page.last() else { break };
            after = Some(last.position());
            seen.extend(page);
        }
        let order: Vec<_> = seen
            .iter()
            .map(|entry| (entry.token.id.address.sort_key()[19], entry.stats.usd.0))
            .collect();
        assert_eq!(order, [(4, 90), (2, 50), (1, 50), (3, 0)], "limit {limit}");
    }
}

/// Whether or not an entry has it.
async fn every_position_leads_to_the_entries_after_it(site: Site) {
    let world = world(&site).await;
    let list = async |after| {
        let page = world
            .store
            .leaderboard(project_id(1), contract(1, 1).id, after, 9);
        page.await.unwrap().unwrap()
    };
    let whole = list(None).await;
    let mut lengths = BTreeSet::new();
    for ordinal in [i64::MIN, -1, 0, 1, 50, 51, 90, i64::MAX] {
        for key in [vec![], vec![0; 32], vec![0xab; 7], vec![u8::MAX; 40]] {
            let rest = list(Some(Position { ordinal, key })).await;
            assert!(whole.ends_with(&rest), "{ordinal}");
            lengths.insert(rest.len());
        }
    }
    assert!(lengths.iter().copied().eq([0, 1, 3, 4]), "{lengths:?}");
}

async fn an_entry_tells_token_creator_config_and_sum(site: Site) {
    let world = world(&site).await;
    let page = world
        .store
        .leaderboard(project_id(1), contract(1, 1).id, None, 9)
        .await
        .unwrap()
        .unwrap();
    let second = &page[1];
    assert_eq!(second.token, token(2));
    assert_eq!(second.config.beneficiaries.len(), 2);
    assert_eq!(
        (second.stats.first, second.stats.last),
        (Some(at(2)), Some(at(3)))
    );
    assert_eq!(
        page[3].stats,
        DonationStats {
            usd: UsdE6(0),
            donations: 0,
            first: None,
            last: None
        }
    );
}

async fn is_its_projects_only(site: Site) {
    let world = world(&site).await;
    let asked = [
        (2, contract(1, 1).id),
        (1, contract(2, 1).id),
        (1, place(1)),
    ];
    for (project, contract) in asked {
        let page = world
            .store
            .leaderboard(project_id(project), contract, None, 9)
            .await
            .unwrap();
        assert_eq!(page, None);
    }
}

crate::database::conformance::on_each_database! {
    every_page_size_gives_the_same_order,
    every_position_leads_to_the_entries_after_it,
    an_entry_tells_token_creator_config_and_sum,
    is_its_projects_only,
}
