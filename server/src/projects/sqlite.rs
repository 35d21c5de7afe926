//! Projects.

use async_trait::async_trait;
use rusqlite::{Connection, Row};

use super::{Project, ProjectId, Tier};
use crate::database::StoreError;
use crate::database::error::WriteError;
use crate::database::sqlite::{Sqlite, query, versions};
use crate::database::versions::Versioned;
use crate::import::{Change, Rule};
use crate::projects::ProjectStore;

#[async_trait]
impl ProjectStore for Sqlite {
    async fn projects(&self) -> Result<Vec<Project>, StoreError> {
        self.read(|db| Ok(all(db)?)).await
    }

    async fn set_tier(&self, project: ProjectId, tier: Tier) -> Result<bool, StoreError> {
        self.write(move |tx| set_tier(tx, project, tier)).await
    }
}

/// All projects, by name.
pub(crate) fn all(db: &Connection) -> rusqlite::Result<Vec<Project>> {
    query::all(db, "SELECT * FROM project ORDER BY name, id", [], read)
}

/// Changes what a project pays for; false when there is no such project.
pub(crate) fn set_tier(
    db: &Connection,
    project: ProjectId,
    tier: Tier,
) -> Result<bool, StoreError> {
    versions::advance(db, Versioned::Keys)?;
    let sql = "UPDATE project SET tier = ?2 WHERE id = ?1";
    Ok(query::execute(db, sql, (project, tier))? > 0)
}

/// Refuses a record whose project is unknown.
pub(crate) fn require(db: &Connection, project: ProjectId) -> Result<(), WriteError> {
    match find(db, project)? {
        Some(_) => Ok(()),
        None => Err(WriteError::rejected("/project", Rule::Unknown)),
    }
}

pub(crate) fn write(db: &Connection, project: &Project) -> Result<Change, WriteError> {
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
pub(crate) fn find(db: &Connection, id: ProjectId) -> rusqlite::Result<Option<Project>> {
    query::first(db, "SELECT * FROM project WHERE id = ?1", [id], read)
}

fn read(row: &Row<'_>) -> rusqlite::Result<Project> {
    Ok(Project {
        id: row.get("id")?,
        name: row.get("name")?,
        tier: row.get("tier")?,
    })
}
