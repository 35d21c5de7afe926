//! Webhooks: the URLs of projects that are sent events, and the sending.
//!
//! Features write events and their deliveries (`events`).
//! Any server that has the operator's key sends the deliveries, again and again for three days.

mod address;
pub(crate) mod api;
mod config;
mod connection;
mod deliverer;
mod delivery;
mod error;
pub mod lifecycle;
pub(crate) mod mapping;
mod message;
mod metrics;
mod note_writer;
mod places;
pub mod queue;
mod retry;
pub mod secret;
mod signature;
pub(crate) mod sql;
pub mod store;
mod target;
#[cfg(test)]
mod tests;
mod visit;
mod webhook;

pub use config::{WebhookConfig, WebhookKeys};
pub use deliverer::Deliverer;
pub use delivery::{Attempt, AttemptLog, Delivery, DeliveryDetails};
pub use error::{WebhookError, WebhookRejection};
pub use places::{Places, Sharer};
pub use queue::{Attempted, Backlog, DueDelivery, DueWebhook, Lease, TurnEnd, TurnNotes};
pub use store::{SecretRotation, WebhookCreation};
pub use target::{Target, TargetError, TargetRules};
pub use webhook::{NewSecret, Webhook, WebhookSecrets, WebhookUpdate};
