//! Tolerant reading of JSON: accepts harmless differences from a schema, and reports the location of others.
//!
//! A value is first decoded strictly, straight from the bytes. Only if that fails is it decoded again from a tree, which
//! records locations and applies these rules:
//!
//! - `null` for an optional property is an absent property; elsewhere, `null` for an array or map is an empty one;
//! - an empty body is `null`;
//! - an empty string for an optional property of another type is an absent property;
//! - `1.0` is an integer;
//! - strings are normalized to their formats, such as a `date-time` without an offset;
//! - additional properties are ignored;
//! - of several variants, the one that keeps the most properties is selected, then the first.
//!
//! Types apply the rules if [`is_tolerant`] returns true. The state is thread-local, because decoding is synchronous.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::fmt;

use serde::de::{self, DeserializeOwned, Unexpected};

use serde_json::Value;

use crate::decode::buffered::Buffered;
use crate::decode::json_single;
use crate::decode::json_text;
use crate::decode::replay::Replay;

/// The mode in which the current thread reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// Strictly, without locations.
    Fast,
    /// Strictly, with locations.
    Strict,
    /// Tolerantly, with locations.
    Tolerant,
}

/// The state of the current thread's reading.
#[derive(Debug)]
struct Reading {
    /// The JSON pointer of the current value.
    location: String,
    /// The first failure.
    failure: Option<ReadError>,
    /// Whether the next value is required, so that `null` is an empty array or map.
    is_required: bool,
    /// The selected variants, or the failures, by location and type of the union. Avoids exponential re-evaluation of
    /// nested unions.
    chosen: BTreeMap<(String, &'static str), Result<usize, ReadError>>,
}

thread_local! {
    static MODE: Cell<Mode> = const { Cell::new(Mode::Fast) };
    static READING: RefCell<Reading> = const {
        RefCell::new(Reading {
            location: String::new(),
            failure: None,
            is_required: false,
            chosen: BTreeMap::new(),
        })
    };
}

/// Error of decoding JSON as a type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadError {
    /// The JSON pointer (RFC 6901) of the invalid value; empty for the whole document.
    pub location: String,
    /// The cause, without the location.
    pub reason: String,
    /// The expected value, such as `a string`; empty if unknown.
    pub expected: String,
    /// The received value, such as `null`; empty if unknown.
    pub received: String,
    /// The variants of a union that were tried, with the error of each, the shortest first; empty for other types.
    pub tried: Vec<(&'static str, ReadError)>,
}

impl ReadError {
    fn mismatch(expected: String, received: String) -> ReadError {
        ReadError {
            reason: format!("expected {expected}, received {received}"),
            expected,
            received,
            ..ReadError::because(String::new())
        }
    }

    pub(crate) fn because(reason: String) -> ReadError {
        ReadError {
            location: String::new(),
            reason,
            expected: String::new(),
            received: String::new(),
            tried: Vec::new(),
        }
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.location.is_empty() {
            write!(f, "{}: ", self.location)?;
        }
        f.write_str(&self.reason)?;
        for (index, (variant, error)) in self.tried.iter().enumerate() {
            let separator = if index == 0 { ": " } else { "; " };
            write!(f, "{separator}as {variant}, ")?;
            // The location of a variant's error is relative to the union's.
            let within = error.location.strip_prefix(&self.location);
            let shown = ReadError {
                location: within.unwrap_or(&error.location).to_owned(),
                ..error.clone()
            };
            write!(f, "{shown}")?;
        }
        Ok(())
    }
}

impl std::error::Error for ReadError {}

/// Decodes JSON as generated clients decode responses: accepts harmless differences from the schema.
///
/// Use it for JSON that the server sends by other means, such as webhook payloads.
///
/// # Errors
/// Returns an error if `bytes` are not JSON or do not match `T`, with the location of the invalid value.
///
/// ```
/// # #[derive(serde::Deserialize)] struct Volume { labels: Vec<String> }
/// let volume: Volume = runtime::read_json(br#"{"labels": []}"#)?;
/// let error = runtime::read_json::<Vec<i64>>(br#"[1, "2"]"#).unwrap_err();
/// assert_eq!(error.to_string(), r#"/1: expected an integer, received "2""#);
/// # assert!(volume.labels.is_empty());
/// # Ok::<(), runtime::ReadError>(())
/// ```
pub fn read_json<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, ReadError> {
    read(bytes, Mode::Tolerant)
}

/// Decodes JSON, or an unquoted string.
///
/// # Errors
/// Those of [`read_json`].
#[cfg(feature = "client")]
pub(crate) fn read_json_or_text<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, ReadError> {
    read_json(bytes).or_else(|error| {
        if bytes.trim_ascii_start().starts_with(b"{") || bytes.trim_ascii_start().starts_with(b"[")
        {
            return Err(error);
        }
        let text = std::str::from_utf8(bytes).ok();
        let text = text.map(|text| Buffered::Text(text.into()));
        let read = text.and_then(|text| T::deserialize(Replay::new(text)).ok());
        read.ok_or(error)
    })
}

/// Decodes JSON strictly.
///
/// # Errors
/// Those of [`read_json`].
#[cfg(feature = "client")]
pub(crate) fn read_strictly<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, ReadError> {
    read(bytes, Mode::Strict)
}

fn read<T: DeserializeOwned>(bytes: &[u8], mode: Mode) -> Result<T, ReadError> {
    // A byte order mark, which is no JSON (RFC 8259, section 8.1).
    let marked = bytes.strip_prefix(b"\xEF\xBB\xBF");
    let bytes = marked.filter(|_| mode == Mode::Tolerant).unwrap_or(bytes);
    if let Ok(value) = json_single::from_slice(bytes) {
        return Ok(value);
    }
    let is_empty = bytes.iter().all(u8::is_ascii_whitespace);
    if is_empty && mode == Mode::Strict {
        return Err(nothing());
    }
    let value = match is_empty {
        // An empty body is `null`.
        true => Value::Null,
        false => json_text::parse(bytes).map_err(|error| ReadError {
            expected: "JSON".to_owned(),
            ..ReadError::because(format!("the text {error}"))
        })?,
    };
    let mut value = Buffered::from(value);
    if mode == Mode::Tolerant {
        value.make_whole();
    }
    let (read, failure) = within_state(mode, || {
        let read = T::deserialize(Replay::new(value));
        (read, take_failure())
    });
    read.map_err(|error| match is_empty {
        true => nothing(),
        false => failure.unwrap_or_else(|| ReadError::because(error.to_string())),
    })
}

fn nothing() -> ReadError {
    ReadError::mismatch("a JSON value".to_owned(), "nothing".to_owned())
}

/// The previous state of the thread, restored on drop.
struct PreviousState(Mode, Option<Reading>);

impl Drop for PreviousState {
    fn drop(&mut self) {
        MODE.set(self.0);
        if let Some(before) = self.1.take() {
            READING.replace(before);
        }
    }
}

/// Runs a reading in a fresh state of this mode.
fn within_state<T>(mode: Mode, read: impl FnOnce() -> T) -> T {
    let fresh = Reading {
        location: String::new(),
        failure: None,
        is_required: true,
        chosen: BTreeMap::new(),
    };
    let _previous = PreviousState(MODE.replace(mode), Some(READING.replace(fresh)));
    read()
}

/// Reads a value that is not JSON, such as a header, tolerantly.
#[cfg(feature = "client")]
pub(crate) fn tolerantly<T>(read: impl FnOnce() -> T) -> T {
    within_state(Mode::Tolerant, read)
}

/// Whether the current thread reads tolerantly.
#[must_use]
pub fn is_tolerant() -> bool {
    MODE.get() == Mode::Tolerant
}

/// Reads a variant of a union strictly, within a tolerant reading.
pub(crate) fn strictly<T>(read: impl FnOnce() -> T) -> T {
    let mode = MODE.replace(Mode::Strict);
    let value = read();
    MODE.set(mode);
    value
}

/// The variant of the union `U` at the current location, if it was selected before. Records a previous failure again.
pub(crate) fn chosen<U>() -> Option<Option<usize>> {
    let known = READING.with_borrow(|reading| {
        let key = (reading.location.clone(), std::any::type_name::<U>());
        reading.chosen.get(&key).cloned()
    })?;
    Some(known.map_err(fail).ok())
}

/// Stores the variant of the union `U` at the current location, or the current failure.
pub(crate) fn choose<U>(variant: Option<usize>) {
    READING.with_borrow_mut(|reading| {
        let choice = match (variant, &reading.failure) {
            (Some(variant), _) => Ok(variant),
            (None, Some(failure)) => Err(failure.clone()),
            (None, None) => return,
        };
        let key = (reading.location.clone(), std::any::type_name::<U>());
        reading.chosen.insert(key, choice);
    });
}

/// Whether the current thread records locations.
pub(crate) fn is_located() -> bool {
    MODE.get() != Mode::Fast
}

/// Records a failure at the current location, unless there is one.
fn fail(error: ReadError) {
    READING.with_borrow_mut(|reading| {
        if reading.failure.is_none() {
            let location = reading.location.clone();
            reading.failure = Some(ReadError { location, ..error });
        }
    });
}

/// Removes and returns the recorded failure.
pub(crate) fn take_failure() -> Option<ReadError> {
    READING.with_borrow_mut(|reading| reading.failure.take())
}

/// Whether the current value is required. Resets the flag for nested values.
pub(crate) fn take_required() -> bool {
    READING.with_borrow_mut(|reading| std::mem::take(&mut reading.is_required))
}

/// Escapes a name for a JSON pointer (RFC 6901, section 3).
fn escaped(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

/// Reads the value of an optional property.
pub(crate) fn property<T>(name: &str, read: impl FnOnce() -> T) -> T {
    within(&escaped(name), false, read)
}

/// Reads the value of a required property or of a map.
pub(crate) fn required_property<T>(name: &str, read: impl FnOnce() -> T) -> T {
    within(&escaped(name), true, read)
}

/// Reads an item of an array.
pub(crate) fn item<T>(index: usize, read: impl FnOnce() -> T) -> T {
    within(&index.to_string(), true, read)
}

fn within<T>(token: &str, is_required: bool, read: impl FnOnce() -> T) -> T {
    let length = READING.with_borrow_mut(|reading| {
        let length = reading.location.len();
        reading.location.push('/');
        reading.location.push_str(token);
        reading.is_required = is_required;
        length
    });
    let value = read();
    READING.with_borrow_mut(|reading| {
        reading.location.truncate(length);
        reading.is_required = false;
    });
    value
}

/// Removes the failure of a property that received `null` or an empty string. Returns whether there was one.
pub(crate) fn forgive_empty(name: &str) -> bool {
    READING.with_borrow_mut(|reading| {
        let is_empty = reading.failure.as_ref().is_some_and(|failure| {
            let within = failure.location.strip_prefix(&reading.location);
            let own = within.and_then(|rest| rest.strip_prefix('/')) == Some(&*escaped(name));
            own && [NULL, EMPTY].contains(&&*failure.received)
        });
        if is_empty {
            reading.failure = None;
        }
        is_empty
    })
}

/// Records that no variant of a union matches, with the error of each. Only the error with the deepest location
/// retains its own `tried`.
pub(crate) fn fail_all(value: &Buffered<'_>, mut tried: Vec<(&'static str, ReadError)>) {
    let depth = |error: &ReadError| error.location.matches('/').count();
    let furthest = tried.iter().map(|(_, error)| depth(error)).max();
    let mut is_kept = false;
    for (_, error) in &mut tried {
        if is_kept || Some(depth(error)) != furthest {
            error.tried.clear();
        } else {
            is_kept = true;
        }
    }
    tried.sort_by_key(|(_, error)| error.to_string().len());
    let received = shown(value);
    fail(ReadError {
        tried,
        received: received.clone(),
        ..ReadError::because(format!("no variant fits {received}"))
    });
}

/// Removes the failure if it is at the current location, not deeper, and has this reason. Returns whether it was.
pub(crate) fn has_failed_here(reason: &str) -> bool {
    READING.with_borrow_mut(|reading| {
        let failed = reading.failure.as_ref();
        let is_here = failed.is_some_and(|failure| {
            failure.location == reading.location && failure.reason == reason
        });
        if is_here {
            reading.failure = None;
        }
        is_here
    })
}

/// Records that no variant of a union has the type of the value.
pub(crate) fn fail_type(types: &[&str], value: &Buffered<'_>) {
    let types: Vec<_> = types.iter().map(|name| name.to_ascii_lowercase()).collect();
    fail(ReadError::mismatch(types.join(" or "), shown(value)));
}

/// Records that a discriminator property is missing or has none of the listed values.
pub(crate) fn fail_tag(property: &str, names: &[&str], value: Option<&Buffered<'_>>) {
    let names: Vec<_> = names.iter().map(|name| quoted(name)).collect();
    let expected = format!("one of {}", names.join(", "));
    match value {
        Some(value) => self::property(property, || {
            fail(ReadError::mismatch(expected, shown(value)));
        }),
        None => fail(ReadError {
            expected: format!("the property {property:?}"),
            ..ReadError::because(format!("the property {property:?} is missing, {expected}"))
        }),
    }
}

/// The representation of `null` in errors.
const NULL: &str = "null";

/// The representation of an empty string in errors.
const EMPTY: &str = "\"\"";

/// The maximum number of characters of a string in an error.
const SHOWN: usize = 60;

/// Describes a value in an error.
fn shown(value: &Buffered<'_>) -> String {
    match value {
        Buffered::Null => NULL.to_owned(),
        Buffered::Bool(value) => value.to_string(),
        Buffered::Unsigned(value) => value.to_string(),
        Buffered::Signed(value) => value.to_string(),
        Buffered::Float(value) => value.to_string(),
        Buffered::Number(number) => number.to_string(),
        Buffered::Text(text) => quoted(text),
        Buffered::List(_) => "an array".to_owned(),
        Buffered::Object(_) => "an object".to_owned(),
    }
}

fn quoted(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        None => format!("{text:?}"),
        Some((end, _)) => format!("{:?}…", text.get(..end).unwrap_or_default()),
    }
}

/// The error of a value that is read from a tree. If locations are recorded, the failure is recorded, too.
#[derive(Debug)]
pub(crate) struct Misfit(String);

impl fmt::Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Misfit {}

impl Misfit {
    fn noted(error: ReadError) -> Misfit {
        let text = error.to_string();
        if is_located() {
            fail(error);
        }
        Misfit(text)
    }
}

impl de::Error for Misfit {
    fn custom<M: fmt::Display>(message: M) -> Misfit {
        Misfit::noted(ReadError::because(message.to_string()))
    }

    fn invalid_type(unexpected: Unexpected<'_>, expected: &dyn de::Expected) -> Misfit {
        let expected = named(&expected.to_string());
        Misfit::noted(ReadError::mismatch(expected, received(&unexpected)))
    }

    fn invalid_value(unexpected: Unexpected<'_>, expected: &dyn de::Expected) -> Misfit {
        Misfit::invalid_type(unexpected, expected)
    }

    fn missing_field(name: &'static str) -> Misfit {
        let expected = format!("the property {name:?}");
        Misfit::noted(ReadError {
            expected: expected.clone(),
            received: "an object without it".to_owned(),
            ..ReadError::because(format!("{expected} is missing"))
        })
    }

    fn unknown_field(name: &str, _: &'static [&'static str]) -> Misfit {
        let name = quoted(name);
        Misfit::noted(ReadError::because(format!("there is no property {name}")))
    }
}

fn received(unexpected: &Unexpected<'_>) -> String {
    match unexpected {
        Unexpected::Unit | Unexpected::Option => NULL.to_owned(),
        Unexpected::Bool(value) => value.to_string(),
        Unexpected::Unsigned(value) => value.to_string(),
        Unexpected::Signed(value) => value.to_string(),
        Unexpected::Float(value) => value.to_string(),
        Unexpected::Str(text) => quoted(text),
        Unexpected::Seq => "an array".to_owned(),
        Unexpected::Map => "an object".to_owned(),
        other => other.to_string(),
    }
}

/// Converts the expectation of `serde` to JSON terms.
fn named(expected: &str) -> String {
    let named = match expected {
        "i8" | "i16" | "i32" | "u8" | "u16" | "u32" | "u64" | "i128" | "u128" => {
            return format!("an integer ({expected})");
        }
        "i64" => "an integer",
        "f32" | "f64" => "a number",
        "a sequence" => "an array",
        "a map" => "an object",
        "unit" => NULL,
        other => other,
    };
    named.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn error<T: DeserializeOwned + fmt::Debug>(text: &str) -> String {
        read_json::<T>(text.as_bytes()).unwrap_err().to_string()
    }

    #[test]
    fn errors_name_the_location_and_both_sides() {
        assert_eq!(
            error::<BTreeMap<String, Vec<i8>>>(r#"{"a/b": [1, 300]}"#),
            "/a~1b/1: expected an integer (i8), received 300"
        );
        assert_eq!(
            error::<Vec<String>>("{}"),
            "expected an array, received an object"
        );
        assert_eq!(
            error::<String>(" \n"),
            "expected a JSON value, received nothing"
        );
        assert_eq!(
            error::<String>("<html>"),
            "the text is not JSON (line 1, column 1)"
        );
        let long = format!("{:?}", "x".repeat(1000));
        assert_eq!(error::<i64>(&long).chars().count(), 93);
    }

    #[test]
    fn whole_numbers_are_integers_however_they_are_written() {
        assert_eq!(read_json::<Vec<i32>>(b"[1.0, 2e1, 3]"), Ok(vec![1, 20, 3]));
        assert!(read_json::<i32>(b"1.5").is_err());
        assert!(read_strictly::<i32>(b"1.0").is_err());
    }

    #[test]
    fn null_is_an_empty_collection_where_one_must_be() {
        assert_eq!(read_json::<Vec<i32>>(b"null"), Ok(Vec::new()));
        assert_eq!(read_json::<Vec<i32>>(b""), Ok(Vec::new()));
        assert_eq!(read_json::<Value>(b""), Ok(Value::Null));
        assert_eq!(read_json::<Vec<Vec<i32>>>(b"[null]"), Ok(vec![Vec::new()]));
        let ports: Result<BTreeMap<String, Vec<i32>>, _> = read_json(br#"{"80/tcp": null}"#);
        assert_eq!(ports, Ok([("80/tcp".to_owned(), Vec::new())].into()));
        assert_eq!(
            error::<Vec<String>>("[null]"),
            "/0: expected a string, received null"
        );
        assert!(read_strictly::<Vec<i32>>(b"null").is_err());
    }

    #[test]
    fn a_reading_leaves_nothing_behind() {
        assert!(read_json::<i32>(b"[]").is_err());
        assert!(!is_located());
        assert_eq!(take_failure(), None);
    }
}
