//! Requests for another tier.

use db::{DbError, Row, Tx, params};

use super::{
    Decision, NewTierRequest, TierRequest, TierRequestError, TierRequestId, TierRequestRejection,
};
use features::audit::{AuditAction, sql as audit};
use features::domain::ids::AccountId;
use features::mail::{NewMail, sql as mail};
use features::project_lifecycle::sql as project_lifecycle;
use features::projects::{Actor, Project, ProjectId, sql as projects};
use features::suspensions::sql as suspensions;

const REQUESTS: &str =
    "SELECT tier_request.id AS request, tier_request.tier AS wanted, tier_request.reason,
       tier_request.created_at, tier_request.accepted, tier_request.answer,
       tier_request.decided_at, account.email, project.id, project.name, project.tier
     FROM tier_request JOIN account ON account.id = tier_request.account
       JOIN project ON project.id = tier_request.project";

/// The requests of an account, the latest first.
pub(crate) fn of_account(tx: &Tx<'_>, account: AccountId) -> Result<Vec<TierRequest>, DbError> {
    let sql = format!(
        "{REQUESTS} WHERE tier_request.account = $1
         ORDER BY tier_request.created_at DESC, tier_request.id DESC"
    );
    tx.all(&sql, params![account], read)
}

pub(crate) fn ask(tx: &Tx<'_>, request: &NewTierRequest) -> Result<(), TierRequestError> {
    let actor = Actor::Account(request.account);
    // Others who ask for the same project wait here.
    let managed = projects::lock_managed(tx, actor, request.project)?;
    let sql = "SELECT 1 FROM tier_request WHERE project = $1 AND decided_at IS NULL";
    let waits = tx.exists(sql, params![request.project])?;
    request.admit(managed.as_ref(), waits)?;
    suspensions::admit::<TierRequestError>(tx, actor)?;
    let sql = "INSERT INTO tier_request (id, project, account, tier, reason, created_at)
               VALUES ($1, $2, $3, $4, $5, $6)";
    let params = params![
        request.id,
        request.project,
        request.account,
        request.tier,
        request.reason,
        request.created_at
    ];
    tx.execute(sql, params)?;
    let asked = AuditAction::TierAskedFor(request.tier);
    audit::record_event(tx, actor, request.project, asked, request.created_at)?;
    Ok(())
}

pub(crate) fn decide(
    tx: &Tx<'_>,
    actor: Actor,
    id: TierRequestId,
    decision: &Decision,
    notice: &NewMail,
) -> Result<(), TierRequestError> {
    if !projects::administers(tx, actor)? {
        return Err(TierRequestRejection::Forbidden.into());
    }
    let locked = "FOR UPDATE OF tier_request";
    let TierRequest { project, tier, .. } = waiting(tx, id, locked)?;
    let sql = "UPDATE tier_request SET accepted = $2, answer = $3, decided_at = $4 WHERE id = $1";
    let Decision {
        is_accepted,
        answer,
        at,
    } = decision;
    tx.execute(sql, params![id, is_accepted, answer, *at])?;
    mail::enqueue_to_account(tx, notice)?;
    match is_accepted {
        true => project_lifecycle::change_tier(tx, actor, project.id, tier, *at)?,
        false => {
            let declined = AuditAction::TierDeclined(tier);
            audit::record_event(tx, actor, project.id, declined, *at)?;
        }
    }
    Ok(())
}

pub(crate) fn latest(
    tx: &Tx<'_>,
    actor: Actor,
    project: ProjectId,
) -> Result<Option<TierRequest>, DbError> {
    if projects::seen(tx, actor, project)?.is_none() {
        return Ok(None);
    }
    let sql = format!(
        "{REQUESTS} WHERE tier_request.project = $1
         ORDER BY tier_request.created_at DESC, tier_request.id DESC LIMIT 1"
    );
    tx.first(&sql, params![project], read)
}

pub(crate) fn open(
    tx: &Tx<'_>,
    actor: Actor,
    limit: usize,
) -> Result<Vec<TierRequest>, TierRequestError> {
    if !projects::administers(tx, actor)? {
        return Err(TierRequestRejection::Forbidden.into());
    }
    let sql = format!(
        "{REQUESTS} WHERE tier_request.decided_at IS NULL AND project.deleted_at IS NULL
         ORDER BY tier_request.created_at, tier_request.id LIMIT $1"
    );
    let params = params![limit];
    Ok(tx.all(&sql, params, read)?)
}

pub(crate) fn one(
    tx: &Tx<'_>,
    actor: Actor,
    id: TierRequestId,
) -> Result<TierRequest, TierRequestError> {
    if !projects::administers(tx, actor)? {
        return Err(TierRequestRejection::Forbidden.into());
    }
    waiting(tx, id, "")
}

fn waiting(tx: &Tx<'_>, id: TierRequestId, lock: &str) -> Result<TierRequest, TierRequestError> {
    let sql = format!(
        "{REQUESTS} WHERE tier_request.id = $1 AND tier_request.decided_at IS NULL
           AND project.deleted_at IS NULL {lock}"
    );
    let waiting = tx.first(&sql, params![id], read)?;
    Ok(waiting.ok_or(TierRequestRejection::Unknown)?)
}

fn read(row: &Row<'_>) -> Result<TierRequest, DbError> {
    let decision = match row.get("decided_at")? {
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
        created_at: row.get("created_at")?,
        decision,
    })
}
