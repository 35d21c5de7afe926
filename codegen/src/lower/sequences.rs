//! Bodies that are sequences: JSON items one after another, and server-sent events.
//!
//! The schema of an item is `itemSchema` (OpenAPI 3.2), the `items` of an array, or the schema
//! itself, as documents of 3.0 and 3.1 write it.

use super::models::Models;
use super::operations::Lowering;
use crate::ir::{Content, EventData, EventKind, Framing, Name, Type};
use crate::message::essence;
use crate::names::Scope;
use crate::openapi::{self, Key};
use crate::schema::{self, JsonType, Keywords, Schema};
use serde_json::{Map, Value, json};
use std::borrow::Cow;

/// The members of an event, where a schema describes whole events and not their data.
const EVENT: &[&str] = &["data", "event", "id", "retry"];

impl Lowering<'_, '_> {
    /// The content of a body of the media type `essence`, if that is a sequence.
    pub(super) fn sequence(
        &mut self,
        essence: &str,
        media: &openapi::Media,
        (hint, request): (&str, bool),
    ) -> Content {
        let models = &mut *self.models;
        let item = item_of(models, media);
        if let Some(framing) = framing(essence) {
            let (ty, key) = item.typed(models, &format!("{hint} item"));
            return Content::Items(framing, ty, key);
        }
        let kinds = kinds_of(models, &item, (hint, request));
        match kinds {
            Some(kinds) => {
                let name = self.bodies.claim(Name::of(&format!("{hint} event")));
                Content::Events(EventData::Kinds(name, kinds), None)
            }
            None => {
                let whole = item.resolved(models).filter(|k| request && is_event(k));
                let fields =
                    whole.and_then(|event| fields_of(models, &[&event], &["event", "id", "retry"]));
                let data = data_of(models, item, (&format!("{hint} item"), request));
                Content::Events(data, fields)
            }
        }
    }
}

/// The types of the events that a schema describes one by one, each with its data: alternatives that
/// name the event's type by a constant, as OpenAPI 3.2 §4.14.5 shows it.
fn kinds_of<'a>(
    models: &mut Models<'a>,
    item: &Item<'a>,
    (hint, request): (&str, bool),
) -> Option<Vec<EventKind>> {
    let whole = item.resolved(models)?;
    let variants = match whole.one_of.as_slice() {
        [] => &whole.any_of,
        some => some,
    };
    let mut names = Scope::default();
    let mut kinds: Vec<EventKind> = Vec::new();
    for variant in variants {
        let variant = models.resolved(variant)?;
        let member = |name: &str| {
            let own = variant.properties.iter().chain(&whole.properties);
            let mut own = own.filter(|(known, _)| known == name);
            own.next().map(|(_, schema)| schema.clone())
        };
        let wire = constant(models, &member("event")?)?;
        if kinds.iter().any(|known| known.wire == wire) {
            return None;
        }
        let data = member("data").unwrap_or(Schema::Always);
        let data = content_of(models, data);
        let fields = match request {
            true => fields_of(models, &[&variant, &whole], &["id", "retry"]),
            false => None,
        };
        let name = names.claim(Name::of(&wire));
        let hint = format!("{hint} {name}");
        kinds.push(EventKind {
            data: data_of(models, data, (&hint, request)),
            fields,
            doc: variant.description.unwrap_or_default(),
            name,
            wire,
        });
    }
    Some(kinds).filter(|kinds| !kinds.is_empty())
}

/// The key of the schema of an event's other fields, as far as these schemas say anything of `fields`.
fn fields_of(models: &mut Models<'_>, events: &[&Keywords<'_>], fields: &[&str]) -> Option<Key> {
    let of_fields = events.iter().map(|event| {
        let is_field = |name: &str| fields.contains(&name);
        let own = event.properties.iter().filter(|(name, _)| is_field(name));
        let properties = own.map(|(name, schema)| (name.clone(), raw(schema)));
        let required = event.required.iter().filter(|name| is_field(name));
        let (properties, required): (Map<_, _>, Vec<_>) =
            (properties.collect(), required.collect());
        let says_any = !properties.is_empty() || !required.is_empty();
        says_any.then(|| json!({ "properties": properties, "required": required }))
    });
    let all: Vec<_> = of_fields.flatten().collect();
    let schema = match all.as_slice() {
        [] => return None,
        [only] => only.clone(),
        several => json!({ "allOf": several }),
    };
    let at = events.first()?.at.child("fields");
    Some(models.register(at.as_str(), &schema))
}

/// A schema as the document has it.
fn raw(schema: &Schema<'_>) -> Value {
    match schema {
        Schema::Keywords(keywords) => keywords.raw.clone().into_owned(),
        Schema::Always => true.into(),
        Schema::Never => false.into(),
    }
}

/// The one text that a schema takes.
fn constant<'a>(models: &mut Models<'a>, schema: &Schema<'a>) -> Option<String> {
    let keywords = models.resolved(schema)?;
    let only = match keywords.values.as_deref() {
        Some([only]) => Some(only),
        _ => keywords.constant.as_ref(),
    };
    only?.as_str().map(str::to_owned)
}

/// The value in a text of data, by its `contentSchema`; the text itself where there is none.
fn content_of<'a>(models: &mut Models<'a>, data: Schema<'a>) -> Item<'a> {
    let keywords = models.resolved(&data);
    let content = keywords.and_then(|keywords| content_schema(models, &keywords));
    Item::Part(content.unwrap_or(data))
}

/// Whether a body of a media type is a sequence of JSON or of events.
pub(super) fn is_sequence(essence: &str) -> bool {
    framing(essence).is_some() || essence == "text/event-stream"
}

/// How the items of a media type are separated, if it is a sequence of JSON.
pub(crate) fn framing(media_type: &str) -> Option<Framing> {
    let essence = essence(media_type);
    match essence.as_str() {
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
#[derive(Clone)]
pub(super) enum Item<'a> {
    Whole(Key),
    Part(Schema<'a>),
}

impl<'a> Item<'a> {
    /// The schema itself.
    pub(super) fn schema(&self, models: &mut Models<'a>) -> Schema<'a> {
        match self {
            Item::Whole(key) => parsed(models, key),
            Item::Part(schema) => schema.clone(),
        }
    }

    fn resolved(&self, models: &mut Models<'a>) -> Option<Keywords<'a>> {
        let schema = self.schema(models);
        models.resolved(&schema)
    }

    /// Its type, and the key of the schema that checks it.
    pub(super) fn typed(&self, models: &mut Models<'a>, hint: &str) -> (Type, Key) {
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
    let list = models.resolved(&schema).filter(is_list);
    match list.and_then(|list| list.items) {
        Some(items) => Item::Part(items),
        None => Item::Whole(key.clone()),
    }
}

/// Whether a schema describes the list of all items, and not one of them.
pub(super) fn is_list(k: &Keywords<'_>) -> bool {
    k.types == [JsonType::Array] && k.items.is_some()
}

/// The schema of a key; any value where there is none.
pub(super) fn parsed<'a>(models: &mut Models<'a>, key: &str) -> Schema<'a> {
    match models.bundle.get(key) {
        Some(value) => schema::parse(value, &models.bundle.place(key), models.diagnostics),
        None => Schema::Always,
    }
}

/// The data of the events that a schema describes, or whose data it describes.
fn data_of<'a>(
    models: &mut Models<'a>,
    item: Item<'a>,
    (hint, request): (&str, bool),
) -> EventData {
    let mut data = item;
    if let Some(event) = data.resolved(models).filter(is_event) {
        let member = event
            .properties
            .into_iter()
            .find(|(name, _)| name == "data");
        data = content_of(models, member.map_or(Schema::Always, |(_, schema)| schema));
    }
    let Some(resolved) = data.resolved(models) else {
        return EventData::Text(None);
    };
    let is_text = resolved.types == [JsonType::String] && resolved.values.is_none();
    if is_text && (!request || resolved.takes_any_text()) {
        return EventData::Text(None);
    }
    if is_text {
        let schema = data.schema(models);
        return EventData::Text(Some(key_of(models, &schema)));
    }
    let (ty, key) = data.typed(models, hint);
    EventData::Json(ty, key)
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
