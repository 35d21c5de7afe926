//! The parameters of the operations on statistics: days, filters, pages.

use generated::formats;
use generated::models::ValidationRule;
use generated::operations::OperationId;
use generated::runtime::{Place, Verbatim};
use jiff::ToSpan;
use jiff::civil::{Date, date};
use jiff::tz::TimeZone;

use crate::analytics::series::Interval;
use crate::analytics::{StatsFilter, StatsScope};
use crate::api::{self, Api, Failure};
use crate::chains::ChainId;
use crate::chains::api::{address_in_query, chain_in_query};
use crate::charities::CharityId;
use crate::domain::config_id::ConfigId;
use crate::domain::day::DayRange;
use crate::domain::paging::{List, PageRequest};
use crate::projects::ProjectId;

/// The first or last day of a range as a parameter gives it.
pub(super) type Bound = Verbatim<formats::Date>;

/// The most points that a series has.
const MAX_POINTS: usize = 366;

/// The number of days that a series covers if the request does not name its first.
const DEFAULT_DAYS: i64 = 30;

/// The most days of a series by hour, and the number that it covers if the request does not name its
/// first.
const HOURLY_DAYS: i64 = 7;

/// The most days of statistics that are summed from cells.
const FILTERED_DAYS: i64 = 92;

/// The most days of a list without a filter, unless it is of all time.
const LISTED_DAYS: i64 = 366;

/// The condition on [`FILTERED_DAYS`] in messages.
const WITH_FILTERS: &str = " with these filters";

/// The first day that the contract lets a caller name; no donation is older.
const FIRST_DAY: Date = date(1970, 1, 1);

/// The parameters that filter statistics.
#[derive(Debug, Default)]
pub(super) struct FilterParams {
    pub(super) config_id: Option<String>,
    pub(super) charity_id: Option<formats::Uuid>,
    pub(super) chain_id: Option<i64>,
    pub(super) token: Option<String>,
}

/// The parameters of a list by charity, token or config.
pub(super) struct Breakdown {
    pub(super) scope: StatsScope,
    pub(super) page: PageRequest,
}

impl Api {
    fn today(&self) -> Date {
        self.now().wall.to_zoned(TimeZone::UTC).date()
    }

    /// The days between two parameters; `None` for all time.
    pub(super) fn range(
        &self,
        from: Option<&Bound>,
        to: Option<&Bound>,
    ) -> Result<Option<DayRange>, Failure> {
        if from.is_none() && to.is_none() {
            return Ok(None);
        }
        let first = from.map_or(FIRST_DAY, day);
        let last = to.map_or(self.today().max(first), day);
        ordered(first, last).map(Some)
    }

    /// The donations of a project's totals.
    pub(super) fn totals_scope(
        &self,
        project: ProjectId,
        (from, to): (Option<&Bound>, Option<&Bound>),
        params: &FilterParams,
    ) -> Result<StatsScope, Failure> {
        let range = self.range(from, to)?;
        let filter = self.stats_filter(params)?;
        if !filter.is_empty() && (range.is_some() || !filter.is_rolled_up()) {
            limit_days(from, range, FILTERED_DAYS, WITH_FILTERS)?;
        }
        Ok(StatsScope {
            project,
            range,
            filter,
        })
    }

    /// The filter that parameters ask for.
    fn stats_filter(&self, params: &FilterParams) -> Result<StatsFilter, Failure> {
        let chain = chain_in_query(params.chain_id)?;
        let token = params.token.as_deref();
        let token = token.map(|text| address_in_query(&self.snapshot(), chain, "token", text));
        Ok(StatsFilter {
            config: params.config_id.as_deref().map(config).transpose()?,
            charity: params.charity_id.map(|id| CharityId(id.0)),
            chain,
            token: token.transpose()?.map(|address| address.sort_key()),
        })
    }

    /// The days, the filter and the page of a list by charity, token or config.
    pub(super) fn breakdown(
        &self,
        operation: OperationId,
        project: ProjectId,
        (from, to): (Option<Bound>, Option<Bound>),
        params: &FilterParams,
        (cursor, limit): (Option<String>, i32),
    ) -> Result<Breakdown, Failure> {
        let range = self.range(from.as_ref(), to.as_ref())?;
        let filter = self.stats_filter(params)?;
        let (most, condition) = match filter.is_empty() {
            true => (LISTED_DAYS, ""),
            false => (FILTERED_DAYS, WITH_FILTERS),
        };
        if range.is_some() || !filter.is_empty() {
            limit_days(from.as_ref(), range, most, condition)?;
        }
        let list = List::of(operation.operation_id())
            .filtered("from", from.as_ref().map(day))
            .filtered("to", to.as_ref().map(day))
            .filtered("configId", filter.config)
            .filtered("charityId", filter.charity.map(|charity| charity.0))
            .filtered("chainId", filter.chain.map(ChainId::get))
            .filtered("token", params.token.as_deref());
        let page = api::page(list, cursor.as_deref(), limit)?;
        let scope = StatsScope {
            project,
            range,
            filter,
        };
        Ok(Breakdown { scope, page })
    }

    /// The days of a series, which has a bounded number of points, and its filter.
    pub(super) fn series_range(
        &self,
        interval: Interval,
        (from, to): (Option<&Bound>, Option<&Bound>),
        params: &FilterParams,
    ) -> Result<(DayRange, StatsFilter), Failure> {
        let (from, to) = (from.map(day), to.map(day));
        let days = match interval {
            Interval::Hour => HOURLY_DAYS,
            Interval::Day | Interval::Week | Interval::Month => DEFAULT_DAYS,
        };
        // A series that begins in the future ends on its first day, unless the request names its last.
        let last = to.unwrap_or(from.map_or(self.today(), |from| from.max(self.today())));
        let first = from.unwrap_or(last.saturating_sub((days - 1).days()));
        let range = ordered(first, last)?;
        if interval == Interval::Hour && range.days() > HOURLY_DAYS {
            let message = format!(
                "must be at most {} days before `to` with hourly intervals",
                HOURLY_DAYS - 1
            );
            return Err(too_long(message));
        }
        if interval.periods(range).take(MAX_POINTS + 1).count() > MAX_POINTS {
            let message = format!("must be later: a series has at most {MAX_POINTS} points");
            return Err(too_long(message));
        }
        let filter = self.stats_filter(params)?;
        if !filter.is_rolled_up() && range.days() > FILTERED_DAYS {
            return Err(too_long(at_most(FILTERED_DAYS, WITH_FILTERS)));
        }
        Ok((range, filter))
    }
}

fn day(bound: &Bound) -> Date {
    bound.value().0
}

/// Requires the first day of a range, and bounds its length.
fn limit_days(
    from: Option<&Bound>,
    range: Option<DayRange>,
    most: i64,
    condition: &str,
) -> Result<(), Failure> {
    let is_short = range.is_some_and(|range| range.days() <= most);
    match from {
        Some(_) if is_short => Ok(()),
        Some(_) => Err(too_long(at_most(most, condition))),
        None => {
            let days = most - 1;
            let message = format!("is required{condition}, at most {days} days before `to`");
            Err(too_long(message))
        }
    }
}

fn at_most(days: i64, condition: &str) -> String {
    format!("must be at most {} days before `to`{condition}", days - 1)
}

fn too_long(message: String) -> Failure {
    Failure::invalid(Place::Query, "from", ValidationRule::RangeTooLong, message)
}

fn ordered(first: Date, last: Date) -> Result<DayRange, Failure> {
    DayRange::new(first, last).ok_or_else(|| {
        let message = "must not be after `to`";
        Failure::invalid(Place::Query, "from", ValidationRule::ReversedRange, message)
    })
}

fn config(text: &str) -> Result<ConfigId, Failure> {
    text.parse::<ConfigId>().map_err(|error| {
        Failure::invalid(
            Place::Query,
            "configId",
            ValidationRule::InvalidId,
            error.to_string(),
        )
    })
}
