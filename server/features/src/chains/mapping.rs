//! Maps chains to the contract's models.

use generated::models;

use super::{Chain, ChainKind};

pub(crate) fn chain(chain: &Chain) -> models::Chain {
    models::Chain {
        id: chain.id.get(),
        name: chain.name.clone(),
        r#type: models::OpenChainType::ChainType(match chain.kind {
            ChainKind::Evm => models::ChainType::Evm,
            ChainKind::Svm => models::ChainType::Svm,
            ChainKind::Utxo => models::ChainType::Utxo,
        }),
        native_currency: models::NativeCurrency {
            name: chain.native_currency.name.clone(),
            symbol: chain.native_currency.symbol.clone(),
            decimals: chain.native_currency.decimals.into(),
        },
        explorer_url: chain.explorer.clone(),
    }
}
