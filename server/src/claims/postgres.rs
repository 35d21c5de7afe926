//! Claims of contracts, in PostgreSQL. Those of a project wait for each other, by the lock on its row.

use async_trait::async_trait;
use deadpool_postgres::Transaction;
use futures_util::FutureExt;
use jiff::Timestamp;
use tokio_postgres::Row;

use super::{
    Claim, ClaimId, ClaimNonce, ClaimOfProject, ClaimRefusal, ClaimState, ClaimStore, Decision,
    NewClaim, Proof, WaitingClaim,
};
use crate::audit::AuditAction;
use crate::contracts::{PartnerContract, postgres as contracts};
use crate::database::StoreError;
use crate::database::postgres::column::{self, Bytes, Millis};
use crate::database::postgres::{Failure, Postgres, TimeoutClass, locks, query};
use crate::operators::postgres as operators;
use crate::projects::{Actor, ProjectId, postgres as projects};

/// The result of a change, or its refusal.
type Changed<T> = Result<Result<T, ClaimRefusal>, Failure>;

#[async_trait]
impl ClaimStore for Postgres {
    async fn contracts_of(
        &self,
        actor: Actor,
        project: ProjectId,
    ) -> Result<Option<Vec<PartnerContract>>, StoreError> {
        self.read(TimeoutClass::Request, move |tx| {
            contracts_of(tx, actor, project).boxed()
        })
        .await
    }

    async fn claims_of(
        &self,
        actor: Actor,
        project: ProjectId,
    ) -> Result<Option<Vec<Claim>>, StoreError> {
        self.read(TimeoutClass::Request, move |tx| {
            claims_of(tx, actor, project).boxed()
        })
        .await
    }

    async fn claim(&self, of: ClaimOfProject) -> Result<Option<Claim>, StoreError> {
        self.read(TimeoutClass::Request, move |tx| managed(tx, of).boxed())
            .await
    }

    async fn waiting_claims(
        &self,
        actor: Actor,
    ) -> Result<Result<Vec<WaitingClaim>, ClaimRefusal>, StoreError> {
        self.read(TimeoutClass::Request, move |tx| waiting(tx, actor).boxed())
            .await
    }

    async fn begin_claim(
        &self,
        actor: Actor,
        claim: NewClaim,
    ) -> Result<Result<ClaimId, ClaimRefusal>, StoreError> {
        self.write(
            actor.writer(),
            TimeoutClass::Request,
            (actor, claim),
            |tx, (actor, claim)| begin(tx, *actor, claim).boxed(),
        )
        .await
    }

    async fn burn_claim_nonce(
        &self,
        of: ClaimOfProject,
        nonce: ClaimNonce,
        fresh: ClaimNonce,
        now: Timestamp,
    ) -> Result<Result<Claim, ClaimRefusal>, StoreError> {
        self.write(
            of.actor.writer(),
            TimeoutClass::Request,
            (of, nonce, fresh, now),
            |tx, (of, nonce, fresh, now)| burn(tx, *of, *nonce, *fresh, *now).boxed(),
        )
        .await
    }

    async fn prove_claim(
        &self,
        of: ClaimOfProject,
        proof: Proof,
        now: Timestamp,
    ) -> Result<Result<ClaimState, ClaimRefusal>, StoreError> {
        self.write(
            of.actor.writer(),
            TimeoutClass::Request,
            (of, proof, now),
            |tx, (of, proof, now)| prove(tx, *of, *proof, *now).boxed(),
        )
        .await
    }

    async fn queue_claim(
        &self,
        of: ClaimOfProject,
        note: String,
        now: Timestamp,
    ) -> Result<Result<(), ClaimRefusal>, StoreError> {
        self.write(
            of.actor.writer(),
            TimeoutClass::Request,
            (of, note, now),
            |tx, (of, note, now)| queue(tx, *of, note, *now).boxed(),
        )
        .await
    }

    async fn withdraw_claim(
        &self,
        of: ClaimOfProject,
        now: Timestamp,
    ) -> Result<Result<(), ClaimRefusal>, StoreError> {
        self.write(
            of.actor.writer(),
            TimeoutClass::Request,
            (of, now),
            |tx, (of, now)| withdraw(tx, *of, *now).boxed(),
        )
        .await
    }

    async fn release_contract(
        &self,
        actor: Actor,
        contract: PartnerContract,
        now: Timestamp,
    ) -> Result<Result<(), ClaimRefusal>, StoreError> {
        self.write(
            actor.writer(),
            TimeoutClass::Request,
            (actor, contract, now),
            |tx, (actor, contract, now)| release(tx, *actor, contract, *now).boxed(),
        )
        .await
    }

    async fn decide_claim(
        &self,
        actor: Actor,
        claim: ClaimId,
        decision: Decision,
        now: Timestamp,
    ) -> Result<Result<(), ClaimRefusal>, StoreError> {
        self.write(
            actor.writer(),
            TimeoutClass::Request,
            (actor, claim, decision, now),
            |tx, (actor, claim, decision, now)| decide(tx, *actor, *claim, decision, *now).boxed(),
        )
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
    claims!("WHERE claim.project = $1 ORDER BY claim.created_at DESC, claim.id DESC LIMIT 100");

const WAITING: &str =
    claims!("WHERE claim.state = 'waiting' ORDER BY claim.created_at, claim.id LIMIT 100");

async fn contracts_of(
    tx: &Transaction<'_>,
    actor: Actor,
    project: ProjectId,
) -> Result<Option<Vec<PartnerContract>>, Failure> {
    match projects::managed(tx, actor, project).await? {
        Some(_) => Ok(Some(contracts::of_project(tx, project).await?)),
        None => Ok(None),
    }
}

async fn claims_of(
    tx: &Transaction<'_>,
    actor: Actor,
    project: ProjectId,
) -> Result<Option<Vec<Claim>>, Failure> {
    match projects::managed(tx, actor, project).await? {
        Some(_) => Ok(Some(query::all(tx, OF_PROJECT, &[&project], read).await?)),
        None => Ok(None),
    }
}

/// A claim, if the actor manages its project.
async fn managed(tx: &Transaction<'_>, of: ClaimOfProject) -> Result<Option<Claim>, Failure> {
    if projects::managed(tx, of.actor, of.project).await?.is_none() {
        return Ok(None);
    }
    let sql = claims!("WHERE claim.id = $1 AND claim.project = $2");
    query::first(tx, sql, &[&of.claim, &of.project], read).await
}

async fn waiting(tx: &Transaction<'_>, actor: Actor) -> Changed<Vec<WaitingClaim>> {
    if !operators::administers(tx, actor).await? {
        return Ok(Err(ClaimRefusal::Forbidden));
    }
    let claims: Vec<_> = query::all(tx, WAITING, &[], read).await?;
    let mut waiting = Vec::new();
    for claim in claims {
        let project = projects::find(tx, claim.project).await?;
        let missing = || StoreError::Corrupt("a claim has no project".to_owned());
        let owner = match contracts::project_of(tx, claim.contract.key()).await? {
            Some(owner) => projects::find(tx, owner).await?,
            None => None,
        };
        waiting.push(WaitingClaim {
            claim,
            project: project.ok_or_else(missing)?,
            owner,
        });
    }
    Ok(Ok(waiting))
}

async fn begin(tx: &Transaction<'_>, actor: Actor, claim: &NewClaim) -> Changed<ClaimId> {
    let NewClaim {
        id,
        project,
        contract,
        nonce,
        created_at,
    } = claim;
    if projects::lock_managed(tx, actor, *project).await?.is_none() {
        return Ok(Err(ClaimRefusal::Unknown));
    }
    if contracts::project_of(tx, contract.key()).await? == Some(*project) {
        return Ok(Err(ClaimRefusal::Own));
    }
    let key = Bytes(contract.key());
    let sql = "SELECT id FROM claim
               WHERE project = $1 AND contract = $2 AND state IN ('open', 'waiting')";
    let same = query::first(tx, sql, &[project, &key], |row| Ok(row.try_get("id")?)).await?;
    if let Some(same) = same {
        return Ok(Ok(same));
    }
    let abandoned = "DELETE FROM claim
                     WHERE project = $1 AND state = 'open' AND nonce_expires_at <= $2";
    query::execute(tx, abandoned, &[project, &Millis(*created_at)]).await?;
    let sql = "SELECT count(*) AS undecided FROM claim
               WHERE project = $1 AND state IN ('open', 'waiting')";
    let count = |row: &Row| column::number::<u32>(row, "undecided");
    let undecided = query::first(tx, sql, &[project], count).await?;
    if undecided.is_some_and(|undecided| undecided >= Claim::MAX_UNDECIDED) {
        return Ok(Err(ClaimRefusal::TooMany));
    }
    let sql = "INSERT INTO claim (id, project, contract, chain, address, state, nonce,
                 nonce_expires_at, note, created_at)
               VALUES ($1, $2, $3, $4, $5, $6, $7, $8, '', $9)";
    let params: query::Params<'_> = &[
        id,
        project,
        &key,
        &contract.chain,
        &contract.address.as_str(),
        &ClaimState::Open,
        nonce,
        &Millis(ClaimNonce::expiry(*created_at)),
        &Millis(*created_at),
    ];
    query::execute(tx, sql, params).await?;
    let action = AuditAction::ClaimBecame(ClaimState::Open, contract.to_string());
    projects::record_event(tx, actor, *project, action, *created_at).await?;
    Ok(Ok(*id))
}

async fn burn(
    tx: &Transaction<'_>,
    of: ClaimOfProject,
    nonce: ClaimNonce,
    fresh: ClaimNonce,
    now: Timestamp,
) -> Changed<Claim> {
    let Some(claim) = lock(tx, of).await? else {
        return Ok(Err(ClaimRefusal::Unknown));
    };
    let checked = claim.check_nonce(nonce, now);
    if matches!(checked, Ok(()) | Err(ClaimRefusal::Expired)) {
        let sql = "UPDATE claim SET nonce = $2, nonce_expires_at = $3 WHERE id = $1";
        let expiry = Millis(ClaimNonce::expiry(now));
        query::execute(tx, sql, &[&of.claim, &fresh, &expiry]).await?;
    }
    Ok(checked.map(|()| claim))
}

async fn prove(
    tx: &Transaction<'_>,
    of: ClaimOfProject,
    proof: Proof,
    now: Timestamp,
) -> Changed<ClaimState> {
    let Some(claim) = lock(tx, of).await? else {
        return Ok(Err(ClaimRefusal::Unknown));
    };
    let owner = contracts::project_of(tx, claim.contract.key()).await?;
    let state = match claim.once_proven(owner) {
        Ok(state) => state,
        Err(refusal) => return Ok(Err(refusal)),
    };
    let sql = "UPDATE claim SET state = $2, proof = $3, decided_at = $4 WHERE id = $1";
    let decided_at = (state == ClaimState::Proven).then_some(Millis(now));
    query::execute(tx, sql, &[&of.claim, &state, &proof, &decided_at]).await?;
    if state == ClaimState::Proven {
        assign(tx, &claim, owner).await?;
    }
    let action = AuditAction::ClaimBecame(state, claim.contract.to_string());
    projects::record_event(tx, of.actor, of.project, action, now).await?;
    Ok(Ok(state))
}

async fn queue(
    tx: &Transaction<'_>,
    of: ClaimOfProject,
    note: &str,
    now: Timestamp,
) -> Changed<()> {
    let Some(claim) = lock(tx, of).await? else {
        return Ok(Err(ClaimRefusal::Unknown));
    };
    if let Err(refusal) = claim.check_undecided() {
        return Ok(Err(refusal));
    }
    let sql = "UPDATE claim SET state = $2, note = $3 WHERE id = $1";
    query::execute(tx, sql, &[&of.claim, &ClaimState::Waiting, &note]).await?;
    if claim.state == ClaimState::Open {
        let action = AuditAction::ClaimBecame(ClaimState::Waiting, claim.contract.to_string());
        projects::record_event(tx, of.actor, of.project, action, now).await?;
    }
    Ok(Ok(()))
}

async fn decide(
    tx: &Transaction<'_>,
    actor: Actor,
    id: ClaimId,
    decision: &Decision,
    now: Timestamp,
) -> Changed<()> {
    if !operators::administers(tx, actor).await? {
        return Ok(Err(ClaimRefusal::Forbidden));
    }
    // Importers assign tokens to contracts under this lock: none does while the contract is moved.
    locks::own_records(tx).await?;
    let sql = claims!("WHERE claim.id = $1 FOR UPDATE OF claim");
    let Some(claim) = query::first(tx, sql, &[&id], read).await? else {
        return Ok(Err(ClaimRefusal::Unknown));
    };
    if claim.state != ClaimState::Waiting {
        return Ok(Err(ClaimRefusal::NotWaiting));
    }
    if *decision == Decision::Accept {
        let owner = contracts::project_of(tx, claim.contract.key()).await?;
        let former = owner.filter(|owner| *owner != claim.project);
        if let Some(former) = former {
            if contracts::has_tokens(tx, claim.contract.key()).await? {
                return Ok(Err(ClaimRefusal::HasTokens));
            }
            let action = AuditAction::ContractLost(claim.contract.to_string());
            projects::record_event(tx, actor, former, action, now).await?;
        }
        assign(tx, &claim, owner).await?;
    }
    let state = decision.state();
    let sql = "UPDATE claim SET state = $2, reason = $3, decided_at = $4 WHERE id = $1";
    let params: query::Params<'_> = &[&id, &state, &decision.reason(), &Millis(now)];
    query::execute(tx, sql, params).await?;
    let action = AuditAction::ClaimBecame(state, claim.contract.to_string());
    projects::record_event(tx, actor, claim.project, action, now).await?;
    Ok(Ok(()))
}

async fn withdraw(tx: &Transaction<'_>, of: ClaimOfProject, now: Timestamp) -> Changed<()> {
    let found = projects::lock(tx, of.actor, of.project).await?;
    if let Err(refusal) = ClaimRefusal::unless_owned(of.actor, found) {
        return Ok(Err(refusal));
    }
    let Some(claim) = lock(tx, of).await? else {
        return Ok(Err(ClaimRefusal::Unknown));
    };
    if let Err(refusal) = claim.check_undecided() {
        return Ok(Err(refusal));
    }
    query::execute(tx, "DELETE FROM claim WHERE id = $1", &[&of.claim]).await?;
    let action = AuditAction::ClaimWithdrawn(claim.contract.to_string());
    projects::record_event(tx, of.actor, of.project, action, now).await?;
    Ok(Ok(()))
}

async fn release(
    tx: &Transaction<'_>,
    actor: Actor,
    contract: &PartnerContract,
    now: Timestamp,
) -> Changed<()> {
    let PartnerContract { id, project } = contract;
    // Importers assign tokens to contracts under this lock: none does while the contract is released.
    locks::own_records(tx).await?;
    let found = projects::lock(tx, actor, *project).await?;
    if let Err(refusal) = ClaimRefusal::unless_owned(actor, found) {
        return Ok(Err(refusal));
    }
    if contracts::project_of(tx, id.key()).await? != Some(*project) {
        return Ok(Err(ClaimRefusal::Unknown));
    }
    if contracts::has_tokens(tx, id.key()).await? {
        return Ok(Err(ClaimRefusal::OwnTokens));
    }
    let sql = "DELETE FROM contract WHERE id = $1";
    query::execute(tx, sql, &[&Bytes(id.key())]).await?;
    let action = AuditAction::ContractReleased(id.to_string());
    projects::record_event(tx, actor, *project, action, now).await?;
    Ok(Ok(()))
}

/// Deletes the claims of a project that are not decided: nobody has to decide them any more.
pub(crate) async fn withdraw_undecided(
    tx: &Transaction<'_>,
    project: ProjectId,
) -> Result<(), Failure> {
    let sql = "DELETE FROM claim WHERE project = $1 AND state IN ('open', 'waiting')";
    query::execute(tx, sql, &[&project]).await?;
    Ok(())
}

/// Assigns the contract of a claim to its project, from `owner` if there is one. Of two claims that are
/// proven at the same time, the later one is tried again, and finds the owner.
async fn assign(
    tx: &Transaction<'_>,
    claim: &Claim,
    owner: Option<ProjectId>,
) -> Result<u64, Failure> {
    let contract = PartnerContract {
        id: claim.contract.clone(),
        project: claim.project,
    };
    match owner {
        None => contracts::insert_contract(tx, &contract).await,
        Some(_) => contracts::move_contract(tx, &contract).await,
    }
}

/// A claim, if the actor manages its project, locked until the end of the transaction.
async fn lock(tx: &Transaction<'_>, of: ClaimOfProject) -> Result<Option<Claim>, Failure> {
    if projects::lock_managed(tx, of.actor, of.project)
        .await?
        .is_none()
    {
        return Ok(None);
    }
    let sql = claims!("WHERE claim.id = $1 AND claim.project = $2 FOR UPDATE OF claim");
    query::first(tx, sql, &[&of.claim, &of.project], read).await
}

fn read(row: &Row) -> Result<Claim, Failure> {
    Ok(Claim {
        id: row.try_get("id")?,
        project: row.try_get("project")?,
        contract: column::chain_address(row)?,
        kind: row.try_get("kind")?,
        state: row.try_get("state")?,
        nonce: row.try_get("nonce")?,
        nonce_expires_at: column::time(row, "nonce_expires_at")?,
        proof: row.try_get("proof")?,
        note: row.try_get("note")?,
        reason: row.try_get("reason")?,
        created_at: column::time(row, "created_at")?,
        decided_at: column::time_if_any(row, "decided_at")?,
    })
}
