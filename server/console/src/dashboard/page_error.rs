//! Errors as pages, which give advice and show nothing of the server's inside.

use std::borrow::Cow;

use axum::body::Body;
use axum::response::{IntoResponse, Response};
use http::header::RETRY_AFTER;
use http::{HeaderValue, StatusCode};

use crate::accounts::sign_in::SignInError;
use crate::members::{MemberError, MemberRejection};
use crate::oidc::{OidcError, OidcRejection};
use crate::operators::OperatorError;
use crate::passkeys::PasskeyError;
use crate::tier_requests::{TierRequestError, TierRequestRejection};
use db::DbError;
use features::claims::{ClaimError, ClaimRejection};
use features::configs::ConfigError;
use features::events::WebhookId;
use features::keys::lifecycle::KeyChangeError;
use features::keys::{KeyEnd, KeyId, KeyRejection};
use features::project_lifecycle::{ProjectChangeError, ProjectRejection};
use features::projects::ProjectId;
use features::suspensions::SuspensionError;
use features::webhooks::{WebhookError, WebhookRejection};

/// The reason why a page is not shown.
///
/// As a response it is bare; [`super::router`] shows it as a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PageError {
    /// The user is not signed in: redirects to the sign-in page.
    SignedOut,
    /// The sign-in is too long ago for this: it is asked for again.
    NotRecent,
    /// The account is an operator, and its session began without a passkey: the page says how to get one.
    NoPasskey,
    /// There is no such page, or it is another account's.
    NotFound,
    /// The account is a member of the project, and only owners may do this.
    NotOwner,
    /// The account owns a project that is suspended.
    OwnsSuspended,
    /// The page does not take this method.
    Method,
    /// A form was sent from elsewhere.
    WrongOrigin,
    /// The request is for another host.
    WrongHost,
    /// A form is not one of the dashboard's.
    Malformed,
    TooLarge,
    /// The project has sent as many test events as it may within an hour.
    TestQuota,
    /// The form was sent before, and made this.
    Repeated(Made),
    /// The project has as many keys as it may.
    KeyQuota,
    KeyEnded(ProjectId, KeyEnd),
    /// The key of the project was rotated already.
    KeyRotated(ProjectId),
    /// Too many requests of one network.
    TooMany,
    /// Too many forms of one session within a minute.
    TooManyChanges,
    /// Too many mails to one address, or from one network.
    TooManyMails,
    /// The database does not answer, or not in time.
    Unavailable,
    /// A defect, which is logged.
    Internal,
}

/// The object that a form has made that was sent before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Made {
    Project(ProjectId),
    Key(ProjectId, KeyId),
    Config(ProjectId),
    Webhook(ProjectId, WebhookId),
}

impl Made {
    /// Links to the object, or to a remedy: their texts and paths.
    pub(super) fn links(self) -> Vec<(&'static str, String)> {
        match self {
            Self::Project(project) => vec![("Open the project", page(project))],
            Self::Key(project, KeyId(key)) => vec![
                ("View keys", keys(project)),
                ("Revoke the key", format!("{}/{key}/revoke", keys(project))),
            ],
            Self::Config(project) => vec![("View configs", format!("{}/configs", page(project)))],
            Self::Webhook(project, WebhookId(webhook)) => vec![(
                "Open the webhook",
                format!("{}/webhooks/{webhook}", page(project)),
            )],
        }
    }

    fn advice(self) -> &'static str {
        match self {
            Self::Project(_) | Self::Config(_) => {
                "This form was already processed, so nothing changed."
            }
            Self::Key(..) => {
                "This form was already processed, so nothing changed. The key is shown only once. If you did not save \
                 it, revoke it and create another."
            }
            Self::Webhook(..) => {
                "This form was already processed, so nothing changed. The secret is shown only once. If you did not \
                 save it, rotate it."
            }
        }
    }
}

/// The path of a project.
fn page(ProjectId(id): ProjectId) -> String {
    format!("/dashboard/projects/{id}")
}

/// The path of the list of a project's keys.
fn keys(project: ProjectId) -> String {
    format!("{}/keys", page(project))
}

/// The words for an error.
pub(super) struct Words {
    pub(super) title: &'static str,
    pub(super) advice: Cow<'static, str>,
}

impl Words {
    fn of_ended_key(end: KeyEnd) -> Self {
        let (title, was, at) = match end {
            KeyEnd::Revoked(at) => ("This key is revoked", "was revoked", at),
            KeyEnd::Expired(at) => ("This key has expired", "expired", at),
        };
        let at = at.strftime("%-d %b %Y, %H:%M UTC");
        let advice =
            format!("It {was} on {at} and can no longer be changed. Create a new key instead.");
        Self {
            title,
            advice: advice.into(),
        }
    }
}

impl PageError {
    pub(super) fn status(self) -> StatusCode {
        match self {
            Self::SignedOut | Self::NotRecent | Self::NoPasskey => StatusCode::SEE_OTHER,
            Self::NotFound => StatusCode::NOT_FOUND,
            Self::Method => StatusCode::METHOD_NOT_ALLOWED,
            Self::WrongOrigin | Self::NotOwner | Self::OwnsSuspended => StatusCode::FORBIDDEN,
            Self::WrongHost => StatusCode::MISDIRECTED_REQUEST,
            Self::Malformed => StatusCode::BAD_REQUEST,
            Self::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Self::Repeated(_)
            | Self::TestQuota
            | Self::KeyQuota
            | Self::KeyEnded(..)
            | Self::KeyRotated(_) => StatusCode::CONFLICT,
            Self::TooMany | Self::TooManyChanges | Self::TooManyMails => {
                StatusCode::TOO_MANY_REQUESTS
            }
            Self::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
            Self::Internal => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    /// Whether it is an error of an account's request, so that its page stands in the account's frame. Other errors
    /// ask the database for nothing.
    pub(super) fn is_of_account(self) -> bool {
        match self {
            Self::NotFound
            | Self::NotOwner
            | Self::OwnsSuspended
            | Self::Method
            | Self::Malformed
            | Self::TooLarge
            | Self::TestQuota
            | Self::Repeated(_)
            | Self::KeyQuota
            | Self::KeyEnded(..)
            | Self::KeyRotated(_) => true,
            Self::SignedOut
            | Self::NotRecent
            | Self::NoPasskey
            | Self::WrongOrigin
            | Self::WrongHost
            | Self::TooMany
            | Self::TooManyChanges
            | Self::TooManyMails
            | Self::Unavailable
            | Self::Internal => false,
        }
    }

    /// The error of a sign-in that failed for no reason of the person's.
    pub(super) fn from_sign_in(error: SignInError) -> Self {
        match error {
            SignInError::Limit(_) => Self::TooManyMails,
            SignInError::Rejected(_) => Self::Malformed,
            SignInError::Random(error) => error.into(),
            SignInError::Template(error) => error.into(),
            SignInError::Db(error) => error.into(),
        }
    }

    /// Links to what to do about it, on a page about a project: their texts and paths.
    pub(super) fn links(self, project: Option<ProjectId>) -> Vec<(&'static str, String)> {
        match self {
            Self::Repeated(made) => made.links(),
            Self::KeyEnded(project, _) => vec![
                ("Create a key", format!("{}/new", keys(project))),
                ("View keys", keys(project)),
            ],
            Self::KeyRotated(project) => vec![("View keys", keys(project))],
            Self::KeyQuota => project
                .map(|it| ("View keys", keys(it)))
                .into_iter()
                .collect(),
            Self::NotOwner => {
                let members = project.map(|it| ("View members", format!("{}/members", page(it))));
                members.into_iter().collect()
            }
            _ => Vec::new(),
        }
    }

    pub(super) fn words(self) -> Words {
        let (title, advice) = match self {
            Self::SignedOut => ("You are not signed in", "Sign in to see this page."),
            Self::NotRecent => (
                "Confirm it’s you",
                "This action requires a sign-in within the last ten minutes.",
            ),
            Self::NoPasskey => ("Passkey required", "Confirm it’s you with your passkey."),
            Self::NotFound => (
                "Page not found",
                "Check the address. The page may also belong to another account.",
            ),
            Self::NotOwner => (
                "Owners only",
                "Only the project’s owners can do this. Ask one of them.",
            ),
            Self::OwnsSuspended => (
                "One of your projects is suspended",
                "Until an operator resumes it, you cannot create, rename or delete projects, become an owner, manage \
                 members, create keys, request a tier or delete your account. Open the project to see the reason.",
            ),
            Self::Method => (
                "Nothing to see here",
                "This address only accepts form submissions. Go back and submit the form.",
            ),
            Self::WrongOrigin => (
                "This form came from another site",
                "Nothing was changed. Open the page directly and submit the form again. If a browser extension hides \
                 the Origin or Referer header, allow it for this site.",
            ),
            Self::WrongHost => (
                "Wrong address",
                "Open the dashboard at the address below. If you are already there, the operator must configure the \
                 proxy to forward the Host header.",
            ),
            Self::Malformed => (
                "Invalid form",
                "Nothing was changed. Go back, reload the page and try again.",
            ),
            Self::TooLarge => (
                "Form too large",
                "Nothing was changed. Go back and shorten your text.",
            ),
            Self::TestQuota => (
                "Too many test events",
                "The project sent 100 test events within an hour. Redeliver one of them, or wait until the hour is over.",
            ),
            Self::Repeated(created) => ("Already submitted", created.advice()),
            Self::KeyQuota => (
                "Key limit reached",
                "Valid keys and keys created in the last 24 hours count. Revoke keys you no longer use, or try again \
                 tomorrow.",
            ),
            Self::KeyEnded(_, end) => return Words::of_ended_key(end),
            Self::KeyRotated(_) => (
                "Key already rotated",
                "Nothing was changed. The list of keys shows its replacement. If you lost that one, revoke it and \
                 create another.",
            ),
            Self::TooMany => (
                "Too many requests",
                "Too many requests came from your network. Try again in a minute.",
            ),
            Self::TooManyChanges => (
                "Too many changes",
                "Nothing was changed. You made 120 changes within a minute. Wait a minute, then try again.",
            ),
            Self::TooManyMails => (
                "Too many emails",
                "We have sent many emails to this address. Try again in an hour.",
            ),
            Self::Unavailable => (
                "Temporarily unavailable",
                "Reload the page in a few seconds. Check whether your change was saved before you repeat it.",
            ),
            Self::Internal => (
                "Something went wrong",
                "We logged the error. Try again. If it keeps happening, tell an operator when it happened.",
            ),
        };
        Words {
            title,
            advice: advice.into(),
        }
    }
}

impl IntoResponse for PageError {
    fn into_response(self) -> Response {
        let mut response = Response::new(Body::empty());
        *response.status_mut() = self.status();
        let wait = match self {
            Self::TooMany | Self::Unavailable => Some("5"),
            Self::TooManyChanges => Some("60"),
            Self::TooManyMails => Some("3600"),
            _ => None,
        };
        if let Some(wait) = wait.map(HeaderValue::from_static) {
            response.headers_mut().insert(RETRY_AFTER, wait);
        }
        response.extensions_mut().insert(self);
        response
    }
}

impl From<DbError> for PageError {
    fn from(error: DbError) -> Self {
        tracing::warn!(%error, "the database cannot serve a page of the dashboard");
        match error {
            DbError::Corrupt(_) | DbError::Rejected(_) => Self::Internal,
            _ => Self::Unavailable,
        }
    }
}

impl From<ConfigError> for PageError {
    fn from(error: ConfigError) -> Self {
        match error {
            // The forms check what a config is rejected for.
            ConfigError::Rejected(_) => Self::Malformed,
            ConfigError::Random(error) => error.into(),
            ConfigError::Db(error) => error.into(),
        }
    }
}

impl From<askama::Error> for PageError {
    fn from(error: askama::Error) -> Self {
        tracing::error!(%error, "cannot render a page");
        Self::Internal
    }
}

impl From<getrandom::Error> for PageError {
    fn from(error: getrandom::Error) -> Self {
        tracing::error!(%error, "cannot read random bytes from the operating system");
        Self::Internal
    }
}

impl PageError {
    /// The error of a change of a project's keys, whose form may have been sent before.
    pub(super) fn from_key_change(error: KeyChangeError, project: ProjectId) -> Self {
        match error {
            KeyChangeError::Rejected(rejection) => Self::from_key_rejection(rejection, project),
            KeyChangeError::Label(_) => Self::Malformed,
            KeyChangeError::Random(error) => error.into(),
            KeyChangeError::Db(error) => error.into(),
        }
    }

    fn from_key_rejection(rejection: KeyRejection, project: ProjectId) -> Self {
        match rejection {
            KeyRejection::UnknownProject(_) | KeyRejection::UnknownKey(_) => Self::NotFound,
            KeyRejection::AlreadyIssued(key) => Self::Repeated(Made::Key(project, key)),
            KeyRejection::Ended(_, end) => Self::KeyEnded(project, end),
            KeyRejection::Rotated(..) => Self::KeyRotated(project),
            KeyRejection::Quota(_) => Self::KeyQuota,
            KeyRejection::OwnsSuspended(_) => Self::OwnsSuspended,
        }
    }
}

impl PageError {
    /// The error of a change of a webhook, whose form may have been sent before.
    pub(super) fn from_webhook(error: WebhookError, made: Made) -> Self {
        match error {
            WebhookError::Rejected(WebhookRejection::Unknown) => Self::NotFound,
            WebhookError::Rejected(WebhookRejection::Repeated) => Self::Repeated(made),
            WebhookError::Rejected(WebhookRejection::TestQuotaExceeded) => Self::TestQuota,
            WebhookError::Db(error) => error.into(),
            WebhookError::Secret(error) => {
                tracing::error!(%error, "cannot create the secret of a webhook");
                Self::Internal
            }
            // A form says these, unless it has none of their fields; it has neither keys nor conditions.
            WebhookError::Rejected(_)
            | WebhookError::Target(_)
            | WebhookError::Undecryptable(_) => Self::Malformed,
        }
    }
}

impl From<OidcError> for PageError {
    fn from(error: OidcError) -> Self {
        match error {
            OidcError::Rejected(OidcRejection::Unknown) => Self::NotFound,
            OidcError::Rejected(_) => Self::Malformed,
            OidcError::Provider(_) => Self::Unavailable,
            OidcError::Template(error) => error.into(),
            OidcError::Random(error) => error.into(),
            OidcError::Db(error) => error.into(),
        }
    }
}

impl From<PasskeyError> for PageError {
    fn from(error: PasskeyError) -> Self {
        match error {
            PasskeyError::Limit(_) => Self::TooMany,
            PasskeyError::Rejected(_) => Self::Malformed,
            PasskeyError::Template(error) => error.into(),
            PasskeyError::Random(error) => error.into(),
            PasskeyError::Db(error) => error.into(),
            PasskeyError::Stored(_) | PasskeyError::Begin(_) => {
                tracing::error!(%error, "passkey ceremony failed");
                Self::Internal
            }
        }
    }
}

impl From<ClaimError> for PageError {
    fn from(error: ClaimError) -> Self {
        match error {
            ClaimError::Rejected(ClaimRejection::Unknown | ClaimRejection::Forbidden) => {
                Self::NotFound
            }
            ClaimError::Rejected(ClaimRejection::NotOwner) => Self::NotOwner,
            ClaimError::Db(error) => error.into(),
            ClaimError::Rejected(_) | ClaimError::Signature(_) | ClaimError::Note => {
                Self::Malformed
            }
        }
    }
}

impl From<OperatorError> for PageError {
    fn from(error: OperatorError) -> Self {
        match error {
            OperatorError::Rejected(_) => Self::NotFound,
            OperatorError::Random(error) => error.into(),
            OperatorError::Db(error) => error.into(),
        }
    }
}

impl From<SuspensionError> for PageError {
    fn from(error: SuspensionError) -> Self {
        match error {
            SuspensionError::Reason(_) => Self::Malformed,
            SuspensionError::Rejected(_) => Self::NotFound,
            SuspensionError::Template(error) => error.into(),
            SuspensionError::Db(error) => error.into(),
        }
    }
}

impl From<TierRequestError> for PageError {
    fn from(error: TierRequestError) -> Self {
        match error {
            TierRequestError::Sentence(_) => Self::Malformed,
            TierRequestError::Rejected(TierRequestRejection::OwnsSuspended(_)) => {
                Self::OwnsSuspended
            }
            TierRequestError::Rejected(_) => Self::NotFound,
            TierRequestError::Template(error) => error.into(),
            TierRequestError::Db(error) => error.into(),
        }
    }
}

impl From<ProjectChangeError> for PageError {
    fn from(error: ProjectChangeError) -> Self {
        match error {
            ProjectChangeError::Rejected(
                ProjectRejection::Unknown(_) | ProjectRejection::Forbidden,
            ) => Self::NotFound,
            ProjectChangeError::Rejected(ProjectRejection::NotOwner) => Self::NotOwner,
            ProjectChangeError::Rejected(ProjectRejection::OwnsSuspended(_)) => Self::OwnsSuspended,
            ProjectChangeError::Rejected(ProjectRejection::AlreadyMade(project)) => {
                Self::Repeated(Made::Project(project))
            }
            ProjectChangeError::Db(error) => error.into(),
            _ => Self::Malformed,
        }
    }
}

impl From<MemberError> for PageError {
    fn from(error: MemberError) -> Self {
        match error {
            MemberError::Rejected(MemberRejection::NotOwner) => Self::NotOwner,
            MemberError::Rejected(MemberRejection::OwnsSuspended(_)) => Self::OwnsSuspended,
            MemberError::Rejected(MemberRejection::Limit(_)) => Self::TooManyMails,
            MemberError::Rejected(_) => Self::NotFound,
            MemberError::Random(error) => error.into(),
            MemberError::Template(error) => error.into(),
            MemberError::Db(error) => error.into(),
        }
    }
}
