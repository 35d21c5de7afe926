//! Operations on a project's statistics: donations to its configs and in its contracts' tokens.

use generated::api::analytics::{
    AnalyticsApi, AnalyticsCharitiesParams, AnalyticsCharitiesResponse, AnalyticsConfigsParams,
    AnalyticsConfigsResponse, AnalyticsSeriesParams, AnalyticsSeriesResponse,
    AnalyticsTokensParams, AnalyticsTokensResponse, AnalyticsTotalsParams, AnalyticsTotalsResponse,
};
use generated::operations::OperationId;
use generated::runtime::Place;
use generated::runtime::Verbatim;
use generated::{formats, models};
use jiff::ToSpan;
use jiff::civil::{Date, date};
use jiff::tz::TimeZone;

use super::series::{self, Interval};
use crate::access::Principal;
use crate::api::{self, Api, Failure};
use crate::charities;
use crate::configs;
use crate::domain::day::DayRange;
use crate::domain::paging::{List, PageRequest};
use crate::donations;
use crate::tokens;

/// The first or last day of a range as a parameter gives it.
type Bound = Verbatim<formats::Date>;

/// The most points that a series has.
const MAX_POINTS: usize = 366;

/// The number of days that a series covers if the request does not name its first.
const DEFAULT_DAYS: i64 = 30;

/// The first day that the contract lets a caller name; no donation is older.
const FIRST_DAY: Date = date(1970, 1, 1);

impl AnalyticsApi for Api {
    async fn analytics_totals(
        &self,
        principal: Principal,
        params: AnalyticsTotalsParams,
    ) -> Result<AnalyticsTotalsResponse, Failure> {
        let AnalyticsTotalsParams { from, to } = params;
        let range = self.range(from.as_ref(), to.as_ref())?;
        let totals = self.store.project_totals(principal.project, range).await?;
        let models::DonationStats {
            usd_donated_e6,
            donation_count,
            first_donation_date,
            last_donation_date,
        } = donations::mapping::stats(&totals.stats);
        let totals = models::AnalyticsTotals {
            from: from.map(Verbatim::into_value),
            to: to.map(Verbatim::into_value),
            usd_donated_e6,
            donation_count,
            charity_count: totals.charities.to_string(),
            token_count: totals.tokens.to_string(),
            config_count: totals.configs.to_string(),
            first_donation_date,
            last_donation_date,
        };
        Ok(AnalyticsTotalsResponse::Ok {
            body: totals.into(),
        })
    }

    async fn analytics_series(
        &self,
        principal: Principal,
        params: AnalyticsSeriesParams,
    ) -> Result<AnalyticsSeriesResponse, Failure> {
        let AnalyticsSeriesParams {
            interval: shown,
            from,
            to,
        } = params;
        let interval = match shown {
            models::SeriesInterval::Day => Interval::Day,
            models::SeriesInterval::Week => Interval::Week,
            models::SeriesInterval::Month => Interval::Month,
        };
        let range = self.series_range(interval, from.as_ref(), to.as_ref())?;
        let days = self.store.project_days(principal.project, range).await?;
        let points = series::fill(interval, range, &days);
        let response = points.iter().map(|point| models::SeriesPoint {
            start: point.start.into(),
            usd_donated_e6: point.usd.to_string(),
            donation_count: point.donations.to_string(),
        });
        let series = models::AnalyticsSeries {
            interval: shown,
            from: range.first().date().into(),
            to: range.last().date().into(),
            response: response.collect(),
        };
        Ok(AnalyticsSeriesResponse::Ok {
            body: series.into(),
        })
    }

    async fn analytics_charities(
        &self,
        principal: Principal,
        params: AnalyticsCharitiesParams,
    ) -> Result<AnalyticsCharitiesResponse, Failure> {
        let AnalyticsCharitiesParams {
            from,
            to,
            limit,
            cursor,
        } = params;
        let operation = OperationId::AnalyticsCharities;
        let (range, page) = self.breakdown(operation, from, to, cursor, limit)?;
        let (after, rows) = (page.after.clone(), page.rows());
        let ranked = self
            .store
            .charities_of_project(principal.project, range, after, rows);
        let mut ranked = ranked.await?;
        let page_key = page.cut(&mut ranked);
        let charities: Vec<_> = ranked.iter().map(|entry| entry.member).collect();
        let snapshot = self.snapshot_with_charities(&charities).await?;
        let response = ranked.iter().map(|entry| {
            let charity = snapshot.charities.any(entry.member)?;
            Some(models::CharityDonations {
                charity: charities::mapping::charity_summary(charity),
                stats: donations::mapping::stats(&entry.stats),
            })
        });
        let response: Option<Vec<_>> = response.collect();
        let unknown = || Failure::Internal("a donation names an unknown charity".into());
        let page = models::CharityDonationsPage {
            page_key,
            response: response.ok_or_else(unknown)?,
        };
        Ok(AnalyticsCharitiesResponse::Ok { body: page.into() })
    }

    async fn analytics_tokens(
        &self,
        principal: Principal,
        params: AnalyticsTokensParams,
    ) -> Result<AnalyticsTokensResponse, Failure> {
        let AnalyticsTokensParams {
            from,
            to,
            limit,
            cursor,
        } = params;
        let operation = OperationId::AnalyticsTokens;
        let (range, page) = self.breakdown(operation, from, to, cursor, limit)?;
        let (after, rows) = (page.after.clone(), page.rows());
        let ranked = self
            .store
            .tokens_of_project(principal.project, range, after, rows);
        let mut ranked = ranked.await?;
        let page_key = page.cut(&mut ranked);
        let response = ranked.iter().map(|entry| models::TokenDonations {
            token: tokens::mapping::token_summary(&entry.member),
            stats: donations::mapping::stats(&entry.stats),
        });
        let page = models::TokenDonationsPage {
            page_key,
            response: response.collect(),
        };
        Ok(AnalyticsTokensResponse::Ok { body: page.into() })
    }

    async fn analytics_configs(
        &self,
        principal: Principal,
        params: AnalyticsConfigsParams,
    ) -> Result<AnalyticsConfigsResponse, Failure> {
        let AnalyticsConfigsParams {
            from,
            to,
            limit,
            cursor,
        } = params;
        let operation = OperationId::AnalyticsConfigs;
        let (range, page) = self.breakdown(operation, from, to, cursor, limit)?;
        let (after, rows) = (page.after.clone(), page.rows());
        let ranked = self
            .store
            .configs_of_project(principal.project, range, after, rows);
        let mut ranked = ranked.await?;
        let page_key = page.cut(&mut ranked);
        let response = ranked.iter().map(|entry| models::ConfigDonations {
            config: configs::mapping::config_summary(&entry.member),
            stats: donations::mapping::stats(&entry.stats),
        });
        let page = models::ConfigDonationsPage {
            page_key,
            response: response.collect(),
        };
        Ok(AnalyticsConfigsResponse::Ok { body: page.into() })
    }
}

impl Api {
    fn today(&self) -> Date {
        self.now().wall.to_zoned(TimeZone::UTC).date()
    }

    /// The days between two parameters; `None` for all time.
    fn range(&self, from: Option<&Bound>, to: Option<&Bound>) -> Result<Option<DayRange>, Failure> {
        if from.is_none() && to.is_none() {
            return Ok(None);
        }
        let first = from.map_or(FIRST_DAY, day);
        let last = to.map_or(self.today().max(first), day);
        ordered(first, last).map(Some)
    }

    /// The days and the page of a list by charity, token or config.
    fn breakdown(
        &self,
        operation: OperationId,
        from: Option<Bound>,
        to: Option<Bound>,
        cursor: Option<String>,
        limit: i32,
    ) -> Result<(Option<DayRange>, PageRequest), Failure> {
        let range = self.range(from.as_ref(), to.as_ref())?;
        let list = List::of(operation.operation_id())
            .filtered("from", from.as_ref().map(day))
            .filtered("to", to.as_ref().map(day));
        Ok((range, api::page(list, cursor.as_deref(), limit)?))
    }

    /// The days of a series, which has a bounded number of points.
    fn series_range(
        &self,
        interval: Interval,
        from: Option<&Bound>,
        to: Option<&Bound>,
    ) -> Result<DayRange, Failure> {
        let (from, to) = (from.map(day), to.map(day));
        // A series that begins in the future ends on its first day, unless the request names its last.
        let last = to.unwrap_or(from.map_or(self.today(), |from| from.max(self.today())));
        let first = from.unwrap_or(last.saturating_sub((DEFAULT_DAYS - 1).days()));
        let range = ordered(first, last)?;
        if interval.periods(range).take(MAX_POINTS + 1).count() > MAX_POINTS {
            let message = format!("must be such that the series has at most {MAX_POINTS} points");
            return Err(Failure::invalid(Place::Query, "from", "maxItems", message));
        }
        Ok(range)
    }
}

fn day(bound: &Bound) -> Date {
    bound.value().0
}

fn ordered(first: Date, last: Date) -> Result<DayRange, Failure> {
    DayRange::new(first, last)
        .ok_or_else(|| Failure::invalid(Place::Query, "from", "maximum", "must not be after `to`"))
}
