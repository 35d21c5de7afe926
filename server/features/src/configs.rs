//! Configs: the division of donations among charities.

pub(crate) mod api;
mod config;
pub(crate) mod creation;
mod error;
mod events;
mod labels;
pub mod lifecycle;
pub(crate) mod mapping;
mod quota;
pub mod sql;
pub mod store;

pub use config::{Beneficiary, Config};
pub use creation::{Creation, Encode};
pub use error::{ConfigError, ConfigRejection};
pub use labels::{ConfigLabels, LabelsUpdate, Metadata};
pub use quota::{ConfigQuotas, Quota};
