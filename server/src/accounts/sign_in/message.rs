//! The mail of a sign-in.

use askama::Template;

use crate::accounts::{Email, SignInCode, SignInToken};
use crate::config::ServiceIdentity;
use crate::mail::Message;

#[derive(Template)]
#[template(path = "mail/sign_in.txt")]
struct Text<'a> {
    service: &'a str,
    link: &'a str,
    code: &'a str,
}

#[derive(Template)]
#[template(path = "mail/sign_in.html")]
struct Html<'a> {
    service: &'a str,
    link: &'a str,
    code: &'a str,
}

/// Writes the mail.
pub(super) fn write(
    service: &ServiceIdentity,
    to: Email,
    token: &SignInToken,
    code: &SignInCode,
) -> Result<Message, askama::Error> {
    let (base, name) = (&service.public_base_url, service.name.as_str());
    let link = &format!("{base}/dashboard/sign-in/link?token={}", token.reveal());
    let (first, last) = code.reveal().split_at_checked(4).unwrap_or_default();
    let code = &format!("{first}-{last}");
    Ok(Message {
        to,
        subject: format!("Sign in to {name}"),
        text: Text {
            service: name,
            link,
            code,
        }
        .render()?,
        html: Html {
            service: name,
            link,
            code,
        }
        .render()?,
    })
}
