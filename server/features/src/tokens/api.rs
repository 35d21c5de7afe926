//! Tokens.

use generated::api::tokens::{TokensApi, TokensGetResponse, TokensListParams, TokensListResponse};
use generated::operations::OperationId;
use generated::{Encoded, models};

use super::{Token, mapping};
use crate::access::Principal;
use crate::api::{self, Api, Failure};
use crate::catalogue::Snapshot;
use crate::chains::api::{address_in_path, chain_in_query};
use crate::domain::paging::List;
use crate::tokens::PartnerDetail;

impl TokensApi for Api {
    async fn tokens_list(
        &self,
        _: Option<Principal>,
        params: TokensListParams,
    ) -> Result<TokensListResponse, Failure> {
        let TokensListParams {
            limit,
            cursor,
            chain_id,
            symbol,
        } = params;
        let symbol = symbol.map(|symbol| symbol.to_lowercase());
        let list = List::of(OperationId::TokensList.operation_id())
            .filtered("chainId", chain_id)
            .filtered("symbol", symbol.as_deref());
        let page = api::page(list, cursor.as_deref(), limit)?;
        let chain = chain_in_query(chain_id)?;
        let body = self.snapshot().tokens.page(chain, symbol.as_deref(), page);
        Ok(TokensListResponse::Ok { body })
    }

    async fn tokens_get(
        &self,
        _: Option<Principal>,
        chain_id: i64,
        address: String,
    ) -> Result<TokensGetResponse, Failure> {
        let snapshot = self.snapshot();
        let id = address_in_path(&snapshot, chain_id, &address)?;
        let Some((token, partner)) = snapshot.tokens.find(&id) else {
            let error = models::NotFoundError::new("There is no such token.".into());
            return Ok(TokensGetResponse::NotFound { body: error.into() });
        };
        let detail = Encoded::from(detail(&snapshot, token, partner)?);
        Ok(TokensGetResponse::Ok {
            body: detail.into(),
        })
    }
}

fn detail(
    snapshot: &Snapshot,
    token: &Token,
    partner: Option<&PartnerDetail>,
) -> Result<models::TokenDetail, Failure> {
    let models::Token {
        chain_id,
        address,
        name,
        symbol,
        decimals,
        logo,
    } = mapping::token(token);
    let partner = partner
        .map(|partner| partnership(snapshot, partner))
        .transpose()?;
    Ok(models::TokenDetail {
        chain_id,
        address,
        name,
        symbol,
        decimals,
        logo,
        partner,
    })
}

fn partnership(
    snapshot: &Snapshot,
    detail: &PartnerDetail,
) -> Result<models::TokenPartnership, Failure> {
    let config = |config| crate::configs::api::with_charities(snapshot, config);
    Ok(models::TokenPartnership {
        contract_address: detail.partner.contract.to_string(),
        creator_address: detail.partner.creator.to_string(),
        active_config: config(&detail.active_config)?,
        previous_configs: detail
            .previous_configs
            .iter()
            .map(config)
            .collect::<Result<_, _>>()?,
    })
}
