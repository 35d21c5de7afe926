//! Projects.

use super::world::{Site, World, project};
use crate::domain::project::Project;
use crate::store::Change;
use crate::store::Record;

pub(super) async fn projects_are_listed_by_name(site: Site) {
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
