//! The emails about suspensions.

use jiff::Timestamp;

use crate::domain::email::Email;
use crate::domain::service_identity::ServiceIdentity;
use crate::mail::{Message, NewMail, without_links};
use crate::projects::Project;

/// A change that a project's owners are notified of.
#[derive(Debug, Clone, Copy)]
pub(super) enum Change<'a> {
    /// It was suspended, for this reason.
    Suspended(&'a str),
    Resumed,
}

/// Reports to an owner that a project was suspended or resumed.
pub(super) fn suspension_changed(
    service: &ServiceIdentity,
    to: Email,
    project: &Project,
    change: Change<'_>,
    now: Timestamp,
) -> Result<NewMail, askama::Error> {
    let (base, service_name) = (&service.public_base_url, &service.name);
    let name = without_links(&project.name);
    let message = match change {
        Change::Suspended(reason) => {
            Message::builder(service, to, format!("Your {service_name} project is suspended"))
                .paragraph(format!(
                    "Your project “{name}” is suspended: {service_name} rejects its keys with 403 until an operator resumes it."
                ))
                .paragraph(format!("The operator’s reason: {reason}"))
                .paragraph("Nothing was deleted, and no key was revoked.")
        }
        Change::Resumed => {
            Message::builder(service, to, format!("Your {service_name} project is active again")).paragraph(
                format!("Your project “{name}” is no longer suspended. Its keys work again."),
            )
        }
    };
    let link = format!("{base}/dashboard/projects/{}", project.id.0);
    let message = message.button("Open the project", link).build()?;
    Ok(NewMail::new(message, now))
}
