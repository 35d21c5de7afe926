//! `verify`: compares the tables that are derived from the log of donations with the log.

use std::process::ExitCode;

use super::{CliError, say};
use db::Db;

/// Prints every difference.
pub(super) async fn run(store: &Db) -> Result<ExitCode, CliError> {
    let drifts = features::rollups::verification::verify_rollups(store).await?;
    for drift in &drifts {
        say(drift.to_string())?;
    }
    Ok(if drifts.is_empty() {
        say("The statistics and lists match the donations.".to_owned())?;
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}
