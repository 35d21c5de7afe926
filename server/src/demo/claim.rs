//! A claim of a contract that waits for the demo's operator.

use jiff::Timestamp;

use super::{CONTRACT_CHAIN, PRO};
use db::{Db, DbError};
use features::chains::{Address, ChainAddress, ChainId, ChainKind};
use features::claims::{ClaimError, ClaimOfProject, claiming};
use features::projects::Actor;

/// The invented address of the contract.
const CLAIMED: &str = "0xfac7000000000000000000000000000000c1a13d";

const NOTE: &str = "Our factory 0xfac7000000000000000000000000000000000001 deployed it, so that no key of \
                    ours signs for it. Its page in the explorer links to our site.";

/// Has the Pro project claim a contract that a factory deployed.
pub(super) async fn seed(store: &Db, now: Timestamp) -> Result<(), DbError> {
    let (actor, project) = (Actor::Operator, PRO);
    let address = Address::parse(ChainKind::Evm, CLAIMED).ok();
    let contract = ChainId::new(CONTRACT_CHAIN)
        .zip(address)
        .map(|(chain, address)| ChainAddress { chain, address });
    let contract = contract.ok_or_else(|| DbError::Corrupt(CLAIMED.to_owned()))?;
    let claim = claiming::begin(store, actor, project, contract, now).await;
    let claim = claim.map_err(refused)?;
    let of = ClaimOfProject {
        actor,
        project,
        claim,
    };
    claiming::queue(store, of, NOTE, now).await.map_err(refused)
}

fn refused(error: ClaimError) -> DbError {
    match error {
        ClaimError::Db(error) => error,
        other => DbError::Corrupt(format!("the demonstration is refused: {other}")),
    }
}
