//! The webhooks of a project: the list, and one with its deliveries.

mod changes;
mod draft;
mod editor;
mod view;

use askama::Template;
use axum::Router;
use axum::extract::State;
use axum::routing::{get, post};
use serde::Deserialize;

use self::view::{DeliveryView, WebhookState, WebhookView};
use super::context::Context;
use super::extract::{ProjectPath, QueryParameters, WebhookPath};
use super::page::{PageResult, page};
use super::page_error::PageError;
use super::sidebar::Sidebar;
use super::signed_in::Session;
use super::view::ProjectView;
use crate::domain::paging::{List, PageRequest};
use crate::projects::ProjectId;
use crate::site::Shell;
use crate::webhooks::{Webhook, WebhookId};

/// The deliveries of a page.
const PAGE: usize = 20;

#[derive(Template)]
#[template(path = "dashboard/webhooks.html")]
struct WebhooksPage<'a> {
    shell: Shell<'a>,
    side: Sidebar,
    project: ProjectView,
    webhooks: Vec<WebhookView>,
    /// Whether the operator has set webhooks up.
    are_on: bool,
}

#[derive(Template)]
#[template(path = "dashboard/webhook.html")]
struct WebhookPage<'a> {
    shell: Shell<'a>,
    side: Sidebar,
    project: &'a ProjectView,
    webhook: WebhookView,
    deliveries: Vec<DeliveryView>,
    is_first: bool,
    /// The cursor of the next page, if there is one.
    older: Option<String>,
    /// Whether the operator has set webhooks up.
    are_on: bool,
}

impl WebhookPage<'_> {
    /// The path of the page.
    fn root(&self) -> String {
        path(ProjectId(self.project.id), WebhookId(self.webhook.id))
    }
}

#[derive(Deserialize)]
pub(super) struct ShowQuery {
    cursor: Option<String>,
}

/// The paths of webhooks.
pub(super) fn routes() -> Router<Context> {
    Router::new()
        .route(
            "/dashboard/projects/{project}/webhooks",
            get(list).post(editor::create),
        )
        .route(
            "/dashboard/projects/{project}/webhooks/new",
            get(editor::new),
        )
        .route(
            "/dashboard/projects/{project}/webhooks/{webhook}",
            get(show),
        )
        .route(
            "/dashboard/projects/{project}/webhooks/{webhook}/edit",
            get(editor::edit).post(editor::change),
        )
        .route(
            "/dashboard/projects/{project}/webhooks/{webhook}/rotate",
            get(changes::rotation).post(changes::rotate),
        )
        .route(
            "/dashboard/projects/{project}/webhooks/{webhook}/delete",
            get(changes::deletion).post(changes::delete),
        )
        .route(
            "/dashboard/projects/{project}/webhooks/{webhook}/enable",
            post(changes::enable),
        )
        .route(
            "/dashboard/projects/{project}/webhooks/{webhook}/disable",
            post(changes::disable),
        )
        .route(
            "/dashboard/projects/{project}/webhooks/{webhook}/test",
            post(changes::test),
        )
        .route(
            "/dashboard/projects/{project}/webhooks/{webhook}/deliveries/{delivery}/redeliver",
            post(changes::redeliver),
        )
}

/// `GET /dashboard/projects/{project}/webhooks`
async fn list(
    State(context): State<Context>,
    session: Session,
    ProjectPath(id): ProjectPath,
) -> PageResult {
    let project = ProjectView::find(&context, &session, id).await?;
    let most = Webhook::MAX_PER_PROJECT as usize;
    let webhooks = crate::webhooks::store::webhooks(context.store(), id, None, most).await?;
    let now = context.now();
    page(&WebhooksPage {
        shell: session.shell(&context),
        side: session.side_of(&project),
        project,
        webhooks: webhooks
            .into_iter()
            .map(|webhook| WebhookView::of(webhook, now))
            .collect(),
        are_on: context.setup.api.webhooks.keys.is_some(),
    })
}

/// `GET /dashboard/projects/{project}/webhooks/{webhook}`
async fn show(
    State(context): State<Context>,
    session: Session,
    WebhookPath(id, webhook): WebhookPath,
    QueryParameters(query): QueryParameters<ShowQuery>,
) -> PageResult {
    let (project, found) = find(&context, &session, id, webhook).await?;
    let list = List::of("dashboard deliveries").filtered("webhook", Some(webhook.0));
    let request = PageRequest::new(list, query.cursor.as_deref(), PAGE);
    let request = request.map_err(|_| PageError::NotFound)?;
    let (after, rows) = (request.after.clone(), request.rows());
    let deliveries =
        crate::webhooks::store::deliveries(context.store(), (id, webhook), after, rows).await?;
    let mut deliveries = deliveries.ok_or(PageError::NotFound)?;
    let older = request.cut(&mut deliveries);
    let now = context.now();
    page(&WebhookPage {
        shell: session.shell(&context),
        side: session.side_of(&project),
        project: &project,
        webhook: WebhookView::of(found, now),
        deliveries: deliveries
            .into_iter()
            .map(|delivery| DeliveryView::of(delivery, now))
            .collect(),
        is_first: query.cursor.is_none(),
        older,
        are_on: context.setup.api.webhooks.keys.is_some(),
    })
}

/// A webhook of a project that the account manages.
async fn find(
    context: &Context,
    session: &Session,
    project: ProjectId,
    webhook: WebhookId,
) -> Result<(ProjectView, Webhook), PageError> {
    let view = ProjectView::find(context, session, project).await?;
    let found = crate::webhooks::store::webhook(context.store(), project, webhook).await?;
    Ok((view, found.ok_or(PageError::NotFound)?))
}

/// The path of a webhook.
fn path(project: ProjectId, webhook: WebhookId) -> String {
    format!("/dashboard/projects/{}/webhooks/{}", project.0, webhook.0)
}
