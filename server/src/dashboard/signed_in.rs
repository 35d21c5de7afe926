//! The account that is signed in, by the session's cookie.

use axum::extract::FromRequestParts;
use http::request::Parts;

use super::context::{Context, Shared};
use super::notice::Notice;
use super::page_error::PageError;
use super::sidebar::Sidebar;
use super::view::ProjectView;
use crate::accounts::{Email, SessionProof, SessionSecret, SignedIn, sessions};
use crate::keys::{KeyId, KeyOfProject};
use crate::projects::{Actor, OwnProject, ProjectId, Role};
use crate::site::Shell;

/// The session of a request. It is looked up in the database, so that one that was ended is no more.
pub(super) struct Session {
    pub(super) signed_in: SignedIn,
    /// The path of the request, from which the links of the frame lead.
    path: String,
    /// What the form that led to the page has done.
    notice: Option<Notice>,
}

impl Session {
    /// The session of a secret, for a request of a path.
    pub(super) async fn find(
        context: &Shared,
        secret: &SessionSecret,
        path: &str,
    ) -> Result<Self, PageError> {
        let (store, rules) = (context.store(), context.rules());
        let found = sessions::find(store, secret, rules, context.now()).await?;
        Ok(Self {
            signed_in: found.ok_or(PageError::SignedOut)?,
            path: path.to_owned(),
            notice: None,
        })
    }

    /// The account as it asks use cases.
    pub(super) fn actor(&self) -> Actor {
        Actor::Account(self.signed_in.account.id)
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

    /// Refuses a session whose sign-in is too long ago for changes that open a project to others.
    pub(super) fn require_recent(&self, context: &Shared) -> Result<(), PageError> {
        let is_recent = self.is_recent(context);
        is_recent.then_some(()).ok_or(PageError::NotRecent)
    }

    /// Refuses an account that owns a suspended project, before it fills in a form that the use case refuses.
    pub(super) async fn require_unsuspended(&self, context: &Shared) -> Result<(), PageError> {
        let own = crate::projects::store::projects_of(context.store(), self.signed_in.account.id);
        let owns = |it: &OwnProject| it.is_suspended && it.role == Role::Owner;
        match own.await?.iter().any(owns) {
            true => Err(PageError::OwnsSuspended),
            false => Ok(()),
        }
    }

    /// Whether the sign-in is recent enough for that.
    pub(super) fn is_recent(&self, context: &Shared) -> bool {
        self.signed_in.is_stepped_up(context.now())
    }

    /// Whether it was begun by a click in a demo.
    pub(super) fn is_demo(&self) -> bool {
        self.signed_in.session.proof == SessionProof::Demo
    }

    /// The address of the account.
    pub(super) fn email(&self) -> &Email {
        &self.signed_in.account.email
    }

    /// The path of the request.
    pub(super) fn path(&self) -> &str {
        &self.path
    }

    /// The frame of a page for the account.
    pub(super) fn shell<'a>(&'a self, context: &'a Shared) -> Shell<'a> {
        Shell::new(&context.info, &self.path)
            .signed_in(self.email().as_str())
            .telling(self.notice.map(Notice::shown))
    }

    /// The navigation beside a page that is about no project.
    pub(super) fn side(&self) -> Sidebar {
        Sidebar::new(&self.path, None, self.signed_in.is_operator)
    }

    /// The navigation beside a page about a project.
    pub(super) fn side_of(&self, project: &ProjectView) -> Sidebar {
        Sidebar::new(&self.path, Some(project), self.signed_in.is_operator)
    }
}

impl FromRequestParts<Context> for Session {
    type Rejection = PageError;

    async fn from_request_parts(parts: &mut Parts, context: &Context) -> Result<Self, PageError> {
        let secret = context.session(&parts.headers);
        let secret = secret.ok_or(PageError::SignedOut)?;
        let session = Self::find(context, &secret, parts.uri.path()).await?;
        Ok(Self {
            notice: Notice::of_query(parts.uri.query()),
            ..session
        })
    }
}
