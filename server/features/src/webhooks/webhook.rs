//! Webhooks: URLs of projects that events are sent to.

use std::time::Duration;

use jiff::Timestamp;

use super::WebhookRejection;
use super::secret::SealedSecret;
use crate::audit::AuditAction;
use crate::domain::entity_tag::{IfMatch, digest, entity_tag};
use crate::domain::position::{Placed, Position};
use crate::events::{EventTypes, WebhookId};
use crate::idempotency::Idempotency;
use crate::projects::ProjectId;
use edge::clock::{after, latest};

/// A URL of a project's that events are sent to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Webhook {
    pub id: WebhookId,
    pub project: ProjectId,
    pub url: String,
    pub description: Option<String>,
    /// The events that it is sent.
    pub events: EventTypes,
    /// Events are not sent while it is disabled.
    pub is_enabled: bool,
    /// When the first request failed after the last that did not.
    pub failing_since: Option<Timestamp>,
    /// Until when the secret before this one signs too.
    pub previous_secret_until: Option<Timestamp>,
    pub created_at: Timestamp,
}

/// By time, then by id.
impl Placed for Webhook {
    fn position(&self) -> Position {
        Position {
            ordinal: self.created_at.as_millisecond(),
            key: self.id.0.as_bytes().to_vec(),
        }
    }
}

impl Webhook {
    /// The number that a project may have.
    pub const MAX_PER_PROJECT: u32 = 10;

    /// How long the secret before the present one signs too.
    pub const PREVIOUS_SECRET: Duration = Duration::from_secs(24 * 3600);

    /// The longest URL, in characters. The contract has the same.
    pub const MAX_URL: usize = 2048;

    /// The longest description, in characters. The contract has the same.
    pub const MAX_DESCRIPTION: usize = 200;

    /// How long it may fail before it is switched off.
    pub const MAY_FAIL: Duration = Duration::from_secs(3 * 24 * 3600);

    /// A digest of what a request can change, equal exactly for equal values.
    pub(super) fn digest(&self) -> [u8; 32] {
        let events = self.events.bits().to_be_bytes();
        let enabled = [u8::from(self.is_enabled)];
        let parts = [self.url.as_bytes(), &events, &enabled];
        let description = self.description.as_ref().map(String::as_bytes);
        digest(parts.into_iter().chain(description))
    }

    /// The entity tag of what a request can change, with its quotes.
    pub fn tag(&self) -> String {
        entity_tag(self.digest())
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WebhookUpdate {
    pub url: Option<String>,
    pub events: Option<EventTypes>,
    /// Another description, or none.
    pub description: Option<Option<String>>,
    pub is_enabled: Option<bool>,
    /// The tags, one of which the webhook must have (`If-Match`).
    pub if_match: Option<IfMatch>,
}

impl WebhookUpdate {
    /// The webhook with the change. One that is switched on, or moves, is not failing any more.
    ///
    /// # Errors
    /// When the condition does not hold.
    pub(crate) fn apply(&self, webhook: Webhook) -> Result<Webhook, WebhookRejection> {
        let if_match = self.if_match.as_ref();
        if if_match.is_some_and(|tags| !tags.holds(&webhook.tag())) {
            return Err(WebhookRejection::OtherTag);
        }
        let is_enabled = self.is_enabled.unwrap_or(webhook.is_enabled);
        let begins_anew = self.url.is_some() || is_enabled && !webhook.is_enabled;
        Ok(Webhook {
            url: self.url.clone().unwrap_or(webhook.url),
            events: self.events.unwrap_or(webhook.events),
            description: self.description.clone().unwrap_or(webhook.description),
            is_enabled,
            failing_since: webhook.failing_since.filter(|_| !begins_anew),
            ..webhook
        })
    }

    /// The action in the audit log, with the URL from then on.
    pub(crate) fn action(&self, url: String) -> AuditAction {
        let is_switch = self.url.is_none() && self.events.is_none() && self.description.is_none();
        match self.is_enabled.filter(|_| is_switch) {
            Some(true) => AuditAction::WebhookEnabled(url),
            Some(false) => AuditAction::WebhookDisabled(url),
            None => AuditAction::WebhookChanged(url),
        }
    }
}

/// Another secret for a webhook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewSecret {
    pub secret: SealedSecret,
    /// When it begins to sign.
    pub at: Timestamp,
    /// Until when the present one signs too.
    pub until: Timestamp,
    /// Nothing is replaced if the present one is from after this: a form that is sent twice replaces once.
    pub unless_since: Option<Timestamp>,
    /// The key of the request, if it has one: a request that is sent twice replaces once.
    pub idempotency: Option<Idempotency>,
}

impl NewSecret {
    /// Whether a webhook has got its present secret after the time until which that may be replaced.
    pub(crate) fn is_late(&self, webhook: &Webhook) -> bool {
        // A later end was stored while the clock was ahead.
        let latest = after(latest(self.at), Webhook::PREVIOUS_SECRET);
        let until = webhook.previous_secret_until.filter(|it| *it <= latest);
        let replaced = until.zip(self.unless_since);
        replaced.is_some_and(|(until, since)| until > after(since, Webhook::PREVIOUS_SECRET))
    }
}

/// The secrets of a webhook, as they are stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebhookSecrets {
    pub present: SealedSecret,
    /// The one before it, while that signs too.
    pub previous: Option<SealedSecret>,
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::events::EventType;

    fn webhook() -> Webhook {
        let created_at = Timestamp::UNIX_EPOCH;
        Webhook {
            id: WebhookId(Uuid::nil()),
            project: ProjectId(Uuid::nil()),
            url: "https://partner.example/".to_owned(),
            description: None,
            events: EventTypes::from(EventType::ConfigCreated),
            is_enabled: true,
            failing_since: None,
            previous_secret_until: None,
            created_at,
        }
    }

    #[test]
    fn a_tag_is_that_of_what_a_request_can_change() {
        let same = Webhook {
            failing_since: Some(Timestamp::UNIX_EPOCH),
            previous_secret_until: Some(Timestamp::UNIX_EPOCH),
            ..webhook()
        };
        assert_eq!(same.tag(), webhook().tag());
        let changes = [
            WebhookUpdate {
                url: Some("https://partner.example/2".to_owned()),
                ..WebhookUpdate::default()
            },
            WebhookUpdate {
                events: Some(EventTypes::from(EventType::ConfigDeleted)),
                ..WebhookUpdate::default()
            },
            WebhookUpdate {
                description: Some(Some("x".to_owned())),
                ..WebhookUpdate::default()
            },
            WebhookUpdate {
                is_enabled: Some(false),
                ..WebhookUpdate::default()
            },
        ];
        for change in changes {
            let changed = change.apply(webhook()).unwrap();
            assert_ne!(changed.tag(), webhook().tag(), "{change:?}");
            let conditional = WebhookUpdate {
                if_match: Some(IfMatch(webhook().tag())),
                ..change
            };
            assert_eq!(conditional.apply(webhook()), Ok(changed.clone()));
            assert_eq!(conditional.apply(changed), Err(WebhookRejection::OtherTag));
        }
    }
}
