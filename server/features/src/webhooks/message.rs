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
    project_name: &str,
    since: Timestamp,
) -> Result<Message, askama::Error> {
    let (url, since) = (without_links(&due.url), format_time(since));
    let (base, project, webhook) = (&service.public_base_url, due.project.0, due.lease.webhook.0);
    let link = format!("{base}/dashboard/projects/{project}/webhooks/{webhook}");
    let subject = format!("Your {} webhook was disabled", service.name);
    Message::builder(service, to, subject)
        .paragraph(format!(
            "The webhook {url} was disabled. It has not returned a 2xx response since {since}. We disable webhooks after \
             three days of failures, or immediately after 410 Gone."
        ))
        .paragraph(
            "New events are not sent while the webhook is disabled. Pending events are sent if you enable it again within \
             three days of the event.",
        )
        .button("Open the webhook", link)
        .owner_notice(project_name)
        .build()
}

/// A change of a webhook that would let a stranger read the project's events.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SensitiveChange {
    Url,
    Secret,
}

/// A webhook that was changed, as emails name it.
#[derive(Debug, Clone, Copy)]
pub(super) struct ChangedWebhook<'a> {
    pub(super) id: WebhookId,
    pub(super) project: ProjectId,
    pub(super) project_name: &'a str,
    /// Its description, or else its URL.
    pub(super) name: &'a str,
}

/// Reports to an owner that the URL or the secret of a webhook was changed. A changed webhook is not named, because
/// its URL and description may be an attacker's.
pub(super) fn webhook_changed(
    service: &ServiceIdentity,
    to: Email,
    webhook: ChangedWebhook<'_>,
    (change, by): (SensitiveChange, Requester),
    now: Timestamp,
) -> Result<Message, askama::Error> {
    let project = without_links(webhook.project_name);
    let (subject, what) = match change {
        SensitiveChange::Url => (
            format!("Webhook URL changed in {project}"),
            format!("The URL of a webhook in project “{project}” was changed"),
        ),
        SensitiveChange::Secret => (
            format!("Webhook secret rotated in {project}"),
            format!(
                "The secret of the webhook {} in project “{project}” was rotated",
                without_links(webhook.name)
            ),
        ),
    };
    let (how, otherwise) = match by {
        Requester::Key(_) => (
            "through the API",
            "check the webhook, and revoke the key shown in the audit log",
        ),
        Requester::Actor(_) => (
            "in the dashboard",
            "check the webhook, your members and your sessions",
        ),
    };
    let base = &service.public_base_url;
    let page = format!("{base}/dashboard/projects/{}", webhook.project.0);
    let at = format_time(now);
    let message = Message::builder(service, to, subject)
        .paragraph(format!(
            "{what} {how} on {at}. If you expected this, no action is needed."
        ))
        .paragraph(format!(
            "Otherwise {otherwise}. We send this email at most once an hour; the audit log lists every change."
        ))
        .button(
            "Open the webhook",
            format!("{page}/webhooks/{}", webhook.id.0),
        )
        .link("Audit log", format!("{page}/audit"));
    let message = match by {
        Requester::Key(_) => message.link("Keys", format!("{page}/keys")),
        Requester::Actor(_) => message
            .link("Members", format!("{page}/members"))
            .link("Sessions", format!("{base}/dashboard/sessions")),
    };
    message.owner_notice(webhook.project_name).build()
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::domain::service_identity::BaseUrl;
    use crate::keys::KeyId;
    use crate::projects::Actor;

    fn written(change: SensitiveChange, by: Requester) -> Message {
        let service = ServiceIdentity::at(BaseUrl::at(([127, 0, 0, 1], 8080).into()));
        let webhook = ChangedWebhook {
            id: WebhookId(Uuid::from_u128(2)),
            project: ProjectId(Uuid::from_u128(1)),
            project_name: "Wallet",
            name: "https://evil.example/hook",
        };
        let (to, now) = (
            "ada@example.org".parse().unwrap(),
            "2026-12-09T10:00:00Z".parse().unwrap(),
        );
        webhook_changed(&service, to, webhook, (change, by), now).unwrap()
    }

    #[test]
    fn a_change_by_a_key_leads_to_the_keys() {
        let by_key = Requester::Key(KeyId(Uuid::from_u128(3)));
        let mail = written(SensitiveChange::Secret, by_key);
        assert_eq!(mail.subject, "Webhook secret rotated in Wallet");
        for text in [&mail.text, &mail.html] {
            assert!(text.contains("through the API"), "{text}");
            assert!(text.contains("revoke the key"), "{text}");
            assert!(text.contains("000000000001/keys"), "{text}");
            assert!(text.contains("owner of “Wallet”"), "{text}");
            assert!(!text.contains("evil.example"), "{text}");
        }
        let mail = written(SensitiveChange::Url, by_key);
        assert!(!mail.text.contains("evil"), "{}", mail.text);
    }

    #[test]
    fn a_change_in_the_dashboard_leads_to_members_and_sessions() {
        let mail = written(SensitiveChange::Secret, Requester::Actor(Actor::Operator));
        for text in [&mail.text, &mail.html] {
            assert!(!text.contains("revoke the key"), "{text}");
            assert!(text.contains("000000000001/members"), "{text}");
            assert!(text.contains("/dashboard/sessions"), "{text}");
        }
    }
}
