//! Lines of the catalogue: chains, charities, tokens.

use import_lines::models as lines;

use super::{Chains, Line, chain_id, narrow, parse};
use crate::chains::{Chain, NativeCurrency};
use crate::charities::{Charity, CharityId, PostalAddress, SocialLink};
use crate::import::{LineError, Record};
use crate::tokens::Token;

impl Line for lines::Chain {
    fn into_record(self, _: &Chains) -> Result<Record, LineError> {
        let lines::ChainNativeCurrency {
            name,
            symbol,
            decimals,
        } = self.native_currency;
        Ok(Record::Chain(Chain {
            id: chain_id(self.id, "/id")?,
            name: self.name,
            kind: parse(self.r#type.as_str(), "/type")?,
            native_currency: NativeCurrency {
                name,
                symbol,
                decimals: narrow(decimals, "/nativeCurrency/decimals")?,
            },
            explorer: self.explorer_url.flatten(),
        }))
    }
}

impl Line for lines::Charity {
    fn into_record(self, _: &Chains) -> Result<Record, LineError> {
        let links = self.social_links.unwrap_or_default().into_iter();
        let links =
            links.map(|lines::CharitySocialLinksItem { network, url }| SocialLink { network, url });
        Ok(Record::Charity(Box::new(Charity {
            id: CharityId(self.id.0),
            slug: self.slug,
            name: self.name,
            description: self.description,
            logo: self.logo.flatten(),
            website: self.website.flatten(),
            address: self.postal_address.map(postal_address).unwrap_or_default(),
            country: self.country,
            tax_id: self.tax_id.flatten(),
            category: parse(self.category.as_str(), "/category")?,
            social_links: links.collect(),
            verified: self.verified.unwrap_or(false),
            active: self.active.unwrap_or(true),
            listed_at: self.listed_at.into_value().0,
        })))
    }
}

fn postal_address(address: lines::CharityPostalAddress) -> PostalAddress {
    PostalAddress {
        line1: address.line1.flatten(),
        line2: address.line2.flatten(),
        city: address.city.flatten(),
        region: address.region.flatten(),
        postal_code: address.postal_code.flatten(),
    }
}

impl Line for lines::Token {
    fn into_record(self, chains: &Chains) -> Result<Record, LineError> {
        Ok(Record::Token(Token {
            id: chains.place(self.chain_id, &self.address, "/address")?,
            name: self.name,
            symbol: self.symbol,
            decimals: narrow(self.decimals, "/decimals")?,
            logo: self.logo.flatten(),
        }))
    }
}
