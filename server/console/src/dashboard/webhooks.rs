//! The webhooks of a project: the list, one with its deliveries, and its buttons.

use askama::Template;
use edge::clock::{after, is_before, to_milliseconds};
use jiff::Timestamp;
use serde::Deserialize;
use uuid::Uuid;

use super::confirmation::{Confirmation, Inline, prose};
use super::extract::{DeliveryPath, Form, ProjectPath, QueryParameters, WebhookPath};
use super::notice::Notice;
use super::page::{Frame, PageResult, see_other};
use super::page_error::{Made, PageError};
use super::projects::{self, ProjectView};
use super::session::Session;
use super::time::Time;
use super::webhook_editor as editor;
use crate::highlight;
use features::domain::paging::{List, PageRequest};
use features::events::{DeliveryState, EventType, WebhookId};
use features::projects::{ProjectId, Requester};
use features::webhooks::lifecycle;
use features::webhooks::{self, Attempt, Delivery, Webhook, WebhookError, WebhookUpdate};

/// The deliveries of a page.
const PAGE: usize = 20;

#[derive(Template)]
#[template(path = "dashboard/webhooks.html")]
struct WebhooksPage<'a> {
    project: &'a ProjectView,
    root: &'a str,
    webhooks: Vec<WebhookView>,
    /// Whether the operator has set webhooks up.
    are_on: bool,
}

#[derive(Template)]
#[template(path = "dashboard/webhook.html")]
struct WebhookPage {
    /// Its path.
    root: String,
    webhook: WebhookView,
    deliveries: Vec<DeliveryView>,
    is_first: bool,
    /// The cursor of the next page, if there is one.
    older: Option<String>,
    /// Whether the operator has set webhooks up.
    are_on: bool,
}

/// A webhook in a list, or on its page.
struct WebhookView {
    id: Uuid,
    url: String,
    description: Option<String>,
    events: Vec<&'static str>,
    state: WebhookState,
    /// Since when no request has arrived, if none does.
    failing_since: Option<Time>,
    /// Until when the secret before this one signs too, if it does.
    previous_secret: Option<Time>,
    created: Time,
}

/// Whether a webhook is sent events.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum WebhookState {
    Enabled,
    /// It is on, and the last request did not arrive.
    Failing,
    /// A member disabled it.
    Disabled,
    /// It has failed for so long that it was switched off.
    SwitchedOff,
}

/// A delivery in the list of a webhook.
struct DeliveryView {
    id: Uuid,
    event_type: &'static str,
    at: Time,
    state: &'static str,
    /// The class of its badge.
    class: &'static str,
    attempts: u32,
    /// The latest attempts, newest first.
    log: Vec<AttemptView>,
    is_pending: bool,
    next: Option<Time>,
}

/// An attempt to send a delivery.
struct AttemptView {
    at: Time,
    outcome: String,
    /// The class of its badge.
    class: &'static str,
    /// Whether the server responded.
    is_response: bool,
    milliseconds: u64,
}

#[derive(Template)]
#[template(path = "dashboard/delivery.html")]
struct DeliveryPage<'a> {
    /// The path of the webhook.
    root: String,
    url: String,
    event: String,
    delivery: DeliveryView,
    /// The body of the request as indented JSON, highlighted.
    request: String,
    response: Option<&'a str>,
}

#[derive(Deserialize)]
pub(super) struct ShowQuery {
    cursor: Option<String>,
}

/// The type of a test event.
#[derive(Deserialize)]
pub(super) struct TestForm {
    event: Option<String>,
}

/// A secret that was replaced since the page was made is not replaced again, so that a form that is sent twice
/// replaces it once.
#[derive(Deserialize)]
pub(super) struct RotationForm {
    since: i64,
}

/// The path of the webhooks of a project.
fn list_path(project: ProjectId) -> String {
    format!("{}/webhooks", projects::path(project))
}

pub(super) fn path(project: ProjectId, webhook: WebhookId) -> String {
    format!("{}/{}", list_path(project), webhook.0)
}

/// The layout of a page below the list of webhooks.
pub(super) fn frame_below<'a>(session: &'a Session, project: &ProjectView) -> Frame<'a> {
    let frame = session.frame_of(project);
    frame.below("Webhooks", list_path(ProjectId(project.id)))
}

/// Whether the operator has set webhooks up.
fn are_on(session: &Session) -> bool {
    session.context.setup.api.webhooks.keys.is_some()
}

/// `GET /dashboard/projects/{project}/webhooks`
pub(super) async fn list(session: Session, ProjectPath(id): ProjectPath) -> PageResult {
    let project = ProjectView::find(&session, id).await?;
    let most = Webhook::MAX_PER_PROJECT as usize;
    let found = webhooks::store::webhooks(session.store(), id, None, most).await?;
    let (frame, now) = (session.frame_of(&project), session.now());
    let view = |webhook| WebhookView::of(webhook, now);
    let page = WebhooksPage {
        project: &project,
        root: &frame.shell.root,
        webhooks: found.into_iter().map(view).collect(),
        are_on: are_on(&session),
    };
    frame.page(&project.title("Webhooks"), &page)
}

/// `GET /dashboard/projects/{project}/webhooks/{webhook}`
pub(super) async fn show(
    session: Session,
    WebhookPath(id, webhook): WebhookPath,
    QueryParameters(query): QueryParameters<ShowQuery>,
) -> PageResult {
    let (project, found) = find(&session, id, webhook).await?;
    let list = List::of("dashboard deliveries").filtered("webhook", Some(webhook.0));
    let request = PageRequest::new(list, query.cursor.as_deref(), PAGE);
    let request = request.map_err(|_| PageError::NotFound)?;
    let (store, after, rows) = (session.store(), request.after.clone(), request.rows());
    let deliveries = webhooks::store::deliveries(store, (id, webhook), after, rows).await?;
    let mut deliveries = deliveries.ok_or(PageError::NotFound)?;
    let older = request.cut(&mut deliveries);
    let now = session.now();
    let view = |delivery| DeliveryView::of(delivery, now);
    let page = WebhookPage {
        root: path(id, webhook),
        webhook: WebhookView::of(found, now),
        deliveries: deliveries.into_iter().map(view).collect(),
        is_first: query.cursor.is_none(),
        older,
        are_on: are_on(&session),
    };
    let title = format!("Webhook {}", page.webhook.name());
    let frame = frame_below(&session, &project).script("refresh.js");
    frame.page(&title, &page)
}

/// `GET /dashboard/projects/{project}/webhooks/{webhook}/deliveries/{delivery}`
pub(super) async fn delivery(
    session: Session,
    DeliveryPath(id, webhook, delivery): DeliveryPath,
) -> PageResult {
    let (project, found) = find(&session, id, webhook).await?;
    let details = webhooks::store::delivery(session.store(), (id, webhook), delivery).await?;
    let details = details.ok_or(PageError::NotFound)?;
    let body = String::from_utf8_lossy(&details.request);
    let indented = serde_json::from_str(&body).map(|json: serde_json::Value| format!("{json:#}"));
    let name = WebhookView::of(found.clone(), session.now())
        .name()
        .to_owned();
    let page = DeliveryPage {
        root: path(id, webhook),
        event: details.delivery.event.0.to_string(),
        request: highlight::html("json", indented.as_deref().unwrap_or(&body)),
        response: details.response.as_deref(),
        delivery: DeliveryView::of(details.delivery, session.now()),
        url: found.url,
    };
    let frame = frame_below(&session, &project).below(name, path(id, webhook));
    let frame = frame.script("refresh.js");
    frame.page(&format!("Delivery of {}", page.delivery.event_type), &page)
}

/// A webhook of a project that the account manages.
pub(super) async fn find(
    session: &Session,
    project: ProjectId,
    webhook: WebhookId,
) -> Result<(ProjectView, Webhook), PageError> {
    let view = ProjectView::find(session, project).await?;
    let found = webhooks::store::webhook(session.store(), project, webhook).await?;
    Ok((view, found.ok_or(PageError::NotFound)?))
}

/// `GET /dashboard/projects/{project}/webhooks/{webhook}/rotate`
pub(super) async fn rotation(
    session: Session,
    WebhookPath(id, webhook): WebhookPath,
) -> PageResult {
    let (project, found) = find(&session, id, webhook).await?;
    session.require_recent()?;
    let now = session.now();
    let found = WebhookView::of(found, now);
    let page = Confirmation {
        question: prose![format!("Rotate the secret of “{}”?", found.name())],
        lead: prose![
            "This creates a new signing secret. The current one also signs requests for 24 hours, so you can replace it \
             without losing events."
        ],
        warning: match found.previous_secret {
            None => Vec::new(),
            Some(until) => prose![
                Inline::Strong("You already rotated this secret."),
                " An older secret still signs until ",
                Inline::Time(until.absolute()),
                "; if you rotate again, it stops working immediately.",
            ],
        },
        action: format!("{}/rotate", path(id, webhook)),
        hidden: vec![("since", now.as_millisecond().to_string())],
        button: "Rotate secret",
        is_harmless: true,
        cancel: path(id, webhook),
        ..Confirmation::default()
    };
    frame_below(&session, &project).page("Rotate the secret of a webhook", &page)
}

/// `POST /dashboard/projects/{project}/webhooks/{webhook}/rotate`
pub(super) async fn rotate(
    session: Session,
    WebhookPath(id, webhook): WebhookPath,
    Form(form): Form<RotationForm>,
) -> PageResult {
    let (project, _) = find(&session, id, webhook).await?;
    session.require_recent()?;
    let since = Timestamp::from_millisecond(form.since).map_err(|_| PageError::Malformed)?;
    let (store, setup) = (session.store(), &session.context.setup.api.webhooks);
    let (by, of, now) = (requester(&session), (id, webhook), session.now());
    let service = &session.context.setup.identity;
    let replaced =
        lifecycle::replace_secret(store, (setup, service), by, of, Some(since), None, now);
    let replaced = replaced.await.map_err(|error| rejected(error, of))?;
    editor::show_once(&session, &project, &replaced.webhook, &replaced.secret)
}

/// `GET /dashboard/projects/{project}/webhooks/{webhook}/delete`
pub(super) async fn deletion(
    session: Session,
    WebhookPath(id, webhook): WebhookPath,
) -> PageResult {
    let (project, found) = find(&session, id, webhook).await?;
    let found = WebhookView::of(found, session.now());
    let page = Confirmation {
        question: prose![format!("Delete “{}”?", found.name())],
        details: match found.state.is_on() {
            true => prose!["To pause it, disable it instead."],
            false => Vec::new(),
        },
        lead: prose![
            "We stop sending events to ",
            Inline::Code(found.url),
            " and delete its delivery history. This cannot be undone.",
        ],
        action: format!("{}/delete", path(id, webhook)),
        button: "Delete webhook",
        cancel: path(id, webhook),
        ..Confirmation::default()
    };
    frame_below(&session, &project).page("Delete a webhook", &page)
}

/// `POST /dashboard/projects/{project}/webhooks/{webhook}/delete`
pub(super) async fn delete(
    session: Session,
    WebhookPath(project, webhook): WebhookPath,
) -> PageResult {
    find(&session, project, webhook).await?;
    session.require_recent()?;
    let (store, by, of) = (session.store(), requester(&session), (project, webhook));
    let deleted = webhooks::store::delete_webhook(store, by, of, None, session.now());
    let deleted = deleted.await.map_err(|error| rejected(error, of))?;
    deleted.then_some(()).ok_or(PageError::NotFound)?;
    Ok(Notice::WebhookDeleted.see_other(&list_path(project)))
}

/// `POST /dashboard/projects/{project}/webhooks/{webhook}/enable`
pub(super) async fn enable(
    session: Session,
    WebhookPath(project, webhook): WebhookPath,
) -> PageResult {
    find(&session, project, webhook).await?;
    session.require_recent()?;
    switch(&session, (project, webhook), true).await
}

/// `POST /dashboard/projects/{project}/webhooks/{webhook}/disable`
pub(super) async fn disable(
    session: Session,
    WebhookPath(project, webhook): WebhookPath,
) -> PageResult {
    switch(&session, (project, webhook), false).await
}

async fn switch(session: &Session, of: (ProjectId, WebhookId), is_enabled: bool) -> PageResult {
    let change = WebhookUpdate {
        is_enabled: Some(is_enabled),
        ..WebhookUpdate::default()
    };
    let setup = &session.context.setup;
    let (store, rules) = (
        session.store(),
        (&setup.api.webhooks.rules, &setup.identity),
    );
    let changed = lifecycle::update(store, rules, requester(session), of, change, session.now());
    changed.await.map_err(|error| rejected(error, of))?;
    Ok(see_other(&path(of.0, of.1)))
}

/// `POST /dashboard/projects/{project}/webhooks/{webhook}/test`
pub(super) async fn test(
    session: Session,
    WebhookPath(project, webhook): WebhookPath,
    Form(TestForm { event }): Form<TestForm>,
) -> PageResult {
    let (of, by) = ((project, webhook), requester(&session));
    let event_type = event.and_then(|name| name.parse().ok());
    let event_type = event_type.unwrap_or(EventType::Test);
    let sent = lifecycle::test(session.store(), by, of, event_type, session.now()).await;
    sent.map_err(|error| rejected(error, of))?;
    Ok(Notice::DeliverySent.see_other(&path(project, webhook)))
}

/// `POST /dashboard/projects/{project}/webhooks/{webhook}/deliveries/{delivery}/redeliver`
pub(super) async fn redeliver(
    session: Session,
    DeliveryPath(project, webhook, delivery): DeliveryPath,
) -> PageResult {
    let (store, by, of) = (session.store(), requester(&session), (project, webhook));
    let now = to_milliseconds(session.now());
    let sent = webhooks::store::redeliver(store, by, of, delivery, now).await?;
    sent.ok_or(PageError::NotFound)?;
    let page = format!("{}/deliveries/{}", path(project, webhook), delivery.0);
    Ok(Notice::DeliverySent.see_other(&page))
}

pub(super) fn requester(session: &Session) -> Requester {
    Requester::Actor(session.actor())
}

fn rejected(error: WebhookError, (project, webhook): (ProjectId, WebhookId)) -> PageError {
    PageError::from_webhook(error, Made::Webhook(project, webhook))
}

impl WebhookView {
    fn of(webhook: Webhook, now: Timestamp) -> Self {
        let time = |at| Time { at, now };
        let previous = webhook
            .previous_secret_until
            .filter(|until| is_before(*until, Webhook::PREVIOUS_SECRET, now));
        Self {
            id: webhook.id.0,
            state: WebhookState::of(&webhook, now),
            events: webhook.events.iter().map(EventType::as_str).collect(),
            url: webhook.url,
            description: webhook.description,
            failing_since: webhook.failing_since.map(time),
            previous_secret: previous.map(time),
            created: time(webhook.created_at),
        }
    }

    /// The name for people.
    fn name(&self) -> &str {
        self.description.as_deref().unwrap_or(&self.url)
    }
}

impl WebhookState {
    fn of(webhook: &Webhook, now: Timestamp) -> Self {
        let has_failed_for_long = |since| now >= after(since, Webhook::MAY_FAIL);
        match (webhook.is_enabled, webhook.failing_since) {
            (true, None) => Self::Enabled,
            (true, Some(_)) => Self::Failing,
            (false, Some(since)) if has_failed_for_long(since) => Self::SwitchedOff,
            (false, _) => Self::Disabled,
        }
    }

    /// Whether it is sent events.
    fn is_on(self) -> bool {
        matches!(self, Self::Enabled | Self::Failing)
    }

    fn text(self) -> &'static str {
        match self {
            Self::Enabled => "enabled",
            Self::Failing => "failing",
            Self::Disabled => "disabled",
            Self::SwitchedOff => "disabled after failures",
        }
    }

    /// The class of its badge.
    fn class(self) -> &'static str {
        match self {
            Self::Enabled => "good",
            Self::Failing | Self::Disabled => "warn",
            Self::SwitchedOff => "bad",
        }
    }
}

impl AttemptView {
    fn new(attempt: &Attempt, now: Timestamp) -> Self {
        Self {
            at: Time::new(attempt.at, now),
            outcome: match &attempt.outcome {
                Ok(status) => status.to_string(),
                Err(error) => error.clone(),
            },
            class: match attempt.outcome {
                Ok(200..300) => "good",
                _ => "bad",
            },
            is_response: attempt.outcome.is_ok(),
            milliseconds: attempt.milliseconds,
        }
    }
}

impl DeliveryView {
    fn of(delivery: Delivery, now: Timestamp) -> Self {
        let time = |at| Time { at, now };
        let (state, class) = match delivery.state {
            DeliveryState::Pending if delivery.attempts == 0 => ("pending", ""),
            DeliveryState::Pending => ("retrying", "warn"),
            DeliveryState::Delivered => ("delivered", "good"),
            DeliveryState::Failed => ("failed", "bad"),
        };
        Self {
            id: delivery.id.0,
            event_type: delivery.event_type.as_str(),
            at: time(delivery.created_at),
            state,
            class,
            attempts: delivery.attempts,
            log: delivery
                .log
                .iter()
                .rev()
                .map(|attempt| AttemptView::new(attempt, now))
                .collect(),
            is_pending: delivery.state == DeliveryState::Pending,
            next: delivery.next_attempt_at.filter(|at| *at > now).map(time),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use features::events::{EventTypes, WebhookId};
    use features::projects::ProjectId;

    #[test]
    fn a_webhook_disabled_by_the_server_is_distinguished_from_one_disabled_by_a_member() {
        let now: Timestamp = "2026-11-20T12:00:00Z".parse().unwrap();
        let days = |days: i64| now - jiff::SignedDuration::from_hours(24 * days);
        for (is_enabled, failing_since, expected) in [
            (true, None, WebhookState::Enabled),
            (true, Some(days(1)), WebhookState::Failing),
            (false, None, WebhookState::Disabled),
            (false, Some(days(1)), WebhookState::Disabled),
            (false, Some(days(3)), WebhookState::SwitchedOff),
        ] {
            let webhook = Webhook {
                id: WebhookId(Uuid::nil()),
                project: ProjectId(Uuid::nil()),
                url: String::new(),
                description: None,
                events: EventTypes::from(EventType::ConfigCreated),
                is_enabled,
                failing_since,
                previous_secret_until: None,
                created_at: now,
            };
            let state = WebhookState::of(&webhook, now);
            assert_eq!(state, expected, "{webhook:?}");
            assert_eq!(state.is_on(), is_enabled);
        }
    }
}
