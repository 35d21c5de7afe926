//! A project as an operator sees and changes it.

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use serde::Deserialize;

use super::OperatorSession;
use crate::audit;
use crate::dashboard::audit::{EventView, Reader};
use crate::dashboard::context::Context;
use crate::dashboard::extract::{Form, ProjectPath};
use crate::dashboard::notice::Notice;
use crate::dashboard::page::{PageResult, refused, sentence};
use crate::dashboard::page_error::PageError;
use crate::dashboard::sidebar::Sidebar;
use crate::dashboard::time::Time;
use crate::dashboard::view::{KeyView, ProjectView};
use crate::operators;
use crate::projects::{self, ProjectId, Tier};
use crate::site::Shell;
use crate::suspensions::{self, SuspensionError};

/// The events of the audit log that are shown.
const EVENTS: usize = 20;

#[derive(Template)]
#[template(path = "dashboard/operator/project.html")]
struct ProjectPage<'a> {
    shell: Shell<'a>,
    side: Sidebar,
    project: ProjectView,
    tier: Tier,
    owners: String,
    suspended: Option<Suspended>,
    keys: Vec<KeyView>,
    events: Vec<EventView>,
    /// Whether the sign-in is recent enough to change something.
    is_recent: bool,
    reason: &'a str,
    error: Option<String>,
}

/// A suspension as pages show it.
#[derive(Clone)]
pub(in crate::dashboard) struct Suspended {
    pub(in crate::dashboard) reason: String,
    pub(in crate::dashboard) since: Time,
}

#[derive(Deserialize)]
pub(in crate::dashboard) struct NewTier {
    tier: Tier,
}

#[derive(Deserialize)]
pub(in crate::dashboard) struct Reason {
    reason: String,
}

/// `GET /dashboard/operator/projects/{project}`
pub(in crate::dashboard) async fn show(
    State(context): State<Context>,
    session: OperatorSession,
    ProjectPath(id): ProjectPath,
) -> PageResult {
    let page = project_page(&context, &session, id, "", None).await?;
    session.page(&context, &page)
}

/// `POST /dashboard/operator/projects/{project}/tier`
pub(in crate::dashboard) async fn set_tier(
    State(context): State<Context>,
    session: OperatorSession,
    ProjectPath(id): ProjectPath,
    Form(form): Form<NewTier>,
) -> PageResult {
    session.require_recent(&context)?;
    let (store, actor) = (context.store(), session.actor());
    projects::set_tier(store, actor, id, form.tier, context.now()).await?;
    Ok(Notice::TierSet.see_other(&path(id)))
}

/// `POST /dashboard/operator/projects/{project}/suspend`
pub(in crate::dashboard) async fn suspend(
    State(context): State<Context>,
    session: OperatorSession,
    ProjectPath(id): ProjectPath,
    Form(form): Form<Reason>,
) -> PageResult {
    session.require_recent(&context)?;
    let (store, service, actor) = (context.store(), &context.setup.identity, session.actor());
    let (reason, now) = (&form.reason, context.now());
    match suspensions::suspend(store, service, actor, id, reason, now).await {
        Ok(()) => Ok(changed(&context, id, Notice::ProjectSuspended)),
        Err(SuspensionError::Reason(error)) => {
            let error = Some(sentence(&error));
            refused(&project_page(&context, &session, id, reason, error).await?)
        }
        Err(error) => Err(error.into()),
    }
}

/// `POST /dashboard/operator/projects/{project}/resume`
pub(in crate::dashboard) async fn resume(
    State(context): State<Context>,
    session: OperatorSession,
    ProjectPath(id): ProjectPath,
) -> PageResult {
    session.require_recent(&context)?;
    let (store, service, actor) = (context.store(), &context.setup.identity, session.actor());
    suspensions::resume(store, service, actor, id, context.now()).await?;
    Ok(changed(&context, id, Notice::ProjectResumed))
}

/// The response to a change that owners are mailed of.
fn changed(context: &Context, id: ProjectId, notice: Notice) -> Response {
    context.setup.new_mail.notify_one();
    notice.see_other(&path(id))
}

fn path(ProjectId(id): ProjectId) -> String {
    format!("/dashboard/operator/projects/{id}")
}

async fn project_page<'a>(
    context: &'a Context,
    session: &'a OperatorSession,
    id: ProjectId,
    reason: &'a str,
    error: Option<String>,
) -> Result<ProjectPage<'a>, PageError> {
    let (store, actor, now) = (context.store(), session.actor(), context.now());
    let summary = operators::project(store, actor, id).await?;
    let events = audit::of_project(store, actor, id, None, EVENTS).await?;
    let suspension = suspensions::of_project(store, actor, id).await?;
    Ok(ProjectPage {
        shell: session.shell(context),
        side: session.side(),
        tier: summary.project.tier,
        project: ProjectView::of(summary.project, context),
        owners: summary.owners,
        suspended: suspension.map(|it| Suspended::of(it, now)),
        keys: KeyView::all(context, session, actor, id).await?,
        events: events
            .into_iter()
            .flatten()
            .map(|event| EventView::of(event, now, Reader::Operator))
            .collect(),
        is_recent: session.is_recent(context),
        reason,
        error,
    })
}

impl Suspended {
    pub(in crate::dashboard) fn of(
        suspension: suspensions::Suspension,
        now: jiff::Timestamp,
    ) -> Self {
        Self {
            reason: suspension.reason,
            since: Time {
                at: suspension.since,
                now,
            },
        }
    }
}
