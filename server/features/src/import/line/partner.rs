//! Lines about customers: projects, their contracts and the tokens of these.

use import_lines::models as lines;

use super::{Chains, Line, parse};
use crate::contracts::PartnerContract;
use crate::domain::config_id::ConfigId;
use crate::import::{LineError, Record};
use crate::projects::{Project, ProjectId};
use crate::tokens::PartnerToken;

impl Line for lines::Project {
    fn into_record(self, _: &Chains) -> Result<Record, LineError> {
        Ok(Record::Project(Project {
            id: ProjectId(self.id.0),
            name: self.name,
            tier: parse(self.tier.as_str(), "/tier")?,
        }))
    }
}

impl Line for lines::Contract {
    fn into_record(self, chains: &Chains) -> Result<Record, LineError> {
        Ok(Record::Contract(PartnerContract {
            id: chains.place(self.chain_id, &self.address, "/address")?,
            project: ProjectId(self.project.0),
        }))
    }
}

impl Line for lines::PartnerToken {
    fn into_record(self, chains: &Chains) -> Result<Record, LineError> {
        let token = chains.place(self.chain_id, &self.token, "/token")?;
        let active_config = parse(&self.active_config, "/activeConfig")?;
        let previous = self.previous_configs.unwrap_or_default();
        Ok(Record::PartnerToken(PartnerToken {
            contract: chains.address(token.chain, &self.contract, "/contract")?,
            creator: chains.address(token.chain, &self.creator, "/creator")?,
            previous_configs: previous_configs(&previous, active_config)?,
            active_config,
            token,
        }))
    }
}

/// Parses the previous configs. A schema compares strings, but one config has several spellings.
fn previous_configs(ids: &[String], active: ConfigId) -> Result<Vec<ConfigId>, LineError> {
    let mut configs = Vec::new();
    for (index, id) in ids.iter().enumerate() {
        let pointer = format!("/previousConfigs/{index}");
        let config = parse(id, &pointer)?;
        if config == active || configs.contains(&config) {
            return Err(LineError::new(pointer, "is active or named before"));
        }
        configs.push(config);
    }
    Ok(configs)
}
