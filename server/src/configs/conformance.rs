//! Configs are listed and deleted, and never change.

use super::{Config, Requester};
use crate::database::conformance::world::{
    Site, World, at, config, config_id, donation, partner_token, place, project_id,
};
use crate::domain::amount::UsdE6;
use crate::domain::position::Placed as _;
use crate::import::{Change, Record, Rule};

fn ids(configs: &[Config]) -> Vec<u8> {
    configs.iter().map(|config| config.id.0[0]).collect()
}

async fn are_paged_latest_first(site: Site) {
    let world = World::new(&site).await;
    // Three created at the same time, which their ids order.
    let same_time = |n| Config {
        created_at: at(50),
        ..config(n, 1, &[(1, 1)])
    };
    world
        .record_all([20, 22, 21].map(|n| Record::Config(same_time(n))).into())
        .await;
    let mut seen = Vec::new();
    let mut after = None;
    loop {
        let page = world.store.configs(project_id(1), after, 2).await.unwrap();
        let Some(last) = page.last() else { break };
        after = Some(last.position());
        seen.extend(ids(&page));
    }
    assert_eq!(seen, [22, 21, 20, 1]);
}

async fn deleting_hides_a_config_and_keeps_its_donations(site: Site) {
    let world = World::new(&site).await;
    let (store, id) = (&world.store, config_id(1));
    world
        .record_all(vec![Record::Donation(donation(7, 1, 1, 30))])
        .await;
    let (found, stats) = store.config(project_id(1), id).await.unwrap().unwrap();
    assert_eq!(found, config(1, 1, &[(1, 1), (2, 2)]));
    assert_eq!(
        (stats.usd, stats.donations, stats.first),
        (UsdE6(30), 1, Some(at(7)))
    );

    world
        .record_all(vec![Record::PartnerToken(partner_token(3, 1, 1))])
        .await;
    let versions = store.versions().await.unwrap();
    assert_eq!(store.config(project_id(2), id).await.unwrap(), None);
    assert!(
        !store
            .delete_config(Requester::Key, project_id(2), id, at(9))
            .await
            .unwrap()
    );
    assert!(
        store
            .delete_config(Requester::Key, project_id(1), id, at(9))
            .await
            .unwrap()
    );
    assert!(
        !store
            .delete_config(Requester::Key, project_id(1), id, at(9))
            .await
            .unwrap()
    );
    assert_eq!(store.config(project_id(1), id).await.unwrap(), None);
    assert_eq!(store.configs(project_id(1), None, 10).await.unwrap(), []);
    let catalogue = store.catalogue().await.unwrap();
    assert_eq!(catalogue.partners[0].active_config.deleted_at, Some(at(9)));
    assert_eq!(catalogue.versions.catalogue, versions.catalogue + 1);

    world
        .record_all(vec![Record::Donation(donation(8, 1, 1, 3))])
        .await;
    let totals = store.project_totals(project_id(1), None).await.unwrap();
    assert_eq!((totals.stats.usd, totals.configs), (UsdE6(33), 1));
    let again = world.record(Record::Config(found)).await;
    assert_eq!(again, Ok(Change::Unchanged));
    assert_eq!(store.config(project_id(1), id).await.unwrap(), None);
}

async fn may_come_deleted(site: Site) {
    let world = World::new(&site).await;
    let deleted = Config {
        deleted_at: Some(at(9)),
        ..config(3, 1, &[(1, 1)])
    };
    world
        .record_all(vec![Record::Config(deleted.clone())])
        .await;
    world
        .record_all(vec![Record::PartnerToken(partner_token(1, 1, 3))])
        .await;
    let catalogue = world.store.catalogue().await.unwrap();
    assert_eq!(catalogue.partners[0].active_config, deleted);
    let listed = world.store.configs(project_id(1), None, 10).await.unwrap();
    assert_eq!(ids(&listed), [1]);
}

async fn never_change(site: Site) {
    let world = World::new(&site).await;
    let reweighted = world
        .record(Record::Config(config(1, 1, &[(1, 1), (2, 3)])))
        .await;
    assert_eq!(reweighted.unwrap_err().rule, Rule::Immutable);
    let unknown = world
        .record(Record::Config(config(3, 1, &[(1, 1), (9, 3)])))
        .await;
    assert_eq!(
        unknown.unwrap_err().member,
        "/charityBeneficiaries/1/charityId"
    );
    let users = Config {
        users: vec![place(5), place(6)],
        ..config(4, 1, &[(1, 1)])
    };
    assert_eq!(
        world.record(Record::Config(users.clone())).await,
        Ok(Change::Inserted)
    );
    assert_eq!(
        world.record(Record::Config(users)).await,
        Ok(Change::Unchanged)
    );
}

crate::database::conformance::on_each_database! {
    are_paged_latest_first,
    deleting_hides_a_config_and_keeps_its_donations,
    may_come_deleted,
    never_change,
}
