//! Projects.

use rusqlite::{Connection, Row};

use super::{query, versions};
use crate::domain::project::{Project, ProjectId, Tier};
use crate::store::error::{Rule, WriteError};
use crate::store::versions::Versioned;
use crate::store::{Change, StoreError};

/// All projects, by name.
pub(super) fn all(db: &Connection) -> rusqlite::Result<Vec<Project>> {
    query::all(db, "SELECT * FROM project ORDER BY name, id", [], read)
}

/// Changes what a project pays for; false when there is no such project.
pub(super) fn set_tier(
    db: &Connection,
    project: ProjectId,
    tier: Tier,
) -> Result<bool, StoreError> {
    versions::advance(db, Versioned::Keys)?;
    let sql = "UPDATE project SET tier = ?2 WHERE id = ?1";
    Ok(query::execute(db, sql, (project, tier))? > 0)
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
