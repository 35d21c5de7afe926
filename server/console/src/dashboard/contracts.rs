//! The contracts of a project, and claiming one: the message to be signed, its signature, and asking an operator.

use askama::Template;
use jiff::Timestamp;
use serde::Deserialize;
use uuid::Uuid;

use super::confirmation::{Confirmation, Inline, prose};
use super::extract::{ClaimPath, Form, ProjectPath, QueryParameters};
use super::notice::Notice;
use super::page::{Frame, PageResult, see_other, sentence};
use super::page_error::PageError;
use super::projects::{self, ProjectView};
use super::session::Session;
use super::time::Time;
use features::catalogue::Snapshot;
use features::chains::{Address, Chain, ChainAddress, ChainId, ChainKind, InvalidAddress};
use features::claims::claiming::{self, Site};
use features::claims::signature::TypedSignature;
use features::claims::{
    self, Claim, ClaimError, ClaimId, ClaimNonce, ClaimOfProject, ClaimRejection, message,
};
use features::contracts::PartnerContract;
use features::domain::claim_state::ClaimState;
use features::projects::ProjectId;

#[derive(Template)]
#[template(path = "dashboard/contracts.html")]
struct ContractsPage<'a> {
    project: &'a ProjectView,
    api: &'a str,
    contracts: Vec<ContractView>,
    is_owner: bool,
    /// Why a contract is not released.
    problem: Option<String>,
    claims: Vec<ClaimView>,
}

#[derive(Template)]
#[template(path = "dashboard/new_claim.html")]
struct NewClaimPage<'a> {
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
    pub(super) id: Uuid,
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

#[derive(Template)]
#[template(path = "dashboard/claim.html")]
struct ClaimPage<'a> {
    project: &'a ProjectView,
    api: &'a str,
    claim: &'a Claim,
    view: ClaimView,
    /// The message to be signed, as long as the claim can be proven.
    message: Option<String>,
    is_evm: bool,
    /// Whether a node reports the owner of the contract.
    has_node: bool,
    expires: Time,
    /// Whether it can be withdrawn by the account.
    is_withdrawable: bool,
    fields: Typed,
}

/// The input of the forms of the page, with errors.
#[derive(Default)]
struct Typed {
    signature: String,
    deployment_nonce: String,
    note: String,
    signature_error: Option<String>,
    deployment_error: Option<String>,
    note_error: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct ProofForm {
    nonce: Uuid,
    signature: String,
    #[serde(default)]
    deployment_nonce: String,
}

#[derive(Deserialize)]
pub(super) struct NoteForm {
    note: String,
}

/// The path of the contracts of a project.
fn contracts(project: ProjectId) -> String {
    format!("{}/contracts", projects::path(project))
}

fn path(project: ProjectId, claim: ClaimId) -> String {
    format!("{}/claims/{}", projects::path(project), claim.0)
}

/// The layout of a page below the list of contracts.
fn frame_below<'a>(session: &'a Session, project: &ProjectView) -> Frame<'a> {
    let frame = session.frame_of(project);
    frame.below("Partner contracts", contracts(ProjectId(project.id)))
}

/// `GET /dashboard/projects/{project}/contracts`
pub(super) async fn list(session: Session, ProjectPath(id): ProjectPath) -> PageResult {
    contracts_page(&session, id, None).await
}

async fn contracts_page(session: &Session, id: ProjectId, problem: Option<String>) -> PageResult {
    let project = ProjectView::find(session, id).await?;
    let (store, actor, now) = (session.store(), session.actor(), session.now());
    let contracts = claims::store::contracts_of(store, actor, id).await?;
    let contracts = contracts.ok_or(PageError::NotFound)?;
    let claims = claims::store::claims_of(store, actor, id).await?;
    let claims = claims.ok_or(PageError::NotFound)?;
    let snapshot = session.context.setup.api.snapshot();
    let frame = session.frame_of(&project).rejected_if(problem.is_some());
    let view_contract = |contract: &PartnerContract| ContractView::of(&contract.id, &snapshot);
    let view_claim = |claim| ClaimView::of(claim, &snapshot, now);
    let page = ContractsPage {
        project: &project,
        api: session.api(),
        is_owner: ProjectView::is_owned(session, id).await?,
        problem,
        contracts: contracts.iter().map(view_contract).collect(),
        claims: claims.iter().map(view_claim).collect(),
    };
    frame.page(&project.title("Partner contracts"), &page)
}

/// `GET /dashboard/projects/{project}/contracts/new`
pub(super) async fn new(session: Session, ProjectPath(id): ProjectPath) -> PageResult {
    let project = ProjectView::find(&session, id).await?;
    let snapshot = session.context.setup.api.snapshot();
    new_claim_page(&session, &project, &snapshot, None)
}

/// `POST /dashboard/projects/{project}/contracts`
pub(super) async fn begin(
    session: Session,
    ProjectPath(id): ProjectPath,
    Form(form): Form<NewClaimForm>,
) -> PageResult {
    let project = ProjectView::find(&session, id).await?;
    let snapshot = session.context.setup.api.snapshot().clone();
    let begun = match contract(&form, &snapshot) {
        Ok(contract) => begin_claim(&session, id, contract).await?,
        Err(error) => Err(error),
    };
    match begun {
        Ok(claim) => Ok(see_other(&path(id, claim))),
        Err(error) => new_claim_page(&session, &project, &snapshot, Some((&form, error))),
    }
}

/// `GET /dashboard/projects/{project}/contracts/release`
pub(super) async fn releasing(
    session: Session,
    ProjectPath(id): ProjectPath,
    QueryParameters(form): QueryParameters<NewClaimForm>,
) -> PageResult {
    let project = ProjectView::find(&session, id).await?;
    let is_owner = ProjectView::is_owned(&session, id).await?;
    is_owner.then_some(()).ok_or(PageError::NotOwner)?;
    session.require_recent()?;
    let contract = contract(&form, &session.context.setup.api.snapshot());
    let contract = contract.map_err(|_| PageError::NotFound)?;
    let page = Confirmation {
        question: prose!["Release ", Inline::Code(contract.address.to_string()), "?"],
        lead: prose!["The contract then has no project until someone claims it."],
        action: format!("{}/release", contracts(id)),
        hidden: vec![
            ("chain", form.chain.to_string()),
            ("address", contract.address.to_string()),
        ],
        button: "Release contract",
        cancel: contracts(id),
        ..Confirmation::default()
    };
    frame_below(&session, &project).page("Release a contract", &page)
}

/// `POST /dashboard/projects/{project}/contracts/release`
pub(super) async fn release(
    session: Session,
    ProjectPath(project): ProjectPath,
    Form(form): Form<NewClaimForm>,
) -> PageResult {
    ProjectView::find(&session, project).await?;
    session.require_recent()?;
    let contract = contract(&form, &session.context.setup.api.snapshot());
    let contract = contract.map_err(|_| PageError::NotFound)?;
    let of = PartnerContract {
        id: contract,
        project,
    };
    match claiming::release(session.store(), session.actor(), of, session.now()).await {
        Ok(()) => Ok(Notice::ContractReleased.see_other(&contracts(project))),
        Err(error @ ClaimError::Rejected(ClaimRejection::OwnTokens)) => {
            contracts_page(&session, project, Some(sentence(&error))).await
        }
        Err(error) => Err(error.into()),
    }
}

/// The contract that a form names, or the error of the form.
fn contract(form: &NewClaimForm, snapshot: &Snapshot) -> Result<ChainAddress, String> {
    let chain = ChainId::new(form.chain).and_then(|id| snapshot.chains.find(id));
    let chain = chain.ok_or("Choose a chain from the list.")?;
    let address = Address::parse(chain.kind, form.address.trim());
    let address = address.map_err(invalid_address)?;
    Ok(ChainAddress {
        chain: chain.id,
        address,
    })
}

fn invalid_address(error: InvalidAddress) -> &'static str {
    match error {
        InvalidAddress::Evm => "Enter an EVM address: 0x followed by 40 hexadecimal digits.",
        InvalidAddress::EvmChecksum => {
            "The address has a wrong EIP-55 checksum. Copy it again, or enter it in lower case."
        }
        InvalidAddress::Svm => "Enter a Solana address: 32 bytes in base58.",
        InvalidAddress::Utxo => "Contracts do not exist on this chain.",
    }
}

/// The claim, or why there is none.
async fn begin_claim(
    session: &Session,
    project: ProjectId,
    contract: ChainAddress,
) -> Result<Result<ClaimId, String>, PageError> {
    let (store, actor) = (session.store(), session.actor());
    match claiming::begin(store, actor, project, contract, session.now()).await {
        Ok(claim) => Ok(Ok(claim)),
        Err(ClaimError::Rejected(ClaimRejection::Own)) => Ok(Err(
            "This contract already belongs to the project.".to_owned(),
        )),
        Err(ClaimError::Rejected(ClaimRejection::TooMany)) => Ok(Err(format!(
            "A project can have at most {} open claims. Complete or withdraw one first.",
            Claim::MAX_UNDECIDED
        ))),
        Err(error) => Err(error.into()),
    }
}

fn new_claim_page(
    session: &Session,
    project: &ProjectView,
    snapshot: &Snapshot,
    rejected: Option<(&NewClaimForm, String)>,
) -> PageResult {
    let frame = frame_below(session, project).rejected_if(rejected.is_some());
    let (form, error) = rejected.unzip();
    let page = NewClaimPage {
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
    };
    frame.page("Claim a contract", &page)
}

/// A claim, as the account asks to change it.
fn of(session: &Session, project: ProjectId, claim: ClaimId) -> ClaimOfProject {
    ClaimOfProject {
        actor: session.actor(),
        project,
        claim,
    }
}

/// The page of a claim, with the input of a form that was rejected.
async fn claim_page(session: &Session, of: ClaimOfProject, rejected: Option<Typed>) -> PageResult {
    let project = &ProjectView::find(session, of.project).await?;
    let claim = claims::store::claim(session.store(), of).await?;
    let claim = &claim.ok_or(PageError::NotFound)?;
    let (setup, origin) = (&session.context.setup, session.context.public.origin());
    let (now, at) = (session.now(), claim.nonce_expires_at);
    let is_undecided = matches!(claim.state, ClaimState::Open | ClaimState::Waiting);
    let is_provable = is_undecided && claim.proof.is_none() && claim.kind != ChainKind::Utxo;
    let is_owner = ProjectView::is_owned(session, claim.project).await?;
    let frame = frame_below(session, project).rejected_if(rejected.is_some());
    let page = ClaimPage {
        project,
        api: session.api(),
        view: ClaimView::of(claim, &setup.api.snapshot(), now),
        message: is_provable.then(|| message(origin, claim)),
        is_evm: claim.kind == ChainKind::Evm,
        has_node: setup.rpc.knows(claim.contract.chain),
        expires: Time { at, now },
        is_withdrawable: is_undecided && is_owner,
        claim,
        fields: rejected.unwrap_or_default(),
    };
    let title = format!("Contract claim: {}", page.view.contract.address);
    frame.page(&title, &page)
}

/// `GET /dashboard/projects/{project}/claims/{claim}`
pub(super) async fn show_claim(
    session: Session,
    ClaimPath(project, claim): ClaimPath,
) -> PageResult {
    claim_page(&session, of(&session, project, claim), None).await
}

/// `POST /dashboard/projects/{project}/claims/{claim}/proof`
pub(super) async fn prove(
    session: Session,
    ClaimPath(project, claim): ClaimPath,
    Form(form): Form<ProofForm>,
) -> PageResult {
    let of = of(&session, project, claim);
    let mut fields = Typed {
        signature: form.signature.clone(),
        deployment_nonce: form.deployment_nonce.clone(),
        ..Typed::default()
    };
    match deployment_nonce(&form.deployment_nonce) {
        Err(error) => fields.deployment_error = Some(error),
        Ok(deployment_nonce) => {
            let signature = TypedSignature {
                text: form.signature,
                deployment_nonce,
            };
            let site = Site {
                origin: session.context.public.origin(),
                rpc: &session.context.setup.rpc,
            };
            let (store, nonce) = (session.store(), ClaimNonce(form.nonce));
            let proven = claiming::prove(store, of, nonce, &signature, site, session.now());
            match proven.await {
                Ok(_) => return Ok(see_other(&path(project, claim))),
                Err(error) => {
                    fields.signature.clear();
                    fields.signature_error = Some(burnt(error)?);
                }
            }
        }
    }
    claim_page(&session, of, Some(fields)).await
}

/// `POST /dashboard/projects/{project}/claims/{claim}/queue`
pub(super) async fn queue(
    session: Session,
    ClaimPath(project, claim): ClaimPath,
    Form(form): Form<NoteForm>,
) -> PageResult {
    let of = of(&session, project, claim);
    let queued = claiming::queue(session.store(), of, &form.note, session.now());
    match queued.await {
        // One that is decided shows how.
        Ok(()) | Err(ClaimError::Rejected(ClaimRejection::Decided)) => {
            Ok(see_other(&path(project, claim)))
        }
        Err(error @ ClaimError::Note) => {
            let fields = Typed {
                note: form.note,
                note_error: Some(sentence(&error)),
                ..Typed::default()
            };
            claim_page(&session, of, Some(fields)).await
        }
        Err(error) => Err(error.into()),
    }
}

/// `POST /dashboard/projects/{project}/claims/{claim}/withdraw`
pub(super) async fn withdraw(session: Session, ClaimPath(project, claim): ClaimPath) -> PageResult {
    let of = of(&session, project, claim);
    match claiming::withdraw(session.store(), of, session.now()).await {
        Ok(()) => Ok(Notice::ClaimWithdrawn.see_other(&contracts(project))),
        // One that is decided shows how.
        Err(ClaimError::Rejected(ClaimRejection::Decided)) => Ok(see_other(&path(project, claim))),
        Err(error) => Err(error.into()),
    }
}

/// `GET /dashboard/projects/{project}/claims/{claim}/withdraw`
pub(super) async fn withdrawing(session: Session, ClaimPath(id, claim): ClaimPath) -> PageResult {
    let project = ProjectView::find(&session, id).await?;
    let found = claims::store::claim(session.store(), of(&session, id, claim)).await?;
    let found = found.ok_or(PageError::NotFound)?;
    let is_owner = ProjectView::is_owned(&session, id).await?;
    is_owner.then_some(()).ok_or(PageError::NotOwner)?;
    let page = Confirmation {
        question: prose![
            "Withdraw the claim of ",
            Inline::Code(found.contract.address.to_string()),
            "?",
        ],
        lead: prose!["You can claim the contract again later."],
        action: format!("{}/withdraw", path(id, claim)),
        button: "Withdraw claim",
        cancel: path(id, claim),
        ..Confirmation::default()
    };
    frame_below(&session, &project).page("Withdraw a claim", &page)
}

/// The reason why a signature proves nothing, and a remedy.
fn burnt(error: ClaimError) -> Result<String, PageError> {
    let again = "Sign the new message above.";
    match error {
        ClaimError::Signature(_)
        | ClaimError::Rejected(ClaimRejection::UsedNonce | ClaimRejection::Expired) => {
            Ok(format!("{} {again}", sentence(&error)))
        }
        ClaimError::Rejected(ClaimRejection::Decided) => Ok(sentence(&error)),
        error => Err(error.into()),
    }
}

/// The nonce of a deployment, if one was typed.
fn deployment_nonce(typed: &str) -> Result<Option<u64>, String> {
    let typed = typed.trim();
    if typed.is_empty() {
        return Ok(None);
    }
    let wrong = |_| "The nonce of a transaction is a whole number, such as 0 or 12.".to_owned();
    typed.parse().map(Some).map_err(wrong)
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
            made: Time::new(claim.created_at, now),
        }
    }
}

impl StateView {
    fn of(state: ClaimState) -> Self {
        let (text, class) = match state {
            ClaimState::Open => ("unproven", "warn"),
            ClaimState::Waiting => ("waiting for an operator", "warn"),
            ClaimState::Proven => ("proven", "good"),
            ClaimState::Accepted => ("accepted", "good"),
            ClaimState::Declined => ("declined", "bad"),
        };
        Self { text, class }
    }
}
