//! The paths of the dashboard, and the layers around every request for one.

use std::time::Duration;

use axum::Router;
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{get, post};
use edge::http::RequestContext;
use http::Method;
use tokio::time::timeout;

use super::context::Context;
use super::held_body::holding;
use super::page::Asked;
use super::page_error::PageError;
use super::signed_in::Session;
use super::{
    account, address, audit, configs, deletion, demo, headers, identities, invitations, keys,
    leaks, members, oidc, operator, origin, page, passkeys, personal_data, projects, renaming,
    requests, sessions, settings, sign_in, tier, usage,
};

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
        .route("/dashboard/sign-out", post(sessions::sign_out))
}

fn by_provider() -> Router<Context> {
    Router::new()
        .route("/dashboard/sign-in/oidc", post(oidc::sign_in))
        .route("/dashboard/sign-in/oidc/callback", get(oidc::callback))
        .route("/dashboard/step-up/oidc", post(oidc::step_up))
        .route(
            "/dashboard/identities",
            get(identities::list).post(oidc::link),
        )
        .route(
            "/dashboard/identities/{identity}/unlink",
            get(identities::unlinking).post(identities::unlink),
        )
}

fn of_demo() -> Router<Context> {
    Router::new()
        .route("/dashboard/sign-in/demo", post(demo::sign_in))
        .route("/dashboard/demo/mail", get(demo::mail))
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
            get(settings::show),
        )
        .route(
            "/dashboard/projects/{project}/rename",
            get(renaming::ask).post(renaming::rename),
        )
        .route(
            "/dashboard/projects/{project}/delete",
            get(deletion::ask).post(deletion::delete),
        )
        .route(
            "/dashboard/projects/{project}/tier",
            get(tier::form).post(tier::ask),
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
        .merge(super::contracts::routes())
        .merge(super::webhooks::routes())
        .route("/dashboard/sessions", get(sessions::list))
        .route("/dashboard/sessions/end-others", post(sessions::end_others))
        .route("/dashboard/sessions/{session}/end", post(sessions::end))
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
            get(address::form).post(address::change),
        )
        .route("/dashboard/account/export", get(personal_data::download))
        .route(
            "/dashboard/account/erase",
            get(personal_data::erasure).post(personal_data::erase),
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
        .route("/dashboard/invitation", get(invitations::show))
        .route("/dashboard/invitation/link", get(invitations::link))
        .route("/dashboard/invitation/accept", post(invitations::accept))
        .route("/dashboard/invitation/decline", post(invitations::decline))
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
    headers::set(response.headers_mut());
    response
}
