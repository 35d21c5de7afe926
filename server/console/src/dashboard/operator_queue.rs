//! The requests that wait for an operator's decision. Each kind is a section of the page, and has a form of its
//! own.

use askama::Template;
use jiff::Timestamp;
use serde::Deserialize;
use uuid::Uuid;

use super::contracts::ClaimView;
use super::extract::{ClaimIdPath, Form, TierRequestPath};
use super::notice::Notice;
use super::operator::OperatorSession;
use super::page::{PageResult, sentence};
use super::page_error::PageError;
use super::time::Time;
use crate::tier_requests::{self, TierRequest, TierRequestError};
use features::catalogue::Snapshot;
use features::claims::{ClaimError, ClaimRejection, Proof, WaitingClaim, decision};
use features::projects::Project;

const PATH: &str = "/dashboard/operator/requests";

#[derive(Template)]
#[template(path = "dashboard/operator/queue.html")]
struct QueuePage {
    /// With when each was asked.
    tiers: Vec<(TierRequest, Time)>,
    claims: Vec<ClaimRequestView>,
    /// Whether the sign-in is recent enough to decide.
    is_recent: bool,
    /// The error of the answer to a request.
    mistake: Option<(Uuid, String)>,
}

impl QueuePage {
    /// The error of the answer to a request.
    fn error(&self, id: &Uuid) -> Option<&str> {
        let mistake = self.mistake.as_ref().filter(|(request, _)| request == id);
        mistake.map(|(_, error)| &**error)
    }
}

#[derive(Deserialize)]
pub(super) struct DecisionForm {
    decision: Verdict,
    #[serde(default)]
    answer: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Verdict {
    Accept,
    Decline,
}

/// A claim in the list of those that wait.
struct ClaimRequestView {
    claim: ClaimView,
    project: Project,
    owner: Option<Project>,
    /// The proof, in words.
    proof: &'static str,
    note: String,
}

/// `GET /dashboard/operator/requests`
pub(super) async fn list(session: OperatorSession) -> PageResult {
    session.with_forms(queue_page(&session, None).await)
}

/// `POST /dashboard/operator/requests/tiers/{request}`
pub(super) async fn decide_tier(
    session: OperatorSession,
    TierRequestPath(id): TierRequestPath,
    Form(form): Form<DecisionForm>,
) -> PageResult {
    session.require_recent()?;
    let (store, setup, actor) = (session.store(), &session.context.setup, session.actor());
    let decision = (form.decision == Verdict::Accept, &*form.answer);
    let service = &setup.identity;
    match tier_requests::decide(store, service, actor, id, decision, session.now()).await {
        Ok(()) => {
            setup.new_mail.notify_one();
            Ok(Notice::RequestDecided.see_other(PATH))
        }
        Err(TierRequestError::Sentence(error)) => {
            queue_page(&session, Some((id.0, sentence(&error)))).await
        }
        Err(error) => Err(error.into()),
    }
}

/// `POST /dashboard/operator/requests/claims/{claim}`
pub(super) async fn decide_claim(
    session: OperatorSession,
    ClaimIdPath(id): ClaimIdPath,
    Form(form): Form<DecisionForm>,
) -> PageResult {
    session.require_recent()?;
    let (store, actor, now) = (session.store(), session.actor(), session.now());
    let decided = match form.decision {
        Verdict::Accept => decision::accept(store, actor, id, now).await,
        Verdict::Decline => decision::decline(store, actor, id, &form.answer, now).await,
    };
    match decided {
        Ok(()) => Ok(Notice::RequestDecided.see_other(PATH)),
        Err(error @ (ClaimError::Note | ClaimError::Rejected(ClaimRejection::HasTokens))) => {
            queue_page(&session, Some((id.0, sentence(&error)))).await
        }
        Err(ClaimError::Rejected(ClaimRejection::NotWaiting)) => Err(PageError::NotFound),
        Err(error) => Err(error.into()),
    }
}

/// The page, with the error of the answer to a request.
async fn queue_page(session: &OperatorSession, mistake: Option<(Uuid, String)>) -> PageResult {
    let (store, actor, now) = (session.store(), session.actor(), session.now());
    let tiers = tier_requests::open(store, actor).await?.into_iter();
    let claims = decision::waiting(store, actor).await?.into_iter();
    let snapshot = session.context.setup.api.snapshot();
    let asked = |request: TierRequest| {
        let asked = Time::new(request.created_at, now);
        (request, asked)
    };
    let frame = session.frame_below().rejected_if(mistake.is_some());
    let page = QueuePage {
        tiers: tiers.map(asked).collect(),
        claims: claims
            .map(|claim| ClaimRequestView::of(claim, &snapshot, now))
            .collect(),
        is_recent: session.is_recent(),
        mistake,
    };
    frame.page("Pending requests", &page)
}

impl ClaimRequestView {
    fn of(waiting: WaitingClaim, snapshot: &Snapshot, now: Timestamp) -> Self {
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
