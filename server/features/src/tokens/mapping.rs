//! Maps tokens to the contract's models.

use generated::models;

use super::Token;

pub(crate) fn token(token: &Token) -> models::Token {
    models::Token {
        chain_id: token.id.chain.get(),
        address: token.id.address.to_string(),
        name: token.name.clone(),
        symbol: token.symbol.clone(),
        decimals: token.decimals.into(),
        logo: token.logo.clone(),
    }
}

pub(crate) fn token_summary(token: &Token) -> models::TokenSummary {
    models::TokenSummary {
        chain_id: token.id.chain.get(),
        address: token.id.address.to_string(),
        name: token.name.clone(),
        symbol: token.symbol.clone(),
        decimals: token.decimals.into(),
    }
}
