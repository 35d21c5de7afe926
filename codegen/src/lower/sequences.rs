//! Bodies that are sequences: JSON items one after another, and server-sent events.
//!
//! The schema of an item is `itemSchema` (OpenAPI 3.2), the `items` of an array, or the schema
//! itself, as documents of 3.0 and 3.1 write it.

use super::models::Models;
use super::operations::Lowering;
use crate::ir::{Content, EventData, Framing, Type};
use crate::openapi::{self, Key};
use crate::schema::{self, JsonType, Keywords, Schema};
use std::borrow::Cow;

/// The members of an event, where a schema describes whole events and not their data.
const EVENT: &[&str] = &["data", "event", "id", "retry"];

impl Lowering<'_, '_> {
    /// The content of a body of the media type `essence`, if that is a sequence.
    pub(super) fn sequence(
        &mut self,
        essence: &str,
        media: &openapi::Media,
        hint: &str,
    ) -> Content {
        let models = &mut *self.models;
        let item = item_of(models, media);
        let hint = format!("{hint} item");
        match framing(essence) {
            Some(framing) => {
                let (ty, key) = item.typed(models, &hint);
                Content::Items(framing, ty, key)
            }
            None => Content::Events(data_of(models, item, &hint)),
        }
    }
}

/// Whether a body of a media type is a sequence; only answers are events.
pub(super) fn is_sequence(essence: &str, request: bool) -> bool {
    framing(essence).is_some() || (essence == "text/event-stream" && !request)
}

fn framing(essence: &str) -> Option<Framing> {
    match essence {
        "application/x-ndjson"
        | "application/ndjson"
        | "application/jsonl"
        | "application/x-jsonl"
        | "application/jsonlines"
        | "application/x-jsonlines"
        | "application/stream+json" => Some(Framing::Lines),
        "application/json-seq" => Some(Framing::Records),
        _ if essence.ends_with("+json-seq") => Some(Framing::Records),
        _ => None,
    }
}

/// The schema of an item; a schema that describes a single item has a name.
enum Item<'a> {
    Whole(Key),
    Part(Schema<'a>),
}

impl<'a> Item<'a> {
    fn resolved(&self, models: &mut Models<'a>) -> Option<Keywords<'a>> {
        match self {
            Item::Whole(key) => {
                let schema = parsed(models, key);
                models.resolved(&schema)
            }
            Item::Part(schema) => models.resolved(schema),
        }
    }

    /// Its type, and the key of the schema that checks it.
    fn typed(&self, models: &mut Models<'a>, hint: &str) -> (Type, Key) {
        match self {
            Item::Whole(key) => (models.type_of(key, hint), key.clone()),
            Item::Part(schema) => (models.lower(schema, hint), key_of(models, schema)),
        }
    }
}

fn item_of<'a>(models: &mut Models<'a>, media: &openapi::Media) -> Item<'a> {
    if let Some(key) = &media.item_schema {
        return Item::Whole(key.clone());
    }
    let Some(key) = &media.schema else {
        return Item::Part(Schema::Always);
    };
    let schema = parsed(models, key);
    match models.resolved(&schema) {
        Some(Keywords {
            types,
            items: Some(items),
            ..
        }) if types == [JsonType::Array] => Item::Part(items),
        _ => Item::Whole(key.clone()),
    }
}

/// The schema of a key; any value where there is none.
pub(super) fn parsed<'a>(models: &mut Models<'a>, key: &str) -> Schema<'a> {
    match models.bundle.get(key) {
        Some(value) => schema::parse(value, &models.bundle.place(key), models.diagnostics),
        None => Schema::Always,
    }
}

/// The data of the events that a schema describes, or whose data it describes.
fn data_of<'a>(models: &mut Models<'a>, item: Item<'a>, hint: &str) -> EventData {
    let mut data = item;
    if let Some(event) = data.resolved(models).filter(is_event) {
        let member = event
            .properties
            .into_iter()
            .find(|(name, _)| name == "data");
        data = Item::Part(member.map_or(Schema::Always, |(_, schema)| schema));
        // JSON inside a text, as OpenAPI 3.2 describes it.
        if let Some(keywords) = data.resolved(models)
            && let Some(content) = content_schema(models, &keywords)
        {
            data = Item::Part(content);
        }
    }
    let resolved = data.resolved(models);
    if resolved.is_none_or(|k| k.types == [JsonType::String] && k.values.is_none()) {
        return EventData::Text;
    }
    EventData::Json(data.typed(models, hint).0)
}

fn content_schema<'a>(models: &mut Models<'a>, k: &Keywords<'a>) -> Option<Schema<'a>> {
    let Cow::Borrowed(raw) = k.raw else {
        return None;
    };
    let value = raw.get("contentSchema")?;
    Some(schema::parse(
        value,
        &k.at.child("contentSchema"),
        models.diagnostics,
    ))
}

fn is_event(k: &Keywords<'_>) -> bool {
    let known = |name: &String| EVENT.contains(&name.as_str());
    k.properties.iter().all(|(name, _)| known(name))
        && k.properties.iter().any(|(name, _)| name == "data")
}

/// The key of a schema inside another, by which it is checked.
pub(super) fn key_of(models: &mut Models<'_>, schema: &Schema<'_>) -> String {
    match schema {
        Schema::Keywords(k) => match k.lone_reference() {
            Some(key) => key.to_owned(),
            None => models.register(k.at.as_str(), &k.raw),
        },
        Schema::Always => models.register("any", &true.into()),
        Schema::Never => models.register("never", &false.into()),
    }
}
