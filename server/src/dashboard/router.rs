//! The paths of the dashboard, and the layers around every request for one.

use std::time::Duration;

use axum::Router;
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{get, post};
use http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, HeaderMap, REFERRER_POLICY, VARY, X_FRAME_OPTIONS,
};
use http::{HeaderName, HeaderValue, Method};
use tokio::time::timeout;

use super::context::Context;
use super::held_body::holding;
use super::page::Asked;
use super::page_error::PageError;
use super::session::Session;
use super::{
    account, audit, configs, contracts, demo, keys, leaks, members, oidc, operator, origin, page,
    passkeys, projects, requests, sign_in, usage, webhooks,
};
use crate::http::RequestContext;

const CLEAR_SITE_DATA: HeaderName = HeaderName::from_static("clear-site-data");

/// A page loads files of this server, none inline, and sends its forms and requests to it; nothing frames it.
const POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
     form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
);

/// The largest form in bytes. The longest fields are names of 100 characters.
const FORM: usize = 8 << 10;

/// How long a page may take. The edge allows more, but its answer is no page.
const DEADLINE: Duration = Duration::from_secs(8);

/// The dashboard.
pub(super) fn router(context: Context) -> Router {
    let demo = match context.setup.is_demo {
        true => of_demo(),
        false => Router::new(),
    };
    let by_provider = match context.setup.oidc {
        Some(_) => by_provider(),
        None => Router::new(),
    };
    let signed_in = of_accounts().merge(of_members()).merge(operator::routes());
    let in_turn = middleware::from_fn_with_state(context.clone(), in_turn);
    signed_in
        .route_layer(in_turn)
        .merge(signing_in())
        .merge(by_provider)
        .merge(demo)
        .fallback(async || PageError::NotFound)
        .method_not_allowed_fallback(async || PageError::Method)
        .layer(DefaultBodyLimit::max(FORM))
        .layer(middleware::from_fn_with_state(
            context.clone(),
            origin::check,
        ))
        .merge(leaks::router())
        .layer(middleware::from_fn_with_state(
            context.clone(),
            within_limits,
        ))
        .layer(middleware::from_fn_with_state(context.clone(), finish))
        .with_state(context)
}

fn signing_in() -> Router<Context> {
    Router::new()
        .route(
            "/dashboard/sign-in",
            get(sign_in::form).post(sign_in::begin),
        )
        .route("/dashboard/sign-in/sent", get(sign_in::sent))
        .route("/dashboard/sign-in/code", post(sign_in::code))
        .route("/dashboard/sign-in/link", get(sign_in::link))
        .route(
            "/dashboard/sign-in/confirm",
            get(sign_in::confirmation).post(sign_in::confirm),
        )
        .route("/dashboard/sign-in/passkey", post(passkeys::sign_in))
        .route(
            "/dashboard/sign-in/passkey/challenge",
            post(passkeys::sign_in_challenge),
        )
        .route("/dashboard/sign-out", post(account::sign_out))
}

fn by_provider() -> Router<Context> {
    Router::new()
        .route("/dashboard/sign-in/oidc", post(oidc::sign_in))
        .route("/dashboard/sign-in/oidc/callback", get(oidc::callback))
        .route("/dashboard/step-up/oidc", post(oidc::step_up))
        .route(
            "/dashboard/identities",
            get(oidc::identities).post(oidc::link),
        )
        .route(
            "/dashboard/identities/{identity}/unlink",
            get(oidc::unlinking).post(oidc::unlink),
        )
}

fn of_demo() -> Router<Context> {
    Router::new()
        .route("/dashboard/sign-in/demo", post(demo::sign_in))
        .route("/dashboard/demo/mail", get(demo::mailbox))
}

fn of_accounts() -> Router<Context> {
    Router::new()
        .route("/dashboard", get(projects::home))
        .route(
            "/dashboard/projects",
            get(projects::list).post(projects::create),
        )
        .route("/dashboard/projects/{project}", get(projects::show))
        .route("/dashboard/projects/{project}/audit", get(audit::list))
        .route("/dashboard/projects/{project}/usage", get(usage::show))
        .route(
            "/dashboard/projects/{project}/usage.csv",
            get(usage::download),
        )
        .route(
            "/dashboard/projects/{project}/requests",
            get(requests::list),
        )
        .route(
            "/dashboard/projects/{project}/settings",
            get(projects::settings),
        )
        .route(
            "/dashboard/projects/{project}/rename",
            get(projects::renaming).post(projects::rename),
        )
        .route(
            "/dashboard/projects/{project}/delete",
            get(projects::deletion).post(projects::delete),
        )
        .route(
            "/dashboard/projects/{project}/tier",
            get(projects::tier).post(projects::ask_for_tier),
        )
        .route("/dashboard/projects/{project}/keys", post(keys::issue))
        .route("/dashboard/projects/{project}/keys/new", get(keys::new))
        .route(
            "/dashboard/projects/{project}/keys/{key}/rotate",
            get(keys::rotation).post(keys::rotate),
        )
        .route(
            "/dashboard/projects/{project}/keys/{key}/revoke",
            get(keys::revocation).post(keys::revoke),
        )
        .route(
            "/dashboard/projects/{project}/keys/{key}/rename",
            get(keys::renaming).post(keys::rename),
        )
        .route(
            "/dashboard/projects/{project}/keys/{key}/disable",
            get(keys::disabling).post(keys::disable),
        )
        .route(
            "/dashboard/projects/{project}/keys/{key}/enable",
            post(keys::enable),
        )
        .merge(configs::routes())
        .merge(contracts::routes())
        .merge(webhooks::routes())
        .route("/dashboard/sessions", get(account::list_sessions))
        .route(
            "/dashboard/sessions/end-others",
            post(account::end_other_sessions),
        )
        .route(
            "/dashboard/sessions/{session}/end",
            post(account::end_session),
        )
        .route("/dashboard/account", get(account::show))
        .route(
            "/dashboard/passkeys",
            get(passkeys::list).post(passkeys::register),
        )
        .route("/dashboard/passkeys/challenge", post(passkeys::challenge))
        .route(
            "/dashboard/passkeys/{passkey}/remove",
            get(passkeys::removal).post(passkeys::remove),
        )
        .route(
            "/dashboard/account/address",
            get(account::address).post(account::change_address),
        )
        .route("/dashboard/account/export", get(account::download))
        .route(
            "/dashboard/account/erase",
            get(account::erasure).post(account::erase),
        )
        .route(
            "/dashboard/step-up",
            get(account::step_up).post(account::ask),
        )
        .route("/dashboard/step-up/passkey", post(passkeys::step_up))
}

fn of_members() -> Router<Context> {
    Router::new()
        .route("/dashboard/projects/{project}/members", get(members::list))
        .route(
            "/dashboard/projects/{project}/members/{member}/role",
            post(members::set_role),
        )
        .route(
            "/dashboard/projects/{project}/members/{member}/remove",
            get(members::removal).post(members::remove),
        )
        .route(
            "/dashboard/projects/{project}/invitations",
            post(members::invite),
        )
        .route(
            "/dashboard/projects/{project}/invitations/{invitation}/revoke",
            post(members::revoke),
        )
        .route("/dashboard/invitation", get(members::show_invitation))
        .route("/dashboard/invitation/link", get(members::invitation_link))
        .route("/dashboard/invitation/accept", post(members::accept))
        .route("/dashboard/invitation/decline", post(members::decline))
}

/// Answers as many requests of a network at the same time as the API does without a key, each in time. A
/// request counts until its answer is read.
async fn within_limits(State(context): State<Context>, request: Request, next: Next) -> Response {
    let client = RequestContext::current().map(|current| current.client());
    let place = client.map(|client| context.setup.in_flight.enter(client.into()));
    match place {
        Some(None) => PageError::TooMany.into_response(),
        place => {
            let answered = timeout(DEADLINE, next.run(request)).await;
            let response = answered.unwrap_or_else(|_late| PageError::Unavailable.into_response());
            holding(response, place)
        }
    }
}

/// Lets the pages of accounts take turns at reading the database, which the API's reads find free then.
async fn in_turn(State(context): State<Context>, request: Request, next: Next) -> Response {
    let is_read = matches!(*request.method(), Method::GET | Method::HEAD);
    let _turn = match is_read {
        true => context.reads.acquire().await.ok(),
        false => None,
    };
    next.run(request).await
}

/// Shows errors as pages, and sets the headers of every answer.
async fn finish(State(context): State<Context>, request: Request, next: Next) -> Response {
    let asked = Asked::of(&request);
    let secret = context.session(request.headers());
    let mut response = next.run(request).await;
    context.setup.rejections.count(&response);
    if let Some(error) = response.extensions().get::<PageError>().copied() {
        let session = match secret.filter(|_| error.is_of_account()) {
            Some(secret) => Session::find(&context, &secret, &asked.path).await.ok(),
            None => None,
        };
        response = page::error(&context, &asked, session.as_ref(), error, response);
    }
    set_headers(response.headers_mut());
    response
}

/// Sets the headers of an answer. No cache keeps any of them: the page depends on the account that is signed in.
///
/// The referrer stays within the site. With `no-referrer` a browser would send `Origin: null` with forms.
fn set_headers(headers: &mut HeaderMap) {
    headers.insert(CONTENT_SECURITY_POLICY, POLICY);
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("same-origin"));
    headers.insert(X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
    headers.append(VARY, HeaderValue::from_static("cookie"));
}

/// Has the browser delete the data of the site, at the end of a session.
pub(super) fn clear_site(response: &mut Response) {
    let everything = HeaderValue::from_static("\"cache\", \"cookies\", \"storage\"");
    response.headers_mut().insert(CLEAR_SITE_DATA, everything);
}
