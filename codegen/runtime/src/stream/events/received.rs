//! Events of requests, whose data is checked as it is read.

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{Event, USUAL};
use crate::decode::explain;
use json_schema::issue::{Issue, Issues, Place};
use json_schema::validator::Schemas;

/// An event of a request, whose data is not read yet.
#[derive(Debug)]
pub struct Received {
    /// The JSON pointer to it.
    at: String,
    /// Whether it came with an id of its own; one without has that of the event before it.
    has_own_id: bool,
    event: Event<String>,
}

impl Received {
    pub(super) fn new(event: Event<String>, has_own_id: bool, index: usize) -> Self {
        Self {
            at: format!("/{index}"),
            has_own_id,
            event,
        }
    }

    /// Its type.
    #[must_use]
    pub fn kind(&self) -> &str {
        self.event.event.as_deref().unwrap_or(USUAL)
    }

    /// The event with its data.
    pub(super) fn holding<T>(self, data: T) -> Event<T> {
        let Event {
            event, id, retry, ..
        } = self.event;
        Event {
            data,
            event,
            id,
            retry,
        }
    }

    /// Its data, checked together with its type, its id and its time of reconnection, by a schema of an object of
    /// these: `event`, `id` and `retry`, which is in milliseconds.
    ///
    /// # Errors
    /// Returns every violation of the schema, and those of the data.
    pub fn with_fields<T>(
        &self,
        schemas: &Schemas,
        schema: &str,
        data: Result<T, Vec<Issue>>,
    ) -> Result<T, Vec<Issue>> {
        let Event {
            event, id, retry, ..
        } = &self.event;
        let id = id.as_deref().filter(|_| self.has_own_id);
        let retry = retry.and_then(|retry| u64::try_from(retry.as_millis()).ok());
        let fields = [
            ("event", event.as_deref().map(Value::from)),
            ("id", id.map(Value::from)),
            ("retry", retry.map(Value::from)),
        ];
        let fields = fields.into_iter();
        let fields = fields.filter_map(|(name, value)| Some((name.to_owned(), value?)));
        let fields = Value::Object(fields.collect());
        let mut issues = violations(schemas, schema, &fields, &self.at);
        match data {
            Ok(data) if issues.is_empty() => Ok(data),
            data => {
                issues.extend(data.err().into_iter().flatten());
                Err(issues)
            }
        }
    }

    /// The JSON pointer to its data.
    fn data_at(&self) -> String {
        format!("{}/data", self.at)
    }

    /// Its data as JSON of a schema.
    ///
    /// # Errors
    /// Returns every violation of the schema.
    pub fn json<T: DeserializeOwned>(
        &self,
        schemas: &Schemas,
        schema: &str,
        valid: fn(&T) -> bool,
    ) -> Result<T, Vec<Issue>> {
        explain::json(
            schemas,
            self.event.data.as_bytes(),
            schema,
            valid,
            &self.data_at(),
        )
    }

    /// Its data as any text.
    ///
    /// # Errors
    /// Never returns an error. It returns a `Result` as [`Received::json`] does.
    pub fn text(&self) -> Result<String, Vec<Issue>> {
        Ok(self.event.data.clone())
    }

    /// Its data as a text of a schema.
    ///
    /// # Errors
    /// Returns every violation of the schema.
    pub fn text_of(&self, schemas: &Schemas, schema: &str) -> Result<String, Vec<Issue>> {
        let text = self.event.data.clone();
        let value = Value::String(text.clone());
        let issues = violations(schemas, schema, &value, &self.data_at());
        match issues.is_empty() {
            true => Ok(text),
            false => Err(issues),
        }
    }

    /// The event is of a type that the contract does not have.
    ///
    /// # Errors
    /// Always returns the violation.
    pub fn unknown<T>(&self) -> Result<T, Vec<Issue>> {
        Err(vec![Issue {
            place: Place::Body,
            at: self.data_at(),
            keyword: "const",
            message: "is of an event of an unknown type".to_owned(),
        }])
    }
}

/// Every violation of a schema by a value at a JSON pointer into the body.
fn violations(schemas: &Schemas, schema: &str, value: &Value, at: &str) -> Vec<Issue> {
    let mut issues = Issues::new();
    schemas.validate(schema, value, Place::Body, at, &mut issues);
    issues.into_vec()
}
