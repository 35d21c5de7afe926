//! Chains, and the addresses that paths name on them.

use generated::api::chains::{ChainsApi, ChainsListParams, ChainsListResponse};
use generated::models::ValidationRule;
use generated::operations::OperationId;
use generated::runtime::Place;

use super::{Address, ChainAddress, ChainId, ChainKind};
use crate::access::Principal;
use crate::api::{self, Api, Failure};
use crate::catalogue::Snapshot;
use crate::domain::paging::List;

impl ChainsApi for Api {
    async fn chains_list(
        &self,
        _: Option<Principal>,
        params: ChainsListParams,
    ) -> Result<ChainsListResponse, Failure> {
        let ChainsListParams { limit, cursor } = params;
        let list = List::of(OperationId::ChainsList.operation_id());
        let page = api::page(list, cursor.as_deref(), limit)?;
        let body = self.snapshot().chains.page(page);
        Ok(ChainsListResponse::Ok { body })
    }
}

/// The address that a path names: the chain must be known, and the address valid for its kind.
pub(crate) fn address_in_path(
    snapshot: &Snapshot,
    chain_id: i64,
    address: &str,
) -> Result<ChainAddress, Failure> {
    let id = ChainId::new(chain_id);
    let Some(chain) = id.and_then(|id| snapshot.chains.find(id)) else {
        return Err(Failure::invalid(
            Place::Path,
            "chainId",
            ValidationRule::UnknownChain,
            "must be the id of a supported chain",
        ));
    };
    match Address::parse(chain.kind, address) {
        Ok(address) => Ok(ChainAddress {
            chain: chain.id,
            address,
        }),
        Err(error) => Err(Failure::invalid(
            Place::Path,
            "address",
            ValidationRule::InvalidAddress,
            error.to_string(),
        )),
    }
}

/// The chain that the query parameter `chainId` names. The contract bounds it as [`ChainId`] does.
pub(crate) fn chain_in_query(chain_id: Option<i64>) -> Result<Option<ChainId>, Failure> {
    let Some(chain_id) = chain_id else {
        return Ok(None);
    };
    let outside = || {
        Failure::invalid(
            Place::Query,
            "chainId",
            ValidationRule::UnknownChain,
            "must be a chain id",
        )
    };
    ChainId::new(chain_id).map(Some).ok_or_else(outside)
}

/// The address that a query parameter names: valid for the kind of its chain, or of any kind if the chain
/// is not named or unknown.
pub(crate) fn address_in_query(
    snapshot: &Snapshot,
    chain: Option<ChainId>,
    parameter: &str,
    text: &str,
) -> Result<Address, Failure> {
    let invalid = |message| {
        Failure::invalid(
            Place::Query,
            parameter,
            ValidationRule::InvalidAddress,
            message,
        )
    };
    if let Some(chain) = chain.and_then(|id| snapshot.chains.find(id)) {
        return Address::parse(chain.kind, text).map_err(|error| invalid(error.to_string()));
    }
    let kinds = [ChainKind::Evm, ChainKind::Svm, ChainKind::Utxo];
    let address = kinds
        .into_iter()
        .find_map(|kind| Address::parse(kind, text).ok());
    address.ok_or_else(|| invalid("must be an address of a supported chain type".to_owned()))
}
