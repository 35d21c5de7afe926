//! The audience of what happens: the webhooks that are sent an event of it, and these events.

pub(crate) mod sql;

use std::collections::HashMap;

use jiff::Timestamp;

use super::{DeliveryId, EventType, EventTypes, NewEvent, WebhookId};
use crate::configs::ConfigId;
use crate::projects::ProjectId;
use db::DbError;

/// Something that happened, as one project is told it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Happening {
    /// The project.
    pub(crate) project: ProjectId,
    /// Its type.
    pub(crate) event_type: EventType,
    /// When it was.
    pub(crate) at: Timestamp,
    /// The config that it is about, if it is about one: its events are numbered.
    pub(crate) config: Option<ConfigId>,
    /// Its data, in JSON, as the API would answer it.
    pub(crate) data: Vec<u8>,
}

/// The webhooks of some projects that are on, and the events that each is sent.
#[derive(Debug, Clone, Default)]
pub(crate) struct Audience(HashMap<ProjectId, Vec<(WebhookId, EventTypes)>>);

/// Events, and their deliveries: the webhook, the identity, and the place of the event.
#[derive(Debug, Clone, Default)]
pub(crate) struct Told {
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

    /// Whether nobody is told anything.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Something that happened, for each project that is told it.
    pub(crate) fn happenings(
        &self,
        event_type: EventType,
        at: Timestamp,
        data: &[u8],
    ) -> Vec<Happening> {
        let told = self.0.keys().filter(|it| self.is_told(**it, event_type));
        let happening = |project: &ProjectId| Happening {
            project: *project,
            event_type,
            at,
            config: None,
            data: data.to_vec(),
        };
        told.map(happening).collect()
    }

    /// Whether a project is told events of a type.
    pub(crate) fn is_told(&self, project: ProjectId, event_type: EventType) -> bool {
        self.webhooks(project, event_type).next().is_some()
    }

    fn webhooks(
        &self,
        project: ProjectId,
        event_type: EventType,
    ) -> impl Iterator<Item = WebhookId> {
        let of_project = self.0.get(&project).into_iter().flatten();
        let told = of_project.filter(move |(_, events)| events.contains(event_type));
        told.map(|(webhook, _)| *webhook)
    }

    /// The events of these happenings, in order. `latest` has the number of the last of each config's.
    pub(crate) fn told(
        &self,
        happenings: &[Happening],
        latest: &HashMap<ConfigId, i64>,
    ) -> Result<Told, DbError> {
        let mut left = counts(happenings);
        let mut told = Told::default();
        for happening in happenings {
            let about = happening.config.and_then(|config| {
                let left = left.get_mut(&config)?;
                *left -= 1;
                Some((config, latest.get(&config)? - *left))
            });
            let event = NewEvent::new(happening.event_type, happening.at, about, &happening.data)?;
            let place = told.events.len();
            let webhooks = self.webhooks(happening.project, happening.event_type);
            let delivery = |webhook| (webhook, DeliveryId::new(happening.at), place);
            told.deliveries.extend(webhooks.map(delivery));
            told.events.push(event);
        }
        Ok(told)
    }
}

/// How many events there are about each config.
pub(crate) fn counts(happenings: &[Happening]) -> HashMap<ConfigId, i64> {
    let mut counts = HashMap::new();
    for config in happenings.iter().filter_map(|it| it.config) {
        *counts.entry(config).or_default() += 1;
    }
    counts
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn happening(project: u128, event_type: EventType, config: Option<u8>) -> Happening {
        Happening {
            project: ProjectId(Uuid::from_u128(project)),
            event_type,
            at: Timestamp::UNIX_EPOCH,
            config: config.map(|n| ConfigId([n; 32])),
            data: b"{}".to_vec(),
        }
    }

    #[test]
    fn each_webhook_is_told_what_it_chose_and_configs_are_numbered() {
        let (one, two) = (ProjectId(Uuid::from_u128(1)), ProjectId(Uuid::from_u128(2)));
        let webhook = |n| WebhookId(Uuid::from_u128(n));
        let created = EventTypes::from(EventType::ConfigCreated);
        let both = EventTypes::from_iter([EventType::ConfigCreated, EventType::KeyExpiring]);
        let audience = Audience::new([
            (one, webhook(1), created),
            (one, webhook(2), both),
            (two, webhook(3), created),
        ]);
        assert!(audience.is_told(one, EventType::KeyExpiring));
        assert!(!audience.is_told(two, EventType::KeyExpiring));
        let happenings = [
            happening(1, EventType::ConfigCreated, Some(7)),
            happening(1, EventType::KeyExpiring, None),
            happening(2, EventType::ConfigCreated, Some(8)),
            happening(1, EventType::ConfigCreated, Some(7)),
        ];
        let latest = HashMap::from([(ConfigId([7; 32]), 12), (ConfigId([8; 32]), 1)]);
        let told = audience.told(&happenings, &latest).unwrap();
        let to: Vec<_> = told
            .deliveries
            .iter()
            .map(|it| (it.0.0.as_u128(), it.2))
            .collect();
        assert_eq!(to, [(1, 0), (2, 0), (2, 1), (3, 2), (1, 3), (2, 3)]);
        let numbers: Vec<_> = told.events.iter().map(sequence).collect();
        assert_eq!(numbers, [Some(11), None, Some(1), Some(12)]);
    }

    fn sequence(event: &NewEvent) -> Option<i64> {
        let body: serde_json::Value = serde_json::from_slice(&event.body).unwrap();
        body["sequence"].as_i64()
    }
}
