//! A project's partner contracts, and the leaderboard of their tokens.

use generated::api::contracts::{
    ContractsApi, ContractsListParams, ContractsListResponse, ContractsTokenLeaderboardParams,
    ContractsTokenLeaderboardResponse,
};
use generated::models;
use generated::operations::OperationId;

use super::LeaderboardEntry;
use crate::access::Principal;
use crate::api::{self, Api, Failure};
use crate::catalogue::Snapshot;
use crate::chains::api::address_in_path;
use crate::domain::paging::List;
use crate::donations;
use crate::tokens;

impl ContractsApi for Api {
    async fn contracts_list(
        &self,
        principal: Principal,
        params: ContractsListParams,
    ) -> Result<ContractsListResponse, Failure> {
        let ContractsListParams { limit, cursor } = params;
        let list = List::of(OperationId::ContractsList.operation_id());
        let page = api::page(list, cursor.as_deref(), limit)?;
        let contracts = crate::contracts::store::contracts(
            &self.store,
            principal.project,
            page.after.clone(),
            page.rows(),
        );
        let mut contracts = contracts.await?;
        let page_key = page.cut(&mut contracts);
        let response = contracts.iter().map(|contract| models::PartnerContract {
            chain_id: contract.chain.get(),
            address: contract.address.to_string(),
        });
        let page = models::PartnerContractPage {
            page_key,
            response: response.collect(),
        };
        Ok(ContractsListResponse::Ok { body: page.into() })
    }

    async fn contracts_token_leaderboard(
        &self,
        principal: Principal,
        chain_id: i64,
        address: String,
        params: ContractsTokenLeaderboardParams,
    ) -> Result<ContractsTokenLeaderboardResponse, Failure> {
        let ContractsTokenLeaderboardParams { limit, cursor } = params;
        let contract = address_in_path(&self.snapshot(), chain_id, &address)?;
        let list = List::of(OperationId::ContractsTokenLeaderboard.operation_id())
            .filtered("chainId", Some(chain_id))
            .filtered("address", Some(&contract.address));
        let page = api::page(list, cursor.as_deref(), limit)?;
        let entries = crate::contracts::leaderboard::leaderboard(
            &self.store,
            principal.project,
            contract,
            page.after.clone(),
            page.rows(),
        );
        let Some(mut entries) = entries.await? else {
            let message = "The project has no such contract.";
            let error = models::NotFoundError::new(message.into());
            return Ok(ContractsTokenLeaderboardResponse::NotFound { body: error.into() });
        };
        let page_key = page.cut(&mut entries);
        let configs = entries.iter().map(|entry| &entry.config);
        let snapshot = self.snapshot_for(configs).await?;
        let response = entries
            .iter()
            .map(|entry| leaderboard_entry(&snapshot, entry));
        let page = models::LeaderboardPage {
            page_key,
            response: response.collect::<Result<_, _>>()?,
        };
        Ok(ContractsTokenLeaderboardResponse::Ok { body: page.into() })
    }
}

fn leaderboard_entry(
    snapshot: &Snapshot,
    entry: &LeaderboardEntry,
) -> Result<models::LeaderboardEntry, Failure> {
    Ok(models::LeaderboardEntry {
        partner_token: models::PartnerToken {
            token: tokens::mapping::token_summary(&entry.token),
            creator_address: entry.creator.to_string(),
        },
        config: crate::configs::api::with_charities(snapshot, &entry.config)?,
        stats: donations::mapping::stats(&entry.stats),
    })
}
