//! The mail about a webhook that was switched off.

use askama::Template;
use jiff::Timestamp;

use super::DueWebhook;
use crate::accounts::Email;
use crate::config::ServiceIdentity;
use crate::mail::{Message, without_links};

const SUBJECT: &str = "A webhook is switched off";

#[derive(Template)]
#[template(path = "mail/webhook_off.txt")]
struct Text<'a> {
    url: &'a str,
    since: &'a str,
    link: &'a str,
}

#[derive(Template)]
#[template(path = "mail/webhook_off.html")]
struct Html<'a> {
    title: &'static str,
    url: &'a str,
    since: &'a str,
    link: &'a str,
}

/// Writes the mail.
pub(super) fn write(
    service: &ServiceIdentity,
    to: Email,
    due: &DueWebhook,
    since: Timestamp,
) -> Result<Message, askama::Error> {
    let url = without_links(&due.url);
    let since = since.strftime("%-d %b %Y, %H:%M UTC").to_string();
    let (base, project, webhook) = (&service.public_base_url, due.project.0, due.lease.webhook.0);
    let link = format!("{base}/dashboard/projects/{project}/webhooks/{webhook}");
    let text = Text {
        url: &url,
        since: &since,
        link: &link,
    };
    let html = Html {
        title: SUBJECT,
        url: &url,
        since: &since,
        link: &link,
    };
    Ok(Message {
        to,
        subject: SUBJECT.to_owned(),
        text: text.render()?,
        html: html.render()?,
    })
}
