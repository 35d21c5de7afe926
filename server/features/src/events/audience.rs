//! The audience of events: the webhooks that each event is sent to.

use std::collections::HashMap;

use jiff::Timestamp;

use super::{DeliveryId, EventType, EventTypes, NewEvent, WebhookId};
use crate::domain::config_id::ConfigId;
use crate::projects::ProjectId;
use db::DbError;

/// An event of a project, before it is encoded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Event {
    pub(crate) project: ProjectId,
    pub(crate) event_type: EventType,
    pub(crate) at: Timestamp,
    /// The config that it is about, if it is about one: its events are numbered.
    pub(crate) config: Option<ConfigId>,
    /// Its data, in JSON, as the API would return it.
    pub(crate) data: Vec<u8>,
}

/// The enabled webhooks of some projects, with the types of events that each is sent.
#[derive(Debug, Clone, Default)]
pub(crate) struct Audience(HashMap<ProjectId, Vec<(WebhookId, EventTypes)>>);

/// Events and their deliveries: the webhook, the identity, and the index of the event.
#[derive(Debug, Clone, Default)]
pub(crate) struct Fanout {
    pub(crate) events: Vec<NewEvent>,
    pub(crate) deliveries: Vec<(WebhookId, DeliveryId, usize)>,
}

impl Audience {
    /// The audience of these webhooks.
    pub(crate) fn new(
        webhooks: impl IntoIterator<Item = (ProjectId, WebhookId, EventTypes)>,
    ) -> Self {
        let mut audience = Self::default();
        for (project, webhook, events) in webhooks {
            let of_project = audience.0.entry(project).or_default();
            of_project.push((webhook, events));
        }
        audience
    }

    /// Whether there are no webhooks.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// An event for each project that subscribes to its type.
    pub(crate) fn events(&self, event_type: EventType, at: Timestamp, data: &[u8]) -> Vec<Event> {
        let subscribed = self.0.keys().filter(|it| self.subscribes(**it, event_type));
        let event = |project: &ProjectId| Event {
            project: *project,
            event_type,
            at,
            config: None,
            data: data.to_vec(),
        };
        subscribed.map(event).collect()
    }

    /// Whether a webhook of a project is sent events of a type.
    pub(crate) fn subscribes(&self, project: ProjectId, event_type: EventType) -> bool {
        self.webhooks(project, event_type).next().is_some()
    }

    fn webhooks(
        &self,
        project: ProjectId,
        event_type: EventType,
    ) -> impl Iterator<Item = WebhookId> {
        let of_project = self.0.get(&project).into_iter().flatten();
        let subscribed = of_project.filter(move |(_, events)| events.contains(event_type));
        subscribed.map(|(webhook, _)| *webhook)
    }

    /// The encoded events, in order, with their deliveries. `latest` has the number of the last event of each config.
    pub(crate) fn fan_out(
        &self,
        events: &[Event],
        latest: &HashMap<ConfigId, i64>,
    ) -> Result<Fanout, DbError> {
        let mut left = counts(events);
        let mut fanout = Fanout::default();
        for event in events {
            let about = event.config.and_then(|config| {
                let left = left.get_mut(&config)?;
                *left -= 1;
                Some((config, latest.get(&config)? - *left))
            });
            let encoded = NewEvent::new(event.event_type, event.at, about, &event.data)?;
            let index = fanout.events.len();
            let webhooks = self.webhooks(event.project, event.event_type);
            let delivery = |webhook| (webhook, DeliveryId::new(event.at), index);
            fanout.deliveries.extend(webhooks.map(delivery));
            fanout.events.push(encoded);
        }
        Ok(fanout)
    }
}

/// How many events there are about each config.
pub(crate) fn counts(events: &[Event]) -> HashMap<ConfigId, i64> {
    let mut counts = HashMap::new();
    for config in events.iter().filter_map(|it| it.config) {
        *counts.entry(config).or_default() += 1;
    }
    counts
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn event(project: u128, event_type: EventType, config: Option<u8>) -> Event {
        Event {
            project: ProjectId(Uuid::from_u128(project)),
            event_type,
            at: Timestamp::UNIX_EPOCH,
            config: config.map(|n| ConfigId([n; 32])),
            data: b"{}".to_vec(),
        }
    }

    #[test]
    fn each_webhook_subscribes_what_it_chose_and_configs_are_numbered() {
        let (one, two) = (ProjectId(Uuid::from_u128(1)), ProjectId(Uuid::from_u128(2)));
        let webhook = |n| WebhookId(Uuid::from_u128(n));
        let created = EventTypes::from(EventType::ConfigCreated);
        let both = EventTypes::from_iter([EventType::ConfigCreated, EventType::KeyExpiring]);
        let audience = Audience::new([
            (one, webhook(1), created),
            (one, webhook(2), both),
            (two, webhook(3), created),
        ]);
        assert!(audience.subscribes(one, EventType::KeyExpiring));
        assert!(!audience.subscribes(two, EventType::KeyExpiring));
        let events = [
            event(1, EventType::ConfigCreated, Some(7)),
            event(1, EventType::KeyExpiring, None),
            event(2, EventType::ConfigCreated, Some(8)),
            event(1, EventType::ConfigCreated, Some(7)),
        ];
        let latest = HashMap::from([(ConfigId([7; 32]), 12), (ConfigId([8; 32]), 1)]);
        let fanout = audience.fan_out(&events, &latest).unwrap();
        let to: Vec<_> = fanout
            .deliveries
            .iter()
            .map(|it| (it.0.0.as_u128(), it.2))
            .collect();
        assert_eq!(to, [(1, 0), (2, 0), (2, 1), (3, 2), (1, 3), (2, 3)]);
        let numbers: Vec<_> = fanout.events.iter().map(sequence).collect();
        assert_eq!(numbers, [Some(11), None, Some(1), Some(12)]);
    }

    fn sequence(event: &NewEvent) -> Option<i64> {
        let body: serde_json::Value = serde_json::from_slice(&event.body).unwrap();
        body["sequence"].as_i64()
    }
}
