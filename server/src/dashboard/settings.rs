//! The settings of a project: its name, its tier and its end.

use askama::Template;
use axum::extract::State;

use super::context::Context;
use super::extract::ProjectPath;
use super::page::{PageResult, page};
use super::sidebar::Sidebar;
use super::signed_in::Session;
use super::view::ProjectView;
use crate::site::Shell;

#[derive(Template)]
#[template(path = "dashboard/settings.html")]
struct SettingsPage<'a> {
    shell: Shell<'a>,
    side: Sidebar,
    project: ProjectView,
    is_owner: bool,
}

/// `GET /dashboard/projects/{project}/settings`
pub(super) async fn show(
    State(context): State<Context>,
    session: Session,
    ProjectPath(id): ProjectPath,
) -> PageResult {
    let project = ProjectView::find(&context, &session, id).await?;
    page(&SettingsPage {
        shell: session.shell(&context),
        side: session.side_of(&project),
        project,
        is_owner: ProjectView::is_owned(&context, &session, id).await?,
    })
}
