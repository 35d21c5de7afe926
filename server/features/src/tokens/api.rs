//! Tokens.

use std::sync::Arc;

use db::DbError;
use generated::api::tokens::{TokensApi, TokensGetResponse, TokensListParams, TokensListResponse};
use generated::operations::OperationId;
use generated::{Encoded, models};

use super::{Token, TokenFilter, catalogue, mapping, store};
use crate::access::Principal;
use crate::api::{self, Api, Failure};
use crate::catalogue::Snapshot;
use crate::chains::api::{address_in_path, chain_in_query};
use crate::contracts;
use crate::domain::paging::List;
use crate::listing::Tagged;
use crate::tokens::PartnerDetail;

impl TokensApi for Api {
    async fn tokens_list(
        &self,
        principal: Option<Principal>,
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
        let cache = Arc::clone(&self.snapshot().tokens);
        let body = match cache.pages.find(&page) {
            Some(body) => body,
            None => {
                let (store, filter) = (self.store.clone(), TokenFilter { chain, symbol });
                let (after, rows) = (page.after.clone(), page.rows());
                let read = async move { store::tokens(&store, filter, after, rows).await };
                let tokens = self.catalogue_read(principal, read).await?;
                let body = catalogue::page(&page, tokens);
                cache.pages.insert(page, body.clone());
                body
            }
        };
        Ok(TokensListResponse::Ok { body })
    }

    async fn tokens_get(
        &self,
        principal: Option<Principal>,
        chain_id: i64,
        address: String,
    ) -> Result<TokensGetResponse, Failure> {
        let snapshot = Arc::clone(&self.snapshot());
        let id = address_in_path(&snapshot, chain_id, &address)?;
        let key = id.key();
        if let Some(body) = snapshot.tokens.details.find(&key) {
            return Ok(TokensGetResponse::Ok { body });
        }
        let store = self.store.clone();
        let read = async move { contracts::store::token(&store, id).await };
        let Some((token, partner)) = self.catalogue_read(principal, read).await? else {
            let error = models::NotFoundError::new("There is no such token.".into());
            return Ok(TokensGetResponse::NotFound { body: error.into() });
        };
        let detail = match &partner {
            Some(partner) => {
                // Its configs may name charities that were recorded a moment ago.
                let configs = partner.previous_configs.iter();
                let shown = self.snapshot_for(configs.chain([&partner.active_config]));
                detail(&*shown.await?, &token, Some(partner))?
            }
            None => detail(&snapshot, &token, None)?,
        };
        let body = Tagged::new(Encoded::from(detail));
        snapshot.tokens.details.insert(key, body.clone());
        Ok(TokensGetResponse::Ok { body })
    }
}

impl Api {
    /// Reads a part of the catalog that is not in memory. Callers without a key have few permits.
    async fn catalogue_read<T: Send + 'static>(
        &self,
        principal: Option<Principal>,
        read: impl Future<Output = Result<T, DbError>> + Send + 'static,
    ) -> Result<T, DbError> {
        match principal {
            Some(_) => read.await,
            None => self.public_reads.run(read).await,
        }
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
