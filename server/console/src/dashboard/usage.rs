//! The usage of a project: its window now, charts with their numbers, and the same as CSV.

mod breakdown;
mod chart;
mod key_use;
mod overview;
mod period;

use std::fmt::Write as _;

use askama::Template;
use axum::response::IntoResponse as _;
use http::HeaderValue;
use http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use serde::Deserialize;

use super::extract::{ProjectPath, QueryParameters};
use super::keys;
use super::page::PageResult;
use super::page_error::PageError;
use super::projects::ProjectView;
use super::session::Session;
use crate::chart::grouped;
use breakdown::{By, Part};
use features::access::whole_seconds;
use features::csv::field;
use features::keys::KeyRecord;
use features::projects::ProjectId;
use features::usage::{self, Breakdown, LastUses, Minute, StatusClass, Step, UsageQuery, UsageRow};
pub(super) use key_use::KeyUse;
use overview::Overview;
pub(super) use overview::meaning;
use period::{Period, Resolution, Zone};

/// The minutes for which refusals are shown.
const REFUSALS: i64 = 60;

/// The header of a CSV file. The byte order mark makes Excel read it as UTF-8.
const HEADER: &str = "\u{feff}start,key,key label,operation,status,requests\r\n";

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
    project: &'a ProjectView,
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
    session: Session,
    ProjectPath(id): ProjectPath,
    QueryParameters(view): QueryParameters<View>,
) -> PageResult {
    let project = ProjectView::find(&session, id).await?;
    let period = view.period(&session);
    let all = rows(&session, id, &period, view.by.breakdown()).await?;
    let keys = keys::list(&session, session.actor(), id).await?;
    let uses = uses(&session, id).await?;
    let page = UsagePage {
        window: Window::of(&session, &project).await?,
        overview: Overview::of(&all, &period),
        parts: breakdown::parts(&all, &period, view.by, &keys, &uses, session.now()),
        is_coarse: all.iter().any(|row| row.is_coarse),
        project: &project,
        view,
        period,
    };
    let frame = session.frame_of(&project);
    let frame = frame
        .style("chart.css")
        .style("usage.css")
        .script("zone.js");
    frame.page(&project.title("Usage"), &page)
}

/// `GET /dashboard/projects/{project}/usage.csv`
pub(super) async fn download(
    session: Session,
    ProjectPath(id): ProjectPath,
    QueryParameters(view): QueryParameters<View>,
) -> PageResult {
    let keys = keys::list(&session, session.actor(), id).await?;
    let period = view.period(&session);
    let rows = rows(&session, id, &period, Breakdown::All).await?;
    let mut response = csv(&rows, &period, &keys).into_response();
    let headers = response.headers_mut();
    let kind = HeaderValue::from_static("text/csv; charset=utf-8; header=present");
    headers.insert(CONTENT_TYPE, kind);
    let name = HeaderValue::from_static("attachment; filename=\"usage.csv\"");
    headers.insert(CONTENT_DISPOSITION, name);
    Ok(response)
}

/// The rows with their header, by RFC 4180. Times have the offset of the period's zone.
fn csv(rows: &[UsageRow], period: &Period, keys: &[KeyRecord]) -> String {
    let mut text = HEADER.to_owned();
    for row in rows {
        let key = keys.iter().find(|key| Some(key.id) == row.key);
        let start = period.at(row.minute).strftime("%Y-%m-%dT%H:%M:%S%:z");
        let id = row.key.map(|key| key.0.to_string()).unwrap_or_default();
        let label = key
            .and_then(|key| key.labels.label.as_deref())
            .unwrap_or_default();
        let operation = row.operation.as_deref().unwrap_or_default();
        // Writing to memory cannot fail.
        let _ = write!(
            text,
            "{start},{id},{},{},{},{}\r\n",
            field(label),
            field(operation),
            row.class.as_str(),
            row.requests,
        );
    }
    text
}

/// When the keys of a project were last used.
pub(super) async fn uses(session: &Session, project: ProjectId) -> Result<LastUses, PageError> {
    let uses = usage::store::last_uses(session.store(), session.actor(), project).await?;
    uses.ok_or(PageError::NotFound)
}

async fn rows(
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
    let rows = usage::store::usage(session.store(), session.actor(), query).await?;
    rows.ok_or(PageError::NotFound)
}

/// How much of a project's limit is used.
struct Window {
    /// Requests of the last 60 s; `None` where limits are lifted.
    used: Option<usize>,
    /// If none is admitted now, the seconds until one is.
    free_in: Option<u64>,
    limit: u32,
    /// Requests that were refused in the last hour.
    refused: u64,
    refused_text: String,
    at: String,
}

impl Window {
    async fn of(session: &Session, project: &ProjectView) -> Result<Self, PageError> {
        let setup = &session.context.setup;
        let now = setup.clock.now().wall;
        let refused = refused(session, ProjectId(project.id), Minute::of(now)).await?;
        let used = setup
            .api
            .gate
            .used(ProjectId(project.id), project.limit)
            .await;
        let free_in = used.and_then(|it| it.free_in);
        Ok(Self {
            used: used.map(|it| it.used),
            free_in: free_in.map(whole_seconds),
            limit: project.limit,
            refused,
            refused_text: grouped(refused),
            at: now.strftime("%H:%M:%S UTC").to_string(),
        })
    }

    /// How many more requests are admitted now.
    fn left(&self, used: &usize) -> u32 {
        let used = u32::try_from(*used).unwrap_or(u32::MAX);
        self.limit.saturating_sub(used)
    }
}

async fn refused(session: &Session, project: ProjectId, now: Minute) -> Result<u64, PageError> {
    let query = UsageQuery {
        project,
        step: Step::Minute,
        breakdown: Breakdown::Status,
        from: Minute(now.0 - REFUSALS),
        to: Minute(now.0 + 1),
    };
    let rows = usage::store::usage(session.store(), session.actor(), query).await?;
    let rows = rows.ok_or(PageError::NotFound)?;
    let refused = rows.iter().filter(|row| row.class == StatusClass::Refused);
    Ok(refused.map(|row| row.requests).sum())
}

impl View {
    fn period(&self, session: &Session) -> Period {
        let now = Minute::of(session.now());
        Period::new(self.resolution, &self.zone, self.until.map(Minute), now)
    }

    /// The query of the same view.
    fn query(&self) -> String {
        let (resolution, by, zone) = (self.resolution.value(), self.by.value(), self.zone.value());
        let until = self.until.map(|it| format!("&until={it}"));
        let until = until.unwrap_or_default();
        format!("?width={resolution}&by={by}&zone={zone}{until}")
    }

    fn with_resolution(&self, resolution: &Resolution) -> String {
        self.changed(|view| (view.resolution, view.until) = (*resolution, None))
    }

    fn with_by(&self, by: &By) -> String {
        self.changed(|view| view.by = *by)
    }

    fn with_until(&self, until: &Minute) -> String {
        self.changed(|view| view.until = Some(until.0))
    }

    fn latest(&self) -> String {
        self.changed(|view| view.until = None)
    }

    /// The query of a changed view.
    fn changed(&self, change: impl FnOnce(&mut Self)) -> String {
        let mut view = self.clone();
        change(&mut view);
        view.query()
    }
}
