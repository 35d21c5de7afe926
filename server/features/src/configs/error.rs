//! The errors of configs.

use super::{Config, ConfigLabels};
use crate::charities::CharityId;
use db::DbError;

/// The error of creating or changing a config.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    #[error(transparent)]
    Rejected(#[from] ConfigRejection),
    /// The operating system gives no random bytes for an id.
    #[error(transparent)]
    Random(#[from] getrandom::Error),
    #[error(transparent)]
    Db(#[from] DbError),
}

/// The reason why a config is not created or changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ConfigRejection {
    /// There are no charities, or too many.
    #[error("a config has from 1 to {} charities", Config::MAX_BENEFICIARIES)]
    Number,
    /// These charities are named more than once.
    #[error("a charity is listed more than once")]
    Repeated(Vec<CharityId>),
    /// These charities are unknown or inactive.
    #[error("a charity is unknown or no longer active")]
    UnknownCharities(Vec<CharityId>),
    /// The project has as many configs as it may: this many.
    #[error(
        "the project has reached its config limit of {0}, including configs deleted in the last 24 hours"
    )]
    QuotaExceeded(u32),
    /// The idempotency key was used for another request in the last 24 hours.
    #[error("the idempotency key was used for another request in the last 24 hours")]
    KeyReused,
    /// The requester may not change the project, or there is none.
    #[error("there is no such project")]
    UnknownProject,
    #[error("there is no such config")]
    UnknownConfig,
    /// The labels have none of the tags of the condition.
    #[error("the config has changed")]
    OtherTag,
    /// More metadata would be left than a config may have.
    #[error("a config has at most {} pairs of metadata", ConfigLabels::MAX_PAIRS)]
    TooManyPairs,
}
