//! What a database is asked for a project's statistics.

use async_trait::async_trait;

use super::{ProjectTotals, Ranked};
use crate::analytics::series::DayTotal;
use crate::charities::CharityId;
use crate::configs::Config;
use crate::database::StoreError;
use crate::domain::day::DayRange;
use crate::domain::position::Position;
use crate::projects::ProjectId;
use crate::tokens::Token;

/// What a database is asked for a project's statistics. See [`Database`](crate::database::Database).
#[async_trait]
pub trait AnalyticsStore {
    /// A project's totals, of all time or of a range of days.
    async fn project_totals(
        &self,
        project: ProjectId,
        range: Option<DayRange>,
    ) -> Result<ProjectTotals, StoreError>;

    /// What a project received on each day of a range on which it received anything.
    async fn project_days(
        &self,
        project: ProjectId,
        range: DayRange,
    ) -> Result<Vec<DayTotal>, StoreError>;

    /// What each charity received through a project, largest first.
    async fn charities_of_project(
        &self,
        project: ProjectId,
        range: Option<DayRange>,
        after: Option<Position<16>>,
        limit: usize,
    ) -> Result<Vec<Ranked<CharityId, 16>>, StoreError>;

    /// What a project received in each token, largest first.
    async fn tokens_of_project(
        &self,
        project: ProjectId,
        range: Option<DayRange>,
        after: Option<Position<40>>,
        limit: usize,
    ) -> Result<Vec<Ranked<Token, 40>>, StoreError>;

    /// What went through each config for a project, largest first, deleted configs included.
    async fn configs_of_project(
        &self,
        project: ProjectId,
        range: Option<DayRange>,
        after: Option<Position<32>>,
        limit: usize,
    ) -> Result<Vec<Ranked<Config, 32>>, StoreError>;
}
