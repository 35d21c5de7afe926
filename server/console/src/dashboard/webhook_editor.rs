//! The forms of a new webhook, and of one that is changed.

use askama::Template;
use uuid::Uuid;

use super::extract::{Form, ProjectPath, WebhookPath};
use super::page::{PageResult, see_other, sentence};
use super::page_error::{Made, PageError};
use super::projects::ProjectView;
use super::session::Session;
use super::time::Time;
use super::webhooks::{find, frame_below, path, requester};
use features::domain::printable::is_unprintable;
use features::events::{EventType, EventTypes, WebhookId};
use features::webhooks::lifecycle::{self, WebhookRequest, WebhookWithSecret};
use features::webhooks::secret::Secret;
use features::webhooks::{TargetError, Webhook, WebhookError, WebhookRejection, WebhookUpdate};

#[derive(Template)]
#[template(path = "dashboard/webhook_form.html")]
struct FormPage<'a> {
    project: &'a ProjectView,
    /// The webhook that is changed; `None` if a new one is made.
    changed: Option<&'a Webhook>,
    draft: &'a Draft,
    errors: Errors,
    is_demo: bool,
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
    path: String,
    root: &'a str,
    secret: String,
    /// Until when the secret before this one signs too, if there was one.
    previous: Option<Time>,
}

/// `GET /dashboard/projects/{project}/webhooks/new`
pub(super) async fn new(session: Session, ProjectPath(project): ProjectPath) -> PageResult {
    let project = ProjectView::find(&session, project).await?;
    session.require_recent()?;
    form(&session, &project, None, &Draft::new(), None)
}

/// `POST /dashboard/projects/{project}/webhooks`
pub(super) async fn create(
    session: Session,
    ProjectPath(id): ProjectPath,
    Form(fields): Form<Fields>,
) -> PageResult {
    let project = ProjectView::find(&session, id).await?;
    session.require_recent()?;
    let draft = Draft::read(fields).ok_or(PageError::Malformed)?;
    let (setup, now) = (&session.context.setup.api.webhooks, session.now());
    let by = requester(&session);
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
            match lifecycle::create(session.store(), setup, by, request, now).await {
                Ok(WebhookWithSecret {
                    webhook, secret, ..
                }) => {
                    return show_once(&session, &project, &webhook, &secret);
                }
                Err(error) => shown(error, Made::Webhook(id, WebhookId(draft.nonce)))?,
            }
        }
    };
    form(&session, &project, None, &draft, Some(errors))
}

/// `GET /dashboard/projects/{project}/webhooks/{webhook}/edit`
pub(super) async fn edit(session: Session, WebhookPath(id, webhook): WebhookPath) -> PageResult {
    let (project, webhook) = find(&session, id, webhook).await?;
    session.require_recent()?;
    let draft = Draft::of(&webhook);
    form(&session, &project, Some(&webhook), &draft, None)
}

/// `POST /dashboard/projects/{project}/webhooks/{webhook}/edit`
pub(super) async fn change(
    session: Session,
    WebhookPath(id, webhook): WebhookPath,
    Form(fields): Form<Fields>,
) -> PageResult {
    let (project, found) = find(&session, id, webhook).await?;
    session.require_recent()?;
    let draft = Draft::read(fields).ok_or(PageError::Malformed)?;
    let errors = match draft.check() {
        Err(errors) => errors,
        Ok(checked) => {
            let change = checked.change_of(&found);
            let setup = &session.context.setup;
            let (rules, now) = ((&setup.api.webhooks.rules, &setup.identity), session.now());
            let (store, by) = (session.store(), requester(&session));
            match lifecycle::update(store, rules, by, (id, webhook), change, now).await {
                Ok(_) => return Ok(see_other(&path(id, webhook))),
                Err(error) => shown(error, Made::Webhook(id, webhook))?,
            }
        }
    };
    form(&session, &project, Some(&found), &draft, Some(errors))
}

/// The page of a new secret, in the answer to the form, so that no other address shows it.
pub(super) fn show_once(
    session: &Session,
    project: &ProjectView,
    webhook: &Webhook,
    secret: &Secret,
) -> PageResult {
    let (frame, now) = (frame_below(session, project), session.now());
    let page = SecretPage {
        path: path(webhook.project, webhook.id),
        root: &frame.shell.root,
        secret: secret.reveal(),
        previous: webhook.previous_secret_until.map(|at| Time { at, now }),
    };
    frame.page("Signing secret", &page)
}

impl Checked {
    /// The change. A URL that stays is not named: naming one ends the pause of a webhook that fails.
    fn change_of(self, webhook: &Webhook) -> WebhookUpdate {
        WebhookUpdate {
            url: Some(self.url).filter(|url| *url != webhook.url),
            events: Some(self.events),
            description: Some(self.description),
            is_enabled: None,
            if_match: None,
        }
    }
}

fn form(
    session: &Session,
    project: &ProjectView,
    changed: Option<&Webhook>,
    draft: &Draft,
    errors: Option<Errors>,
) -> PageResult {
    let frame = frame_below(session, project).rejected_if(errors.is_some());
    let title = match changed {
        Some(_) => "Edit a webhook",
        None => "Create a webhook",
    };
    let page = FormPage {
        project,
        changed,
        draft,
        errors: errors.unwrap_or_default(),
        is_demo: session.context.setup.is_demo,
    };
    frame.page(title, &page)
}

/// The text of an error in the form; any other error is a page.
fn shown(error: WebhookError, made: Made) -> Result<Errors, PageError> {
    match error {
        WebhookError::Target(error) => Ok(Errors::of_url(error)),
        WebhookError::Rejected(
            rejection @ (WebhookRejection::Off | WebhookRejection::QuotaExceeded),
        ) => Ok(Errors::of_all(sentence(&rejection))),
        error => Err(PageError::from_webhook(error, made)),
    }
}

/// The meaning of an event, in a sentence of the form that chooses it.
fn meaning(event_type: EventType) -> &'static str {
    match event_type {
        EventType::DonationRecorded => {
            "A donation was recorded, through one of your configs or in a token of one of your contracts."
        }
        EventType::DonationReverted => "A chain reorganization reverted a donation.",
        EventType::ConfigCreated => "A config was created.",
        EventType::ConfigDeleted => "A config was deleted.",
        EventType::CampaignGoalReached => "A campaign reached its goal.",
        EventType::KeyExpiring => "A key expires in 14 days; sent again 3 days before.",
        EventType::Test => "A test event, sent on request.",
    }
}

/// The fields of a form, in the order of the page.
pub(super) type Fields = Vec<(String, String)>;

/// A webhook as it was typed.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Draft {
    /// The id of the webhook that the form creates, so that a form that is sent twice creates one.
    nonce: Uuid,
    url: String,
    description: String,
    events: Vec<EventType>,
}

/// A webhook as it may be stored.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Checked {
    url: String,
    description: Option<String>,
    events: EventTypes,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Errors {
    /// Of the whole.
    whole: Option<String>,
    url: Option<String>,
    description: Option<String>,
    events: Option<String>,
}

impl Draft {
    /// The form of a new webhook, with the events that most webhooks are for.
    fn new() -> Self {
        Self {
            nonce: Uuid::now_v7(),
            url: String::new(),
            description: String::new(),
            events: vec![EventType::DonationRecorded, EventType::DonationReverted],
        }
    }

    /// The form of a webhook that is changed.
    fn of(webhook: &Webhook) -> Self {
        Self {
            nonce: webhook.id.0,
            url: webhook.url.clone(),
            description: webhook.description.clone().unwrap_or_default(),
            events: webhook.events.iter().collect(),
        }
    }

    /// Reads a form that was sent; `None` if it is none of these.
    fn read(fields: Fields) -> Option<Self> {
        let mut draft = Self {
            nonce: Uuid::now_v7(),
            url: String::new(),
            description: String::new(),
            events: Vec::new(),
        };
        for (name, value) in fields {
            match &*name {
                "nonce" => draft.nonce = Uuid::try_parse(&value).ok()?,
                "url" => value.trim().clone_into(&mut draft.url),
                "description" => value.trim().clone_into(&mut draft.description),
                "event" => {
                    let chosen = value.parse().ok()?;
                    EventType::CHOICE.contains(&chosen).then_some(())?;
                    draft.events.push(chosen);
                }
                _ => return None,
            }
        }
        Some(draft)
    }

    /// The webhook, if nothing is wrong with it but perhaps its URL, which the use case knows.
    fn check(&self) -> Result<Checked, Errors> {
        let errors = Errors {
            whole: None,
            url: is_longer(&self.url, Webhook::MAX_URL),
            description: is_longer(&self.description, Webhook::MAX_DESCRIPTION)
                .or_else(|| has_invisible(&self.description)),
            events: (self.events.is_empty()).then(|| "Choose at least one event.".to_owned()),
        };
        if errors != Errors::default() {
            return Err(errors);
        }
        let description = Some(self.description.clone());
        Ok(Checked {
            url: self.url.clone(),
            description: description.filter(|text| !text.is_empty()),
            events: self.events.iter().copied().collect(),
        })
    }
}

impl Errors {
    fn of_url(error: TargetError) -> Self {
        Self {
            url: Some(format!("The URL {error}.")),
            ..Self::default()
        }
    }

    /// The error of the whole.
    fn of_all(error: String) -> Self {
        Self {
            whole: Some(error),
            ..Self::default()
        }
    }
}

fn is_longer(text: &str, most: usize) -> Option<String> {
    let is_longer = text.chars().count() > most;
    is_longer.then(|| format!("Use at most {most} characters."))
}

fn has_invisible(text: &str) -> Option<String> {
    let has_invisible = text.chars().any(is_unprintable);
    has_invisible.then(|| "Remove control and invisible characters.".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(fields: &[(&str, &str)]) -> Option<Draft> {
        let fields = fields.iter().copied();
        let fields = fields.map(|(name, value)| (name.to_owned(), value.to_owned()));
        Draft::read(fields.collect())
    }

    #[test]
    fn a_form_becomes_a_webhook() {
        let url = ("url", " https://partner.example/hooks ");
        let events = [("event", "key.expiring"), ("event", "config.created")];
        let draft = read(&[url, ("description", " "), events[0], events[1]]).unwrap();
        let expected = Checked {
            url: "https://partner.example/hooks".to_owned(),
            description: None,
            events: EventTypes::from_iter([EventType::ConfigCreated, EventType::KeyExpiring]),
        };
        assert_eq!(draft.check(), Ok(expected));
    }

    #[test]
    fn each_field_says_what_is_wrong() {
        let long = "x".repeat(3000);
        let errors = read(&[("url", &long), ("description", &long)]).unwrap();
        let errors = errors.check().unwrap_err();
        assert_eq!(errors.url.unwrap(), "Use at most 2048 characters.");
        assert_eq!(errors.description.unwrap(), "Use at most 200 characters.");
        assert_eq!(errors.events.unwrap(), "Choose at least one event.");
    }

    #[test]
    fn a_form_of_others_is_none() {
        for field in [
            ("event", "webhook.test"),
            ("event", "x"),
            ("nonce", "1"),
            ("x", ""),
        ] {
            assert_eq!(read(&[field]), None, "{field:?}");
        }
    }
}
