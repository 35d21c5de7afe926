//! Claims of contracts, in SQLite.

use async_trait::async_trait;
use jiff::Timestamp;
use rusqlite::{Connection, Params, Row, named_params};

use super::{
    Claim, ClaimId, ClaimNonce, ClaimOfProject, ClaimRefusal, ClaimState, ClaimStore, Decision,
    NewClaim, Proof, WaitingClaim,
};
use crate::audit::AuditAction;
use crate::contracts::{PartnerContract, sqlite as contracts};
use crate::database::StoreError;
use crate::database::sqlite::column::{self, Millis};
use crate::database::sqlite::{Sqlite, query};
use crate::operators::sqlite as operators;
use crate::projects::{Actor, ProjectId, sqlite as projects};

/// The result of a change, or its refusal.
type Changed<T> = Result<Result<T, ClaimRefusal>, StoreError>;

#[async_trait]
impl ClaimStore for Sqlite {
    async fn contracts_of(
        &self,
        actor: Actor,
        project: ProjectId,
    ) -> Result<Option<Vec<PartnerContract>>, StoreError> {
        self.read(move |db| match projects::managed(db, actor, project)? {
            Some(_) => Ok(Some(contracts::of_project(db, project)?)),
            None => Ok(None),
        })
        .await
    }

    async fn claims_of(
        &self,
        actor: Actor,
        project: ProjectId,
    ) -> Result<Option<Vec<Claim>>, StoreError> {
        self.read(move |db| match projects::managed(db, actor, project)? {
            Some(_) => Ok(Some(query::all(db, OF_PROJECT, [project], read)?)),
            None => Ok(None),
        })
        .await
    }

    async fn claim(&self, of: ClaimOfProject) -> Result<Option<Claim>, StoreError> {
        self.read(move |db| Ok(managed(db, of)?)).await
    }

    async fn waiting_claims(&self, actor: Actor) -> Changed<Vec<WaitingClaim>> {
        self.read(move |db| {
            if !operators::administers(db, actor)? {
                return Ok(Err(ClaimRefusal::Forbidden));
            }
            let claims = query::all(db, WAITING, [], read)?;
            let waiting = claims.into_iter().map(|claim| with_projects(db, claim));
            Ok(Ok(waiting.collect::<Result<_, _>>()?))
        })
        .await
    }

    async fn begin_claim(&self, actor: Actor, claim: NewClaim) -> Changed<ClaimId> {
        self.write(actor.writer(), move |tx| begin(tx, actor, &claim))
            .await
    }

    async fn burn_claim_nonce(
        &self,
        of: ClaimOfProject,
        nonce: ClaimNonce,
        fresh: ClaimNonce,
        now: Timestamp,
    ) -> Changed<Claim> {
        self.write(of.actor.writer(), move |tx| burn(tx, of, nonce, fresh, now))
            .await
    }

    async fn prove_claim(
        &self,
        of: ClaimOfProject,
        proof: Proof,
        now: Timestamp,
    ) -> Changed<ClaimState> {
        self.write(of.actor.writer(), move |tx| prove(tx, of, proof, now))
            .await
    }

    async fn queue_claim(&self, of: ClaimOfProject, note: String, now: Timestamp) -> Changed<()> {
        self.write(of.actor.writer(), move |tx| queue(tx, of, &note, now))
            .await
    }

    async fn withdraw_claim(&self, of: ClaimOfProject, now: Timestamp) -> Changed<()> {
        self.write(of.actor.writer(), move |tx| withdraw(tx, of, now))
            .await
    }

    async fn release_contract(
        &self,
        actor: Actor,
        contract: PartnerContract,
        now: Timestamp,
    ) -> Changed<()> {
        self.write(actor.writer(), move |tx| release(tx, actor, &contract, now))
            .await
    }

    async fn decide_claim(
        &self,
        actor: Actor,
        claim: ClaimId,
        decision: Decision,
        now: Timestamp,
    ) -> Changed<()> {
        self.write(actor.writer(), move |tx| {
            decide(tx, actor, claim, &decision, now)
        })
        .await
    }
}

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
    claims!("WHERE claim.project = ?1 ORDER BY claim.created_at DESC, claim.id DESC LIMIT 100");

const WAITING: &str =
    claims!("WHERE claim.state = 'waiting' ORDER BY claim.created_at, claim.id LIMIT 100");

fn begin(db: &Connection, actor: Actor, claim: &NewClaim) -> Changed<ClaimId> {
    let NewClaim {
        id,
        project,
        contract,
        nonce,
        created_at,
    } = claim;
    if projects::managed(db, actor, *project)?.is_none() {
        return Ok(Err(ClaimRefusal::Unknown));
    }
    if contracts::project_of(db, contract.key())? == Some(*project) {
        return Ok(Err(ClaimRefusal::Own));
    }
    let sql = "SELECT id FROM claim
               WHERE project = ?1 AND contract = ?2 AND state IN ('open', 'waiting')";
    let same = query::first(db, sql, (project, contract.key()), |row| row.get("id"))?;
    if let Some(same) = same {
        return Ok(Ok(same));
    }
    let abandoned = "DELETE FROM claim
                     WHERE project = ?1 AND state = 'open' AND nonce_expires_at <= ?2";
    query::execute(db, abandoned, (project, Millis(*created_at)))?;
    let sql = "SELECT count(*) AS undecided FROM claim
               WHERE project = ?1 AND state IN ('open', 'waiting')";
    let undecided: Option<u32> = query::first(db, sql, [project], |row| row.get("undecided"))?;
    if undecided.is_some_and(|undecided| undecided >= Claim::MAX_UNDECIDED) {
        return Ok(Err(ClaimRefusal::TooMany));
    }
    query::execute(
        db,
        "INSERT INTO claim (id, project, contract, chain, address, state, nonce, nonce_expires_at,
           note, created_at)
         VALUES (:id, :project, :contract, :chain, :address, :state, :nonce, :nonce_expires_at, '',
           :created_at)",
        named_params! {
            ":id": id,
            ":project": project,
            ":contract": contract.key(),
            ":chain": contract.chain,
            ":address": contract.address.as_str(),
            ":state": ClaimState::Open,
            ":nonce": nonce,
            ":nonce_expires_at": Millis(ClaimNonce::expiry(*created_at)),
            ":created_at": Millis(*created_at),
        },
    )?;
    let action = AuditAction::ClaimBecame(ClaimState::Open, contract.to_string());
    projects::record_event(db, actor, *project, action, *created_at)?;
    Ok(Ok(*id))
}

fn burn(
    db: &Connection,
    of: ClaimOfProject,
    nonce: ClaimNonce,
    fresh: ClaimNonce,
    now: Timestamp,
) -> Changed<Claim> {
    let Some(claim) = managed(db, of)? else {
        return Ok(Err(ClaimRefusal::Unknown));
    };
    let checked = claim.check_nonce(nonce, now);
    if matches!(checked, Ok(()) | Err(ClaimRefusal::Expired)) {
        let sql = "UPDATE claim SET nonce = ?2, nonce_expires_at = ?3 WHERE id = ?1";
        let expiry = Millis(ClaimNonce::expiry(now));
        query::execute(db, sql, (of.claim, fresh, expiry))?;
    }
    Ok(checked.map(|()| claim))
}

fn prove(db: &Connection, of: ClaimOfProject, proof: Proof, now: Timestamp) -> Changed<ClaimState> {
    let Some(claim) = managed(db, of)? else {
        return Ok(Err(ClaimRefusal::Unknown));
    };
    let owner = contracts::project_of(db, claim.contract.key())?;
    let state = match claim.once_proven(owner) {
        Ok(state) => state,
        Err(refusal) => return Ok(Err(refusal)),
    };
    let sql = "UPDATE claim SET state = ?2, proof = ?3, decided_at = ?4 WHERE id = ?1";
    let decided_at = (state == ClaimState::Proven).then_some(Millis(now));
    query::execute(db, sql, (of.claim, state, proof, decided_at))?;
    if state == ClaimState::Proven {
        assign(db, &claim, owner)?;
    }
    let action = AuditAction::ClaimBecame(state, claim.contract.to_string());
    projects::record_event(db, of.actor, of.project, action, now)?;
    Ok(Ok(state))
}

fn queue(db: &Connection, of: ClaimOfProject, note: &str, now: Timestamp) -> Changed<()> {
    let Some(claim) = managed(db, of)? else {
        return Ok(Err(ClaimRefusal::Unknown));
    };
    if let Err(refusal) = claim.check_undecided() {
        return Ok(Err(refusal));
    }
    let sql = "UPDATE claim SET state = ?2, note = ?3 WHERE id = ?1";
    query::execute(db, sql, (of.claim, ClaimState::Waiting, note))?;
    if claim.state == ClaimState::Open {
        let action = AuditAction::ClaimBecame(ClaimState::Waiting, claim.contract.to_string());
        projects::record_event(db, of.actor, of.project, action, now)?;
    }
    Ok(Ok(()))
}

fn decide(
    db: &Connection,
    actor: Actor,
    id: ClaimId,
    decision: &Decision,
    now: Timestamp,
) -> Changed<()> {
    if !operators::administers(db, actor)? {
        return Ok(Err(ClaimRefusal::Forbidden));
    }
    let Some(claim) = first(db, claims!("WHERE claim.id = ?1"), [id])? else {
        return Ok(Err(ClaimRefusal::Unknown));
    };
    if claim.state != ClaimState::Waiting {
        return Ok(Err(ClaimRefusal::NotWaiting));
    }
    if *decision == Decision::Accept {
        let owner = contracts::project_of(db, claim.contract.key())?;
        let former = owner.filter(|owner| *owner != claim.project);
        if let Some(former) = former {
            if contracts::has_tokens(db, claim.contract.key())? {
                return Ok(Err(ClaimRefusal::HasTokens));
            }
            let action = AuditAction::ContractLost(claim.contract.to_string());
            projects::record_event(db, actor, former, action, now)?;
        }
        assign(db, &claim, owner)?;
    }
    let state = decision.state();
    let sql = "UPDATE claim SET state = ?2, reason = ?3, decided_at = ?4 WHERE id = ?1";
    query::execute(db, sql, (id, state, decision.reason(), Millis(now)))?;
    let action = AuditAction::ClaimBecame(state, claim.contract.to_string());
    projects::record_event(db, actor, claim.project, action, now)?;
    Ok(Ok(()))
}

fn withdraw(db: &Connection, of: ClaimOfProject, now: Timestamp) -> Changed<()> {
    let found = projects::found(db, of.actor, of.project)?;
    if let Err(refusal) = ClaimRefusal::unless_owned(of.actor, found) {
        return Ok(Err(refusal));
    }
    let Some(claim) = managed(db, of)? else {
        return Ok(Err(ClaimRefusal::Unknown));
    };
    if let Err(refusal) = claim.check_undecided() {
        return Ok(Err(refusal));
    }
    query::execute(db, "DELETE FROM claim WHERE id = ?1", [of.claim])?;
    let action = AuditAction::ClaimWithdrawn(claim.contract.to_string());
    projects::record_event(db, of.actor, of.project, action, now)?;
    Ok(Ok(()))
}

fn release(
    db: &Connection,
    actor: Actor,
    contract: &PartnerContract,
    now: Timestamp,
) -> Changed<()> {
    let PartnerContract { id, project } = contract;
    let found = projects::found(db, actor, *project)?;
    if let Err(refusal) = ClaimRefusal::unless_owned(actor, found) {
        return Ok(Err(refusal));
    }
    if contracts::project_of(db, id.key())? != Some(*project) {
        return Ok(Err(ClaimRefusal::Unknown));
    }
    if contracts::has_tokens(db, id.key())? {
        return Ok(Err(ClaimRefusal::OwnTokens));
    }
    query::execute(db, "DELETE FROM contract WHERE id = ?1", [id.key()])?;
    let action = AuditAction::ContractReleased(id.to_string());
    projects::record_event(db, actor, *project, action, now)?;
    Ok(Ok(()))
}

/// Deletes the claims of a project that are not decided: nobody has to decide them any more.
pub(crate) fn withdraw_undecided(db: &Connection, project: ProjectId) -> rusqlite::Result<()> {
    let sql = "DELETE FROM claim WHERE project = ?1 AND state IN ('open', 'waiting')";
    query::execute(db, sql, [project])?;
    Ok(())
}

/// Assigns the contract of a claim to its project, from `owner` if there is one.
fn assign(db: &Connection, claim: &Claim, owner: Option<ProjectId>) -> rusqlite::Result<usize> {
    let contract = PartnerContract {
        id: claim.contract.clone(),
        project: claim.project,
    };
    match owner {
        None => contracts::insert_contract(db, &contract),
        Some(_) => contracts::move_contract(db, &contract),
    }
}

/// A claim, if the actor manages its project.
fn managed(db: &Connection, of: ClaimOfProject) -> rusqlite::Result<Option<Claim>> {
    if projects::managed(db, of.actor, of.project)?.is_none() {
        return Ok(None);
    }
    let sql = claims!("WHERE claim.id = ?1 AND claim.project = ?2");
    first(db, sql, (of.claim, of.project))
}

fn first(db: &Connection, sql: &str, params: impl Params) -> rusqlite::Result<Option<Claim>> {
    query::first(db, sql, params, read)
}

fn with_projects(db: &Connection, claim: Claim) -> Result<WaitingClaim, StoreError> {
    let project = projects::find(db, claim.project)?;
    let project =
        project.ok_or_else(|| StoreError::Corrupt("a claim has no project".to_owned()))?;
    let owner = contracts::project_of(db, claim.contract.key())?;
    let owner = owner.map(|owner| projects::find(db, owner)).transpose()?;
    Ok(WaitingClaim {
        claim,
        project,
        owner: owner.flatten(),
    })
}

fn read(row: &Row<'_>) -> rusqlite::Result<Claim> {
    Ok(Claim {
        id: row.get("id")?,
        project: row.get("project")?,
        contract: column::chain_address(row)?,
        kind: row.get("kind")?,
        state: row.get("state")?,
        nonce: row.get("nonce")?,
        nonce_expires_at: column::time(row, "nonce_expires_at")?,
        proof: row.get("proof")?,
        note: row.get("note")?,
        reason: row.get("reason")?,
        created_at: column::time(row, "created_at")?,
        decided_at: column::time_if_any(row, "decided_at")?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_read_from_their_indexes() {
        query::assert_reads_index(OF_PROJECT, [[0_u8; 16]], "INDEX claim_of_project");
        query::assert_reads_index(WAITING, [], "INDEX claim_waiting");
    }
}
