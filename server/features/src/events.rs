//! Events: what features report to the webhooks of projects.
//!
//! A feature describes its events next to its types, and enqueues each of them in the transaction of its change, with a
//! delivery for each webhook that gets it. The module `webhooks` sends the deliveries.

mod audience;
mod delivery_state;
mod event;
mod event_type;
mod ids;
pub(crate) mod sql;

pub(crate) use audience::{Audience, Event};
pub use delivery_state::DeliveryState;
pub(crate) use delivery_state::TRIED_FOR;
pub use event::NewEvent;
pub use event_type::{EventType, EventTypes};
pub use ids::{DeliveryId, EventId, WebhookId};
