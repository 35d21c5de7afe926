//! Tests on both databases: a search finds the items of an account's own projects.

use uuid::Uuid;

use crate::projects::{account, create_once};
use crate::records::{at, config, config_id, project_id};
use crate::webhooks::{self, webhook};
use crate::world::{Site, World};
use features::configs::{Config, ConfigLabels};
use features::import::Record;
use features::keys::lifecycle::{self, KeyRequest};
use features::keys::{KeyId, KeyLabels};
use features::projects::{Actor, ProjectId};
use features::search::search_projects;
use features::webhooks::Webhook;

/// An ID as pages show it.
fn shortened(id: &str) -> String {
    format!("{}…{}", &id[..10], &id[id.len() - 4..])
}

async fn a_search_finds_items_of_own_projects(site: Site) {
    let world = World::new(&site).await;
    let store = &world.store;
    let owner = account(store, "owner").await;
    let other = account(store, "other").await;
    let own = ProjectId(Uuid::now_v7());
    create_once(store, owner, (own, "100% Wallet"), 1)
        .await
        .unwrap();
    let request = KeyRequest {
        id: KeyId(Uuid::now_v7()),
        labels: KeyLabels {
            label: Some("Production".to_owned()),
        },
        expires_in: None,
        quota: None,
    };
    let key = lifecycle::issue(store, Actor::Account(owner), own, request, at(2)).await;
    let key = key.unwrap();
    for (n, project) in [(8, own), (9, project_id(1))] {
        let labels = ConfigLabels {
            name: Some("Spring_sale".to_owned()),
            ..ConfigLabels::default()
        };
        let config = Config {
            project,
            labels,
            ..config(n, 1, &[(1, 1)])
        };
        world.record_all(vec![Record::Config(config)]).await;
    }
    let hook = Webhook {
        project: own,
        ..webhook(1, 1)
    };
    webhooks::create(store, hook).await.unwrap();

    let found = async |account, query: &str| {
        let found = search_projects(store, account, query, 9).await.unwrap();
        let one = |it: features::search::FoundItem| {
            assert_eq!((it.project, &*it.project_name), (own, "100% Wallet"));
            it.name.unwrap_or_else(|| it.project_name.clone())
        };
        found.into_iter().map(one).collect::<Vec<_>>()
    };
    for (query, names) in [
        ("wallet", &["100% Wallet"][..]),
        ("0%", &["100% Wallet"]),
        ("pRoD", &["Production"]),
        (&key.key.display_prefix().to_uppercase(), &["Production"]),
        ("ing_s", &["Spring_sale"]),
        ("in_s", &[]),
        (&config_id(8).to_string(), &["Spring_sale"]),
        (config_id(8).to_string().split_at(12).0, &["Spring_sale"]),
        (&shortened(&config_id(8).to_string()), &["Spring_sale"]),
        ("cafe", &[]),
        (&config_id(9).to_string(), &[]),
        ("PARTNER.example", &["Number 1"]),
    ] {
        assert_eq!(found(owner, query).await, names, "{query}");
        assert_eq!(found(other, query).await, [""; 0], "{query}");
    }
}

on_each_database![a_search_finds_items_of_own_projects];
