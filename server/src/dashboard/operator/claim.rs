//! A claim of a partner contract that waits, and deciding it.

use axum::extract::State;
use jiff::Timestamp;

use super::OperatorSession;
use super::queue::{self, DecisionForm, Mistake, Verdict};
use crate::catalogue::Snapshot;
use crate::claims::claiming::ClaimError;
use crate::claims::{ClaimRefusal, Proof, WaitingClaim, decision};
use crate::dashboard::context::Context;
use crate::dashboard::contracts::ClaimView;
use crate::dashboard::extract::{ClaimIdPath, Form};
use crate::dashboard::notice::Notice;
use crate::dashboard::page::{PageResult, sentence};
use crate::dashboard::page_error::PageError;
use crate::projects::Project;

/// A claim in the list of those that wait.
pub(super) struct ClaimRequestView {
    pub(super) claim: ClaimView,
    pub(super) project: Project,
    /// The project that has the contract now.
    pub(super) owner: Option<Project>,
    /// The proof, in words.
    pub(super) proof: &'static str,
    /// The note of the project.
    pub(super) note: String,
}

/// `POST /dashboard/operator/requests/claims/{claim}`
pub(super) async fn decide(
    State(context): State<Context>,
    session: OperatorSession,
    ClaimIdPath(id): ClaimIdPath,
    Form(form): Form<DecisionForm>,
) -> PageResult {
    session.require_recent(&context)?;
    let (store, actor, now) = (context.store(), session.actor(), context.now());
    let decided = match form.decision {
        Verdict::Accept => decision::accept(store, actor, id, now).await,
        Verdict::Decline => decision::decline(store, actor, id, &form.answer, now).await,
    };
    match decided {
        Ok(()) => Ok(Notice::RequestDecided.see_other(queue::PATH)),
        Err(error @ (ClaimError::Note | ClaimError::Refused(ClaimRefusal::HasTokens))) => {
            let (request, error) = (id.0, sentence(&error));
            queue::again(&context, &session, &Mistake { request, error }).await
        }
        Err(ClaimError::Refused(ClaimRefusal::NotWaiting)) => Err(PageError::NotFound),
        Err(error) => Err(error.into()),
    }
}

impl ClaimRequestView {
    pub(super) fn of(waiting: WaitingClaim, snapshot: &Snapshot, now: Timestamp) -> Self {
        Self {
            claim: ClaimView::of(&waiting.claim, snapshot, now),
            project: waiting.project,
            owner: waiting.owner,
            proof: match waiting.claim.proof {
                None => "nothing",
                Some(Proof::Deployer) => "a signature of its deployer",
                Some(Proof::Owner) => "a signature of its owner",
                Some(Proof::ProgramKey) => "a signature of its key",
                Some(Proof::UpgradeAuthority) => "a signature of its upgrade authority",
            },
            note: waiting.claim.note,
        }
    }
}
