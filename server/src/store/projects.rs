//! Projects.

use rusqlite::{Connection, Row};

use super::error::{Rule, WriteError};
use super::versions::{self, Versioned};
use super::{Change, Store, StoreError, query};
use crate::domain::project::{Project, ProjectId, Tier};

impl Store {
    /// All projects, by name.
    pub async fn projects(&self) -> Result<Vec<Project>, StoreError> {
        self.read(|db| {
            Ok(query::all(
                db,
                "SELECT * FROM project ORDER BY name, id",
                [],
                read,
            )?)
        })
        .await
    }

    /// Changes what a project pays for; false when there is no such project.
    pub async fn set_tier(&self, project: ProjectId, tier: Tier) -> Result<bool, StoreError> {
        self.write(move |tx| {
            versions::advance(tx, Versioned::Keys)?;
            let sql = "UPDATE project SET tier = ?2 WHERE id = ?1";
            Ok(query::execute(tx, sql, (project, tier))? > 0)
        })
        .await
    }
}

/// Refuses a record whose project is unknown.
pub(super) fn require(db: &Connection, project: ProjectId) -> Result<(), WriteError> {
    match find(db, project)? {
        Some(_) => Ok(()),
        None => Err(WriteError::rejected("/project", Rule::Unknown)),
    }
}

pub(super) fn write(db: &Connection, project: &Project) -> Result<Change, WriteError> {
    let change = Change::between(find(db, project.id)?.as_ref(), project);
    if change != Change::Unchanged {
        versions::advance(db, Versioned::Keys)?;
        query::execute(
            db,
            "INSERT INTO project VALUES (?1, ?2, ?3)
             ON CONFLICT (id) DO UPDATE SET name = excluded.name, tier = excluded.tier",
            (project.id, &project.name, project.tier),
        )?;
    }
    Ok(change)
}

/// A project by its id.
pub(super) fn find(db: &Connection, id: ProjectId) -> rusqlite::Result<Option<Project>> {
    query::first(db, "SELECT * FROM project WHERE id = ?1", [id], read)
}

fn read(row: &Row<'_>) -> rusqlite::Result<Project> {
    Ok(Project {
        id: row.get("id")?,
        name: row.get("name")?,
        tier: row.get("tier")?,
    })
}

#[cfg(test)]
mod tests {
    use super::super::Record;
    use super::super::fixture::{World, project};
    use super::*;

    #[tokio::test]
    async fn projects_are_listed_by_name() {
        let world = World::new().await;
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
}
