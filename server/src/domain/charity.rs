//! Charities: the organisations that donations reach.

mod category;

use jiff::Timestamp;
use uuid::Uuid;

pub use category::{Category, UnknownCategory};

use super::position::Position;

/// The identity of a charity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CharityId(pub Uuid);

/// A charity as the catalogue lists it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Charity {
    /// Its identity, which never changes.
    pub id: CharityId,
    /// Its name in addresses: lower-case words joined by hyphens, unique, never a UUID.
    pub slug: String,
    /// Its name.
    pub name: String,
    /// What it does.
    pub description: String,
    /// The address of its logo.
    pub logo: Option<String>,
    /// The address of its website.
    pub website: Option<String>,
    /// Where post reaches it.
    pub address: PostalAddress,
    /// The country that it is registered in: ISO 3166-1 alpha-2, upper case.
    pub country: String,
    /// Its registration with that country's tax authority.
    pub tax_id: Option<String>,
    /// What field it works in.
    pub category: Category,
    /// Where else it can be found.
    pub social: SocialLinks,
    /// Whether the platform has checked that it is what it says.
    pub verified: bool,
    /// Whether it is listed and new configs may name it.
    pub active: bool,
    /// When it entered the catalogue.
    pub listed_at: Timestamp,
}

impl Charity {
    /// The charity's place in lists ordered by the time of listing and then by id.
    pub fn position(&self) -> Position<16> {
        Position {
            ordinal: self.listed_at.as_millisecond(),
            key: self.id.0.into_bytes(),
        }
    }
}

/// The parts of a postal address, as far as they are known. The country is the charity's.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PostalAddress {
    /// Street and number.
    pub street: Option<String>,
    /// City, town or village.
    pub city: Option<String>,
    /// State, province or county.
    pub region: Option<String>,
    /// Postal code.
    pub postal_code: Option<String>,
}

/// Addresses of profiles, as far as they are known.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SocialLinks {
    /// On X.
    pub x: Option<String>,
    /// On Facebook.
    pub facebook: Option<String>,
    /// On Instagram.
    pub instagram: Option<String>,
    /// On LinkedIn.
    pub linkedin: Option<String>,
    /// On YouTube.
    pub youtube: Option<String>,
}
