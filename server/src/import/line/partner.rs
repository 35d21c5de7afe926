//! Lines about customers: projects, their contracts and the tokens of these.

use serde::Deserialize;
use uuid::Uuid;

use super::{Chains, Line, parse};
use crate::configs::ConfigId;
use crate::contracts::{PartnerContract, PartnerToken};
use crate::import::{LineError, Record};
use crate::projects::{Project, ProjectId};

#[derive(Deserialize)]
pub(super) struct ProjectLine {
    id: Uuid,
    name: String,
    tier: String,
}

impl Line for ProjectLine {
    fn into_record(self, _: &Chains) -> Result<Record, LineError> {
        let tier = parse(&self.tier, "/tier")?;
        Ok(Record::Project(Project {
            id: ProjectId(self.id),
            name: self.name,
            tier,
        }))
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ContractLine {
    project: Uuid,
    chain_id: i64,
    address: String,
}

impl Line for ContractLine {
    fn into_record(self, chains: &Chains) -> Result<Record, LineError> {
        let id = chains.place(self.chain_id, &self.address, "/address")?;
        Ok(Record::Contract(PartnerContract {
            id,
            project: ProjectId(self.project),
        }))
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PartnerTokenLine {
    chain_id: i64,
    token: String,
    contract: String,
    creator: String,
    active_config: String,
    #[serde(default)]
    previous_configs: Vec<String>,
}

impl Line for PartnerTokenLine {
    fn into_record(self, chains: &Chains) -> Result<Record, LineError> {
        let token = chains.place(self.chain_id, &self.token, "/token")?;
        let active_config = parse(&self.active_config, "/activeConfig")?;
        Ok(Record::PartnerToken(PartnerToken {
            contract: chains.address(token.chain, &self.contract, "/contract")?,
            creator: chains.address(token.chain, &self.creator, "/creator")?,
            previous_configs: previous_configs(&self.previous_configs, active_config)?,
            active_config,
            token,
        }))
    }
}

/// Reads the previous configs. Schemas compare texts, but one config has several spellings.
fn previous_configs(texts: &[String], active: ConfigId) -> Result<Vec<ConfigId>, LineError> {
    let mut configs = Vec::new();
    for (index, text) in texts.iter().enumerate() {
        let pointer = format!("/previousConfigs/{index}");
        let config = parse(text, &pointer)?;
        if config == active || configs.contains(&config) {
            return Err(LineError::new(pointer, "is active or named before"));
        }
        configs.push(config);
    }
    Ok(configs)
}
