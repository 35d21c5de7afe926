//! The states of deliveries.

use std::str::FromStr;
use std::time::Duration;

/// How long a delivery is tried.
pub(crate) const TRIED_FOR: Duration = Duration::from_secs(3 * 24 * 3600);

/// How far a delivery is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeliveryState {
    /// It waits to be sent.
    Pending,
    /// The receiver has answered 2xx.
    Delivered,
    /// It was given up.
    Failed,
}

db::text_column!(DeliveryState);

impl DeliveryState {
    /// Its name in the database and in answers.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Delivered => "delivered",
            Self::Failed => "failed",
        }
    }
}

/// The text names no state of deliveries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("no delivery has this state")]
pub struct UnknownDeliveryState;

impl FromStr for DeliveryState {
    type Err = UnknownDeliveryState;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let all = [Self::Pending, Self::Delivered, Self::Failed];
        let mut all = all.into_iter();
        all.find(|it| it.as_str() == name)
            .ok_or(UnknownDeliveryState)
    }
}
