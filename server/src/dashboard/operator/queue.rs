//! The requests that wait for an operator's decision. Each kind is a section of the page, and has a form of its
//! own.

use askama::Template;
use axum::extract::State;
use serde::Deserialize;
use uuid::Uuid;

use super::OperatorSession;
use super::claim::ClaimRequestView;
use super::tier_request::TierRequestView;
use crate::claims::decision;
use crate::dashboard::context::Context;
use crate::dashboard::page::{PageResult, refused};
use crate::dashboard::page_error::PageError;
use crate::dashboard::sidebar::Sidebar;
use crate::site::Shell;
use crate::tier_requests;

/// The path of the page.
pub(super) const PATH: &str = "/dashboard/operator/requests";

#[derive(Template)]
#[template(path = "dashboard/operator/queue.html")]
struct QueuePage<'a> {
    shell: Shell<'a>,
    side: Sidebar,
    tiers: Vec<TierRequestView>,
    claims: Vec<ClaimRequestView>,
    /// Whether the sign-in is recent enough to decide.
    is_recent: bool,
    mistake: Option<&'a Mistake>,
}

impl QueuePage<'_> {
    /// The error of the answer to a request.
    fn error(&self, id: &Uuid) -> Option<&str> {
        let mistake = self.mistake.filter(|mistake| mistake.request == *id);
        mistake.map(|mistake| &*mistake.error)
    }
}

/// The error of the answer to a request.
pub(super) struct Mistake {
    pub(super) request: Uuid,
    pub(super) error: String,
}

/// The form of a decision.
#[derive(Deserialize)]
pub(super) struct DecisionForm {
    pub(super) decision: Verdict,
    #[serde(default)]
    pub(super) answer: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Verdict {
    Accept,
    Decline,
}

/// `GET /dashboard/operator/requests`
pub(super) async fn list(State(context): State<Context>, session: OperatorSession) -> PageResult {
    let page = queue_page(&context, &session, None).await?;
    session.page(&context, &page)
}

/// The page again, with a mistake in a decision.
pub(super) async fn again(
    context: &Context,
    session: &OperatorSession,
    mistake: &Mistake,
) -> PageResult {
    refused(&queue_page(context, session, Some(mistake)).await?)
}

async fn queue_page<'a>(
    context: &'a Context,
    session: &'a OperatorSession,
    mistake: Option<&'a Mistake>,
) -> Result<QueuePage<'a>, PageError> {
    let (store, actor, now) = (context.store(), session.actor(), context.now());
    let tiers = tier_requests::open(store, actor).await?.into_iter();
    let claims = decision::waiting(store, actor).await?.into_iter();
    let snapshot = context.setup.api.snapshot();
    Ok(QueuePage {
        shell: session.shell(context),
        side: session.side(),
        tiers: tiers
            .map(|request| TierRequestView::of(request, now))
            .collect(),
        claims: claims
            .map(|claim| ClaimRequestView::of(claim, &snapshot, now))
            .collect(),
        is_recent: session.is_recent(context),
        mistake,
    })
}
