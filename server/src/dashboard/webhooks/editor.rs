//! The forms of a new webhook, and of one that is changed.

use askama::Template;
use axum::extract::State;

use super::draft::{Checked, Draft, Errors, Fields};
use super::view::meaning;
use super::{find, path};
use crate::configs::Requester;
use crate::dashboard::context::Context;
use crate::dashboard::extract::{Form, ProjectPath, WebhookPath};
use crate::dashboard::page::{PageResult, page, refused, see_other, sentence};
use crate::dashboard::page_error::{Made, PageError};
use crate::dashboard::sidebar::Sidebar;
use crate::dashboard::signed_in::Session;
use crate::dashboard::time::Time;
use crate::dashboard::view::ProjectView;
use crate::site::Shell;
use crate::webhooks::lifecycle::{self, CreatedWebhook, WebhookError, WebhookRequest};
use crate::webhooks::secret::Secret;
use crate::webhooks::{EventType, Webhook, WebhookChange, WebhookId};

#[derive(Template)]
#[template(path = "dashboard/webhook_form.html")]
struct FormPage<'a> {
    shell: Shell<'a>,
    side: Sidebar,
    project: &'a ProjectView,
    /// The webhook that is changed; `None` if a new one is made.
    changed: Option<&'a Webhook>,
    draft: &'a Draft,
    errors: Errors,
}

impl FormPage<'_> {
    /// Every event that can be chosen: its name, its meaning, and whether it is chosen.
    fn events(&self) -> impl Iterator<Item = (&'static str, &'static str, bool)> {
        EventType::CHOICE.into_iter().map(|it| {
            let is_chosen = self.draft.events.contains(&it);
            (it.as_str(), meaning(it), is_chosen)
        })
    }
}

#[derive(Template)]
#[template(path = "dashboard/webhook_secret.html")]
struct SecretPage<'a> {
    shell: Shell<'a>,
    side: Sidebar,
    project: &'a ProjectView,
    webhook: &'a Webhook,
    secret: String,
    /// Until when the secret before this one signs too, if there was one.
    previous: Option<Time>,
}

/// `GET /dashboard/projects/{project}/webhooks/new`
pub(super) async fn new(
    State(context): State<Context>,
    session: Session,
    ProjectPath(project): ProjectPath,
) -> PageResult {
    let project = ProjectView::find(&context, &session, project).await?;
    session.require_recent(&context)?;
    let (draft, errors) = (Draft::new(), Errors::default());
    page(&form(&context, &session, &project, None, &draft, errors))
}

/// `POST /dashboard/projects/{project}/webhooks`
pub(super) async fn create(
    State(context): State<Context>,
    session: Session,
    ProjectPath(id): ProjectPath,
    Form(fields): Form<Fields>,
) -> PageResult {
    let project = ProjectView::find(&context, &session, id).await?;
    session.require_recent(&context)?;
    let draft = Draft::read(fields).ok_or(PageError::Malformed)?;
    let (setup, now) = (&context.setup.api.webhooks, context.now());
    let by = Requester::Actor(session.actor());
    let errors = match draft.check() {
        Err(errors) => errors,
        Ok(Checked {
            url,
            description,
            events,
        }) => {
            let request = WebhookRequest {
                id: WebhookId(draft.nonce),
                project: id,
                url,
                description,
                events,
                is_enabled: true,
                idempotency_key: None,
            };
            match lifecycle::create(context.store(), setup, by, request, now).await {
                Ok(CreatedWebhook {
                    webhook, secret, ..
                }) => {
                    return show_once(&context, &session, &project, &webhook, &secret);
                }
                Err(error) => shown(error, Made::Webhook(id, WebhookId(draft.nonce)))?,
            }
        }
    };
    refused(&form(&context, &session, &project, None, &draft, errors))
}

/// `GET /dashboard/projects/{project}/webhooks/{webhook}/edit`
pub(super) async fn edit(
    State(context): State<Context>,
    session: Session,
    WebhookPath(project, webhook): WebhookPath,
) -> PageResult {
    let (project, webhook) = find(&context, &session, project, webhook).await?;
    session.require_recent(&context)?;
    let (draft, errors) = (Draft::of(&webhook), Errors::default());
    let webhook = Some(&webhook);
    page(&form(&context, &session, &project, webhook, &draft, errors))
}

/// `POST /dashboard/projects/{project}/webhooks/{webhook}/edit`
pub(super) async fn change(
    State(context): State<Context>,
    session: Session,
    WebhookPath(id, webhook): WebhookPath,
    Form(fields): Form<Fields>,
) -> PageResult {
    let (project, found) = find(&context, &session, id, webhook).await?;
    session.require_recent(&context)?;
    let draft = Draft::read(fields).ok_or(PageError::Malformed)?;
    let errors = match draft.check() {
        Err(errors) => errors,
        Ok(checked) => {
            let change = checked.change_of(&found);
            let (rules, now) = (&context.setup.api.webhooks.rules, context.now());
            let (store, by) = (context.store(), Requester::Actor(session.actor()));
            match lifecycle::change(store, rules, by, (id, webhook), change, now).await {
                Ok(_) => return Ok(see_other(&path(id, webhook))),
                Err(error) => shown(error, Made::Webhook(id, webhook))?,
            }
        }
    };
    let webhook = Some(&found);
    refused(&form(&context, &session, &project, webhook, &draft, errors))
}

/// The page of a new secret, in the answer to the form, so that no other address shows it.
pub(super) fn show_once(
    context: &Context,
    session: &Session,
    project: &ProjectView,
    webhook: &Webhook,
    secret: &Secret,
) -> PageResult {
    let now = context.now();
    page(&SecretPage {
        shell: session.shell(context),
        side: session.side_of(project),
        project,
        webhook,
        secret: secret.reveal(),
        previous: webhook.previous_secret_until.map(|at| Time { at, now }),
    })
}

impl Checked {
    /// The change. A URL that stays is not named: naming one ends the pause of a webhook that fails.
    fn change_of(self, webhook: &Webhook) -> WebhookChange {
        WebhookChange {
            url: Some(self.url).filter(|url| *url != webhook.url),
            events: Some(self.events),
            description: Some(self.description),
            is_enabled: None,
            if_match: None,
        }
    }
}

fn form<'a>(
    context: &'a Context,
    session: &'a Session,
    project: &'a ProjectView,
    changed: Option<&'a Webhook>,
    draft: &'a Draft,
    errors: Errors,
) -> FormPage<'a> {
    FormPage {
        shell: session.shell(context),
        side: session.side_of(project),
        project,
        changed,
        draft,
        errors,
    }
}

/// The text of an error in the form; any other error is a page.
fn shown(error: WebhookError, made: Made) -> Result<Errors, PageError> {
    match error {
        WebhookError::Target(error) => Ok(Errors::of_url(error)),
        error @ (WebhookError::Off | WebhookError::QuotaExceeded) => {
            Ok(Errors::of_all(sentence(&error)))
        }
        error => Err(PageError::from_webhook(error, made)),
    }
}
