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
    /// The JSON pointer to its data.
    at: String,
    event: Event<String>,
}

impl Received {
    pub(super) fn new(event: Event<String>, index: usize) -> Self {
        Self {
            at: format!("/{index}/data"),
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
        explain::json(schemas, self.event.data.as_bytes(), schema, valid, &self.at)
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
        let mut issues = Issues::new();
        let text = self.event.data.clone();
        let value = Value::String(text.clone());
        schemas.validate(schema, &value, Place::Body, &self.at, &mut issues);
        match issues.is_empty() {
            true => Ok(text),
            false => Err(issues.into_vec()),
        }
    }

    /// The event is of a type that the contract does not have.
    ///
    /// # Errors
    /// Always returns the violation.
    pub fn unknown<T>(&self) -> Result<T, Vec<Issue>> {
        Err(vec![Issue {
            place: Place::Body,
            at: self.at.clone(),
            keyword: "const",
            message: "is of an event of an unknown type".to_owned(),
        }])
    }
}
