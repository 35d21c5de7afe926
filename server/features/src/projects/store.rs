//! The database operations of projects.

use db::{Db, DbError};

use super::{Actor, OwnProject, Project, ProjectId};
use crate::domain::email::Email;
use crate::domain::ids::AccountId;
use crate::projects::sql;

/// All projects, by name.
pub async fn projects(db: &Db) -> Result<Vec<Project>, DbError> {
    db.read(sql::all).await
}

/// The projects of an account, by name.
pub async fn projects_of(db: &Db, account: AccountId) -> Result<Vec<OwnProject>, DbError> {
    db.read(move |tx| sql::of_account(tx, account)).await
}

/// A project by its id, if the actor sees it.
pub async fn project(db: &Db, actor: Actor, id: ProjectId) -> Result<Option<Project>, DbError> {
    db.read(move |tx| sql::seen(tx, actor, id)).await
}

/// The addresses of a project's owners.
pub async fn owners(db: &Db, project: ProjectId) -> Result<Vec<Email>, DbError> {
    db.read(move |tx| sql::owners(tx, project)).await
}
