//! The email of an invitation. It does not name the project: people choose the names of projects, and email programs
//! turn text that looks like a link into one.

use crate::accounts::InvitationToken;
use crate::members::NewInvitation;
use features::domain::email::Email;
use features::domain::service_identity::ServiceIdentity;
use features::mail::Message;
use features::projects::Role;

/// Invites an address.
pub(super) fn invitation(
    service: &ServiceIdentity,
    invitation: &NewInvitation,
    by: &Email,
    token: &InvitationToken,
) -> Result<Message, askama::Error> {
    let (base, service) = (&service.public_base_url, &service.name);
    let by = by.as_str();
    let role = match invitation.role {
        Role::Owner => "an owner",
        Role::Member => "a member",
    };
    let link = format!("{base}/dashboard/invitation/link?token={}", token.reveal());
    let subject = format!("You are invited to a project on {service}");
    Message::builder(invitation.email.clone(), subject)
        .paragraph(format!(
            "{by} invites you to become {role} of a project. The invitation page shows the project and lets you accept \
             or decline."
        ))
        .button("View the invitation", link)
        .paragraph(
            "Sign in with this email address. If it has no account yet, one is created. The invitation is for this address only \
             and expires in 7 days. If you don't know the sender, ignore this email: nothing happens.",
        )
        .build()
}
