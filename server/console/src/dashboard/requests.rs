//! The last requests of a project.

use std::collections::BTreeMap;

use askama::Template;
use jiff::Timestamp;

use super::extract::ProjectPath;
use super::keys;
use super::page::PageResult;
use super::projects::ProjectView;
use super::session::Session;
use super::time::Time;
use features::keys::KeyId;
use features::usage::LoggedRequest;

#[derive(Template)]
#[template(path = "dashboard/requests.html")]
struct RequestsPage<'a> {
    project: &'a ProjectView,
    requests: Vec<RequestView>,
    is_demo: bool,
    /// When the server began to answer.
    started: Time,
}

struct RequestView {
    time: String,
    at: Timestamp,
    method: &'static str,
    operation: &'static str,
    status: String,
    /// The class of the status's badge.
    badge: &'static str,
    id: String,
    key: String,
}

/// `GET /dashboard/projects/{project}/requests`
pub(super) async fn list(session: Session, ProjectPath(id): ProjectPath) -> PageResult {
    let project = ProjectView::find(&session, id).await?;
    let keys = keys::list(&session, session.actor(), id).await?;
    let labels: BTreeMap<_, _> = keys
        .into_iter()
        .map(|key| (key.id, key.labels.label.unwrap_or(key.display_prefix)))
        .collect();
    let now = session.now();
    let recorder = &session.context.setup.usage;
    let requests = recorder.last_requests(id, now);
    let view = |request| RequestView::of(&request, &labels);
    let page = RequestsPage {
        project: &project,
        is_demo: session.context.setup.is_demo,
        requests: requests.into_iter().map(view).collect(),
        started: Time::new(recorder.started(), now),
    };
    let frame = session.frame_of(&project).style("usage.css");
    frame.page(&format!("Last requests of {}", project.name), &page)
}

impl RequestView {
    fn of(request: &LoggedRequest, labels: &BTreeMap<KeyId, String>) -> Self {
        let known = labels.get(&request.key).cloned();
        Self {
            time: request.at.strftime("%H:%M:%S.%3f").to_string(),
            at: request.at,
            method: request.method,
            operation: request.operation,
            status: match request.status {
                Some(status) => status.as_str().to_owned(),
                None => "hung up".to_owned(),
            },
            badge: match request.status.map(|status| status.as_u16()) {
                Some(..400) => "good",
                Some(500..) => "bad",
                Some(_) => "warn",
                None => "",
            },
            id: request.id().to_owned(),
            key: known.unwrap_or_else(|| request.key.0.to_string()),
        }
    }
}
