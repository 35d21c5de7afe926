//! The editor of a new config: charities are searched, added, weighted and removed, then the config is created.
//!
//! Each step sends the whole form by GET; only the last one is a POST.

use askama::Template;
use axum::extract::State;

use super::config_draft::{ConfigDraft, DraftCharity, Fields, Focus};
use super::configs::share;
use super::context::Context;
use super::extract::{Form, ProjectPath, QueryParameters};
use super::notice::Notice;
use super::page::{PageResult, page, refused, sentence};
use super::page_error::{Made, PageError};
use super::sidebar::Sidebar;
use super::signed_in::Session;
use super::view::ProjectView;
use crate::catalogue::Snapshot;
use crate::charities::{Charity, CharityFilter, CharityId};
use crate::configs::lifecycle::{self, ConfigChangeError, ConfigRequest};
use crate::configs::{Config, ConfigLabels, Requester};
use crate::domain::amount::Weight;
use crate::projects::{self, ProjectId};
use crate::site::Shell;

/// The charities that a search shows.
const SHOWN: usize = 8;

#[derive(Template)]
#[template(path = "dashboard/new_config.html")]
struct NewConfigPage<'a> {
    shell: Shell<'a>,
    side: Sidebar,
    project: &'a ProjectView,
    draft: &'a ConfigDraft,
    name_error: Option<String>,
    charities: Vec<ChosenView>,
    /// The error of the whole config.
    error: Option<String>,
    found: Vec<FoundView<'a>>,
    /// The number of charities that fit the search and are not shown.
    more: usize,
}

/// A charity that was chosen.
struct ChosenView {
    id: CharityId,
    name: String,
    weight: String,
    share: Option<String>,
    error: Option<String>,
    has_focus: bool,
}

/// A charity that was found.
struct FoundView<'a> {
    charity: &'a Charity,
    category: String,
    is_chosen: bool,
}

/// The errors of a draft that was sent.
#[derive(Default)]
struct Errors {
    whole: Option<String>,
    name: Option<String>,
    /// The charities that no config may name.
    unknown: Vec<CharityId>,
    /// Whether weights are checked: not while they are being typed.
    checks_weights: bool,
}

/// `GET /dashboard/projects/{project}/configs/new`
pub(super) async fn edit(
    State(context): State<Context>,
    session: Session,
    ProjectPath(id): ProjectPath,
    QueryParameters(fields): QueryParameters<Fields>,
) -> PageResult {
    let project = ProjectView::find(&context, &session, id).await?;
    let draft = ConfigDraft::read(fields).ok_or(PageError::NotFound)?;
    let snapshot = context.setup.api.snapshot();
    let errors = Errors::default();
    let frame = (session.shell(&context), session.side_of(&project));
    page(&editor(frame, &project, &draft, &snapshot, errors))
}

/// `POST /dashboard/projects/{project}/configs`
pub(super) async fn create(
    State(context): State<Context>,
    session: Session,
    ProjectPath(id): ProjectPath,
    Form(fields): Form<Fields>,
) -> PageResult {
    let project = projects::find(context.store(), session.actor(), id).await?;
    let mut draft = ConfigDraft::read(fields).ok_or(PageError::Malformed)?;
    let mut errors = Errors {
        checks_weights: true,
        ..Errors::default()
    };
    if !draft.has_fit_name() {
        let most = ConfigLabels::MAX_NAME;
        errors.name = Some(format!(
            "A name has at most {most} characters, and no control characters."
        ));
    } else if let Some(beneficiaries) = draft.beneficiaries() {
        let request = ConfigRequest {
            requester: Requester::Actor(session.actor()),
            project: id,
            tier: project.tier,
            beneficiaries,
            labels: ConfigLabels {
                name: draft.name(),
                ..ConfigLabels::default()
            },
            // No key of a program has a space.
            idempotency_key: Some(format!("dashboard {}", draft.nonce)),
            encode: |_, _| Ok(Vec::new()),
            quota: &context.setup.api.quota,
        };
        match lifecycle::create(context.store(), request, context.now()).await {
            Ok(made) => {
                let (project, config) = (id.0, made.id);
                let path = format!("/dashboard/projects/{project}/configs/{config}");
                return Ok(Notice::ConfigMade.see_other(&path));
            }
            Err(error) => errors.add(error, id)?,
        }
    }
    draft.focus = errors.first(&draft);
    let project = ProjectView::find(&context, &session, id).await?;
    let snapshot = context.setup.api.snapshot();
    let frame = (session.shell(&context), session.side_of(&project));
    refused(&editor(frame, &project, &draft, &snapshot, errors))
}

fn editor<'a>(
    (shell, side): (Shell<'a>, Sidebar),
    project: &'a ProjectView,
    draft: &'a ConfigDraft,
    snapshot: &'a Snapshot,
    errors: Errors,
) -> NewConfigPage<'a> {
    let words = draft.search.split_whitespace().map(str::to_lowercase);
    let filter = CharityFilter {
        words: words.collect(),
        ..CharityFilter::default()
    };
    let (found, all) = snapshot.charities.search(&filter, SHOWN);
    let weights = draft.beneficiaries().map(|beneficiaries| {
        let weights = beneficiaries.iter().map(|it| it.weight.get());
        weights.collect::<Vec<_>>()
    });
    let chosen = draft
        .charities
        .iter()
        .enumerate()
        .map(|(place, chosen)| ChosenView {
            id: chosen.id,
            name: snapshot.charities.any(chosen.id).map_or_else(
                || "An unknown charity".to_owned(),
                |charity| charity.name.clone(),
            ),
            weight: chosen.weight.clone(),
            share: chosen
                .weight()
                .zip(weights.as_deref())
                .map(|(weight, weights)| share(weight.get(), weights)),
            error: errors.of(chosen),
            has_focus: draft.focus == Focus::Weight(place),
        });
    NewConfigPage {
        shell,
        side,
        project,
        draft,
        name_error: errors.name.clone(),
        charities: chosen.collect(),
        error: errors.whole.clone(),
        more: all - found.len(),
        found: found
            .into_iter()
            .map(|charity| FoundView {
                charity,
                category: charity.category.as_str().replace('-', " "),
                is_chosen: draft.has(charity.id),
            })
            .collect(),
    }
}

impl Errors {
    /// Adds the refusal of a draft; returns any other error.
    fn add(&mut self, error: ConfigChangeError, project: ProjectId) -> Result<(), PageError> {
        match error {
            ConfigChangeError::UnknownCharities(charities) => self.unknown = charities,
            ConfigChangeError::Number => {
                let most = Config::MAX_BENEFICIARIES;
                self.whole = Some(format!("Choose from 1 to {most} charities."));
            }
            ConfigChangeError::Repeated(_) => {
                self.whole = Some("Remove the charity that is named twice.".to_owned());
            }
            ConfigChangeError::QuotaExceeded(_) => {
                let refusal = sentence(&error);
                self.whole = Some(format!(
                    "{refusal} Delete one and wait for a day, or ask for a higher tier."
                ));
            }
            ConfigChangeError::KeyReused => {
                return Err(PageError::Repeated(Made::Config(project)));
            }
            ConfigChangeError::UnknownProject => return Err(PageError::NotFound),
            ConfigChangeError::Random(error) => return Err(error.into()),
            ConfigChangeError::Store(error) => return Err(error.into()),
        }
        Ok(())
    }

    /// The error of a chosen charity.
    fn of(&self, chosen: &DraftCharity) -> Option<String> {
        if self.unknown.contains(&chosen.id) {
            return Some("This charity takes no donations any more: remove it.".to_owned());
        }
        let is_wrong = self.checks_weights && chosen.weight().is_none();
        is_wrong.then(|| format!("A weight is a whole number from 1 to {}.", Weight::MAX))
    }

    /// The first control that has to be changed.
    fn first(&self, draft: &ConfigDraft) -> Focus {
        if self.name.is_some() {
            return Focus::Name;
        }
        let mut chosen = draft.charities.iter();
        let wrong = chosen.position(|chosen| self.of(chosen).is_some());
        wrong.map_or(Focus::Search, Focus::Weight)
    }
}
