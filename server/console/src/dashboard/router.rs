//! The paths of the dashboard, and the layers around every request for one.

use std::time::Duration;

use axum::Router;
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{get, post};
use edge::http::RequestContext;
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
    account, audit, changes, config_editor, configs, contracts, demo, key_list, keys, leaks,
    members, oidc, operator, operator_queue, origin, overview, page, passkeys, projects, requests,
    search, sign_in, simulation, usage, webhook_editor, webhooks,
};

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

/// The routes, one a line.
macro_rules! routes {
    ($($path:literal => $methods:expr;)*) => {
        Router::new()$(.route($path, $methods))*
    };
}

/// The dashboard.
pub(super) fn router(context: Context) -> Router {
    let mut router = signed_in()
        .route_layer(middleware::from_fn_with_state(context.clone(), in_turn))
        .merge(signing_in());
    if context.setup.oidc.is_some() {
        router = router.merge(by_provider());
    }
    if context.setup.is_demo {
        router = router.merge(of_demo());
    }
    router
        .fallback(async || PageError::NotFound)
        .method_not_allowed_fallback(async || PageError::Method)
        .layer(DefaultBodyLimit::max(FORM))
        .layer(middleware::from_fn_with_state(
            context.clone(),
            origin::check,
        ))
        .merge(reports())
        .layer(middleware::from_fn_with_state(
            context.clone(),
            within_limits,
        ))
        .layer(middleware::from_fn_with_state(context.clone(), finish))
        .with_state(context)
}

/// Reports of programs, which accept requests of any origin.
fn reports() -> Router<Context> {
    let reports = routes! {
        "/dashboard/leaked-keys" => post(leaks::report);
    };
    reports.layer(DefaultBodyLimit::max(leaks::REPORT))
}

fn signing_in() -> Router<Context> {
    routes! {
        "/dashboard/sign-in" => get(sign_in::form).post(sign_in::begin);
        "/dashboard/sign-in/sent" => get(sign_in::sent);
        "/dashboard/sign-in/code" => post(sign_in::code);
        "/dashboard/sign-in/link" => get(sign_in::link);
        "/dashboard/sign-in/confirm" => get(sign_in::confirmation).post(sign_in::confirm);
        "/dashboard/sign-in/passkey" => post(passkeys::sign_in);
        "/dashboard/sign-in/passkey/challenge" => post(passkeys::sign_in_challenge);
        "/dashboard/sign-out" => post(account::sign_out);
    }
}

fn by_provider() -> Router<Context> {
    routes! {
        "/dashboard/sign-in/oidc" => post(oidc::sign_in);
        "/dashboard/sign-in/oidc/callback" => get(oidc::callback);
        "/dashboard/step-up/oidc" => post(oidc::step_up);
        "/dashboard/identities" => get(oidc::identities).post(oidc::link);
        "/dashboard/identities/{identity}/unlink" => get(oidc::unlinking).post(oidc::unlink);
    }
}

fn of_demo() -> Router<Context> {
    routes! {
        "/dashboard/sign-in/demo" => post(demo::sign_in);
        "/dashboard/demo/mail" => get(demo::mailbox);
        "/dashboard/projects/{project}/configs/{config}/simulate" => post(simulation::donate);
    }
}

/// The pages of accounts that are signed in, which take turns at reading the database.
fn signed_in() -> Router<Context> {
    routes! {
        "/dashboard" => get(projects::home);
        "/dashboard/search" => get(search::page);
        "/dashboard/projects" => get(projects::list).post(projects::create);
        "/dashboard/projects/{project}" => get(overview::show);
        "/dashboard/projects/{project}/audit" => get(audit::list);
        "/dashboard/projects/{project}/usage" => get(usage::show);
        "/dashboard/projects/{project}/usage.csv" => get(usage::download);
        "/dashboard/projects/{project}/requests" => get(requests::list);
        "/dashboard/projects/{project}/settings" => get(projects::settings);
        "/dashboard/projects/{project}/rename" => get(projects::renaming).post(projects::rename);
        "/dashboard/projects/{project}/delete" => get(projects::deletion).post(projects::delete);
        "/dashboard/projects/{project}/tier" => get(projects::tier).post(projects::ask_for_tier);
        "/dashboard/projects/{project}/keys" => get(key_list::show).post(keys::issue);
        "/dashboard/projects/{project}/keys/new" => get(keys::new);
        "/dashboard/projects/{project}/keys/{key}/rotate" => get(keys::rotation).post(keys::rotate);
        "/dashboard/projects/{project}/keys/{key}/revoke" => get(keys::revocation).post(keys::revoke);
        "/dashboard/projects/{project}/keys/{key}/rename" => get(keys::renaming).post(keys::rename);
        "/dashboard/projects/{project}/keys/{key}/disable" => get(keys::disabling).post(keys::disable);
        "/dashboard/projects/{project}/keys/{key}/enable" => post(keys::enable);
        "/dashboard/projects/{project}/keys/{key}/changes" => get(changes::of_key);
        "/dashboard/projects/{project}/keys/{key}/changes/disable-webhooks" => post(changes::disable_of_key);
        "/dashboard/projects/{project}/members" => get(members::list);
        "/dashboard/projects/{project}/members/{member}/changes" => get(changes::of_member);
        "/dashboard/projects/{project}/members/{member}/changes/disable-webhooks" => post(changes::disable_of_member);
        "/dashboard/projects/{project}/members/{member}/role" => post(members::set_role);
        "/dashboard/projects/{project}/members/{member}/remove" => get(members::removal).post(members::remove);
        "/dashboard/projects/{project}/invitations" => post(members::invite);
        "/dashboard/projects/{project}/invitations/{invitation}/revoke" => post(members::revoke);
        "/dashboard/projects/{project}/configs" => get(configs::list).post(config_editor::create);
        "/dashboard/projects/{project}/configs/new" => get(config_editor::edit);
        "/dashboard/projects/{project}/configs/{config}" => get(configs::show);
        "/dashboard/projects/{project}/configs/{config}/delete" => get(configs::deletion).post(configs::delete);
        "/dashboard/projects/{project}/contracts" => get(contracts::list).post(contracts::begin);
        "/dashboard/projects/{project}/contracts/release" => get(contracts::releasing).post(contracts::release);
        "/dashboard/projects/{project}/contracts/new" => get(contracts::new);
        "/dashboard/projects/{project}/claims/{claim}" => get(contracts::show_claim);
        "/dashboard/projects/{project}/claims/{claim}/proof" => post(contracts::prove);
        "/dashboard/projects/{project}/claims/{claim}/queue" => post(contracts::queue);
        "/dashboard/projects/{project}/claims/{claim}/withdraw" => get(contracts::withdrawing).post(contracts::withdraw);
        "/dashboard/projects/{project}/webhooks" => get(webhooks::list).post(webhook_editor::create);
        "/dashboard/projects/{project}/webhooks/new" => get(webhook_editor::new);
        "/dashboard/projects/{project}/webhooks/{webhook}" => get(webhooks::show);
        "/dashboard/projects/{project}/webhooks/{webhook}/edit" => get(webhook_editor::edit).post(webhook_editor::change);
        "/dashboard/projects/{project}/webhooks/{webhook}/rotate" => get(webhooks::rotation).post(webhooks::rotate);
        "/dashboard/projects/{project}/webhooks/{webhook}/delete" => get(webhooks::deletion).post(webhooks::delete);
        "/dashboard/projects/{project}/webhooks/{webhook}/enable" => post(webhooks::enable);
        "/dashboard/projects/{project}/webhooks/{webhook}/disable" => post(webhooks::disable);
        "/dashboard/projects/{project}/webhooks/{webhook}/test" => post(webhooks::test);
        "/dashboard/projects/{project}/webhooks/{webhook}/deliveries/{delivery}" => get(webhooks::delivery);
        "/dashboard/projects/{project}/webhooks/{webhook}/deliveries/{delivery}/redeliver" => post(webhooks::redeliver);
        "/dashboard/sessions" => get(account::list_sessions);
        "/dashboard/sessions/end-others" => post(account::end_other_sessions);
        "/dashboard/sessions/{session}/end" => post(account::end_session);
        "/dashboard/account" => get(account::show);
        "/dashboard/passkeys" => get(passkeys::list).post(passkeys::register);
        "/dashboard/passkeys/challenge" => post(passkeys::challenge);
        "/dashboard/passkeys/{passkey}/remove" => get(passkeys::removal).post(passkeys::remove);
        "/dashboard/account/address" => get(account::address).post(account::change_address);
        "/dashboard/account/export" => get(account::download);
        "/dashboard/account/erase" => get(account::erasure).post(account::erase);
        "/dashboard/step-up" => get(account::step_up).post(account::ask);
        "/dashboard/step-up/passkey" => post(passkeys::step_up);
        "/dashboard/invitation" => get(members::show_invitation);
        "/dashboard/invitation/link" => get(members::invitation_link);
        "/dashboard/invitation/accept" => post(members::accept);
        "/dashboard/invitation/decline" => post(members::decline);
        "/dashboard/operator" => get(operator::home);
        "/dashboard/operator/passkey" => get(operator::passkey);
        "/dashboard/operator/accounts/{account}" => get(operator::account);
        "/dashboard/operator/projects/{project}" => get(operator::project);
        "/dashboard/operator/projects/{project}/tier" => post(operator::set_tier);
        "/dashboard/operator/projects/{project}/suspend" => post(operator::suspend);
        "/dashboard/operator/projects/{project}/resume" => post(operator::resume);
        "/dashboard/operator/requests" => get(operator_queue::list);
        "/dashboard/operator/requests/tiers/{request}" => post(operator_queue::decide_tier);
        "/dashboard/operator/requests/claims/{claim}" => post(operator_queue::decide_claim);
    }
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
            Some(secret) => Session::find(&context, &secret, asked.uri.path())
                .await
                .ok(),
            None => None,
        };
        response = page::error(&context, &asked, session.as_ref(), error, response).await;
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
