//! The window of a project now: how much of its limit is used.

use jiff::Timestamp;

use super::chart::grouped;
use crate::access::whole_seconds;
use crate::dashboard::context::Context;
use crate::dashboard::page_error::PageError;
use crate::dashboard::signed_in::Session;
use crate::dashboard::view::ProjectView;
use crate::projects::ProjectId;
use crate::usage::{Breakdown, Minute, StatusClass, Step, UsageQuery};

/// The minutes for which refusals are shown.
const REFUSALS: i64 = 60;

/// How much of a project's limit is used.
pub(super) struct Window {
    /// Requests of the last 60 s; `None` where limits are lifted.
    pub(super) used: Option<usize>,
    /// If none is admitted now, the seconds until one is.
    pub(super) free_in: Option<u64>,
    pub(super) limit: u32,
    /// Requests that were refused in the last hour.
    pub(super) refused: u64,
    pub(super) refused_text: String,
    /// The time.
    pub(super) at: String,
}

impl Window {
    pub(super) async fn of(
        context: &Context,
        session: &Session,
        project: &ProjectView,
    ) -> Result<Self, PageError> {
        let now = context.setup.clock.now();
        let id = ProjectId(project.id);
        let refused = refused(context, session, id, now.wall).await?;
        let used = context.setup.api.gate.used(id, project.limit).await;
        let free_in = used.and_then(|it| it.free_in);
        Ok(Self {
            used: used.map(|it| it.used),
            free_in: free_in.map(whole_seconds),
            limit: project.limit,
            refused,
            refused_text: grouped(refused),
            at: now.wall.strftime("%H:%M:%S UTC").to_string(),
        })
    }

    /// How many more requests are admitted now.
    pub(super) fn left(&self, used: &usize) -> u32 {
        let used = u32::try_from(*used).unwrap_or(u32::MAX);
        self.limit.saturating_sub(used)
    }
}

async fn refused(
    context: &Context,
    session: &Session,
    project: ProjectId,
    now: Timestamp,
) -> Result<u64, PageError> {
    let minute = Minute::of(now);
    let query = UsageQuery {
        project,
        step: Step::Minute,
        breakdown: Breakdown::Status,
        from: Minute(minute.0 - REFUSALS),
        to: Minute(minute.0 + 1),
    };
    let rows = crate::usage::store::usage(context.store(), session.actor(), query).await?;
    let rows = rows.ok_or(PageError::NotFound)?;
    let refused = rows.iter().filter(|row| row.class == StatusClass::Refused);
    Ok(refused.map(|row| row.requests).sum())
}
