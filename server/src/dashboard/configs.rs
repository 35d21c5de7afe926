//! The configs of a project: the list, a config with its sums of donations, deleting one.

use askama::Template;
use axum::Router;
use axum::extract::State;
use axum::routing::get;
use jiff::Timestamp;
use serde::Deserialize;

use super::config_editor;
use super::context::Context;
use super::extract::{ConfigPath, ProjectPath, QueryParameters};
use super::notice::Notice;
use super::page::{PageResult, page};
use super::page_error::PageError;
use super::sidebar::Sidebar;
use super::signed_in::Session;
use super::time::Time;
use super::view::{ProjectView, shortened};
use crate::catalogue::Snapshot;
use crate::configs::{Config, ConfigId, Requester, lifecycle};
use crate::domain::paging::{List, PageRequest};
use crate::donations::DonationStats;
use crate::projects::ProjectId;
use crate::public_pages::money;
use crate::site::Shell;

/// The configs of a page.
const PAGE: usize = 20;

#[derive(Template)]
#[template(path = "dashboard/configs.html")]
struct ConfigsPage<'a> {
    shell: Shell<'a>,
    side: Sidebar,
    project: &'a ProjectView,
    configs: Vec<ConfigView>,
    is_first: bool,
    /// The cursor of the next page, if there is one.
    older: Option<String>,
}

#[derive(Template)]
#[template(path = "dashboard/config.html")]
struct ConfigPage<'a> {
    shell: Shell<'a>,
    side: Sidebar,
    project: &'a ProjectView,
    config: ConfigView,
    received: ReceivedView,
}

#[derive(Template)]
#[template(path = "dashboard/delete_config.html")]
struct DeleteConfigPage<'a> {
    shell: Shell<'a>,
    side: Sidebar,
    project: &'a ProjectView,
    config: ConfigView,
}

/// A config in a list or on its page.
struct ConfigView {
    id: String,
    short_id: String,
    /// The name that a program of the project gave it.
    name: Option<String>,
    base58: String,
    charities: Vec<CharityView>,
    made: Time,
}

/// A charity of a config.
struct CharityView {
    name: String,
    slug: String,
    weight: u32,
    share: String,
}

/// The donations through a config.
struct ReceivedView {
    sum: String,
    donations: u64,
    first: Option<Time>,
    last: Option<Time>,
}

#[derive(Deserialize)]
pub(super) struct ListQuery {
    cursor: Option<String>,
}

/// The paths of configs.
pub(super) fn routes() -> Router<Context> {
    Router::new()
        .route(
            "/dashboard/projects/{project}/configs",
            get(list).post(config_editor::create),
        )
        .route(
            "/dashboard/projects/{project}/configs/new",
            get(config_editor::edit),
        )
        .route("/dashboard/projects/{project}/configs/{config}", get(show))
        .route(
            "/dashboard/projects/{project}/configs/{config}/delete",
            get(deletion).post(delete),
        )
}

/// `GET /dashboard/projects/{project}/configs`
pub(super) async fn list(
    State(context): State<Context>,
    session: Session,
    ProjectPath(id): ProjectPath,
    QueryParameters(query): QueryParameters<ListQuery>,
) -> PageResult {
    let project = ProjectView::find(&context, &session, id).await?;
    let list = List::of("dashboard configs").filtered("project", Some(id.0));
    let request = PageRequest::new(list, query.cursor.as_deref(), PAGE);
    let request = request.map_err(|_| PageError::NotFound)?;
    let configs = crate::configs::store::configs(
        context.store(),
        id,
        None,
        request.after.clone(),
        request.rows(),
    );
    let mut configs = configs.await?;
    let older = request.cut(&mut configs);
    let snapshot = context.setup.api.snapshot_for(&configs).await?;
    let now = context.now();
    page(&ConfigsPage {
        shell: session.shell(&context),
        side: session.side_of(&project),
        project: &project,
        configs: configs
            .iter()
            .map(|config| ConfigView::of(config, &snapshot, now))
            .collect(),
        is_first: query.cursor.is_none(),
        older,
    })
}

/// `GET /dashboard/projects/{project}/configs/{config}`
pub(super) async fn show(
    State(context): State<Context>,
    session: Session,
    ConfigPath(id, config): ConfigPath,
) -> PageResult {
    let (project, config, stats) = find(&context, &session, id, config).await?;
    page(&ConfigPage {
        shell: session.shell(&context),
        side: session.side_of(&project),
        project: &project,
        config,
        received: ReceivedView::of(&stats, context.now()),
    })
}

/// `GET /dashboard/projects/{project}/configs/{config}/delete`
pub(super) async fn deletion(
    State(context): State<Context>,
    session: Session,
    ConfigPath(id, config): ConfigPath,
) -> PageResult {
    let (project, config, _) = find(&context, &session, id, config).await?;
    page(&DeleteConfigPage {
        shell: session.shell(&context),
        side: session.side_of(&project),
        project: &project,
        config,
    })
}

/// `POST /dashboard/projects/{project}/configs/{config}/delete`
pub(super) async fn delete(
    State(context): State<Context>,
    session: Session,
    ConfigPath(project, config): ConfigPath,
) -> PageResult {
    let requester = Requester::Actor(session.actor());
    let deleted = lifecycle::delete(context.store(), requester, project, config, context.now());
    if !deleted.await? {
        ProjectView::find(&context, &session, project).await?;
        // One that is deleted already is as it was asked to be.
        let is_own = crate::configs::store::owns_config(context.store(), project, config).await?;
        is_own.then_some(()).ok_or(PageError::NotFound)?;
    }
    let list = format!("/dashboard/projects/{}/configs", project.0);
    Ok(Notice::ConfigDeleted.see_other(&list))
}

/// A config of a project that the account manages.
async fn find(
    context: &Context,
    session: &Session,
    project: ProjectId,
    config: ConfigId,
) -> Result<(ProjectView, ConfigView, DonationStats), PageError> {
    let view = ProjectView::find(context, session, project).await?;
    let found = crate::configs::store::config(context.store(), project, config).await?;
    let (config, stats) = found.ok_or(PageError::NotFound)?;
    let snapshot = context.setup.api.snapshot_for([&config]).await?;
    let config = ConfigView::of(&config, &snapshot, context.now());
    Ok((view, config, stats))
}

impl ConfigView {
    fn of(config: &Config, snapshot: &Snapshot, now: Timestamp) -> Self {
        let weights: Vec<_> = config.weights().iter().map(|it| it.get()).collect();
        let id = config.id.to_string();
        let charities = config.beneficiaries.iter().map(|beneficiary| {
            let charity = snapshot.charities.any(beneficiary.charity);
            let weight = beneficiary.weight.get();
            CharityView {
                name: charity.map_or_else(String::new, |it| it.name.clone()),
                slug: charity.map_or_else(String::new, |it| it.slug.clone()),
                weight,
                share: share(weight, &weights),
            }
        });
        Self {
            short_id: shortened(&id),
            id,
            name: config.labels.name.clone(),
            base58: config.id.base58(),
            charities: charities.collect(),
            made: Time {
                at: config.created_at,
                now,
            },
        }
    }
}

impl ReceivedView {
    fn of(stats: &DonationStats, now: Timestamp) -> Self {
        let time = |at| Time { at, now };
        Self {
            sum: money::dollars(stats.usd),
            donations: stats.donations,
            first: stats.first.map(time),
            last: stats.last.map(time),
        }
    }
}

/// The part that a weight has of the sum of all, in percent, such as `33.3 %`.
pub(super) fn share(weight: u32, weights: &[u32]) -> String {
    let sum: u64 = weights.iter().copied().map(u64::from).sum();
    let thousandths = (u64::from(weight) * 2000 + sum) / (sum * 2).max(1);
    match (thousandths / 10, thousandths % 10) {
        (0, 0) => "less than 0.1 %".to_owned(),
        (whole, 0) => format!("{whole} %"),
        (whole, tenth) => format!("{whole}.{tenth} %"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_rounded_to_a_tenth_of_a_percent() {
        for (weights, expected) in [
            (&[1][..], "100 %"),
            (&[1, 1, 1], "33.3 %"),
            (&[2, 1], "66.7 %"),
            (&[1, 1_000_000], "less than 0.1 %"),
            (&[1, 7], "12.5 %"),
        ] {
            assert_eq!(share(weights[0], weights), expected, "{weights:?}");
        }
    }
}
