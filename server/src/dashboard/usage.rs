//! The usage of a project: its window now, charts with their numbers, and the same as CSV.

mod breakdown;
mod chart;
mod key_use;
mod overview;
mod period;
mod table;
mod window;
mod zone;

use askama::Template;
use axum::extract::State;
use axum::response::IntoResponse as _;
use http::HeaderValue;
use http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use serde::Deserialize;

use super::context::Context;
use super::extract::{ProjectPath, QueryParameters};
use super::keys;
use super::page::{PageResult, page};
use super::page_error::PageError;
use super::sidebar::Sidebar;
use super::signed_in::Session;
use super::view::ProjectView;
use crate::projects::ProjectId;
use crate::site::Shell;
use crate::usage::{Breakdown, LastUses, Minute, UsageQuery, UsageRow};
use breakdown::{By, Part};
pub(super) use key_use::KeyUse;
use overview::Overview;
use period::{Period, Resolution};
use window::Window;
use zone::Zone;

/// The view of a usage page, from its query.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(super) struct View {
    #[serde(rename = "width")]
    resolution: Resolution,
    by: By,
    zone: Zone,
    /// The minute that the last bar ends before; now without one.
    until: Option<i64>,
}

#[derive(Template)]
#[template(path = "dashboard/usage.html")]
struct UsagePage<'a> {
    shell: Shell<'a>,
    side: Sidebar,
    project: ProjectView,
    view: View,
    period: Period,
    window: Window,
    overview: Overview,
    parts: Vec<Part>,
    /// Whether requests of some minutes are counted in others.
    is_coarse: bool,
}

/// `GET /dashboard/projects/{project}/usage`
pub(super) async fn show(
    State(context): State<Context>,
    session: Session,
    ProjectPath(id): ProjectPath,
    QueryParameters(view): QueryParameters<View>,
) -> PageResult {
    let project = ProjectView::find(&context, &session, id).await?;
    let period = view.period(&context);
    let all = rows(&context, &session, id, &period, view.by.breakdown()).await?;
    let keys = keys::list(&context, session.actor(), id).await?;
    let uses = uses(&context, &session, id).await?;
    let window = Window::of(&context, &session, &project).await?;
    let overview = Overview::of(&all, &period);
    let parts = breakdown::parts(&all, &period, view.by, &keys, &uses, context.now());
    page(&UsagePage {
        shell: session.shell(&context),
        side: session.side_of(&project),
        is_coarse: all.iter().any(|row| row.is_coarse),
        project,
        view,
        period,
        window,
        overview,
        parts,
    })
}

/// `GET /dashboard/projects/{project}/usage.csv`
pub(super) async fn download(
    State(context): State<Context>,
    session: Session,
    ProjectPath(id): ProjectPath,
    QueryParameters(view): QueryParameters<View>,
) -> PageResult {
    let keys = keys::list(&context, session.actor(), id).await?;
    let period = view.period(&context);
    let rows = rows(&context, &session, id, &period, Breakdown::All).await?;
    let mut response = table::text(&rows, &period, &keys).into_response();
    let headers = response.headers_mut();
    let kind = HeaderValue::from_static("text/csv; charset=utf-8; header=present");
    headers.insert(CONTENT_TYPE, kind);
    let name = HeaderValue::from_static("attachment; filename=\"usage.csv\"");
    headers.insert(CONTENT_DISPOSITION, name);
    Ok(response)
}

/// When the keys of a project were last used.
pub(super) async fn uses(
    context: &Context,
    session: &Session,
    project: ProjectId,
) -> Result<LastUses, PageError> {
    let uses = crate::usage::store::last_uses(context.store(), session.actor(), project).await?;
    uses.ok_or(PageError::NotFound)
}

async fn rows(
    context: &Context,
    session: &Session,
    project: ProjectId,
    period: &Period,
    breakdown: Breakdown,
) -> Result<Vec<UsageRow>, PageError> {
    let query = UsageQuery {
        project,
        step: period.step,
        breakdown,
        from: period.from(),
        to: period.to(),
    };
    let rows = crate::usage::store::usage(context.store(), session.actor(), query).await?;
    rows.ok_or(PageError::NotFound)
}

impl View {
    fn period(&self, context: &Context) -> Period {
        let now = Minute::of(context.now());
        Period::new(self.resolution, &self.zone, self.until.map(Minute), now)
    }

    /// The query of the same view.
    fn query(&self) -> String {
        let Self {
            resolution,
            by,
            zone,
            ..
        } = self;
        let until = self
            .until
            .map_or_else(String::new, |it| format!("&until={it}"));
        format!(
            "?width={}&by={}&zone={}{until}",
            resolution.value(),
            by.value(),
            zone.value()
        )
    }

    fn with_resolution(&self, resolution: &Resolution) -> String {
        let (resolution, until) = (*resolution, None);
        Self {
            resolution,
            until,
            ..self.clone()
        }
        .query()
    }

    fn with_by(&self, by: &By) -> String {
        Self {
            by: *by,
            ..self.clone()
        }
        .query()
    }

    fn with_until(&self, until: &Minute) -> String {
        let until = Some(until.0);
        Self {
            until,
            ..self.clone()
        }
        .query()
    }

    fn latest(&self) -> String {
        Self {
            until: None,
            ..self.clone()
        }
        .query()
    }
}
