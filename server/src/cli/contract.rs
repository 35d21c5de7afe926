//! `contract`: partner contracts.

use clap::Subcommand;
use uuid::Uuid;

/// What can be done with partner contracts.
#[derive(Debug, Subcommand)]
pub enum ContractCommand {
    /// Register a partner contract as a project's
    Register {
        /// The project's id
        #[arg(long)]
        project: Uuid,
        /// The id of the chain that the contract lives on
        #[arg(long)]
        chain: i64,
        /// The contract's address, in the form of its chain
        #[arg(long)]
        address: String,
    },
}
