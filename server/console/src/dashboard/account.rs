//! The account that is signed in: its sessions, its address, its data, and confirming that it is its person.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use askama::Template;
use axum::response::IntoResponse as _;
use http::HeaderMap;
use http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use jiff::Timestamp;
use serde::Deserialize;
use tokio::task::spawn_blocking;
use uuid::Uuid;

use super::cookies::CookieKind;
use super::extract::{Form, SessionPath};
use super::held_body::holding;
use super::notice::Notice;
use super::page::{Frame, PageResult, see_other, sentence};
use super::page_error::PageError;
use super::router::clear_site;
use super::session::Session;
use super::sign_in;
use super::time::Time;
use crate::accounts::sign_in::SignInPurpose;
use crate::accounts::{self, AccountAction, AccountEvent, history, sessions};
use crate::oidc;
use crate::passkeys::{self, PasskeyRejection};
use crate::personal_data::erasure::{ErasureError, SoleProject};
use crate::personal_data::{erasure, export};
use db::DbError;
use features::domain::email::Email;
use features::domain::ids::AccountId;
use features::projects;

const PATH: &str = "/dashboard/account";
const SESSIONS: &str = "/dashboard/sessions";

/// The layout of a page below the account's own.
pub(super) fn frame_below(session: &Session) -> Frame<'_> {
    session.frame().below("Account", PATH)
}

#[derive(Template)]
#[template(path = "dashboard/account.html")]
struct AccountPage<'a> {
    email: &'a str,
    projects: usize,
    passkeys: usize,
    history: Vec<HistoryView>,
    /// The name of the provider by which people may sign in too, and whether this account does.
    provider: Option<(&'a str, bool)>,
}

#[derive(Template)]
#[template(path = "dashboard/step_up.html")]
struct StepUpPage<'a> {
    email: &'a str,
    has_passkey: bool,
    is_demo: bool,
    is_operator: bool,
    /// The origin on whose pages passkeys work.
    origin: &'a str,
    passkey_error: Option<String>,
    /// The name of the provider that knows the person, if the account is linked with it.
    provider: Option<&'a str>,
}

#[derive(Template)]
#[template(path = "dashboard/address.html")]
struct AddressPage<'a> {
    current: &'a str,
    email: &'a str,
    error: Option<String>,
}

#[derive(Template)]
#[template(path = "dashboard/erase_account.html")]
struct ErasurePage<'a> {
    email: &'a str,
    projects: Vec<SoleProject>,
    error: Option<String>,
}

#[derive(Template)]
#[template(path = "dashboard/sessions.html")]
struct SessionsPage {
    sessions: Vec<SessionView>,
}

struct SessionView {
    id: Uuid,
    browser: String,
    is_this: bool,
    created: Time,
    last_seen: Time,
}

/// The form of a new address, and the one that confirms the erasure.
#[derive(Deserialize)]
pub(super) struct AddressForm {
    email: String,
}

/// `GET /dashboard/account`
pub(super) async fn show(session: Session) -> PageResult {
    let (store, account) = (session.store(), session.account());
    let page = AccountPage {
        email: session.email().as_str(),
        projects: projects::store::projects_of(store, account).await?.len(),
        passkeys: passkeys::list(store, account).await?.len(),
        history: HistoryView::of_account(&session, account).await?,
        provider: provider(&session).await?,
    };
    session.frame().page("Account", &page)
}

/// The name of the provider by which people may sign in too, and whether this account does.
async fn provider(session: &Session) -> Result<Option<(&str, bool)>, PageError> {
    let Some(provider) = &session.context.setup.oidc else {
        return Ok(None);
    };
    let own = oidc::list(session.store(), session.account()).await?;
    Ok(Some((provider.name(), !own.is_empty())))
}

/// `GET /dashboard/step-up`
pub(super) async fn step_up(session: Session) -> PageResult {
    step_up_page(&session, None).await
}

/// The same, after a passkey was rejected.
pub(super) async fn rejected_passkey(session: &Session, why: &PasskeyRejection) -> PageResult {
    step_up_page(session, Some(sentence(why))).await
}

async fn step_up_page(session: &Session, passkey_error: Option<String>) -> PageResult {
    let own = passkeys::list(session.store(), session.account()).await?;
    let provider = provider(session).await?;
    let frame = session.frame().script("passkeys.js");
    let frame = frame.rejected_if(passkey_error.is_some());
    let page = StepUpPage {
        email: session.email().as_str(),
        has_passkey: !own.is_empty(),
        is_demo: session.is_demo(),
        is_operator: session.signed_in.is_operator,
        origin: session.context.public.origin(),
        passkey_error,
        provider: provider.and_then(|(name, is_linked)| is_linked.then_some(name)),
    };
    frame.page("Confirm it’s you", &page)
}

/// `POST /dashboard/step-up`: a sign-in of the same account, whose session replaces this one.
pub(super) async fn ask(session: Session, headers: HeaderMap) -> PageResult {
    let email = session.email().clone();
    let purpose = SignInPurpose::StepUp(&session.signed_in.account);
    match sign_in::ask(&session.context, &headers, email, purpose).await? {
        Ok(response) => Ok(response),
        Err(_limit) => Err(PageError::TooManyMails),
    }
}

/// `GET /dashboard/account/address`
pub(super) async fn address(session: Session) -> PageResult {
    session.require_account_change()?;
    address_page(&session, "", None)
}

/// `POST /dashboard/account/address`: a mail to the new address, which is confirmed like a sign-in.
pub(super) async fn change_address(
    session: Session,
    headers: HeaderMap,
    Form(form): Form<AddressForm>,
) -> PageResult {
    session.require_account_change()?;
    let again = |error| address_page(&session, &form.email, Some(error));
    let email = match form.email.parse::<Email>() {
        Ok(email) => email,
        Err(error) => return again(sentence(&error)),
    };
    let purpose = SignInPurpose::NewAddress(&session.signed_in.account);
    match sign_in::ask(&session.context, &headers, email, purpose).await? {
        Ok(response) => Ok(response),
        Err(limit) => again(sentence(&limit)),
    }
}

fn address_page(session: &Session, email: &str, error: Option<String>) -> PageResult {
    let frame = frame_below(session).rejected_if(error.is_some());
    let current = session.email().as_str();
    let page = AddressPage {
        current,
        email,
        error,
    };
    frame.page("Email address", &page)
}

/// `GET /dashboard/account/export`
pub(super) async fn download(session: Session) -> PageResult {
    session.require_account_change()?;
    let account = &session.signed_in.account;
    let under_way = session.context.exports.begin(account.id);
    let under_way = under_way.ok_or(PageError::TooMany)?;
    let document = export::document(session.store(), account, session.now()).await?;
    // It may have thousands of events.
    let text = spawn_blocking(move || format!("{document:#}\n")).await;
    let text = text.map_err(|_panicked| PageError::Internal)?;
    let headers = [
        (CONTENT_TYPE, "application/json"),
        (CONTENT_DISPOSITION, "attachment; filename=\"account.json\""),
    ];
    Ok(holding((headers, text).into_response(), under_way))
}

/// `GET /dashboard/account/erase`
pub(super) async fn erasure(session: Session) -> PageResult {
    session.require_account_change()?;
    erasure_page(&session, None).await
}

/// `POST /dashboard/account/erase`
pub(super) async fn erase(session: Session, Form(form): Form<AddressForm>) -> PageResult {
    session.require_account_change()?;
    let (store, account) = (session.store(), &session.signed_in.account);
    match erasure::erase(store, account, &form.email, session.now()).await {
        Ok(()) => {
            let mut response = Notice::AccountErased.see_other("/dashboard/sign-in");
            let cookies = session.context.cookies;
            cookies.forget(&mut response, CookieKind::Session);
            clear_site(&mut response);
            Ok(response)
        }
        Err(ErasureError::Db(error)) => Err(error.into()),
        Err(ErasureError::OwnsSuspended(_)) => Err(PageError::OwnsSuspended),
        Err(error @ ErasureError::NotConfirmed) => {
            erasure_page(&session, Some(sentence(&error))).await
        }
    }
}

async fn erasure_page(session: &Session, error: Option<String>) -> PageResult {
    let frame = frame_below(session).rejected_if(error.is_some());
    let page = ErasurePage {
        email: session.email().as_str(),
        projects: erasure::sole_projects(session.store(), session.account()).await?,
        error,
    };
    frame.page("Delete your account", &page)
}

/// `GET /dashboard/sessions`
pub(super) async fn list_sessions(session: Session) -> PageResult {
    let now = session.now();
    let view = |found: accounts::Session| SessionView {
        id: found.id.0,
        is_this: found.id == session.signed_in.session.id,
        browser: found.browser_name.as_str().to_owned(),
        created: Time::new(found.created_at, now),
        last_seen: Time::new(found.last_seen_at, now),
    };
    let found = sessions_of_account(&session).await?;
    let sessions = found.into_iter().map(view).collect();
    session.frame().page("Sessions", &SessionsPage { sessions })
}

/// `POST /dashboard/sessions/{session}/end`
pub(super) async fn end_session(session: Session, SessionPath(id): SessionPath) -> PageResult {
    let ended = sessions::end(session.store(), session.account(), id).await?;
    ended.then_some(()).ok_or(PageError::NotFound)?;
    Ok(Notice::SessionEnded.see_other(SESSIONS))
}

/// `POST /dashboard/sessions/end-others`
pub(super) async fn end_other_sessions(session: Session, headers: HeaderMap) -> PageResult {
    for other in sessions_of_account(&session).await? {
        if other.id != session.signed_in.session.id {
            sessions::end(session.store(), session.account(), other.id).await?;
        }
    }
    let (store, account) = (session.store(), session.account());
    let here = sign_in::browser(&session.context, &headers).map(|it| it.digest());
    accounts::store::forget_other_browsers(store, account, here).await?;
    Ok(Notice::SessionsEnded.see_other(SESSIONS))
}

/// `POST /dashboard/sign-out`
pub(super) async fn sign_out(session: Session, headers: HeaderMap) -> PageResult {
    let (store, account) = (session.store(), session.account());
    sessions::end(store, account, session.signed_in.session.id).await?;
    if let Some(browser) = sign_in::browser(&session.context, &headers) {
        accounts::store::forget_browser(store, account, browser.digest()).await?;
    }
    let mut response = see_other("/dashboard/sign-in");
    let cookies = session.context.cookies;
    for kind in [CookieKind::Session, CookieKind::Browser] {
        cookies.forget(&mut response, kind);
    }
    clear_site(&mut response);
    Ok(response)
}

/// The live sessions of the account that is signed in.
async fn sessions_of_account(session: &Session) -> Result<Vec<accounts::Session>, DbError> {
    let (store, rules) = (session.store(), session.context.rules());
    sessions::list(store, session.account(), rules, session.now()).await
}

/// The accounts whose export is under way. Clones share them.
#[derive(Debug, Clone, Default)]
pub(super) struct Exports(Arc<Mutex<HashSet<AccountId>>>);

/// An export that is under way until this is dropped.
#[derive(Debug)]
pub(super) struct Export {
    exports: Exports,
    account: AccountId,
}

impl Exports {
    /// Begins an account's export, unless another one is under way.
    pub(super) fn begin(&self, account: AccountId) -> Option<Export> {
        self.accounts().insert(account).then(|| Export {
            exports: self.clone(),
            account,
        })
    }

    /// The set is right between any two statements, so a panic elsewhere cannot spoil it.
    fn accounts(&self) -> MutexGuard<'_, HashSet<AccountId>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Export {
    fn drop(&mut self) {
        self.exports.accounts().remove(&self.account);
    }
}

pub(super) struct HistoryView {
    pub(super) what: String,
    pub(super) at: Time,
}

impl HistoryView {
    pub(super) async fn of_account(
        session: &Session,
        account: AccountId,
    ) -> Result<Vec<Self>, DbError> {
        let (events, now) = (history::of_account(session.store(), account), session.now());
        Ok(events
            .await?
            .iter()
            .map(|event| Self::of(event, now))
            .collect())
    }

    fn of(event: &AccountEvent, now: Timestamp) -> Self {
        Self {
            what: match &event.action {
                AccountAction::PasskeyAdded(name) => format!("Added the passkey “{name}”"),
                AccountAction::PasskeyRemoved(name) => format!("Removed the passkey “{name}”"),
                AccountAction::IdentityLinked(label) => format!("Linked {label} at the provider"),
                AccountAction::IdentityUnlinked(label) => {
                    format!("Unlinked {label} at the provider")
                }
                AccountAction::AddressChanged => "Changed the email address".to_owned(),
                AccountAction::OperatorAdded => "Became an operator".to_owned(),
                AccountAction::OperatorRecovered => {
                    "All passkeys removed; received a code for a new one".to_owned()
                }
                AccountAction::OperatorRemoved => "No longer an operator".to_owned(),
            },
            at: Time { at: event.at, now },
        }
    }
}
