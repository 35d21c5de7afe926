//! The sums that statistics are made of: rollups have those of all donations of a project, and single donations
//! are summed where a filter leaves some out.

use generated::models::ValidationRule;
use generated::runtime::Place;

use crate::analytics::series::{Interval, Point};
use crate::analytics::{FilteredSums, MAX_DONATIONS, ProjectTotals, Ranked, StatsFilter};
use crate::api::{Api, Failure};
use crate::charities::CharityId;
use crate::configs::Config;
use crate::domain::day::DayRange;
use crate::domain::paging::PageRequest;
use crate::projects::ProjectId;
use crate::tokens::Token;
use db::Db;

/// The sums of a project's donations in a time.
pub(super) struct Sums<'a> {
    store: &'a Db,
    project: ProjectId,
    range: Option<DayRange>,
    /// Those of the donations that match a filter; `None` for all donations, whose sums are rolled up.
    filtered: Option<FilteredSums>,
}

impl Api {
    /// The sums of the donations that match a filter.
    pub(super) async fn sums(
        &self,
        project: ProjectId,
        range: Option<DayRange>,
        filter: StatsFilter,
    ) -> Result<Sums<'_>, Failure> {
        let filtered = match filter == StatsFilter::default() {
            true => None,
            false => Some(self.filtered_sums(project, range, filter).await?),
        };
        Ok(Sums {
            store: &self.store,
            project,
            range,
            filtered,
        })
    }

    /// The sums of the days, or the hours, of a series that have any.
    pub(super) async fn points(
        &self,
        project: ProjectId,
        interval: Interval,
        range: DayRange,
        filter: StatsFilter,
    ) -> Result<Vec<Point>, Failure> {
        // No rollup has hours.
        let filtered = match interval {
            Interval::Hour => Some(self.filtered_sums(project, Some(range), filter).await?),
            _ => self.sums(project, Some(range), filter).await?.filtered,
        };
        match filtered {
            Some(sums) => Ok(sums.hours()),
            None => {
                let days =
                    crate::analytics::store::project_days(&self.store, project, range).await?;
                Ok(days.into_iter().map(Point::from).collect())
            }
        }
    }

    async fn filtered_sums(
        &self,
        project: ProjectId,
        range: Option<DayRange>,
        filter: StatsFilter,
    ) -> Result<FilteredSums, Failure> {
        let sums = crate::analytics::store::filtered_sums(
            &self.store,
            project,
            range,
            filter,
            MAX_DONATIONS,
        );
        let too_many = || {
            let message = format!("must be later: more than {MAX_DONATIONS} donations match");
            Failure::invalid(
                Place::Query,
                "from",
                ValidationRule::TooManyDonations,
                message,
            )
        };
        sums.await?.ok_or_else(too_many)
    }
}

impl Sums<'_> {
    pub(super) async fn totals(&self) -> Result<ProjectTotals, Failure> {
        match &self.filtered {
            Some(sums) => Ok(sums.totals()),
            None => {
                Ok(
                    crate::analytics::store::project_totals(self.store, self.project, self.range)
                        .await?,
                )
            }
        }
    }

    /// The rows of a page of charities, largest first.
    pub(super) async fn charities(
        &self,
        page: &PageRequest,
    ) -> Result<Vec<Ranked<CharityId>>, Failure> {
        let (project, range) = (self.project, self.range);
        let (after, rows) = (page.after.clone(), page.rows());
        match &self.filtered {
            Some(sums) => Ok(sums.charities(after.as_ref(), rows)),
            None => {
                let ranked = crate::analytics::store::charities_of_project(
                    self.store, project, range, after, rows,
                );
                Ok(ranked.await?)
            }
        }
    }

    /// The rows of a page of tokens, largest first.
    pub(super) async fn tokens(&self, page: &PageRequest) -> Result<Vec<Ranked<Token>>, Failure> {
        let (project, range) = (self.project, self.range);
        let (after, rows) = (page.after.clone(), page.rows());
        let Some(sums) = &self.filtered else {
            let ranked =
                crate::analytics::store::tokens_of_project(self.store, project, range, after, rows);
            return Ok(ranked.await?);
        };
        let ranked = sums.tokens(after.as_ref(), rows);
        let keys = ranked.iter().map(|entry| entry.member).collect();
        let tokens = crate::analytics::store::named_tokens(self.store, keys).await?;
        Ok(named(&ranked, tokens))
    }

    /// The rows of a page of configs, largest first.
    pub(super) async fn configs(&self, page: &PageRequest) -> Result<Vec<Ranked<Config>>, Failure> {
        let (project, range) = (self.project, self.range);
        let (after, rows) = (page.after.clone(), page.rows());
        let Some(sums) = &self.filtered else {
            let ranked = crate::analytics::store::configs_of_project(
                self.store, project, range, after, rows,
            );
            return Ok(ranked.await?);
        };
        let ranked = sums.configs(after.as_ref(), rows);
        let ids = ranked.iter().map(|entry| entry.member).collect();
        let configs = crate::analytics::store::named_configs(self.store, ids).await?;
        Ok(named(&ranked, configs))
    }
}

/// Ranked keys with the members that they identify, which are in the same order.
fn named<K, M>(ranked: &[Ranked<K>], members: Vec<M>) -> Vec<Ranked<M>> {
    let pairs = ranked.iter().zip(members);
    pairs.map(|(entry, member)| entry.named(member)).collect()
}
