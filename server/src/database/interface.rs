//! The interface of a database.

use std::fmt;

use async_trait::async_trait;

use super::{PoolUse, StoreError, Versions};
use crate::accounts::AccountStore;
use crate::analytics::AnalyticsStore;
use crate::audit::AuditStore;
use crate::catalogue::CatalogueStore;
use crate::claims::ClaimStore;
use crate::configs::ConfigStore;
use crate::contracts::{ContractStore, LeaderboardStore};
use crate::donations::DonationStore;
use crate::import::ImportStore;
use crate::keys::KeyStore;
use crate::mail::MailStore;
use crate::members::MemberStore;
use crate::oidc::OidcStore;
use crate::operators::OperatorStore;
use crate::passkeys::PasskeyStore;
use crate::projects::ProjectStore;
use crate::rollups::RollupStore;
use crate::suspensions::SuspensionStore;
use crate::tier_requests::TierRequestStore;
use crate::usage::UsageStore;
use crate::webhooks::{DeliveryQueue, WebhookStore};

/// A database with the newest schema: the operations of each feature, and those that all features
/// share.
///
/// All implementations give the same answers in the same order; `conformance` tests each of them. A
/// write that was begun completes or leaves no trace, even if its caller has stopped waiting.
///
/// Every method fails with [`StoreError::Unavailable`] when the database does not answer in time.
#[async_trait]
pub trait Database:
    AccountStore
    + AnalyticsStore
    + AuditStore
    + CatalogueStore
    + ClaimStore
    + ConfigStore
    + ContractStore
    + DonationStore
    + ImportStore
    + KeyStore
    + LeaderboardStore
    + MailStore
    + MemberStore
    + OidcStore
    + OperatorStore
    + PasskeyStore
    + ProjectStore
    + RollupStore
    + SuspensionStore
    + TierRequestStore
    + UsageStore
    + WebhookStore
    + DeliveryQueue
    + fmt::Debug
    + Send
    + Sync
{
    /// The counters as they are now: cheap enough to be read several times a second.
    async fn versions(&self) -> Result<Versions, StoreError>;

    /// The use of the connection pool; `None` for a database without one.
    fn pool(&self) -> Option<PoolUse> {
        None
    }

    /// Finishes queued work and releases all resources. Every later call returns
    /// [`StoreError::Unavailable`]. Blocks until it is done.
    fn close(&self);
}
