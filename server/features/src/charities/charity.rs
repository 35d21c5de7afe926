//! Charities: the organisations that donations reach.

use jiff::Timestamp;
use uuid::Uuid;

use super::Category;
use crate::domain::position::{Placed, Position};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CharityId(pub Uuid);

db::uuid_column!(CharityId);

/// A charity as the catalogue lists it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Charity {
    /// Its identity, which never changes.
    pub id: CharityId,
    /// Its name in addresses: lower-case words joined by hyphens, unique, never a UUID.
    pub slug: String,
    pub name: String,
    /// A text about its work.
    pub description: String,
    /// The URL of its logo.
    pub logo: Option<String>,
    /// The URL of its website.
    pub website: Option<String>,
    pub address: PostalAddress,
    /// The country that it is registered in: ISO 3166-1 alpha-2, upper case.
    pub country: String,
    /// Its registration with that country's tax authority.
    pub tax_id: Option<String>,
    pub category: Category,
    /// Its pages in social networks, at most [`Charity::MAX_LINKS`].
    pub social_links: Vec<SocialLink>,
    /// Whether the platform has verified its identity.
    pub verified: bool,
    /// Whether it is listed and new configs may name it.
    pub active: bool,
    /// When it entered the catalogue.
    pub listed_at: Timestamp,
}

impl Charity {
    /// The maximum number of a charity's pages in social networks.
    pub const MAX_LINKS: usize = 20;
}

/// By the time of listing, then by id.
impl Placed for Charity {
    fn position(&self) -> Position {
        Position {
            ordinal: self.listed_at.as_millisecond(),
            key: self.id.0.as_bytes().to_vec(),
        }
    }
}

/// The known parts of a postal address. The country is the charity's.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PostalAddress {
    /// Street and number, or a post box.
    pub line1: Option<String>,
    /// Building, floor or addressee.
    pub line2: Option<String>,
    /// City, town or village.
    pub city: Option<String>,
    /// State, province or region.
    pub region: Option<String>,
    pub postal_code: Option<String>,
}

/// A charity's page in a social network.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SocialLink {
    /// The network's name: lower-case words joined by hyphens.
    pub network: String,
    pub url: String,
}
