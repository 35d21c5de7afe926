//! Claims of contracts. Those of a project wait for each other, by the lock on its row.

use db::{DbError, Row, Tx, params};
use jiff::Timestamp;

use super::{
    Claim, ClaimError, ClaimId, ClaimNonce, ClaimOfProject, ClaimRejection, Decision, NewClaim,
    Proof, WaitingClaim,
};
use crate::audit::{AuditAction, sql as audit};
use crate::chains::sql as chains;
use crate::contracts::{PartnerContract, sql as contracts};
use crate::database::locks;
use crate::domain::claim_state::ClaimState;
use crate::projects::{Actor, ProjectId, sql as projects};

/// Claims with the kind of their chain; a condition follows.
macro_rules! claims {
    ($rest:literal) => {
        concat!(
            "SELECT claim.id, claim.project, claim.chain, chain.kind, claim.address, claim.state,
               claim.nonce, claim.nonce_expires_at, claim.proof, claim.note, claim.reason,
               claim.created_at, claim.decided_at
             FROM claim JOIN chain ON chain.id = claim.chain ",
            $rest
        )
    };
}

const OF_PROJECT: &str =
    claims!("WHERE claim.project = $1 ORDER BY claim.created_at DESC, claim.id DESC LIMIT 100");

const WAITING: &str =
    claims!("WHERE claim.state = 'waiting' ORDER BY claim.created_at, claim.id LIMIT 100");

pub(crate) fn contracts_of(
    tx: &Tx<'_>,
    actor: Actor,
    project: ProjectId,
) -> Result<Option<Vec<PartnerContract>>, DbError> {
    match projects::managed(tx, actor, project)? {
        Some(_) => Ok(Some(contracts::of_project(tx, project)?)),
        None => Ok(None),
    }
}

pub(crate) fn claims_of(
    tx: &Tx<'_>,
    actor: Actor,
    project: ProjectId,
) -> Result<Option<Vec<Claim>>, DbError> {
    match projects::managed(tx, actor, project)? {
        Some(_) => Ok(Some(tx.all(OF_PROJECT, params![project], read)?)),
        None => Ok(None),
    }
}

/// A claim, if the actor manages its project.
pub(crate) fn managed(tx: &Tx<'_>, of: ClaimOfProject) -> Result<Option<Claim>, DbError> {
    if projects::managed(tx, of.actor, of.project)?.is_none() {
        return Ok(None);
    }
    let sql = claims!("WHERE claim.id = $1 AND claim.project = $2");
    tx.first(sql, params![of.claim, of.project], read)
}

pub(crate) fn waiting(tx: &Tx<'_>, actor: Actor) -> Result<Vec<WaitingClaim>, ClaimError> {
    if !projects::administers(tx, actor)? {
        return Err(ClaimRejection::Forbidden.into());
    }
    let claims: Vec<_> = tx.all(WAITING, &[], read)?;
    let mut waiting = Vec::new();
    for claim in claims {
        let project = projects::find(tx, claim.project)?;
        let missing = || DbError::Corrupt("a claim has no project".to_owned());
        let owner = match contracts::project_of(tx, claim.contract.key())? {
            Some(owner) => projects::find(tx, owner)?,
            None => None,
        };
        waiting.push(WaitingClaim {
            claim,
            project: project.ok_or_else(missing)?,
            owner,
        });
    }
    Ok(waiting)
}

pub(crate) fn begin(tx: &Tx<'_>, actor: Actor, claim: &NewClaim) -> Result<ClaimId, ClaimError> {
    let NewClaim {
        id,
        project,
        contract,
        nonce,
        created_at,
    } = claim;
    if projects::lock_managed(tx, actor, *project)?.is_none() {
        return Err(ClaimRejection::Unknown.into());
    }
    if contracts::project_of(tx, contract.key())? == Some(*project) {
        return Err(ClaimRejection::Own.into());
    }
    let key = contract.key();
    let sql = "SELECT id FROM claim
               WHERE project = $1 AND contract = $2 AND state IN ('open', 'waiting')";
    let same = tx.first(sql, params![project, key], |row| row.get("id"))?;
    if let Some(same) = same {
        return Ok(same);
    }
    let abandoned = "DELETE FROM claim
                     WHERE project = $1 AND state = 'open' AND nonce_expires_at <= $2";
    tx.execute(abandoned, params![project, *created_at])?;
    let sql = "SELECT count(*) AS undecided FROM claim
               WHERE project = $1 AND state IN ('open', 'waiting')";
    let count = |row: &Row<'_>| row.get("undecided");
    let undecided: Option<u32> = tx.first(sql, params![project], count)?;
    if undecided.is_some_and(|undecided| undecided >= Claim::MAX_UNDECIDED) {
        return Err(ClaimRejection::TooMany.into());
    }
    let sql = "INSERT INTO claim (id, project, contract, chain, address, state, nonce,
                 nonce_expires_at, note, created_at)
               VALUES ($1, $2, $3, $4, $5, $6, $7, $8, '', $9)";
    let params = params![
        id,
        project,
        key,
        contract.chain,
        contract.address.as_str(),
        ClaimState::Open,
        nonce,
        ClaimNonce::expiry(*created_at),
        *created_at
    ];
    tx.execute(sql, params)?;
    let action = AuditAction::ClaimBecame(ClaimState::Open, contract.to_string());
    audit::record_event(tx, actor, *project, action, *created_at)?;
    Ok(*id)
}

/// The outcome of using up a nonce.
pub(crate) enum BurnedNonce {
    /// The claim as it was.
    Valid(Box<Claim>),
    Expired,
}

pub(crate) fn burn(
    tx: &Tx<'_>,
    of: ClaimOfProject,
    nonce: ClaimNonce,
    fresh: ClaimNonce,
    now: Timestamp,
) -> Result<BurnedNonce, ClaimError> {
    let claim = lock(tx, of)?;
    let outcome = match claim.check_nonce(nonce, now) {
        Ok(()) => BurnedNonce::Valid(Box::new(claim)),
        // Commits: an expired nonce is replaced too, so that the claim can be proven afterwards.
        Err(ClaimRejection::Expired) => BurnedNonce::Expired,
        Err(rejection) => return Err(rejection.into()),
    };
    let sql = "UPDATE claim SET nonce = $2, nonce_expires_at = $3 WHERE id = $1";
    let expiry = ClaimNonce::expiry(now);
    tx.execute(sql, params![of.claim, fresh, expiry])?;
    Ok(outcome)
}

pub(crate) fn prove(
    tx: &Tx<'_>,
    of: ClaimOfProject,
    proof: Proof,
    now: Timestamp,
) -> Result<ClaimState, ClaimError> {
    let claim = lock(tx, of)?;
    let owner = contracts::project_of(tx, claim.contract.key())?;
    let state = claim.once_proven(owner)?;
    let sql = "UPDATE claim SET state = $2, proof = $3, decided_at = $4 WHERE id = $1";
    let decided_at = (state == ClaimState::Proven).then_some(now);
    tx.execute(sql, params![of.claim, state, proof, decided_at])?;
    if state == ClaimState::Proven {
        assign(tx, &claim, owner)?;
    }
    let action = AuditAction::ClaimBecame(state, claim.contract.to_string());
    audit::record_event(tx, of.actor, of.project, action, now)?;
    Ok(state)
}

pub(crate) fn queue(
    tx: &Tx<'_>,
    of: ClaimOfProject,
    note: &str,
    now: Timestamp,
) -> Result<(), ClaimError> {
    let claim = lock(tx, of)?;
    claim.check_undecided()?;
    let sql = "UPDATE claim SET state = $2, note = $3 WHERE id = $1";
    tx.execute(sql, params![of.claim, ClaimState::Waiting, note])?;
    if claim.state == ClaimState::Open {
        let action = AuditAction::ClaimBecame(ClaimState::Waiting, claim.contract.to_string());
        audit::record_event(tx, of.actor, of.project, action, now)?;
    }
    Ok(())
}

pub(crate) fn decide(
    tx: &Tx<'_>,
    actor: Actor,
    id: ClaimId,
    decision: &Decision,
    now: Timestamp,
) -> Result<(), ClaimError> {
    if !projects::administers(tx, actor)? {
        return Err(ClaimRejection::Forbidden.into());
    }
    // Importers assign tokens to contracts under this lock: none does while the contract is moved.
    tx.lock(locks::RECORDS)?;
    let sql = claims!("WHERE claim.id = $1 FOR UPDATE OF claim");
    let Some(claim) = tx.first(sql, params![id], read)? else {
        return Err(ClaimRejection::Unknown.into());
    };
    if claim.state != ClaimState::Waiting {
        return Err(ClaimRejection::NotWaiting.into());
    }
    if *decision == Decision::Accept {
        let owner = contracts::project_of(tx, claim.contract.key())?;
        let former = owner.filter(|owner| *owner != claim.project);
        if let Some(former) = former {
            if contracts::has_tokens(tx, claim.contract.key())? {
                return Err(ClaimRejection::HasTokens.into());
            }
            let action = AuditAction::ContractLost(claim.contract.to_string());
            audit::record_event(tx, actor, former, action, now)?;
        }
        assign(tx, &claim, owner)?;
    }
    let state = decision.state();
    let sql = "UPDATE claim SET state = $2, reason = $3, decided_at = $4 WHERE id = $1";
    let params = params![id, state, decision.reason(), now];
    tx.execute(sql, params)?;
    let action = AuditAction::ClaimBecame(state, claim.contract.to_string());
    audit::record_event(tx, actor, claim.project, action, now)?;
    Ok(())
}

pub(crate) fn withdraw(tx: &Tx<'_>, of: ClaimOfProject, now: Timestamp) -> Result<(), ClaimError> {
    let found = projects::lock(tx, of.actor, of.project)?;
    ClaimRejection::unless_owned(of.actor, found)?;
    let claim = lock(tx, of)?;
    claim.check_undecided()?;
    tx.execute("DELETE FROM claim WHERE id = $1", params![of.claim])?;
    let action = AuditAction::ClaimWithdrawn(claim.contract.to_string());
    audit::record_event(tx, of.actor, of.project, action, now)?;
    Ok(())
}

pub(crate) fn release(
    tx: &Tx<'_>,
    actor: Actor,
    contract: &PartnerContract,
    now: Timestamp,
) -> Result<(), ClaimError> {
    let PartnerContract { id, project } = contract;
    // Importers assign tokens to contracts under this lock: none does while the contract is released.
    tx.lock(locks::RECORDS)?;
    let found = projects::lock(tx, actor, *project)?;
    ClaimRejection::unless_owned(actor, found)?;
    if contracts::project_of(tx, id.key())? != Some(*project) {
        return Err(ClaimRejection::Unknown.into());
    }
    if contracts::has_tokens(tx, id.key())? {
        return Err(ClaimRejection::OwnTokens.into());
    }
    let sql = "DELETE FROM contract WHERE id = $1";
    tx.execute(sql, params![id.key()])?;
    let action = AuditAction::ContractReleased(id.to_string());
    audit::record_event(tx, actor, *project, action, now)?;
    Ok(())
}

/// Deletes the undecided claims of a project.
pub(crate) fn withdraw_undecided(tx: &Tx<'_>, project: ProjectId) -> Result<(), DbError> {
    let sql = "DELETE FROM claim WHERE project = $1 AND state IN ('open', 'waiting')";
    tx.execute(sql, params![project])?;
    Ok(())
}

/// Assigns the contract of a claim to its project, from `owner` if there is one. Of two claims that are
/// proven at the same time, the later one is tried again, and finds the owner.
fn assign(tx: &Tx<'_>, claim: &Claim, owner: Option<ProjectId>) -> Result<u64, DbError> {
    let contract = PartnerContract {
        id: claim.contract.clone(),
        project: claim.project,
    };
    match owner {
        None => contracts::insert_contract(tx, &contract),
        Some(_) => contracts::move_contract(tx, &contract),
    }
}

/// A claim of a project that the actor manages, locked until the end of the transaction.
fn lock(tx: &Tx<'_>, of: ClaimOfProject) -> Result<Claim, ClaimError> {
    if projects::lock_managed(tx, of.actor, of.project)?.is_none() {
        return Err(ClaimRejection::Unknown.into());
    }
    let sql = claims!("WHERE claim.id = $1 AND claim.project = $2 FOR UPDATE OF claim");
    let claim = tx.first(sql, params![of.claim, of.project], read)?;
    Ok(claim.ok_or(ClaimRejection::Unknown)?)
}

fn read(row: &Row<'_>) -> Result<Claim, DbError> {
    Ok(Claim {
        id: row.get("id")?,
        project: row.get("project")?,
        contract: chains::read_chain_address(row)?,
        kind: row.get("kind")?,
        state: row.get("state")?,
        nonce: row.get("nonce")?,
        nonce_expires_at: row.get("nonce_expires_at")?,
        proof: row.get("proof")?,
        note: row.get("note")?,
        reason: row.get("reason")?,
        created_at: row.get("created_at")?,
        decided_at: row.get("decided_at")?,
    })
}
