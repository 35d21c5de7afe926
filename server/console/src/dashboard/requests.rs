//! The latest requests of a project, with filters.

use std::time::Duration;

use askama::Template;
use jiff::Timestamp;
use serde::Deserialize;

use super::extract::{ProjectPath, QueryParameters};
use super::keys;
use super::page::PageResult;
use super::projects::ProjectView;
use super::session::Session;
use super::time::Time;
use features::keys::{KeyId, KeyRecord};
use features::projects::demo::{ENTERPRISE, FREE, PRO};
use features::usage::{LoggedRequest, MAX_REQUESTS, StatusClass};

#[derive(Template)]
#[template(path = "dashboard/requests.html")]
struct RequestsPage<'a> {
    project: &'a ProjectView,
    filter: Filter,
    keys: Vec<KeyOption>,
    requests: Vec<RequestView>,
    /// Whether the usage is the demo’s, which was not measured.
    has_made_up_usage: bool,
    /// When this server started: it has no earlier requests.
    started: Time,
    root: &'a str,
}

/// The query of the page. Unknown values filter nothing.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Filter {
    status: String,
    key: String,
}

struct KeyOption {
    id: KeyId,
    name: String,
}

struct RequestView {
    time: String,
    at: Timestamp,
    method: &'static str,
    operation: &'static str,
    status: String,
    /// The class of the status's badge.
    badge: &'static str,
    code: Option<String>,
    duration: String,
    id: String,
    key: String,
}

/// `GET /dashboard/projects/{project}/requests`
pub(super) async fn list(
    session: Session,
    ProjectPath(id): ProjectPath,
    QueryParameters(filter): QueryParameters<Filter>,
) -> PageResult {
    let project = ProjectView::find(&session, id).await?;
    let keys = keys::list(&session, session.actor(), id).await?;
    let keys: Vec<_> = keys.into_iter().map(KeyOption::from).collect();
    let now = session.now();
    let recorder = &session.context.setup.usage;
    let requests = recorder.last_requests(id, now);
    let requests = requests.iter().filter(|request| filter.includes(request));
    let frame = session.frame_of(&project).style("usage.css");
    let today = now.strftime("%F").to_string();
    let page = RequestsPage {
        project: &project,
        has_made_up_usage: session.context.setup.is_demo && [FREE, PRO, ENTERPRISE].contains(&id),
        requests: requests
            .map(|request| RequestView::new(request, &keys, &today))
            .collect(),
        keys,
        filter,
        started: Time::new(recorder.started(), now),
        root: &frame.shell.root,
    };
    frame.page(&project.title("Requests"), &page)
}

impl Filter {
    fn is_empty(&self) -> bool {
        self.status.is_empty() && self.key.is_empty()
    }

    fn includes(&self, request: &LoggedRequest) -> bool {
        let class = self.status.parse::<StatusClass>().ok();
        let key = self.key.parse().ok().map(KeyId);
        class.is_none_or(|class| StatusClass::of(request.status) == class)
            && key.is_none_or(|key| request.key == key)
    }
}

impl From<KeyRecord> for KeyOption {
    fn from(key: KeyRecord) -> Self {
        Self {
            id: key.id,
            name: key.labels.label.unwrap_or(key.display_prefix),
        }
    }
}

impl RequestView {
    fn new(request: &LoggedRequest, keys: &[KeyOption], today: &str) -> Self {
        let known = keys.iter().find(|key| key.id == request.key);
        let format = match request.at.strftime("%F").to_string() == today {
            true => "%H:%M:%S.%3f",
            false => "%-d %b, %H:%M:%S",
        };
        Self {
            time: request.at.strftime(format).to_string(),
            at: request.at,
            method: request.method,
            operation: match request.operation {
                "<unmatched>" => "unknown path",
                named => named,
            },
            status: match request.status {
                Some(status) => status.as_str().to_owned(),
                None => "closed".to_owned(),
            },
            badge: match request.status.map(|status| status.as_u16()) {
                Some(..400) => "good",
                Some(500..) => "bad",
                Some(_) => "warn",
                None => "",
            },
            code: request.code.as_ref().map(|code| code.0.to_string()),
            duration: milliseconds(request.duration),
            id: request.id().to_owned(),
            key: known.map_or_else(|| request.key.0.to_string(), |key| key.name.clone()),
        }
    }
}

/// A duration with two significant digits below 10 ms.
fn milliseconds(duration: Duration) -> String {
    let exact = duration.as_secs_f64() * 1e3;
    match exact {
        ..1.0 => format!("{exact:.2} ms"),
        ..10.0 => format!("{exact:.1} ms"),
        _ => format!("{exact:.0} ms"),
    }
}
