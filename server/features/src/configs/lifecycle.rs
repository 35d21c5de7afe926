//! Creating and deleting configs: use cases for the API and the dashboard.

use jiff::Timestamp;
use sha2::{Digest, Sha256};

use super::{
    Beneficiary, Config, ConfigError, ConfigLabels, ConfigRejection, Creation, Encode, Quota,
    creation, store,
};
use crate::domain::config_id::ConfigId;
use crate::domain::entity_tag::IfMatch;
use crate::idempotency::Idempotency;
use crate::projects::{ProjectId, Requester, Tier};
use db::Db;
use edge::clock::to_milliseconds;

/// A config to be made.
pub struct ConfigRequest<'a> {
    pub requester: Requester,
    pub project: ProjectId,
    /// The tier of the project, which has a quota of configs.
    pub tier: Tier,
    pub beneficiaries: Vec<Beneficiary>,
    /// The project's name for it, and texts of the project's own.
    pub labels: ConfigLabels,
    /// The text that identifies repetitions of the request, if there is one.
    pub idempotency_key: Option<String>,
    /// Encodes the answer that repetitions get.
    pub encode: Encode,
    pub quota: &'a Quota,
}

/// A config that was created by a request, or by the request that it repeats.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CreatedConfig {
    pub id: ConfigId,
    /// The answer to the first request.
    pub answer: Vec<u8>,
    pub is_replayed: bool,
}

/// Creates a config.
///
/// # Errors
/// When the charities are unfit, the project may have no more configs, the requester may not change it, or
/// the database fails.
pub async fn create(
    store: &Db,
    request: ConfigRequest<'_>,
    now: Timestamp,
) -> Result<CreatedConfig, ConfigError> {
    let ConfigRequest {
        requester,
        project,
        tier,
        beneficiaries,
        labels,
        idempotency_key,
        encode,
        quota,
    } = request;
    creation::check(&beneficiaries)?;
    let idempotency =
        idempotency_key.map(|key| Idempotency::new(key, "config", digest(&beneficiaries, &labels)));
    let id = ConfigId::random()?;
    let config = Config {
        id,
        project,
        beneficiaries,
        labels,
        users: Vec::new(),
        created_at: to_milliseconds(now),
        deleted_at: None,
    };
    let most = quota.of(tier);
    let created = store::create_config(store, requester, config, idempotency, most, encode).await;
    if let Err(ConfigError::Rejected(ConfigRejection::QuotaExceeded(_))) = created {
        quota.refused(tier);
    }
    Ok(match created? {
        Creation::Created(answer) => CreatedConfig {
            id,
            answer,
            is_replayed: false,
        },
        Creation::Replayed { config, answer } => CreatedConfig {
            id: config,
            answer,
            is_replayed: true,
        },
    })
}

/// Deletes one of a project's configs: the project does not see it any more. Donations through it stay in
/// the statistics. False for one that the project does not have.
///
/// # Errors
/// When it has none of the tags of `if_match`, or the database fails.
pub async fn delete(
    store: &Db,
    requester: Requester,
    project: ProjectId,
    id: ConfigId,
    if_match: Option<IfMatch>,
    now: Timestamp,
) -> Result<bool, ConfigError> {
    let now = to_milliseconds(now);
    store::delete_config(store, requester, project, id, if_match, now).await
}

/// A digest of the charities and weights, in order, and of the labels: equal exactly for requests of the same
/// config.
fn digest(beneficiaries: &[Beneficiary], labels: &ConfigLabels) -> [u8; 32] {
    let mut hasher = Sha256::new();
    for Beneficiary { charity, weight } in beneficiaries {
        hasher.update(charity.0.to_string());
        hasher.update(i64::from(weight.get()).to_be_bytes());
    }
    if *labels != ConfigLabels::default() {
        hasher.update(labels.digest());
    }
    hasher.finalize().into()
}
