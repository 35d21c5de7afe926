//! The contracts of a project, and beginning to claim one.

use askama::Template;
use axum::Router;
use axum::extract::State;
use axum::routing::{get, post};
use jiff::Timestamp;
use serde::Deserialize;

use super::claims;
use super::context::Context;
use super::extract::{Form, ProjectPath};
use super::notice::Notice;
use super::page::{PageResult, page, refused, see_other, sentence};
use super::page_error::PageError;
use super::sidebar::Sidebar;
use super::signed_in::Session;
use super::time::Time;
use super::view::ProjectView;
use crate::catalogue::Snapshot;
use crate::chains::{Address, Chain, ChainAddress, ChainId, ChainKind};
use crate::claims::claiming::{self, ClaimError};
use crate::claims::{Claim, ClaimRefusal, ClaimState};
use crate::contracts::PartnerContract;
use crate::projects::ProjectId;
use crate::site::Shell;

#[derive(Template)]
#[template(path = "dashboard/contracts.html")]
struct ContractsPage<'a> {
    shell: Shell<'a>,
    side: Sidebar,
    project: ProjectView,
    contracts: Vec<ContractView>,
    is_owner: bool,
    /// Why a contract is not released.
    problem: Option<String>,
    claims: Vec<ClaimView>,
}

#[derive(Template)]
#[template(path = "dashboard/new_claim.html")]
struct NewClaimPage<'a> {
    shell: Shell<'a>,
    side: Sidebar,
    project: &'a ProjectView,
    chains: Vec<&'a Chain>,
    chain: i64,
    address: &'a str,
    error: Option<String>,
}

/// A contract with the name of its chain.
pub(super) struct ContractView {
    pub(super) chain: String,
    pub(super) chain_id: i64,
    pub(super) address: String,
}

/// A claim in a list or on its page.
pub(super) struct ClaimView {
    pub(super) id: uuid::Uuid,
    pub(super) contract: ContractView,
    pub(super) state: StateView,
    pub(super) made: Time,
}

/// Where a claim stands, as a badge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct StateView {
    pub(super) text: &'static str,
    pub(super) class: &'static str,
}

#[derive(Deserialize)]
pub(super) struct NewClaimForm {
    chain: i64,
    address: String,
}

/// The paths of contracts and claims.
pub(super) fn routes() -> Router<Context> {
    Router::new()
        .route(
            "/dashboard/projects/{project}/contracts",
            get(list).post(begin),
        )
        .route(
            "/dashboard/projects/{project}/contracts/release",
            post(release),
        )
        .route("/dashboard/projects/{project}/contracts/new", get(new))
        .route(
            "/dashboard/projects/{project}/claims/{claim}",
            get(claims::show),
        )
        .route(
            "/dashboard/projects/{project}/claims/{claim}/proof",
            post(claims::prove),
        )
        .route(
            "/dashboard/projects/{project}/claims/{claim}/queue",
            post(claims::queue),
        )
        .route(
            "/dashboard/projects/{project}/claims/{claim}/withdraw",
            post(claims::withdraw),
        )
}

/// `GET /dashboard/projects/{project}/contracts`
pub(super) async fn list(
    State(context): State<Context>,
    session: Session,
    ProjectPath(id): ProjectPath,
) -> PageResult {
    page(&contracts_page(&context, &session, id, None).await?)
}

async fn contracts_page<'a>(
    context: &'a Context,
    session: &'a Session,
    id: ProjectId,
    problem: Option<String>,
) -> Result<ContractsPage<'a>, PageError> {
    let project = ProjectView::find(context, session, id).await?;
    let (store, actor) = (context.store(), session.actor());
    let contracts = crate::claims::store::contracts_of(store, actor, id).await?;
    let contracts = contracts.ok_or(PageError::NotFound)?;
    let claims = crate::claims::store::claims_of(store, actor, id).await?;
    let claims = claims.ok_or(PageError::NotFound)?;
    let snapshot = context.setup.api.snapshot();
    let now = context.now();
    Ok(ContractsPage {
        shell: session.shell(context),
        side: session.side_of(&project),
        project,
        is_owner: ProjectView::is_owned(context, session, id).await?,
        problem,
        contracts: contracts
            .iter()
            .map(|contract| ContractView::of(&contract.id, &snapshot))
            .collect(),
        claims: claims
            .iter()
            .map(|claim| ClaimView::of(claim, &snapshot, now))
            .collect(),
    })
}

/// `GET /dashboard/projects/{project}/contracts/new`
pub(super) async fn new(
    State(context): State<Context>,
    session: Session,
    ProjectPath(id): ProjectPath,
) -> PageResult {
    let project = ProjectView::find(&context, &session, id).await?;
    let snapshot = context.setup.api.snapshot();
    let frame = (session.shell(&context), session.side_of(&project));
    page(&new_claim_page(frame, &project, &snapshot, None, None))
}

/// `POST /dashboard/projects/{project}/contracts`
pub(super) async fn begin(
    State(context): State<Context>,
    session: Session,
    ProjectPath(id): ProjectPath,
    Form(form): Form<NewClaimForm>,
) -> PageResult {
    let project = ProjectView::find(&context, &session, id).await?;
    let snapshot = context.setup.api.snapshot().clone();
    let begun = match contract(&form, &snapshot) {
        Ok(contract) => begin_claim(&context, &session, id, contract).await?,
        Err(error) => Err(error),
    };
    match begun {
        Ok(path) => Ok(see_other(&path)),
        Err(error) => {
            let frame = (session.shell(&context), session.side_of(&project));
            let error = Some(error);
            let form = Some(&form);
            refused(&new_claim_page(frame, &project, &snapshot, form, error))
        }
    }
}

/// `POST /dashboard/projects/{project}/contracts/release`
pub(super) async fn release(
    State(context): State<Context>,
    session: Session,
    ProjectPath(project): ProjectPath,
    Form(form): Form<NewClaimForm>,
) -> PageResult {
    ProjectView::find(&context, &session, project).await?;
    let contract = contract(&form, &context.setup.api.snapshot());
    let contract = contract.map_err(|_| PageError::NotFound)?;
    let of = PartnerContract {
        id: contract,
        project,
    };
    let (store, actor) = (context.store(), session.actor());
    match claiming::release(store, actor, of, context.now()).await {
        Ok(()) => {
            let contracts = format!("/dashboard/projects/{}/contracts", project.0);
            Ok(Notice::ContractReleased.see_other(&contracts))
        }
        Err(error @ ClaimError::Refused(ClaimRefusal::OwnTokens)) => {
            let problem = Some(sentence(&error));
            refused(&contracts_page(&context, &session, project, problem).await?)
        }
        Err(error) => Err(error.into()),
    }
}

/// The contract that a form names, or the error of the form.
fn contract(form: &NewClaimForm, snapshot: &Snapshot) -> Result<ChainAddress, String> {
    let chain = ChainId::new(form.chain).and_then(|id| snapshot.chains.find(id));
    let chain = chain.ok_or("Choose a chain of the list.")?;
    let address = Address::parse(chain.kind, form.address.trim());
    let address = address.map_err(|error| format!("What was typed {error}."))?;
    Ok(ChainAddress {
        chain: chain.id,
        address,
    })
}

/// The path of the claim, or why there is none.
async fn begin_claim(
    context: &Context,
    session: &Session,
    project: ProjectId,
    contract: ChainAddress,
) -> Result<Result<String, String>, PageError> {
    let (store, actor) = (context.store(), session.actor());
    let begun = claiming::begin(store, actor, project, contract, context.now());
    match begun.await {
        Ok(claim) => Ok(Ok(path(project, claim.0))),
        Err(ClaimError::Refused(ClaimRefusal::Own)) => {
            Ok(Err("This contract is the project’s already.".to_owned()))
        }
        Err(ClaimError::Refused(ClaimRefusal::TooMany)) => Ok(Err(format!(
            "A project has at most {} claims that are undecided: go on with one of them, or withdraw it.",
            Claim::MAX_UNDECIDED
        ))),
        Err(error) => Err(error.into()),
    }
}

/// The path of a claim.
pub(super) fn path(project: ProjectId, claim: uuid::Uuid) -> String {
    format!("/dashboard/projects/{}/claims/{claim}", project.0)
}

fn new_claim_page<'a>(
    (shell, side): (Shell<'a>, Sidebar),
    project: &'a ProjectView,
    snapshot: &'a Snapshot,
    form: Option<&'a NewClaimForm>,
    error: Option<String>,
) -> NewClaimPage<'a> {
    NewClaimPage {
        shell,
        side,
        project,
        // There are no contracts on Bitcoin.
        chains: snapshot
            .chains
            .all()
            .filter(|chain| chain.kind != ChainKind::Utxo)
            .collect(),
        chain: form.map_or(-1, |form| form.chain),
        address: form.map_or("", |form| &form.address),
        error,
    }
}

impl ContractView {
    pub(super) fn of(contract: &ChainAddress, snapshot: &Snapshot) -> Self {
        let chain = snapshot.chains.find(contract.chain);
        Self {
            chain: chain.map_or_else(|| contract.chain.to_string(), |chain| chain.name.clone()),
            chain_id: contract.chain.get(),
            address: contract.address.to_string(),
        }
    }
}

impl ClaimView {
    pub(super) fn of(claim: &Claim, snapshot: &Snapshot, now: Timestamp) -> Self {
        Self {
            id: claim.id.0,
            contract: ContractView::of(&claim.contract, snapshot),
            state: StateView::of(claim.state),
            made: Time {
                at: claim.created_at,
                now,
            },
        }
    }
}

impl StateView {
    fn of(state: ClaimState) -> Self {
        let (text, class) = match state {
            ClaimState::Open => ("not proven yet", "warn"),
            ClaimState::Waiting => ("waits for an operator", "warn"),
            ClaimState::Proven => ("proven", "good"),
            ClaimState::Accepted => ("accepted", "good"),
            ClaimState::Declined => ("declined", "bad"),
        };
        Self { text, class }
    }
}
