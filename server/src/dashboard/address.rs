//! Changing the mail address of an account: a form, and a mail to the new address, which is confirmed like
//! a sign-in.

use askama::Template;
use axum::extract::State;
use http::HeaderMap;
use serde::Deserialize;

use super::context::Context;
use super::extract::Form;
use super::page::{PageResult, page, refused, sentence};
use super::sidebar::Sidebar;
use super::sign_in;
use super::signed_in::Session;
use crate::accounts::Email;
use crate::accounts::sign_in::SignInPurpose;
use crate::site::Shell;

#[derive(Template)]
#[template(path = "dashboard/address.html")]
struct AddressPage<'a> {
    shell: Shell<'a>,
    side: Sidebar,
    current: &'a str,
    email: &'a str,
    error: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct Address {
    email: String,
}

/// `GET /dashboard/account/address`
pub(super) async fn form(State(context): State<Context>, session: Session) -> PageResult {
    session.require_recent(&context)?;
    page(&address_page(&context, &session, "", None))
}

/// `POST /dashboard/account/address`
pub(super) async fn change(
    State(context): State<Context>,
    session: Session,
    headers: HeaderMap,
    Form(form): Form<Address>,
) -> PageResult {
    session.require_recent(&context)?;
    let again = |error| refused(&address_page(&context, &session, &form.email, Some(error)));
    let email = match form.email.parse::<Email>() {
        Ok(email) => email,
        Err(error) => return again(sentence(&error)),
    };
    let purpose = SignInPurpose::NewAddress(&session.signed_in.account);
    match sign_in::ask(&context, &headers, email, purpose).await? {
        Ok(response) => Ok(response),
        Err(limit) => again(sentence(&limit)),
    }
}

fn address_page<'a>(
    context: &'a Context,
    session: &'a Session,
    email: &'a str,
    error: Option<String>,
) -> AddressPage<'a> {
    AddressPage {
        shell: session.shell(context),
        side: session.side(),
        current: session.email().as_str(),
        email,
        error,
    }
}
