//! The account that is signed in, by the session's cookie.

use axum::extract::FromRequestParts;
use http::Method;
use http::request::Parts;
use jiff::Timestamp;

use super::context::Context;
use super::notice::Notice;
use super::page::Frame;
use super::page_error::PageError;
use super::projects::ProjectView;
use super::sidebar::Sidebar;
use crate::accounts::{SessionProof, SessionSecret, SignedIn, sessions};
use crate::site::Shell;
use db::Db;
use features::domain::email::Email;
use features::domain::ids::AccountId;
use features::keys::{KeyId, KeyOfProject};
use features::projects::{self, Actor, OwnProject, ProjectId, Role};

/// Forms that are not counted as changes: they take access away, or confirm who it is. A copied cookie must not block
/// them.
const UNCOUNTED: [&str; 5] = [
    "/dashboard/sign-out",
    "/dashboard/sessions/end-others",
    "/dashboard/step-up",
    "/dashboard/step-up/oidc",
    "/dashboard/step-up/passkey",
];

/// The session of a request. It is looked up in the database, so that one that was ended is no more.
pub(super) struct Session {
    pub(super) context: Context,
    pub(super) signed_in: SignedIn,
    /// The path of the request, from which the links of the layout lead.
    path: String,
    /// What the form that led to the page has done.
    notice: Option<Notice>,
}

impl Session {
    /// The session of a secret, for a request of a path.
    pub(super) async fn find(
        context: &Context,
        secret: &SessionSecret,
        path: &str,
    ) -> Result<Self, PageError> {
        let (store, rules) = (context.store(), context.rules());
        let found = sessions::find(store, secret, rules, context.now()).await?;
        Ok(Self {
            context: Context::clone(context),
            signed_in: found.ok_or(PageError::SignedOut)?,
            path: path.to_owned(),
            notice: None,
        })
    }

    pub(super) fn store(&self) -> &Db {
        self.context.store()
    }

    pub(super) fn now(&self) -> Timestamp {
        self.context.now()
    }

    pub(super) fn api(&self) -> &str {
        &self.context.info.api
    }

    pub(super) fn account(&self) -> AccountId {
        self.signed_in.account.id
    }

    /// The account as it asks use cases.
    pub(super) fn actor(&self) -> Actor {
        Actor::Account(self.account())
    }

    /// A key of a project, as the account asks to change it.
    pub(super) fn key(&self, project: ProjectId, key: KeyId) -> KeyOfProject {
        let actor = self.actor();
        KeyOfProject {
            actor,
            project,
            key,
        }
    }

    /// Rejects a session whose sign-in is too long ago for changes that open a project to others.
    pub(super) fn require_recent(&self) -> Result<(), PageError> {
        let is_recent = self.is_recent();
        is_recent.then_some(()).ok_or(PageError::NotRecent)
    }

    /// Rejects a session whose sign-in is too long ago to change the account, or which an operator began without a
    /// passkey: who reads an operator's mailbox must not take or end the account.
    pub(super) fn require_account_change(&self) -> Result<(), PageError> {
        let proof = self.signed_in.session.proof;
        if self.signed_in.is_operator && !proof.is_passkey() {
            return Err(PageError::NoPasskey);
        }
        self.require_recent()
    }

    /// Rejects an account that owns a suspended project, before it fills in a form that the use case rejects.
    pub(super) async fn require_unsuspended(&self) -> Result<(), PageError> {
        let own = projects::store::projects_of(self.store(), self.account());
        let owns = |it: &OwnProject| it.is_suspended && it.role == Role::Owner;
        match own.await?.iter().any(owns) {
            true => Err(PageError::OwnsSuspended),
            false => Ok(()),
        }
    }

    /// Whether the sign-in is recent enough for that.
    pub(super) fn is_recent(&self) -> bool {
        self.signed_in.is_stepped_up(self.now())
    }

    /// Whether it was begun by a click in a demo.
    pub(super) fn is_demo(&self) -> bool {
        self.signed_in.session.proof == SessionProof::Demo
    }

    pub(super) fn email(&self) -> &Email {
        &self.signed_in.account.email
    }

    pub(super) fn path(&self) -> &str {
        &self.path
    }

    /// The header and footer of a page for the account.
    pub(super) fn shell(&self) -> Shell<'_> {
        Shell::new(&self.context.info, &self.path)
            .signed_in(self.email().as_str())
            .telling(self.notice.map(Notice::shown))
    }

    /// The layout of a page that is about no project.
    pub(super) fn frame(&self) -> Frame<'_> {
        let side = Sidebar::new(&self.path, None, self.signed_in.is_operator);
        Frame::with_sidebar(self.shell(), side)
    }

    /// The layout of a page about a project, below the project's own.
    pub(super) fn frame_of(&self, project: &ProjectView) -> Frame<'_> {
        let path = project.path();
        let side = Sidebar::new(&self.path, Some(project), self.signed_in.is_operator);
        let frame =
            Frame::with_sidebar(self.shell(), side).below("Projects", "/dashboard/projects");
        match self.path == path {
            true => frame,
            false => frame.below(&project.name, path),
        }
    }
}

impl FromRequestParts<Context> for Session {
    type Rejection = PageError;

    async fn from_request_parts(parts: &mut Parts, context: &Context) -> Result<Self, PageError> {
        let secret = context.session(&parts.headers);
        let secret = secret.ok_or(PageError::SignedOut)?;
        let session = Self::find(context, &secret, parts.uri.path()).await?;
        if parts.method == Method::POST && !UNCOUNTED.contains(&parts.uri.path()) {
            context.count_change(session.signed_in.session.id)?;
        }
        Ok(Self {
            notice: Notice::of_query(parts.uri.query()),
            ..session
        })
    }
}
