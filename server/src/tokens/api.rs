//! Tokens.

use generated::api::tokens::{
    TokensApi, TokensGetParams, TokensGetResponse, TokensListParams, TokensListResponse,
};
use generated::models;

use super::Token;
use super::mapping;
use crate::access::Principal;
use crate::api::conditional::is_current;
use crate::api::{self, Api, CATALOGUE_CACHE_CONTROL, Failure};
use crate::catalogue::{Snapshot, Tagged};
use crate::chains::ChainId;
use crate::chains::api::address_in_path;
use crate::contracts::PartnerDetail;
use crate::domain::position::Position;

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
            if_none_match,
        } = params;
        let after = cursor.as_deref().and_then(Position::parse);
        let snapshot = self.snapshot();
        let chain = chain_id.and_then(ChainId::new);
        let page = snapshot.tokens.page(chain, after, api::page_size(limit));
        let (e_tag, cache_control) = (
            page.tag.as_str().to_owned(),
            CATALOGUE_CACHE_CONTROL.to_owned(),
        );
        Ok(if is_current(if_none_match.as_deref(), &page.tag) {
            TokensListResponse::NotModified {
                e_tag,
                cache_control,
            }
        } else {
            TokensListResponse::Ok {
                body: page.body,
                e_tag,
                cache_control,
            }
        })
    }

    async fn tokens_get(
        &self,
        _: Option<Principal>,
        chain_id: i64,
        address: String,
        params: TokensGetParams,
    ) -> Result<TokensGetResponse, Failure> {
        let TokensGetParams { if_none_match } = params;
        let snapshot = self.snapshot();
        let id = address_in_path(&snapshot, chain_id, &address)?;
        let Some((token, partner)) = snapshot.tokens.find(&id) else {
            let error = models::NotFoundError::new("There is no such token.".into());
            return Ok(TokensGetResponse::NotFound { body: error.into() });
        };
        let shown = Tagged::new(detail(&snapshot, token, partner)?.into());
        let (e_tag, cache_control) = (
            shown.tag.as_str().to_owned(),
            CATALOGUE_CACHE_CONTROL.to_owned(),
        );
        Ok(if is_current(if_none_match.as_deref(), &shown.tag) {
            TokensGetResponse::NotModified {
                e_tag,
                cache_control,
            }
        } else {
            TokensGetResponse::Ok {
                body: shown.body,
                e_tag,
                cache_control,
            }
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
    let config = |config| crate::configs::api::shown(snapshot, config);
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
