//! The projects of an account, and making one.

use askama::Template;
use axum::extract::State;
use http::HeaderMap;
use serde::Deserialize;
use uuid::Uuid;

use super::choice::Expiry;
use super::context::Context;
use super::cookies::CookieKind;
use super::extract::{Form, ProjectPath, QueryParameters};
use super::invitations;
use super::keys;
use super::page::{PageResult, page, refused, see_other, sentence};
use super::page_error::{Made, PageError};
use super::sidebar::Sidebar;
use super::signed_in::Session;
use super::tier::{TierRequestState, TierRequestView};

use super::view::{KeyView, ProjectView};
use crate::accounts::SignedIn;
use crate::keys::KeyId;
use crate::keys::lifecycle::{self, KeyRequest};
use crate::projects::{self, ProjectChangeError, ProjectId, ProjectRefusal};
use crate::public_pages::money;
use crate::site::Shell;

#[derive(Template)]
#[template(path = "dashboard/projects.html")]
struct ProjectsPage<'a> {
    shell: Shell<'a>,
    side: Sidebar,
    /// With whether each is suspended.
    projects: Vec<(ProjectView, bool)>,
    nonce: Uuid,
    form: &'a NewProject,
    error: Option<String>,
}

#[derive(Template)]
#[template(path = "dashboard/project.html")]
struct ProjectPage<'a> {
    shell: Shell<'a>,
    side: Sidebar,
    project: ProjectView,
    /// How many configs count towards its quota.
    configs: String,
    /// Those that have not ended, the newest first.
    keys: Vec<KeyView>,
    /// Those that have, the newest first.
    ended: Vec<KeyView>,
    /// The number of keys that ended before those shown.
    ended_before: usize,
    /// Whether it was just made, and its first key, which was asked for, needs a new sign-in.
    lacks_key: bool,
    /// The latest request for another tier.
    tier_request: Option<TierRequestView>,
}

impl ProjectPage<'_> {
    /// Whether an operator has yet to answer; until then, no other tier can be asked for.
    fn tier_request_waits(&self) -> bool {
        let state = self.tier_request.as_ref().map(|request| &request.state);
        matches!(state, Some(TierRequestState::Waiting))
    }

    /// The key that a sample is about: the newest that works.
    fn usable_key(&self) -> Option<&KeyView> {
        self.keys.iter().find(|key| !key.is_disabled())
    }
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
pub(super) struct ProjectQuery {
    /// There if the project was just made without the key that was asked for.
    #[serde(rename = "without-key")]
    without_key: Option<String>,
}

/// The label of the key that a project begins with.
const FIRST_KEY: &str = "first key";

/// `GET /dashboard/projects`
pub(super) async fn list(State(context): State<Context>, session: Session) -> PageResult {
    let form = NewProject {
        nonce: None,
        name: String::new(),
        first_key: Some(String::new()),
    };
    page(&projects_page(&context, &session, &form, None).await?)
}

/// `POST /dashboard/projects`
pub(super) async fn create(
    State(context): State<Context>,
    session: Session,
    Form(form): Form<NewProject>,
) -> PageResult {
    let (store, account) = (context.store(), session.signed_in.account.id);
    let id = ProjectId(form.nonce.unwrap_or_else(Uuid::now_v7));
    let new = (id, form.name.as_str());
    let made = projects::create_own(store, account, new, context.rules(), context.now()).await;
    let issues_key = form.first_key.is_some() && session.require_recent(&context).is_ok();
    match made {
        Ok(id) if issues_key => first_key(&context, &session, id).await,
        Ok(ProjectId(id)) if form.first_key.is_some() => {
            Ok(see_other(&format!("/dashboard/projects/{id}?without-key")))
        }
        Ok(ProjectId(id)) => Ok(see_other(&format!("/dashboard/projects/{id}"))),
        Err(ProjectChangeError::Store(error)) => Err(error.into()),
        Err(ProjectChangeError::Refused(ProjectRefusal::AlreadyMade(_))) => {
            Err(PageError::Repeated(Made::Project(id)))
        }
        Err(refusal) => {
            let error = Some(sentence(&refusal));
            refused(&projects_page(&context, &session, &form, error).await?)
        }
    }
}

/// Makes a project with its first key, and shows that.
pub(super) async fn create_with_key(
    context: &Context,
    session: &Session,
    new: (ProjectId, &str),
) -> PageResult {
    let (store, account) = (context.store(), session.signed_in.account.id);
    let made = projects::create_own(store, account, new, context.rules(), context.now());
    first_key(context, session, made.await?).await
}

/// Issues a key to a project that was just made, and shows it.
async fn first_key(context: &Context, session: &Session, project: ProjectId) -> PageResult {
    let request = KeyRequest {
        id: KeyId(project.0),
        label: Some(FIRST_KEY.to_owned()),
        expires_in: Expiry::default().life(),
        quota: Some(context.rules().keys_per_project),
    };
    let (store, actor) = (context.store(), session.actor());
    let issued = lifecycle::issue(store, actor, project, request, context.now()).await;
    let issued = issued.map_err(|error| PageError::from_key_change(error, project))?;
    let project = ProjectView::find(context, session, project).await?;
    keys::show_once(context, session, &project, &issued, None)
}

/// `GET /dashboard/projects/{project}`
pub(super) async fn show(
    State(context): State<Context>,
    session: Session,
    ProjectPath(id): ProjectPath,
    QueryParameters(query): QueryParameters<ProjectQuery>,
) -> PageResult {
    let project = ProjectView::find(&context, &session, id).await?;
    let (store, actor, now) = (context.store(), session.actor(), context.now());
    let keys = KeyView::all(&context, &session, actor, id).await?;
    let lacks_key = query.without_key.is_some() && keys.is_empty();
    let (keys, mut ended): (Vec<_>, Vec<_>) = keys.into_iter().partition(KeyView::is_live);
    let ended_before = ended.len().saturating_sub(MAX_ENDED);
    ended.truncate(MAX_ENDED);
    let configs = crate::projects::store::project_with_configs(store, id, now).await?;
    page(&ProjectPage {
        shell: session.shell(&context),
        side: session.side_of(&project),
        configs: money::grouped(&configs.map_or(0, |(_, configs)| configs).to_string()),
        project,
        keys,
        ended,
        ended_before,
        lacks_key,
        tier_request: TierRequestView::latest(&context, &session, id).await?,
    })
}

/// The most keys on the page of a project that have ended: the newest.
const MAX_ENDED: usize = 50;

/// `GET /dashboard`: an invitation that waits for its answer, else the projects, or the operators' area for an operator
/// without one.
pub(super) async fn home(
    State(context): State<Context>,
    session: Session,
    headers: HeaderMap,
) -> PageResult {
    if context
        .cookies
        .get(&headers, CookieKind::Invitation)
        .is_some()
    {
        return Ok(see_other(invitations::PATH));
    }
    let SignedIn {
        account,
        is_operator,
        ..
    } = &session.signed_in;
    let has_work_elsewhere = *is_operator
        && crate::projects::store::projects_of(context.store(), account.id)
            .await?
            .is_empty();
    Ok(see_other(match has_work_elsewhere {
        true => "/dashboard/operator",
        false => "/dashboard/projects",
    }))
}

async fn projects_page<'a>(
    context: &'a Context,
    session: &'a Session,
    form: &'a NewProject,
    error: Option<String>,
) -> Result<ProjectsPage<'a>, PageError> {
    let account = session.signed_in.account.id;
    let own = crate::projects::store::projects_of(context.store(), account).await?;
    let projects = own
        .into_iter()
        .map(|own| (ProjectView::of(own.project, context), own.is_suspended));
    Ok(ProjectsPage {
        shell: session.shell(context),
        side: session.side(),
        projects: projects.collect(),
        nonce: form.nonce.unwrap_or_else(Uuid::now_v7),
        form,
        error,
    })
}
