//! The account that is signed in.

use askama::Template;
use axum::extract::State;
use http::HeaderMap;

use super::context::{Context, Shared};
use super::page::{PageResult, page, refused, sentence};
use super::page_error::PageError;
use super::sidebar::Sidebar;
use super::sign_in;
use super::signed_in::Session;
use super::view::HistoryView;
use crate::accounts::history;
use crate::accounts::sign_in::SignInPurpose;
use crate::oidc;
use crate::passkeys::{self, PasskeyRefusal};
use crate::site::Shell;

#[derive(Template)]
#[template(path = "dashboard/account.html")]
struct AccountPage<'a> {
    shell: Shell<'a>,
    side: Sidebar,
    email: &'a str,
    projects: usize,
    passkeys: usize,
    history: Vec<HistoryView>,
    /// The name of the provider by which people may sign in too, and whether this account does.
    provider: Option<(&'a str, bool)>,
}

/// `GET /dashboard/account`
pub(super) async fn show(State(context): State<Context>, session: Session) -> PageResult {
    let account = session.signed_in.account.id;
    let projects = crate::projects::store::projects_of(context.store(), account).await?;
    let events = history::of_account(context.store(), account).await?;
    let now = context.now();
    let provider = match &context.setup.oidc {
        Some(provider) => {
            let own = oidc::list(context.store(), account).await?;
            Some((provider.name(), !own.is_empty()))
        }
        None => None,
    };
    page(&AccountPage {
        shell: session.shell(&context),
        side: session.side(),
        email: session.email().as_str(),
        projects: projects.len(),
        passkeys: passkeys::list(context.store(), account).await?.len(),
        history: events
            .iter()
            .map(|event| HistoryView::of(event, now))
            .collect(),
        provider,
    })
}

#[derive(Template)]
#[template(path = "dashboard/step_up.html")]
struct StepUpPage<'a> {
    shell: Shell<'a>,
    side: Sidebar,
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

/// `GET /dashboard/step-up`
pub(super) async fn step_up(State(context): State<Context>, session: Session) -> PageResult {
    page(&step_up_page(&context, &session, None).await?)
}

/// The same, after a passkey was refused.
pub(super) async fn refused_passkey(
    context: &Shared,
    session: &Session,
    why: &PasskeyRefusal,
) -> PageResult {
    refused(&step_up_page(context, session, Some(sentence(why))).await?)
}

async fn step_up_page<'a>(
    context: &'a Shared,
    session: &'a Session,
    passkey_error: Option<String>,
) -> Result<StepUpPage<'a>, PageError> {
    let account = session.signed_in.account.id;
    let own = passkeys::list(context.store(), account).await?;
    let provider = match &context.setup.oidc {
        Some(provider) => {
            let linked = oidc::list(context.store(), account).await?;
            Some(provider.name()).filter(|_| !linked.is_empty())
        }
        None => None,
    };
    Ok(StepUpPage {
        shell: session.shell(context),
        side: session.side(),
        email: session.email().as_str(),
        has_passkey: !own.is_empty(),
        is_demo: session.is_demo(),
        is_operator: session.signed_in.is_operator,
        origin: context.public.origin(),
        passkey_error,
        provider,
    })
}

/// `POST /dashboard/step-up`: a sign-in of the same account, whose session replaces this one.
pub(super) async fn ask(
    State(context): State<Context>,
    session: Session,
    headers: HeaderMap,
) -> PageResult {
    let (email, purpose) = (
        session.email().clone(),
        SignInPurpose::StepUp(&session.signed_in.account),
    );
    match sign_in::ask(&context, &headers, email, purpose).await? {
        Ok(response) => Ok(response),
        Err(_limit) => Err(PageError::TooManyMails),
    }
}
