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
    let (base, service_name) = (&service.public_base_url, &service.name);
    let by = by.as_str();
    let role = match invitation.role {
        Role::Owner => "an owner",
        Role::Member => "a member",
    };
    let link = format!("{base}/dashboard/invitation/link?token={}", token.reveal());
    let subject = format!("You are invited to a project on {service_name}");
    Message::builder(service, invitation.email.clone(), subject)
        .paragraph(format!(
            "{by} invites you to become {role} of a project. The invitation page shows the project and lets you accept \
             or decline."
        ))
        .button("View the invitation", link)
        .paragraph(
            "Sign in with this email address. If you have no account, signing in creates one. The invitation works only \
             for this address and expires in 7 days. If you don’t know the sender, ignore this email.",
        )
        .build()
}
