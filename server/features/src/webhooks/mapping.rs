//! Maps webhooks and deliveries to the contract's models, and back.

use generated::models;

use super::secret::Secret;
use super::{Delivery, Webhook};
use crate::events::{DeliveryState, EventType, EventTypes};
use crate::mapping::timestamp;

pub(crate) fn webhook(webhook: &Webhook) -> models::Webhook {
    models::Webhook {
        id: webhook.id.0.into(),
        url: webhook.url.clone(),
        events: webhook
            .events
            .iter()
            .filter_map(event_type)
            .map(models::OpenEventType::EventType)
            .collect(),
        description: webhook.description.clone(),
        enabled: webhook.is_enabled,
        failing_since: webhook.failing_since.map(timestamp),
        previous_secret_until: webhook.previous_secret_until.map(timestamp),
        created_at: timestamp(webhook.created_at),
    }
}

pub(crate) fn with_secret(webhook: &Webhook, secret: &Secret) -> models::WebhookWithSecret {
    let models::Webhook {
        id,
        url,
        events,
        description,
        enabled,
        failing_since,
        previous_secret_until,
        created_at,
    } = self::webhook(webhook);
    models::WebhookWithSecret {
        id,
        url,
        events,
        description,
        enabled,
        failing_since,
        previous_secret_until,
        created_at,
        secret: secret.reveal(),
    }
}

/// The types of events that a request chooses.
pub(crate) fn event_types(types: &[models::EventType]) -> EventTypes {
    types.iter().map(|it| chosen(*it)).collect()
}

fn chosen(event_type: models::EventType) -> EventType {
    match event_type {
        models::EventType::DonationRecorded => EventType::DonationRecorded,
        models::EventType::DonationReverted => EventType::DonationReverted,
        models::EventType::ConfigCreated => EventType::ConfigCreated,
        models::EventType::ConfigDeleted => EventType::ConfigDeleted,
        models::EventType::CampaignGoalReached => EventType::CampaignGoalReached,
        models::EventType::KeyExpiring => EventType::KeyExpiring,
    }
}

fn event_type(event_type: EventType) -> Option<models::EventType> {
    Some(match event_type {
        EventType::DonationRecorded => models::EventType::DonationRecorded,
        EventType::DonationReverted => models::EventType::DonationReverted,
        EventType::ConfigCreated => models::EventType::ConfigCreated,
        EventType::ConfigDeleted => models::EventType::ConfigDeleted,
        EventType::CampaignGoalReached => models::EventType::CampaignGoalReached,
        EventType::KeyExpiring => models::EventType::KeyExpiring,
        EventType::Test => return None,
    })
}

pub(crate) fn delivery(delivery: &Delivery) -> models::WebhookDelivery {
    let last = delivery.log.last();
    let (last_status, last_error) = match last.map(|it| it.outcome.clone()) {
        None => (None, None),
        Some(Ok(status)) => (Some(status.into()), None),
        Some(Err(error)) => (None, Some(error)),
    };
    models::WebhookDelivery {
        id: delivery.id.0.into(),
        event_id: delivery.event.0.into(),
        r#type: delivery.event_type.as_str().to_owned(),
        status: models::OpenDeliveryStatus::DeliveryStatus(match delivery.state {
            DeliveryState::Pending => models::DeliveryStatus::Pending,
            DeliveryState::Delivered => models::DeliveryStatus::Delivered,
            DeliveryState::Failed => models::DeliveryStatus::Failed,
        }),
        attempts: delivery.attempts.to_string(),
        last_attempt_at: last.map(|it| timestamp(it.at)),
        last_status,
        last_error,
        next_attempt_at: delivery.next_attempt_at.map(timestamp),
        created_at: timestamp(delivery.created_at),
    }
}
