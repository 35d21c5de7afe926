//! The projects in the export of an account, with the contents of those that it owns.

use jiff::Timestamp;
use serde_json::{Value, json};

use db::{Db, DbError};
use features::claims::Claim;
use features::configs::Config;
use features::contracts::PartnerContract;
use features::domain::ids::AccountId;
use features::domain::position::Placed as _;
use features::projects::{Actor, OwnProject, ProjectId, Role};
use features::usage::{Breakdown, Minute, Retention, Step, UsageQuery, UsageRow};

/// The configs that are read at a time.
const PAGE: usize = 200;

/// The projects of an account, by name.
pub(super) async fn all(
    store: &Db,
    account: AccountId,
    now: Timestamp,
) -> Result<Vec<Value>, DbError> {
    let mut all = Vec::new();
    for own in features::projects::store::projects_of(store, account).await? {
        let contents = match own.role {
            Role::Owner => contents(store, Actor::Account(account), own.project.id, now).await?,
            Role::Member => Value::Null,
        };
        all.push(project(&own, contents));
    }
    Ok(all)
}

fn project(own: &OwnProject, contents: Value) -> Value {
    json!({
        "id": own.project.id.0,
        "name": own.project.name,
        "tier": own.project.tier.as_str(),
        "role": own.role.as_str(),
        "memberSince": own.since,
        "contents": contents,
    })
}

async fn contents(
    store: &Db,
    actor: Actor,
    project: ProjectId,
    now: Timestamp,
) -> Result<Value, DbError> {
    let configs = configs(store, project).await?;
    let contracts = features::claims::store::contracts_of(store, actor, project)
        .await?
        .unwrap_or_default();
    let claims = features::claims::store::claims_of(store, actor, project)
        .await?
        .unwrap_or_default();
    let day = Minute::of(now).day();
    let days = UsageQuery {
        project,
        step: Step::Day,
        breakdown: Breakdown::All,
        from: day.hours_before(Retention::default().days),
        to: day.hours_before(-24),
    };
    let usage = features::usage::store::usage(store, actor, days)
        .await?
        .unwrap_or_default();
    Ok(json!({
        "configs": configs.iter().map(config).collect::<Vec<_>>(),
        "contracts": contracts.iter().map(contract).collect::<Vec<_>>(),
        "claims": claims.iter().map(claim).collect::<Vec<_>>(),
        "usageByDay": usage.iter().map(requests).collect::<Vec<_>>(),
    }))
}

async fn configs(store: &Db, project: ProjectId) -> Result<Vec<Config>, DbError> {
    let mut all: Vec<Config> = Vec::new();
    loop {
        let after = all.last().map(Config::position);
        let page = features::configs::store::configs(store, project, None, after, PAGE).await?;
        let is_last = page.len() < PAGE;
        all.extend(page);
        if is_last {
            return Ok(all);
        }
    }
}

fn config(config: &Config) -> Value {
    let charities = config.beneficiaries.iter().map(|beneficiary| {
        json!({ "charity": beneficiary.charity.0, "weight": beneficiary.weight.get() })
    });
    json!({
        "id": config.id.to_string(),
        "name": config.labels.name,
        "metadata": config.labels.metadata.to_json(),
        "createdAt": config.created_at,
        "charities": charities.collect::<Vec<_>>(),
        "users": config.users.iter().map(ToString::to_string).collect::<Vec<_>>(),
    })
}

fn contract(contract: &PartnerContract) -> Value {
    json!(contract.id.to_string())
}

fn claim(claim: &Claim) -> Value {
    json!({
        "id": claim.id.0,
        "contract": claim.contract.to_string(),
        "state": claim.state.as_str(),
        "proof": claim.proof.map(|proof| proof.as_str()),
        "note": claim.note,
        "reason": claim.reason,
        "createdAt": claim.created_at,
        "decidedAt": claim.decided_at,
    })
}

fn requests(row: &UsageRow) -> Value {
    json!({
        "day": row.minute.start(),
        "key": row.key.map(|key| key.0),
        "operation": row.operation,
        "status": row.class.as_str(),
        "requests": row.requests,
    })
}
