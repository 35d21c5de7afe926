//! What a key or a member changed in a project, and the webhooks that outlive them.

use askama::Template;
use uuid::Uuid;

use super::audit::{EventView, Reader};
use super::extract::{KeyPath, MemberPath};
use super::keys;
use super::notice::Notice;
use super::page::PageResult;
use super::page_error::PageError;
use super::projects::{self, ProjectView};
use super::session::Session;
use super::webhooks;
use crate::members;
use features::audit;
use features::domain::ids::{AccountId, KeyId};
use features::projects::{Actor, ProjectId, Requester};
use features::webhooks::Webhook;

/// The changes that a page lists.
const PAGE: usize = 100;

#[derive(Template)]
#[template(path = "dashboard/changes.html")]
struct ChangesPage<'a> {
    project: &'a ProjectView,
    /// The path of this page.
    path: String,
    /// Whether a key made the changes.
    is_key: bool,
    webhooks: Vec<ChangedWebhook>,
    events: Vec<EventView>,
}

/// A webhook that a key or a member has created or changed.
pub(super) struct ChangedWebhook {
    pub(super) id: Uuid,
    pub(super) url: String,
    pub(super) is_enabled: bool,
}

impl ChangesPage<'_> {
    fn is_any_enabled(&self) -> bool {
        self.webhooks.iter().any(|webhook| webhook.is_enabled)
    }
}

/// The path of the changes of a key.
pub(super) fn key_path(project: ProjectId, key: KeyId) -> String {
    format!("{}/keys/{}/changes", projects::path(project), key.0)
}

/// The path of the changes of a member, or of an account that was one.
pub(super) fn member_path(project: ProjectId, member: AccountId) -> String {
    format!("{}/members/{}/changes", projects::path(project), member.0)
}

/// `GET /dashboard/projects/{project}/keys/{key}/changes`
pub(super) async fn of_key(session: Session, KeyPath(project, key): KeyPath) -> PageResult {
    keys::require_known(&session, project, key).await?;
    let path = key_path(project, key);
    show(&session, project, Requester::Key(key), path).await
}

/// `POST /dashboard/projects/{project}/keys/{key}/changes/disable-webhooks`
pub(super) async fn disable_of_key(session: Session, KeyPath(project, key): KeyPath) -> PageResult {
    keys::require_known(&session, project, key).await?;
    let path = key_path(project, key);
    disable(&session, project, Requester::Key(key), &path).await
}

/// `GET /dashboard/projects/{project}/members/{member}/changes`
pub(super) async fn of_member(
    session: Session,
    MemberPath(project, member): MemberPath,
) -> PageResult {
    show(
        &session,
        project,
        author(member),
        member_path(project, member),
    )
    .await
}

/// `POST /dashboard/projects/{project}/members/{member}/changes/disable-webhooks`
pub(super) async fn disable_of_member(
    session: Session,
    MemberPath(project, member): MemberPath,
) -> PageResult {
    disable(
        &session,
        project,
        author(member),
        &member_path(project, member),
    )
    .await
}

fn author(member: AccountId) -> Requester {
    Requester::Actor(Actor::Account(member))
}

/// The webhooks that a member has created or changed.
pub(super) async fn webhooks_of_member(
    session: &Session,
    project: ProjectId,
    member: AccountId,
) -> Result<Vec<ChangedWebhook>, PageError> {
    changed(session, project, author(member)).await
}

async fn changed(
    session: &Session,
    project: ProjectId,
    author: Requester,
) -> Result<Vec<ChangedWebhook>, PageError> {
    let found = features::webhooks::store::webhooks_changed_by(session.store(), project, author);
    let view = |webhook: Webhook| ChangedWebhook {
        id: webhook.id.0,
        url: webhook.url,
        is_enabled: webhook.is_enabled,
    };
    Ok(found.await?.into_iter().map(view).collect())
}

async fn show(session: &Session, id: ProjectId, author: Requester, path: String) -> PageResult {
    let project = ProjectView::find(session, id).await?;
    let (store, actor, now) = (session.store(), session.actor(), session.now());
    let events = audit::store::events_by(store, actor, id, author, PAGE).await?;
    let events = events.ok_or(PageError::NotFound)?;
    require_author(session, id, author, !events.is_empty()).await?;
    let page = ChangesPage {
        project: &project,
        path,
        is_key: matches!(author, Requester::Key(_)),
        webhooks: changed(session, id, author).await?,
        events: events
            .into_iter()
            .map(|event| EventView::of(event, now, Reader::Member))
            .collect(),
    };
    let title = match page.is_key {
        true => "Changes by a key",
        false => "Changes by a member",
    };
    session.frame_of(&project).page(title, &page)
}

/// Requires that a key, or a member now or before, can have changed a project.
async fn require_author(
    session: &Session,
    project: ProjectId,
    author: Requester,
    changed_any: bool,
) -> Result<(), PageError> {
    let Requester::Actor(member) = author else {
        return Ok(());
    };
    let members = members::list(session.store(), session.actor(), project).await?;
    let is_member = members
        .iter()
        .any(|it| Some(it.account) == member.account());
    (is_member || changed_any)
        .then_some(())
        .ok_or(PageError::NotFound)
}

async fn disable(
    session: &Session,
    project: ProjectId,
    author: Requester,
    path: &str,
) -> PageResult {
    let (store, by) = (session.store(), webhooks::requester(session));
    let changed = changed(session, project, author).await?;
    require_author(session, project, author, !changed.is_empty()).await?;
    let disabled = features::webhooks::store::disable_webhooks_changed_by;
    let disabled = disabled(store, by, project, author, session.now()).await?;
    disabled.then_some(()).ok_or(PageError::NotFound)?;
    Ok(Notice::WebhooksDisabled.see_other(path))
}
