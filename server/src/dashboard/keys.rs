//! The keys of a project: issue, rotate, disable, revoke.

use askama::Template;
use axum::extract::State;
use edge::clock::after;
use serde::Deserialize;
use uuid::Uuid;

use super::choice::{Expiry, Overlap};
use super::context::Context;
use super::extract::{Form, KeyPath, ProjectPath};
use super::notice::Notice;
use super::page::{PageResult, page, refused, sentence};
use super::page_error::PageError;
use super::sidebar::Sidebar;
use super::signed_in::Session;
use super::time::Time;
use super::view::{KeyView, ProjectView};
use crate::keys::lifecycle::{self, IssuedKey, KeyChangeError, KeyRequest};
use crate::keys::{KeyId, KeyOfProject, KeyRecord, KeyRefusal, KeySwitch};
use crate::projects::{Actor, ProjectId};
use crate::site::Shell;

#[derive(Template)]
#[template(path = "dashboard/new_key.html")]
struct NewKeyPage<'a> {
    shell: Shell<'a>,
    side: Sidebar,
    project: &'a ProjectView,
    nonce: Uuid,
    label: &'a str,
    expiry: Expiry,
    error: Option<String>,
}

#[derive(Template)]
#[template(path = "dashboard/issued_key.html")]
struct IssuedKeyPage<'a> {
    shell: Shell<'a>,
    side: Sidebar,
    project: &'a ProjectView,
    key: &'a str,
    /// When the old key ends, if there is one.
    old_ends: Option<Time>,
}

#[derive(Template)]
#[template(path = "dashboard/rotate_key.html")]
struct RotateKeyPage<'a> {
    shell: Shell<'a>,
    side: Sidebar,
    project: &'a ProjectView,
    key: &'a KeyView,
    /// When it ends in any case, if that is before the end of the longest overlap.
    ends: Option<Time>,
    nonce: Uuid,
    overlap: Overlap,
    expiry: Expiry,
}

#[derive(Template)]
#[template(path = "dashboard/revoke_key.html")]
struct RevokeKeyPage<'a> {
    shell: Shell<'a>,
    side: Sidebar,
    project: &'a ProjectView,
    key: &'a KeyView,
}

#[derive(Template)]
#[template(path = "dashboard/disable_key.html")]
struct DisableKeyPage<'a> {
    shell: Shell<'a>,
    side: Sidebar,
    project: &'a ProjectView,
    key: &'a KeyView,
}

#[derive(Template)]
#[template(path = "dashboard/rename_key.html")]
struct RenameKeyPage<'a> {
    shell: Shell<'a>,
    side: Sidebar,
    project: &'a ProjectView,
    key: &'a KeyView,
    label: &'a str,
    error: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct LabelForm {
    label: String,
}

/// The nonce is the id of the key that the form issues, so that a form that is sent twice issues one.
#[derive(Deserialize)]
pub(super) struct NewKeyForm {
    nonce: Uuid,
    label: String,
    expiry: Expiry,
}

#[derive(Deserialize)]
pub(super) struct RotateForm {
    nonce: Uuid,
    overlap: Overlap,
    expiry: Expiry,
}

/// `GET /dashboard/projects/{project}/keys/new`
pub(super) async fn new(
    State(context): State<Context>,
    session: Session,
    ProjectPath(project): ProjectPath,
) -> PageResult {
    let project = ProjectView::find(&context, &session, project).await?;
    session.require_recent(&context)?;
    session.require_unsuspended(&context).await?;
    let (label, expiry) = (String::new(), Expiry::default());
    let nonce = Uuid::now_v7();
    let form = NewKeyForm {
        nonce,
        label,
        expiry,
    };
    page(&new_key_page(&context, &session, &project, &form, None))
}

/// `POST /dashboard/projects/{project}/keys`
pub(super) async fn issue(
    State(context): State<Context>,
    session: Session,
    ProjectPath(id): ProjectPath,
    Form(form): Form<NewKeyForm>,
) -> PageResult {
    let project = ProjectView::find(&context, &session, id).await?;
    session.require_recent(&context)?;
    let request = KeyRequest {
        id: KeyId(form.nonce),
        label: Some(form.label.clone()),
        expires_in: form.expiry.life(),
        quota: Some(context.rules().keys_per_project),
    };
    let (store, actor) = (context.store(), session.actor());
    match lifecycle::issue(store, actor, id, request, context.now()).await {
        Ok(issued) => show_once(&context, &session, &project, &issued, None),
        Err(error @ KeyChangeError::Label) => {
            let error = Some(sentence(&error));
            refused(&new_key_page(&context, &session, &project, &form, error))
        }
        Err(error) => Err(PageError::from_key_change(error, id)),
    }
}

/// `GET /dashboard/projects/{project}/keys/{key}/rotate`
pub(super) async fn rotation(
    State(context): State<Context>,
    session: Session,
    KeyPath(project, key): KeyPath,
) -> PageResult {
    let (project, key) = live_key(&context, &session, project, key).await?;
    session.require_recent(&context)?;
    if key.replaced_by.is_some() {
        return Err(PageError::KeyRotated(ProjectId(project.id)));
    }
    session.require_unsuspended(&context).await?;
    let longest = after(context.now(), Overlap::LONGEST);
    page(&RotateKeyPage {
        shell: session.shell(&context),
        side: session.side_of(&project),
        project: &project,
        key: &key,
        ends: key.ends.filter(|ends| ends.at < longest),
        nonce: Uuid::now_v7(),
        overlap: Overlap::default(),
        expiry: Expiry::default(),
    })
}

/// `POST /dashboard/projects/{project}/keys/{key}/rotate`
pub(super) async fn rotate(
    State(context): State<Context>,
    session: Session,
    KeyPath(id, key): KeyPath,
    Form(form): Form<RotateForm>,
) -> PageResult {
    let project = ProjectView::find(&context, &session, id).await?;
    session.require_recent(&context)?;
    let successor = KeyRequest {
        id: KeyId(form.nonce),
        label: None,
        expires_in: form.expiry.life(),
        quota: Some(context.rules().keys_per_project),
    };
    let (store, old) = (context.store(), session.key(id, key));
    let overlap = form.overlap.time();
    let now = context.now();
    let rotated = lifecycle::rotate(store, old, overlap, successor, now).await;
    let rotated = rotated.map_err(|error| PageError::from_key_change(error, id))?;
    let old_ends = Time {
        at: rotated.ends,
        now,
    };
    show_once(
        &context,
        &session,
        &project,
        &rotated.successor,
        Some(old_ends),
    )
}

/// `GET /dashboard/projects/{project}/keys/{key}/revoke`
pub(super) async fn revocation(
    State(context): State<Context>,
    session: Session,
    KeyPath(project, key): KeyPath,
) -> PageResult {
    let (project, key) = live_key(&context, &session, project, key).await?;
    page(&RevokeKeyPage {
        shell: session.shell(&context),
        side: session.side_of(&project),
        project: &project,
        key: &key,
    })
}

/// `POST /dashboard/projects/{project}/keys/{key}/revoke`
pub(super) async fn revoke(
    State(context): State<Context>,
    session: Session,
    KeyPath(project, key): KeyPath,
) -> PageResult {
    let revoked = lifecycle::revoke(context.store(), session.key(project, key), context.now());
    match revoked.await {
        // One that is revoked already is as it was asked to be.
        Ok(()) | Err(KeyChangeError::Refused(KeyRefusal::Ended(..))) => {
            Ok(Notice::KeyRevoked.see_other(&format!("/dashboard/projects/{}", project.0)))
        }
        Err(error) => Err(PageError::from_key_change(error, project)),
    }
}

/// `GET /dashboard/projects/{project}/keys/{key}/rename`
pub(super) async fn renaming(
    State(context): State<Context>,
    session: Session,
    KeyPath(project, key): KeyPath,
) -> PageResult {
    let (project, key) = live_key(&context, &session, project, key).await?;
    page(&RenameKeyPage {
        shell: session.shell(&context),
        side: session.side_of(&project),
        project: &project,
        key: &key,
        label: key.label.as_deref().unwrap_or_default(),
        error: None,
    })
}

/// `POST /dashboard/projects/{project}/keys/{key}/rename`
pub(super) async fn rename(
    State(context): State<Context>,
    session: Session,
    KeyPath(project, key): KeyPath,
    Form(form): Form<LabelForm>,
) -> PageResult {
    let (store, of) = (context.store(), session.key(project, key));
    match lifecycle::rename(store, of, &form.label, context.now()).await {
        Ok(()) => Ok(Notice::KeyRenamed.see_other(&format!("/dashboard/projects/{}", project.0))),
        Err(error @ KeyChangeError::Label) => {
            let (project, key) = live_key(&context, &session, project, key).await?;
            refused(&RenameKeyPage {
                shell: session.shell(&context),
                side: session.side_of(&project),
                project: &project,
                key: &key,
                label: &form.label,
                error: Some(sentence(&error)),
            })
        }
        Err(error) => Err(PageError::from_key_change(error, project)),
    }
}

/// `GET /dashboard/projects/{project}/keys/{key}/disable`: a page that disables it, or enables it again.
pub(super) async fn disabling(
    State(context): State<Context>,
    session: Session,
    KeyPath(project, key): KeyPath,
) -> PageResult {
    let (project, key) = live_key(&context, &session, project, key).await?;
    if key.is_disabled() {
        session.require_recent(&context)?;
    }
    page(&DisableKeyPage {
        shell: session.shell(&context),
        side: session.side_of(&project),
        project: &project,
        key: &key,
    })
}

/// `POST /dashboard/projects/{project}/keys/{key}/disable`
pub(super) async fn disable(
    State(context): State<Context>,
    session: Session,
    KeyPath(project, key): KeyPath,
) -> PageResult {
    switch(&context, session.key(project, key), KeySwitch::Disabled).await
}

/// `POST /dashboard/projects/{project}/keys/{key}/enable`
pub(super) async fn enable(
    State(context): State<Context>,
    session: Session,
    KeyPath(project, key): KeyPath,
) -> PageResult {
    ProjectView::find(&context, &session, project).await?;
    session.require_recent(&context)?;
    switch(&context, session.key(project, key), KeySwitch::Enabled).await
}

async fn switch(context: &Context, key: KeyOfProject, to: KeySwitch) -> PageResult {
    let switched = lifecycle::switch(context.store(), key, to, context.now()).await;
    switched.map_err(|error| PageError::from_key_change(error, key.project))?;
    let notice = match to {
        KeySwitch::Disabled => Notice::KeyDisabled,
        KeySwitch::Enabled => Notice::KeyEnabled,
    };
    Ok(notice.see_other(&format!("/dashboard/projects/{}", key.project.0)))
}

/// The page of a new key, in the answer to the form, so that no other address shows it.
pub(super) fn show_once(
    context: &Context,
    session: &Session,
    project: &ProjectView,
    issued: &IssuedKey,
    old_ends: Option<Time>,
) -> PageResult {
    page(&IssuedKeyPage {
        shell: session.shell(context),
        side: session.side_of(project),
        project,
        key: issued.key.reveal(),
        old_ends,
    })
}

fn new_key_page<'a>(
    context: &'a Context,
    session: &'a Session,
    project: &'a ProjectView,
    form: &'a NewKeyForm,
    error: Option<String>,
) -> NewKeyPage<'a> {
    NewKeyPage {
        shell: session.shell(context),
        side: session.side_of(project),
        project,
        nonce: form.nonce,
        label: &form.label,
        expiry: form.expiry,
        error,
    }
}

/// The keys of a project, oldest first.
pub(super) async fn list(
    context: &Context,
    actor: Actor,
    project: ProjectId,
) -> Result<Vec<KeyRecord>, PageError> {
    let keys = lifecycle::list(context.store(), actor, project).await;
    keys.map_err(|error| PageError::from_key_change(error, project))
}

/// A key that can be changed still, with its project.
async fn live_key(
    context: &Context,
    session: &Session,
    project: ProjectId,
    key: KeyId,
) -> Result<(ProjectView, KeyView), PageError> {
    let view = ProjectView::find(context, session, project).await?;
    let keys = KeyView::all(context, session, session.actor(), project).await?;
    let key = keys.into_iter().find(|found| found.id == key.0);
    let key = key.ok_or(PageError::NotFound)?;
    match key.end {
        None => Ok((view, key)),
        Some(end) => Err(PageError::KeyEnded(project, end)),
    }
}
