//! The personal data of an account: downloading it, and erasing the account.

use askama::Template;
use axum::extract::State;
use axum::response::IntoResponse as _;
use http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use serde::Deserialize;
use tokio::task::spawn_blocking;

use super::context::Context;
use super::cookies::CookieKind;
use super::extract::Form;
use super::headers;
use super::held_body::holding;
use super::notice::Notice;
use super::page::{PageResult, page, refused, sentence};
use super::page_error::PageError;
use super::sidebar::Sidebar;
use super::signed_in::Session;
use crate::accounts::erasure::{self, ErasureError, SoleProject};
use crate::accounts::export;
use crate::site::Shell;

#[derive(Template)]
#[template(path = "dashboard/erase_account.html")]
struct ErasurePage<'a> {
    shell: Shell<'a>,
    side: Sidebar,
    email: &'a str,
    projects: Vec<SoleProject>,
    error: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct Confirmation {
    email: String,
}

/// `GET /dashboard/account/export`
pub(super) async fn download(State(context): State<Context>, session: Session) -> PageResult {
    let account = &session.signed_in.account;
    let under_way = context.exports.begin(account.id);
    let under_way = under_way.ok_or(PageError::TooMany)?;
    let document = export::document(context.store(), account, context.now()).await?;
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
pub(super) async fn erasure(State(context): State<Context>, session: Session) -> PageResult {
    session.require_recent(&context)?;
    page(&erasure_page(&context, &session, None).await?)
}

/// `POST /dashboard/account/erase`
pub(super) async fn erase(
    State(context): State<Context>,
    session: Session,
    Form(form): Form<Confirmation>,
) -> PageResult {
    session.require_recent(&context)?;
    let (store, account) = (context.store(), &session.signed_in.account);
    match erasure::erase(store, account, &form.email, context.now()).await {
        Ok(()) => {
            let mut response = Notice::AccountErased.see_other("/dashboard/sign-in");
            context.cookies.forget(&mut response, CookieKind::Session);
            headers::clear_site(&mut response);
            Ok(response)
        }
        Err(ErasureError::Store(error)) => Err(error.into()),
        Err(ErasureError::OwnsSuspended(_)) => Err(PageError::OwnsSuspended),
        Err(error @ ErasureError::NotConfirmed) => {
            let error = Some(sentence(&error));
            refused(&erasure_page(&context, &session, error).await?)
        }
    }
}

async fn erasure_page<'a>(
    context: &'a Context,
    session: &'a Session,
    error: Option<String>,
) -> Result<ErasurePage<'a>, PageError> {
    let account = session.signed_in.account.id;
    Ok(ErasurePage {
        shell: session.shell(context),
        side: session.side(),
        email: session.email().as_str(),
        projects: erasure::sole_projects(context.store(), account).await?,
        error,
    })
}
