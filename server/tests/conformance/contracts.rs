//! Tests on both databases: a project's contracts.

use crate::records::{contract, project_id};
use crate::world::{Site, World};
use features::chains::ChainAddress;
use features::domain::position::Placed as _;
use features::import::Record;

async fn every_page_size_gives_the_same_contracts(site: Site) {
    let world = World::new(&site).await;
    // The world's own contract is 1, of project 1.
    let more = [(4, 1), (2, 2), (3, 1)].map(|(n, project)| Record::Contract(contract(n, project)));
    world.record_all(more.into()).await;
    let listed = async |project, limit| {
        let (mut seen, mut after) = (Vec::<ChainAddress>::new(), None);
        loop {
            let page = features::contracts::store::contracts(
                &world.store,
                project_id(project),
                after,
                limit,
            );
            let page = page.await.unwrap();
            let Some(last) = page.last() else {
                return seen;
            };
            after = Some(last.position());
            seen.extend(page);
        }
    };
    for limit in 1..=4 {
        let expected = [1, 3, 4].map(|n| contract(n, 1).id);
        assert_eq!(listed(1, limit).await, expected, "limit {limit}");
    }
    assert_eq!(listed(2, 9).await, [contract(2, 2).id]);
    assert_eq!(listed(3, 9).await, []);
}

on_each_database! {
    every_page_size_gives_the_same_contracts,
}
