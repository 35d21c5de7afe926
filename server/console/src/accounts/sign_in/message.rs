//! The emails that sign in and that change an address.

use crate::accounts::{SignInCode, SignInToken};
use features::domain::email::Email;
use features::domain::service_identity::ServiceIdentity;
use features::mail::Message;

const OTHER_DEVICE: &str =
    "If you are reading this on another device, enter this code in that browser instead:";

pub(super) fn sign_in(
    service: &ServiceIdentity,
    to: Email,
    token: &SignInToken,
    code: &SignInCode,
) -> Result<Message, askama::Error> {
    Message::builder(service, to, format!("Sign in to {}", service.name))
        .paragraph("Use the link below in the browser where you asked to sign in.")
        .button("Sign in", link(service, token))
        .paragraph(OTHER_DEVICE)
        .code(in_halves(code))
        .paragraph(
            "The link and the code work once, for 10 minutes. If you did not ask to sign in, ignore this email: no one \
             can sign in as you without it. Never share the code.",
        )
        .build()
}

/// Confirms the new address of an account.
pub(super) fn new_address(
    service: &ServiceIdentity,
    to: Email,
    token: &SignInToken,
    code: &SignInCode,
) -> Result<Message, askama::Error> {
    let name = &service.name;
    Message::builder(service, to, format!("Confirm your address at {name}"))
        .paragraph(format!(
            "Someone asked to use this address for their {name} account. If it was you, confirm in the browser where you \
             asked."
        ))
        .button("Confirm the address", link(service, token))
        .paragraph(OTHER_DEVICE)
        .code(in_halves(code))
        .paragraph(
            "The link and the code work once, for 10 minutes. If it was not you, ignore this email: nothing changes.",
        )
        .build()
}

/// Warns the former address of an account. It does not name the new one: the reader of this mailbox may not be meant
/// to know it.
pub(super) fn former_address(
    service: &ServiceIdentity,
    to: Email,
) -> Result<Message, askama::Error> {
    let (base, name) = (&service.public_base_url, &service.name);
    Message::builder(service, to, format!("Your address at {name} is being changed"))
        .paragraph(
            "Someone signed in to your account asked to replace this address with another one. The change takes \
             effect when the other address is confirmed, within 10 minutes.",
        )
        .paragraph(
            "If it was you, no action is needed. If not, sign in now and sign out all other browsers to cancel the change.",
        )
        .button("View your sessions", format!("{base}/dashboard/sessions"))
        .build()
}

fn link(service: &ServiceIdentity, token: &SignInToken) -> String {
    let base = &service.public_base_url;
    format!("{base}/dashboard/sign-in/link?token={}", token.reveal())
}

fn in_halves(code: &SignInCode) -> String {
    let (first, last) = code.reveal().split_at_checked(4).unwrap_or_default();
    format!("{first}-{last}")
}
