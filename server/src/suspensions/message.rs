//! The mails about suspensions.

use askama::Template;
use jiff::Timestamp;

use crate::accounts::Email;
use crate::config::ServiceIdentity;
use crate::mail::{Message, NewMail, without_links};
use crate::projects::Project;

/// A change of a project that its owners are mailed of.
#[derive(Debug, Clone, Copy)]
pub(super) enum Change<'a> {
    /// It was suspended, for this reason.
    Suspended(&'a str),
    Resumed,
}

#[derive(Template)]
#[template(path = "mail/suspension.txt")]
struct Text<'a> {
    service: &'a str,
    project: &'a str,
    change: Change<'a>,
    link: &'a str,
}

#[derive(Template)]
#[template(path = "mail/suspension.html")]
struct Html<'a> {
    service: &'a str,
    project: &'a str,
    change: Change<'a>,
    link: &'a str,
}

/// Writes the mail that tells an owner of a change.
pub(super) fn write(
    service: &ServiceIdentity,
    to: Email,
    project: &Project,
    change: Change<'_>,
    now: Timestamp,
) -> Result<NewMail, askama::Error> {
    let link = &format!(
        "{}/dashboard/projects/{}",
        service.public_base_url, project.id.0
    );
    let (service, project) = (service.name.as_str(), &*without_links(&project.name));
    let message = Message {
        to,
        subject: match change {
            Change::Suspended(_) => format!("A project of yours is suspended from {service}"),
            Change::Resumed => format!("A project of yours is back at {service}"),
        },
        text: Text {
            service,
            project,
            change,
            link,
        }
        .render()?,
        html: Html {
            service,
            project,
            change,
            link,
        }
        .render()?,
    };
    Ok(NewMail::new(message, now))
}
