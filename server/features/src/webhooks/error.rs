//! The errors of webhooks.

use super::secret::SealError;
use super::{Delivery, TargetError, Webhook};
use crate::events::WebhookId;
use db::DbError;

/// The error of creating or changing a webhook.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WebhookError {
    #[error(transparent)]
    Rejected(#[from] WebhookRejection),
    #[error(transparent)]
    Target(#[from] TargetError),
    #[error(transparent)]
    Secret(#[from] SealError),
    /// None of the operator's keys decrypts the secret.
    #[error("none of the operator's keys decrypts the secret of webhook {}", .0.0)]
    Undecryptable(WebhookId),
    #[error(transparent)]
    Db(#[from] DbError),
}

/// The reason why a webhook is not created or changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum WebhookRejection {
    /// The operator has not set webhooks up.
    #[error("the operator of this service has not set up webhooks")]
    Off,
    /// The project has as many as it may.
    #[error(
        "the project has reached its limit of {} webhooks",
        Webhook::MAX_PER_PROJECT
    )]
    QuotaExceeded,
    /// The project has sent as many test events as it may within an hour.
    #[error(
        "the project has sent {} test events within an hour",
        Delivery::MAX_TESTS_PER_HOUR
    )]
    TestQuotaExceeded,
    /// There is no such project or webhook, or the requester may not change it.
    #[error("there is no such webhook")]
    Unknown,
    /// The webhook has none of the tags of the condition.
    #[error("the webhook has changed")]
    OtherTag,
    /// The same was asked before, and done.
    #[error("this was done before")]
    Repeated,
    /// The idempotency key was used for another request in the last 24 hours.
    #[error("the idempotency key was used for another request in the last 24 hours")]
    KeyReused,
}
