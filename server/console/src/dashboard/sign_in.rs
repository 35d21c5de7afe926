//! Signing in: a form for the address, a mail, and its link or its code.
//!
//! Following the link consumes nothing, as programs that scan mails follow links too: the token moves into
//! a cookie, so that no address shows it, and the button of the next page sends it.

use std::net::Ipv4Addr;

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use edge::http::RequestContext;
use http::header::USER_AGENT;
use http::{HeaderMap, Uri};
use serde::Deserialize;
use uuid::Uuid;

use super::context::{Context, Shared};
use super::cookies::CookieKind;
use super::extract::{Form, QueryParameters};
use super::notice::Notice;
use super::page::{Frame, PageResult, see_other, sentence};
use super::page_error::PageError;
use super::session::Session;
use super::{ROOT, projects, return_path};
use crate::accounts::sign_in::{
    self, BegunSession, SessionBrowser, SignInError, SignInPurpose, SignInRequest,
};
use crate::accounts::{
    BrowserName, BrowserSecret, KNOWN_BROWSER_LIFE, Network, PendingSignIn, SessionSecret,
    SignInCode, SignInLimit, SignInRejection, SignInToken,
};
use crate::oidc::Provider;
use crate::passkeys::PasskeyRejection;
use features::domain::email::Email;
use features::projects::ProjectId;

/// The page that has the field for the address.
const SIGN_IN: &str = "/dashboard/sign-in";

/// The page that has the field for the code.
const SENT: &str = "/dashboard/sign-in/sent";

/// The page that has the button after the link.
const CONFIRM: &str = "/dashboard/sign-in/confirm";

#[derive(Template)]
#[template(path = "dashboard/sign_in.html")]
struct SignInPage<'a> {
    is_demo: bool,
    email: &'a str,
    error: Option<String>,
    /// The origin on whose pages passkeys work.
    origin: &'a str,
    passkey_error: Option<String>,
    /// The name of the provider by which people may sign in too.
    provider: Option<&'a str>,
}

#[derive(Template)]
#[template(path = "dashboard/sent.html")]
struct SentPage {
    is_demo: bool,
    purpose: Purpose,
    error: Option<String>,
}

#[derive(Template)]
#[template(path = "dashboard/confirm.html")]
struct ConfirmPage<'a> {
    email: &'a str,
    /// Whether an account replaces its own address with this one.
    is_change: bool,
    /// The nonce of the field for a first project, if there is one.
    first_project: Option<Uuid>,
}

#[derive(Template)]
#[template(path = "dashboard/dead_link.html")]
struct DeadLinkPage {
    reason: String,
    is_signed_in: bool,
}

/// The purpose of a code, as addresses name it and pages say it. The code itself belongs to one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Purpose {
    #[default]
    SignIn,
    StepUp,
    NewAddress,
}

impl Purpose {
    fn of(purpose: SignInPurpose<'_>) -> Self {
        match purpose {
            SignInPurpose::SignIn => Self::SignIn,
            SignInPurpose::StepUp(_) => Self::StepUp,
            SignInPurpose::NewAddress(_) => Self::NewAddress,
        }
    }

    /// The query that names it, or nothing.
    fn query(self) -> &'static str {
        match self {
            Self::SignIn => "",
            Self::StepUp => "?for=step-up",
            Self::NewAddress => "?for=new-address",
        }
    }

    /// The text of the button beside the code.
    fn button(self) -> &'static str {
        match self {
            Self::SignIn => "Sign in",
            Self::StepUp => "Confirm it’s you",
            Self::NewAddress => "Confirm address",
        }
    }

    /// The page on which another mail is asked for.
    fn form(self) -> &'static str {
        match self {
            Self::SignIn => SIGN_IN,
            Self::StepUp => "/dashboard/step-up",
            Self::NewAddress => "/dashboard/account/address",
        }
    }
}

#[derive(Deserialize)]
pub(super) struct SentQuery {
    #[serde(default, rename = "for")]
    purpose: Purpose,
}

#[derive(Deserialize)]
pub(super) struct Address {
    email: String,
}

#[derive(Deserialize)]
pub(super) struct Code {
    code: String,
}

/// The first project of a new account, if the person names one. The nonce is its id, and its first key's.
#[derive(Deserialize)]
pub(super) struct FirstProject {
    nonce: Option<Uuid>,
    #[serde(default)]
    project: String,
}

#[derive(Deserialize)]
pub(super) struct Link {
    #[serde(default)]
    token: String,
}

/// `GET /dashboard/sign-in`: redirects signed-in users to the dashboard.
pub(super) async fn form(
    State(context): State<Context>,
    session: Result<Session, PageError>,
    uri: Uri,
) -> PageResult {
    if session.is_ok() {
        return Ok(see_other(ROOT));
    }
    let mut frame = Frame::public(&context, &uri);
    frame.shell.notice = Notice::of_query(uri.query()).map(Notice::shown);
    form_page(&context, frame, "", None, None)
}

/// `POST /dashboard/sign-in`: the same answer to a known and an unknown address.
pub(super) async fn begin(
    State(context): State<Context>,
    uri: Uri,
    headers: HeaderMap,
    Form(form): Form<Address>,
) -> PageResult {
    let frame = Frame::public(&context, &uri);
    let again = |frame, error| form_page(&context, frame, &form.email, Some(error), None);
    let email = match form.email.parse::<Email>() {
        Ok(email) => email,
        Err(error) => return again(frame.rejected_if(true), sentence(&error)),
    };
    match ask(&context, &headers, email, SignInPurpose::SignIn).await? {
        Ok(response) => Ok(response),
        Err(limit) => again(frame.limited(limit.wait()), sentence(&limit)),
    }
}

/// Asks for a mail to an address; the browser keeps the secret that the confirmation is bound to.
pub(super) async fn ask(
    context: &Context,
    headers: &HeaderMap,
    email: Email,
    purpose: SignInPurpose<'_>,
) -> Result<Result<Response, SignInLimit>, PageError> {
    let browser = match browser(context, headers) {
        Some(browser) => browser,
        None => BrowserSecret::generate()?,
    };
    let request = SignInRequest {
        email,
        browser: &browser,
        network: network(),
        purpose,
    };
    let (store, service) = (context.store(), &context.setup.identity);
    match sign_in::begin(store, service, context.rules(), request, context.now()).await {
        Ok(()) => context.setup.new_mail.notify_one(),
        Err(SignInError::Limit(limit)) => return Ok(Err(limit)),
        Err(error) => return Err(PageError::from_sign_in(error)),
    }
    let mut response = see_other(&format!("{SENT}{}", Purpose::of(purpose).query()));
    let (kind, life) = (CookieKind::Browser, KNOWN_BROWSER_LIFE);
    let cookies = context.cookies;
    cookies.keep(&mut response, kind, &browser.reveal(), life);
    Ok(Ok(response))
}

/// The network that the request comes from.
pub(super) fn network() -> Network {
    let client = RequestContext::current().map(|current| current.client());
    Network::of(client.unwrap_or(Ipv4Addr::UNSPECIFIED.into()))
}

/// `GET /dashboard/sign-in/sent`
pub(super) async fn sent(
    State(context): State<Context>,
    session: Result<Session, PageError>,
    uri: Uri,
    QueryParameters(query): QueryParameters<SentQuery>,
) -> PageResult {
    sent_page(
        frame(&context, session.as_ref().ok(), &uri),
        &context,
        &query,
        None,
    )
}

/// `POST /dashboard/sign-in/code`
pub(super) async fn code(
    State(context): State<Context>,
    session: Result<Session, PageError>,
    uri: Uri,
    QueryParameters(query): QueryParameters<SentQuery>,
    headers: HeaderMap,
    Form(form): Form<Code>,
) -> PageResult {
    let again = |why: SignInRejection| {
        let frame = frame(&context, session.as_ref().ok(), &uri);
        let error = Some(sentence(&why));
        sent_page(rejected(frame, why), &context, &query, error)
    };
    let Some(code) = SignInCode::parse(&form.code) else {
        return again(SignInRejection::WrongCode);
    };
    let Some(browser) = browser(&context, &headers) else {
        return again(SignInRejection::Ended);
    };
    let (store, replaced) = (context.store(), context.session(&headers));
    let here = session_browser(&headers, replaced.as_ref());
    match sign_in::confirm_code(store, &browser, &code, here, context.now()).await {
        Ok(begun) => Ok(signed_in(&context, &headers, &begun)),
        Err(SignInError::Rejected(why)) => again(why),
        Err(error) => Err(PageError::from_sign_in(error)),
    }
}

/// `GET /dashboard/sign-in/link`: consumes nothing.
pub(super) async fn link(
    State(context): State<Context>,
    uri: Uri,
    QueryParameters(link): QueryParameters<Link>,
) -> PageResult {
    let Ok(token) = SignInToken::parse(&link.token) else {
        let reason = "The link is incomplete. Copy all of it from the email.".to_owned();
        let frame = Frame::public(&context, &uri).rejected_if(true);
        return dead_link(&frame, reason);
    };
    let mut response = see_other(CONFIRM);
    let (kind, life) = (CookieKind::Token, PendingSignIn::LIFE);
    let cookies = context.cookies;
    cookies.keep(&mut response, kind, &token.reveal(), life);
    Ok(response)
}

/// `GET /dashboard/sign-in/confirm`
pub(super) async fn confirmation(
    State(context): State<Context>,
    session: Result<Session, PageError>,
    uri: Uri,
    headers: HeaderMap,
) -> PageResult {
    let frame = frame(&context, session.as_ref().ok(), &uri);
    let Some(token) = token(&context, &headers) else {
        return unconfirmed(frame, SignInRejection::Ended);
    };
    let (store, browser) = (context.store(), browser(&context, &headers));
    match sign_in::pending(store, &token, browser.as_ref(), context.now()).await {
        Ok(pending) => {
            let is_change = pending.account.is_some();
            let page = ConfirmPage {
                email: pending.email.as_str(),
                is_change,
                first_project: names_project(&context, &headers, &pending).then(Uuid::now_v7),
            };
            let title = match is_change {
                true => "Confirm the address",
                false => "Confirm the sign-in",
            };
            frame.page(title, &page)
        }
        Err(SignInError::Rejected(why)) => unconfirmed(frame, why),
        Err(error) => Err(PageError::from_sign_in(error)),
    }
}

/// Whether the page that confirms a sign-in asks for a first project: of a new account, whose person was not
/// invited to another's and has not asked for a page.
fn names_project(context: &Context, headers: &HeaderMap, pending: &PendingSignIn) -> bool {
    let goes_elsewhere = [CookieKind::Invitation, CookieKind::ReturnPath]
        .into_iter()
        .any(|kind| context.cookies.get(headers, kind).is_some());
    pending.is_new && pending.account.is_none() && !goes_elsewhere
}

/// `POST /dashboard/sign-in/confirm`
pub(super) async fn confirm(
    State(context): State<Context>,
    session: Result<Session, PageError>,
    uri: Uri,
    headers: HeaderMap,
    Form(first): Form<FirstProject>,
) -> PageResult {
    let Some((token, browser)) = token(&context, &headers).zip(browser(&context, &headers)) else {
        // It says why.
        return confirmation(State(context), session, uri, headers).await;
    };
    let (store, replaced) = (context.store(), context.session(&headers));
    let here = session_browser(&headers, replaced.as_ref());
    match sign_in::confirm_link(store, &token, &browser, here, context.now()).await {
        Ok(begun) => {
            let next = match make_first(&context, &begun, &first).await {
                Some(page) => page,
                None => see_other(return_path::of(&context, &headers)),
            };
            Ok(with_session(&context, next, &begun))
        }
        Err(SignInError::Rejected(why)) => {
            unconfirmed(frame(&context, session.as_ref().ok(), &uri), why)
        }
        Err(error) => Err(PageError::from_sign_in(error)),
    }
}

/// The page of the first key of the project that was named. There is none if the project cannot be made: it is
/// asked for again on the next page, which says why.
async fn make_first(
    context: &Context,
    begun: &BegunSession,
    FirstProject { nonce, project }: &FirstProject,
) -> Option<Response> {
    if project.trim().is_empty() {
        return None;
    }
    let session = Session::find(context, &begun.secret, CONFIRM).await.ok()?;
    let id = ProjectId(nonce.unwrap_or_else(Uuid::now_v7));
    let made = projects::create_with_key(&session, (id, project)).await;
    made.ok()
}

/// The browser that sent a request, in which a session begins.
pub(super) fn session_browser<'a>(
    headers: &HeaderMap,
    session: Option<&'a SessionSecret>,
) -> SessionBrowser<'a> {
    let agent = headers
        .get(USER_AGENT)
        .and_then(|agent| agent.to_str().ok());
    SessionBrowser {
        name: BrowserName::of_user_agent(agent.unwrap_or_default()),
        session,
    }
}

/// The page to sign in on, after a passkey was rejected.
pub(super) fn rejected_passkey(context: &Context, uri: &Uri, why: &PasskeyRejection) -> PageResult {
    let frame = Frame::public(context, uri).rejected_if(true);
    form_page(context, frame, "", None, Some(sentence(why)))
}

/// The answer that begins a session in a browser.
pub(super) fn signed_in(context: &Shared, headers: &HeaderMap, begun: &BegunSession) -> Response {
    with_session(context, see_other(return_path::of(context, headers)), begun)
}

/// An answer with the cookie of a session that begins, and without those of the way to it.
fn with_session(context: &Shared, mut response: Response, begun: &BegunSession) -> Response {
    let (cookies, life) = (context.cookies, context.rules().session_life);
    let secret = begun.secret.reveal();
    cookies.keep(&mut response, CookieKind::Session, &secret, life);
    for kind in [CookieKind::Token, CookieKind::ReturnPath] {
        cookies.forget(&mut response, kind);
    }
    response
}

/// The secret of the browser that asked to sign in.
pub(super) fn browser(context: &Context, headers: &HeaderMap) -> Option<BrowserSecret> {
    let sent = context.cookies.get(headers, CookieKind::Browser)?;
    BrowserSecret::parse(sent).ok()
}

/// The token of the link that was followed.
fn token(context: &Context, headers: &HeaderMap) -> Option<SignInToken> {
    let sent = context.cookies.get(headers, CookieKind::Token)?;
    SignInToken::parse(sent).ok()
}

/// The page of a sign-in that is not confirmed.
fn unconfirmed(frame: Frame<'_>, why: SignInRejection) -> PageResult {
    dead_link(&rejected(frame, why), sentence(&why))
}

fn dead_link(frame: &Frame<'_>, reason: String) -> PageResult {
    let is_signed_in = frame.shell.signed_in.is_some();
    let page = DeadLinkPage {
        reason,
        is_signed_in,
    };
    frame.page("This link does not work here", &page)
}

/// The layout of a page that says why a sign-in is not confirmed.
fn rejected(frame: Frame<'_>, why: SignInRejection) -> Frame<'_> {
    match why {
        SignInRejection::Limit(limit) => frame.limited(limit.wait()),
        _ => frame.rejected_if(true),
    }
}

fn form_page(
    context: &Context,
    frame: Frame<'_>,
    email: &str,
    error: Option<String>,
    passkey_error: Option<String>,
) -> PageResult {
    let page = SignInPage {
        is_demo: context.setup.is_demo,
        email,
        error,
        origin: context.public.origin(),
        passkey_error,
        provider: context.setup.oidc.as_ref().map(Provider::name),
    };
    frame.script("passkeys.js").page("Sign in", &page)
}

fn sent_page(
    frame: Frame<'_>,
    context: &Context,
    query: &SentQuery,
    error: Option<String>,
) -> PageResult {
    let page = SentPage {
        is_demo: context.setup.is_demo,
        purpose: query.purpose,
        error,
    };
    frame.page("Check your email", &page)
}

/// The layout of a page for everyone, which names the account that is signed in, if one is.
fn frame<'a>(context: &'a Context, session: Option<&'a Session>, uri: &Uri) -> Frame<'a> {
    match session {
        Some(session) => Frame::narrow(session.shell()),
        None => Frame::public(context, uri),
    }
}
