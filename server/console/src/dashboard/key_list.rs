//! The list of a project's keys.

use askama::Template;
use serde::Deserialize;

use super::extract::{ProjectPath, QueryParameters};
use super::keys::KeyView;
use super::page::PageResult;
use super::projects::ProjectView;
use super::session::Session;

/// The most keys that have ended: the newest.
const MAX_ENDED: usize = 50;

#[derive(Template)]
#[template(path = "dashboard/keys.html")]
struct KeysPage<'a> {
    project: &'a ProjectView,
    api: &'a str,
    /// Those that have not ended, the newest first.
    keys: Vec<KeyView>,
    /// Those that have, the newest first.
    ended: Vec<KeyView>,
    /// The number of keys that ended before those shown.
    ended_before: usize,
    /// Whether the project was just created, and its first key needs a new sign-in.
    lacks_key: bool,
}

impl KeysPage<'_> {
    /// The key that a sample is about: the newest that works.
    fn usable_key(&self) -> Option<&KeyView> {
        self.keys.iter().find(|key| !key.is_disabled())
    }
}

#[derive(Deserialize)]
pub(super) struct KeysQuery {
    /// Present if the project was just created without the key that was asked for.
    #[serde(rename = "without-key")]
    without_key: Option<String>,
}

/// `GET /dashboard/projects/{project}/keys`
pub(super) async fn show(
    session: Session,
    ProjectPath(id): ProjectPath,
    QueryParameters(query): QueryParameters<KeysQuery>,
) -> PageResult {
    let project = ProjectView::find(&session, id).await?;
    let keys = KeyView::all(&session, session.actor(), id).await?;
    let lacks_key = query.without_key.is_some() && keys.is_empty();
    let (keys, mut ended): (Vec<_>, Vec<_>) = keys.into_iter().partition(KeyView::is_live);
    let ended_before = ended.len().saturating_sub(MAX_ENDED);
    ended.truncate(MAX_ENDED);
    let page = KeysPage {
        project: &project,
        api: session.api(),
        keys,
        ended,
        ended_before,
        lacks_key,
    };
    let title = project.title("Keys");
    session.frame_of(&project).page(&title, &page)
}
