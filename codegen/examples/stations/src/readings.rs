//! The readings of stations: lines or records of JSON, each as it comes.

use futures_util::stream;
use stations_api::api::readings::{
    ReadingsAddResponse, ReadingsApi, ReadingsListAccept, ReadingsListOkContent,
    ReadingsListResponse,
};
use stations_api::models::{Count, Reading};
use stations_api::security::ObserverOrStationKey;
use stations_api::{HandlerError, Items};

use crate::App;
use crate::access::Caller;
use crate::refusals::not_found;

impl ReadingsApi for App {
    async fn readings_list(
        &self,
        _: Caller,
        station: String,
        accept: ReadingsListAccept,
    ) -> Result<ReadingsListResponse, HandlerError> {
        let Some((_, readings)) = self.network.get(&station) else {
            let body = not_found().into();
            return Ok(ReadingsListResponse::NotFound { body });
        };
        let readings = Items::new(stream::iter(readings));
        let body = match accept {
            ReadingsListAccept::Jsonl => ReadingsListOkContent::Jsonl(readings),
            ReadingsListAccept::JsonSeq => ReadingsListOkContent::JsonSeq(readings),
        };
        Ok(ReadingsListResponse::Ok { body })
    }

    async fn readings_add(
        &self,
        _: ObserverOrStationKey<Caller, Caller>,
        station: String,
        mut body: Items<Reading>,
    ) -> Result<ReadingsAddResponse, HandlerError> {
        while let Some(reading) = body.next().await {
            if !self.network.add(&station, reading?) {
                break;
            }
        }
        Ok(match self.network.get(&station) {
            Some((_, readings)) => {
                let count = i64::try_from(readings.len()).unwrap_or(i64::MAX);
                let body = Count { count }.into();
                ReadingsAddResponse::Ok { body }
            }
            None => ReadingsAddResponse::NotFound {
                body: not_found().into(),
            },
        })
    }
}
