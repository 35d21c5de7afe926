//! The email about a disabled webhook.

use jiff::Timestamp;

use super::DueWebhook;
use crate::domain::email::Email;
use crate::domain::service_identity::ServiceIdentity;
use crate::mail::{Message, format_time, without_links};

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
            "The webhook {url} was disabled because no request to it has received a 2xx response since {since}."
        ))
        .paragraph(
            "New events are not sent while the webhook is disabled. Events that are still waiting are sent if you enable \
             it within three days of the event.",
        )
        .button("Open the webhook", link)
        .paragraph("You are receiving this email because you own the project.")
        .build()
}
