//! The verdict on one answer: whether the contract documents it, in every respect.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use bytes::Bytes;
use http::Response;
use jsonschema::Validator;
use serde_json::{Value, json};

use super::closed;
use super::document::{Document, Documented};

/// Headers that need no documentation: the length and date of every message (RFC 9110, sections 8.6 and
/// 6.6.1), and transport hygiene, whose values [`hygiene`] checks. `Content-Type` is compared with the
/// documented media types. Every other header must be documented.
const UNDOCUMENTED: [&str; 7] = [
    "content-length",
    "content-type",
    "date",
    "vary",
    "x-content-type-options",
    "access-control-allow-origin",
    "access-control-expose-headers",
];

/// The violations of the rules that hold for every response: no sniffing, CORS for any origin or none, and
/// no cache stores an error.
fn hygiene(response: &Response<Bytes>) -> Vec<String> {
    let headers = response.headers();
    let value = |name: &str| headers.get(name).map(|value| value.to_str().unwrap_or(""));
    let mut found = Vec::new();
    if value("x-content-type-options") != Some("nosniff") {
        found.push("x-content-type-options is not nosniff".to_owned());
    }
    if value("access-control-allow-origin").is_some_and(|origin| origin != "*") {
        found.push("access-control-allow-origin is not *".to_owned());
    }
    if response.status().as_u16() >= 400 && value("cache-control") != Some("no-store") {
        found.push("an error may be cached".to_owned());
    }
    found
}

/// Holds answers against a contract.
pub struct AnswerValidator {
    pub document: Document,
    schemas: Value,
    validators: Mutex<HashMap<String, Arc<Validator>>>,
}

impl AnswerValidator {
    pub fn new(document: Document) -> AnswerValidator {
        AnswerValidator {
            schemas: closed::close_components(&document.root),
            document,
            validators: Mutex::default(),
        }
    }

    /// Everything about the answer that the contract does not say.
    pub fn violations(&self, method: &str, path: &str, answer: &Response<Bytes>) -> Vec<String> {
        let status = answer.status().as_u16();
        let responses = match self.document.matching(method, path) {
            Some(operation) => &operation.answers,
            None => &self.document.unmatched,
        };
        match responses.get(&status) {
            Some(documented) => self.compare(documented, method, answer),
            None => vec![format!("the status {status} is not documented")],
        }
    }

    fn compare(
        &self,
        documented: &Documented,
        method: &str,
        answer: &Response<Bytes>,
    ) -> Vec<String> {
        let mut found = hygiene(answer);
        found.extend(self.compare_headers(documented, answer));
        let content_type = answer.headers().get("content-type");
        let content_type = content_type.map(|value| value.to_str().unwrap_or("unreadable"));
        match content_type {
            None if !documented.content.is_empty() => found.push("there is no content type".into()),
            None => {}
            Some(media) => match documented.content.get(media) {
                None => found.push(format!("the content type {media} is not documented")),
                Some(schema) if method != "HEAD" => {
                    found.extend(self.compare_body(media, schema, answer.body()));
                }
                Some(_) => {}
            },
        }
        let must_be_empty = method == "HEAD" || documented.content.is_empty();
        if must_be_empty && !answer.body().is_empty() {
            found.push("there is a body where there can be none".into());
        }
        found
    }

    fn compare_headers(&self, documented: &Documented, response: &Response<Bytes>) -> Vec<String> {
        let headers = response.headers();
        let is_error = response.status().as_u16() >= 400;
        let mut found = Vec::new();
        for name in headers.keys() {
            let name = name.as_str();
            if headers.get_all(name).iter().count() > 1 {
                found.push(format!("the header {name} stands twice"));
            }
            let is_checked = UNDOCUMENTED.contains(&name) || is_error && name == "cache-control";
            if !is_checked && !documented.headers.contains_key(name) {
                found.push(format!("the header {name} is not documented"));
            }
        }
        for (name, header) in &documented.headers {
            match headers.get(name) {
                None if header.required => found.push(format!("the header {name} is missing")),
                None => {}
                Some(value) => {
                    let text = value.to_str().unwrap_or("unreadable");
                    let value = match header.schema["type"].as_str() {
                        Some("integer") => text.parse::<i64>().map_or(json!(text), Value::from),
                        _ => json!(text),
                    };
                    let complaints = self.complaints(&header.schema, &value);
                    found.extend(complaints.into_iter().map(|it| format!("{name}: {it}")));
                }
            }
        }
        found
    }

    fn compare_body(&self, media: &str, schema: &Value, body: &[u8]) -> Vec<String> {
        if media.starts_with("text/csv;") {
            return rectangular(body).err().into_iter().collect();
        }
        if media != "application/json" {
            return well_formed(body).err().into_iter().collect();
        }
        match serde_json::from_slice(body) {
            Ok(value) => self.complaints(schema, &value),
            Err(error) => vec![format!("the body is not JSON: {error}")],
        }
    }

    /// The violations of `schema` by `value` (JSON Schema 2020-12, formats asserted).
    fn complaints(&self, schema: &Value, value: &Value) -> Vec<String> {
        let validator = self.validator(schema);
        let errors = validator.iter_errors(value);
        errors
            .map(|error| format!("{}: {error}", error.instance_path()))
            .collect()
    }

    fn validator(&self, schema: &Value) -> Arc<Validator> {
        let mut validators = self.validators.lock().unwrap();
        let compile = || {
            let mut whole = closed::close(schema);
            whole["components"] = json!({ "schemas": self.schemas });
            let options = jsonschema::draft202012::options().should_validate_formats(true);
            Arc::new(options.build(&whole).expect("a schema of the contract"))
        };
        Arc::clone(validators.entry(schema.to_string()).or_insert_with(compile))
    }
}

/// Whether a text is a table of comma-separated values (RFC 4180) with a line of names and as many fields in
/// each line.
fn rectangular(body: &[u8]) -> Result<(), String> {
    let text = std::str::from_utf8(body).map_err(|error| error.to_string())?;
    let lines = super::table::read(text).ok_or("the body is no table")?;
    let mut widths = lines.iter().map(Vec::len);
    let width = widths.next().ok_or("the table has no line of names")?;
    match widths.all(|it| it == width) {
        true => Ok(()),
        false => Err("the lines of the table differ in length".to_owned()),
    }
}

/// Whether a text is a well-formed XML document.
fn well_formed(body: &[u8]) -> Result<(), String> {
    let text = std::str::from_utf8(body).map_err(|error| error.to_string())?;
    let mut reader = quick_xml::Reader::from_str(text);
    loop {
        match reader.read_event() {
            Ok(quick_xml::events::Event::Eof) => return Ok(()),
            Ok(_) => {}
            Err(error) => return Err(format!("the body is not XML: {error}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An answer that is right in every respect, for `GET /chains`.
    fn right() -> http::response::Builder {
        Response::builder()
            .header("content-type", "application/json")
            .header("etag", "\"a\"")
            .header("cache-control", "public, max-age=60")
            .header("x-request-id", "a")
            .header("x-content-type-options", "nosniff")
            .header("x-ratelimit-limit", "20")
            .header("x-ratelimit-remaining", "19")
            .header("x-ratelimit-reset", "1793534460")
            .header("date", "Fri, 20 Nov 2026 12:00:00 GMT")
    }

    const BODY: &str = r#"{"pageKey":null,"response":[{"id":1,"name":"E","type":"EVM","explorerUrl":null,
        "nativeCurrency":{"name":"E","symbol":"E","decimals":18}}]}"#;

    #[track_caller]
    fn check(method: &str, answer: http::response::Builder, body: &str, expected: &[&str]) {
        let contract = AnswerValidator::new(Document::read(crate::CONTRACT));
        let answer = answer.body(Bytes::from(body.to_owned())).unwrap();
        let found = contract.violations(method, "/api/v1/chains", &answer);
        assert_eq!(found.len(), expected.len(), "{found:?}");
        for (found, expected) in found.iter().zip(expected) {
            assert!(found.contains(expected), "{found}");
        }
    }

    #[test]
    fn a_right_answer_is_right() {
        check("GET", right(), BODY, &[]);
        check("HEAD", right(), "", &[]);
    }

    #[test]
    fn statuses_and_headers_must_be_documented() {
        check("GET", right().status(418), BODY, &["the status 418"]);
        let more = right().header("server", "x").header("x-request-id", "b");
        check(
            "GET",
            more,
            BODY,
            &["x-request-id stands twice", "server is not documented"],
        );
        let bare = Response::builder().header("content-type", "application/json");
        let mut missing = vec!["nosniff"];
        missing.extend(["missing"; 6]);
        check("GET", bare, BODY, &missing);
        let mut wrong = right();
        let headers = wrong.headers_mut().unwrap();
        headers.insert("x-ratelimit-limit", "0".parse().unwrap());
        headers.insert("etag", "a".parse().unwrap());
        check("GET", wrong, BODY, &["etag: ", "x-ratelimit-limit: "]);
    }

    #[test]
    fn bodies_must_match_their_schema_without_further_members() {
        check("HEAD", right(), BODY, &["a body where there can be none"]);
        check("GET", right(), "{", &["not JSON"]);
        let body = |from: &str, to: &str| BODY.replacen(from, to, 1);
        // Where a part of `allOf` fails, its properties count as unevaluated, too.
        for (from, to, at) in [
            ("\"EVM\"", "1", "/response/0/type"),
            (
                "l\":null,\n",
                "l\":\"no uri\",\n",
                "/response/0/explorerUrl",
            ),
            ("\"id\":1", "\"id\":1,\"secret\":2", "/response/0"),
            (
                "\"decimals\"",
                "\"secret\":2,\"decimals\"",
                "/response/0/nativeCurrency",
            ),
        ] {
            let wrong = body(from, to);
            assert_ne!(wrong, BODY);
            check("GET", right(), &wrong, &["Unevaluated properties", at]);
        }
        let html = Response::builder()
            .header("content-type", "text/html")
            .status(503);
        check(
            "GET",
            html,
            "<p>",
            &[
                "nosniff",
                "cached",
                "link",
                "retry-after",
                "x-request-id",
                "text/html",
            ],
        );
    }
}
