//! A request for another tier, and deciding it.

use axum::extract::State;
use jiff::Timestamp;
use uuid::Uuid;

use super::OperatorSession;
use super::queue::{self, DecisionForm, Mistake, Verdict};
use crate::dashboard::context::Context;
use crate::dashboard::extract::{Form, TierRequestPath};
use crate::dashboard::notice::Notice;
use crate::dashboard::page::{PageResult, sentence};
use crate::dashboard::time::Time;
use crate::tier_requests::{self, TierRequest, TierRequestError};

/// A request in the list of those that wait.
pub(super) struct TierRequestView {
    pub(super) id: Uuid,
    pub(super) project: Uuid,
    pub(super) name: String,
    pub(super) email: String,
    pub(super) from: &'static str,
    pub(super) to: &'static str,
    pub(super) reason: String,
    pub(super) asked: Time,
}

/// `POST /dashboard/operator/requests/tiers/{request}`
pub(super) async fn decide(
    State(context): State<Context>,
    session: OperatorSession,
    TierRequestPath(id): TierRequestPath,
    Form(form): Form<DecisionForm>,
) -> PageResult {
    session.require_recent(&context)?;
    let (store, service, actor) = (context.store(), &context.setup.identity, session.actor());
    let decision = (form.decision == Verdict::Accept, &*form.answer);
    match tier_requests::decide(store, service, actor, id, decision, context.now()).await {
        Ok(()) => {
            context.setup.new_mail.notify_one();
            Ok(Notice::RequestDecided.see_other(queue::PATH))
        }
        Err(TierRequestError::Sentence(error)) => {
            let (request, error) = (id.0, sentence(&error));
            queue::again(&context, &session, &Mistake { request, error }).await
        }
        Err(error) => Err(error.into()),
    }
}

impl TierRequestView {
    pub(super) fn of(request: TierRequest, now: Timestamp) -> Self {
        Self {
            id: request.id.0,
            project: request.project.id.0,
            name: request.project.name,
            email: request.email.as_str().to_owned(),
            from: request.project.tier.label(),
            to: request.tier.label(),
            reason: request.reason,
            asked: Time {
                at: request.created_at,
                now,
            },
        }
    }
}
