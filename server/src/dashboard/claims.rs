//! A claim of a contract: the message to be signed, its signature, and asking an operator.

use askama::Template;
use axum::extract::{FromRequestParts, Path, State};
use http::request::Parts;
use serde::Deserialize;
use uuid::Uuid;

use super::context::Context;
use super::contracts::{ClaimView, path};
use super::extract::Form;
use super::notice::Notice;
use super::page::{PageResult, page, refused, see_other, sentence};
use super::page_error::PageError;
use super::sidebar::Sidebar;
use super::signed_in::Session;
use super::time::Time;
use super::view::ProjectView;
use crate::chains::ChainKind;
use crate::claims::claiming::{self, ClaimError, Site};
use crate::claims::signature::TypedSignature;
use crate::claims::{
    Claim, ClaimId, ClaimNonce, ClaimOfProject, ClaimRefusal, ClaimState, message,
};
use crate::projects::ProjectId;
use crate::site::Shell;

/// The claim of a project that a path names.
pub(super) struct ClaimPath(ProjectId, ClaimId);

impl FromRequestParts<Context> for ClaimPath {
    type Rejection = PageError;

    async fn from_request_parts(parts: &mut Parts, context: &Context) -> Result<Self, PageError> {
        let ids = Path::<(Uuid, Uuid)>::from_request_parts(parts, context).await;
        let Path((project, claim)) = ids.map_err(|_| PageError::NotFound)?;
        Ok(Self(ProjectId(project), ClaimId(claim)))
    }
}

/// A claim, as the account asks to change it.
fn of(session: &Session, project: ProjectId, claim: ClaimId) -> ClaimOfProject {
    ClaimOfProject {
        actor: session.actor(),
        project,
        claim,
    }
}

#[derive(Template)]
#[template(path = "dashboard/claim.html")]
struct ClaimPage<'a> {
    shell: Shell<'a>,
    side: Sidebar,
    project: &'a ProjectView,
    claim: &'a Claim,
    view: ClaimView,
    /// The message to be signed, as long as the claim can be proven.
    message: Option<String>,
    is_evm: bool,
    /// Whether a node tells who owns the contract.
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

/// `GET /dashboard/projects/{project}/claims/{claim}`
pub(super) async fn show(
    State(context): State<Context>,
    session: Session,
    ClaimPath(project, claim): ClaimPath,
) -> PageResult {
    let of = of(&session, project, claim);
    let (project, claim) = find(&context, &session, of).await?;
    let fields = Typed::default();
    page(&claim_page(&context, &session, &project, &claim, fields).await?)
}

/// `POST /dashboard/projects/{project}/claims/{claim}/proof`
pub(super) async fn prove(
    State(context): State<Context>,
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
                origin: context.public.origin(),
                rpc: &context.setup.rpc,
            };
            let (store, nonce) = (context.store(), ClaimNonce(form.nonce));
            let proven = claiming::prove(store, of, nonce, &signature, site, context.now());
            match proven.await {
                Ok(_) => return Ok(see_other(&path(project, claim.0))),
                Err(error) => {
                    fields.signature.clear();
                    fields.signature_error = Some(burnt(error)?);
                }
            }
        }
    }
    again(&context, &session, of, fields).await
}

/// `POST /dashboard/projects/{project}/claims/{claim}/queue`
pub(super) async fn queue(
    State(context): State<Context>,
    session: Session,
    ClaimPath(project, claim): ClaimPath,
    Form(form): Form<NoteForm>,
) -> PageResult {
    let of = of(&session, project, claim);
    let queued = claiming::queue(context.store(), of, &form.note, context.now());
    match queued.await {
        // One that is decided shows how.
        Ok(()) | Err(ClaimError::Refused(ClaimRefusal::Decided)) => {
            Ok(see_other(&path(project, claim.0)))
        }
        Err(error @ ClaimError::Note) => {
            let fields = Typed {
                note: form.note,
                note_error: Some(sentence(&error)),
                ..Typed::default()
            };
            again(&context, &session, of, fields).await
        }
        Err(error) => Err(error.into()),
    }
}

/// `POST /dashboard/projects/{project}/claims/{claim}/withdraw`
pub(super) async fn withdraw(
    State(context): State<Context>,
    session: Session,
    ClaimPath(project, claim): ClaimPath,
) -> PageResult {
    let of = of(&session, project, claim);
    match claiming::withdraw(context.store(), of, context.now()).await {
        Ok(()) => {
            let contracts = format!("/dashboard/projects/{}/contracts", project.0);
            Ok(Notice::ClaimWithdrawn.see_other(&contracts))
        }
        // One that is decided shows how.
        Err(ClaimError::Refused(ClaimRefusal::Decided)) => Ok(see_other(&path(project, claim.0))),
        Err(error) => Err(error.into()),
    }
}

/// The reason why a signature proves nothing, and a remedy.
fn burnt(error: ClaimError) -> Result<String, PageError> {
    let again = "Sign the new message below.";
    match error {
        ClaimError::Signature(_)
        | ClaimError::Refused(ClaimRefusal::UsedNonce | ClaimRefusal::Expired) => {
            Ok(format!("{} {again}", sentence(&error)))
        }
        ClaimError::Refused(ClaimRefusal::Decided) => Ok(sentence(&error)),
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

/// The page of a claim again, with the error of a form.
async fn again(
    context: &Context,
    session: &Session,
    of: ClaimOfProject,
    fields: Typed,
) -> PageResult {
    let (project, claim) = find(context, session, of).await?;
    refused(&claim_page(context, session, &project, &claim, fields).await?)
}

async fn find(
    context: &Context,
    session: &Session,
    of: ClaimOfProject,
) -> Result<(ProjectView, Claim), PageError> {
    let project = ProjectView::find(context, session, of.project).await?;
    let claim = crate::claims::store::claim(context.store(), of).await?;
    Ok((project, claim.ok_or(PageError::NotFound)?))
}

async fn claim_page<'a>(
    context: &'a Context,
    session: &'a Session,
    project: &'a ProjectView,
    claim: &'a Claim,
    fields: Typed,
) -> Result<ClaimPage<'a>, PageError> {
    let now = context.now();
    let is_undecided = matches!(claim.state, ClaimState::Open | ClaimState::Waiting);
    let is_provable = is_undecided && claim.proof.is_none() && claim.kind != ChainKind::Utxo;
    let is_owner = ProjectView::is_owned(context, session, claim.project).await?;
    Ok(ClaimPage {
        shell: session.shell(context),
        side: session.side_of(project),
        project,
        view: ClaimView::of(claim, &context.setup.api.snapshot(), now),
        message: is_provable.then(|| message(context.public.origin(), claim)),
        is_evm: claim.kind == ChainKind::Evm,
        has_node: context.setup.rpc.knows(claim.contract.chain),
        expires: Time {
            at: claim.nonce_expires_at,
            now,
        },
        is_withdrawable: is_undecided && is_owner,
        claim,
        fields,
    })
}
