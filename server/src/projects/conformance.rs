//! Projects.

use super::Project;
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

crate::database::conformance::on_each_database! {
    projects_are_listed_by_name,
}
