//! Projects.

use async_trait::async_trait;
use rusqlite::{Connection, Row};

use super::{Actor, Project, ProjectId, ProjectRefusal, Tier};
use crate::database::sqlite::{Sqlite, query, versions};
use crate::database::versions::Versioned;
use crate::database::{StoreError, Writer};
use crate::projects::ProjectStore;

#[async_trait]
impl ProjectStore for Sqlite {
    async fn projects(&self) -> Result<Vec<Project>, StoreError> {
        self.read(|db| Ok(all(db)?)).await
    }

    async fn project(&self, id: ProjectId) -> Result<Option<Project>, StoreError> {
        self.read(move |db| Ok(find(db, id)?)).await
    }

    async fn create_project(
        &self,
        actor: Actor,
        project: Project,
    ) -> Result<Result<(), ProjectRefusal>, StoreError> {
        self.write(Writer::Operator, move |tx| create(tx, actor, &project))
            .await
    }

    async fn set_tier(
        &self,
        actor: Actor,
        project: ProjectId,
        tier: Tier,
    ) -> Result<Result<(), ProjectRefusal>, StoreError> {
        self.write(Writer::Operator, move |tx| {
            set_tier(tx, actor, project, tier)
        })
        .await
    }
}

/// All projects, by name.
pub(crate) fn all(db: &Connection) -> rusqlite::Result<Vec<Project>> {
    query::all(
        db,
        "SELECT id, name, tier FROM project ORDER BY name, id",
        [],
        read,
    )
}

fn create(
    db: &Connection,
    actor: Actor,
    project: &Project,
) -> Result<Result<(), ProjectRefusal>, StoreError> {
    if !actor.sets_tiers() {
        return Ok(Err(ProjectRefusal::Forbidden));
    }
    put(db, project)?;
    versions::advance(db, Versioned::Keys)?;
    Ok(Ok(()))
}

fn set_tier(
    db: &Connection,
    actor: Actor,
    project: ProjectId,
    tier: Tier,
) -> Result<Result<(), ProjectRefusal>, StoreError> {
    if !actor.sets_tiers() {
        return Ok(Err(ProjectRefusal::Forbidden));
    }
    versions::advance(db, Versioned::Keys)?;
    let sql = "UPDATE project SET tier = ?2 WHERE id = ?1";
    Ok(match query::execute(db, sql, (project, tier))? {
        0 => Err(ProjectRefusal::Unknown(project)),
        _ => Ok(()),
    })
}

/// Inserts or updates a project.
pub(crate) fn put(db: &Connection, project: &Project) -> rusqlite::Result<usize> {
    let sql = "INSERT INTO project (id, name, tier) VALUES (?1, ?2, ?3)
               ON CONFLICT (id) DO UPDATE SET name = excluded.name, tier = excluded.tier";
    query::execute(db, sql, (project.id, &project.name, project.tier))
}

/// A project by its id.
pub(crate) fn find(db: &Connection, id: ProjectId) -> rusqlite::Result<Option<Project>> {
    query::first(
        db,
        "SELECT id, name, tier FROM project WHERE id = ?1",
        [id],
        read,
    )
}

fn read(row: &Row<'_>) -> rusqlite::Result<Project> {
    Ok(Project {
        id: row.get("id")?,
        name: row.get("name")?,
        tier: row.get("tier")?,
    })
}
