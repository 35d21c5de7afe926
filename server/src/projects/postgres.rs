//! Projects.

use async_trait::async_trait;
use deadpool_postgres::{GenericClient, Transaction};
use futures_util::FutureExt;
use tokio_postgres::Row;

use super::{Actor, Project, ProjectId, ProjectRefusal, Tier};
use crate::database::postgres::versions::Changed;
use crate::database::postgres::{Failure, Postgres, TimeoutClass, query};
use crate::database::versions::Versioned;
use crate::database::{StoreError, Writer};
use crate::projects::ProjectStore;

#[async_trait]
impl ProjectStore for Postgres {
    async fn projects(&self) -> Result<Vec<Project>, StoreError> {
        self.query(|db| all(db).boxed()).await
    }

    async fn project(&self, id: ProjectId) -> Result<Option<Project>, StoreError> {
        self.query(move |db| find(db, id).boxed()).await
    }

    async fn create_project(
        &self,
        actor: Actor,
        project: Project,
    ) -> Result<Result<(), ProjectRefusal>, StoreError> {
        self.write(
            Writer::Operator,
            TimeoutClass::Request,
            (actor, project),
            |tx, (actor, project)| create(tx, *actor, project).boxed(),
        )
        .await
    }

    async fn set_tier(
        &self,
        actor: Actor,
        project: ProjectId,
        tier: Tier,
    ) -> Result<Result<(), ProjectRefusal>, StoreError> {
        let about = (actor, project, tier);
        self.write(
            Writer::Operator,
            TimeoutClass::Request,
            about,
            |tx, (actor, project, tier)| set_tier(tx, *actor, *project, *tier).boxed(),
        )
        .await
    }
}

const PROJECTS: &str = "SELECT id, name, tier FROM project";

/// All projects, by name.
pub(crate) async fn all(db: &impl GenericClient) -> Result<Vec<Project>, Failure> {
    query::all(db, &format!("{PROJECTS} ORDER BY name, id"), &[], read).await
}

async fn create(
    tx: &Transaction<'_>,
    actor: Actor,
    project: &Project,
) -> Result<Result<(), ProjectRefusal>, Failure> {
    if !actor.sets_tiers() {
        return Ok(Err(ProjectRefusal::Forbidden));
    }
    put(tx, project).await?;
    Changed::one(Versioned::Keys).count(tx).await?;
    Ok(Ok(()))
}

async fn set_tier(
    tx: &Transaction<'_>,
    actor: Actor,
    project: ProjectId,
    tier: Tier,
) -> Result<Result<(), ProjectRefusal>, Failure> {
    if !actor.sets_tiers() {
        return Ok(Err(ProjectRefusal::Forbidden));
    }
    let sql = "UPDATE project SET tier = $2 WHERE id = $1";
    if query::execute(tx, sql, &[&project, &tier]).await? == 0 {
        return Ok(Err(ProjectRefusal::Unknown(project)));
    }
    Changed::one(Versioned::Keys).count(tx).await?;
    Ok(Ok(()))
}

/// A project by its id.
pub(crate) async fn find(
    db: &impl GenericClient,
    id: ProjectId,
) -> Result<Option<Project>, Failure> {
    query::first(db, &format!("{PROJECTS} WHERE id = $1"), &[&id], read).await
}

/// Inserts or updates a project.
pub(crate) async fn put(tx: &Transaction<'_>, project: &Project) -> Result<u64, Failure> {
    let sql = "INSERT INTO project (id, name, tier) VALUES ($1, $2, $3)
               ON CONFLICT (id) DO UPDATE SET name = excluded.name, tier = excluded.tier";
    query::execute(tx, sql, &[&project.id, &project.name, &project.tier]).await
}

fn read(row: &Row) -> Result<Project, Failure> {
    Ok(Project {
        id: row.try_get("id")?,
        name: row.try_get("name")?,
        tier: row.try_get("tier")?,
    })
}
