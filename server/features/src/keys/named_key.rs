//! A key as mails name it.

use super::{KeyId, KeyRecord};
use crate::domain::service_identity::ServiceIdentity;
use crate::mail::without_links;
use crate::projects::{self, Actor, ProjectId};
use db::{Db, DbError};

/// A key as mails name it. Names that people chose are [`without_links`] in them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct NamedKey {
    pub(super) id: KeyId,
    pub(super) project: ProjectId,
    /// The first characters of the key.
    pub(super) prefix: String,
    pub(super) label: Option<String>,
    pub(super) project_name: String,
}

impl NamedKey {
    /// A key with the name of its project.
    pub(super) async fn of(store: &Db, key: &KeyRecord) -> Result<Self, DbError> {
        let project = projects::store::project(store, Actor::Operator, key.project).await?;
        Ok(Self {
            id: key.id,
            project: key.project,
            prefix: key.display_prefix.clone(),
            label: key.labels.label.clone(),
            project_name: project.map_or_else(String::new, |project| project.name),
        })
    }

    /// The page of its project.
    pub(super) fn page(&self, service: &ServiceIdentity) -> String {
        let base = &service.public_base_url;
        format!("{base}/dashboard/projects/{}", self.project.0)
    }

    /// Its description in mails: `sk_abcdefgh… (production) of the project “Wallet”`.
    pub(super) fn description(&self) -> String {
        let prefix = &self.prefix;
        let project = without_links(&self.project_name);
        match &self.label {
            Some(label) => {
                format!(
                    "{prefix}… ({}) of the project “{project}”",
                    without_links(label)
                )
            }
            None => format!("{prefix}… of the project “{project}”"),
        }
    }
}
