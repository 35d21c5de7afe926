//! Maps webhooks and deliveries to the contract's models, and back.

use generated::{Encoded, models};
use jiff::Timestamp;

use super::secret::Secret;
use super::{Delivery, DeliveryState, EventType, EventTypes, Webhook};
use crate::campaigns::{self, CampaignProgress};
use crate::charities::{self, Charity};
use crate::configs::{self, Config};
use crate::donations::{self, Donation, ListedDonation, SplitDonation};
use crate::keys::KeyRecord;
use crate::mapping::timestamp;
use crate::tokens::Token;
use db::DbError;

/// A webhook.
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

/// A webhook with its secret.
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

/// A delivery.
pub(crate) fn delivery(delivery: &Delivery) -> models::WebhookDelivery {
    let last = delivery.last.as_ref();
    let answer = last.map(|it| it.answer.clone());
    let (last_status, last_error) = match answer {
        None => (None, None),
        Some(Ok(status)) => (Some(status.into()), None),
        Some(Err(error)) => (None, Some(error)),
    };
    models::WebhookDelivery {
        id: delivery.id.0.into(),
        event_id: delivery.event.0.into(),
        r#type: delivery.event_type.as_str().to_owned(),
        status: match delivery.state {
            DeliveryState::Pending => models::WebhookDeliveryStatus::Pending,
            DeliveryState::Delivered => models::WebhookDeliveryStatus::Delivered,
            DeliveryState::Failed => models::WebhookDeliveryStatus::Failed,
        },
        attempts: i32::try_from(delivery.attempts).unwrap_or(i32::MAX),
        last_attempt_at: last.map(|it| timestamp(it.at)),
        last_status,
        last_error,
        next_attempt_at: delivery.next_attempt_at.map(timestamp),
        created_at: timestamp(delivery.created_at),
    }
}

/// A config as its project sees it, in JSON.
pub(crate) fn config(config: &Config, charities: &[Charity]) -> Result<Vec<u8>, DbError> {
    let charity = |id| {
        let charity = charities.iter().find(|charity| charity.id == id);
        charity.map(charities::mapping::charity)
    };
    let unfit = || DbError::Corrupt(format!("config {} cannot be told", config.id));
    let shown = configs::mapping::own_config(config, charity);
    let shown = Encoded::from(shown.ok_or_else(unfit)?);
    Ok(shown.bytes().map_err(|_| unfit())?.to_vec())
}

/// A key that is about to expire, in JSON.
pub(crate) fn expiring_key(key: &KeyRecord) -> Result<Vec<u8>, DbError> {
    let unfit = || DbError::Corrupt(format!("key {} cannot be told", key.id.0));
    let shown = Encoded::from(models::ExpiringKey {
        id: key.id.0.into(),
        display_prefix: key.display_prefix.clone(),
        label: key.label.clone(),
        expires_at: timestamp(key.expires_at.ok_or_else(unfit)?),
    });
    Ok(shown.bytes().map_err(|_| unfit())?.to_vec())
}

/// A donation as the API would answer it, in JSON.
pub(crate) fn donation(
    donation: &Donation,
    token: Token,
    config: &Config,
    charities: &[Charity],
) -> Result<Vec<u8>, DbError> {
    let unfit = || DbError::Corrupt("a donation cannot be told".to_owned());
    let listed = ListedDonation {
        token,
        transaction: donation.transaction.as_str().to_owned(),
        log_index: donation.log_index,
        amount: donation.amount,
        usd: donation.usd,
        at: donation.at,
    };
    let receives = |it: &&Charity| {
        let mut beneficiaries = config.beneficiaries.iter();
        beneficiaries.any(|beneficiary| beneficiary.charity == it.id)
    };
    let charities = charities.iter().filter(receives);
    let charities: Vec<_> = charities
        .map(|it| (it.id, charities::mapping::charity(it)))
        .collect();
    let charity = |id| charities.iter().find(|it| it.0 == id).map(|it| &it.1);
    let shown = donations::mapping::split(&SplitDonation::of(listed, config), charity);
    let shown = Encoded::from(shown.ok_or_else(unfit)?);
    Ok(shown.bytes().map_err(|_| unfit())?.to_vec())
}

/// A campaign as the API would answer it, in JSON; its charity, if it is for one.
pub(crate) fn campaign(
    progress: CampaignProgress,
    charity: Option<&Charity>,
    at: Timestamp,
) -> Result<Vec<u8>, DbError> {
    let unfit = || DbError::Corrupt("a campaign cannot be told".to_owned());
    let status = progress.campaign.status(at);
    let charity = |_| charity.map(charities::mapping::charity);
    let shown = campaigns::mapping::campaign(&progress, status, charity);
    let shown = Encoded::from(shown.ok_or_else(unfit)?);
    Ok(shown.bytes().map_err(|_| unfit())?.to_vec())
}
