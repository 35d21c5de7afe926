//! The configs of a project: the list, a config with its sums of donations, deleting one.

use askama::Template;
use jiff::Timestamp;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde::Deserialize;

use super::confirmation::{Confirmation, Inline, prose};
use super::donations::DonationRow;
use super::extract::{ConfigPath, ProjectPath, QueryParameters};
use super::notice::Notice;
use super::page::{Frame, PageResult};
use super::page_error::PageError;
use super::projects::{self, ProjectView};
use super::session::Session;
use super::time::Time;
use crate::hue::Hue;
use crate::money;
use crate::split_bar::SplitBar;
use features::catalogue::Snapshot;
use features::configs::{self, Config, lifecycle};
use features::domain::config_id::ConfigId;
use features::domain::donation_stats::DonationStats;
use features::domain::paging::{List, PageRequest};
use features::donations::{self, DonationFilter, SplitDonation};
use features::projects::{ProjectId, Requester};
use features::rollups;
use features::rollups::config_list::{ConfigOrder, ConfigQuery, ListedConfig};

/// The configs of a page.
const PAGE: usize = 20;

/// The most characters of a search; longer ones are cut.
const MAX_SEARCH: usize = 100;

/// The donations on the page of a config.
const LATEST: usize = 10;

#[derive(Template)]
#[template(path = "dashboard/configs.html")]
struct ConfigsPage<'a> {
    api: &'a str,
    path: String,
    search: &'a ListQuery,
    configs: Vec<ListedView>,
    /// The query of the next page, if there is one.
    next: Option<String>,
}

impl ConfigsPage<'_> {
    /// Whether the project has no configs, as far as this page knows.
    fn is_unused(&self) -> bool {
        self.configs.is_empty() && self.search.is_default()
    }

    /// Whether the list may lack configs because they have no donations.
    fn lacks_configs_without_donations(&self) -> bool {
        self.next.is_none() && self.search.order() != ConfigOrder::Newest
    }
}

/// A config in the list.
struct ListedView {
    config: ConfigView,
    received: ReceivedView,
}

#[derive(Template)]
#[template(path = "dashboard/config.html")]
struct ConfigPage<'a> {
    project: &'a ProjectView,
    api: &'a str,
    root: &'a str,
    /// Its path.
    path: String,
    config: ConfigView,
    received: ReceivedView,
    /// The latest donations.
    latest: Vec<DonationRow>,
    /// Whether donations can be simulated.
    is_demo: bool,
}

/// A config in a list or on its page.
struct ConfigView {
    id: String,
    short_id: String,
    /// The name that a program of the project gave it.
    name: Option<String>,
    base58: String,
    charities: Vec<CharityView>,
    split: SplitBar,
    made: Time,
}

struct CharityView {
    name: String,
    slug: String,
    hue: Hue,
    weight: u32,
    share: String,
}

/// The donations through a config.
struct ReceivedView {
    sum: String,
    donations: String,
    last: Option<Time>,
}

/// What is listed. An unknown order is the default.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct ListQuery {
    q: String,
    sort: String,
    cursor: Option<String>,
}

/// The orders of the list: their values and labels.
const ORDERS: [(&str, &str, ConfigOrder); 3] = [
    ("created", "Newest", ConfigOrder::Newest),
    ("received", "Most received", ConfigOrder::Received),
    ("donation", "Latest donation", ConfigOrder::LastDonation),
];

impl ListQuery {
    /// The query with a search of bounded length.
    fn cut(self) -> Self {
        let q: String = self.q.chars().take(MAX_SEARCH).collect();
        Self {
            q: q.trim().to_owned(),
            ..self
        }
    }

    fn order(&self) -> ConfigOrder {
        let order = ORDERS.iter().find(|(value, ..)| *value == self.sort);
        order.map_or_else(ConfigOrder::default, |(.., order)| *order)
    }

    /// Whether it is the first page of all configs.
    fn is_default(&self) -> bool {
        self.q.is_empty() && self.order() == ConfigOrder::Newest && self.cursor.is_none()
    }

    /// The query of the page after a cursor, or of the first page, which is empty if all is the default.
    fn page(&self, cursor: Option<&str>) -> String {
        let fields = [
            ("q", self.q.as_str()),
            ("sort", &self.sort),
            ("cursor", cursor.unwrap_or_default()),
        ];
        let fields = fields.into_iter().filter(|(_, value)| !value.is_empty());
        let field =
            |(name, value)| format!("{name}={}", utf8_percent_encode(value, NON_ALPHANUMERIC));
        let fields: Vec<_> = fields.map(field).collect();
        fields.join("&")
    }
}

/// The path of the configs of a project.
pub(super) fn path(project: ProjectId) -> String {
    format!("{}/configs", projects::path(project))
}

/// The layout of a page below the list of configs.
pub(super) fn frame_below<'a>(session: &'a Session, project: &ProjectView) -> Frame<'a> {
    let frame = session.frame_of(project);
    frame.below("Configs", path(ProjectId(project.id)))
}

/// `GET /dashboard/projects/{project}/configs`
pub(super) async fn list(
    session: Session,
    ProjectPath(id): ProjectPath,
    QueryParameters(query): QueryParameters<ListQuery>,
) -> PageResult {
    let project = ProjectView::find(&session, id).await?;
    let query = query.cut();
    let list = List::of("dashboard configs")
        .filtered("project", Some(id.0))
        .filtered("q", Some(&query.q))
        .filtered("sort", Some(&query.sort));
    let request = PageRequest::new(list, query.cursor.as_deref(), PAGE);
    let request = request.map_err(|_| PageError::NotFound)?;
    let wanted = ConfigQuery {
        order: query.order(),
        search: query.q.clone(),
    };
    let (store, after) = (session.store(), request.after.clone());
    let listed = rollups::store::list_configs(store, id, wanted, after, request.rows());
    let mut listed = listed.await?;
    let next = request
        .cut(&mut listed)
        .map(|cursor| query.page(Some(&cursor)));
    let configs = listed.iter().map(|it| &it.config);
    let snapshot = session.context.setup.api.snapshot_for(configs).await?;
    let now = session.now();
    let view = |it: &ListedConfig| ListedView {
        config: ConfigView::of(&it.config, &snapshot, now),
        received: ReceivedView::of(&it.stats, now),
    };
    let page = ConfigsPage {
        api: session.api(),
        path: path(id),
        configs: listed.iter().map(view).collect(),
        search: &query,
        next,
    };
    let title = project.title("Configs");
    session.frame_of(&project).page(&title, &page)
}

/// `GET /dashboard/projects/{project}/configs/{config}`
pub(super) async fn show(session: Session, ConfigPath(id, config_id): ConfigPath) -> PageResult {
    let (project, config, stats) = find(&session, id, config_id).await?;
    let frame = frame_below(&session, &project);
    let title = format!("Config {}", config.short_id);
    let (store, filter) = (session.store(), DonationFilter::default());
    let latest =
        donations::store::donations_of_config(store, id, config_id, filter, None, LATEST).await?;
    let snapshot = session.context.setup.api.snapshot();
    let row = |it: &SplitDonation| DonationRow::new(&it.donation, &snapshot, session.now());
    let page = ConfigPage {
        project: &project,
        api: session.api(),
        root: &frame.shell.root,
        path: format!("{}/{config_id}", path(id)),
        config,
        received: ReceivedView::of(&stats, session.now()),
        latest: latest.unwrap_or_default().iter().map(row).collect(),
        is_demo: session.context.setup.is_demo,
    };
    frame.page(&title, &page)
}

/// `GET /dashboard/projects/{project}/configs/{config}/delete`
pub(super) async fn deletion(session: Session, ConfigPath(id, config): ConfigPath) -> PageResult {
    let (project, config, _) = find(&session, id, config).await?;
    let charities = config.charities.iter().map(|charity| &*charity.name);
    let charities = charities.collect::<Vec<_>>().join(", ");
    let path = format!("{}/{}", path(id), config.id);
    let page = Confirmation {
        question: prose!["Delete config ", Inline::Code(config.short_id), "?"],
        lead: prose![
            "The config disappears from the project, and API requests for it return 404. This cannot be undone."
        ],
        details: prose![format!(
            "Past and future donations with this ID still go to {charities} and still count in statistics and \
             leaderboards. The config counts toward your limit for another 24 hours."
        )],
        action: format!("{path}/delete"),
        button: "Delete config",
        cancel: path,
        ..Confirmation::default()
    };
    frame_below(&session, &project).page("Delete a config", &page)
}

/// `POST /dashboard/projects/{project}/configs/{config}/delete`
pub(super) async fn delete(
    session: Session,
    ConfigPath(project, config): ConfigPath,
) -> PageResult {
    let (store, requester) = (session.store(), Requester::Actor(session.actor()));
    let deleted = lifecycle::delete(store, requester, project, config, None, session.now());
    if !deleted.await? {
        ProjectView::find(&session, project).await?;
        // One that is deleted already is as it was asked to be.
        let is_own = configs::store::owns_config(store, project, config).await?;
        is_own.then_some(()).ok_or(PageError::NotFound)?;
    }
    Ok(Notice::ConfigDeleted.see_other(&path(project)))
}

/// A config of a project that the account manages.
async fn find(
    session: &Session,
    project: ProjectId,
    config: ConfigId,
) -> Result<(ProjectView, ConfigView, DonationStats), PageError> {
    let view = ProjectView::find(session, project).await?;
    let found = rollups::store::config_with_stats(session.store(), project, config).await?;
    let (config, stats) = found.ok_or(PageError::NotFound)?;
    let snapshot = session.context.setup.api.snapshot_for([&config]).await?;
    let config = ConfigView::of(&config, &snapshot, session.now());
    Ok((view, config, stats))
}

impl ConfigView {
    fn of(config: &Config, snapshot: &Snapshot, now: Timestamp) -> Self {
        let id = config.id.to_string();
        let split = split_bar(config, snapshot);
        let charities = config.beneficiaries.iter().zip(&split.parts);
        let charities = charities.map(|(beneficiary, part)| {
            let charity = snapshot.charities.any(beneficiary.charity);
            CharityView {
                name: part.name.clone(),
                slug: charity.map_or_else(String::new, |it| it.slug.clone()),
                hue: part.hue,
                weight: beneficiary.weight.get(),
                share: part.share.clone(),
            }
        });
        Self {
            short_id: shortened(&id),
            id,
            name: config.labels.name.clone(),
            base58: config.id.base58(),
            charities: charities.collect(),
            split,
            made: Time::new(config.created_at, now),
        }
    }
}

impl ConfigView {
    /// Its name, or else its short id.
    fn title(&self) -> &str {
        self.name.as_deref().unwrap_or(&self.short_id)
    }
}

impl ReceivedView {
    fn of(stats: &DonationStats, now: Timestamp) -> Self {
        let time = |at| Time { at, now };
        Self {
            sum: money::dollars(stats.usd),
            donations: money::grouped(&stats.donations.to_string()),
            last: stats.last.map(time),
        }
    }
}

/// The bar of a config's split.
pub(super) fn split_bar(config: &Config, snapshot: &Snapshot) -> SplitBar {
    let parts = config.beneficiaries.iter().map(|beneficiary| {
        let charity = snapshot.charities.any(beneficiary.charity);
        let name = charity.map_or_else(String::new, |it| it.name.clone());
        (beneficiary.charity, name, beneficiary.weight.get())
    });
    SplitBar::new(parts.collect())
}

/// The first and last characters of a long id.
pub(super) fn shortened(id: &str) -> String {
    let (start, end) = (id.get(..10), id.get(id.len().saturating_sub(4)..));
    match start.zip(end).filter(|_| id.len() > 16) {
        Some((start, end)) => format!("{start}…{end}"),
        None => id.to_owned(),
    }
}
