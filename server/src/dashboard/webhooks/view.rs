//! Webhooks and deliveries as pages show them.

use edge::clock::after;
use jiff::Timestamp;
use uuid::Uuid;

use crate::dashboard::time::Time;
use crate::webhooks::{Delivery, DeliveryState, EventType, Webhook};

/// A webhook in a list, or on its page.
pub(in crate::dashboard) struct WebhookView {
    pub(super) id: Uuid,
    pub(super) url: String,
    pub(super) description: Option<String>,
    pub(super) events: Vec<&'static str>,
    pub(super) state: WebhookState,
    /// Since when no request has arrived, if none does.
    pub(super) failing_since: Option<Time>,
    /// Until when the secret before this one signs too, if it does.
    pub(super) previous_secret: Option<Time>,
    pub(super) created: Time,
}

/// Whether a webhook is sent events.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::dashboard) enum WebhookState {
    Enabled,
    /// It is on, and the last request did not arrive.
    Failing,
    /// Somebody has disabled it.
    Disabled,
    /// It has failed for so long that it was switched off.
    SwitchedOff,
}

/// A delivery in the list of a webhook.
pub(in crate::dashboard) struct DeliveryView {
    pub(super) id: Uuid,
    pub(super) event_type: &'static str,
    pub(super) at: Time,
    pub(super) state: &'static str,
    /// The class of its badge.
    pub(super) class: &'static str,
    pub(super) attempts: u32,
    /// The outcome of the last attempt, and its time.
    pub(super) last: Option<(String, Time)>,
    pub(super) next: Option<Time>,
}

impl WebhookView {
    pub(super) fn of(webhook: Webhook, now: Timestamp) -> Self {
        let time = |at| Time { at, now };
        let previous = webhook.previous_secret_until.filter(|until| *until > now);
        Self {
            id: webhook.id.0,
            state: WebhookState::of(&webhook, now),
            events: webhook.events.iter().map(EventType::as_str).collect(),
            url: webhook.url,
            description: webhook.description,
            failing_since: webhook.failing_since.map(time),
            previous_secret: previous.map(time),
            created: time(webhook.created_at),
        }
    }

    /// The name for people.
    pub(super) fn name(&self) -> &str {
        self.description.as_deref().unwrap_or(&self.url)
    }
}

impl WebhookState {
    fn of(webhook: &Webhook, now: Timestamp) -> Self {
        let has_failed_for_long = |since| now >= after(since, Webhook::MAY_FAIL);
        match (webhook.is_enabled, webhook.failing_since) {
            (true, None) => Self::Enabled,
            (true, Some(_)) => Self::Failing,
            (false, Some(since)) if has_failed_for_long(since) => Self::SwitchedOff,
            (false, _) => Self::Disabled,
        }
    }

    /// Whether it is sent events.
    pub(super) fn is_on(self) -> bool {
        matches!(self, Self::Enabled | Self::Failing)
    }

    pub(super) fn text(self) -> &'static str {
        match self {
            Self::Enabled => "enabled",
            Self::Failing => "failing",
            Self::Disabled => "disabled",
            Self::SwitchedOff => "switched off",
        }
    }

    /// The class of its badge.
    pub(super) fn class(self) -> &'static str {
        match self {
            Self::Enabled => "good",
            Self::Failing | Self::Disabled => "warn",
            Self::SwitchedOff => "bad",
        }
    }
}

impl DeliveryView {
    pub(super) fn of(delivery: Delivery, now: Timestamp) -> Self {
        let time = |at| Time { at, now };
        let (state, class) = match delivery.state {
            DeliveryState::Pending if delivery.last.is_none() => ("waiting", ""),
            DeliveryState::Pending => ("tried again", "warn"),
            DeliveryState::Delivered => ("delivered", "good"),
            DeliveryState::Failed => ("given up", "bad"),
        };
        let said = |answer| match answer {
            Ok(status) => format!("answered {status}"),
            Err(error) => error,
        };
        Self {
            id: delivery.id.0,
            event_type: delivery.event_type.as_str(),
            at: time(delivery.created_at),
            state,
            class,
            attempts: delivery.attempts,
            last: delivery.last.map(|last| (said(last.answer), time(last.at))),
            next: delivery.next_attempt_at.filter(|at| *at > now).map(time),
        }
    }
}

/// The meaning of an event, in a sentence of the form that chooses it.
pub(in crate::dashboard) fn meaning(event_type: EventType) -> &'static str {
    match event_type {
        EventType::DonationRecorded => {
            "A donation through a config of the project, or in a token of its contracts, was recorded."
        }
        EventType::DonationReverted => "A reorganisation of its chain took a donation back.",
        EventType::ConfigCreated => "A config was made.",
        EventType::ConfigDeleted => "A config was deleted.",
        EventType::CampaignGoalReached => "A campaign has raised what it aims for.",
        EventType::KeyExpiring => "A key expires within 14 days, and again within 3.",
        EventType::Test => "Nothing has happened: somebody tries the webhook.",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::projects::ProjectId;
    use crate::webhooks::{EventTypes, WebhookId};

    #[test]
    fn a_webhook_that_was_switched_off_is_told_from_one_that_somebody_disabled() {
        let now: Timestamp = "2026-11-20T12:00:00Z".parse().unwrap();
        let days = |days: i64| now - jiff::SignedDuration::from_hours(24 * days);
        for (is_enabled, failing_since, expected) in [
            (true, None, WebhookState::Enabled),
            (true, Some(days(1)), WebhookState::Failing),
            (false, None, WebhookState::Disabled),
            (false, Some(days(1)), WebhookState::Disabled),
            (false, Some(days(3)), WebhookState::SwitchedOff),
        ] {
            let webhook = Webhook {
                id: WebhookId(Uuid::nil()),
                project: ProjectId(Uuid::nil()),
                url: String::new(),
                description: None,
                events: EventTypes::from(EventType::ConfigCreated),
                is_enabled,
                failing_since,
                previous_secret_until: None,
                created_at: now,
            };
            let state = WebhookState::of(&webhook, now);
            assert_eq!(state, expected, "{webhook:?}");
            assert_eq!(state.is_on(), is_enabled);
        }
    }
}
