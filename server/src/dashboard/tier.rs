//! Asking for another tier of a project.

use askama::Template;
use axum::extract::State;
use serde::Deserialize;

use super::context::Context;
use super::extract::{Form, ProjectPath};
use super::page::{PageResult, page, refused, see_other, sentence};
use super::page_error::PageError;
use super::sidebar::Sidebar;
use super::signed_in::Session;
use super::time::Time;
use super::view::ProjectView;
use crate::projects::{ProjectId, Tier};
use crate::site::Shell;
use crate::tier_requests::{self, TierRequest, TierRequestError, TierRequestRefusal};
use db::DbError;

#[derive(Template)]
#[template(path = "dashboard/tier_request.html")]
struct TierPage<'a> {
    shell: Shell<'a>,
    side: Sidebar,
    project: ProjectView,
    /// The tiers that the project does not have.
    choices: Vec<Tier>,
    chosen: Tier,
    /// The request that waits, if there is one: no other can be made.
    waiting: Option<TierRequestView>,
    reason: &'a str,
    error: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct TierForm {
    tier: Tier,
    reason: String,
}

/// The latest request of a project, as its page shows it.
pub(super) struct TierRequestView {
    pub(super) tier: &'static str,
    pub(super) state: TierRequestState,
    /// When it was asked or decided.
    pub(super) at: Time,
}

/// How far a request is.
pub(super) enum TierRequestState {
    Waiting,
    /// With the operator's answer.
    Accepted(String),
    /// With the operator's answer.
    Declined(String),
}

/// `GET /dashboard/projects/{project}/tier`
pub(super) async fn form(
    State(context): State<Context>,
    session: Session,
    ProjectPath(id): ProjectPath,
) -> PageResult {
    let project = ProjectView::find(&context, &session, id).await?;
    let choices = choices(&project);
    let higher = choices.iter().find(|tier| **tier != Tier::Free);
    let chosen = higher.copied().unwrap_or(Tier::Pro);
    page(&tier_page(&context, &session, project, (chosen, ""), None).await?)
}

/// The tiers that a project does not have.
fn choices(project: &ProjectView) -> Vec<Tier> {
    let others = Tier::ALL.into_iter();
    others.filter(|it| it.label() != project.tier).collect()
}

async fn tier_page<'a>(
    context: &'a Context,
    session: &'a Session,
    project: ProjectView,
    (chosen, reason): (Tier, &'a str),
    error: Option<String>,
) -> Result<TierPage<'a>, PageError> {
    let latest = TierRequestView::latest(context, session, ProjectId(project.id)).await?;
    Ok(TierPage {
        shell: session.shell(context),
        side: session.side_of(&project),
        choices: choices(&project),
        project,
        chosen,
        waiting: latest.filter(|it| matches!(it.state, TierRequestState::Waiting)),
        reason,
        error,
    })
}

/// `POST /dashboard/projects/{project}/tier`
pub(super) async fn ask(
    State(context): State<Context>,
    session: Session,
    ProjectPath(id): ProjectPath,
    Form(form): Form<TierForm>,
) -> PageResult {
    let project = ProjectView::find(&context, &session, id).await?;
    let (store, account) = (context.store(), session.signed_in.account.id);
    let asked = tier_requests::ask(store, account, id, form.tier, &form.reason, context.now());
    let error = match asked.await {
        Ok(()) => return Ok(see_other(&format!("/dashboard/projects/{}", id.0))),
        Err(TierRequestError::Sentence(error)) => sentence(&error),
        Err(TierRequestError::Refused(
            refusal @ (TierRequestRefusal::SameTier
            | TierRequestRefusal::Waiting
            | TierRequestRefusal::OwnsSuspended(_)),
        )) => sentence(&refusal),
        Err(error) => return Err(error.into()),
    };
    let typed = (form.tier, form.reason.as_str());
    refused(&tier_page(&context, &session, project, typed, Some(error)).await?)
}

impl TierRequestView {
    /// The latest request of a project of the account that is signed in.
    pub(super) async fn latest(
        context: &Context,
        session: &Session,
        project: ProjectId,
    ) -> Result<Option<Self>, DbError> {
        let (store, actor) = (context.store(), session.actor());
        let latest = tier_requests::latest(store, actor, project).await?;
        let now = context.now();
        Ok(latest.map(|latest| Self::of(latest, now)))
    }

    fn of(request: TierRequest, now: jiff::Timestamp) -> Self {
        let (state, at) = match request.decision {
            None => (TierRequestState::Waiting, request.created_at),
            Some(it) if it.is_accepted => (TierRequestState::Accepted(it.answer), it.at),
            Some(it) => (TierRequestState::Declined(it.answer), it.at),
        };
        Self {
            tier: request.tier.label(),
            state,
            at: Time { at, now },
        }
    }
}
