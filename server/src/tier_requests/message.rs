//! The mail about a decision.

use askama::Template;

use super::{Decision, TierRequest};
use crate::config::ServiceIdentity;
use crate::mail::{Message, NewMail, without_links};

#[derive(Template)]
#[template(path = "mail/tier_request.txt")]
struct Text<'a> {
    service: &'a str,
    project: &'a str,
    tier: &'a str,
    decision: &'a Decision,
    link: &'a str,
}

#[derive(Template)]
#[template(path = "mail/tier_request.html")]
struct Html<'a> {
    service: &'a str,
    project: &'a str,
    tier: &'a str,
    decision: &'a Decision,
    link: &'a str,
}

/// Writes the mail to the account that asked.
pub(super) fn write(
    service: &ServiceIdentity,
    request: &TierRequest,
    decision: &Decision,
) -> Result<NewMail, askama::Error> {
    let (base, project) = (&service.public_base_url, &request.project);
    let link = &format!("{base}/dashboard/projects/{}", project.id.0);
    let (service, project) = (service.name.as_str(), &*without_links(&project.name));
    let tier = request.tier.label();
    let message = Message {
        to: request.email.clone(),
        subject: match decision.is_accepted {
            true => format!("Your project has the tier {tier} at {service}"),
            false => format!("Your request for the tier {tier} was declined by {service}"),
        },
        text: Text {
            service,
            project,
            tier,
            decision,
            link,
        }
        .render()?,
        html: Html {
            service,
            project,
            tier,
            decision,
            link,
        }
        .render()?,
    };
    Ok(NewMail::new(message, decision.at))
}
