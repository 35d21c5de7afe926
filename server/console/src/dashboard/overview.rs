//! The overview of a project, its first page: donations, requests today, and what is left to set up.

use askama::Template;

use super::configs::{self, split_bar};
use super::donations::DonationRow;
use super::extract::ProjectPath;
use super::keys;
use super::page::PageResult;
use super::page_error::PageError;
use super::projects::{ProjectView, TierRequestState, TierRequestView};
use super::session::Session;
use crate::chart::grouped;
use crate::donation_chart::DonationChart;
use crate::hue::Hue;
use crate::money;
use crate::split_bar::SplitBar;
use features::analytics::{self, Ranked, StatsFilter, StatsScope};
use features::catalogue::Snapshot;
use features::charities::CharityId;
use features::configs::Config;
use features::domain::day::DayRange;
use features::domain::donation_stats::DonationStats;
use features::donations;
use features::keys::KeyRecord;
use features::projects::ProjectId;
use features::usage::{self, Breakdown, Minute, StatusClass, Step as UsageStep, UsageQuery};
use features::webhooks;

/// The charities and configs that are ranked.
const RANKED: usize = 5;

/// The latest donations.
const LATEST: usize = 6;

#[derive(Template)]
#[template(path = "dashboard/overview.html")]
struct OverviewPage<'a> {
    project: &'a ProjectView,
    root: &'a str,
    /// The latest request for another tier.
    tier_request: Option<TierRequestView>,
    /// What is left to set up; empty once all is done.
    steps: Vec<SetupStep>,
    total: String,
    donations: String,
    donated: DonationChart,
    charities: Vec<TopCharity>,
    configs: Vec<TopConfig>,
    latest: Vec<LatestDonation>,
    requests: String,
    errors: String,
    /// How many configs count towards the quota.
    config_count: String,
}

/// A step of the setup.
struct SetupStep {
    title: &'static str,
    /// What it is for, and a link: its text and path.
    about: &'static str,
    link: (&'static str, String),
    is_done: bool,
}

struct TopCharity {
    name: String,
    slug: String,
    hue: Hue,
    usd: String,
}

struct TopConfig {
    name: String,
    path: String,
    split: SplitBar,
    usd: String,
}

/// A donation, with the name and the path of its config.
struct LatestDonation {
    row: DonationRow,
    config: String,
    path: String,
}

impl OverviewPage<'_> {
    /// Whether an operator has yet to answer; until then, no other tier can be asked for.
    fn tier_request_waits(&self) -> bool {
        let state = self.tier_request.as_ref().map(|request| &request.state);
        matches!(state, Some(TierRequestState::Waiting))
    }

    fn done(&self) -> usize {
        self.steps.iter().filter(|step| step.is_done).count()
    }

    /// Whether a step is the first that is left.
    fn is_next(&self, step: &SetupStep) -> bool {
        let next = self.steps.iter().find(|step| !step.is_done);
        next.is_some_and(|next| next.title == step.title)
    }
}

/// `GET /dashboard/projects/{project}`
pub(super) async fn show(session: Session, ProjectPath(id): ProjectPath) -> PageResult {
    let project = ProjectView::find(&session, id).await?;
    let (store, now) = (session.store(), session.now());
    let all = StatsScope::all(id);
    let totals = analytics::store::project_totals(store, all).await?.stats;
    let range = DonationChart::range(now).ok_or(PageError::Internal)?;
    let scope = StatsScope {
        project: id,
        range: Some(range),
        filter: StatsFilter::default(),
    };
    let days = analytics::store::project_days(store, scope).await?;
    let charities = analytics::store::charities_of_project(store, all, None, RANKED).await?;
    let ranked = analytics::store::configs_of_project(store, all, None, RANKED).await?;
    let latest = latest(&session, id, &totals).await?;
    let (requests, errors) = requests_today(&session, id).await?;
    let found = features::configs::store::project_with_configs(store, id, now).await?;
    let config_count = found.map_or(0, |(_, configs)| configs);

    let api = &session.context.setup.api;
    let configs = ranked.iter().map(|it| &it.member);
    let configs = configs.chain(latest.iter().map(|(config, _)| config));
    let snapshot = api.snapshot_for(configs).await?;
    let ranked = ranked.iter().filter(|it| it.member.is_shown_to(id));
    let frame = session.frame_of(&project).style("chart.css");
    let page = OverviewPage {
        project: &project,
        root: &frame.shell.root,
        tier_request: TierRequestView::latest(&session, id).await?,
        steps: steps(&session, &project, &totals, config_count).await?,
        total: money::whole_dollars(totals.usd),
        donations: grouped(totals.donations),
        donated: DonationChart::new(range, &days),
        charities: charities
            .iter()
            .map(|it| TopCharity::of(it, &snapshot))
            .collect(),
        configs: ranked.map(|it| TopConfig::of(it, &snapshot)).collect(),
        latest: latest
            .iter()
            .map(|(config, donation)| LatestDonation {
                row: DonationRow::new(donation, &snapshot, now),
                config: config_name(config),
                path: config_path(config),
            })
            .collect(),
        requests: grouped(requests),
        errors: grouped(errors),
        config_count: grouped(config_count),
    };
    frame.page(&project.name, &page)
}

/// The latest donations. Those of the days before the last one are read only if that has too few.
async fn latest(
    session: &Session,
    project: ProjectId,
    totals: &DonationStats,
) -> Result<Vec<(Config, donations::ListedDonation)>, PageError> {
    let Some(last) = totals.last else {
        return Ok(Vec::new());
    };
    let month = DonationChart::range(last).ok_or(PageError::Internal)?;
    let day = DayRange::new(month.last().date(), month.last().date());
    let day = day.ok_or(PageError::Internal)?;
    let read = async |days| {
        donations::store::latest_of_project(session.store(), project, days, LATEST).await
    };
    let latest = read(day).await?;
    match latest.len() < LATEST {
        true => Ok(read(month).await?),
        false => Ok(latest),
    }
}

/// The requests of today in UTC, and those of them that failed.
async fn requests_today(session: &Session, project: ProjectId) -> Result<(u64, u64), PageError> {
    let now = Minute::of(session.now());
    let query = UsageQuery {
        project,
        step: UsageStep::Hour,
        breakdown: Breakdown::Status,
        from: now.day(),
        to: Minute(now.0 + 1),
    };
    let rows = usage::store::usage(session.store(), session.actor(), query).await?;
    let rows = rows.ok_or(PageError::NotFound)?;
    let sum = |counts: fn(StatusClass) -> bool| {
        let counted = rows.iter().filter(|row| counts(row.class));
        counted.map(|row| row.requests).sum()
    };
    let is_error = |class| matches!(class, StatusClass::ClientError | StatusClass::ServerError);
    Ok((sum(StatusClass::is_admitted), sum(is_error)))
}

/// The steps of the setup; none if all are done.
async fn steps(
    session: &Session,
    project: &ProjectView,
    totals: &DonationStats,
    config_count: u64,
) -> Result<Vec<SetupStep>, PageError> {
    let id = ProjectId(project.id);
    let keys = keys::list(session, session.actor(), id).await?;
    let is_live = |key: &KeyRecord| key.end(session.now()).is_none();
    let webhooks = webhooks::store::webhooks(session.store(), id, None, 1).await?;
    let path = project.path();
    let newest = features::configs::store::configs(session.store(), id, None, None, 1).await?;
    let donate = match newest.first() {
        Some(config) if session.context.setup.is_demo => {
            ("Simulate a donation", config_path(config))
        }
        _ => ("Read the guide", "/docs/guides/first-donation".to_owned()),
    };
    let step = |title, about, link, is_done| SetupStep {
        title,
        about,
        link,
        is_done,
    };
    let steps = vec![
        step(
            "Create a key",
            "Your server sends it with each request.",
            ("Create a key", format!("{path}/keys/new")),
            keys.iter().any(is_live),
        ),
        step(
            "Create a config",
            "Choose charities and how donations are split between them.",
            ("Create a config", format!("{path}/configs/new")),
            config_count > 0 || totals.donations > 0,
        ),
        step(
            "Create a webhook",
            "We notify your server of each donation within a second or two.",
            ("Create a webhook", format!("{path}/webhooks/new")),
            !webhooks.is_empty(),
        ),
        step(
            "Receive your first donation",
            "Send an on-chain donation that carries a config’s ID.",
            donate,
            totals.donations > 0,
        ),
    ];
    Ok(match steps.iter().all(|step| step.is_done) {
        true => Vec::new(),
        false => steps,
    })
}

impl TopCharity {
    fn of(ranked: &Ranked<CharityId>, snapshot: &Snapshot) -> Self {
        let charity = snapshot.charities.any(ranked.member);
        Self {
            name: charity.map_or_else(String::new, |it| it.name.clone()),
            slug: charity.map_or_else(String::new, |it| it.slug.clone()),
            hue: Hue::of(ranked.member),
            usd: money::dollars(ranked.stats.usd),
        }
    }
}

impl TopConfig {
    fn of(ranked: &Ranked<Config>, snapshot: &Snapshot) -> Self {
        Self {
            name: config_name(&ranked.member),
            path: config_path(&ranked.member),
            split: split_bar(&ranked.member, snapshot),
            usd: money::dollars(ranked.stats.usd),
        }
    }
}

/// The name of a config, or else its short id.
fn config_name(config: &Config) -> String {
    let short_id = || configs::shortened(&config.id.to_string());
    config.labels.name.clone().unwrap_or_else(short_id)
}

fn config_path(config: &Config) -> String {
    format!("{}/{}", configs::path(config.project), config.id)
}
