//! Signing in by a provider of OpenID Connect: on the way there, and back; and the identities of an account there.
//!
//! The way there is a form, so that no other site begins it, and its answer is a page that leads on: browsers
//! follow no redirect from a form to another site under a policy of `form-action 'self'`.

use askama::Template;
use axum::extract::State;
use http::{HeaderMap, Uri};
use uuid::Uuid;

use super::account;
use super::confirmation::{Confirmation, prose};
use super::context::{Context, Shared};
use super::cookies::CookieKind;
use super::extract::{IdentityPath, QueryParameters};
use super::notice::Notice;
use super::page::{Frame, PageResult, sentence};
use super::page_error::PageError;
use super::session::Session;
use super::sign_in as pages;
use super::time::Time;
use crate::accounts::{AuthorizationSecret, PendingSignIn, SessionProof, sessions};
use crate::oidc::{
    self, AuthorizationUrl, Callback, Failure, IdentityRecord, OidcError, OidcRejection, Outcome,
    ProviderError, Purpose,
};
use features::domain::printable::printable;

const IDENTITIES: &str = "/dashboard/identities";

#[derive(Template)]
#[template(path = "dashboard/oidc_redirect.html")]
struct RedirectPage<'a> {
    provider: &'a str,
    url: &'a str,
}

#[derive(Template)]
#[template(path = "dashboard/oidc_failure.html")]
struct FailurePage<'a> {
    title: &'a str,
    provider: &'a str,
    reason: String,
    /// The form that begins again.
    again: &'a str,
    /// Another way, as a path and a text.
    instead: (&'a str, &'a str),
}

#[derive(Template)]
#[template(path = "dashboard/identities.html")]
struct IdentitiesPage<'a> {
    provider: &'a str,
    email: &'a str,
    identities: Vec<IdentityView>,
    /// Whether the sign-in is recent enough to change them.
    is_recent: bool,
}

struct IdentityView {
    id: Uuid,
    label: String,
    created: Time,
    last_used: Option<Time>,
    /// Whether this session was begun with it.
    is_this: bool,
}

/// `POST /dashboard/sign-in/oidc`
pub(super) async fn sign_in(State(context): State<Context>, uri: Uri) -> PageResult {
    send(&context, &uri, Purpose::SignIn).await
}

/// `POST /dashboard/step-up/oidc`
pub(super) async fn step_up(session: Session, uri: Uri) -> PageResult {
    send(&session.context, &uri, Purpose::StepUp(session.account())).await
}

/// `POST /dashboard/identities`
pub(super) async fn link(session: Session, uri: Uri) -> PageResult {
    session.require_account_change()?;
    send(&session.context, &uri, Purpose::Link(session.account())).await
}

async fn send(context: &Shared, uri: &Uri, purpose: Purpose) -> PageResult {
    let provider = context.provider()?;
    let (store, service) = (context.store(), &context.setup.identity);
    let about = (purpose, pages::network());
    let AuthorizationUrl { url, secret } =
        match oidc::begin(store, provider, service, about, context.now()).await {
            Ok(begun) => begun,
            Err(error) => return failed(context, uri, Some(purpose), error),
        };
    let frame = Frame::public(context, uri).refresh(&url);
    let (url, provider) = (&*url, provider.name());
    let page = RedirectPage { provider, url };
    let mut response = frame.page(&format!("On to {provider}"), &page)?;
    let (kind, life) = (CookieKind::Authorization, PendingSignIn::LIFE);
    context
        .cookies
        .keep(&mut response, kind, &secret.reveal(), life);
    Ok(response)
}

/// `GET /dashboard/sign-in/oidc/callback`: nothing happens in another browser than the one that was sent.
pub(super) async fn callback(
    State(context): State<Context>,
    uri: Uri,
    headers: HeaderMap,
    QueryParameters(callback): QueryParameters<Callback>,
) -> PageResult {
    let provider = context.provider()?;
    let (store, service, now) = (context.store(), &context.setup.identity, context.now());
    let kept = context.cookies.get(&headers, CookieKind::Authorization);
    let secret = kept.and_then(|kept| AuthorizationSecret::parse(kept).ok());
    let replaced = context.session(&headers);
    let signed_in = match &replaced {
        Some(secret) => sessions::find(store, secret, context.rules(), now).await?,
        None => None,
    };
    let browser = pages::session_browser(&headers, replaced.as_ref());
    let came = (callback, secret.as_ref());
    let here = (signed_in.as_ref(), browser);
    let finished = oidc::finish(store, provider, service, came, here, now).await;
    let mut response = match finished {
        Ok(Outcome::SignedIn(begun)) => pages::signed_in(&context, &headers, &begun),
        Ok(Outcome::Linked) => Notice::IdentityLinked.see_other(IDENTITIES),
        // What another tab or site brings does not end what this browser waits for.
        Err(Failure {
            purpose: None,
            error,
        }) => return failed(&context, &uri, None, error),
        Err(Failure { purpose, error }) => failed(&context, &uri, purpose, error)?,
    };
    context.setup.new_mail.notify_one();
    let cookies = context.cookies;
    cookies.forget(&mut response, CookieKind::Authorization);
    Ok(response)
}

/// The page of a sign-in by the provider that has failed.
fn failed(context: &Shared, uri: &Uri, purpose: Option<Purpose>, error: OidcError) -> PageResult {
    let reason = match &error {
        OidcError::Rejected(rejection) => sentence(rejection),
        OidcError::Provider(why) => {
            tracing::warn!(error = %printable(&why.to_string()), "sign-in by OpenID Connect failed");
            what_to_do(why).to_owned()
        }
        _ => return Err(error.into()),
    };
    let (title, again, instead) = match purpose {
        None | Some(Purpose::SignIn) => (
            "You are not signed in",
            "/dashboard/sign-in/oidc",
            ("/dashboard/sign-in", "Sign in by email"),
        ),
        Some(Purpose::StepUp(_)) => (
            "We couldn’t confirm it’s you",
            "/dashboard/step-up/oidc",
            ("/dashboard/step-up", "Confirm another way"),
        ),
        Some(Purpose::Link(_)) => (
            "Nothing was linked",
            IDENTITIES,
            ("/dashboard/account", "Back to your account"),
        ),
    };
    let frame = Frame::public(context, uri);
    let frame = match error {
        OidcError::Rejected(OidcRejection::Limit(limit)) => frame.limited(limit.wait()),
        OidcError::Rejected(OidcRejection::Waiting(_)) => frame.limited(PendingSignIn::LIFE),
        OidcError::Provider(ProviderError::Unavailable(_)) => frame.unavailable(),
        _ => frame.rejected_if(true),
    };
    let page = FailurePage {
        title,
        provider: context.provider()?.name(),
        reason,
        again,
        instead,
    };
    frame.page(title, &page)
}

fn what_to_do(error: &ProviderError) -> &'static str {
    match error {
        ProviderError::Unavailable(_) => {
            "The provider does not respond. Sign in by email, or try again in a minute."
        }
        ProviderError::Invalid(_) => {
            "The provider’s response could not be verified. Try again, or sign in by email. If it keeps happening, \
             tell an operator when it happened."
        }
    }
}

/// `GET /dashboard/identities`
pub(super) async fn identities(session: Session) -> PageResult {
    let own = oidc::list(session.store(), session.account()).await?;
    let provider = session.context.provider()?.name();
    let view = |identity| IdentityView::of(identity, &session);
    let page = IdentitiesPage {
        provider,
        email: session.email().as_str(),
        identities: own.into_iter().map(view).collect(),
        is_recent: session.is_recent(),
    };
    account::frame_below(&session).page(&format!("Sign in with {provider}"), &page)
}

/// `GET /dashboard/identities/{identity}/unlink`
pub(super) async fn unlinking(session: Session, IdentityPath(id): IdentityPath) -> PageResult {
    let own = oidc::list(session.store(), session.account()).await?;
    let found = own.into_iter().find(|identity| identity.id == id);
    let IdentityView { label, is_this, .. } = match found {
        Some(identity) => IdentityView::of(identity, &session),
        None => return Err(PageError::NotFound),
    };
    session.require_account_change()?;
    let (provider, email) = (session.context.provider()?.name(), session.email().as_str());
    let page = Confirmation {
        question: prose![format!("Unlink {label}?")],
        lead: prose![
            format!(
                "{provider} can no longer sign in to your account, and browsers that signed in with it are signed out"
            ),
            if is_this { ", this one included" } else { "" },
            format!(". You can still sign in by email to {email}."),
        ],
        action: format!("{IDENTITIES}/{}/unlink", id.0),
        button: "Unlink",
        cancel: IDENTITIES.to_owned(),
        ..Confirmation::default()
    };
    let frame = account::frame_below(&session);
    let frame = frame.below(format!("Sign in with {provider}"), IDENTITIES);
    frame.page(&format!("Unlink {label}"), &page)
}

/// `POST /dashboard/identities/{identity}/unlink`
pub(super) async fn unlink(session: Session, IdentityPath(id): IdentityPath) -> PageResult {
    session.require_account_change()?;
    let (provider, setup) = (session.context.provider()?, &session.context.setup);
    let (store, service) = (session.store(), &setup.identity);
    let identity = (&session.signed_in.account, id);
    oidc::unlink(store, provider, service, identity, session.now()).await?;
    setup.new_mail.notify_one();
    Ok(Notice::IdentityUnlinked.see_other(IDENTITIES))
}

impl IdentityView {
    fn of(identity: IdentityRecord, session: &Session) -> Self {
        let time = |at| Time::new(at, session.now());
        Self {
            id: identity.id.0,
            label: identity.label,
            created: time(identity.created_at),
            last_used: identity.last_used_at.map(time),
            is_this: session.signed_in.session.proof == SessionProof::Oidc(identity.id),
        }
    }
}
