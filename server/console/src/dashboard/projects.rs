//! The projects of an account: making, renaming and deleting one, its settings, and asking for another tier.

use askama::Template;
use http::HeaderMap;
use serde::Deserialize;
use uuid::Uuid;

use super::choice::Expiry;
use super::confirmation::{Confirmation, TypedName, prose};
use super::context::Shared;
use super::cookies::CookieKind;
use super::extract::{Form, ProjectPath};
use super::keys;
use super::members::INVITATION;
use super::notice::Notice;
use super::page::{PageResult, see_other, sentence};
use super::page_error::{Made, PageError};
use super::session::Session;
use super::time::Time;
use crate::members::{self, Member};
use crate::money;
use crate::tier_requests::{self, TierRequest, TierRequestError, TierRequestRejection};
use db::DbError;
use features::keys::lifecycle::{self, KeyRequest};
use features::keys::{KeyId, KeyLabels};
use features::project_lifecycle::{self, ProjectChangeError, ProjectRejection};
use features::projects::{self, Project, ProjectId, Role, Tier};
use features::suspensions::{self, Suspension};

/// The path of the projects of an account.
const PATH: &str = "/dashboard/projects";

pub(super) fn path(ProjectId(id): ProjectId) -> String {
    format!("{PATH}/{id}")
}

#[derive(Template)]
#[template(path = "dashboard/projects.html")]
struct ProjectsPage<'a> {
    /// With whether each is suspended.
    projects: Vec<(ProjectView, bool)>,
    nonce: Uuid,
    form: &'a NewProject,
    error: Option<String>,
}

#[derive(Template)]
#[template(path = "dashboard/settings.html")]
struct SettingsPage<'a> {
    project: &'a ProjectView,
    is_owner: bool,
}

#[derive(Template)]
#[template(path = "dashboard/rename_project.html")]
struct RenamePage<'a> {
    project: &'a ProjectView,
    name: &'a str,
    error: Option<String>,
}

#[derive(Template)]
#[template(path = "dashboard/tier_request.html")]
struct TierPage<'a> {
    project: &'a ProjectView,
    /// The tiers that the project does not have.
    choices: Vec<Tier>,
    chosen: Tier,
    /// The request that waits, if there is one: no other can be made.
    waiting: Option<TierRequestView>,
    reason: &'a str,
    error: Option<String>,
}

/// A project with its limits.
pub(super) struct ProjectView {
    pub(super) id: Uuid,
    pub(super) name: String,
    pub(super) tier: &'static str,
    /// Requests in any 60 s.
    pub(super) limit: u32,
    /// Configs.
    pub(super) quota: u32,
    /// Where the project was asked for by [`Self::find`], and is suspended.
    pub(super) suspended: Option<Suspended>,
}

/// A suspension as pages show it.
#[derive(Clone)]
pub(super) struct Suspended {
    pub(super) reason: String,
    pub(super) since: Time,
}

/// The latest request of a project, as its page shows it.
pub(super) struct TierRequestView {
    pub(super) tier: &'static str,
    pub(super) state: TierRequestState,
    /// When it was asked or decided.
    pub(super) at: Time,
}

/// How far a request is.
pub(super) enum TierRequestState {
    Waiting,
    /// With the operator's answer.
    Accepted(String),
    /// With the operator's answer.
    Declined(String),
}

/// The nonce is the id of the project, and of its first key if one is asked for, so that a form that is sent
/// twice makes one of each.
#[derive(Deserialize)]
pub(super) struct NewProject {
    nonce: Option<Uuid>,
    name: String,
    first_key: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct NameForm {
    name: String,
}

#[derive(Deserialize)]
pub(super) struct TierForm {
    tier: Tier,
    reason: String,
}

/// The label of the key that a project begins with.
const FIRST_KEY: &str = "first key";

/// `GET /dashboard/projects`
pub(super) async fn list(session: Session) -> PageResult {
    let form = NewProject {
        nonce: None,
        name: String::new(),
        first_key: Some(String::new()),
    };
    projects_page(&session, &form, None).await
}

/// `POST /dashboard/projects`
pub(super) async fn create(session: Session, Form(form): Form<NewProject>) -> PageResult {
    let (store, account, rules) = (session.store(), session.account(), session.context.rules());
    let id = ProjectId(form.nonce.unwrap_or_else(Uuid::now_v7));
    let new = (id, form.name.as_str());
    let made = project_lifecycle::create_own(store, account, new, rules, session.now()).await;
    let issues_key = form.first_key.is_some() && session.require_recent().is_ok();
    match made {
        Ok(id) if issues_key => first_key(&session, id).await,
        Ok(id) if form.first_key.is_some() => {
            Ok(see_other(&format!("{}?without-key", keys::path(id))))
        }
        Ok(id) => Ok(see_other(&path(id))),
        Err(ProjectChangeError::Db(error)) => Err(error.into()),
        Err(ProjectChangeError::Rejected(ProjectRejection::AlreadyMade(_))) => {
            Err(PageError::Repeated(Made::Project(id)))
        }
        Err(error) => projects_page(&session, &form, Some(sentence(&error))).await,
    }
}

async fn projects_page(session: &Session, form: &NewProject, error: Option<String>) -> PageResult {
    let own = projects::store::projects_of(session.store(), session.account()).await?;
    let view = |project| ProjectView::of(project, &session.context);
    let projects = own.into_iter();
    let projects = projects.map(|own| (view(own.project), own.is_suspended));
    let frame = session.frame().rejected_if(error.is_some());
    let page = ProjectsPage {
        projects: projects.collect(),
        nonce: form.nonce.unwrap_or_else(Uuid::now_v7),
        form,
        error,
    };
    frame.page("Projects", &page)
}

/// Makes a project with its first key, and shows that.
pub(super) async fn create_with_key(session: &Session, new: (ProjectId, &str)) -> PageResult {
    let (store, account, rules) = (session.store(), session.account(), session.context.rules());
    let made = project_lifecycle::create_own(store, account, new, rules, session.now());
    first_key(session, made.await?).await
}

/// Issues a key to a project that was just made, and shows it.
async fn first_key(session: &Session, project: ProjectId) -> PageResult {
    let request = KeyRequest {
        id: KeyId(project.0),
        labels: KeyLabels::with_label(FIRST_KEY),
        quota: Some(session.context.rules().keys_per_project),
        ..KeyRequest::lasting(Expiry::default().life())
    };
    let (store, actor) = (session.store(), session.actor());
    let issued = lifecycle::issue(store, actor, project, request, session.now()).await;
    let issued = issued.map_err(|error| PageError::from_key_change(error, project))?;
    let project = ProjectView::find(session, project).await?;
    keys::show_once(session, &project, &issued, None)
}

/// `GET /dashboard`: an invitation that waits for its answer, else the projects, or the operators' area for an operator
/// without one.
pub(super) async fn home(session: Session, headers: HeaderMap) -> PageResult {
    let cookies = session.context.cookies;
    if cookies.get(&headers, CookieKind::Invitation).is_some() {
        return Ok(see_other(INVITATION));
    }
    let own = projects::store::projects_of(session.store(), session.account());
    let has_work_elsewhere = session.signed_in.is_operator && own.await?.is_empty();
    Ok(see_other(match has_work_elsewhere {
        true => "/dashboard/operator",
        false => PATH,
    }))
}

/// `GET /dashboard/projects/{project}/settings`
pub(super) async fn settings(session: Session, ProjectPath(id): ProjectPath) -> PageResult {
    let project = ProjectView::find(&session, id).await?;
    let page = SettingsPage {
        project: &project,
        is_owner: ProjectView::is_owned(&session, id).await?,
    };
    let title = project.title("Settings");
    session.frame_of(&project).page(&title, &page)
}

/// `GET /dashboard/projects/{project}/rename`
pub(super) async fn renaming(session: Session, ProjectPath(id): ProjectPath) -> PageResult {
    let project = ProjectView::owned(&session, id).await?;
    session.require_recent()?;
    rename_page(&session, &project, &project.name, None)
}

/// `POST /dashboard/projects/{project}/rename`
pub(super) async fn rename(
    session: Session,
    ProjectPath(id): ProjectPath,
    Form(NameForm { name }): Form<NameForm>,
) -> PageResult {
    let project = ProjectView::find(&session, id).await?;
    session.require_recent()?;
    let (store, actor) = (session.store(), session.actor());
    match project_lifecycle::rename(store, actor, id, &name, session.now()).await {
        Ok(()) => Ok(Notice::ProjectRenamed.see_other(&path(id))),
        Err(
            error @ (ProjectChangeError::NoName
            | ProjectChangeError::UnprintableName
            | ProjectChangeError::LongName),
        ) => rename_page(&session, &project, &name, Some(sentence(&error))),
        Err(error) => Err(error.into()),
    }
}

fn rename_page(
    session: &Session,
    project: &ProjectView,
    name: &str,
    error: Option<String>,
) -> PageResult {
    let frame = session.frame_of(project).rejected_if(error.is_some());
    let page = RenamePage {
        project,
        name,
        error,
    };
    frame.page("Rename a project", &page)
}

/// `GET /dashboard/projects/{project}/delete`
pub(super) async fn deletion(session: Session, ProjectPath(id): ProjectPath) -> PageResult {
    let project = ProjectView::owned(&session, id).await?;
    session.require_recent()?;
    deletion_page(&session, &project, None)
}

/// `POST /dashboard/projects/{project}/delete`
pub(super) async fn delete(
    session: Session,
    ProjectPath(id): ProjectPath,
    Form(NameForm { name }): Form<NameForm>,
) -> PageResult {
    let project = ProjectView::owned(&session, id).await?;
    session.require_recent()?;
    // A page shows one blank where the name has several.
    let is_confirmed = (name.split_whitespace()).eq(project.name.split_whitespace());
    if !is_confirmed {
        let error = Some("The name does not match.");
        return deletion_page(&session, &project, error);
    }
    project_lifecycle::delete(session.store(), session.actor(), id, session.now()).await?;
    Ok(Notice::ProjectDeleted.see_other(PATH))
}

fn deletion_page(
    session: &Session,
    project: &ProjectView,
    error: Option<&'static str>,
) -> PageResult {
    let page = Confirmation {
        question: prose![format!("Delete “{}”?", project.name)],
        lead: prose![
            "Its keys are rejected within a second, and members lose access. Donations through its configs stay in the \
             statistics. This cannot be undone."
        ],
        action: format!("{}/delete", project.path()),
        typed: Some(TypedName {
            label: "Enter the project’s name",
            error,
        }),
        button: "Delete project",
        cancel: project.path(),
        ..Confirmation::default()
    };
    let frame = session.frame_of(project).rejected_if(error.is_some());
    frame.page("Delete a project", &page)
}

/// `GET /dashboard/projects/{project}/tier`
pub(super) async fn tier(session: Session, ProjectPath(id): ProjectPath) -> PageResult {
    let project = ProjectView::find(&session, id).await?;
    let choices = other_tiers(&project);
    let higher = choices.iter().find(|tier| **tier != Tier::Free);
    let chosen = higher.copied().unwrap_or(Tier::Pro);
    tier_page(&session, &project, (chosen, ""), None).await
}

/// `POST /dashboard/projects/{project}/tier`
pub(super) async fn ask_for_tier(
    session: Session,
    ProjectPath(id): ProjectPath,
    Form(TierForm { tier, reason }): Form<TierForm>,
) -> PageResult {
    let project = ProjectView::find(&session, id).await?;
    let (store, account) = (session.store(), session.account());
    let asked = tier_requests::ask(store, account, id, tier, &reason, session.now());
    let error = match asked.await {
        Ok(()) => return Ok(see_other(&path(id))),
        Err(TierRequestError::Sentence(error)) => sentence(&error),
        Err(TierRequestError::Rejected(
            rejection @ (TierRequestRejection::SameTier
            | TierRequestRejection::Waiting
            | TierRequestRejection::OwnsSuspended(_)),
        )) => sentence(&rejection),
        Err(error) => return Err(error.into()),
    };
    tier_page(&session, &project, (tier, &reason), Some(error)).await
}

fn other_tiers(project: &ProjectView) -> Vec<Tier> {
    let others = Tier::ALL.into_iter();
    others.filter(|it| it.label() != project.tier).collect()
}

async fn tier_page(
    session: &Session,
    project: &ProjectView,
    (chosen, reason): (Tier, &str),
    error: Option<String>,
) -> PageResult {
    let latest = TierRequestView::latest(session, ProjectId(project.id)).await?;
    let frame = session.frame_of(project).rejected_if(error.is_some());
    let page = TierPage {
        choices: other_tiers(project),
        project,
        chosen,
        waiting: latest.filter(|it| matches!(it.state, TierRequestState::Waiting)),
        reason,
        error,
    };
    frame.page("Request a tier", &page)
}

impl ProjectView {
    /// A project of the account that is signed in.
    pub(super) async fn find(session: &Session, id: ProjectId) -> Result<Self, PageError> {
        let (store, actor) = (session.store(), session.actor());
        let project = project_lifecycle::find(store, actor, id).await?;
        let suspension = suspensions::of_project(store, actor, id).await?;
        Ok(Self {
            suspended: suspension.map(|it| Suspended::of(it, session.now())),
            ..Self::of(project, &session.context)
        })
    }

    /// A project that the account owns.
    async fn owned(session: &Session, id: ProjectId) -> Result<Self, PageError> {
        let project = Self::find(session, id).await?;
        let is_owned = Self::is_owned(session, id).await?;
        is_owned.then_some(project).ok_or(PageError::NotOwner)
    }

    /// Whether the account that is signed in owns a project.
    pub(super) async fn is_owned(session: &Session, id: ProjectId) -> Result<bool, PageError> {
        let members = members::list(session.store(), session.actor(), id).await?;
        let this = session.account();
        let owns = |it: &Member| it.account == this && it.role == Role::Owner;
        Ok(members.iter().any(owns))
    }

    pub(super) fn of(project: Project, context: &Shared) -> Self {
        let quotas = **context.setup.quotas.get();
        Self {
            id: project.id.0,
            name: project.name,
            tier: project.tier.label(),
            limit: context.setup.rates.get().of(Some(project.tier)),
            quota: match project.tier {
                Tier::Free => quotas.free,
                Tier::Pro => quotas.pro,
                Tier::Enterprise => quotas.enterprise,
            },
            suspended: None,
        }
    }

    pub(super) fn path(&self) -> String {
        path(ProjectId(self.id))
    }

    /// The title of one of its pages.
    pub(super) fn title(&self, page: &str) -> String {
        format!("{page} · {}", self.name)
    }

    /// The limit, with its digits in groups.
    pub(super) fn grouped_limit(&self) -> String {
        money::grouped(&self.limit.to_string())
    }

    /// The quota, with its digits in groups.
    pub(super) fn grouped_quota(&self) -> String {
        money::grouped(&self.quota.to_string())
    }
}

impl Suspended {
    pub(super) fn of(suspension: Suspension, now: jiff::Timestamp) -> Self {
        let at = suspension.since;
        Self {
            reason: suspension.reason,
            since: Time { at, now },
        }
    }
}

impl TierRequestView {
    /// The latest request of a project of the account that is signed in.
    pub(super) async fn latest(
        session: &Session,
        project: ProjectId,
    ) -> Result<Option<Self>, DbError> {
        let (store, actor) = (session.store(), session.actor());
        let latest = tier_requests::latest(store, actor, project).await?;
        Ok(latest.map(|latest| Self::of(latest, session.now())))
    }

    fn of(request: TierRequest, now: jiff::Timestamp) -> Self {
        let (state, at) = match request.decision {
            None => (TierRequestState::Waiting, request.created_at),
            Some(it) if it.is_accepted => (TierRequestState::Accepted(it.answer), it.at),
            Some(it) => (TierRequestState::Declined(it.answer), it.at),
        };
        Self {
            tier: request.tier.label(),
            state,
            at: Time { at, now },
        }
    }
}
