//! Tests on both databases: configs are listed and deleted, and only their labels change.

use crate::analytics::of_project;
use crate::records::{at, config, config_id, donation, partner_token, place, project_id, token};
use crate::world::{Site, World, partner_of};
use features::configs::{Config, ConfigLabels, ConfigRejection, LabelsUpdate};
use features::domain::amount::UsdE6;
use features::domain::entity_tag::IfMatch;
use features::domain::position::{Placed as _, Position};
use features::domain::recording::{Change, Rule};
use features::import::Record;
use features::rollups::config_list::{ConfigOrder, ConfigQuery, ListedConfig};

fn ids(configs: &[Config]) -> Vec<u8> {
    configs.iter().map(|config| config.id.0[0]).collect()
}

async fn configs_are_paged_latest_first(site: Site) {
    let world = World::new(&site).await;
    // Three of the same time, ordered by their ids.
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
        let page = features::configs::store::configs(&world.store, project_id(1), None, after, 2)
            .await
            .unwrap();
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
    let (found, stats) = features::rollups::store::config_with_stats(store, project_id(1), id)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(found, config(1, 1, &[(1, 1), (2, 2)]));
    assert_eq!(
        (stats.usd, stats.donations, stats.first),
        (UsdE6(30), 1, Some(at(7)))
    );

    world
        .record_all(vec![Record::PartnerToken(partner_token(3, 1, 1))])
        .await;
    let versions = features::database::versions(store).await.unwrap();
    assert_eq!(
        features::rollups::store::config_with_stats(store, project_id(2), id)
            .await
            .unwrap(),
        None
    );
    assert!(
        !features::configs::store::delete_config(
            store,
            crate::records::BY_KEY,
            project_id(2),
            id,
            None,
            at(9)
        )
        .await
        .unwrap()
    );
    assert!(
        features::configs::store::delete_config(
            store,
            crate::records::BY_KEY,
            project_id(1),
            id,
            None,
            at(9)
        )
        .await
        .unwrap()
    );
    assert!(
        !features::configs::store::delete_config(
            store,
            crate::records::BY_KEY,
            project_id(1),
            id,
            None,
            at(9)
        )
        .await
        .unwrap()
    );
    assert_eq!(
        features::rollups::store::config_with_stats(store, project_id(1), id)
            .await
            .unwrap(),
        None
    );
    for (project, id, is_own) in [(1, id, true), (2, id, false), (1, config_id(99), false)] {
        let owns = features::configs::store::owns_config(store, project_id(project), id).await;
        assert_eq!(owns.unwrap(), is_own, "{project} {id:?}");
    }
    assert_eq!(
        features::configs::store::configs(store, project_id(1), None, None, 10)
            .await
            .unwrap(),
        []
    );
    let catalogue = crate::world::catalogue(store).await;
    let partner = partner_of(store, token(3).id).await;
    assert_eq!(partner.active_config.deleted_at, Some(at(9)));
    assert_eq!(catalogue.versions.tokens, versions.tokens + 1);

    world
        .record_all(vec![Record::Donation(donation(8, 1, 1, 3))])
        .await;
    let totals = features::analytics::store::project_totals(store, of_project(1))
        .await
        .unwrap();
    assert_eq!((totals.stats.usd, totals.configs), (UsdE6(33), 1));
    let again = world.record(Record::Config(found)).await;
    assert_eq!(again, Ok(Change::Unchanged));
    assert_eq!(
        features::rollups::store::config_with_stats(store, project_id(1), id)
            .await
            .unwrap(),
        None
    );
}

async fn a_config_may_be_imported_as_deleted(site: Site) {
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
    let partner = partner_of(&world.store, token(1).id).await;
    assert_eq!(partner.active_config, deleted);
    let listed = features::configs::store::configs(&world.store, project_id(1), None, None, 10)
        .await
        .unwrap();
    assert_eq!(ids(&listed), [1]);
}

async fn the_split_of_a_config_never_changes(site: Site) {
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

fn renamed(name: &str, pairs: &[(&str, Option<&str>)]) -> LabelsUpdate {
    let pairs = pairs.iter();
    let pairs = pairs.map(|(key, text)| ((*key).to_owned(), text.map(str::to_owned)));
    LabelsUpdate {
        name: Some(Some(name.to_owned())),
        metadata: Some(Some(pairs.collect())),
        if_match: None,
    }
}

async fn labels_change_and_nothing_else(site: Site) {
    let world = World::new(&site).await;
    let (project, id) = (project_id(1), config_id(1));
    let change = async |project, id, change| {
        let changed = features::configs::store::update_labels(&world.store, project, id, change);
        changed.await
    };
    let before = config(1, 1, &[(1, 1), (2, 2)]);
    let odd = "\"ö\\ ☃ {}";
    let first = change(
        project,
        id,
        renamed(odd, &[("a", Some("1")), ("b", Some(odd))]),
    )
    .await;
    let first = first.unwrap();
    assert_eq!(first.labels.name.as_deref(), Some(odd));
    assert_eq!(first.labels.metadata.0["b"], odd);
    let (found, _) = features::rollups::store::config_with_stats(&world.store, project, id)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(found, first);
    assert_eq!(
        Config {
            labels: before.labels.clone(),
            ..found
        },
        before
    );
    // Two changes start from the same tag: the second is refused.
    let conditional = |name| LabelsUpdate {
        if_match: Some(IfMatch(first.labels.tag())),
        ..renamed(name, &[("a", None)])
    };
    let second = change(project, id, conditional("second")).await.unwrap();
    assert_eq!(second.labels.metadata.0.len(), 1);
    let third = change(project, id, conditional("third")).await;
    assert_eq!(third, Err(ConfigRejection::OtherTag.into()));
    let (found, _) = features::rollups::store::config_with_stats(&world.store, project, id)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(found, second);
    // An import of the same config changes nothing of it.
    let again = world.record(Record::Config(before)).await;
    assert_eq!(again, Ok(Change::Unchanged));
    let (found, _) = features::rollups::store::config_with_stats(&world.store, project, id)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(found, second);
    for (project, id) in [(2, 1), (1, 2), (1, 9)] {
        let refused = change(project_id(project), config_id(id), renamed("x", &[])).await;
        assert_eq!(refused, Err(ConfigRejection::UnknownConfig.into()));
    }
    let deleted = features::configs::store::delete_config(
        &world.store,
        crate::records::BY_KEY,
        project,
        id,
        None,
        at(9),
    );
    assert!(deleted.await.unwrap());
    let refused = change(project, id, renamed("x", &[])).await;
    assert_eq!(refused, Err(ConfigRejection::UnknownConfig.into()));
}

async fn configs_are_found_by_metadata(site: Site) {
    let world = World::new(&site).await;
    let more = (3..=6).map(|n| Record::Config(config(n, 1, &[(1, 1)])));
    world.record_all(more.collect()).await;
    for (n, pairs) in [
        (3, [("a", Some("x")), ("b", Some("y"))]),
        (4, [("a", Some("y")), ("b", Some("x"))]),
        (5, [("a", Some("x")), ("b", Some("x"))]),
    ] {
        let changed = features::configs::store::update_labels(
            &world.store,
            project_id(1),
            config_id(n),
            renamed("n", &pairs),
        );
        changed.await.unwrap();
    }
    let with = async |key: &str, text: &str, after: Option<Position>| {
        let pair = Some((key.to_owned(), text.to_owned()));
        let page = features::configs::store::configs(&world.store, project_id(1), pair, after, 10);
        let found = page.await.unwrap();
        found.iter().map(|it| it.id).collect::<Vec<_>>()
    };
    assert_eq!(with("a", "x", None).await, [config_id(5), config_id(3)]);
    assert_eq!(with("b", "x", None).await, [config_id(5), config_id(4)]);
    assert_eq!(with("x", "a", None).await, []);
    assert_eq!(with("a", "", None).await, []);
    let after = config(5, 1, &[]).position();
    assert_eq!(with("a", "x", Some(after)).await, [config_id(3)]);
}

async fn configs_are_listed_in_each_order_and_searched(site: Site) {
    let world = World::new(&site).await;
    let named = |n: u8, name: &str| {
        Record::Config(Config {
            created_at: at(i64::from(n) * 10),
            labels: ConfigLabels {
                name: Some(name.to_owned()),
                ..ConfigLabels::default()
            },
            ..config(n, 1, &[(1, 1)])
        })
    };
    let configs = [
        (3, "Checkout"),
        (4, "Newsletter"),
        (5, "Old checkout"),
        (6, "Deleted"),
    ];
    let configs = configs.map(|(n, name)| named(n, name));
    let given = [
        donation(100, 1, 3, 70),
        donation(200, 1, 4, 50),
        donation(300, 2, 1, 50),
        donation(400, 1, 6, 90),
    ];
    let given = given.map(Record::Donation);
    world
        .record_all(configs.into_iter().chain(given).collect())
        .await;
    let deleted = features::configs::store::delete_config(
        &world.store,
        crate::records::BY_KEY,
        project_id(1),
        config_id(6),
        None,
        at(500),
    );
    assert!(deleted.await.unwrap());
    let listed = async |order: ConfigOrder, search: &str| {
        let (mut found, mut after) = (Vec::new(), None);
        loop {
            let search = search.to_owned();
            let query = ConfigQuery { order, search };
            let page = features::rollups::store::list_configs(
                &world.store,
                project_id(1),
                query,
                after,
                2,
            );
            let page = page.await.unwrap();
            let Some(last) = page.last() else {
                return found;
            };
            after = Some(last.position());
            let row = |it: &ListedConfig| (it.config.id.0[0], it.stats.usd.0);
            found.extend(page.iter().map(row));
        }
    };
    for (order, search, expected) in [
        (
            ConfigOrder::Newest,
            "",
            &[(5, 0), (4, 50), (3, 70), (1, 50)][..],
        ),
        (ConfigOrder::Newest, "CHECKOUT", &[(5, 0), (3, 70)]),
        (ConfigOrder::Newest, "0x04", &[(4, 50)]),
        (ConfigOrder::Newest, "nothing", &[]),
        (ConfigOrder::Received, "", &[(3, 70), (4, 50), (1, 50)]),
        (ConfigOrder::Received, "checkout", &[(3, 70)]),
        (ConfigOrder::LastDonation, "", &[(1, 50), (4, 50), (3, 70)]),
        (
            ConfigOrder::LastDonation,
            &config_id(4).base58(),
            &[(4, 50)],
        ),
    ] {
        assert_eq!(listed(order, search).await, expected, "{order:?} {search}");
    }
}

on_each_database! {
    configs_are_listed_in_each_order_and_searched,
    labels_change_and_nothing_else,
    configs_are_found_by_metadata,
    configs_are_paged_latest_first,
    deleting_hides_a_config_and_keeps_its_donations,
    a_config_may_be_imported_as_deleted,
    the_split_of_a_config_never_changes,
}
