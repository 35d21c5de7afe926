//! Partner contracts: the leaderboard of their tokens.

use generated::api::contracts::{
    ContractsApi, ContractsTokenLeaderboardParams, ContractsTokenLeaderboardResponse,
};
use generated::models;

use super::LeaderboardEntry;
use crate::access::Principal;
use crate::api::{self, Api, Failure};
use crate::catalogue::Snapshot;
use crate::chains::api::address_in_path;
use crate::domain::position::Position;
use crate::donations;
use crate::tokens;

impl ContractsApi for Api {
    async fn contracts_token_leaderboard(
        &self,
        principal: Principal,
        chain_id: i64,
        address: String,
        params: ContractsTokenLeaderboardParams,
    ) -> Result<ContractsTokenLeaderboardResponse, Failure> {
        let ContractsTokenLeaderboardParams { limit, cursor } = params;
        let contract = address_in_path(&self.snapshot(), chain_id, &address)?;
        let after = cursor.as_deref().and_then(Position::parse);
        let limit = api::page_size(limit);
        // One entry more than the page holds shows whether another page follows.
        let entries = self
            .store
            .leaderboard(principal.project, contract, after, limit + 1)
            .await?;
        let Some(mut entries) = entries else {
            let message = "The project has no such contract.";
            let error = models::NotFoundError::new(message.into());
            return Ok(ContractsTokenLeaderboardResponse::NotFound { body: error.into() });
        };
        let page_key = api::cut(&mut entries, limit, |entry| entry.position().encode());
        let configs = entries.iter().map(|entry| &entry.config);
        let snapshot = self.knowing(configs).await?;
        let response = entries.iter().map(|entry| shown(&snapshot, entry));
        let page = models::LeaderboardPage {
            page_key,
            response: response.collect::<Result<_, _>>()?,
        };
        Ok(ContractsTokenLeaderboardResponse::Ok { body: page.into() })
    }
}

fn shown(
    snapshot: &Snapshot,
    entry: &LeaderboardEntry,
) -> Result<models::LeaderboardEntry, Failure> {
    Ok(models::LeaderboardEntry {
        partner_token: models::PartnerToken {
            token: tokens::mapping::token_summary(&entry.token),
            creator_address: entry.creator.to_string(),
        },
        config: crate::configs::api::shown(snapshot, &entry.config)?,
        stats: donations::mapping::stats(&entry.stats),
    })
}
