//! A project's configs.

use generated::api::configs::{
    ConfigsApi, ConfigsCreateParams, ConfigsCreateResponse, ConfigsDeleteResponse,
    ConfigsGetResponse, ConfigsListParams, ConfigsListResponse,
};
use generated::operations::{BASE_PATH, OperationId};
use generated::runtime::Place;
use generated::{Encoded, models};
use jiff::{Timestamp, TimestampRound, Unit};
use sha2::{Digest, Sha256};

use super::{Beneficiary, Config, ConfigId, Creation, Idempotency, mapping};
use crate::access::Principal;
use crate::api::{self, Api, Failure};
use crate::catalogue::Snapshot;
use crate::charities::{self, Charity, CharityId};
use crate::database::StoreError;
use crate::domain::amount::Weight;
use crate::domain::paging::List;
use crate::donations;

impl ConfigsApi for Api {
    async fn configs_create(
        &self,
        principal: Principal,
        params: ConfigsCreateParams,
        body: models::NewConfig,
    ) -> Result<ConfigsCreateResponse, Failure> {
        let ConfigsCreateParams { idempotency_key } = params;
        let beneficiaries = beneficiaries(&body)?;
        let repeated = repeated(&beneficiaries);
        if !repeated.is_empty() {
            return Ok(duplicate_charity(repeated));
        }
        let config = Config {
            id: ConfigId::random().map_err(|error| Failure::Internal(error.to_string()))?,
            project: principal.project,
            beneficiaries,
            users: Vec::new(),
            created_at: to_milliseconds(self.now().wall),
            deleted_at: None,
        };
        let idempotency = idempotency_key.map(|key| Idempotency {
            key,
            fingerprint: fingerprint(&body),
        });
        let id = config.id;
        let quota = self.quota.of(principal.tier);
        let charities: Vec<_> = config.beneficiaries.iter().map(|b| b.charity).collect();
        Ok(
            match self
                .store
                .create_config(config, idempotency, quota, encode)
                .await?
            {
                Creation::Created(answer) => created(id, answer, false)?,
                Creation::Replayed { config, answer } => created(config, answer, true)?,
                Creation::KeyReused => key_reused(),
                Creation::QuotaExceeded => {
                    self.quota.refused(principal.tier);
                    quota_exceeded(quota)
                }
                Creation::UnknownCharities(places) => {
                    let named = places
                        .iter()
                        .filter_map(|place| charities.get(*place).copied());
                    charity_not_found(named.collect())
                }
            },
        )
    }

    async fn configs_list(
        &self,
        principal: Principal,
        params: ConfigsListParams,
    ) -> Result<ConfigsListResponse, Failure> {
        let ConfigsListParams { limit, cursor } = params;
        let page = api::page(
            List::of(OperationId::ConfigsList.operation_id()),
            cursor.as_deref(),
            limit,
        )?;
        let configs = self
            .store
            .configs(principal.project, page.after.clone(), page.rows());
        let mut configs = configs.await?;
        let page_key = page.cut(&mut configs);
        let snapshot = self.snapshot_for(configs.iter()).await?;
        let response = configs
            .iter()
            .map(|config| with_charities(&snapshot, config));
        let page = models::ConfigPage {
            page_key,
            response: response.collect::<Result<_, _>>()?,
        };
        Ok(ConfigsListResponse::Ok { body: page.into() })
    }

    async fn configs_get(
        &self,
        principal: Principal,
        config_id: String,
    ) -> Result<ConfigsGetResponse, Failure> {
        let id = id_in_path(&config_id)?;
        let Some((config, stats)) = self.store.config(principal.project, id).await? else {
            return Ok(ConfigsGetResponse::NotFound { body: not_found() });
        };
        let snapshot = self.snapshot_for([&config]).await?;
        let models::Config {
            id,
            users,
            charities,
            created_at,
            deleted_at,
        } = with_charities(&snapshot, &config)?;
        let stats = donations::mapping::stats(&stats);
        let detail = models::ConfigDetail {
            id,
            users,
            charities,
            created_at,
            deleted_at,
            stats,
        };
        Ok(ConfigsGetResponse::Ok {
            body: detail.into(),
        })
    }

    async fn configs_delete(
        &self,
        principal: Principal,
        config_id: String,
    ) -> Result<ConfigsDeleteResponse, Failure> {
        let id = id_in_path(&config_id)?;
        let now = to_milliseconds(self.now().wall);
        Ok(
            if self.store.delete_config(principal.project, id, now).await? {
                ConfigsDeleteResponse::NoContent
            } else {
                ConfigsDeleteResponse::NotFound { body: not_found() }
            },
        )
    }
}

/// A config with its charities as the snapshot has them.
pub(crate) fn with_charities(
    snapshot: &Snapshot,
    config: &Config,
) -> Result<models::Config, Failure> {
    mapping::config(config, |id| snapshot.charities.any(id).cloned())
        .ok_or_else(|| Failure::Internal(format!("config {} names an unknown charity", config.id)))
}

/// The pattern of the contract lets some base58 through that is not 32 bytes.
fn id_in_path(text: &str) -> Result<ConfigId, Failure> {
    text.parse::<ConfigId>()
        .map_err(|error| Failure::invalid(Place::Path, "configId", "format", error.to_string()))
}

fn not_found() -> Encoded<models::NotFoundError> {
    models::NotFoundError::new("The project has no such config.".into()).into()
}

fn beneficiaries(body: &models::NewConfig) -> Result<Vec<Beneficiary>, Failure> {
    let each = body.charity_beneficiaries.iter().map(|beneficiary| {
        // The contract has checked it; a mismatch would be a fault of ours.
        let weight = u32::try_from(beneficiary.weight).ok().and_then(Weight::new);
        weight.map(|weight| Beneficiary {
            charity: CharityId(beneficiary.charity_id.0),
            weight,
        })
    });
    let read: Option<Vec<_>> = each.collect();
    read.ok_or_else(|| Failure::Internal("a checked body cannot be read".into()))
}

/// The charities that are named more than once, each once.
fn repeated(beneficiaries: &[Beneficiary]) -> Vec<CharityId> {
    let mut repeated = Vec::new();
    for (place, beneficiary) in beneficiaries.iter().enumerate() {
        let before = beneficiaries.iter().take(place);
        let seen = before
            .filter(|earlier| earlier.charity == beneficiary.charity)
            .count();
        if seen == 1 {
            repeated.push(beneficiary.charity);
        }
    }
    repeated
}

/// A digest of a parsed body: equal exactly for bodies that are equal once parsed.
fn fingerprint(body: &models::NewConfig) -> [u8; 32] {
    let mut hasher = Sha256::new();
    for beneficiary in &body.charity_beneficiaries {
        hasher.update(beneficiary.charity_id.to_string());
        hasher.update(beneficiary.weight.to_be_bytes());
    }
    hasher.finalize().into()
}

/// The response to a creation. It is stored in the same transaction, so that a repetition gets the same
/// bytes.
fn encode(config: &Config, charities: &[Charity]) -> Result<Vec<u8>, StoreError> {
    let charity = |id| {
        let charity = charities.iter().find(|charity| charity.id == id);
        charity.map(charities::mapping::charity)
    };
    let unfit = |why: &str| StoreError::Corrupt(format!("config {} {why}", config.id));
    let shown = mapping::config(config, charity);
    let shown = Encoded::from(shown.ok_or_else(|| unfit("names an unknown charity"))?);
    let bytes = shown.bytes().map_err(|_| unfit("cannot be encoded"))?;
    Ok(bytes.to_vec())
}

fn created(
    id: ConfigId,
    answer: Vec<u8>,
    replayed: bool,
) -> Result<ConfigsCreateResponse, Failure> {
    let body = Encoded::parse(&answer)
        .map_err(|error| Failure::Internal(format!("a kept answer cannot be read: {error}")))?;
    let location = format!("{BASE_PATH}/configs/{id}");
    Ok(ConfigsCreateResponse::Created {
        body,
        location,
        idempotent_replayed: replayed,
    })
}

fn named(charities: Vec<CharityId>) -> models::NamedCharities {
    let charity_ids = charities.iter().map(|id| id.0.into()).collect();
    models::NamedCharities { charity_ids }
}

fn duplicate_charity(charities: Vec<CharityId>) -> ConfigsCreateResponse {
    let message = "A charity is named more than once.".to_owned();
    let error = models::DuplicateCharityError::new(message, named(charities));
    let body = models::ConfigConflictError::DuplicateCharityError(error);
    ConfigsCreateResponse::Conflict { body: body.into() }
}

fn charity_not_found(charities: Vec<CharityId>) -> ConfigsCreateResponse {
    let message = "A charity is unknown or no longer active.".to_owned();
    let error = models::CharityNotFoundError::new(message, named(charities));
    ConfigsCreateResponse::NotFound { body: error.into() }
}

fn quota_exceeded(quota: u32) -> ConfigsCreateResponse {
    let message =
        format!("The project has {quota} configs, deleted ones of the last 24 hours included.");
    let error = models::ConfigQuotaError::new(message);
    let body = models::ConfigConflictError::ConfigQuotaError(error);
    ConfigsCreateResponse::Conflict { body: body.into() }
}

fn key_reused() -> ConfigsCreateResponse {
    let message = "The Idempotency-Key was used with another body in the last 24 hours.";
    let error = models::IdempotencyConflictError::new(message.into());
    let body = models::ConfigConflictError::IdempotencyConflictError(error);
    ConfigsCreateResponse::Conflict { body: body.into() }
}

/// The time in the precision of the contract, so that the stored and the shown time are equal.
fn to_milliseconds(at: Timestamp) -> Timestamp {
    let round = TimestampRound::new()
        .smallest(Unit::Millisecond)
        .mode(jiff::RoundMode::Trunc);
    at.round(round).unwrap_or(at)
}
