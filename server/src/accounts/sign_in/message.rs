//! The mails of signing in and of changing an address.

use askama::Template;

use crate::accounts::{Email, SignInCode, SignInToken};
use crate::config::ServiceIdentity;
use crate::mail::Message;

/// Defines the two forms of a mail that has a link and a code.
macro_rules! forms {
    ($text:ident: $text_path:literal, $html:ident: $html_path:literal) => {
        #[derive(Template)]
        #[template(path = $text_path)]
        struct $text<'a> {
            service: &'a str,
            link: &'a str,
            code: &'a str,
        }

        #[derive(Template)]
        #[template(path = $html_path)]
        struct $html<'a> {
            service: &'a str,
            link: &'a str,
            code: &'a str,
        }
    };
}

forms!(SignInText: "mail/sign_in.txt", SignInHtml: "mail/sign_in.html");
forms!(AddressText: "mail/new_address.txt", AddressHtml: "mail/new_address.html");

#[derive(Template)]
#[template(path = "mail/former_address.txt")]
struct FormerText<'a> {
    service: &'a str,
    sessions: &'a str,
}

#[derive(Template)]
#[template(path = "mail/former_address.html")]
struct FormerHtml<'a> {
    service: &'a str,
    sessions: &'a str,
}

/// Writes the mail of a sign-in.
pub(super) fn of_sign_in(
    service: &ServiceIdentity,
    to: Email,
    token: &SignInToken,
    code: &SignInCode,
) -> Result<Message, askama::Error> {
    let (link, code) = (&link(service, token), &in_halves(code));
    let service = service.name.as_str();
    Ok(Message {
        to,
        subject: format!("Sign in to {service}"),
        text: SignInText {
            service,
            link,
            code,
        }
        .render()?,
        html: SignInHtml {
            service,
            link,
            code,
        }
        .render()?,
    })
}

/// Writes the mail to an address that an account takes.
pub(super) fn of_new_address(
    service: &ServiceIdentity,
    to: Email,
    token: &SignInToken,
    code: &SignInCode,
) -> Result<Message, askama::Error> {
    let (link, code) = (&link(service, token), &in_halves(code));
    let service = service.name.as_str();
    Ok(Message {
        to,
        subject: format!("Confirm your address at {service}"),
        text: AddressText {
            service,
            link,
            code,
        }
        .render()?,
        html: AddressHtml {
            service,
            link,
            code,
        }
        .render()?,
    })
}

/// Writes the notice to the address that an account gives up. It does not name the new one: the reader of this
/// mailbox may not be meant to know it.
pub(super) fn to_former_address(
    service: &ServiceIdentity,
    to: Email,
) -> Result<Message, askama::Error> {
    let sessions = &format!("{}/dashboard/sessions", service.public_base_url);
    let service = service.name.as_str();
    Ok(Message {
        to,
        subject: format!("Your address at {service} is being changed"),
        text: FormerText { service, sessions }.render()?,
        html: FormerHtml { service, sessions }.render()?,
    })
}

fn link(service: &ServiceIdentity, token: &SignInToken) -> String {
    let base = &service.public_base_url;
    format!("{base}/dashboard/sign-in/link?token={}", token.reveal())
}

fn in_halves(code: &SignInCode) -> String {
    let (first, last) = code.reveal().split_at_checked(4).unwrap_or_default();
    format!("{first}-{last}")
}
