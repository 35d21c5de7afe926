//! The editor of a new config: charities are searched, added, weighted and removed, then the config is created.
//!
//! Each step sends the whole form by GET; only the last one is a POST. The whole state is in the form, so that the
//! editor works without scripts and on every replica, and the Back button undoes a step. Without scripts, a page shows
//! the shares before the config is created, because it never changes; with them, they are shown while weights are typed.

use askama::Template;
use generated::patterns::CONFIG_NAME;
use uuid::Uuid;

use super::configs;
use super::extract::{Form, ProjectPath, QueryParameters};
use super::notice::Notice;
use super::page::PageResult;
use super::page_error::{Made, PageError};
use super::projects::ProjectView;
use super::session::Session;
use crate::hue::Hue;
use crate::money::grouped;
use crate::public_pages::{category, country};
use crate::split_bar::SplitBar;
use features::catalogue::Snapshot;
use features::charities::{Charity, CharityFilter, CharityId, search_words};
use features::configs::lifecycle::{self, ConfigRequest};
use features::configs::{Beneficiary, Config, ConfigError, ConfigLabels, ConfigRejection};
use features::domain::amount::Weight;
use features::project_lifecycle;
use features::projects::{ProjectId, Requester};

/// The charities that a search shows.
const SHOWN: usize = 8;

#[derive(Template)]
#[template(path = "dashboard/new_config.html")]
struct NewConfigPage<'a> {
    root: &'a str,
    project: &'a ProjectView,
    draft: &'a ConfigDraft,
    name_error: Option<String>,
    charities: Vec<ChosenView>,
    split: SplitBar,
    /// The error of the whole config.
    error: Option<String>,
    found: Vec<FoundView<'a>>,
    /// The number of charities that fit the search and are not shown.
    more: usize,
}

#[derive(Template)]
#[template(path = "dashboard/review_config.html")]
struct ReviewPage<'a> {
    project: &'a ProjectView,
    draft: &'a ConfigDraft,
    split: SplitBar,
}

struct ChosenView {
    id: CharityId,
    name: String,
    hue: Hue,
    weight: String,
    share: Option<String>,
    error: Option<String>,
    has_focus: bool,
}

struct FoundView<'a> {
    charity: &'a Charity,
    country: &'a str,
    hue: Hue,
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
    session: Session,
    ProjectPath(id): ProjectPath,
    QueryParameters(fields): QueryParameters<Fields>,
) -> PageResult {
    let project = ProjectView::find(&session, id).await?;
    let mut draft = ConfigDraft::read(fields).ok_or(PageError::NotFound)?;
    if !draft.is_reviewed {
        return editor(&session, &project, &draft, None);
    }
    match Errors::of_draft(&draft, &session.context.setup.api.snapshot()) {
        Some(errors) => {
            draft.focus = errors.first(&draft);
            editor(&session, &project, &draft, Some(errors))
        }
        None => review(&session, &project, &draft),
    }
}

/// The page that shows the shares of a config before it is created.
fn review(session: &Session, project: &ProjectView, draft: &ConfigDraft) -> PageResult {
    let page = ReviewPage {
        project,
        draft,
        split: draft.split(&session.context.setup.api.snapshot()),
    };
    configs::frame_below(session, project).page("Create this config?", &page)
}

/// `POST /dashboard/projects/{project}/configs`
pub(super) async fn create(
    session: Session,
    ProjectPath(id): ProjectPath,
    Form(fields): Form<Fields>,
) -> PageResult {
    let project = project_lifecycle::find(session.store(), session.actor(), id).await?;
    let mut draft = ConfigDraft::read(fields).ok_or(PageError::Malformed)?;
    let mut errors = Errors {
        checks_weights: true,
        ..Errors::default()
    };
    if !draft.has_fit_name() {
        errors.name = Some(name_error());
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
            quota: &session.context.setup.api.quota,
        };
        match lifecycle::create(session.store(), request, session.now()).await {
            Ok(made) => {
                let path = format!("{}/{}", configs::path(id), made.id);
                return Ok(Notice::ConfigMade.see_other(&path));
            }
            Err(error) => errors.add(error, id)?,
        }
    }
    draft.focus = errors.first(&draft);
    let project = ProjectView::find(&session, id).await?;
    editor(&session, &project, &draft, Some(errors))
}

/// The page of a draft, with the errors of a draft that was sent.
fn editor(
    session: &Session,
    project: &ProjectView,
    draft: &ConfigDraft,
    errors: Option<Errors>,
) -> PageResult {
    let frame = configs::frame_below(session, project).rejected_if(errors.is_some());
    let frame = frame.script("shares.js");
    let errors = errors.unwrap_or_default();
    let snapshot = session.context.setup.api.snapshot();
    let filter = CharityFilter {
        words: search_words(&draft.search),
        ..CharityFilter::default()
    };
    let (found, all) = snapshot.charities.search(&filter, SHOWN);
    let split = draft.split(&snapshot);
    let has_weights = draft.beneficiaries().is_some();
    let chosen = draft.charities.iter().zip(&split.parts).enumerate();
    let chosen = chosen.map(|(place, (chosen, part))| ChosenView {
        id: chosen.id,
        name: part.name.clone(),
        hue: part.hue,
        weight: chosen.weight.clone(),
        share: has_weights.then(|| part.share.clone()),
        error: errors.of(chosen),
        has_focus: draft.focus == Focus::Weight(place),
    });
    let page = NewConfigPage {
        root: &frame.shell.root,
        project,
        draft,
        name_error: errors.name.clone(),
        charities: chosen.collect(),
        split,
        error: errors.whole.clone(),
        more: all - found.len(),
        found: found
            .into_iter()
            .map(|charity| FoundView {
                charity,
                country: country::name(&charity.country),
                hue: Hue::of(charity.id),
                category: category::name(charity.category),
                is_chosen: draft.has(charity.id),
            })
            .collect(),
    };
    frame.page("Create a config", &page)
}

fn name_error() -> String {
    let most = ConfigLabels::MAX_NAME;
    format!("Use at most {most} characters and no control characters.")
}

impl Errors {
    /// The errors of a draft before it is reviewed; what this leaves out, creating the config rejects.
    fn of_draft(draft: &ConfigDraft, snapshot: &Snapshot) -> Option<Self> {
        let is_unknown = |id: &CharityId| !snapshot.charities.any(*id).is_some_and(|it| it.active);
        let chosen = draft.charities.iter().map(|chosen| chosen.id);
        let errors = Self {
            whole: None,
            name: (!draft.has_fit_name()).then(name_error),
            unknown: chosen.filter(is_unknown).collect(),
            checks_weights: true,
        };
        let is_wrong = errors.name.is_some()
            || !errors.unknown.is_empty()
            || draft.charities.is_empty()
            || draft.beneficiaries().is_none();
        is_wrong.then_some(errors)
    }

    /// Adds the rejection of a draft; returns any other error.
    fn add(&mut self, error: ConfigError, project: ProjectId) -> Result<(), PageError> {
        let rejection = match error {
            ConfigError::Rejected(rejection) => rejection,
            ConfigError::Random(error) => return Err(error.into()),
            ConfigError::Db(error) => return Err(error.into()),
        };
        match rejection {
            ConfigRejection::UnknownCharities(charities) => self.unknown = charities,
            ConfigRejection::Number => {
                let most = Config::MAX_BENEFICIARIES;
                self.whole = Some(format!("Choose 1 to {most} charities."));
            }
            ConfigRejection::Repeated(_) => {
                self.whole = Some("Remove the duplicate charity.".to_owned());
            }
            ConfigRejection::QuotaExceeded(limit) => {
                self.whole = Some(format!(
                    "The project has reached its limit of {limit} configs, including those deleted in the last 24 hours. Delete one \
                     and try again in 24 hours, or request a higher tier."
                ));
            }
            ConfigRejection::KeyReused => {
                return Err(PageError::Repeated(Made::Config(project)));
            }
            ConfigRejection::UnknownProject | ConfigRejection::UnknownConfig => {
                return Err(PageError::NotFound);
            }
            // The form has neither conditions nor metadata.
            ConfigRejection::OtherTag | ConfigRejection::TooManyPairs => {
                return Err(PageError::Malformed);
            }
        }
        Ok(())
    }

    /// The error of a chosen charity.
    fn of(&self, chosen: &DraftCharity) -> Option<String> {
        if self.unknown.contains(&chosen.id) {
            return Some("This charity no longer takes donations. Remove it.".to_owned());
        }
        let is_wrong = self.checks_weights && chosen.weight().is_none();
        is_wrong.then(|| {
            format!(
                "Enter a whole number from 1 to {}.",
                grouped(&Weight::MAX.to_string())
            )
        })
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

/// The fields of a form, in the order of the page.
pub(super) type Fields = Vec<(String, String)>;

/// A config that is being edited.
#[derive(Debug, Clone, PartialEq, Eq)]
struct ConfigDraft {
    /// Identifies repetitions of the form.
    nonce: Uuid,
    /// The name, which may be empty.
    name: String,
    /// The words that charities are searched by.
    search: String,
    charities: Vec<DraftCharity>,
    focus: Focus,
    /// Whether the button was pressed that leads to its review.
    is_reviewed: bool,
}

/// A charity that was chosen, with its weight as it was typed.
#[derive(Debug, Clone, PartialEq, Eq)]
struct DraftCharity {
    id: CharityId,
    weight: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Focus {
    Name,
    Search,
    /// The weight of a charity, by its place.
    Weight(usize),
}

impl ConfigDraft {
    /// Reads the draft of a form, and takes the step of the button that sent it; `None` if the form has no such
    /// fields.
    fn read(fields: Fields) -> Option<Self> {
        let mut draft = Self {
            nonce: Uuid::now_v7(),
            name: String::new(),
            search: String::new(),
            charities: Vec::new(),
            focus: Focus::Search,
            is_reviewed: false,
        };
        for (name, value) in fields {
            let charity = || Uuid::try_parse(&value).ok().map(CharityId);
            match &*name {
                "nonce" => draft.nonce = Uuid::try_parse(&value).ok()?,
                "name" => draft.name = value,
                "search" => draft.search = value,
                "charity" => draft.charities.push(DraftCharity {
                    id: charity()?,
                    weight: String::new(),
                }),
                "weight" => draft.charities.last_mut()?.weight = value,
                "add" => draft.add(charity()?),
                "remove" => {
                    let removed = charity()?;
                    draft.charities.retain(|chosen| chosen.id != removed);
                }
                "review" => draft.is_reviewed = true,
                _ => return None,
            }
        }
        Some(draft)
    }

    /// Adds a charity with the weight of the last one, so that equal parts stay equal.
    fn add(&mut self, id: CharityId) {
        if !self.is_full() && !self.has(id) {
            let last = self.charities.last();
            let weight = last.map_or_else(|| "1".to_owned(), |last| last.weight.clone());
            self.focus = Focus::Weight(self.charities.len());
            self.charities.push(DraftCharity { id, weight });
        }
    }

    /// Whether the name is one that the API takes, or none.
    fn has_fit_name(&self) -> bool {
        self.name().is_none_or(|name| {
            name.chars().count() <= ConfigLabels::MAX_NAME && CONFIG_NAME.is_match(&name)
        })
    }

    fn name(&self) -> Option<String> {
        let name = self.name.trim();
        (!name.is_empty()).then(|| name.to_owned())
    }

    /// Whether a charity is chosen.
    fn has(&self, id: CharityId) -> bool {
        self.charities.iter().any(|chosen| chosen.id == id)
    }

    /// Whether no further charity can be chosen.
    fn is_full(&self) -> bool {
        self.charities.len() >= Config::MAX_BENEFICIARIES
    }

    /// The bar of its split, in which what is no weight has no width.
    fn split(&self, snapshot: &Snapshot) -> SplitBar {
        let parts = self.charities.iter().map(|chosen| {
            let charity = snapshot.charities.any(chosen.id);
            let name = charity.map_or("An unknown charity", |charity| charity.name.as_str());
            let weight = chosen.weight().map_or(0, Weight::get);
            (chosen.id, name.to_owned(), weight)
        });
        SplitBar::new(parts.collect())
    }

    /// The charities with their weights; `None` if one is no weight.
    fn beneficiaries(&self) -> Option<Vec<Beneficiary>> {
        let each = self.charities.iter().map(|chosen| {
            let weight = chosen.weight();
            weight.map(|weight| Beneficiary {
                charity: chosen.id,
                weight,
            })
        });
        each.collect()
    }
}

impl DraftCharity {
    fn weight(&self) -> Option<Weight> {
        let text = self.weight.trim();
        let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
        let number = text.parse().ok().filter(|_| is_number);
        number.and_then(Weight::new)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(fields: &[(&str, &str)]) -> Option<ConfigDraft> {
        let own = |&(name, value): &(&str, &str)| (name.to_owned(), value.to_owned());
        ConfigDraft::read(fields.iter().map(own).collect())
    }

    fn id(n: u8) -> String {
        Uuid::from_bytes([n; 16]).to_string()
    }

    fn weights(draft: &ConfigDraft) -> Vec<&str> {
        let weights = draft.charities.iter().map(|it| it.weight.as_str());
        weights.collect()
    }

    #[test]
    fn a_charity_is_added_once_with_the_last_weight() {
        let (one, two) = (id(1), id(2));
        let draft = read(&[("charity", &one), ("weight", "30"), ("add", &two)]).unwrap();
        assert_eq!(weights(&draft), ["30", "30"]);
        assert_eq!(draft.focus, Focus::Weight(1));
        let draft = read(&[("charity", &one), ("weight", "30"), ("add", &one)]).unwrap();
        assert_eq!(weights(&draft), ["30"]);
    }

    #[test]
    fn five_charities_are_all() {
        let ids: Vec<_> = (1..=6).map(id).collect();
        let mut fields = Vec::new();
        for chosen in &ids[..5] {
            fields.extend([("charity", &**chosen), ("weight", "1")]);
        }
        fields.push(("add", &ids[5]));
        assert_eq!(read(&fields).unwrap().charities.len(), 5);
        fields.push(("remove", &ids[0]));
        assert_eq!(read(&fields).unwrap().charities.len(), 4);
    }

    #[test]
    fn fields_that_the_form_does_not_have_are_refused() {
        let one = id(1);
        for fields in [
            &[("charity", "x")][..],
            &[("weight", "1")],
            &[("nonce", "1")],
            &[("add", &one), ("other", "1")],
        ] {
            assert_eq!(read(fields), None, "{fields:?}");
        }
    }

    #[test]
    fn weights_are_digits() {
        let weight = |text: &str| {
            let weight = text.to_owned();
            let id = CharityId(Uuid::nil());
            DraftCharity { id, weight }.weight().map(Weight::get)
        };
        assert_eq!(weight(" 25 "), Some(25));
        assert_eq!(weight("1000000"), Some(1_000_000));
        for wrong in ["", "0", "-1", "+1", "1.5", "1e3", "1000001", "x", "１"] {
            assert_eq!(weight(wrong), None, "{wrong}");
        }
    }
}
