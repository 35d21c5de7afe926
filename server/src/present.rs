//! The domain in the words of the contract: the one place where an entity becomes a model.

use generated::{formats, models};
use jiff::Timestamp;

use crate::domain::amount::UsdE6;
use crate::domain::campaign::{CampaignBeneficiary, CampaignStatus};
use crate::domain::chain::{Chain, ChainKind};
use crate::domain::charity::{Category, Charity, CharityId};
use crate::domain::config::{Config, ConfigId};
use crate::domain::stats::DonationStats;
use crate::domain::token::Token;
use crate::store::CampaignProgress;

/// A time in RFC 3339, UTC, with milliseconds.
pub fn timestamp(at: Timestamp) -> models::Timestamp {
    formats::DateTime(at).into()
}

/// A charity.
pub fn charity(charity: &Charity) -> models::Charity {
    models::Charity {
        id: charity.id.0.into(),
        slug: charity.slug.clone(),
        name: charity.name.clone(),
        description: charity.description.clone(),
        logo: charity.logo.clone(),
        website: charity.website.clone(),
        postal_address: models::PostalAddress {
            line1: charity.address.line1.clone(),
            line2: charity.address.line2.clone(),
            city: charity.address.city.clone(),
            region: charity.address.region.clone(),
            postal_code: charity.address.postal_code.clone(),
        },
        country: charity.country.clone(),
        tax_id: charity.tax_id.clone(),
        category: category(charity.category),
        social_links: charity
            .social_links
            .iter()
            .map(|link| models::SocialLink {
                network: link.network.clone(),
                url: link.url.clone(),
            })
            .collect(),
        verified: charity.verified,
        listed_at: timestamp(charity.listed_at),
    }
}

/// What names a charity.
pub fn charity_summary(charity: &models::Charity) -> models::CharitySummary {
    models::CharitySummary {
        id: charity.id,
        slug: charity.slug.clone(),
        name: charity.name.clone(),
    }
}

/// A campaign with the status that it has at some time; nothing when its charity is unknown.
pub fn campaign(
    progress: &CampaignProgress,
    status: CampaignStatus,
    charity: impl Fn(CharityId) -> Option<models::Charity>,
) -> Option<models::Campaign> {
    let campaign = &progress.campaign;
    Some(models::Campaign {
        id: campaign.id.0.into(),
        title: campaign.title.clone(),
        description: campaign.description.clone(),
        beneficiary: match &campaign.beneficiary {
            CampaignBeneficiary::Charity(id) => models::CampaignBeneficiary::CharityBeneficiary(
                models::CharityBeneficiary::new(charity_summary(&charity(*id)?)),
            ),
            CampaignBeneficiary::Config(id) => models::CampaignBeneficiary::ConfigBeneficiary(
                models::ConfigBeneficiary::new(config_id(*id)),
            ),
        },
        goal_usd_e6: campaign.goal.to_string(),
        raised_usd_e6: progress.raised.to_string(),
        starts_at: timestamp(campaign.starts_at),
        ends_at: campaign.ends_at.map(timestamp),
        status: match status {
            CampaignStatus::Upcoming => models::CampaignStatus::Upcoming,
            CampaignStatus::Active => models::CampaignStatus::Active,
            CampaignStatus::Ended => models::CampaignStatus::Ended,
        },
    })
}

/// A chain.
pub fn chain(chain: &Chain) -> models::Chain {
    models::Chain {
        id: chain.id.get(),
        name: chain.name.clone(),
        r#type: match chain.kind {
            ChainKind::Evm => models::ChainType::Evm,
            ChainKind::Svm => models::ChainType::Svm,
            ChainKind::Utxo => models::ChainType::Utxo,
        },
        native_currency: models::NativeCurrency {
            name: chain.native_currency.name.clone(),
            symbol: chain.native_currency.symbol.clone(),
            decimals: chain.native_currency.decimals.into(),
        },
        explorer_url: chain.explorer.clone(),
    }
}

/// A token.
pub fn token(token: &Token) -> models::Token {
    models::Token {
        chain_id: token.id.chain.get(),
        address: token.id.address.to_string(),
        name: token.name.clone(),
        symbol: token.symbol.clone(),
        decimals: token.decimals.into(),
        logo: token.logo.clone(),
    }
}

/// What names a token.
pub fn token_summary(token: &Token) -> models::TokenSummary {
    models::TokenSummary {
        chain_id: token.id.chain.get(),
        address: token.id.address.to_string(),
        name: token.name.clone(),
        symbol: token.symbol.clone(),
        decimals: token.decimals.into(),
    }
}

/// A config's id in both forms.
pub fn config_id(id: ConfigId) -> models::ConfigId {
    models::ConfigId {
        hex: id.to_string(),
        base58: id.base58(),
    }
}

/// A config with its charities in full; nothing when one of them is unknown.
pub fn config(
    config: &Config,
    charity: impl Fn(CharityId) -> Option<models::Charity>,
) -> Option<models::Config> {
    let charities = config.beneficiaries.iter().map(|beneficiary| {
        let weight = beneficiary.weight.get().to_string();
        charity(beneficiary.charity).map(|charity| weighed(charity, weight))
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

fn weighed(charity: models::Charity, weight: String) -> models::ConfigCharity {
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
    } = charity;
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
        weight,
    }
}

/// What donations add up to.
pub fn stats(stats: &DonationStats) -> models::DonationStats {
    models::DonationStats {
        usd_donated_e6: usd(stats.usd),
        donation_count: stats.donations.to_string(),
        first_donation_date: stats.first.map(timestamp),
        last_donation_date: stats.last.map(timestamp),
    }
}

/// US dollars in millionths.
pub fn usd(amount: UsdE6) -> String {
    amount.to_string()
}

/// A category.
pub fn category(category: Category) -> models::CharityCategory {
    use models::CharityCategory as Shown;
    match category {
        Category::Animals => Shown::Animals,
        Category::Arts => Shown::ArtsAndCulture,
        Category::Children => Shown::Children,
        Category::Community => Shown::Community,
        Category::DisasterRelief => Shown::DisasterRelief,
        Category::Education => Shown::Education,
        Category::Environment => Shown::Environment,
        Category::Food => Shown::Food,
        Category::Health => Shown::Health,
        Category::Housing => Shown::Housing,
        Category::HumanRights => Shown::HumanRights,
        Category::Science => Shown::Science,
    }
}

/// A category that a caller names.
pub fn category_of(category: models::CharityCategory) -> Category {
    use models::CharityCategory as Shown;
    match category {
        Shown::Animals => Category::Animals,
        Shown::ArtsAndCulture => Category::Arts,
        Shown::Children => Category::Children,
        Shown::Community => Category::Community,
        Shown::DisasterRelief => Category::DisasterRelief,
        Shown::Education => Category::Education,
        Shown::Environment => Category::Environment,
        Shown::Food => Category::Food,
        Shown::Health => Category::Health,
        Shown::Housing => Category::Housing,
        Shown::HumanRights => Category::HumanRights,
        Shown::Science => Category::Science,
    }
}

/// What names a config.
pub fn config_summary(config: &Config) -> models::ConfigSummary {
    models::ConfigSummary {
        id: config_id(config.id),
        created_at: timestamp(config.created_at),
        deleted_at: config.deleted_at.map(timestamp),
    }
}
