//! Maps configs to the contract's models.

use generated::models;

use super::Config;
use crate::charities::{self, Charity, CharityId};
use crate::domain::amount::Weight;
use crate::domain::config_id::ConfigId;
use crate::mapping::timestamp;

/// A config's id in both forms.
pub(crate) fn config_id(id: ConfigId) -> models::ConfigId {
    models::ConfigId {
        hex: id.to_string(),
        base58: id.base58(),
    }
}

/// A config with its charities in full; `None` if one of them is unknown.
pub(crate) fn config<'c>(
    config: &Config,
    charity: impl Fn(CharityId) -> Option<&'c Charity>,
) -> Option<models::Config> {
    let charities = config.beneficiaries.iter().map(|beneficiary| {
        charity(beneficiary.charity).map(|charity| config_charity(charity, beneficiary.weight))
    });
    Some(models::Config {
        id: config_id(config.id),
        users: config
            .users
            .iter()
            .map(|user| models::ConfigUser {
                address: user.address.to_string(),
                chain_id: Some(user.chain.get()),
            })
            .collect(),
        charities: charities.collect::<Option<_>>()?,
        created_at: timestamp(config.created_at),
        deleted_at: config.deleted_at.map(timestamp),
    })
}

/// A config of the project's own, with its charities in full; `None` if one of them is unknown.
pub(crate) fn own_config<'c>(
    config: &Config,
    charity: impl Fn(CharityId) -> Option<&'c Charity>,
) -> Option<models::OwnConfig> {
    let models::Config {
        id,
        users,
        charities,
        created_at,
        deleted_at,
    } = self::config(config, charity)?;
    Some(models::OwnConfig {
        id,
        users,
        charities,
        created_at,
        deleted_at,
        name: config.labels.name.clone(),
        metadata: config.labels.metadata.0.clone(),
    })
}

/// A charity with its weight.
pub(crate) fn config_charity(charity: &Charity, weight: Weight) -> models::ConfigCharity {
    let models::Charity {
        id,
        slug,
        name,
        description,
        logo,
        website,
        postal_address,
        country,
        tax_id,
        category,
        social_links,
        verified,
        listed_at,
    } = charities::mapping::charity(charity);
    models::ConfigCharity {
        id,
        slug,
        name,
        description,
        logo,
        website,
        postal_address,
        country,
        tax_id,
        category,
        social_links,
        verified,
        listed_at,
        weight: weight.get().to_string(),
    }
}

/// The id and dates of a config.
pub(crate) fn config_summary(config: &Config) -> models::ConfigSummary {
    models::ConfigSummary {
        id: config_id(config.id),
        created_at: timestamp(config.created_at),
        deleted_at: config.deleted_at.map(timestamp),
    }
}
