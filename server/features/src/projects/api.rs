//! The project that a key belongs to.

use generated::api::project::{ProjectApi, ProjectGetResponse};
use generated::models;

use super::{Project, Tier};
use crate::access::Principal;
use crate::api::{Api, Failure};

impl ProjectApi for Api {
    async fn project_get(&self, principal: Principal) -> Result<ProjectGetResponse, Failure> {
        let found = crate::configs::store::project_with_configs(
            &self.store,
            principal.project,
            self.now().wall,
        );
        let gone = || Failure::Internal("a key belongs to no project".into());
        let (project, configs) = found.await?.ok_or_else(gone)?;
        let Project { id, name, tier } = project;
        let limits = models::ProjectLimits {
            requests_per_minute: self.gate.limit_of(tier).to_string(),
            configs: self.quota.of(tier).to_string(),
        };
        let project = models::Project {
            id: id.0.into(),
            name,
            tier: models::OpenTier::Tier(match tier {
                Tier::Free => models::Tier::Free,
                Tier::Pro => models::Tier::Pro,
                Tier::Enterprise => models::Tier::Enterprise,
            }),
            limits,
            config_count: configs.to_string(),
        };
        Ok(ProjectGetResponse::Ok {
            body: project.into(),
        })
    }
}
