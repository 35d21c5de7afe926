//! The operators' area: finding projects and accounts, and deciding about them.
//!
//! Nobody but an operator sees that it is there, and an operator sees it in a session that began with a
//! passkey alone.

use std::ops::Deref;

use askama::Template;
use axum::extract::FromRequestParts;
use axum::response::Response;
use http::request::Parts;
use jiff::Timestamp;
use serde::Deserialize;

use super::account::HistoryView;
use super::audit::{EventView, Reader};
use super::context::Context;
use super::extract::{AccountPath, Form, ProjectPath, QueryParameters};
use super::keys::KeyView;
use super::notice::Notice;
use super::page::{Frame, PageResult, sentence};
use super::page_error::PageError;
use super::projects::{ProjectView, Suspended};
use super::return_path;
use super::session::Session;
use super::time::Time;
use crate::chart::grouped;
use crate::operators::{
    self, AccountDetails, FailingWebhook, Overview, ProjectSummary, SearchResult,
};
use crate::passkeys;
use crate::tier_requests;
use features::audit;
use features::claims::decision;
use features::project_lifecycle;
use features::projects::{Actor, ProjectId, Tier};
use features::suspensions::{self, SuspensionError};
use features::usage::StatusClass;

/// The events of the audit log that are shown.
const EVENTS: usize = 20;

/// A session in which an operator may act.
pub(super) struct OperatorSession(Session);

impl OperatorSession {
    /// The operator as it asks use cases, which check in their transactions that it is one still.
    pub(super) fn actor(&self) -> Actor {
        Actor::OperatorAccount(self.account())
    }

    /// The layout of a page below the operators' area.
    pub(super) fn frame_below(&self) -> Frame<'_> {
        self.frame().below("Operator", "/dashboard/operator")
    }

    /// A page that has forms while the sign-in is recent. Else it links to confirming that it is you, which
    /// leads back to it.
    pub(super) fn with_forms(&self, page: PageResult) -> PageResult {
        let mut response = page?;
        if !self.is_recent() {
            return_path::keep(&self.context, &mut response, self.path());
        }
        Ok(response)
    }
}

impl Deref for OperatorSession {
    type Target = Session;

    fn deref(&self) -> &Session {
        &self.0
    }
}

impl FromRequestParts<Context> for OperatorSession {
    type Rejection = PageError;

    async fn from_request_parts(parts: &mut Parts, context: &Context) -> Result<Self, PageError> {
        let session = Session::from_request_parts(parts, context).await?;
        match &session.signed_in {
            it if !it.is_operator => Err(PageError::NotFound),
            it if !it.session.proof.is_passkey() => Err(PageError::NoPasskey),
            _ => Ok(Self(session)),
        }
    }
}

#[derive(Template)]
#[template(path = "dashboard/operator/passkey.html")]
struct PasskeyPage<'a> {
    has_passkey: bool,
    /// The origin on whose pages passkeys work.
    origin: &'a str,
}

#[derive(Template)]
#[template(path = "dashboard/operator/home.html")]
struct HomePage<'a> {
    /// How many requests wait.
    waiting: usize,
    overview: OverviewView,
    text: &'a str,
    found: Option<SearchResult>,
    /// Whether nothing was looked for.
    is_blank: bool,
    is_demo: bool,
}

/// The overview in words.
struct OverviewView {
    requests: String,
    errors: String,
    rate_limited: String,
    projects: Vec<ProjectSummary>,
    /// Webhooks that fail, with how long.
    failing: Vec<(FailingWebhook, Time)>,
    /// The length of each queue, and since when its oldest entry waits.
    queues: Vec<(&'static str, String, Option<Time>)>,
}

impl OverviewView {
    fn new(overview: Overview, now: Timestamp) -> Self {
        let of = |classes: &[StatusClass]| {
            let traffic = overview.traffic.iter();
            let counted = traffic.filter(|(class, _)| classes.contains(class));
            grouped(counted.map(|(_, requests)| requests).sum())
        };
        let since = |at: Option<Timestamp>| at.map(|at| Time::new(at, now));
        let (emails, deliveries) = (overview.emails, overview.deliveries);
        Self {
            requests: of(&StatusClass::ALL),
            errors: of(&[StatusClass::ServerError]),
            rate_limited: of(&[StatusClass::Refused]),
            queues: vec![
                ("Emails", grouped(emails.waiting), since(emails.oldest)),
                (
                    "Webhook deliveries",
                    grouped(deliveries.due),
                    since(deliveries.since),
                ),
            ],
            projects: overview.projects,
            failing: overview
                .failing
                .into_iter()
                .map(|webhook| (webhook.since, webhook))
                .map(|(at, webhook)| (webhook, Time::new(at, now)))
                .collect(),
        }
    }
}

#[derive(Deserialize)]
pub(super) struct Search {
    q: Option<String>,
}

#[derive(Template)]
#[template(path = "dashboard/operator/account.html")]
struct AccountPage {
    details: AccountDetails,
    created: Time,
    history: Vec<HistoryView>,
}

#[derive(Template)]
#[template(path = "dashboard/operator/project.html")]
struct ProjectPage<'a> {
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

#[derive(Deserialize)]
pub(super) struct NewTier {
    tier: Tier,
}

#[derive(Deserialize)]
pub(super) struct Reason {
    reason: String,
}

/// `GET /dashboard/operator/passkey`: the page for an operator whose session began without one.
pub(super) async fn passkey(session: Session) -> PageResult {
    if !session.signed_in.is_operator {
        return Err(PageError::NotFound);
    }
    let own = passkeys::list(session.store(), session.account()).await?;
    let page = PasskeyPage {
        has_passkey: !own.is_empty(),
        origin: session.context.public.origin(),
    };
    let frame = session.frame().script("passkeys.js");
    frame.page("Passkey required", &page)
}

/// `GET /dashboard/operator`
pub(super) async fn home(
    session: OperatorSession,
    QueryParameters(search): QueryParameters<Search>,
) -> PageResult {
    let (store, actor, now) = (session.store(), session.actor(), session.now());
    let text = search.q.as_deref().unwrap_or_default().trim();
    let found = match text {
        "" => None,
        text => Some(operators::find(store, actor, text).await?),
    };
    let page = HomePage {
        waiting: tier_requests::open(store, actor).await?.len()
            + decision::waiting(store, actor).await?.len(),
        overview: OverviewView::new(operators::overview(store, actor, now).await?, now),
        is_blank: search.q.is_some() && text.is_empty(),
        text,
        found,
        is_demo: session.is_demo(),
    };
    session.frame().page("Operator overview", &page)
}

/// `GET /dashboard/operator/accounts/{account}`
pub(super) async fn account(session: OperatorSession, AccountPath(id): AccountPath) -> PageResult {
    let details = operators::account(session.store(), session.actor(), id).await?;
    let (at, now) = (details.account.created_at, session.now());
    let page = AccountPage {
        created: Time { at, now },
        details,
        history: HistoryView::of_account(&session, id).await?,
    };
    let title = page.details.account.email.as_str();
    session.frame_below().page(title, &page)
}

/// `GET /dashboard/operator/projects/{project}`
pub(super) async fn project(session: OperatorSession, ProjectPath(id): ProjectPath) -> PageResult {
    session.with_forms(project_page(&session, id, "", None).await)
}

/// `POST /dashboard/operator/projects/{project}/tier`
pub(super) async fn set_tier(
    session: OperatorSession,
    ProjectPath(id): ProjectPath,
    Form(form): Form<NewTier>,
) -> PageResult {
    session.require_recent()?;
    let (store, actor) = (session.store(), session.actor());
    project_lifecycle::set_tier(store, actor, id, form.tier, session.now()).await?;
    Ok(Notice::TierSet.see_other(&path(id)))
}

/// `POST /dashboard/operator/projects/{project}/suspend`
pub(super) async fn suspend(
    session: OperatorSession,
    ProjectPath(id): ProjectPath,
    Form(Reason { reason }): Form<Reason>,
) -> PageResult {
    session.require_recent()?;
    let (store, service) = (session.store(), &session.context.setup.identity);
    let (actor, now) = (session.actor(), session.now());
    match suspensions::suspend(store, service, actor, id, &reason, now).await {
        Ok(()) => Ok(changed(&session, id, Notice::ProjectSuspended)),
        Err(SuspensionError::Reason(error)) => {
            project_page(&session, id, &reason, Some(sentence(&error))).await
        }
        Err(error) => Err(error.into()),
    }
}

/// `POST /dashboard/operator/projects/{project}/resume`
pub(super) async fn resume(session: OperatorSession, ProjectPath(id): ProjectPath) -> PageResult {
    session.require_recent()?;
    let (store, service) = (session.store(), &session.context.setup.identity);
    suspensions::resume(store, service, session.actor(), id, session.now()).await?;
    Ok(changed(&session, id, Notice::ProjectResumed))
}

/// The response to a change that owners are emailed of.
fn changed(session: &Session, id: ProjectId, notice: Notice) -> Response {
    session.context.setup.new_mail.notify_one();
    notice.see_other(&path(id))
}

fn path(ProjectId(id): ProjectId) -> String {
    format!("/dashboard/operator/projects/{id}")
}

async fn project_page(
    session: &OperatorSession,
    id: ProjectId,
    reason: &str,
    error: Option<String>,
) -> PageResult {
    let (store, actor, now) = (session.store(), session.actor(), session.now());
    let summary = operators::project(store, actor, id).await?;
    let events = audit::of_project(store, actor, id, None, EVENTS).await?;
    let suspension = suspensions::of_project(store, actor, id).await?;
    let frame = session.frame_below().rejected_if(error.is_some());
    let view = |event| EventView::of(event, now, Reader::Operator);
    let page = ProjectPage {
        tier: summary.project.tier,
        project: ProjectView::of(summary.project, &session.context),
        owners: summary.owners,
        suspended: suspension.map(|it| Suspended::of(it, now)),
        keys: KeyView::all(session, actor, id).await?,
        events: events.into_iter().flatten().map(view).collect(),
        is_recent: session.is_recent(),
        reason,
        error,
    };
    frame.page(&page.project.name, &page)
}
