//! The operations of stations.

use stations_api::HandlerError;
use stations_api::api::stations::{
    StationsApi, StationsCopyParams, StationsCopyResponse, StationsForecastResponse,
    StationsGetParams, StationsGetResponse, StationsListParams, StationsListResponse,
    StationsSearchResponse,
};
use stations_api::models::{Filter, Station};
use stations_api::security::ObserverOrStationKey;

use crate::App;
use crate::access::Caller;
use crate::refusals::not_found;

/// How many feet a metre has.
const FEET: f64 = 3.281;

impl StationsApi for App {
    async fn stations_list(
        &self,
        _: Caller,
        params: StationsListParams,
    ) -> Result<StationsListResponse, HandlerError> {
        let body = self.network.filtered(params.filter.as_ref()).into();
        Ok(StationsListResponse::Ok { body })
    }

    async fn stations_search(
        &self,
        _: Caller,
        body: Filter,
    ) -> Result<StationsSearchResponse, HandlerError> {
        let body = self.network.filtered(Some(&body)).into();
        Ok(StationsSearchResponse::Ok { body })
    }

    async fn stations_get(
        &self,
        _: Caller,
        station: String,
        params: StationsGetParams,
    ) -> Result<StationsGetResponse, HandlerError> {
        let Some((mut station, _)) = self.network.get(&station) else {
            let body = not_found().into();
            return Ok(StationsGetResponse::NotFound { body });
        };
        if params.units == Some(stations_api::models::StationsGetUnits::Feet) {
            in_feet(&mut station);
        }
        Ok(StationsGetResponse::Ok {
            body: station.into(),
        })
    }

    async fn stations_copy(
        &self,
        _: ObserverOrStationKey<Caller, Caller>,
        station: String,
        params: StationsCopyParams,
    ) -> Result<StationsCopyResponse, HandlerError> {
        let location = format!("/stations/{}", params.destination);
        Ok(match self.network.copy(&station, params.destination) {
            Some(copy) => StationsCopyResponse::Created {
                location,
                body: copy.into(),
            },
            None => StationsCopyResponse::NotFound {
                body: not_found().into(),
            },
        })
    }

    async fn stations_forecast(
        &self,
        _: Caller,
        station: String,
    ) -> Result<StationsForecastResponse, HandlerError> {
        Ok(match self.network.get(&station) {
            Some(_) => StationsForecastResponse::Ok {
                body: "<forecast day=\"2026-11-27\">Fair.</forecast>".into(),
            },
            None => StationsForecastResponse::NotFound {
                body: not_found().into(),
            },
        })
    }
}

fn in_feet(station: &mut Station) {
    match station {
        Station::Buoy(buoy) => buoy.depth *= FEET,
        Station::Tower(tower) => tower.height *= FEET,
        Station::OtherStation(_) => {}
    }
}
