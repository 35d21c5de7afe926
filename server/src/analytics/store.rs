//! The database operations of a project's statistics.

use async_trait::async_trait;

use super::{FilteredSums, ProjectTotals, Ranked, StatsFilter};
use crate::analytics::series::DayTotal;
use crate::charities::CharityId;
use crate::configs::{Config, ConfigId};
use crate::database::StoreError;
use crate::domain::day::DayRange;
use crate::domain::position::Position;
use crate::projects::ProjectId;
use crate::tokens::Token;

/// The database operations of a project's statistics. See [`Database`](crate::database::Database).
#[async_trait]
pub trait AnalyticsStore {
    /// A project's totals, of all time or of a range of days.
    async fn project_totals(
        &self,
        project: ProjectId,
        range: Option<DayRange>,
    ) -> Result<ProjectTotals, StoreError>;

    /// The sums of a project's donations on each day of a range that has any.
    async fn project_days(
        &self,
        project: ProjectId,
        range: DayRange,
    ) -> Result<Vec<DayTotal>, StoreError>;

    /// The sums of a project's donations by charity, largest first.
    async fn charities_of_project(
        &self,
        project: ProjectId,
        range: Option<DayRange>,
        after: Option<Position>,
        limit: usize,
    ) -> Result<Vec<Ranked<CharityId>>, StoreError>;

    /// The sums of a project's donations by token, largest first.
    async fn tokens_of_project(
        &self,
        project: ProjectId,
        range: Option<DayRange>,
        after: Option<Position>,
        limit: usize,
    ) -> Result<Vec<Ranked<Token>>, StoreError>;

    /// The sums of a project's donations by config, largest first, deleted configs included.
    async fn configs_of_project(
        &self,
        project: ProjectId,
        range: Option<DayRange>,
        after: Option<Position>,
        limit: usize,
    ) -> Result<Vec<Ranked<Config>>, StoreError>;

    /// The sums of a project's donations that match a filter, of all time or of a range of days; `None`
    /// when they are more than `most`. Reads each of them.
    async fn filtered_sums(
        &self,
        project: ProjectId,
        range: Option<DayRange>,
        filter: StatsFilter,
        most: usize,
    ) -> Result<Option<FilteredSums>, StoreError>;

    /// The tokens with these keys, in their order.
    async fn named_tokens(&self, keys: Vec<[u8; 40]>) -> Result<Vec<Token>, StoreError>;

    /// The configs with these ids, in their order, deleted ones included.
    async fn named_configs(&self, ids: Vec<ConfigId>) -> Result<Vec<Config>, StoreError>;
}
