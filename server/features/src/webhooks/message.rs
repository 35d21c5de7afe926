//! Emails to the owners of a project about its webhooks.

use jiff::Timestamp;

use super::DueWebhook;
use crate::domain::email::Email;
use crate::domain::service_identity::ServiceIdentity;
use crate::events::WebhookId;
use crate::mail::{Message, format_time, without_links};
use crate::projects::{ProjectId, Requester};

/// Reports to an owner that a webhook was disabled because its deliveries failed since this time.
pub(super) fn webhook_disabled(
    service: &ServiceIdentity,
    to: Email,
    due: &DueWebhook,
    since: Timestamp,
) -> Result<Message, askama::Error> {
    let (url, since) = (without_links(&due.url), format_time(since));
    let (base, project, webhook) = (&service.public_base_url, due.project.0, due.lease.webhook.0);
    let link = format!("{base}/dashboard/projects/{project}/webhooks/{webhook}");
    Message::builder(to, "A webhook was disabled".to_owned())
        .paragraph(format!(
            "The webhook {url} was disabled: no request to it has received a 2xx response since {since}. A webhook is disabled after three days \
             without one, and at once if it responds 410 Gone."
        ))
        .paragraph(
            "New events are not sent while the webhook is disabled. Events that are still waiting are sent if you enable \
             it within three days of the event.",
        )
        .button("Open the webhook", link)
        .paragraph("You are receiving this email because you own the project.")
        .build()
}

/// A change of a webhook that would let a stranger read the project's events.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SensitiveChange {
    Url,
    Secret,
}

/// Reports to an owner that the URL or the secret of a webhook was changed. The new URL is not included,
/// because it may be an attacker's.
pub(super) fn webhook_changed(
    service: &ServiceIdentity,
    to: Email,
    (project, webhook): (ProjectId, WebhookId),
    (change, by): (SensitiveChange, Requester),
    now: Timestamp,
) -> Result<Message, askama::Error> {
    let (what, subject) = match change {
        SensitiveChange::Url => ("URL", "The URL of a webhook was changed"),
        SensitiveChange::Secret => ("secret", "The secret of a webhook was rotated"),
    };
    let who = match by {
        Requester::Key(_) => "by a program with a key of the project",
        Requester::Actor(_) => "in the dashboard",
    };
    let page = format!(
        "{}/dashboard/projects/{}",
        service.public_base_url, project.0
    );
    Message::builder(to, subject.to_owned())
        .paragraph(format!(
            "The {what} of a webhook of your project was changed {who} on {}. If you expected this, there is nothing to do.",
            format_time(now)
        ))
        .paragraph(
            "Otherwise check the webhook, and revoke the key that the audit log shows. We send at most one such email an hour; \
             the audit log has every change.",
        )
        .button("Open the webhook", format!("{page}/webhooks/{}", webhook.0))
        .link("Audit log", format!("{page}/audit"))
        .link("Keys", page)
        .paragraph("You are receiving this email because you own the project.")
        .build()
}
