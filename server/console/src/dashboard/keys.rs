//! The keys of a project: issue, rotate, rename, disable, revoke.

use std::collections::HashMap;
use std::fmt;

use askama::Template;
use edge::clock::after;
use jiff::Timestamp;
use serde::Deserialize;
use uuid::Uuid;

use super::choice::{Expiry, Overlap};
use super::confirmation::{Confirmation, Inline, prose};
use super::extract::{Form, KeyPath, ProjectPath};
use super::notice::Notice;
use super::page::{Frame, PageResult, sentence};
use super::page_error::PageError;
use super::projects::{self, ProjectView};
use super::session::Session;
use super::time::Time;
use super::usage::KeyUse;
use features::audit::{self, AuditAction, AuditAuthor, AuditEntry};
use features::domain::email::Email;
use features::domain::ids::AccountId;
use features::keys::lifecycle::{self, IssuedKey, KeyChangeError, KeyRequest};
use features::keys::{
    self, KeyEnd, KeyId, KeyLabels, KeyOfProject, KeyRecord, KeyRejection, KeySwitch,
};
use features::projects::{Actor, ProjectId};
use features::usage::{self, LastUses};

#[derive(Template)]
#[template(path = "dashboard/new_key.html")]
struct NewKeyPage<'a> {
    project: &'a ProjectView,
    form: &'a NewKeyForm,
    error: Option<String>,
}

#[derive(Template)]
#[template(path = "dashboard/issued_key.html")]
struct IssuedKeyPage<'a> {
    project: &'a ProjectView,
    api: &'a str,
    key: &'a str,
    /// When the old key ends, if there is one.
    old_ends: Option<Time>,
}

#[derive(Template)]
#[template(path = "dashboard/rotate_key.html")]
struct RotateKeyPage<'a> {
    project: &'a ProjectView,
    key: &'a KeyView,
    /// When it ends in any case, if that is before the end of the longest overlap.
    ends: Option<Time>,
    nonce: Uuid,
}

#[derive(Template)]
#[template(path = "dashboard/rename_key.html")]
struct RenameKeyPage<'a> {
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

/// The path of the keys of a project.
pub(super) fn path(project: ProjectId) -> String {
    format!("{}/keys", projects::path(project))
}

/// The layout of a page below the list of keys.
fn frame_below<'a>(session: &'a Session, project: &ProjectView) -> Frame<'a> {
    let frame = session.frame_of(project);
    frame.below("Keys", path(ProjectId(project.id)))
}

/// `GET /dashboard/projects/{project}/keys/new`
pub(super) async fn new(session: Session, ProjectPath(project): ProjectPath) -> PageResult {
    let project = ProjectView::find(&session, project).await?;
    session.require_recent()?;
    session.require_unsuspended().await?;
    let form = NewKeyForm {
        nonce: Uuid::now_v7(),
        label: String::new(),
        expiry: Expiry::default(),
    };
    new_key_page(&session, &project, &form, None)
}

/// `POST /dashboard/projects/{project}/keys`
pub(super) async fn issue(
    session: Session,
    ProjectPath(id): ProjectPath,
    Form(form): Form<NewKeyForm>,
) -> PageResult {
    let project = ProjectView::find(&session, id).await?;
    session.require_recent()?;
    let request = KeyRequest {
        id: KeyId(form.nonce),
        labels: KeyLabels::with_label(&form.label),
        expires_in: form.expiry.life(),
        quota: Some(session.context.rules().keys_per_project),
    };
    let (store, actor) = (session.store(), session.actor());
    match lifecycle::issue(store, actor, id, request, session.now()).await {
        Ok(issued) => show_once(&session, &project, &issued, None),
        Err(error @ KeyChangeError::Label(_)) => {
            new_key_page(&session, &project, &form, Some(sentence(&error)))
        }
        Err(error) => Err(PageError::from_key_change(error, id)),
    }
}

fn new_key_page(
    session: &Session,
    project: &ProjectView,
    form: &NewKeyForm,
    error: Option<String>,
) -> PageResult {
    let frame = frame_below(session, project).rejected_if(error.is_some());
    let page = NewKeyPage {
        project,
        form,
        error,
    };
    frame.page("Create a key", &page)
}

/// `GET /dashboard/projects/{project}/keys/{key}/rotate`
pub(super) async fn rotation(session: Session, KeyPath(project, key): KeyPath) -> PageResult {
    let (project, key) = live_key(&session, project, key).await?;
    session.require_recent()?;
    if key.replaced_by.is_some() {
        return Err(PageError::KeyRotated(ProjectId(project.id)));
    }
    session.require_unsuspended().await?;
    let longest = after(session.now(), Overlap::LONGEST);
    let page = RotateKeyPage {
        project: &project,
        ends: key.ends.filter(|ends| ends.at < longest),
        key: &key,
        nonce: Uuid::now_v7(),
    };
    frame_below(&session, &project).page("Rotate a key", &page)
}

/// `POST /dashboard/projects/{project}/keys/{key}/rotate`
pub(super) async fn rotate(
    session: Session,
    KeyPath(id, key): KeyPath,
    Form(form): Form<RotateForm>,
) -> PageResult {
    let project = ProjectView::find(&session, id).await?;
    session.require_recent()?;
    let successor = KeyRequest {
        id: KeyId(form.nonce),
        quota: Some(session.context.rules().keys_per_project),
        ..KeyRequest::lasting(form.expiry.life())
    };
    let (store, old, now) = (session.store(), session.key(id, key), session.now());
    let rotated = lifecycle::rotate(store, old, form.overlap.time(), successor, now).await;
    let rotated = rotated.map_err(|error| PageError::from_key_change(error, id))?;
    let at = rotated.ends;
    show_once(
        &session,
        &project,
        &rotated.successor,
        Some(Time { at, now }),
    )
}

/// The page of a new key, in the response to the form, so that no other address shows it.
pub(super) fn show_once(
    session: &Session,
    project: &ProjectView,
    issued: &IssuedKey,
    old_ends: Option<Time>,
) -> PageResult {
    let page = IssuedKeyPage {
        project,
        api: session.api(),
        key: issued.key.reveal(),
        old_ends,
    };
    frame_below(session, project).page("Your new key", &page)
}

/// `GET /dashboard/projects/{project}/keys/{key}/revoke`
pub(super) async fn revocation(session: Session, KeyPath(project, key): KeyPath) -> PageResult {
    let (project, key) = live_key(&session, project, key).await?;
    let path = key.path(&project);
    let page = Confirmation {
        question: prose![format!("Revoke “{}”?", key.name())],
        lead: prose![
            "Requests with ",
            key.code(),
            " are rejected within a second. This cannot be undone.",
        ],
        details: prose![
            "To replace a key without downtime, ",
            Inline::Link("rotate it", format!("{path}/rotate")),
            " instead.",
        ],
        action: format!("{path}/revoke"),
        button: "Revoke key",
        cancel: format!("{}/keys", project.path()),
        ..Confirmation::default()
    };
    frame_below(&session, &project).page("Revoke a key", &page)
}

/// `POST /dashboard/projects/{project}/keys/{key}/revoke`
pub(super) async fn revoke(session: Session, KeyPath(project, key): KeyPath) -> PageResult {
    let revoked = lifecycle::revoke(session.store(), session.key(project, key), session.now());
    match revoked.await {
        // One that is revoked already is as it was asked to be.
        Ok(()) | Err(KeyChangeError::Rejected(KeyRejection::Ended(..))) => {
            Ok(Notice::KeyRevoked.see_other(&path(project)))
        }
        Err(error) => Err(PageError::from_key_change(error, project)),
    }
}

/// `GET /dashboard/projects/{project}/keys/{key}/rename`
pub(super) async fn renaming(session: Session, KeyPath(project, key): KeyPath) -> PageResult {
    let (project, key) = live_key(&session, project, key).await?;
    let label = key.labels.label.as_deref().unwrap_or_default();
    rename_page(&session, &project, &key, label, None)
}

/// `POST /dashboard/projects/{project}/keys/{key}/rename`
pub(super) async fn rename(
    session: Session,
    KeyPath(project, key): KeyPath,
    Form(LabelForm { label }): Form<LabelForm>,
) -> PageResult {
    let (store, of) = (session.store(), session.key(project, key));
    match lifecycle::rename(store, of, &label, session.now()).await {
        Ok(()) => Ok(Notice::KeyRenamed.see_other(&path(project))),
        Err(error @ KeyChangeError::Label(_)) => {
            let (project, key) = live_key(&session, project, key).await?;
            rename_page(&session, &project, &key, &label, Some(sentence(&error)))
        }
        Err(error) => Err(PageError::from_key_change(error, project)),
    }
}

fn rename_page(
    session: &Session,
    project: &ProjectView,
    key: &KeyView,
    label: &str,
    error: Option<String>,
) -> PageResult {
    let frame = frame_below(session, project).rejected_if(error.is_some());
    let page = RenameKeyPage {
        project,
        key,
        label,
        error,
    };
    frame.page("Rename a key", &page)
}

/// `GET /dashboard/projects/{project}/keys/{key}/disable`: a page that disables it, or enables it again.
pub(super) async fn disabling(session: Session, KeyPath(project, key): KeyPath) -> PageResult {
    let (project, key) = live_key(&session, project, key).await?;
    let path = key.path(&project);
    let (title, page) = if key.is_disabled() {
        session.require_recent()?;
        let page = Confirmation {
            question: prose![format!("Enable “{}”?", key.name())],
            lead: prose![
                "Requests with ",
                key.code(),
                " are accepted again within a second.",
            ],
            action: format!("{path}/enable"),
            button: "Enable key",
            cancel: format!("{}/keys", project.path()),
            ..Confirmation::default()
        };
        ("Enable a key", page)
    } else {
        let page = Confirmation {
            question: prose![format!("Disable “{}”?", key.name())],
            lead: prose![
                "Requests with ",
                key.code(),
                " are rejected within a second, until you enable the key again.",
            ],
            details: prose![
                "If the key may have leaked, ",
                Inline::Link("revoke it", format!("{path}/revoke")),
                " instead.",
            ],
            action: format!("{path}/disable"),
            button: "Disable key",
            cancel: format!("{}/keys", project.path()),
            ..Confirmation::default()
        };
        ("Disable a key", page)
    };
    let page = Confirmation {
        is_harmless: true,
        ..page
    };
    frame_below(&session, &project).page(title, &page)
}

/// `POST /dashboard/projects/{project}/keys/{key}/disable`
pub(super) async fn disable(session: Session, KeyPath(project, key): KeyPath) -> PageResult {
    switch(&session, session.key(project, key), KeySwitch::Disabled).await
}

/// `POST /dashboard/projects/{project}/keys/{key}/enable`
pub(super) async fn enable(session: Session, KeyPath(project, key): KeyPath) -> PageResult {
    ProjectView::find(&session, project).await?;
    session.require_recent()?;
    switch(&session, session.key(project, key), KeySwitch::Enabled).await
}

async fn switch(session: &Session, key: KeyOfProject, to: KeySwitch) -> PageResult {
    let switched = lifecycle::switch(session.store(), key, to, session.now()).await;
    switched.map_err(|error| PageError::from_key_change(error, key.project))?;
    let notice = match to {
        KeySwitch::Disabled => Notice::KeyDisabled,
        KeySwitch::Enabled => Notice::KeyEnabled,
    };
    Ok(notice.see_other(&path(key.project)))
}

/// The keys of a project, oldest first.
pub(super) async fn list(
    session: &Session,
    actor: Actor,
    project: ProjectId,
) -> Result<Vec<KeyRecord>, PageError> {
    let keys = lifecycle::list(session.store(), actor, project).await;
    keys.map_err(|error| PageError::from_key_change(error, project))
}

/// Requires that a project has a key, which may have ended.
pub(super) async fn require_known(
    session: &Session,
    project: ProjectId,
    key: KeyId,
) -> Result<(), PageError> {
    let keys = KeyView::all(session, session.actor(), project).await?;
    let is_known = keys.iter().any(|found| found.id == key.0);
    is_known.then_some(()).ok_or(PageError::NotFound)
}

/// A key that can be changed still, with its project.
async fn live_key(
    session: &Session,
    project: ProjectId,
    key: KeyId,
) -> Result<(ProjectView, KeyView), PageError> {
    let view = ProjectView::find(session, project).await?;
    let keys = KeyView::all(session, session.actor(), project).await?;
    let key = keys.into_iter().find(|found| found.id == key.0);
    let key = key.ok_or(PageError::NotFound)?;
    match key.end {
        None => Ok((view, key)),
        Some(end) => Err(PageError::KeyEnded(project, end)),
    }
}

pub(super) struct KeyView {
    pub(super) id: Uuid,
    pub(super) labels: KeyLabels,
    pub(super) prefix: String,
    pub(super) state: KeyState,
    /// The first characters of the key that replaces it, if it was rotated.
    pub(super) replaced_by: Option<String>,
    pub(super) end: Option<KeyEnd>,
    /// Its being disabled or revoked, if it is.
    pub(super) stop: Option<KeyStop>,
    pub(super) issued: Time,
    /// The issuer.
    pub(super) by: String,
    /// When it ends or has ended, if it does.
    pub(super) ends: Option<Time>,
    pub(super) last_use: KeyUse,
}

/// The author and the time of a key's being disabled or revoked.
pub(super) struct KeyStop {
    pub(super) by: String,
    pub(super) at: Time,
}

/// The data about the keys of a project beside their records.
struct AboutKeys {
    uses: LastUses,
    issuers: Vec<(AccountId, Email)>,
    /// The latest first.
    stops: Vec<AuditEntry>,
    /// The first characters of each key.
    prefixes: HashMap<KeyId, String>,
}

impl AboutKeys {
    fn address(&self, account: AccountId) -> Option<&Email> {
        let mut issuers = self.issuers.iter();
        let found = issuers.find(|(issuer, _)| *issuer == account);
        found.map(|(_, email)| email)
    }

    /// The event by which a key came into its state.
    fn stop(&self, key: &KeyRecord, state: KeyState) -> Option<&AuditEntry> {
        self.stops
            .iter()
            .find(|entry| match (&entry.action, state) {
                (AuditAction::KeyDisabled(prefix), KeyState::Disabled)
                | (
                    AuditAction::KeyRevoked(prefix) | AuditAction::KeyLeaked(prefix),
                    KeyState::Revoked,
                ) => *prefix == key.display_prefix,
                _ => false,
            })
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum KeyState {
    Live,
    /// A member has disabled it.
    Disabled,
    /// Its project is suspended.
    Suspended,
    Expired,
    Revoked,
}

impl KeyView {
    /// The keys of a project, the newest first, as an actor that sees it asks.
    pub(super) async fn all(
        session: &Session,
        actor: Actor,
        project: ProjectId,
    ) -> Result<Vec<Self>, PageError> {
        let store = session.store();
        let keys = list(session, actor, project).await?;
        let uses = usage::store::last_uses(store, actor, project).await?;
        let prefix = |key: &KeyRecord| (key.id, key.display_prefix.clone());
        let about = AboutKeys {
            uses: uses.ok_or(PageError::NotFound)?,
            issuers: keys::store::issuers(store, project).await?,
            stops: audit::store::key_stops(store, actor, project).await?,
            prefixes: keys.iter().map(prefix).collect(),
        };
        let keys = keys.iter().rev();
        let views = keys.map(|key| Self::of(key, &about, session, session.now()));
        Ok(views.collect())
    }

    fn of(key: &KeyRecord, about: &AboutKeys, session: &Session, now: Timestamp) -> Self {
        let this = session.email();
        let by = |email: &Email| match email == this {
            true => "you".to_owned(),
            false => email.as_str().to_owned(),
        };
        let time = |at| Time { at, now };
        let end = key.end(now);
        let state = match end {
            Some(KeyEnd::Revoked(_)) => KeyState::Revoked,
            Some(KeyEnd::Expired(_)) => KeyState::Expired,
            None if key.disabled_at.is_some() => KeyState::Disabled,
            None if key.is_suspended => KeyState::Suspended,
            None => KeyState::Live,
        };
        Self {
            id: key.id.0,
            labels: key.labels.clone(),
            prefix: key.display_prefix.clone(),
            state,
            replaced_by: key
                .successor
                .and_then(|it| about.prefixes.get(&it).cloned()),
            end,
            stop: about.stop(key, state).map(|entry| KeyStop {
                by: match (&entry.action, &entry.by) {
                    (AuditAction::KeyLeaked(_), _) => "a report of a leak".to_owned(),
                    (_, AuditAuthor::Account(_, email)) => by(email),
                    _ => "an operator".to_owned(),
                },
                at: time(entry.at),
            }),
            issued: time(key.created_at),
            by: match key.made_by {
                None => "an operator".to_owned(),
                Some(account) => about
                    .address(account)
                    .map_or_else(|| "a former member".to_owned(), by),
            },
            ends: key.revoked_at.or(key.expires_at).map(time),
            last_use: KeyUse::of(key, &about.uses, now),
        }
    }

    /// Whether it has not ended, and so can be rotated, disabled and revoked.
    pub(super) fn is_live(&self) -> bool {
        self.end.is_none()
    }

    /// The path of its pages.
    fn path(&self, project: &ProjectView) -> String {
        format!("{}/keys/{}", project.path(), self.id)
    }

    /// Its first characters, as code.
    fn code(&self) -> Inline {
        Inline::Code(format!("{}…", self.prefix))
    }

    /// Its label, or else its first characters.
    pub(super) fn name(&self) -> String {
        let prefix = || format!("{}…", self.prefix);
        self.labels.label.clone().unwrap_or_else(prefix)
    }

    /// Whether it is disabled, and so can be enabled.
    pub(super) fn is_disabled(&self) -> bool {
        self.state == KeyState::Disabled
    }
}

impl KeyState {
    /// The class of its badge.
    pub(super) fn class(self) -> &'static str {
        match self {
            Self::Live => "good",
            Self::Expired | Self::Suspended | Self::Disabled => "warn",
            Self::Revoked => "bad",
        }
    }
}

impl fmt::Display for KeyState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Live => "active",
            Self::Disabled => "disabled",
            Self::Suspended => "suspended",
            Self::Expired => "expired",
            Self::Revoked => "revoked",
        })
    }
}
