//! `verify`: whether the statistics match the donations.

use std::process::ExitCode;

use super::{CliError, say};
use crate::database::Store;

/// Prints every roll-up that differs from the sum of its donations.
pub(super) async fn run(store: &Store) -> Result<ExitCode, CliError> {
    let drifts = store.verify_rollups().await?;
    for drift in &drifts {
        let (recorded, expected) = (drift.recorded, drift.expected);
        say(format!(
            "{}: recorded {} in {} donations, expected {} in {}",
            drift.rollup, recorded.usd, recorded.donations, expected.usd, expected.donations
        ))?;
    }
    Ok(if drifts.is_empty() {
        say("The statistics are equal to the sums of the donations.".to_owned())?;
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}
