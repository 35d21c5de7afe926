//! The email about a decision.

use super::{Decision, TierRequest};
use features::domain::service_identity::ServiceIdentity;
use features::mail::{Message, NewMail, without_links};

/// Reports a decision to the account that requested the tier.
pub(super) fn tier_decided(
    service: &ServiceIdentity,
    request: &TierRequest,
    decision: &Decision,
) -> Result<NewMail, askama::Error> {
    let (base, service_name) = (&service.public_base_url, &service.name);
    let (tier, project) = (request.tier.label(), without_links(&request.project.name));
    let (subject, text) = match decision.is_accepted {
        true => (
            format!("Your {service_name} project is now on the {tier} tier"),
            format!(
                "Your project “{project}” is now on the {tier} tier of {service_name}. The new limits apply now."
            ),
        ),
        false => (
            format!("{service_name} declined your request for the {tier} tier"),
            format!(
                "An operator of {service_name} declined the {tier} tier for your project “{project}”. Its limits do not \
                 change."
            ),
        ),
    };
    let link = format!("{base}/dashboard/projects/{}", request.project.id.0);
    let message = Message::builder(service, request.email.clone(), subject)
        .paragraph(text)
        .paragraph(format!("The operator’s reply: {}", decision.answer))
        .button("Open the project", link)
        .build()?;
    Ok(NewMail::new(message, decision.at))
}
