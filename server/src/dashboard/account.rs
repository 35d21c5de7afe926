//! The account that is signed in.

use askama::Template;
use axum::extract::State;
use http::HeaderMap;

use super::context::Context;
use super::page::{PageResult, page};
use super::page_error::PageError;
use super::sign_in;
use super::signed_in::Session;
use crate::site::Shell;

#[derive(Template)]
#[template(path = "dashboard/account.html")]
struct AccountPage<'a> {
    shell: Shell<'a>,
    tab: &'a str,
    email: &'a str,
    projects: usize,
}

/// `GET /dashboard/account`
pub(super) async fn show(State(context): State<Context>, session: Session) -> PageResult {
    let account = session.signed_in.account.id;
    let projects = context.store().projects_of(account).await?;
    page(&AccountPage {
        shell: session.shell(&context),
        tab: "account",
        email: session.email().as_str(),
        projects: projects.len(),
    })
}

#[derive(Template)]
#[template(path = "dashboard/step_up.html")]
struct StepUpPage<'a> {
    shell: Shell<'a>,
    tab: &'a str,
    email: &'a str,
}

/// `GET /dashboard/step-up`
pub(super) async fn step_up(State(context): State<Context>, session: Session) -> PageResult {
    page(&StepUpPage {
        shell: session.shell(&context),
        tab: "account",
        email: session.email().as_str(),
    })
}

/// `POST /dashboard/step-up`: a sign-in of the same account, whose session replaces this one.
pub(super) async fn ask(
    State(context): State<Context>,
    session: Session,
    headers: HeaderMap,
) -> PageResult {
    match sign_in::ask(&context, &headers, session.email().clone()).await? {
        Ok(response) => Ok(response),
        Err(_limit) => Err(PageError::TooManyMails),
    }
}
