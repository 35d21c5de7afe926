//! Maps charities to the contract's models.

use generated::models;

use super::{Category, Charity};
use crate::mapping::timestamp;

pub(crate) fn charity(charity: &Charity) -> models::Charity {
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
        category: models::OpenCharityCategory::CharityCategory(category(charity.category)),
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

/// The id and name of a charity.
pub(crate) fn charity_summary(charity: &Charity) -> models::CharitySummary {
    models::CharitySummary {
        id: charity.id.0.into(),
        slug: charity.slug.clone(),
        name: charity.name.clone(),
    }
}

pub(crate) fn category(category: Category) -> models::CharityCategory {
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
pub(crate) fn category_of(category: models::CharityCategory) -> Category {
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
