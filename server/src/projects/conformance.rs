//! Projects.

use super::{Actor, Project};
use crate::database::conformance::world::{Site, World, project};
use crate::import::{Change, Record};

async fn projects_are_listed_by_name(site: Site) {
    let world = World::new(&site).await;
    assert_eq!(
        world.store.projects().await.unwrap(),
        [project(1), project(2)]
    );
    let renamed = Project {
        name: "A".to_owned(),
        ..project(2)
    };
    assert_eq!(
        world.record(Record::Project(renamed.clone())).await,
        Ok(Change::Updated)
    );
    assert_eq!(world.store.projects().await.unwrap(), [renamed, project(1)]);
}

async fn a_created_project_is_counted_and_found(site: Site) {
    let world = World::new(&site).await;
    let before = world.store.versions().await.unwrap();
    let created = world.store.create_project(Actor::Operator, project(3));
    assert_eq!(created.await.unwrap(), Ok(()));
    let found = world.store.project(project(3).id).await.unwrap();
    assert_eq!(found, Some(project(3)));
    let versions = world.store.versions().await.unwrap();
    assert_eq!(versions.keys, before.keys + 1);
}

crate::database::conformance::on_each_database! {
    a_created_project_is_counted_and_found,
    projects_are_listed_by_name,
}
