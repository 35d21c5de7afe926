//! Lines of the catalogue: chains, charities, tokens.

use jiff::Timestamp;
use serde::Deserialize;
use uuid::Uuid;

use super::{Chains, Line, chain_id, parse};
use crate::chains::{Chain, NativeCurrency};
use crate::charities::{Charity, CharityId, PostalAddress, SocialLink};
use crate::import::{LineError, Record};
use crate::tokens::Token;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ChainLine {
    id: i64,
    name: String,
    r#type: String,
    native_currency: CurrencyPart,
    explorer_url: Option<String>,
}

#[derive(Deserialize)]
struct CurrencyPart {
    name: String,
    symbol: String,
    decimals: u8,
}

impl Line for ChainLine {
    fn into_record(self, _: &Chains) -> Result<Record, LineError> {
        let CurrencyPart {
            name,
            symbol,
            decimals,
        } = self.native_currency;
        Ok(Record::Chain(Chain {
            id: chain_id(self.id, "/id")?,
            name: self.name,
            kind: parse(&self.r#type, "/type")?,
            native_currency: NativeCurrency {
                name,
                symbol,
                decimals,
            },
            explorer: self.explorer_url,
        }))
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CharityLine {
    id: Uuid,
    slug: String,
    name: String,
    description: String,
    logo: Option<String>,
    website: Option<String>,
    #[serde(default)]
    postal_address: PostalAddressPart,
    country: String,
    tax_id: Option<String>,
    category: String,
    #[serde(default)]
    social_links: Vec<SocialLinkPart>,
    #[serde(default)]
    verified: bool,
    #[serde(default = "active_if_absent")]
    active: bool,
    listed_at: Timestamp,
}

fn active_if_absent() -> bool {
    true
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase")]
struct PostalAddressPart {
    line1: Option<String>,
    line2: Option<String>,
    city: Option<String>,
    region: Option<String>,
    postal_code: Option<String>,
}

#[derive(Deserialize)]
struct SocialLinkPart {
    network: String,
    url: String,
}

impl Line for CharityLine {
    fn into_record(self, _: &Chains) -> Result<Record, LineError> {
        let PostalAddressPart {
            line1,
            line2,
            city,
            region,
            postal_code,
        } = self.postal_address;
        let link = |SocialLinkPart { network, url }| SocialLink { network, url };
        Ok(Record::Charity(Box::new(Charity {
            id: CharityId(self.id),
            slug: self.slug,
            name: self.name,
            description: self.description,
            logo: self.logo,
            website: self.website,
            address: PostalAddress {
                line1,
                line2,
                city,
                region,
                postal_code,
            },
            country: self.country,
            tax_id: self.tax_id,
            category: parse(&self.category, "/category")?,
            social_links: self.social_links.into_iter().map(link).collect(),
            verified: self.verified,
            active: self.active,
            listed_at: self.listed_at,
        })))
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct TokenLine {
    chain_id: i64,
    address: String,
    name: String,
    symbol: String,
    decimals: u8,
    logo: Option<String>,
}

impl Line for TokenLine {
    fn into_record(self, chains: &Chains) -> Result<Record, LineError> {
        Ok(Record::Token(Token {
            id: chains.place(self.chain_id, &self.address, "/address")?,
            name: self.name,
            symbol: self.symbol,
            decimals: self.decimals,
            logo: self.logo,
        }))
    }
}
