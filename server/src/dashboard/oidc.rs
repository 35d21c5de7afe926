//! Signing in by a provider of OpenID Connect: on the way there, and back.
//!
//! The way there is a form, so that no other site begins it, and its answer is a page that leads on: browsers
//! follow no redirect from a form to another site under a policy of `form-action 'self'`.

use askama::Template;
use axum::extract::State;
use http::HeaderMap;

use super::context::{Context, Shared};
use super::cookies::CookieKind;
use super::extract::QueryParameters;
use super::notice::Notice;
use super::page::{PageResult, limited, page, refused, sentence, unavailable};
use super::sign_in as pages;
use super::signed_in::Session;
use crate::accounts::{AuthorizationSecret, PendingSignIn, sessions};
use crate::domain::printable::printable;
use crate::oidc::{
    self, AuthorizationUrl, Callback, Failure, OidcError, OidcRefusal, Outcome, ProviderError,
    Purpose,
};
use crate::site::Shell;

const CALLBACK: &str = "/dashboard/sign-in/oidc/callback";

#[derive(Template)]
#[template(path = "dashboard/oidc_redirect.html")]
struct RedirectPage<'a> {
    shell: Shell<'a>,
    provider: &'a str,
    url: &'a str,
}

#[derive(Template)]
#[template(path = "dashboard/oidc_failure.html")]
struct FailurePage<'a> {
    shell: Shell<'a>,
    title: &'a str,
    provider: &'a str,
    reason: String,
    /// The form that begins again.
    again: &'a str,
    /// Another way, as a path and a text.
    instead: (&'a str, &'a str),
}

/// `POST /dashboard/sign-in/oidc`
pub(super) async fn sign_in(State(context): State<Context>) -> PageResult {
    send(&context, Purpose::SignIn).await
}

/// `POST /dashboard/step-up/oidc`
pub(super) async fn step_up(State(context): State<Context>, session: Session) -> PageResult {
    send(&context, Purpose::StepUp(session.signed_in.account.id)).await
}

/// `POST /dashboard/identities`
pub(super) async fn link(State(context): State<Context>, session: Session) -> PageResult {
    session.require_recent(&context)?;
    send(&context, Purpose::Link(session.signed_in.account.id)).await
}

async fn send(context: &Shared, purpose: Purpose) -> PageResult {
    let provider = context.provider()?;
    let (store, service) = (context.store(), &context.setup.identity);
    let about = (purpose, pages::network());
    let AuthorizationUrl { url, secret } =
        match oidc::begin(store, provider, service, about, context.now()).await {
            Ok(begun) => begun,
            Err(error) => return failed(context, Some(purpose), error),
        };
    let mut response = page(&RedirectPage {
        shell: Shell::new(&context.info, CALLBACK),
        provider: provider.name(),
        url: &url,
    })?;
    let (kind, life) = (CookieKind::Authorization, PendingSignIn::LIFE);
    context
        .cookies
        .keep(&mut response, kind, &secret.reveal(), life);
    Ok(response)
}

/// `GET /dashboard/sign-in/oidc/callback`: nothing happens in another browser than the one that was sent.
pub(super) async fn callback(
    State(context): State<Context>,
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
        Ok(Outcome::Linked) => Notice::IdentityLinked.see_other("/dashboard/identities"),
        // What another tab or site brings does not end what this browser waits for.
        Err(Failure {
            purpose: None,
            error,
        }) => return failed(&context, None, error),
        Err(Failure { purpose, error }) => failed(&context, purpose, error)?,
    };
    context.setup.new_mail.notify_one();
    let cookies = context.cookies;
    cookies.forget(&mut response, CookieKind::Authorization);
    Ok(response)
}

/// The page of a sign-in by the provider that has failed.
fn failed(context: &Shared, purpose: Option<Purpose>, error: OidcError) -> PageResult {
    let reason = match &error {
        OidcError::Refused(refusal) => sentence(refusal),
        OidcError::Provider(why) => {
            tracing::warn!(error = %printable(&why.to_string()), "nobody is signed in by the provider");
            what_to_do(why).to_owned()
        }
        _ => return Err(error.into()),
    };
    let (title, again, instead) = match purpose {
        None | Some(Purpose::SignIn) => (
            "You are not signed in",
            "/dashboard/sign-in/oidc",
            ("/dashboard/sign-in", "Sign in by mail"),
        ),
        Some(Purpose::StepUp(_)) => (
            "It is not confirmed that it is you",
            "/dashboard/step-up/oidc",
            ("/dashboard/step-up", "Confirm another way"),
        ),
        Some(Purpose::Link(_)) => (
            "Nothing was linked",
            "/dashboard/identities",
            ("/dashboard/account", "Back to your account"),
        ),
    };
    let page = FailurePage {
        shell: Shell::new(&context.info, CALLBACK),
        title,
        provider: context.provider()?.name(),
        reason,
        again,
        instead,
    };
    match error {
        OidcError::Refused(OidcRefusal::Limit(limit)) => limited(&page, limit.wait()),
        OidcError::Refused(OidcRefusal::Waiting(_)) => limited(&page, PendingSignIn::LIFE),
        OidcError::Provider(ProviderError::Unavailable(_)) => unavailable(&page),
        _ => refused(&page),
    }
}

fn what_to_do(error: &ProviderError) -> &'static str {
    match error {
        ProviderError::Unavailable(_) => {
            "The provider does not answer at the moment. Sign in by mail, or try again in a minute."
        }
        ProviderError::Invalid(_) => {
            "What the provider said about you could not be verified. Try again, or sign in by mail; if it \
             stays, tell an operator when it happened."
        }
    }
}
