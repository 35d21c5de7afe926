//! A project's configs.

use generated::api::configs::{
    ConfigsApi, ConfigsCreateParams, ConfigsCreateResponse, ConfigsDeleteParams,
    ConfigsDeleteResponse, ConfigsDonationsAccept, ConfigsDonationsOkContent,
    ConfigsDonationsParams, ConfigsDonationsResponse, ConfigsGetResponse, ConfigsListParams,
    ConfigsListResponse, ConfigsUpdateParams, ConfigsUpdateResponse,
};
use generated::models::ValidationRule;
use generated::operations::{BASE_PATH, OperationId};
use generated::runtime::{Issue, Place};
use generated::{Encoded, models};
use std::fmt::Display;

use super::lifecycle::{self, ConfigRequest, CreatedConfig};
use super::{
    Beneficiary, Config, ConfigError, ConfigLabels, ConfigRejection, LabelsUpdate, Metadata,
    mapping, store,
};
use crate::access::Principal;
use crate::api::{self, Api, Failure, idempotency_key_reused};
use crate::catalogue::Snapshot;
use crate::charities::{Charity, CharityId};
use crate::domain::amount::Weight;
use crate::domain::config_id::ConfigId;
use crate::domain::entity_tag::IfMatch;
use crate::domain::paging::List;
use crate::donations::{self, SplitDonation};
use crate::projects::Requester;
use crate::rollups;
use db::DbError;

impl ConfigsApi for Api {
    async fn configs_create(
        &self,
        principal: Principal,
        params: ConfigsCreateParams,
        body: models::NewConfig,
    ) -> Result<ConfigsCreateResponse, Failure> {
        let ConfigsCreateParams { idempotency_key } = params;
        let request = ConfigRequest {
            requester: Requester::Key(principal.key),
            project: principal.project,
            tier: principal.tier,
            beneficiaries: beneficiaries(&body)?,
            labels: labels(&body),
            idempotency_key,
            encode,
            quota: &self.quota,
        };
        match lifecycle::create(&self.store, request, self.now().wall).await {
            Ok(made) => created(made),
            Err(ConfigError::Rejected(rejection)) => rejected(rejection),
            Err(error) => Err(failure(error)),
        }
    }

    async fn configs_list(
        &self,
        principal: Principal,
        params: ConfigsListParams,
    ) -> Result<ConfigsListResponse, Failure> {
        let ConfigsListParams {
            limit,
            cursor,
            metadata,
        } = params;
        let list = List::of(OperationId::ConfigsList.operation_id())
            .filtered("metadata", metadata.as_deref());
        let page = api::page(list, cursor.as_deref(), limit)?;
        // The contract has checked that there is a colon.
        let pair = metadata.as_deref().and_then(|pair| pair.split_once(':'));
        let pair = pair.map(|(key, text)| (key.to_owned(), text.to_owned()));
        let configs = store::configs(
            &self.store,
            principal.project,
            pair,
            page.after.clone(),
            page.rows(),
        );
        let mut configs = configs.await?;
        let page_key = page.cut(&mut configs);
        let snapshot = self.snapshot_for(configs.iter()).await?;
        let response = configs.iter().map(|config| own(&snapshot, config));
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
        let Some((config, stats)) =
            rollups::store::config_with_stats(&self.store, principal.project, id).await?
        else {
            return Ok(ConfigsGetResponse::NotFound { body: not_found() });
        };
        let snapshot = self.snapshot_for([&config]).await?;
        let models::OwnConfig {
            id,
            users,
            charities,
            created_at,
            deleted_at,
            name,
            metadata,
        } = own(&snapshot, &config)?;
        let detail = models::ConfigDetail {
            id,
            users,
            charities,
            created_at,
            deleted_at,
            name,
            metadata,
            stats: donations::mapping::stats(&stats),
        };
        Ok(ConfigsGetResponse::Ok {
            body: detail.into(),
            etag: config.labels.tag(),
        })
    }

    async fn configs_update(
        &self,
        principal: Principal,
        config_id: String,
        params: ConfigsUpdateParams,
        body: models::ConfigUpdate,
    ) -> Result<ConfigsUpdateResponse, Failure> {
        let ConfigsUpdateParams { if_match } = params;
        let id = id_in_path(&config_id)?;
        let change = LabelsUpdate {
            name: body.name,
            metadata: body.metadata,
            if_match: if_match.map(IfMatch),
        };
        let changed = store::update_labels(&self.store, principal.project, id, change);
        let config = match changed.await {
            Ok(config) => config,
            Err(ConfigError::Rejected(ConfigRejection::UnknownConfig)) => {
                return Ok(ConfigsUpdateResponse::NotFound { body: not_found() });
            }
            Err(ConfigError::Rejected(ConfigRejection::OtherTag)) => {
                let body = precondition_failed();
                return Ok(ConfigsUpdateResponse::PreconditionFailed { body });
            }
            Err(ConfigError::Rejected(ConfigRejection::TooManyPairs)) => {
                let message = format!("must leave at most {} keys", ConfigLabels::MAX_PAIRS);
                return Err(Failure::Invalid(vec![Issue {
                    place: Place::Body,
                    at: "/metadata".to_owned(),
                    keyword: "maxProperties",
                    message,
                }]));
            }
            Err(error) => return Err(failure(error)),
        };
        let snapshot = self.snapshot_for([&config]).await?;
        Ok(ConfigsUpdateResponse::Ok {
            body: own(&snapshot, &config)?.into(),
            etag: config.labels.tag(),
        })
    }

    async fn configs_delete(
        &self,
        principal: Principal,
        config_id: String,
        params: ConfigsDeleteParams,
    ) -> Result<ConfigsDeleteResponse, Failure> {
        let ConfigsDeleteParams { if_match } = params;
        let id = id_in_path(&config_id)?;
        let (store, now) = (&self.store, self.now().wall);
        let deleted = lifecycle::delete(
            store,
            Requester::Key(principal.key),
            principal.project,
            id,
            if_match.map(IfMatch),
            now,
        );
        match deleted.await {
            Ok(true) => Ok(ConfigsDeleteResponse::NoContent),
            Ok(false) => Ok(ConfigsDeleteResponse::NotFound { body: not_found() }),
            Err(ConfigError::Rejected(ConfigRejection::OtherTag)) => {
                let body = precondition_failed();
                Ok(ConfigsDeleteResponse::PreconditionFailed { body })
            }
            Err(error) => Err(failure(error)),
        }
    }

    async fn configs_donations(
        &self,
        principal: Principal,
        config_id: String,
        params: ConfigsDonationsParams,
        accept: ConfigsDonationsAccept,
    ) -> Result<ConfigsDonationsResponse, Failure> {
        let ConfigsDonationsParams {
            limit,
            cursor,
            chain_id,
            from,
            to,
        } = params;
        let id = id_in_path(&config_id)?;
        let filter = donations::api::filter(chain_id, from.as_ref(), to.as_ref())?;
        let list =
            List::of(OperationId::ConfigsDonations.operation_id()).filtered("configId", Some(id));
        let list = donations::api::filtered(list, filter);
        let page = api::page(list, cursor.as_deref(), limit)?;
        let (project, after, rows) = (principal.project, page.after.clone(), page.rows());
        let donations =
            donations::store::donations_of_config(&self.store, project, id, filter, after, rows);
        let Some(mut donations) = donations.await? else {
            return Ok(ConfigsDonationsResponse::NotFound { body: not_found() });
        };
        let page_key = page.cut(&mut donations);
        let body = self.split(&donations, page_key.clone(), accept).await?;
        Ok(ConfigsDonationsResponse::Ok {
            body,
            x_page_key: page_key,
        })
    }
}

impl Api {
    /// A page of donations with the parts of charities, in the form that the caller accepts.
    async fn split(
        &self,
        donations: &[SplitDonation],
        page_key: Option<String>,
        accept: ConfigsDonationsAccept,
    ) -> Result<ConfigsDonationsOkContent, Failure> {
        // They are all of one config.
        let shares = donations.first().map_or(&[][..], |first| &first.shares);
        let charities: Vec<_> = shares.iter().map(|(charity, _)| *charity).collect();
        let snapshot = self.snapshot_with_charities(&charities).await?;
        let charity = |id| snapshot.charities.any(id);
        let unknown = || Failure::Internal("a donation names an unknown charity".into());
        Ok(match accept {
            ConfigsDonationsAccept::Json => {
                let response = donations
                    .iter()
                    .map(|donation| donations::mapping::split(donation, charity));
                let response: Option<Vec<_>> = response.collect();
                let page = models::SplitDonationPage {
                    page_key,
                    response: response.ok_or_else(unknown)?,
                };
                ConfigsDonationsOkContent::Json(page.into())
            }
            ConfigsDonationsAccept::TextCsv => {
                let table = donations::table::split(donations, charity);
                ConfigsDonationsOkContent::TextCsv(table.ok_or_else(unknown)?)
            }
        })
    }
}

/// A config with its charities as the snapshot has them.
pub(crate) fn with_charities(
    snapshot: &Snapshot,
    config: &Config,
) -> Result<models::Config, Failure> {
    mapping::config(config, |id| snapshot.charities.any(id))
        .ok_or_else(|| Failure::Internal(format!("config {} names an unknown charity", config.id)))
}

/// A config of the project's own with its charities as the snapshot has them.
fn own(snapshot: &Snapshot, config: &Config) -> Result<models::OwnConfig, Failure> {
    mapping::own_config(config, |id| snapshot.charities.any(id))
        .ok_or_else(|| Failure::Internal(format!("config {} names an unknown charity", config.id)))
}

/// The pattern of the contract lets some base58 through that is not 32 bytes.
fn id_in_path(text: &str) -> Result<ConfigId, Failure> {
    text.parse::<ConfigId>().map_err(|error| {
        Failure::invalid(
            Place::Path,
            "configId",
            ValidationRule::InvalidId,
            error.to_string(),
        )
    })
}

fn not_found() -> Encoded<models::NotFoundError> {
    models::NotFoundError::new("The project has no such config.".into()).into()
}

fn beneficiaries(body: &models::NewConfig) -> Result<Vec<Beneficiary>, Failure> {
    let each = body.charity_beneficiaries.iter().map(|beneficiary| {
        // The contract has checked it; a mismatch would be a bug of ours.
        let weight = u32::try_from(beneficiary.weight).ok().and_then(Weight::new);
        weight.map(|weight| Beneficiary {
            charity: CharityId(beneficiary.charity_id.0),
            weight,
        })
    });
    let read: Option<Vec<_>> = each.collect();
    read.ok_or_else(|| Failure::Internal("a checked body cannot be read".into()))
}

fn labels(body: &models::NewConfig) -> ConfigLabels {
    ConfigLabels {
        name: body.name.clone(),
        metadata: Metadata(body.metadata.clone().unwrap_or_default()),
    }
}

/// The response to a creation. It is stored in the same transaction, so that a repetition gets the same
/// bytes.
fn encode(config: &Config, charities: &[Charity]) -> Result<Vec<u8>, DbError> {
    let charity = |id| charities.iter().find(|charity| charity.id == id);
    let unfit = |why: &str| DbError::Corrupt(format!("config {} {why}", config.id));
    let shown = mapping::own_config(config, charity);
    let shown = Encoded::from(shown.ok_or_else(|| unfit("names an unknown charity"))?);
    let bytes = shown.bytes().map_err(|_| unfit("cannot be encoded"))?;
    Ok(bytes.to_vec())
}

fn created(made: CreatedConfig) -> Result<ConfigsCreateResponse, Failure> {
    let unreadable = |error: &dyn Display| {
        Failure::Internal(format!("a stored response cannot be read: {error}"))
    };
    let body =
        Encoded::<models::OwnConfig>::parse(&made.answer).map_err(|error| unreadable(&error))?;
    let shown = body.decode().map_err(|error| unreadable(&error))?;
    let labels = ConfigLabels {
        name: shown.name,
        metadata: Metadata(shown.metadata),
    };
    let location = format!("{BASE_PATH}/configs/{}", made.id);
    Ok(ConfigsCreateResponse::Created {
        body,
        location,
        etag: labels.tag(),
        idempotent_replayed: made.is_replayed,
    })
}

/// The response to a creation that was rejected.
fn rejected(rejection: ConfigRejection) -> Result<ConfigsCreateResponse, Failure> {
    match rejection {
        ConfigRejection::Repeated(charities) => Ok(duplicate_charity(charities)),
        ConfigRejection::UnknownCharities(charities) => Ok(charity_not_found(charities)),
        ConfigRejection::QuotaExceeded(quota) => Ok(quota_exceeded(quota)),
        ConfigRejection::KeyReused => Ok(key_reused()),
        // The contract has the number of charities checked, and the gate the project. The others are of
        // changes.
        ConfigRejection::Number
        | ConfigRejection::UnknownProject
        | ConfigRejection::UnknownConfig
        | ConfigRejection::OtherTag
        | ConfigRejection::TooManyPairs => Err(Failure::Internal(rejection.to_string())),
    }
}

/// The failure of an operation that has no response of its own for an error.
fn failure(error: ConfigError) -> Failure {
    match error {
        ConfigError::Db(error) => error.into(),
        error @ (ConfigError::Rejected(_) | ConfigError::Random(_)) => {
            Failure::Internal(error.to_string())
        }
    }
}

fn named(charities: Vec<CharityId>) -> models::NamedCharities {
    let charity_ids = charities.iter().map(|id| id.0.into()).collect();
    models::NamedCharities { charity_ids }
}

fn duplicate_charity(charities: Vec<CharityId>) -> ConfigsCreateResponse {
    let message = "A charity is listed more than once.".to_owned();
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
    let message = format!(
        "The project has reached its config limit of {quota}, including configs deleted in the last 24 hours."
    );
    let error = models::ConfigQuotaError::new(message);
    let body = models::ConfigConflictError::ConfigQuotaError(error);
    ConfigsCreateResponse::Conflict { body: body.into() }
}

fn precondition_failed() -> Encoded<models::PreconditionFailedError> {
    let message = "The config has changed. Get it again and send its new ETag.";
    models::PreconditionFailedError::new(message.into()).into()
}

fn key_reused() -> ConfigsCreateResponse {
    let body = models::ConfigConflictError::IdempotencyConflictError(idempotency_key_reused());
    ConfigsCreateResponse::Conflict { body: body.into() }
}
