//! `contract`: partner contracts.

use std::process::ExitCode;

use clap::Subcommand;
use uuid::Uuid;

use super::CliError;
use db::Db;
use features::chains::{Address, ChainAddress, ChainId};
use features::contracts::PartnerContract;
use features::domain::recording::OnRejection;
use features::import;
use features::import::Record;
use features::projects::ProjectId;

/// The subcommands of `contract`.
#[derive(Debug, Subcommand)]
pub enum ContractCommand {
    /// Register a partner contract for a project
    Register {
        /// The project's id
        #[arg(long)]
        project: Uuid,
        /// The id of the contract's chain
        #[arg(long)]
        chain: i64,
        /// The contract's address, in the format of its chain
        #[arg(long)]
        address: String,
    },
}

impl ContractCommand {
    pub(super) async fn run(self, store: &Db) -> Result<ExitCode, CliError> {
        let Self::Register {
            project,
            chain,
            address,
        } = self;
        let chains = features::catalogue::store::chains(store).await?;
        let known = ChainId::new(chain).and_then(|id| chains.into_iter().find(|c| c.id == id));
        let chain = known.ok_or_else(|| format!("there is no chain {chain}"))?;
        let address =
            Address::parse(chain.kind, &address).map_err(|error| format!("the address {error}"))?;
        let id = ChainAddress {
            chain: chain.id,
            address,
        };
        let contract = PartnerContract {
            id,
            project: ProjectId(project),
        };
        let contract = vec![Record::Contract(contract)];
        for outcome in import::store::record(store, contract, OnRejection::Stop).await? {
            outcome?;
        }
        Ok(ExitCode::SUCCESS)
    }
}
