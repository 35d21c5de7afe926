//! Giving a project another name.

use askama::Template;
use axum::extract::State;
use serde::Deserialize;

use super::context::Context;
use super::extract::{Form, ProjectPath};
use super::notice::Notice;
use super::page::{PageResult, page, refused, sentence};
use super::page_error::PageError;
use super::sidebar::Sidebar;
use super::signed_in::Session;
use super::view::ProjectView;
use crate::projects::{self, ProjectChangeError};
use crate::site::Shell;

#[derive(Template)]
#[template(path = "dashboard/rename_project.html")]
struct RenamePage<'a> {
    shell: Shell<'a>,
    side: Sidebar,
    project: &'a ProjectView,
    name: &'a str,
    error: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct NameForm {
    name: String,
}

/// `GET /dashboard/projects/{project}/rename`
pub(super) async fn ask(
    State(context): State<Context>,
    session: Session,
    ProjectPath(id): ProjectPath,
) -> PageResult {
    let project = ProjectView::find(&context, &session, id).await?;
    let is_owned = ProjectView::is_owned(&context, &session, id).await?;
    is_owned.then_some(()).ok_or(PageError::NotOwner)?;
    page(&RenamePage {
        shell: session.shell(&context),
        side: session.side_of(&project),
        project: &project,
        name: &project.name,
        error: None,
    })
}

/// `POST /dashboard/projects/{project}/rename`
pub(super) async fn rename(
    State(context): State<Context>,
    session: Session,
    ProjectPath(id): ProjectPath,
    Form(form): Form<NameForm>,
) -> PageResult {
    let project = ProjectView::find(&context, &session, id).await?;
    let (store, actor) = (context.store(), session.actor());
    match projects::rename(store, actor, id, &form.name, context.now()).await {
        Ok(()) => Ok(Notice::ProjectRenamed.see_other(&format!("/dashboard/projects/{}", id.0))),
        Err(
            error @ (ProjectChangeError::NoName
            | ProjectChangeError::UnprintableName
            | ProjectChangeError::LongName),
        ) => refused(&RenamePage {
            shell: session.shell(&context),
            side: session.side_of(&project),
            project: &project,
            name: &form.name,
            error: Some(sentence(&error)),
        }),
        Err(error) => Err(error.into()),
    }
}
