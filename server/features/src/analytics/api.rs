//! Operations on a project's statistics: donations to its configs and in its contracts' tokens.

mod request;

use generated::api::analytics::{
    AnalyticsApi, AnalyticsCharitiesParams, AnalyticsCharitiesResponse, AnalyticsConfigsParams,
    AnalyticsConfigsResponse, AnalyticsSeriesParams, AnalyticsSeriesResponse,
    AnalyticsTokensParams, AnalyticsTokensResponse, AnalyticsTotalsParams, AnalyticsTotalsResponse,
};
use generated::models;
use generated::operations::OperationId;
use generated::runtime::Verbatim;
use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::series::{self, Interval, Point};
use super::{StatsScope, store};
use crate::access::Principal;
use crate::api::{Api, Failure};
use crate::charities;
use crate::configs;
use crate::donations;
use crate::mapping::timestamp;
use crate::tokens;
use request::{Breakdown, FilterParams};

impl AnalyticsApi for Api {
    async fn analytics_totals(
        &self,
        principal: Principal,
        params: AnalyticsTotalsParams,
    ) -> Result<AnalyticsTotalsResponse, Failure> {
        let AnalyticsTotalsParams {
            from,
            to,
            config_id,
            charity_id,
            chain_id,
            token,
        } = params;
        let filter = FilterParams {
            config_id,
            charity_id,
            chain_id,
            token,
        };
        let days = (from.as_ref(), to.as_ref());
        let scope = self.totals_scope(principal.project, days, &filter)?;
        let totals = store::project_totals(&self.store, scope).await?;
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
            config_id,
            charity_id,
            chain_id,
            token,
        } = params;
        let interval = match shown {
            models::SeriesInterval::Hour => Interval::Hour,
            models::SeriesInterval::Day => Interval::Day,
            models::SeriesInterval::Week => Interval::Week,
            models::SeriesInterval::Month => Interval::Month,
        };
        let filter = FilterParams {
            config_id,
            charity_id,
            chain_id,
            token,
        };
        let days = (from.as_ref(), to.as_ref());
        let (range, filter) = self.series_range(interval, days, &filter)?;
        let scope = StatsScope {
            project: principal.project,
            range: Some(range),
            filter,
        };
        let sums = match interval {
            Interval::Hour => store::project_hours(&self.store, scope).await?,
            Interval::Day | Interval::Week | Interval::Month => {
                store::project_days(&self.store, scope).await?
            }
        };
        let points = series::fill(interval, range, &sums);
        let response = points.iter().map(|point| models::SeriesPoint {
            start: point.start.date().into(),
            starts_at: timestamp(in_utc(point)),
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
            config_id,
            chain_id,
            token,
            limit,
            cursor,
        } = params;
        let operation = OperationId::AnalyticsCharities;
        let filter = FilterParams {
            config_id,
            chain_id,
            token,
            ..FilterParams::default()
        };
        let page = (cursor, limit);
        let Breakdown { scope, page } =
            self.breakdown(operation, principal.project, (from, to), &filter, page)?;
        let (after, rows) = (page.after.clone(), page.rows());
        let mut ranked = store::charities_of_project(&self.store, scope, after, rows).await?;
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
            config_id,
            charity_id,
            chain_id,
            limit,
            cursor,
        } = params;
        let operation = OperationId::AnalyticsTokens;
        let filter = FilterParams {
            config_id,
            charity_id,
            chain_id,
            ..FilterParams::default()
        };
        let page = (cursor, limit);
        let Breakdown { scope, page } =
            self.breakdown(operation, principal.project, (from, to), &filter, page)?;
        let (after, rows) = (page.after.clone(), page.rows());
        let mut ranked = store::tokens_of_project(&self.store, scope, after, rows).await?;
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
            charity_id,
            chain_id,
            token,
            limit,
            cursor,
        } = params;
        let operation = OperationId::AnalyticsConfigs;
        let filter = FilterParams {
            charity_id,
            chain_id,
            token,
            ..FilterParams::default()
        };
        let page = (cursor, limit);
        let Breakdown { scope, page } =
            self.breakdown(operation, principal.project, (from, to), &filter, page)?;
        let (after, rows) = (page.after.clone(), page.rows());
        let mut ranked = store::configs_of_project(&self.store, scope, after, rows).await?;
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

/// When a point begins. The days that the contract lets a caller name are within the limits of time.
fn in_utc(point: &Point) -> Timestamp {
    TimeZone::UTC
        .to_timestamp(point.start)
        .unwrap_or(Timestamp::MAX)
}
