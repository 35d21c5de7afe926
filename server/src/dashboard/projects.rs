//! The projects of an account, and making one.

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use http::HeaderMap;
use serde::Deserialize;

use super::context::Context;
use super::cookies::CookieKind;
use super::extract::{Form, ProjectPath};
use super::invitations;
use super::page::{PageResult, page, refused, see, sentence};
use super::page_error::PageError;
use super::signed_in::Session;
use super::usage;
use super::view::{KeyView, ProjectView};
use crate::keys::lifecycle;
use crate::projects::{self, ProjectChangeError, ProjectId};
use crate::site::Shell;

#[derive(Template)]
#[template(path = "dashboard/projects.html")]
struct ProjectsPage<'a> {
    shell: Shell<'a>,
    tab: &'a str,
    projects: Vec<ProjectView>,
    name: &'a str,
    error: Option<String>,
}

#[derive(Template)]
#[template(path = "dashboard/project.html")]
struct ProjectPage<'a> {
    shell: Shell<'a>,
    tab: &'a str,
    project: ProjectView,
    keys: Vec<KeyView>,
}

impl ProjectPage<'_> {
    /// The key that a sample is about: the newest that works.
    fn usable_key(&self) -> Option<&KeyView> {
        self.keys.iter().rev().find(|key| key.is_live())
    }
}

#[derive(Deserialize)]
pub(super) struct NewProject {
    name: String,
}

/// `GET /dashboard/projects`
pub(super) async fn list(State(context): State<Context>, session: Session) -> PageResult {
    page(&projects_page(&context, &session, "", None).await?)
}

/// `POST /dashboard/projects`
pub(super) async fn create(
    State(context): State<Context>,
    session: Session,
    Form(form): Form<NewProject>,
) -> PageResult {
    let (store, account) = (context.store(), session.signed_in.account.id);
    let made = projects::create_own(store, account, &form.name, context.rules(), context.now());
    match made.await {
        Ok(ProjectId(id)) => Ok(see(&format!("/dashboard/projects/{id}"))),
        Err(ProjectChangeError::Store(error)) => Err(error.into()),
        Err(refusal) => {
            let error = Some(sentence(&refusal));
            refused(&projects_page(&context, &session, &form.name, error).await?)
        }
    }
}

/// `GET /dashboard/projects/{project}`
pub(super) async fn show(
    State(context): State<Context>,
    session: Session,
    ProjectPath(id): ProjectPath,
) -> PageResult {
    let project = ProjectView::find(&context, &session, id).await?;
    let keys = lifecycle::list(context.store(), session.actor(), id).await?;
    let issuers = context.store().issuers(id).await?;
    let uses = usage::uses(&context, &session, id).await?;
    page(&ProjectPage {
        shell: session.shell(&context),
        tab: "projects",
        project,
        keys: keys
            .iter()
            .map(|key| KeyView::of(key, &uses, &session, &issuers, context.now()))
            .collect(),
    })
}

/// `GET /dashboard`: an invitation that waits for its answer, else the projects.
pub(super) async fn home(
    State(context): State<Context>,
    _: Session,
    headers: HeaderMap,
) -> Response {
    match context.cookies.get(&headers, CookieKind::Invitation) {
        Some(_) => see(invitations::PATH),
        None => see("/dashboard/projects"),
    }
}

async fn projects_page<'a>(
    context: &'a Context,
    session: &'a Session,
    name: &'a str,
    error: Option<String>,
) -> Result<ProjectsPage<'a>, PageError> {
    let account = session.signed_in.account.id;
    let own = context.store().projects_of(account).await?;
    let projects = own
        .into_iter()
        .map(|own| ProjectView::of(own.project, context));
    Ok(ProjectsPage {
        shell: session.shell(context),
        tab: "projects",
        projects: projects.collect(),
        name,
        error,
    })
}
