//! The mail of an invitation. It names no project: people choose the names of projects, and mail programs make
//! links of text that looks like one.

use askama::Template;

use crate::accounts::{Email, InvitationToken};
use crate::config::ServiceIdentity;
use crate::mail::Message;
use crate::members::NewInvitation;

#[derive(Template)]
#[template(path = "mail/invitation.txt")]
struct Text<'a> {
    service: &'a str,
    by: &'a str,
    role: &'a str,
    link: &'a str,
}

#[derive(Template)]
#[template(path = "mail/invitation.html")]
struct Html<'a> {
    service: &'a str,
    by: &'a str,
    role: &'a str,
    link: &'a str,
}

/// Writes the mail.
pub(super) fn write(
    service: &ServiceIdentity,
    invitation: &NewInvitation,
    by: &Email,
    token: &InvitationToken,
) -> Result<Message, askama::Error> {
    let (base, name) = (&service.public_base_url, service.name.as_str());
    let token = token.reveal();
    let link = &format!("{base}/dashboard/invitation/link?token={token}");
    let (by, role) = (by.as_str(), invitation.role.as_str());
    Ok(Message {
        to: invitation.email.clone(),
        subject: format!("Invitation to a project of {name}"),
        text: Text {
            service: name,
            by,
            role,
            link,
        }
        .render()?,
        html: Html {
            service: name,
            by,
            role,
            link,
        }
        .render()?,
    })
}
