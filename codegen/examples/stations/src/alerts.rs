//! Alerts: events that are relayed from other networks, and followed by listeners.

use futures_util::{Stream, stream};
use stations_api::api::alerts::{
    AlertsApi, AlertsFollowOkBodyEvent, AlertsFollowResponse, AlertsRelayBodyEvent,
    AlertsRelayResponse,
};
use stations_api::models::Count;
use stations_api::security::ObserverOrStationKey;
use stations_api::{Event, Events, HandlerError};
use std::time::Duration;
use tokio::sync::broadcast::{Receiver, error::RecvError};

use crate::App;
use crate::access::Caller;

/// Proxies cut connections that say nothing for longer.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

/// An alert, as listeners hear it.
pub(crate) type Alert = Event<AlertsFollowOkBodyEvent>;

impl AlertsApi for App {
    async fn alerts_follow(&self, _: Caller) -> Result<AlertsFollowResponse, HandlerError> {
        let body = Events::new(alerts(self.alerts.subscribe())).keep_alive(KEEP_ALIVE);
        Ok(AlertsFollowResponse::Ok { body })
    }

    async fn alerts_relay(
        &self,
        _: ObserverOrStationKey<Caller, Caller>,
        mut body: Events<AlertsRelayBodyEvent>,
    ) -> Result<AlertsRelayResponse, HandlerError> {
        let mut count = 0;
        while let Some(alert) = body.next().await {
            let alert = alert?;
            let data = match alert.data {
                AlertsRelayBodyEvent::Warning(warning) => AlertsFollowOkBodyEvent::Warning(warning),
                AlertsRelayBodyEvent::AllClear(place) => AlertsFollowOkBodyEvent::AllClear(place),
            };
            // Nobody may be listening.
            let _ = self.alerts.send(Event {
                id: alert.id,
                retry: alert.retry,
                ..Event::from(data)
            });
            count += 1;
        }
        let body = Count { count }.into();
        Ok(AlertsRelayResponse::Ok { body })
    }
}

/// The alerts from now on. A listener that is too slow misses some.
fn alerts(alerts: Receiver<Alert>) -> impl Stream<Item = Alert> {
    stream::unfold(alerts, |mut alerts| async {
        loop {
            match alerts.recv().await {
                Ok(alert) => return Some((alert, alerts)),
                Err(RecvError::Lagged(_)) => {}
                Err(RecvError::Closed) => return None,
            }
        }
    })
}
