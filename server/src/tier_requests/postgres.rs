//! Requests for another tier, in PostgreSQL.

use async_trait::async_trait;
use deadpool_postgres::{GenericClient, Transaction};
use futures_util::FutureExt;
use tokio_postgres::Row;

use super::{
    Decision, NewTierRequest, TierRequest, TierRequestId, TierRequestRefusal, TierRequestStore,
};
use crate::accounts::AccountId;
use crate::audit::AuditAction;
use crate::database::StoreError;
use crate::database::postgres::column::{self, Millis};
use crate::database::postgres::{Failure, Postgres, TimeoutClass, query};
use crate::mail::{NewMail, postgres as mail};
use crate::operators::postgres as operators;
use crate::projects::{Actor, Project, ProjectId, postgres as projects};
use crate::suspensions::postgres as suspensions;

#[async_trait]
impl TierRequestStore for Postgres {
    async fn ask_for_tier(
        &self,
        request: NewTierRequest,
    ) -> Result<Result<(), TierRequestRefusal>, StoreError> {
        let writer = Actor::Account(request.account).writer();
        self.write(writer, TimeoutClass::Request, request, |tx, request| {
            ask(tx, request).boxed()
        })
        .await
    }

    async fn latest_tier_request(
        &self,
        actor: Actor,
        project: ProjectId,
    ) -> Result<Option<TierRequest>, StoreError> {
        self.query(move |db| latest(db, actor, project).boxed())
            .await
    }

    async fn open_tier_requests(
        &self,
        actor: Actor,
        limit: usize,
    ) -> Result<Result<Vec<TierRequest>, TierRequestRefusal>, StoreError> {
        self.query(move |db| open(db, actor, limit).boxed()).await
    }

    async fn tier_request(
        &self,
        actor: Actor,
        id: TierRequestId,
    ) -> Result<Result<Option<TierRequest>, TierRequestRefusal>, StoreError> {
        self.query(move |db| one(db, actor, id).boxed()).await
    }

    async fn decide_tier_request(
        &self,
        actor: Actor,
        id: TierRequestId,
        decision: Decision,
        mail: NewMail,
    ) -> Result<Result<(), TierRequestRefusal>, StoreError> {
        self.write(
            actor.writer(),
            TimeoutClass::Request,
            (actor, id, decision, mail),
            |tx, (actor, id, decision, mail)| decide(tx, *actor, *id, decision, mail).boxed(),
        )
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
pub(crate) async fn of_account(
    tx: &Transaction<'_>,
    account: AccountId,
) -> Result<Vec<TierRequest>, Failure> {
    let sql = format!(
        "{REQUESTS} WHERE tier_request.account = $1
         ORDER BY tier_request.created_at DESC, tier_request.id DESC"
    );
    query::all(tx, &sql, &[&account], read).await
}

async fn ask(
    tx: &Transaction<'_>,
    request: &NewTierRequest,
) -> Result<Result<(), TierRequestRefusal>, Failure> {
    let actor = Actor::Account(request.account);
    // Others who ask for the same project wait here.
    let managed = projects::lock_managed(tx, actor, request.project).await?;
    let sql = "SELECT 1 FROM tier_request WHERE project = $1 AND decided_at IS NULL";
    let waits = query::exists(tx, sql, &[&request.project]).await?;
    if let Err(refusal) = request.admit(managed.as_ref(), waits) {
        return Ok(Err(refusal));
    }
    if let Err(refusal) = suspensions::admit(tx, actor).await? {
        return Ok(Err(refusal.into()));
    }
    let sql = "INSERT INTO tier_request (id, project, account, tier, reason, created_at)
               VALUES ($1, $2, $3, $4, $5, $6)";
    let params: query::Params<'_> = &[
        &request.id,
        &request.project,
        &request.account,
        &request.tier,
        &request.reason,
        &Millis(request.created_at),
    ];
    query::execute(tx, sql, params).await?;
    let asked = AuditAction::TierAskedFor(request.tier);
    projects::record_event(tx, actor, request.project, asked, request.created_at).await?;
    Ok(Ok(()))
}

async fn decide(
    tx: &Transaction<'_>,
    actor: Actor,
    id: TierRequestId,
    decision: &Decision,
    notice: &NewMail,
) -> Result<Result<(), TierRequestRefusal>, Failure> {
    if !operators::administers(tx, actor).await? {
        return Ok(Err(TierRequestRefusal::Forbidden));
    }
    let locked = "FOR UPDATE OF tier_request";
    let Some(TierRequest { project, tier, .. }) = waiting(tx, id, locked).await? else {
        return Ok(Err(TierRequestRefusal::Unknown));
    };
    let sql = "UPDATE tier_request SET accepted = $2, answer = $3, decided_at = $4 WHERE id = $1";
    let Decision {
        is_accepted,
        answer,
        at,
    } = decision;
    query::execute(tx, sql, &[&id, is_accepted, answer, &Millis(*at)]).await?;
    mail::enqueue_to_account(tx, notice).await?;
    match is_accepted {
        true => projects::change_tier(tx, actor, project.id, tier, *at).await?,
        false => {
            let declined = AuditAction::TierDeclined(tier);
            projects::record_event(tx, actor, project.id, declined, *at).await?;
        }
    }
    Ok(Ok(()))
}

async fn latest(
    db: &impl GenericClient,
    actor: Actor,
    project: ProjectId,
) -> Result<Option<TierRequest>, Failure> {
    if projects::seen(db, actor, project).await?.is_none() {
        return Ok(None);
    }
    let sql = format!(
        "{REQUESTS} WHERE tier_request.project = $1
         ORDER BY tier_request.created_at DESC, tier_request.id DESC LIMIT 1"
    );
    query::first(db, &sql, &[&project], read).await
}

async fn open(
    db: &impl GenericClient,
    actor: Actor,
    limit: usize,
) -> Result<Result<Vec<TierRequest>, TierRequestRefusal>, Failure> {
    if !operators::administers(db, actor).await? {
        return Ok(Err(TierRequestRefusal::Forbidden));
    }
    let sql = format!(
        "{REQUESTS} WHERE tier_request.decided_at IS NULL AND project.deleted_at IS NULL
         ORDER BY tier_request.created_at, tier_request.id LIMIT $1"
    );
    let params: query::Params<'_> = &[&query::limit(limit)];
    Ok(Ok(query::all(db, &sql, params, read).await?))
}

async fn one(
    db: &impl GenericClient,
    actor: Actor,
    id: TierRequestId,
) -> Result<Result<Option<TierRequest>, TierRequestRefusal>, Failure> {
    match operators::administers(db, actor).await? {
        true => Ok(Ok(waiting(db, id, "").await?)),
        false => Ok(Err(TierRequestRefusal::Forbidden)),
    }
}

async fn waiting(
    db: &impl GenericClient,
    id: TierRequestId,
    lock: &str,
) -> Result<Option<TierRequest>, Failure> {
    let sql = format!(
        "{REQUESTS} WHERE tier_request.id = $1 AND tier_request.decided_at IS NULL
           AND project.deleted_at IS NULL {lock}"
    );
    query::first(db, &sql, &[&id], read).await
}

fn read(row: &Row) -> Result<TierRequest, Failure> {
    let decision = match column::time_if_any(row, "decided_at")? {
        None => None,
        Some(at) => Some(Decision {
            is_accepted: row.try_get("accepted")?,
            answer: row.try_get("answer")?,
            at,
        }),
    };
    Ok(TierRequest {
        id: row.try_get("request")?,
        project: Project {
            id: row.try_get("id")?,
            name: row.try_get("name")?,
            tier: row.try_get("tier")?,
        },
        email: row.try_get("email")?,
        tier: row.try_get("wanted")?,
        reason: row.try_get("reason")?,
        created_at: column::time(row, "created_at")?,
        decision,
    })
}
