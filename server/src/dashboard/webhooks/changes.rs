//! The buttons of a webhook: rotating its secret, enabling, disabling, deleting, sending.

use askama::Template;
use axum::extract::State;
use jiff::Timestamp;
use serde::Deserialize;

use super::view::WebhookView;
use super::{editor, find, path};
use crate::configs::Requester;
use crate::dashboard::context::Context;
use crate::dashboard::extract::{DeliveryPath, Form, WebhookPath};
use crate::dashboard::notice::Notice;
use crate::dashboard::page::{PageResult, page, see_other};
use crate::dashboard::page_error::{Made, PageError};
use crate::dashboard::sidebar::Sidebar;
use crate::dashboard::signed_in::Session;
use crate::dashboard::view::ProjectView;
use crate::projects::ProjectId;
use crate::site::Shell;
use crate::webhooks::{WebhookChange, WebhookId, lifecycle};
use edge::clock::to_milliseconds;

#[derive(Template)]
#[template(path = "dashboard/rotate_webhook.html")]
struct RotationPage<'a> {
    shell: Shell<'a>,
    side: Sidebar,
    project: &'a ProjectView,
    webhook: WebhookView,
    /// The time of the page, in milliseconds.
    since: i64,
}

#[derive(Template)]
#[template(path = "dashboard/delete_webhook.html")]
struct DeletionPage<'a> {
    shell: Shell<'a>,
    side: Sidebar,
    project: &'a ProjectView,
    webhook: WebhookView,
}

/// A secret that was replaced since the page was made is not replaced again, so that a form that is sent twice
/// replaces it once.
#[derive(Deserialize)]
pub(super) struct RotationForm {
    since: i64,
}

/// `GET /dashboard/projects/{project}/webhooks/{webhook}/rotate`
pub(super) async fn rotation(
    State(context): State<Context>,
    session: Session,
    WebhookPath(project, webhook): WebhookPath,
) -> PageResult {
    let (project, webhook) = find(&context, &session, project, webhook).await?;
    session.require_recent(&context)?;
    let now = context.now();
    page(&RotationPage {
        shell: session.shell(&context),
        side: session.side_of(&project),
        project: &project,
        webhook: WebhookView::of(webhook, now),
        since: now.as_millisecond(),
    })
}

/// `POST /dashboard/projects/{project}/webhooks/{webhook}/rotate`
pub(super) async fn rotate(
    State(context): State<Context>,
    session: Session,
    WebhookPath(id, webhook): WebhookPath,
    Form(form): Form<RotationForm>,
) -> PageResult {
    let (project, _) = find(&context, &session, id, webhook).await?;
    session.require_recent(&context)?;
    let since = Timestamp::from_millisecond(form.since).map_err(|_| PageError::Malformed)?;
    let (store, setup, now) = (context.store(), &context.setup.api.webhooks, context.now());
    let by = Requester::Actor(session.actor());
    let replaced = lifecycle::replace_secret(store, setup, by, (id, webhook), Some(since), now);
    let (webhook, secret) = replaced
        .await
        .map_err(|error| PageError::from_webhook(error, Made::Webhook(id, webhook)))?;
    editor::show_once(&context, &session, &project, &webhook, &secret)
}

/// `GET /dashboard/projects/{project}/webhooks/{webhook}/delete`
pub(super) async fn deletion(
    State(context): State<Context>,
    session: Session,
    WebhookPath(project, webhook): WebhookPath,
) -> PageResult {
    let (project, webhook) = find(&context, &session, project, webhook).await?;
    page(&DeletionPage {
        shell: session.shell(&context),
        side: session.side_of(&project),
        project: &project,
        webhook: WebhookView::of(webhook, context.now()),
    })
}

/// `POST /dashboard/projects/{project}/webhooks/{webhook}/delete`
pub(super) async fn delete(
    State(context): State<Context>,
    session: Session,
    WebhookPath(project, webhook): WebhookPath,
) -> PageResult {
    let by = Requester::Actor(session.actor());
    let deleted = crate::webhooks::store::delete_webhook(
        context.store(),
        by,
        (project, webhook),
        context.now(),
    );
    deleted.await?.then_some(()).ok_or(PageError::NotFound)?;
    let list = format!("/dashboard/projects/{}/webhooks", project.0);
    Ok(Notice::WebhookDeleted.see_other(&list))
}

/// `POST /dashboard/projects/{project}/webhooks/{webhook}/enable`
pub(super) async fn enable(
    State(context): State<Context>,
    session: Session,
    WebhookPath(project, webhook): WebhookPath,
) -> PageResult {
    find(&context, &session, project, webhook).await?;
    session.require_recent(&context)?;
    switch(&context, &session, (project, webhook), true).await
}

/// `POST /dashboard/projects/{project}/webhooks/{webhook}/disable`
pub(super) async fn disable(
    State(context): State<Context>,
    session: Session,
    WebhookPath(project, webhook): WebhookPath,
) -> PageResult {
    switch(&context, &session, (project, webhook), false).await
}

async fn switch(
    context: &Context,
    session: &Session,
    of: (ProjectId, WebhookId),
    is_enabled: bool,
) -> PageResult {
    let change = WebhookChange {
        is_enabled: Some(is_enabled),
        ..WebhookChange::default()
    };
    let (store, rules) = (context.store(), &context.setup.api.webhooks.rules);
    let by = Requester::Actor(session.actor());
    let changed = lifecycle::change(store, rules, by, of, change, context.now()).await;
    changed.map_err(|error| PageError::from_webhook(error, Made::Webhook(of.0, of.1)))?;
    Ok(see_other(&path(of.0, of.1)))
}

/// `POST /dashboard/projects/{project}/webhooks/{webhook}/test`
pub(super) async fn test(
    State(context): State<Context>,
    session: Session,
    WebhookPath(project, webhook): WebhookPath,
) -> PageResult {
    let (of, by) = ((project, webhook), Requester::Actor(session.actor()));
    let sent = lifecycle::test(context.store(), by, of, context.now()).await;
    sent.map_err(|error| PageError::from_webhook(error, Made::Webhook(project, webhook)))?;
    Ok(Notice::DeliverySent.see_other(&path(project, webhook)))
}

/// `POST /dashboard/projects/{project}/webhooks/{webhook}/deliveries/{delivery}/redeliver`
pub(super) async fn redeliver(
    State(context): State<Context>,
    session: Session,
    DeliveryPath(project, webhook, delivery): DeliveryPath,
) -> PageResult {
    let (of, by) = ((project, webhook), Requester::Actor(session.actor()));
    let now = to_milliseconds(context.now());
    let sent = crate::webhooks::store::redeliver(context.store(), by, of, delivery, now).await?;
    sent.ok_or(PageError::NotFound)?;
    Ok(Notice::DeliverySent.see_other(&path(project, webhook)))
}
