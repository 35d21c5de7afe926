//! The webhook of the contract's examples, which is disabled: a demo sends no requests.

use jiff::Timestamp;
use uuid::{Uuid, uuid};

use super::ENTERPRISE;
use db::{Db, DbError};
use features::events::{DeliveryId, EventType, NewEvent, WebhookId};
use features::keys::KeyId;
use features::projects::Requester;
use features::webhooks::secret::SealedSecret;
use features::webhooks::{self, Webhook, WebhookCreation, WebhookError};

/// Its id, and that of a delivery to it, in the contract's examples.
/// The key of the Enterprise project.
const BY: Requester = Requester::Key(KeyId(Uuid::from_u128(3)));

const WEBHOOK: Uuid = uuid!("01a1968d-3900-7b1d-8e52-6f0a94c7d318");
const DELIVERY: Uuid = uuid!("01a19b9f-ce80-7d52-a6c4-1b3e8f705c29");

/// Adds the webhook with a delivery that waits.
pub(super) async fn seed(store: &Db, now: Timestamp) -> Result<(), DbError> {
    let of = (ENTERPRISE, WebhookId(WEBHOOK));
    let webhook = Webhook {
        id: of.1,
        project: of.0,
        url: "https://partner.example/hooks/donations".to_owned(),
        description: Some("The ledger".to_owned()),
        events: [EventType::DonationRecorded, EventType::DonationReverted]
            .into_iter()
            .collect(),
        is_enabled: false,
        failing_since: None,
        previous_secret_until: None,
        created_at: now,
    };
    // It is never opened.
    let secret = SealedSecret(Vec::new());
    let created = webhooks::store::create_webhook(store, BY, webhook, secret, None);
    match created.await {
        Ok(WebhookCreation::Created) => {}
        Err(WebhookError::Db(error)) => return Err(error),
        _ => return Err(DbError::Corrupt("the demonstration is refused".to_owned())),
    }
    let delivery = DeliveryId(DELIVERY);
    let event = NewEvent::sample(EventType::Test, now)?;
    match webhooks::store::deliver(store, BY, of, delivery, event).await {
        Ok(_) => Ok(()),
        Err(WebhookError::Db(error)) => Err(error),
        Err(error) => Err(DbError::Corrupt(error.to_string())),
    }
}
