//! Deleting a project.

use askama::Template;
use axum::extract::State;
use serde::Deserialize;

use super::context::Context;
use super::extract::{Form, ProjectPath};
use super::notice::Notice;
use super::page::{PageResult, page, refused};
use super::page_error::PageError;
use super::sidebar::Sidebar;
use super::signed_in::Session;
use super::view::ProjectView;
use crate::projects::{self, ProjectId};
use crate::site::Shell;

#[derive(Template)]
#[template(path = "dashboard/delete_project.html")]
struct DeletionPage<'a> {
    shell: Shell<'a>,
    side: Sidebar,
    project: ProjectView,
    error: Option<&'a str>,
}

#[derive(Deserialize)]
pub(super) struct Confirmation {
    name: String,
}

/// `GET /dashboard/projects/{project}/delete`
pub(super) async fn ask(
    State(context): State<Context>,
    session: Session,
    ProjectPath(id): ProjectPath,
) -> PageResult {
    let project = owned(&context, &session, id).await?;
    page(&deletion_page(&context, &session, project, None))
}

/// `POST /dashboard/projects/{project}/delete`
pub(super) async fn delete(
    State(context): State<Context>,
    session: Session,
    ProjectPath(id): ProjectPath,
    Form(form): Form<Confirmation>,
) -> PageResult {
    let project = owned(&context, &session, id).await?;
    // A page shows one blank where the name has several.
    if !form
        .name
        .split_whitespace()
        .eq(project.name.split_whitespace())
    {
        let error = Some("This is not the name of the project.");
        return refused(&deletion_page(&context, &session, project, error));
    }
    projects::delete(context.store(), session.actor(), id, context.now()).await?;
    Ok(Notice::ProjectDeleted.see_other("/dashboard/projects"))
}

/// A project that the account owns, which has signed in not long ago.
async fn owned(
    context: &Context,
    session: &Session,
    id: ProjectId,
) -> Result<ProjectView, PageError> {
    let project = ProjectView::find(context, session, id).await?;
    let is_owned = ProjectView::is_owned(context, session, id).await?;
    is_owned.then_some(()).ok_or(PageError::NotOwner)?;
    session.require_recent(context)?;
    Ok(project)
}

fn deletion_page<'a>(
    context: &'a Context,
    session: &'a Session,
    project: ProjectView,
    error: Option<&'a str>,
) -> DeletionPage<'a> {
    DeletionPage {
        shell: session.shell(context),
        side: session.side_of(&project),
        project,
        error,
    }
}
