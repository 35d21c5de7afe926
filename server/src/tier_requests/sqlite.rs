//! Requests for another tier, in SQLite.

use async_trait::async_trait;
use rusqlite::{Connection, Row, named_params};

use super::{
    Decision, NewTierRequest, TierRequest, TierRequestId, TierRequestRefusal, TierRequestStore,
};
use crate::accounts::AccountId;
use crate::audit::AuditAction;
use crate::database::StoreError;
use crate::database::sqlite::column::{self, Millis};
use crate::database::sqlite::{Sqlite, query};
use crate::mail::{NewMail, sqlite as mail};
use crate::operators::sqlite as operators;
use crate::projects::{Actor, Project, ProjectId, sqlite as projects};
use crate::suspensions::sqlite as suspensions;

#[async_trait]
impl TierRequestStore for Sqlite {
    async fn ask_for_tier(
        &self,
        request: NewTierRequest,
    ) -> Result<Result<(), TierRequestRefusal>, StoreError> {
        let actor = Actor::Account(request.account);
        self.write(actor.writer(), move |tx| ask(tx, actor, &request))
            .await
    }

    async fn latest_tier_request(
        &self,
        actor: Actor,
        project: ProjectId,
    ) -> Result<Option<TierRequest>, StoreError> {
        self.read(move |db| {
            if projects::seen(db, actor, project)?.is_none() {
                return Ok(None);
            }
            let sql = format!(
                "{REQUESTS} WHERE tier_request.project = ?1
                 ORDER BY tier_request.created_at DESC, tier_request.id DESC LIMIT 1"
            );
            Ok(query::first(db, &sql, [project], read)?)
        })
        .await
    }

    async fn open_tier_requests(
        &self,
        actor: Actor,
        limit: usize,
    ) -> Result<Result<Vec<TierRequest>, TierRequestRefusal>, StoreError> {
        self.read(move |db| {
            if !operators::administers(db, actor)? {
                return Ok(Err(TierRequestRefusal::Forbidden));
            }
            let sql = format!(
                "{REQUESTS} WHERE tier_request.decided_at IS NULL AND project.deleted_at IS NULL
                 ORDER BY tier_request.created_at, tier_request.id LIMIT ?1"
            );
            Ok(Ok(query::all(db, &sql, [limit], read)?))
        })
        .await
    }

    async fn tier_request(
        &self,
        actor: Actor,
        id: TierRequestId,
    ) -> Result<Result<Option<TierRequest>, TierRequestRefusal>, StoreError> {
        self.read(move |db| match operators::administers(db, actor)? {
            true => Ok(Ok(waiting(db, id)?)),
            false => Ok(Err(TierRequestRefusal::Forbidden)),
        })
        .await
    }

    async fn decide_tier_request(
        &self,
        actor: Actor,
        id: TierRequestId,
        decision: Decision,
        mail: NewMail,
    ) -> Result<Result<(), TierRequestRefusal>, StoreError> {
        self.write(actor.writer(), move |tx| {
            decide(tx, actor, id, &decision, &mail)
        })
        .await
    }
}

const REQUESTS: &str =
    "SELECT tier_request.id AS request, tier_request.tier AS wanted, tier_request.reason,
       tier_request.created_at, tier_request.accepted, tier_request.answer,
       tier_request.decided_at, account.email, project.id, project.name, project.tier
     FROM tier_request JOIN account ON account.id = tier_request.account
       JOIN project ON project.id = tier_request.project";

/// The requests of an account, the latest first.
pub(crate) fn of_account(
    db: &Connection,
    account: AccountId,
) -> rusqlite::Result<Vec<TierRequest>> {
    let sql = format!(
        "{REQUESTS} WHERE tier_request.account = ?1
         ORDER BY tier_request.created_at DESC, tier_request.id DESC"
    );
    query::all(db, &sql, [account], read)
}

fn ask(
    db: &Connection,
    actor: Actor,
    request: &NewTierRequest,
) -> Result<Result<(), TierRequestRefusal>, StoreError> {
    let managed = projects::managed(db, actor, request.project)?;
    let sql = "SELECT 1 FROM tier_request WHERE project = ?1 AND decided_at IS NULL";
    let waits = query::exists(db, sql, [request.project])?;
    if let Err(refusal) = request.admit(managed.as_ref(), waits) {
        return Ok(Err(refusal));
    }
    if let Err(refusal) = suspensions::admit(db, actor)? {
        return Ok(Err(refusal.into()));
    }
    query::execute(
        db,
        "INSERT INTO tier_request (id, project, account, tier, reason, created_at)
         VALUES (:id, :project, :account, :tier, :reason, :now)",
        named_params! {
            ":id": request.id,
            ":project": request.project,
            ":account": request.account,
            ":tier": request.tier,
            ":reason": request.reason,
            ":now": Millis(request.created_at),
        },
    )?;
    let asked = AuditAction::TierAskedFor(request.tier);
    projects::record_event(db, actor, request.project, asked, request.created_at)?;
    Ok(Ok(()))
}

fn decide(
    db: &Connection,
    actor: Actor,
    id: TierRequestId,
    decision: &Decision,
    notice: &NewMail,
) -> Result<Result<(), TierRequestRefusal>, StoreError> {
    if !operators::administers(db, actor)? {
        return Ok(Err(TierRequestRefusal::Forbidden));
    }
    let Some(TierRequest { project, tier, .. }) = waiting(db, id)? else {
        return Ok(Err(TierRequestRefusal::Unknown));
    };
    query::execute(
        db,
        "UPDATE tier_request SET accepted = :accepted, answer = :answer, decided_at = :now
         WHERE id = :id",
        named_params! {
            ":id": id,
            ":accepted": decision.is_accepted,
            ":answer": decision.answer,
            ":now": Millis(decision.at),
        },
    )?;
    match decision.is_accepted {
        true => projects::change_tier(db, actor, project.id, tier, decision.at)?,
        false => {
            let declined = AuditAction::TierDeclined(tier);
            projects::record_event(db, actor, project.id, declined, decision.at)?;
        }
    }
    mail::enqueue_to_account(db, notice)?;
    Ok(Ok(()))
}

fn waiting(db: &Connection, id: TierRequestId) -> rusqlite::Result<Option<TierRequest>> {
    let sql = format!(
        "{REQUESTS} WHERE tier_request.id = ?1 AND tier_request.decided_at IS NULL
           AND project.deleted_at IS NULL"
    );
    query::first(db, &sql, [id], read)
}

fn read(row: &Row<'_>) -> rusqlite::Result<TierRequest> {
    let decision = match column::time_if_any(row, "decided_at")? {
        None => None,
        Some(at) => Some(Decision {
            is_accepted: row.get("accepted")?,
            answer: row.get("answer")?,
            at,
        }),
    };
    Ok(TierRequest {
        id: row.get("request")?,
        project: Project {
            id: row.get("id")?,
            name: row.get("name")?,
            tier: row.get("tier")?,
        },
        email: row.get("email")?,
        tier: row.get("wanted")?,
        reason: row.get("reason")?,
        created_at: column::time(row, "created_at")?,
        decision,
    })
}
