//! The database operations of donations.

use db::{Db, DbError, Timeouts};
use jiff::Timestamp;

use super::{ListedDonation, ReceivedDonation, SplitDonation};
use crate::chains::ChainId;
use crate::charities::CharityId;
use crate::configs::Config;
use crate::domain::config_id::ConfigId;
use crate::domain::day::DayRange;
use crate::domain::position::Position;
use crate::donations::sql;
use crate::projects::ProjectId;

/// The filter of a list of donations; all fields that are set must match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DonationFilter {
    /// The chain that a donation was made on.
    pub chain: Option<ChainId>,
    /// The earliest time that a donation was made at.
    pub from: Option<Timestamp>,
    /// The time that a donation was made before.
    pub to: Option<Timestamp>,
}

impl DonationFilter {
    /// The earliest time in milliseconds, rounded up so that no earlier donation matches.
    pub(crate) fn first_millisecond(self) -> i64 {
        self.from.map_or(i64::MIN, rounded_up)
    }

    /// The time before which donations match, in milliseconds, rounded up so that every earlier one does.
    pub(crate) fn end(self) -> i64 {
        self.to.map_or(i64::MAX, rounded_up)
    }
}

fn rounded_up(at: Timestamp) -> i64 {
    let whole = at.as_millisecond();
    whole.saturating_add(i64::from(
        at.as_nanosecond() > i128::from(whole) * 1_000_000,
    ))
}

/// The donations that a charity received parts of, after a position, latest first; those that were
/// taken back are left out.
pub async fn donations_of_charity(
    db: &Db,
    charity: CharityId,
    filter: DonationFilter,
    after: Option<Position>,
    limit: usize,
) -> Result<Vec<ReceivedDonation>, DbError> {
    db.read(move |tx| sql::of_charity(tx, charity, filter, after, limit))
        .await
}

/// The donations through one of a project's configs, after a position, latest first; those that were
/// taken back are left out. `None` for a config that is unknown, deleted or another project's.
pub async fn donations_of_config(
    db: &Db,
    project: ProjectId,
    config: ConfigId,
    filter: DonationFilter,
    after: Option<Position>,
    limit: usize,
) -> Result<Option<Vec<SplitDonation>>, DbError> {
    db.read(move |tx| sql::of_config(tx, (project, config), filter, after, limit))
        .await
}

/// The latest donations through a project's configs in some days, latest first, with the config of each; those that
/// were taken back are left out.
pub async fn latest_of_project(
    db: &Db,
    project: ProjectId,
    days: DayRange,
    limit: usize,
) -> Result<Vec<(Config, ListedDonation)>, DbError> {
    db.snapshot(Timeouts::Request, move |tx| {
        sql::latest_of_project(tx, project, days, limit)
    })
    .await
}
