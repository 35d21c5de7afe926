//! Events as they are sent.

use std::sync::LazyLock;

use jiff::Timestamp;
use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::{EventId, EventType};
use crate::domain::config_id::ConfigId;
use db::DbError;

/// The examples of the contract.
static EXAMPLES: LazyLock<Value> = LazyLock::new(|| {
    let document: Value = serde_json::from_str(generated::OPENAPI).unwrap_or_default();
    document
        .pointer("/components/examples")
        .cloned()
        .unwrap_or_default()
});

/// An event to send.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewEvent {
    pub id: EventId,
    pub event_type: EventType,
    pub at: Timestamp,
    /// The body of the webhook requests.
    pub body: Vec<u8>,
}

/// The body of a request. The contract describes it as the webhook of the event's type.
#[derive(Serialize)]
struct Body<'a> {
    id: String,
    r#type: &'static str,
    timestamp: String,
    #[serde(rename = "configId", skip_serializing_if = "Option::is_none")]
    config_id: Option<WrittenConfigId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sequence: Option<i64>,
    data: &'a RawValue,
}

#[derive(Serialize)]
struct WrittenConfigId {
    hex: String,
    base58: String,
}

impl NewEvent {
    /// An event with `data` in JSON; `about` is the config that it is about, if it is about one, and its
    /// number among those about the same. It names the config of a donation, which has no id of one in its data.
    ///
    /// # Errors
    /// When the data is no JSON, which would be a defect of who has encoded it.
    pub(crate) fn new(
        event_type: EventType,
        at: Timestamp,
        about: Option<(ConfigId, i64)>,
        data: &[u8],
    ) -> Result<Self, DbError> {
        let id = EventId::new(at);
        let unfit = || DbError::Corrupt(format!("a {} has no data", event_type.as_str()));
        let config = about.filter(|_| event_type.is_of_donation());
        let body = serde_json::to_vec(&Body {
            id: id.0.to_string(),
            r#type: event_type.as_str(),
            timestamp: format!("{at:.3}"),
            config_id: config.map(|(id, _)| WrittenConfigId {
                hex: id.to_string(),
                base58: id.base58(),
            }),
            sequence: about.map(|(_, sequence)| sequence),
            data: serde_json::from_slice(data).map_err(|_| unfit())?,
        });
        Ok(Self {
            id,
            event_type,
            at,
            body: body.map_err(|_| unfit())?,
        })
    }

    /// A test event for a webhook: the contract's example of a type, with an ID and a time of its own.
    ///
    /// # Errors
    /// When the contract has no example of the type.
    pub fn sample(event_type: EventType, at: Timestamp) -> Result<Self, DbError> {
        let name = event_type.as_str();
        let missing = || DbError::Corrupt(format!("the contract has no example of {name}"));
        let examples = EXAMPLES.as_object().into_iter().flat_map(Map::values);
        let mut bodies = examples.filter_map(|example| example.get("value")?.as_object());
        let mut body = bodies
            .find(|body| body.contains_key("data") && body.get("type").is_some_and(|it| it == name))
            .cloned();
        let body = body.as_mut().ok_or_else(missing)?;
        let id = EventId::new(at);
        body.insert("id".to_owned(), id.0.to_string().into());
        body.insert("timestamp".to_owned(), format!("{at:.3}").into());
        Ok(Self {
            id,
            event_type,
            at,
            body: serde_json::to_vec(body).map_err(|_| missing())?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_data_is_told_byte_by_byte() {
        let at = "2026-11-20T12:00:00.5Z".parse().unwrap();
        let data = br#"{"b": 1.50,"a":"x"}"#;
        let about = Some((ConfigId([1; 32]), 7));
        let event = NewEvent::new(EventType::ConfigCreated, at, about, data).unwrap();
        let body = String::from_utf8(event.body).unwrap();
        let id = event.id.0;
        let expected = format!(
            r#"{{"id":"{id}","type":"config.created","timestamp":"2026-11-20T12:00:00.500Z","sequence":7,"data":{{"b": 1.50,"a":"x"}}}}"#
        );
        assert_eq!(body, expected);
        assert!(NewEvent::new(EventType::Test, at, None, b"{").is_err());
    }

    #[test]
    fn every_type_has_a_sample_with_its_own_id_and_time() {
        let at = "2026-11-20T12:00:00.5Z".parse().unwrap();
        for event_type in EventType::ALL {
            let event = NewEvent::sample(event_type, at).unwrap();
            let body: Value = serde_json::from_slice(&event.body).unwrap();
            assert_eq!(body["id"], event.id.0.to_string());
            assert_eq!(body["type"], event_type.as_str());
            assert_eq!(body["timestamp"], "2026-11-20T12:00:00.500Z");
            let is_empty = body["data"].as_object().unwrap().is_empty();
            assert_eq!(is_empty, event_type == EventType::Test, "{body}");
        }
    }
}
