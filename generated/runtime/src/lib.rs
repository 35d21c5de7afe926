// @generated with the crate that it serves. Do not edit.

//! What every generated crate needs, whatever its contract says: see the modules.

#[rustfmt::skip]
mod runtime {
//! The parts of a generated crate that do not vary with its contract.
//!
//! Copied verbatim into the crate `runtime/` of every output, so a file here
//! refers to its neighbours through `super`, and of the workspace to the crate
//! `json_schema` alone, which is copied as well.
//! Nothing here knows a contract: what varies comes in as data ([`operation`],
//! [`param`], the bundle of [`schema`]) or through [`service::Dispatch`].
//!
//! - From a request to its answer: [`service`] asks [`route`] and [`host`],
//!   lends the [`body`], goes through the layers of an [`endpoint`] to a
//!   [`call`], and answers every [`fault`].
//! - Who calls: [`credential`] reads what is shown, [`security`] judges it.
//! - From text to types: [`reader`] decodes parameters ([`param`], [`query`],
//!   [`raw`]) and bodies ([`multipart_read`] for forms with files), and checks them ([`check`], [`pattern`]).
//! - What does not come whole: [`stream`], [`items`], [`events`],
//!   [`upload`].
//! - What is wrong with it: [`schema`] interprets JSON Schema 2020-12 and
//!   gathers every [`issue`]; [`condition`] is what compiled schemas ask.
//! - From types to bytes: [`fields`], [`encoded`], [`object_writer`], [`respond`];
//!   [`formatted`] both ways for texts that have a Rust type, [`integer`] for
//!   whole numbers of any size.
//! - The other side: [`client`], [`draft`], [`transport`], [`expression`] for
//!   where callbacks go, and [`link`] for what can be asked next.

mod answer {
//! The parts of HTTP that hold for every answer, whoever made it.

use axum::body::Body;
use http::header::{
    ACCEPT, ALLOW, CONTENT_LENGTH, CONTENT_TYPE, EXPECT, RETRY_AFTER, WWW_AUTHENTICATE,
};
use http::{HeaderMap, HeaderName, HeaderValue, Response, StatusCode};
use http_body::Body as _;

use super::challenge::challenges;
use super::fault::{Answer, Fault, Plain};
use super::media;
use super::operation::Operation;

/// The response to a fault, with the headers that its status asks for
/// (RFC 9110, sections 11.6.1, 15.5.6 and 15.6.4).
pub(super) fn of_fault(
    fault: &Fault,
    answer: Answer,
    operation: Option<&Operation>,
) -> Response<Body> {
    let mut response = Response::new(Body::from(answer.body));
    *response.status_mut() = answer.status;
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(answer.content_type));
    if answer.challenges {
        for challenge in operation.map_or_else(Vec::new, |operation| challenges(operation, fault)) {
            headers.append(WWW_AUTHENTICATE, challenge);
        }
    }
    match fault {
        Fault::Method { allow } => {
            if let Ok(allow) = HeaderValue::from_str(allow) {
                headers.insert(ALLOW, allow);
            }
        }
        Fault::MediaType => {
            if let Some(operation) = operation {
                list_accepted(operation, headers);
            }
        }
        Fault::Unavailable { retry_after } => {
            headers.insert(RETRY_AFTER, HeaderValue::from(*retry_after));
        }
        _ => {}
    }
    response
}

/// The header that says since when an operation is deprecated (RFC 9745).
const DEPRECATION: HeaderName = HeaderName::from_static("deprecation");

/// The header that says when an operation ends (RFC 8594).
const SUNSET: HeaderName = HeaderName::from_static("sunset");

/// Says that an operation is deprecated, and when it ends.
pub(super) fn tell_end(operation: &Operation, headers: &mut HeaderMap) {
    let dates = [
        (DEPRECATION, operation.deprecation),
        (SUNSET, operation.sunset),
    ];
    for (name, date) in dates {
        if let Some(date) = date {
            headers.insert(name, HeaderValue::from_static(date));
        }
    }
}

/// Says which media types an operation takes (RFC 9110, section 15.5.16).
fn list_accepted(operation: &Operation, headers: &mut HeaderMap) {
    if let Ok(types) = HeaderValue::try_from(operation.consumes.join(", ")) {
        headers.insert(ACCEPT, types);
    }
}

/// Whether a client with these headers takes an answer: an error it takes in
/// any form.
pub(super) fn is_admitted(response: &Response<Body>, headers: &HeaderMap) -> bool {
    let answered = response.headers().get(CONTENT_TYPE);
    let answered = answered.and_then(|value| value.to_str().ok());
    !response.status().is_success()
        || answered.is_none_or(|answered| media::admits(headers, answered))
}

/// The answer where not even an answer can be worded.
pub(super) fn of_nobody() -> Response<Body> {
    let status = StatusCode::INTERNAL_SERVER_ERROR;
    let answer = Answer::json(status, &Plain::new(status.as_u16(), &[]));
    of_fault(&Fault::Internal, answer, None)
}

/// Whether the client waits to be asked for the body (RFC 9110, section
/// 10.1.1).
pub(super) fn expects_continue(headers: &HeaderMap) -> bool {
    headers
        .get(EXPECT)
        .is_some_and(|value| value.as_bytes().eq_ignore_ascii_case(b"100-continue"))
}

/// The answer to `HEAD`: the headers of the one to `GET`, its length
/// included, and no body (RFC 9110, section 9.3.2).
pub(super) fn without_body(response: Response<Body>) -> Response<Body> {
    let (mut parts, body) = response.into_parts();
    let has_content =
        !parts.status.is_informational() && !matches!(parts.status.as_u16(), 204 | 304);
    if let Some(length) = body.size_hint().exact().filter(|_| has_content) {
        parts
            .headers
            .entry(CONTENT_LENGTH)
            .or_insert_with(|| HeaderValue::from(length));
    }
    Response::from_parts(parts, Body::empty())
}
}
mod arrival {
//! A request from its arrival to the call of its operation.

use axum::body::Body;
use http::request::Parts;
use http::{Method, Request};

use super::answer;
use super::body::{Lender, lend};
use super::matched::Matched;
use super::route::{Routed, Router};

/// A request that was routed and not yet admitted.
///
/// It is large, and passes through several futures. Each of these would have
/// room for it twice, as what it was called with and as a variable; so it
/// stands in a box of its own, and the futures stay small enough to be
/// allocated and moved at little cost.
pub(super) struct Arrival {
    pub(super) matched: Matched,
    pub(super) routed: Routed,
    pub(super) parts: Parts,
    /// Lent, where it is not empty.
    pub(super) body: Body,
}

/// What is remembered of a request to end its answer, when the request itself
/// has gone to the handler.
pub(super) struct Remembered {
    pub(super) is_head: bool,
    pub(super) expects_continue: bool,
    /// Of whom the body was lent; `None` where it was empty.
    pub(super) lender: Option<Lender>,
}

/// Routes a request.
pub(super) fn arrive(request: Request<Body>, router: &Router) -> (Box<Arrival>, Remembered) {
    let (parts, body) = request.into_parts();
    let (body, lender) = lend(body);
    let remembered = Remembered {
        is_head: parts.method == Method::HEAD,
        expects_continue: answer::expects_continue(&parts.headers),
        lender,
    };
    let routed = router.find(&parts.method, &parts.uri, &parts.headers);
    let arrival = Box::new(Arrival {
        matched: Matched::new(routed.operation(), &parts.method),
        routed,
        parts,
        body,
    });
    (arrival, remembered)
}
}
mod base64 {
//! Base64 as HTTP Basic writes it (RFC 4648, section 4).
//!
//! A library would be one more dependency of every generated crate, for these
//! two functions.

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// The octets of a text; `None` where it is not the one text that stands for
/// them: another alphabet, no padding, bits that say nothing.
pub(super) fn decode(text: &str) -> Option<Vec<u8>> {
    let mut octets = Vec::with_capacity(text.len() / 4 * 3);
    let data = text.trim_end_matches('=').as_bytes();
    let padding = text.len() - data.len();
    if !text.len().is_multiple_of(4) || padding > 2 {
        return None;
    }
    for group in data.chunks(4) {
        let mut bits = 0u32;
        for byte in group {
            bits = bits << 6 | sextet(*byte)?;
        }
        // A last group of two or three letters has four or two bits too many.
        let spare = match group.len() {
            4 => 0,
            3 => 2,
            2 => 4,
            _ => return None,
        };
        if bits & ((1 << spare) - 1) != 0 {
            return None;
        }
        let whole = (bits >> spare).to_be_bytes();
        octets.extend_from_slice(whole.get(whole.len() - (group.len() - 1)..)?);
    }
    Some(octets)
}

/// The text of some octets.
pub(super) fn encode(octets: &[u8]) -> String {
    let mut text = String::with_capacity(octets.len().div_ceil(3) * 4);
    for group in octets.chunks(3) {
        let bits = group
            .iter()
            .fold(0u32, |bits, octet| bits << 8 | u32::from(*octet));
        let bits = bits << (8 * (3 - group.len()));
        for place in 0..4 {
            let index = usize::try_from(bits >> (18 - 6 * place) & 63).unwrap_or_default();
            let letter = ALPHABET.get(index).filter(|_| place <= group.len());
            text.push(letter.map_or('=', |letter| char::from(*letter)));
        }
    }
    text
}

fn sextet(byte: u8) -> Option<u32> {
    Some(u32::from(match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => return None,
    }))
}

#[cfg(test)]
mod tests {
    use super::{decode, encode};

    #[test]
    fn the_texts_of_the_standard_go_both_ways() {
        for (octets, text) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foobar", "Zm9vYmFy"),
        ] {
            assert_eq!(encode(octets.as_bytes()), text);
            assert_eq!(decode(text), Some(octets.as_bytes().to_vec()));
        }
        let all: Vec<u8> = (0..=255).collect();
        assert_eq!(decode(&encode(&all)), Some(all));
    }

    #[test]
    fn one_text_stands_for_some_octets_and_no_other() {
        for text in [
            "Zg", "Zg=", "Zg===", "Zh==", "Zm9=", "Z===", "====", "Zm9v\n", "Zm 9", "Zm-_",
        ] {
            assert_eq!(decode(text), None, "{text}");
        }
    }
}
}
pub mod body {
//! Request bodies: reading them up to a limit, and getting rid of what was
//! not read.
//!
//! A client that is still sending does not read, so an answer that goes out
//! before the body has come in may be lost with the connection. The service
//! therefore lends the body to whatever handles the request, and drains what
//! is left of it afterwards.

use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::Body;
use bytes::Bytes;
use http::HeaderMap;
use http_body::{Body as _, Frame, SizeHint};
use http_body_util::BodyExt as _;

use super::fault::Fault;
use super::service::Limits;
use super::stream::{ByteStream, Trouble};
use json_schema::issue::{Issue, Place};

/// Reads a whole body.
///
/// # Errors
/// [`Fault::TooLarge`] beyond `limit` bytes; [`Fault::Invalid`] where the
/// body breaks off.
pub async fn read(mut body: Body, limit: u64) -> Result<Bytes, Fault> {
    let too_large = |length: u64| length > limit;
    if too_large(body.size_hint().lower()) {
        return Err(Fault::TooLarge { limit });
    }
    // Most bodies come in one piece, which is then not copied.
    let mut first = Bytes::new();
    let mut whole = Vec::new();
    while let Some(frame) = body.frame().await {
        let Ok(data) = frame.map_err(|_| incomplete())?.into_data() else {
            continue;
        };
        let length = first.len().max(whole.len()) + data.len();
        if too_large(u64::try_from(length).unwrap_or(u64::MAX)) {
            return Err(Fault::TooLarge { limit });
        }
        if first.is_empty() {
            first = data;
        } else {
            if whole.is_empty() {
                whole.extend_from_slice(&first);
            }
            whole.extend_from_slice(&data);
        }
    }
    Ok(if whole.is_empty() {
        first
    } else {
        whole.into()
    })
}

/// The request's body: whole, or as a stream where it is to be read as it
/// arrives. The other of the two is empty.
///
/// # Errors
/// As [`read`], unless it is a stream.
pub async fn take(
    body: Body,
    headers: &HeaderMap,
    limits: &Limits,
    streamed: bool,
    trouble: &Trouble,
) -> Result<(Bytes, ByteStream), Fault> {
    if !streamed {
        return Ok((read(body, limits.body).await?, ByteStream::default()));
    }
    let stream = ByteStream::incoming(body, headers, limits, trouble);
    Ok((Bytes::new(), stream))
}

/// Reads and drops what is left of a body, up to `limit` bytes and for at
/// most `deadline`.
pub async fn drain(mut body: Body, limit: u64, deadline: Duration) {
    let all = async {
        let mut left = limit;
        while let Some(Ok(frame)) = body.frame().await {
            let length = frame.data_ref().map_or(0, Bytes::len);
            match left.checked_sub(u64::try_from(length).unwrap_or(u64::MAX)) {
                Some(less) => left = less,
                None => break,
            }
        }
    };
    // Whether the body ended or the deadline passed makes no difference: the
    // server closes the connection of a body that was not read to its end.
    let _: Result<(), _> = tokio::time::timeout(deadline, all).await;
}

fn incomplete() -> Fault {
    let message = "ends before it is complete".to_owned();
    Fault::Invalid(vec![Issue {
        place: Place::Body,
        at: String::new(),
        keyword: "type",
        message,
    }])
}

/// What came back of a body that was lent.
#[derive(Debug)]
pub(super) struct Leftover {
    pub(super) body: Body,
    /// Whether reading had begun.
    pub(super) begun: bool,
}

/// Where a lent body comes back to.
#[derive(Debug, Default, Clone)]
pub(super) struct Lender(Arc<Mutex<Option<Leftover>>>);

/// A body that comes back to the lender when it is dropped, unless it has
/// ended; one that is empty from the start is not lent.
pub(super) fn lend(body: Body) -> (Body, Option<Lender>) {
    if body.is_end_stream() {
        return (body, None);
    }
    let lender = Lender::default();
    let leftover = Some(Leftover { body, begun: false });
    (
        Body::new(Lent {
            leftover,
            lender: lender.clone(),
        }),
        Some(lender),
    )
}

impl Lender {
    /// What is left, once the body was dropped.
    pub(super) fn take(&self) -> Option<Leftover> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

struct Lent {
    leftover: Option<Leftover>,
    lender: Lender,
}

impl http_body::Body for Lent {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let Some(leftover) = &mut self.leftover else {
            return Poll::Ready(None);
        };
        leftover.begun = true;
        let polled = Pin::new(&mut leftover.body).poll_frame(context);
        if matches!(polled, Poll::Ready(None | Some(Err(_)))) {
            self.leftover = None;
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.leftover
            .as_ref()
            .is_none_or(|leftover| leftover.body.is_end_stream())
    }

    fn size_hint(&self) -> SizeHint {
        let hint = |leftover: &Leftover| leftover.body.size_hint();
        self.leftover
            .as_ref()
            .map_or_else(|| SizeHint::with_exact(0), hint)
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        if let Some(leftover) = self
            .leftover
            .take()
            .filter(|left| !left.body.is_end_stream())
        {
            *self.lender.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(leftover);
        }
    }
}
}
mod buffered {
//! A value that has to be kept until it is known what type it is.
//!
//! Texts stay where they are wherever the input can lend them, and an object
//! is the list of its members in the order in which they came, one that came
//! twice included: whoever reads it decides about that.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

use json_schema::json::{NUMBER, Name, SEEN_TO};
use json_schema::number::decimal::Decimal;

/// A name and what it stands for.
pub(super) type Member<'de> = (Cow<'de, str>, Buffered<'de>);

/// The name under which a union asks for an object whose first member is the
/// one that it gives as the only field.
pub(super) const NAMED_FIRST: &str = "$union";

/// A value as it was read.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Buffered<'de> {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A whole number.
    Unsigned(u64),
    /// A negative whole number.
    Signed(i64),
    /// Any other number that is the shortest text of a float.
    Float(f64),
    /// Any other number, as it was written.
    Number(Number),
    /// A string.
    Text(Cow<'de, str>),
    /// The items of an array.
    List(Vec<Buffered<'de>>),
    /// The members of an object.
    Object(Vec<(Cow<'de, str>, Buffered<'de>)>),
}

impl Buffered<'_> {
    /// Turns every number without a fraction into a whole one, as far as 64
    /// bits go.
    pub(super) fn make_whole(&mut self) {
        let decimal = match self {
            Buffered::Float(value) => Decimal::of_f64(*value),
            Buffered::Number(number) => Decimal::of(number),
            Buffered::List(items) => return items.iter_mut().for_each(Self::make_whole),
            Buffered::Object(members) => {
                return members
                    .iter_mut()
                    .for_each(|(_, member)| member.make_whole());
            }
            _ => return,
        };
        if let Some(whole) = decimal.and_then(|decimal| decimal.to_i128()) {
            let negative = i64::try_from(whole).map(Buffered::Signed);
            let whole = u64::try_from(whole).map(Buffered::Unsigned).or(negative);
            *self = whole.unwrap_or_else(|_| std::mem::replace(self, Buffered::Null));
        }
    }

    /// As JSON; nothing where an object has a member twice.
    pub(super) fn value(self) -> Option<Value> {
        Some(match self {
            Buffered::Null => Value::Null,
            Buffered::Bool(value) => value.into(),
            Buffered::Unsigned(value) => value.into(),
            Buffered::Signed(value) => value.into(),
            Buffered::Float(value) => value.into(),
            Buffered::Number(number) => Value::Number(number),
            Buffered::Text(text) => text.into_owned().into(),
            Buffered::List(items) => {
                let items = items.into_iter().map(Self::value);
                Value::Array(items.collect::<Option<_>>()?)
            }
            Buffered::Object(members) => {
                let mut object = Map::new();
                for (name, member) in members {
                    let before = object.insert(name.into_owned(), member.value()?);
                    if before.is_some() {
                        return None;
                    }
                }
                object.into()
            }
        })
    }

    /// The number, if it is one.
    pub(super) fn number(&self) -> Option<Number> {
        match self {
            Buffered::Unsigned(value) => Some((*value).into()),
            Buffered::Signed(value) => Some((*value).into()),
            Buffered::Float(value) => Number::from_f64(*value),
            Buffered::Number(number) => Some(number.clone()),
            _ => None,
        }
    }
}

/// The number that an object stands for, if it does.
pub(super) fn number_of(members: &[Member<'_>]) -> Option<Number> {
    let [(name, Buffered::Text(text))] = members else {
        return None;
    };
    text.parse().ok().filter(|_| name == NUMBER)
}

impl From<Value> for Buffered<'_> {
    fn from(value: Value) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Bool(value) => Self::Bool(value),
            Value::Number(number) => match (number.as_u64(), number.as_i64()) {
                (Some(value), _) => Self::Unsigned(value),
                (None, Some(value)) => Self::Signed(value),
                (None, None) => Self::Number(number),
            },
            Value::String(text) => Self::Text(text.into()),
            Value::Array(items) => Self::List(items.into_iter().map(Self::from).collect()),
            Value::Object(members) => Self::Object(
                members
                    .into_iter()
                    .map(|(name, member)| (name.into(), member.into()))
                    .collect(),
            ),
        }
    }
}

impl<'de> Deserialize<'de> for Buffered<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_newtype_struct(SEEN_TO, BufferedVisitor)
    }
}

struct BufferedVisitor;

impl<'de> Visitor<'de> for BufferedVisitor {
    type Value = Buffered<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(
        self,
        inner: D,
    ) -> Result<Buffered<'de>, D::Error> {
        inner.deserialize_any(self)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Buffered<'de>, E> {
        Ok(Buffered::Bool(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Buffered<'de>, E> {
        Ok(Buffered::Unsigned(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Buffered<'de>, E> {
        Ok(Buffered::Signed(value))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Buffered<'de>, E> {
        Ok(Buffered::Float(value))
    }

    fn visit_i128<E: Error>(self, value: i128) -> Result<Buffered<'de>, E> {
        exact(Number::from_i128(value))
    }

    fn visit_u128<E: Error>(self, value: u128) -> Result<Buffered<'de>, E> {
        exact(Number::from_u128(value))
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Buffered<'de>, E> {
        Ok(Buffered::Text(Cow::Borrowed(text)))
    }

    fn visit_str<E>(self, text: &str) -> Result<Buffered<'de>, E> {
        Ok(Buffered::Text(Cow::Owned(text.to_owned())))
    }

    fn visit_string<E>(self, text: String) -> Result<Buffered<'de>, E> {
        Ok(Buffered::Text(Cow::Owned(text)))
    }

    fn visit_unit<E>(self) -> Result<Buffered<'de>, E> {
        Ok(Buffered::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Buffered<'de>, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(Buffered::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Buffered<'de>, A::Error> {
        let mut object = Vec::new();
        while let Some(name) = members.next_key::<Name<'de>>()? {
            object.push((name.0, members.next_value()?));
        }
        let number = number_of(&object).map(Buffered::Number);
        Ok(number.unwrap_or(Buffered::Object(object)))
    }
}

/// A number of more than 64 bits.
pub(super) fn exact<'de, E: Error>(number: Option<Number>) -> Result<Buffered<'de>, E> {
    let number = number.map(Buffered::Number);
    number.ok_or_else(|| E::custom("the number has too many digits"))
}
}
pub mod call {
//! A request for an operation, admitted and not yet read.

use axum::body::Body;
use http::HeaderMap;
use http::request::Parts;
use http_body::Body as _;

use super::captures::Captures;
use super::fault::Fault;
use super::media;
use super::operation::Operation;
use super::security::Asked;
use super::service::Limits;

/// An admitted request for an operation.
pub struct Call<V> {
    /// The operation.
    pub operation: &'static Operation,
    /// What the host remembers of the visitor.
    pub visitor: V,
    /// What the path gave to its parameters.
    pub captures: Captures,
    /// The head of the request.
    pub parts: Parts,
    /// The body, unread.
    pub body: Body,
    /// The bounds to read it within.
    pub limits: Limits,
}

impl<V> Call<V> {
    /// What its caller is asked with.
    pub const fn asked(&self) -> Asked<'_, V> {
        Asked {
            operation: self.operation,
            visitor: &self.visitor,
            parts: &self.parts,
        }
    }

    /// What the headers alone refuse.
    ///
    /// # Errors
    /// [`Fault::TooLarge`], [`Fault::MediaType`] and [`Fault::NotAcceptable`],
    /// in this order.
    pub fn negotiate(&self) -> Result<(), Fault> {
        negotiate(self.operation, self.limits, &self.parts.headers, &self.body)
    }
}

fn negotiate(
    operation: &Operation,
    limits: Limits,
    headers: &HeaderMap,
    body: &Body,
) -> Result<(), Fault> {
    if !operation.consumes.is_empty() {
        let consumed = media::consumed(headers, operation.consumes);
        let streamed = consumed.is_some_and(|index| operation.streamed.contains(&index));
        let limit = if streamed { limits.stream } else { limits.body };
        if body.size_hint().lower() > limit {
            return Err(Fault::TooLarge { limit });
        }
        // A request without a body and without a type is not of a wrong
        // type; whether it needs a body is seen when it is read.
        let typed = headers.contains_key(http::header::CONTENT_TYPE) || !body.is_end_stream();
        if typed && consumed.is_none() {
            return Err(Fault::MediaType);
        }
    }
    let produces = operation.produces;
    if !produces.is_empty() && media::acceptable(headers, produces).is_none() {
        return Err(Fault::NotAcceptable);
    }
    Ok(())
}
}
pub mod captures {
//! What a path gave to the parameters of the template that it matched.
//!
//! Captures are kept as they stand in the path and decoded when they are
//! read, because a comma that separates array items and a comma inside an
//! item (`%2C`) only differ before decoding.

use std::borrow::Cow;
use std::ops::Range;

use http::uri::PathAndQuery;
use percent_encoding::percent_decode_str;

/// Percent-encoding that decodes to octets which are not UTF-8.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BadUtf8;

/// The captures of one request.
#[derive(Debug, Clone, Default)]
pub struct Captures {
    path: Option<PathAndQuery>,
    found: Vec<(&'static str, Range<usize>)>,
}

impl Captures {
    /// Captures by name, as ranges of the path of `path`; `None` where a name
    /// that the template has several times has several values.
    pub(super) fn new(
        path: PathAndQuery,
        found: Vec<(&'static str, Range<usize>)>,
    ) -> Option<Self> {
        let captures = Self {
            path: Some(path),
            found,
        };
        let mut names = captures.found.iter();
        let agree = names.all(|(name, range)| {
            let both = captures.raw(name).zip(captures.at(range));
            both.is_some_and(|(first, this)| are_same(first, this))
        });
        agree.then_some(captures)
    }

    /// The text of a capture as it stands in the path, still encoded.
    #[must_use]
    pub fn raw(&self, name: &str) -> Option<&str> {
        let (_, range) = self.found.iter().find(|(found, _)| *found == name)?;
        self.at(range)
    }

    fn at(&self, range: &Range<usize>) -> Option<&str> {
        self.path.as_ref()?.path().get(range.clone())
    }

    /// The decoded text of a capture.
    ///
    /// # Errors
    /// [`BadUtf8`] where the capture does not decode to UTF-8.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<Result<Cow<'_, str>, BadUtf8>> {
        self.raw(name).map(decode)
    }
}

/// Whether two captures are the same text, however each is encoded.
pub(super) fn are_same(one: &str, other: &str) -> bool {
    one == other || decode(one) == decode(other)
}

/// Undoes percent-encoding (RFC 3986, section 2.1). A `%` that begins no
/// triplet stands for itself.
///
/// # Errors
/// [`BadUtf8`] where the octets are not UTF-8.
pub fn decode(text: &str) -> Result<Cow<'_, str>, BadUtf8> {
    if !text.contains('%') {
        return Ok(Cow::Borrowed(text));
    }
    percent_decode_str(text).decode_utf8().map_err(|_| BadUtf8)
}
}
mod challenge {
//! Challenges: what a caller without sufficient credentials is asked for
//! (RFC 9110, section 11.6.1; RFC 6750, section 3).

use http::HeaderValue;

use super::fault::Fault;
use super::operation::{Operation, Scheme, SchemeKind};

/// The values of `WWW-Authenticate` for a fault of an operation: one for each
/// of its schemes that can be asked for.
pub(super) fn challenges(operation: &Operation, fault: &Fault) -> Vec<HeaderValue> {
    let mut asked: Vec<&Scheme> = Vec::new();
    let mut values = Vec::new();
    for used in operation.security.iter().copied().flatten() {
        let known = asked.iter().any(|scheme| scheme.name == used.scheme.name);
        if known || used.scheme.challenge.is_empty() {
            continue;
        }
        asked.push(used.scheme);
        let text = match (used.scheme.kind, fault) {
            (
                SchemeKind::Bearer | SchemeKind::OAuth2 | SchemeKind::OpenIdConnect,
                Fault::CredentialInvalid,
            ) => format!("{}, error=\"invalid_token\"", used.scheme.challenge),
            (
                SchemeKind::Bearer | SchemeKind::OAuth2 | SchemeKind::OpenIdConnect,
                Fault::ScopeInsufficient,
            ) => format!(
                "{}, error=\"insufficient_scope\"{}",
                used.scheme.challenge,
                scope(used.scopes)
            ),
            _ => used.scheme.challenge.to_owned(),
        };
        values.extend(HeaderValue::try_from(text).ok());
    }
    values
}

/// The attribute of a challenge that lists scopes, which has at least one of
/// them (RFC 6749, section 3.3); what is none cannot be written.
fn scope(scopes: &[&str]) -> String {
    let is_token = |scope: &&str| {
        !scope.is_empty()
            && scope
                .bytes()
                .all(|byte| byte.is_ascii_graphic() && !matches!(byte, b'"' | b'\\'))
    };
    let written: Vec<&str> = scopes.iter().copied().filter(is_token).collect();
    match written.as_slice() {
        [] => String::new(),
        written => format!(", scope=\"{}\"", written.join(" ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scopes_are_listed_where_there_are_any() {
        assert_eq!(
            scope(&["read", "no token", "write"]),
            ", scope=\"read write\""
        );
        assert_eq!(scope(&["no token"]), "");
        assert_eq!(scope(&[]), "");
    }
}
}
pub mod check {
//! The constraints that generated checks call on typed values.
//!
//! Each function is one keyword of JSON Schema 2020-12 Validation that the
//! standard library has no operator for. They answer yes or no; the
//! explanation is the schema interpreter's business.

use std::cmp::Ordering;
use std::collections::HashSet;
use std::hash::Hash;

use serde::Serialize;

use super::integer::Integer;
use json_schema::equality;
use json_schema::number::decimal::Decimal;

/// A type whose values can break a constraint that the type itself does not
/// rule out.
pub trait Check {
    /// Whether the value, and every value in it, satisfies its schema.
    fn is_valid(&self) -> bool;
}

impl<T: Check> Check for Box<T> {
    fn is_valid(&self) -> bool {
        (**self).is_valid()
    }
}

/// `minLength`, `maxLength`: the length of `text` in Unicode code points is
/// within `min..=max`.
///
/// A code point takes one to four bytes, so most texts are decided by their
/// byte length and not counted.
#[must_use]
pub fn length_between(text: &str, min: usize, max: usize) -> bool {
    let bytes = text.len();
    if bytes < min || bytes.div_ceil(4) > max {
        return false;
    }
    if bytes <= max && bytes.div_ceil(4) >= min {
        return true;
    }
    (min..=max).contains(&text.chars().count())
}

/// `multipleOf` for floats, exactly on the decimals that they print as.
#[must_use]
pub fn multiple_of(value: f64, divisor: f64) -> bool {
    match (Decimal::of_f64(value), Decimal::of_f64(divisor)) {
        (Some(value), Some(divisor)) => value.is_multiple_of(&divisor),
        _ => false,
    }
}

/// Where a whole number is from a bound that 64 bits do not hold, a JSON
/// number; a text that is none has everything after it.
#[must_use]
pub fn compare(value: &Integer, bound: &str) -> Ordering {
    Some(value.decimal()).cmp(&Decimal::parse(bound))
}

/// `multipleOf` for whole numbers, where the divisor is not one of 64 bits.
#[must_use]
pub fn divides(divisor: &str, value: &Integer) -> bool {
    let divisor = Decimal::parse(divisor);
    divisor.is_some_and(|divisor| value.decimal().is_multiple_of(&divisor))
}

/// `uniqueItems` for items that are equal in Rust exactly where they are in
/// JSON, as texts and whole numbers are.
#[must_use]
pub fn distinct<T: Eq + Hash>(items: &[T]) -> bool {
    // A few are compared with each other faster than they are hashed.
    if items.len() < 9 {
        let mut rest = items;
        while let Some((first, others)) = rest.split_first() {
            if others.contains(first) {
                return false;
            }
            rest = others;
        }
        return true;
    }
    let mut seen = HashSet::with_capacity(items.len());
    items.iter().all(|item| seen.insert(item))
}

/// `uniqueItems`: no two items encode to equal JSON values. An item that
/// cannot be encoded makes the answer no.
#[must_use]
pub fn unique<T: Serialize>(items: &[T]) -> bool {
    if items.len() < 2 {
        return true;
    }
    let values: Result<Vec<_>, _> = items.iter().map(serde_json::to_value).collect();
    values.is_ok_and(|values| equality::all_distinct(&values))
}
}
pub mod client {
//! The typed client's unvarying half: requests from declared parameters, and
//! answers from responses.
//!
//! Generated methods fill a [`Draft`], send it through a [`Client`] and read
//! the answer by its status. What carries requests is a [`Transport`].

use std::fmt;

use axum::body::Body;
use bytes::Bytes;
use http::header::CONTENT_TYPE;
use http::{HeaderMap, HeaderName, HeaderValue, Response, StatusCode};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::draft::{Draft, Unsendable};
use super::encoded::Encoded;
use super::header_lines;
use super::json_single;
use super::operation::Scheme;
use super::param::{Param, Style};
use super::param_readings;
use super::raw_decode;
use super::stream::{ByteStream, StreamError};
use super::transport::Transport;
use super::wallet::{self, Wallet};
use json_schema::coerce::raw::Raw;
use json_schema::coerce::{self, Objects};
use json_schema::validator::Schemas;

/// Sends requests to one server.
#[derive(Debug, Clone)]
pub struct Client<T> {
    base: String,
    transport: T,
    headers: HeaderMap,
    wallet: Wallet,
}

impl<T: Transport> Client<T> {
    /// A client of the server at `base`, such as `http://127.0.0.1:8080`,
    /// without the contract's base path.
    #[must_use]
    pub fn new(base: &str, transport: T) -> Self {
        Self {
            base: base.trim_end_matches('/').to_owned(),
            transport,
            headers: HeaderMap::new(),
            wallet: Wallet::default(),
        }
    }

    /// The same client, sending a header with every request.
    #[must_use]
    pub fn with_header(mut self, name: HeaderName, mut value: HeaderValue) -> Self {
        value.set_sensitive(true);
        self.headers.insert(name, value);
        self
    }

    /// The same client with a credential of a scheme, which it shows to the
    /// operations that ask for it.
    ///
    /// # Errors
    /// Where the place of the credential cannot hold it.
    pub fn with_credential(
        mut self,
        scheme: &'static Scheme,
        secret: &str,
    ) -> Result<Self, Unsendable> {
        self.wallet.put(scheme, secret)?;
        Ok(self)
    }

    /// The same client with a name and a password, as [`Client::with_credential`].
    ///
    /// # Errors
    /// Where the name has a colon, or one of them a control character.
    pub fn with_login(
        self,
        scheme: &'static Scheme,
        user: &str,
        password: &str,
    ) -> Result<Self, Unsendable> {
        let secret = wallet::login(user, password).ok_or(Unsendable {
            at: scheme.name,
            reason: "has a colon in its name, or a control character",
        })?;
        self.with_credential(scheme, &secret)
    }

    /// Sends a request, and brings back the whole answer.
    ///
    /// # Errors
    /// [`ClientError::Unsendable`] where the draft makes no request,
    /// [`ClientError::Transport`] where it got no answer,
    /// [`ClientError::Broken`] where it got part of one.
    pub async fn send(&self, draft: Draft) -> Result<Response<Bytes>, ClientError<T::Error>> {
        let (parts, body) = self.ask(draft).await?.into_parts();
        let whole = ByteStream::from(body).bytes().await;
        let whole = whole.map_err(ClientError::Broken)?;
        Ok(Response::from_parts(parts, whole))
    }

    /// Sends a request, and brings back the answer as it comes.
    ///
    /// # Errors
    /// As [`Client::send`].
    pub async fn exchange(
        &self,
        draft: Draft,
    ) -> Result<Response<ByteStream>, ClientError<T::Error>> {
        Ok(self.ask(draft).await?.map(ByteStream::from))
    }

    async fn ask(&self, draft: Draft) -> Result<Response<Body>, ClientError<T::Error>> {
        let draft = match draft.operation() {
            Some(operation) => self.wallet.show(operation, draft),
            None => draft,
        };
        let request = draft
            .into_request(&self.base, &self.headers)
            .map_err(ClientError::Unsendable)?;
        let response = self.transport.send(request).await;
        response.map_err(ClientError::Transport)
    }

    /// The whole of an answer, and the stream that it is where `streamed` says
    /// so of its status and its headers; the other of the two is empty.
    ///
    /// # Errors
    /// As [`Client::send`].
    pub async fn open(
        &self,
        draft: Draft,
        streamed: fn(u16, &HeaderMap) -> bool,
    ) -> Result<(Response<Bytes>, ByteStream), ClientError<T::Error>> {
        let (parts, body) = self.ask(draft).await?.into_parts();
        let mut stream = ByteStream::from(body);
        if let Some(content_type) = parts
            .headers
            .get(CONTENT_TYPE)
            .and_then(|v| v.to_str().ok())
        {
            stream = stream.with_type(content_type);
        }
        if streamed(parts.status.as_u16(), &parts.headers) {
            return Ok((Response::from_parts(parts, Bytes::new()), stream));
        }
        let whole = stream.bytes().await.map_err(ClientError::Broken)?;
        Ok((Response::from_parts(parts, whole), ByteStream::default()))
    }
}

/// Why a call gave no documented answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ClientError<E> {
    /// The arguments make no request.
    Unsendable(Unsendable),
    /// There was no answer.
    Transport(E),
    /// The answer broke off.
    Broken(StreamError),
    /// The answer has a status that is not the handler's to give: the
    /// framework made it, or the contract does not have it.
    Refused {
        /// Its status.
        status: StatusCode,
        /// Its headers.
        headers: Box<HeaderMap>,
        /// Its body.
        body: Bytes,
    },
    /// The answer has a documented status and an undocumented form.
    Undecodable {
        /// Its status.
        status: StatusCode,
        /// What is wrong with it.
        reason: String,
    },
}

impl<E: fmt::Display> fmt::Display for ClientError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unsendable(why) => write!(f, "the request cannot be made: {why}"),
            Self::Transport(error) => write!(f, "there was no answer: {error}"),
            Self::Broken(error) => error.fmt(f),
            Self::Refused { status, .. } => {
                write!(f, "the server refused the request with {status}")
            }
            Self::Undecodable { status, reason } => {
                write!(
                    f,
                    "the answer with {status} is not of the documented form: {reason}"
                )
            }
        }
    }
}

impl<E: fmt::Debug + fmt::Display> std::error::Error for ClientError<E> {}

/// The error for a status that no variant of the operation's response has.
#[must_use]
pub fn refused<E>(response: Response<Bytes>) -> ClientError<E> {
    let (parts, body) = response.into_parts();
    ClientError::Refused {
        status: parts.status,
        headers: Box::new(parts.headers),
        body,
    }
}

/// The body of an answer, decoded from JSON.
///
/// # Errors
/// [`ClientError::Undecodable`].
pub fn json<T: DeserializeOwned, E>(response: &Response<Bytes>) -> Result<T, ClientError<E>> {
    let undecodable = |error: serde_json::Error| undecodable(response, error.to_string());
    json_single::from_slice(response.body()).map_err(undecodable)
}

/// The body of an answer, decoded and encoded again.
///
/// # Errors
/// [`ClientError::Undecodable`].
pub fn encoded<T: DeserializeOwned + Serialize, E>(
    response: &Response<Bytes>,
) -> Result<Encoded<T>, ClientError<E>> {
    let undecodable = |error: serde_json::Error| undecodable(response, error.to_string());
    Encoded::parse(response.body()).map_err(undecodable)
}

/// The body of an answer, as text.
///
/// # Errors
/// [`ClientError::Undecodable`] where it is not UTF-8.
pub fn text<E>(response: &Response<Bytes>) -> Result<String, ClientError<E>> {
    let text = std::str::from_utf8(response.body()).map(str::to_owned);
    text.map_err(|error| undecodable(response, error.to_string()))
}

/// The body of an answer that is the text of one value.
///
/// # Errors
/// [`ClientError::Undecodable`].
pub fn scalar<T: DeserializeOwned, E>(
    response: &Response<Bytes>,
    schemas: &Schemas,
    schema: &str,
) -> Result<T, ClientError<E>> {
    let raw = Raw::Text(text(response)?.into());
    // Of several types, the schema decides.
    let decided = |_| {
        let admitted = schemas.json_type(schema);
        T::deserialize(coerce::value(&raw, &admitted, Objects::ByMember))
    };
    let undecodable = |error: serde_json::Error| undecodable(response, error.to_string());
    raw_decode::decode(&raw)
        .or_else(decided)
        .map_err(undecodable)
}

/// A header of an answer that is one text.
///
/// # Errors
/// [`ClientError::Undecodable`] where it is missing or not of its type.
pub fn header<T: DeserializeOwned, E>(
    response: &Response<Bytes>,
    name: &'static str,
) -> Result<T, ClientError<E>> {
    optional_header(response, name)?.ok_or_else(|| missing(response, name))
}

/// A header of an answer that is one text and may be absent.
///
/// # Errors
/// [`ClientError::Undecodable`] where it is not of its type.
pub fn optional_header<T: DeserializeOwned, E>(
    response: &Response<Bytes>,
    name: &'static str,
) -> Result<Option<T>, ClientError<E>> {
    let Some(text) = header_lines::one(response.headers(), name) else {
        return Ok(None);
    };
    let value = text.and_then(|text| raw_decode::decode(&Raw::Text(text)).ok());
    value.map(Some).ok_or_else(|| unlike(response, name))
}

/// A header of an answer, in the style `simple` or as JSON; where its text does
/// not tell, the schema does.
///
/// # Errors
/// As [`header`].
pub fn styled_header<T: DeserializeOwned, E>(
    response: &Response<Bytes>,
    schemas: &Schemas,
    param: Param,
) -> Result<T, ClientError<E>> {
    let absent = || raw_decode::decode(&header_lines::absent(&param)?).ok();
    optional_styled_header(response, schemas, param)?
        .or_else(absent)
        .ok_or_else(|| missing(response, param.name))
}

/// A header of an answer that may be absent, written as for [`styled_header`].
///
/// # Errors
/// As [`optional_header`].
pub fn optional_styled_header<T: DeserializeOwned, E>(
    response: &Response<Bytes>,
    schemas: &Schemas,
    param: Param,
) -> Result<Option<T>, ClientError<E>> {
    let Some(lines) = header_lines::of(response.headers(), param.name) else {
        return Ok(None);
    };
    let value = lines.and_then(|lines| match param.style {
        Style::Json => json_single::from_slice(lines.text().as_bytes()).ok(),
        _ => {
            let readings = lines.readings(&param).ok()?;
            let decided = || {
                let admitted = schemas.json_type(param.schema);
                let value = param_readings::meant(&param, &readings, &admitted)?;
                T::deserialize(value).ok()
            };
            match &readings[..] {
                [only] => raw_decode::decode(only).ok().or_else(decided),
                _ => decided(),
            }
        }
    });
    value.map(Some).ok_or_else(|| unlike(response, param.name))
}

fn unlike<E>(response: &Response<Bytes>, name: &str) -> ClientError<E> {
    undecodable(response, format!("the header {name} is not of its type"))
}

fn missing<E>(response: &Response<Bytes>, name: &str) -> ClientError<E> {
    undecodable(response, format!("the header {name} is missing"))
}

fn undecodable<E>(response: &Response<Bytes>, reason: String) -> ClientError<E> {
    ClientError::Undecodable {
        status: response.status(),
        reason,
    }
}
}
pub mod condition {
//! What compiled conditions ask of a JSON value.
//!
//! A schema that no Rust type stands for is a function over the value; these
//! are the words that such functions are written in. A keyword for values of
//! one type accepts all others (2020-12 Core, 7.6.1): [`number`], [`text`],
//! [`items`] and [`members`] see to that.
//!
//! A schema that contains itself is a function that calls itself. It might be asked about one
//! value on many ways, each of which leads on to as many: [`Memo`] lets every question be asked
//! once, so that the time is bounded by the sizes of the schema and the value.

use std::cell::RefCell;
use std::collections::HashMap;
use std::hash::{Hash, Hasher};

use serde_json::{Map, Number, Value};

use json_schema::equality;
use json_schema::types::Types;
use json_schema::validator::scalar::{self, compare};

/// A bound as the contract writes it.
pub trait Bound {
    /// The number; `None` for what no JSON text can write.
    fn number(self) -> Option<Number>;
}

impl Bound for i64 {
    fn number(self) -> Option<Number> {
        Some(self.into())
    }
}

impl Bound for u64 {
    fn number(self) -> Option<Number> {
        Some(self.into())
    }
}

impl Bound for f64 {
    fn number(self) -> Option<Number> {
        Number::from_f64(self)
    }
}

impl Bound for &str {
    /// What no other type holds as it is.
    fn number(self) -> Option<Number> {
        self.parse().ok()
    }
}

/// The value of a number, for those that are only held as text.
pub fn written(number: impl Bound) -> Value {
    number.number().map_or(Value::Null, Value::Number)
}

/// Whether a number meets `test`; any other value does.
pub fn number(value: &Value, test: impl FnOnce(&Number) -> bool) -> bool {
    value.as_number().is_none_or(test)
}

/// Whether a string meets `test`; any other value does.
pub fn text(value: &Value, test: impl FnOnce(&str) -> bool) -> bool {
    value.as_str().is_none_or(test)
}

/// Whether the items of an array meet `test`; any other value does.
pub fn items<'v>(value: &'v Value, test: impl FnOnce(&'v [Value]) -> bool) -> bool {
    value.as_array().is_none_or(|items| test(items))
}

/// Whether the members of an object meet `test`; any other value does.
pub fn members<'v>(value: &'v Value, test: impl FnOnce(&'v Map<String, Value>) -> bool) -> bool {
    value.as_object().is_none_or(test)
}

/// Whether a value is a number without a fraction, however it is written.
#[must_use]
pub fn is_integer(value: &Value) -> bool {
    scalar::is_of(Types::INTEGER, value)
}

/// Whether two values are equal; `1` and `1.0` are.
#[must_use]
pub fn equals(value: &Value, other: &Value) -> bool {
    equality::equal(value, other)
}

/// Whether a value is the number.
pub fn is_number(value: &Value, number: impl Bound) -> bool {
    let number = number.number();
    number.is_some_and(|number| equality::equal(value, &Value::Number(number)))
}

/// `minimum`.
pub fn at_least(number: &Number, bound: impl Bound) -> bool {
    bound
        .number()
        .is_some_and(|bound| compare(number, &bound).is_ge())
}

/// `maximum`.
pub fn at_most(number: &Number, bound: impl Bound) -> bool {
    bound
        .number()
        .is_some_and(|bound| compare(number, &bound).is_le())
}

/// `exclusiveMinimum`.
pub fn above(number: &Number, bound: impl Bound) -> bool {
    bound
        .number()
        .is_some_and(|bound| compare(number, &bound).is_gt())
}

/// `exclusiveMaximum`.
pub fn below(number: &Number, bound: impl Bound) -> bool {
    bound
        .number()
        .is_some_and(|bound| compare(number, &bound).is_lt())
}

/// `multipleOf`.
pub fn multiple_of(number: &Number, divisor: impl Bound) -> bool {
    let divisor = divisor.number();
    divisor.is_some_and(|divisor| scalar::is_multiple(number, &divisor))
}

/// A `format` that is a range of integers.
#[must_use]
pub fn within_format(number: &Number, format: &str) -> bool {
    scalar::is_within_format(format, number)
}

/// How many items meet `test`.
pub fn count<'v>(items: &'v [Value], test: impl Fn(&'v Value) -> bool) -> usize {
    items.iter().filter(|item| test(item)).count()
}

/// `uniqueItems`.
#[must_use]
pub fn are_distinct(items: &[Value]) -> bool {
    equality::all_distinct(items)
}

/// Whether the name of every member meets `test`, as a string.
pub fn names(members: &Map<String, Value>, test: impl Fn(&Value) -> bool) -> bool {
    members.keys().all(|name| test(&Value::from(name.as_str())))
}

/// Members that are evaluated if it holds: those of such names.
pub type Named = (bool, fn(&str) -> bool);

/// `unevaluatedProperties`: whether every member meets `test` that is in none
/// of the sets that hold, each with the names of its members.
pub fn unevaluated_members<'v>(
    value: &'v Value,
    evaluated: &[Named],
    test: impl Fn(&'v Value) -> bool,
) -> bool {
    let is_evaluated = |name: &str| evaluated.iter().any(|(holds, names)| *holds && names(name));
    members(value, |members| {
        let mut members = members.iter();
        members.all(|(name, member)| is_evaluated(name) || test(member))
    })
}

/// Items that are evaluated if it holds: those that meet the condition.
pub type Such<'a, 'v> = (bool, &'a dyn Fn(&'v Value) -> bool);

/// `unevaluatedItems`: whether every item meets `test` that is not among as
/// many first items as evaluated, nor `such` as is, where that holds.
pub fn unevaluated_items<'v>(
    value: &'v Value,
    first: &[(bool, usize)],
    such: &[Such<'_, 'v>],
    test: impl Fn(&'v Value) -> bool,
) -> bool {
    let counts = first.iter().filter(|(holds, _)| *holds);
    let count = counts.map(|(_, count)| *count).max().unwrap_or_default();
    let is_evaluated = |item| such.iter().any(|(holds, such)| *holds && such(item));
    items(value, |items| {
        let mut rest = items.iter().skip(count);
        rest.all(|item| is_evaluated(item) || test(item))
    })
}

/// `oneOf`: whether exactly one of the verdicts is yes.
#[must_use]
pub fn one<const N: usize>(verdicts: [bool; N]) -> bool {
    verdicts.into_iter().filter(|verdict| *verdict).count() == 1
}

/// `not`.
#[must_use]
pub const fn not(verdict: bool) -> bool {
    !verdict
}

/// What conditions have found about the values inside one value.
#[derive(Debug, Default)]
pub struct Memo<'v> {
    found: RefCell<HashMap<(&'static str, ByPlace<'v>), bool>>,
}

impl<'v> Memo<'v> {
    /// What `ask` finds about `value`, asked at most once for each `condition`.
    pub fn once(
        &self,
        condition: &'static str,
        value: &'v Value,
        ask: impl FnOnce() -> bool,
    ) -> bool {
        let question = (condition, ByPlace(value));
        if let Some(known) = self.found.borrow().get(&question) {
            return *known;
        }
        let found = ask();
        self.found.borrow_mut().insert(question, found);
        found
    }
}

/// A value that equals no other but itself. It is borrowed, so none can take its place.
#[derive(Debug, Clone, Copy)]
struct ByPlace<'v>(&'v Value);

impl PartialEq for ByPlace<'_> {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

impl Eq for ByPlace<'_> {}

impl Hash for ByPlace<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::ptr::from_ref(self.0).hash(state);
    }
}
}
pub mod constant {
//! Members that can only have one value (`const`), or one of a few (`enum`).

use std::fmt;

use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer};

/// Reads the one text that is allowed.
///
/// # Errors
/// Where it is anything else.
pub fn text<'de, D: Deserializer<'de>>(
    deserializer: D,
    expected: &'static str,
) -> Result<(), D::Error> {
    let read = std::borrow::Cow::<str>::deserialize(deserializer)?;
    same::<D>(read == expected)
}

/// Reads the one truth value that is allowed.
///
/// # Errors
/// Where it is anything else.
pub fn boolean<'de, D: Deserializer<'de>>(deserializer: D, expected: bool) -> Result<(), D::Error> {
    let read = bool::deserialize(deserializer)?;
    same::<D>(read == expected)
}

/// Reads the one whole number that is allowed.
///
/// # Errors
/// Where it is anything else.
pub fn integer<'de, D: Deserializer<'de>>(deserializer: D, expected: i64) -> Result<(), D::Error> {
    let read = i64::deserialize(deserializer)?;
    same::<D>(read == expected)
}

/// Reads the one number that is allowed.
///
/// # Errors
/// Where it is anything else.
pub fn number<'de, D: Deserializer<'de>>(deserializer: D, expected: f64) -> Result<(), D::Error> {
    let read = f64::deserialize(deserializer)?;
    // The contract's number and the request's went through the same parser.
    same::<D>(read.total_cmp(&expected).is_eq() || read == expected)
}

/// Reads one of the texts that are allowed, as what it stands for.
///
/// # Errors
/// Where it is anything else.
pub fn one_of<'de, D: Deserializer<'de>, T: Copy>(
    deserializer: D,
    allowed: &[(&'static str, T)],
) -> Result<T, D::Error> {
    deserializer.deserialize_str(OneOf(allowed))
}

struct OneOf<'a, T>(&'a [(&'static str, T)]);

impl<T: Copy> Visitor<'_> for OneOf<'_, T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("one of the texts that are allowed")
    }

    fn visit_str<E: Error>(self, read: &str) -> Result<T, E> {
        let mut allowed = self.0.iter();
        let found = allowed.find(|(text, _)| *text == read);
        found.map_or_else(|| other(), |(_, meant)| Ok(*meant))
    }
}

fn other<T, E: Error>() -> Result<T, E> {
    Err(E::custom("another value is expected here"))
}

fn same<'de, D: Deserializer<'de>>(is_same: bool) -> Result<(), D::Error> {
    if is_same { Ok(()) } else { other() }
}
}
pub mod credential {
//! Credentials as requests carry them, one type for each way to show one.
//!
//! Reading is strict and tells three cases apart: a credential, none
//! ([`Denial::CredentialMissing`]), and something that stands for nobody
//! whatever the host knows ([`Denial::CredentialInvalid`]): empty, not text,
//! not of the scheme's form, or there more than once. What is secret is never
//! printed.

use std::borrow::Cow;
use std::fmt;

use http::header::{AUTHORIZATION, COOKIE, Entry};
use http::request::Parts;
use http::{HeaderMap, HeaderValue};

use super::base64;
use super::fault::Denial;
use super::operation::{Operation, Scheme, SchemeKind};
use super::query;
use json_schema::issue::Place;

/// A key in a header, a query parameter or a cookie.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiKey<'a>(Cow<'a, str>);

/// A name and a password (RFC 7617), in UTF-8; either may be empty.
#[derive(Clone, PartialEq, Eq)]
pub struct Basic {
    /// Whose password it is; without a colon.
    pub user: String,
    /// The password.
    pub password: String,
}

/// A bearer token (RFC 6750, section 2.1), as OAuth 2.0 and OpenID Connect
/// have them too.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Bearer<'a>(&'a str);

/// What another scheme of the `Authorization` header says (RFC 9110, section
/// 11.6.2), untouched.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Authorization<'a>(&'a str);

impl ApiKey<'_> {
    /// The key; printable ASCII where it came in a header, and never empty.
    #[must_use]
    pub fn secret(&self) -> &str {
        &self.0
    }
}

impl<'a> Bearer<'a> {
    /// The token; letters, digits and `-._~+/=`, and never empty.
    #[must_use]
    pub const fn secret(&self) -> &'a str {
        self.0
    }
}

impl<'a> Authorization<'a> {
    /// What follows the scheme's name: a token or parameters in printable
    /// ASCII, or nothing.
    #[must_use]
    pub const fn secret(&self) -> &'a str {
        self.0
    }
}

macro_rules! hidden {
    ($($name:literal $credential:ty),*) => {$(
        impl fmt::Debug for $credential {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(concat!($name, "(hidden)"))
            }
        }
    )*};
}

hidden!("ApiKey" ApiKey<'_>, "Basic" Basic, "Bearer" Bearer<'_>, "Authorization" Authorization<'_>);

/// The key of a scheme of the kind [`SchemeKind::ApiKey`].
///
/// # Errors
/// As the module says.
pub fn api_key<'a>(scheme: &Scheme, parts: &'a Parts) -> Result<ApiKey<'a>, Denial> {
    let SchemeKind::ApiKey { place, name } = scheme.kind else {
        return Err(Denial::CredentialMissing);
    };
    let key = match place {
        Place::Header => {
            let name = scheme.header.as_ref().ok_or(Denial::CredentialMissing)?;
            text(single(parts.headers.get_all(name))?)?.into()
        }
        Place::Query => in_query(parts, name)?,
        Place::Cookie => in_cookies(&parts.headers, name)?.into(),
        Place::Path | Place::Body => return Err(Denial::CredentialMissing),
    };
    match key.is_empty() {
        true => Err(Denial::CredentialInvalid),
        false => Ok(ApiKey(key)),
    }
}

/// The name and password of HTTP Basic.
///
/// # Errors
/// As the module says.
pub fn basic(parts: &Parts) -> Result<Basic, Denial> {
    let text = authorization("Basic", parts)?.0;
    let octets = base64::decode(text).ok_or(Denial::CredentialInvalid)?;
    let text = String::from_utf8(octets).map_err(|_| Denial::CredentialInvalid)?;
    match text.split_once(':') {
        Some((user, password)) if !text.contains(char::is_control) => Ok(Basic {
            user: user.to_owned(),
            password: password.to_owned(),
        }),
        _ => Err(Denial::CredentialInvalid),
    }
}

/// The token of HTTP Bearer.
///
/// # Errors
/// As the module says.
pub fn bearer(parts: &Parts) -> Result<Bearer<'_>, Denial> {
    let token = authorization("Bearer", parts)?.0;
    let letters = token.trim_end_matches('=');
    let is_letter = |byte: u8| {
        byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~' | b'+' | b'/')
    };
    match !letters.is_empty() && letters.bytes().all(is_letter) {
        true => Ok(Bearer(token)),
        false => Err(Denial::CredentialInvalid),
    }
}

/// What the `Authorization` header says in a scheme, whose name has no case.
/// Where it is in another scheme, there is none in this one.
///
/// # Errors
/// As the module says.
pub fn authorization<'a>(scheme: &str, parts: &'a Parts) -> Result<Authorization<'a>, Denial> {
    let value = single(parts.headers.get_all(AUTHORIZATION))?;
    let bytes = value.as_bytes();
    let end = bytes
        .iter()
        .position(|byte| *byte == b' ')
        .unwrap_or(bytes.len());
    let named = bytes.get(..end).unwrap_or_default();
    if !named.eq_ignore_ascii_case(scheme.as_bytes()) {
        return Err(Denial::CredentialMissing);
    }
    let rest = text(value)?.get(end..).unwrap_or_default();
    Ok(Authorization(rest.trim_matches(' ')))
}

/// What the host's transport put into the extensions of a request whose
/// connection has a client certificate.
///
/// # Errors
/// [`Denial::CredentialMissing`] where there is none.
pub fn certificate<C: Send + Sync + 'static>(parts: &Parts) -> Result<&C, Denial> {
    parts.extensions.get().ok_or(Denial::CredentialMissing)
}

/// The headers of a request for an operation, those that hold credentials kept
/// from being printed.
#[must_use]
pub fn conceal(mut headers: HeaderMap, operation: &Operation) -> HeaderMap {
    let mut conceal = |name: &str| {
        if let Ok(Entry::Occupied(mut values)) = headers.try_entry(name) {
            let values = values.iter_mut();
            values.for_each(|value| value.set_sensitive(true));
        }
    };
    conceal(AUTHORIZATION.as_str());
    conceal(COOKIE.as_str());
    for used in operation.security.iter().copied().flatten() {
        if let SchemeKind::ApiKey {
            place: Place::Header,
            name,
        } = used.scheme.kind
        {
            conceal(name);
        }
    }
    headers
}

/// The one item; several of a credential contradict each other.
fn single<T>(items: impl IntoIterator<Item = T>) -> Result<T, Denial> {
    let mut items = items.into_iter();
    match (items.next(), items.next()) {
        (None, _) => Err(Denial::CredentialMissing),
        (Some(one), None) => Ok(one),
        (Some(_), Some(_)) => Err(Denial::CredentialInvalid),
    }
}

fn text(value: &HeaderValue) -> Result<&str, Denial> {
    value.to_str().map_err(|_| Denial::CredentialInvalid)
}

fn in_query<'a>(parts: &'a Parts, name: &str) -> Result<Cow<'a, str>, Denial> {
    let pairs = query::pairs(parts.uri.query().unwrap_or_default());
    let pair = single(pairs.filter(|pair| pair.is(name)))?;
    query::decode_form(pair.value).map_err(|_| Denial::CredentialInvalid)
}

/// The cookies are `name=value; name=value` (RFC 6265, section 4.2.1).
fn in_cookies<'a>(headers: &'a HeaderMap, name: &str) -> Result<&'a str, Denial> {
    let named = |pair: &'a [u8]| {
        let (own, value) = pair.trim_ascii().split_at_checked(name.len())?;
        (own == name.as_bytes()).then_some(value.strip_prefix(b"=")?)
    };
    let lines = headers.get_all(COOKIE).iter();
    let pairs = lines.flat_map(|line| line.as_bytes().split(|byte| *byte == b';'));
    let value = single(pairs.filter_map(named))?;
    let is_text = value.iter().all(|byte| (b' '..=b'~').contains(byte));
    let text = std::str::from_utf8(value).ok().filter(|_| is_text);
    text.ok_or(Denial::CredentialInvalid)
}
}
pub mod draft {
//! A request of the typed client while its parameters are being filled in.

use std::fmt;

use axum::body::Body;
use bytes::Bytes;
use http::header::{CONTENT_TYPE, COOKIE};
use http::{HeaderMap, HeaderName, HeaderValue, Method, Request};
use serde::Serialize;
use serde_json::Value;

use super::draft_path;
use super::media;
use super::multipart_write::FormWriter;
use super::operation::Operation;
use super::param::{Param, Style};
use super::param_readings::{self, Sent};
use super::param_write;
use super::query;
use super::stream::ByteStream;
use super::wallet::Credential;
use json_schema::equality::equal;
use json_schema::issue::Place;
use json_schema::validator::Schemas;

/// Why arguments make no request: what, and which parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unsendable {
    /// The parameter, or `body` or `url`.
    pub at: &'static str,
    /// What is wrong, as a predicate without a subject.
    pub reason: &'static str,
}

impl fmt::Display for Unsendable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.at, self.reason)
    }
}

impl std::error::Error for Unsendable {}

/// No text is read as it, such as an item that holds what stands between items and is not escaped.
const MISREAD: &str = "would be read as another value";

/// A request that is not complete yet. The first thing that goes wrong is
/// kept for when it is sent.
#[derive(Debug)]
pub struct Draft {
    method: Method,
    /// The template of the path.
    path: String,
    /// The texts of its parameters.
    segments: Vec<(&'static str, String)>,
    query: Vec<(String, String)>,
    cookies: Vec<String>,
    headers: HeaderMap,
    body: ByteStream,
    flaw: Option<Unsendable>,
    operation: Option<&'static Operation>,
}

impl Draft {
    /// A request for the path template `path`, base path included.
    #[must_use]
    pub fn new(method: Method, path: String) -> Self {
        Self {
            method,
            path,
            segments: Vec::new(),
            query: Vec::new(),
            cookies: Vec::new(),
            headers: HeaderMap::new(),
            body: ByteStream::default(),
            flaw: None,
            operation: None,
        }
    }

    /// A request for the URL `url`, which is not the server's that others go
    /// to. Its fragment is nothing to a server.
    #[must_use]
    pub fn to(method: Method, url: &str) -> Self {
        Self::new(method, url.split('#').next().unwrap_or(url).to_owned())
    }

    /// Says whose request it is: the client adds the credentials that the
    /// operation asks for.
    #[must_use]
    pub fn of(mut self, operation: impl Into<&'static Operation>) -> Self {
        self.operation = Some(operation.into());
        self
    }

    /// The operation whose request it is, where that was said.
    pub(super) const fn operation(&self) -> Option<&'static Operation> {
        self.operation
    }

    /// Adds a credential. Where a parameter has its name and its place, that
    /// is the credential, and is not sent twice.
    pub(super) fn credential(mut self, credential: &Credential) -> Self {
        match credential {
            Credential::Header(name, value) => {
                self.headers.entry(name).or_insert_with(|| value.clone());
            }
            Credential::Query(name, secret) => {
                let name = param_write::encode(name);
                if self.query.iter().all(|(known, _)| *known != name) {
                    self.query.push((name, param_write::encode(secret)));
                }
            }
            Credential::Cookie(name, secret) => {
                let start = format!("{name}=");
                if !self.cookies.iter().any(|known| known.starts_with(&start)) {
                    self.cookies.push(format!("{start}{secret}"));
                }
            }
        }
        self
    }

    /// Refuses an object whose members would be read as another of the `declared` parameters: where
    /// they are pairs of their own, those that the contract does not name may have any name. Another
    /// such object that takes any name would read them all. A member in brackets may be what another
    /// parameter is called.
    #[must_use]
    pub fn apart<T: Serialize + ?Sized>(
        self,
        schemas: &Schemas,
        declared: &[Param],
        param: &Param,
        value: &T,
    ) -> Self {
        let Ok(value) = serde_json::to_value(value) else {
            return self;
        };
        let is_taken = |other: &&Param| {
            if param.style == Style::DeepObject {
                let pairs = param_write::query(param, &value);
                let names = pairs
                    .iter()
                    .filter_map(|(name, _)| query::decode_form(name).ok());
                return names.into_iter().any(|name| param.yields_to(other, &name));
            }
            let Value::Object(members) = &value else {
                return false;
            };
            let mut free = members.keys().filter(|name| !param.shape.declares(name));
            let is_other = other.place == Place::Query && other.name != param.name;
            let takes_any = is_other && other.takes_the_rest(schemas);
            is_other && free.any(|name| takes_any || other.is_written_as(name))
        };
        match declared.iter().find(is_taken) {
            Some(other) => self.flawed(
                other.name,
                "would be read from a member of another parameter",
            ),
            None => self,
        }
    }

    /// Sets a parameter whose texts are its value's alone, or leaves it out.
    #[must_use]
    pub fn param<T: Serialize + ?Sized>(self, param: &Param, value: &T) -> Self {
        match serde_json::to_value(value) {
            Ok(Value::Null) => self,
            Ok(value) if param_write::is_read_again(param, &value) => self.set(param, &value),
            Ok(_) => self.flawed(param.name, MISREAD),
            Err(_) => self.flawed(param.name, "cannot be encoded"),
        }
    }

    /// Sets a parameter that must not be absent, and whose value may be null,
    /// a list of nothing or one of several shapes: the schema must read it
    /// again from what is written.
    #[must_use]
    pub fn required<T: Serialize + ?Sized>(
        self,
        schemas: &Schemas,
        param: &Param,
        value: &T,
    ) -> Self {
        let Ok(value) = serde_json::to_value(value) else {
            return self.flawed(param.name, "cannot be encoded");
        };
        match param_readings::sent(param, &value, schemas) {
            Sent::Same => self.set(param, &value),
            Sent::Other => self.flawed(param.name, MISREAD),
            Sent::Nothing => self.flawed(param.name, "would be read as absent"),
        }
    }

    /// The same of one that may be absent, and is `default`, a text of JSON, where it is: that value
    /// need not be written, and is not where the schema refuses it.
    #[must_use]
    pub fn defaulted<T: Serialize + ?Sized>(
        self,
        schemas: &Schemas,
        param: &Param,
        value: &T,
        default: &'static str,
    ) -> Self {
        let is_unwritten = |value: &Value| {
            let is_default = serde_json::from_str(default).is_ok_and(|it| equal(&it, value));
            let is_read = || param_readings::sent(param, value, schemas) == Sent::Same;
            is_default && !(schemas.is_valid(param.schema, value) && is_read())
        };
        match serde_json::to_value(value) {
            Ok(value) if is_unwritten(&value) => self,
            _ => self.required(schemas, param, value),
        }
    }

    /// The same of one that may be absent, as it is where nothing is written:
    /// for an empty list, and for null where that has no text.
    #[must_use]
    pub fn optional<T: Serialize>(
        self,
        schemas: &Schemas,
        param: &Param,
        value: &Option<T>,
    ) -> Self {
        let value = match value.as_ref().map(serde_json::to_value) {
            None => return self,
            Some(Ok(value)) => value,
            Some(Err(_)) => return self.flawed(param.name, "cannot be encoded"),
        };
        match param_readings::sent(param, &value, schemas) {
            Sent::Same => self.set(param, &value),
            Sent::Other if !value.is_null() => self.flawed(param.name, MISREAD),
            Sent::Other | Sent::Nothing => self,
        }
    }

    fn set(mut self, param: &Param, value: &Value) -> Self {
        match param.place {
            Place::Path => {
                let text = param_write::single(param, value);
                self.segments.push((param.name, text));
            }
            Place::Query => self.query.extend(param_write::query(param, value)),
            Place::Header => return self.set_header(param, value),
            Place::Cookie => {
                self.cookies.push(format!(
                    "{}={}",
                    param.name,
                    param_write::single(param, value)
                ));
            }
            Place::Body => {}
        }
        self
    }

    /// Adds a pair to the query, as it is.
    #[must_use]
    pub fn query(mut self, name: &str, value: &str) -> Self {
        let pair = (param_write::encode(name), param_write::encode(value));
        self.query.push(pair);
        self
    }

    /// Takes over the query, the headers and the body of a request, for a raw
    /// operation.
    #[must_use]
    pub fn raw(mut self, request: Request<ByteStream>) -> Self {
        let (parts, body) = request.into_parts();
        let pairs = parts.uri.query().unwrap_or_default().split('&');
        for pair in pairs.filter(|pair| !pair.is_empty()) {
            // A name alone is one of an empty text.
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            self.query.push((name.to_owned(), value.to_owned()));
        }
        self.headers.extend(parts.headers);
        self.body = body;
        self
    }

    /// Sets the `Accept` header, or any other that is no parameter.
    #[must_use]
    pub fn header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.headers.insert(name, value);
        self
    }

    /// Sets the body to JSON of the media type `content_type`.
    #[must_use]
    pub fn json<T: Serialize + ?Sized>(self, content_type: &'static str, body: &T) -> Self {
        match serde_json::to_vec(body) {
            Ok(bytes) => self.body(content_type, bytes),
            Err(_) => self.flawed("body", "cannot be encoded"),
        }
    }

    /// Sets the body to a form (`application/x-www-form-urlencoded`), of which these fields have a
    /// style of their own.
    #[must_use]
    pub fn form<T: Serialize + ?Sized>(self, body: &T, styled: &[Param]) -> Self {
        let told = |value: &Value, param: &Param| {
            let field = value.get(param.name);
            // Null is left out.
            let field = field.filter(|field| !field.is_null());
            field.is_none_or(|field| param_write::is_read_again(param, field))
        };
        match serde_json::to_value(body) {
            Ok(value) if !styled.iter().all(|param| told(&value, param)) => {
                self.flawed("body", MISREAD)
            }
            Ok(value) => self.body(
                "application/x-www-form-urlencoded",
                param_write::form(&value, styled),
            ),
            Err(_) => self.flawed("body", "cannot be encoded"),
        }
    }

    /// Sets the body to a form with files (`multipart/form-data`).
    #[must_use]
    pub fn multipart(mut self, form: FormWriter) -> Self {
        let Some((content_type, bytes)) = form.finish() else {
            return self.flawed("body", "cannot be encoded");
        };
        let Ok(content_type) = HeaderValue::try_from(content_type) else {
            return self.flawed("body", "cannot be encoded");
        };
        self.headers.insert(CONTENT_TYPE, content_type);
        self.body = bytes;
        self
    }

    /// Sets the body to the text of one value, as a parameter has it.
    #[must_use]
    pub fn scalar<T: Serialize + ?Sized>(self, content_type: &'static str, body: &T) -> Self {
        match serde_json::to_value(body) {
            Ok(value) => self.body(content_type, param_write::text(&value)),
            Err(_) => self.flawed("body", "cannot be encoded"),
        }
    }

    /// Sets the body to bytes or text.
    #[must_use]
    pub fn body(self, content_type: &'static str, body: impl Into<Bytes>) -> Self {
        self.stream(content_type, ByteStream::from(body.into()))
    }

    /// Sets the body to a stream, whose own media type goes before a range.
    #[must_use]
    pub fn stream(mut self, content_type: &'static str, body: ByteStream) -> Self {
        let content_type = media::concrete(content_type, body.content_type());
        match HeaderValue::from_str(content_type) {
            Ok(value) => {
                self.headers.insert(CONTENT_TYPE, value);
                self.body = body;
                self
            }
            Err(_) => self.flawed("body", "has a media type that no header can hold"),
        }
    }

    /// The headers alone.
    pub(super) fn into_headers(self) -> Result<HeaderMap, Unsendable> {
        match self.flaw {
            Some(flaw) => Err(flaw),
            None => Ok(self.headers),
        }
    }

    /// The request to the server at `base`.
    pub(super) fn into_request(
        self,
        base: &str,
        headers: &HeaderMap,
    ) -> Result<Request<Body>, Unsendable> {
        if let Some(flaw) = self.flaw {
            return Err(flaw);
        }
        let path = draft_path::filled(&self.path, &self.segments)
            .map_err(|(at, reason)| Unsendable { at, reason })?;
        let mark = match (self.query.is_empty(), path.contains('?')) {
            (true, _) => "",
            (false, false) => "?",
            (false, true) => "&",
        };
        let uri = format!("{base}{path}{mark}{}", param_write::join(&self.query));
        let unsendable = |_| Unsendable {
            at: "url",
            reason: "is not a URL",
        };
        let mut request = Request::builder()
            .method(self.method)
            .uri(uri)
            .body(self.body.into())
            .map_err(unsendable)?;
        let own = request.headers_mut();
        own.clone_from(headers);
        own.extend(self.headers);
        if !self.cookies.is_empty() {
            // Names come from the contract and values are percent-encoded.
            if let Ok(cookies) = HeaderValue::try_from(self.cookies.join("; ")) {
                own.insert(COOKIE, cookies);
            }
        }
        Ok(request)
    }

    fn set_header(mut self, param: &Param, value: &Value) -> Self {
        let name = HeaderName::try_from(param.name);
        let value = HeaderValue::try_from(param_write::single(param, value));
        match (name, value) {
            (Ok(name), Ok(value)) => {
                self.headers.insert(name, value);
                self
            }
            _ => self.flawed(param.name, "has characters that no header can hold"),
        }
    }

    fn flawed(mut self, at: &'static str, reason: &'static str) -> Self {
        self.flaw.get_or_insert(Unsendable { at, reason });
        self
    }
}
}
mod draft_path {
//! The path that a template becomes with the values of its parameters: the
//! client's side of `route_segment`.

use super::captures;
use super::route_segment::Segment;

/// The path; or the parameter whose value would be taken for another path, or
/// for other values than these, with what is wrong with it.
pub(super) fn filled(
    template: &str,
    values: &[(&'static str, String)],
) -> Result<String, (&'static str, &'static str)> {
    let mut path = template.to_owned();
    for (name, text) in values {
        // These would lead to another path.
        if matches!(text.as_str(), "" | "." | "..") {
            return Err((name, "makes no path segment"));
        }
        path = path.replace(&format!("{{{name}}}"), text);
    }
    for (template, segment) in template.split('/').zip(path.split('/')) {
        let (pattern, names) = Segment::parse(template);
        if names.len() < 2 {
            continue;
        }
        let ranges = pattern.captures(segment).unwrap_or_default();
        for (at, name) in names.iter().enumerate() {
            let read = ranges.get(at).and_then(|range| segment.get(range.clone()));
            let is_other = |text: &str| read.is_none_or(|read| !captures::are_same(read, text));
            let value = values.iter().find(|(known, _)| known == name);
            if let Some((name, _)) = value.filter(|(_, text)| is_other(text)) {
                return Err((name, "would be read as another value"));
            }
        }
    }
    Ok(path)
}
}
pub mod encoded {
//! Values that are already JSON text, without forgetting what they are.
//!
//! The bytes of an [`Encoded<T>`] were made by encoding a `T`, or joined from
//! such bytes, so a response that takes a `T` can take them as they are: a
//! snapshot is encoded once and served many times.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use bytes::Bytes;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::json_single;

/// A `T` as JSON text. Cheap to clone.
pub struct Encoded<T: ?Sized> {
    /// `None` where the value could not be encoded, which is found out when
    /// the bytes are wanted.
    bytes: Option<Bytes>,
    value: PhantomData<fn() -> Box<T>>,
}

/// A value that JSON cannot write, such as a map whose keys are no strings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotEncodable;

impl fmt::Display for NotEncodable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the value cannot be written as JSON")
    }
}

impl std::error::Error for NotEncodable {}

impl<T: ?Sized> Encoded<T> {
    /// Bytes of which the caller knows that they encode a `T`.
    pub(super) const fn assume(bytes: Option<Bytes>) -> Self {
        Self {
            bytes,
            value: PhantomData,
        }
    }

    /// The JSON text.
    ///
    /// # Errors
    /// [`NotEncodable`] where the value was not.
    pub fn bytes(&self) -> Result<&Bytes, NotEncodable> {
        self.bytes.as_ref().ok_or(NotEncodable)
    }
}

impl<T: Serialize + ?Sized> Encoded<T> {
    /// Encodes a value. That it cannot be encoded is said by
    /// [`Encoded::bytes`].
    #[must_use]
    pub fn new(value: &T) -> Self {
        Self::assume(serde_json::to_vec(value).ok().map(Bytes::from))
    }
}

impl<T: DeserializeOwned> Encoded<T> {
    /// Decodes a `T` and encodes it again: members that a `T` does not have are gone.
    ///
    /// # Errors
    /// Where the bytes are no `T`.
    pub fn parse(bytes: &[u8]) -> Result<Self, serde_json::Error>
    where
        T: Serialize,
    {
        json_single::from_slice::<T>(bytes).map(|value| Self::new(&value))
    }

    /// The value.
    ///
    /// # Errors
    /// Where it could not be encoded, or where `T` does not read what it
    /// writes.
    pub fn decode(&self) -> Result<T, serde_json::Error> {
        json_single::from_slice(self.bytes.as_deref().unwrap_or_default())
    }
}

impl<T> Encoded<Vec<T>> {
    /// A list from items that are already encoded.
    #[must_use]
    pub fn join<'a>(items: impl IntoIterator<Item = &'a Encoded<T>>) -> Self
    where
        T: 'a,
    {
        let mut text = vec![b'['];
        for item in items {
            let Some(bytes) = &item.bytes else {
                return Self::assume(None);
            };
            if text.len() > 1 {
                text.push(b',');
            }
            text.extend_from_slice(bytes);
        }
        text.push(b']');
        Self::assume(Some(text.into()))
    }
}

impl<T: ?Sized> Clone for Encoded<T> {
    fn clone(&self) -> Self {
        Self::assume(self.bytes.clone())
    }
}

impl<T: ?Sized> fmt::Debug for Encoded<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self
            .bytes
            .as_deref()
            .map_or(Cow::Borrowed("not encodable"), String::from_utf8_lossy);
        f.debug_tuple("Encoded").field(&text).finish()
    }
}

impl<T: ?Sized> PartialEq for Encoded<T> {
    /// Whether the texts are the same, byte for byte.
    fn eq(&self, other: &Self) -> bool {
        self.bytes == other.bytes
    }
}

impl<T: Serialize> From<T> for Encoded<T> {
    fn from(value: T) -> Self {
        Self::new(&value)
    }
}

impl<T: Serialize + ?Sized> From<&T> for Encoded<T> {
    fn from(value: &T) -> Self {
        Self::new(value)
    }
}
}
pub mod endpoint {
//! Layers around single operations.

use std::convert::Infallible;
use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::BoxError;
use axum::body::Body;
use bytes::Bytes;
use http::{Request, Response};
use tower_layer::Layer;
use tower_service::Service;

use super::captures::Captures;
use super::fault::{Failure, Fault};
use super::matched::Matched;
use super::operation::Operation;
use super::service::{Core, Dispatch, Reply, Visitor};

/// One operation as a service, which layers wrap.
///
/// It comes after routing and admission, and before credentials are read,
/// content is negotiated, parameters and body are decoded and the handler is
/// called; so a layer sees every refusal of these as the answer that it is. A
/// request has its [`Matched`] among its extensions. Whatever else a layer puts
/// there, handlers that ask for extensions get.
pub struct Endpoint<D: Dispatch> {
    core: Arc<Core<D>>,
    /// The layers that were there before.
    within: Option<Wrapping>,
}

/// What a layer may make of an [`Endpoint`]: a service like it. It may fail
/// with what handlers fail with, and answer with any body of bytes.
pub trait Wrapped: Clone + Send + Sync + 'static {
    /// The answer to a request.
    fn answer(self, request: Request<Body>) -> Reply;
}

impl<S, B> Wrapped for S
where
    S: Service<Request<Body>, Response = Response<B>> + Clone + Send + Sync + 'static,
    S::Future: Send,
    S::Error: Into<Failure>,
    B: http_body::Body<Data = Bytes> + Send + 'static,
    B::Error: Into<BoxError>,
{
    fn answer(mut self, request: Request<Body>) -> Reply {
        Box::pin(async move {
            let ready = poll_fn(|context| self.poll_ready(context)).await;
            ready.map_err(super::fault::failed)?;
            let answer = self.call(request).await;
            Ok(answer.map_err(super::fault::failed)?.map(Body::new))
        })
    }
}

type Wrapping = Arc<dyn Fn(Request<Body>) -> Reply + Send + Sync>;

/// The layers of all operations, by the indices of these. Without any, nothing
/// is there.
#[derive(Clone, Default)]
pub(super) struct Layers(Option<Arc<Vec<Option<Wrapping>>>>);

impl Layers {
    /// What surrounds an operation.
    pub(super) fn of(&self, index: usize) -> Option<&Wrapping> {
        self.0.as_ref()?.get(index)?.as_ref()
    }

    /// The same with one more layer around an operation.
    pub(super) fn with<D, L>(self, core: &Arc<Core<D>>, index: usize, layer: &L) -> Self
    where
        D: Dispatch,
        L: Layer<Endpoint<D>>,
        L::Service: Wrapped,
    {
        let wrapped = layer.layer(Endpoint {
            core: Arc::clone(core),
            within: self.of(index).cloned(),
        });
        let mut all = self.0.map_or_else(Vec::new, Arc::unwrap_or_clone);
        if all.len() <= index {
            all.resize(index + 1, None);
        }
        if let Some(own) = all.get_mut(index) {
            *own = Some(Arc::new(move |request| wrapped.clone().answer(request)));
        }
        Self(Some(Arc::new(all)))
    }
}

/// What a request was routed to and admitted with, on its way through layers.
#[derive(Clone)]
pub(super) struct Routing<V> {
    pub(super) operation: &'static Operation,
    pub(super) captures: Captures,
    pub(super) visitor: V,
}

impl<V: Clone + Send + Sync + 'static> Routing<V> {
    /// The request for layers to see.
    pub(super) fn stow(self, mut request: Request<Body>, matched: Matched) -> Request<Body> {
        request.extensions_mut().insert(matched);
        request.extensions_mut().insert(self);
        request
    }
}

impl<D: Dispatch> Clone for Endpoint<D> {
    fn clone(&self) -> Self {
        Self {
            core: Arc::clone(&self.core),
            within: self.within.clone(),
        }
    }
}

impl<D: Dispatch> Service<Request<Body>> for Endpoint<D> {
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response<Body>, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, mut request: Request<Body>) -> Self::Future {
        let Self { core, within } = self.clone();
        Box::pin(async move {
            let extensions = request.extensions_mut();
            let operation = extensions.get::<Matched>().and_then(Matched::operation);
            let outcome = match within {
                Some(within) => within(request).await,
                None => match extensions.remove::<Routing<Visitor<D>>>() {
                    Some(routing) => {
                        let (parts, body) = request.into_parts();
                        core.call(routing, parts, body).await
                    }
                    // A layer made a request of its own.
                    None => Err(Fault::Internal),
                },
            };
            Ok(outcome.unwrap_or_else(|fault| core.refuse(&fault, operation)))
        })
    }
}
}
mod event_lines {
//! Takes `text/event-stream` apart (WHATWG HTML, section 9.2.6): lines that
//! end in CR, LF or both, fields, and what is dispatched at a blank line.

use std::time::Duration;

use bytes::{Buf as _, Bytes};

use super::events::Event;
use super::stream::{ByteStream, StreamError};

/// The longest event that is held in memory, in bytes.
const MOST: usize = 64 << 20;

/// What reads events from pieces of bytes.
pub(super) struct EventLines {
    bytes: ByteStream,
    piece: Bytes,
    /// The beginning of a line that did not end with its piece.
    line: Vec<u8>,
    /// A carriage return ended the last line; a line feed would be part of it.
    after_return: bool,
    is_first: bool,
    event: String,
    data: String,
    id: Option<String>,
    retry: Option<Duration>,
}

impl EventLines {
    pub(super) fn new(bytes: ByteStream) -> Self {
        Self {
            bytes,
            piece: Bytes::new(),
            line: Vec::new(),
            after_return: false,
            is_first: true,
            event: String::new(),
            data: String::new(),
            id: None,
            retry: None,
        }
    }

    /// The next event; one that is not complete at the end is none.
    pub(super) async fn next(&mut self) -> Result<Option<Event<String>>, StreamError> {
        loop {
            while self.ends_line() {
                let line = std::mem::take(&mut self.line);
                if let Some(event) = self.read_line(&line) {
                    return Ok(Some(event));
                }
            }
            if self.line.len() + self.data.len() > MOST {
                return Err(too_large());
            }
            match self.bytes.next().await {
                None => return Ok(None),
                Some(piece) => self.piece = piece?,
            }
        }
    }

    /// Takes what the piece has of the line; whether the line ends with it.
    fn ends_line(&mut self) -> bool {
        if self.after_return && !self.piece.is_empty() {
            self.after_return = false;
            if self.piece.first() == Some(&b'\n') {
                self.piece.advance(1);
            }
        }
        let end = self
            .piece
            .iter()
            .position(|byte| matches!(byte, b'\r' | b'\n'));
        let taken = self.piece.split_to(end.unwrap_or(self.piece.len()));
        self.line.extend_from_slice(&taken);
        if end.is_none() {
            return false;
        }
        self.after_return = self.piece.first() == Some(&b'\r');
        self.piece.advance(1);
        true
    }

    fn read_line(&mut self, line: &[u8]) -> Option<Event<String>> {
        let mut line = line;
        if std::mem::take(&mut self.is_first) {
            line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
        }
        if line.is_empty() {
            return self.dispatch();
        }
        let line = String::from_utf8_lossy(line);
        let (field, value) = line.split_once(':').unwrap_or((&line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "event" => value.clone_into(&mut self.event),
            "data" => {
                self.data.push_str(value);
                self.data.push('\n');
            }
            "id" if !value.contains('\0') => self.id = Some(value.to_owned()),
            "retry" if value.bytes().all(|byte| byte.is_ascii_digit()) => {
                self.retry = value.parse().ok().map(Duration::from_millis);
            }
            // A comment begins with the colon; other fields mean nothing.
            _ => {}
        }
        None
    }

    fn dispatch(&mut self) -> Option<Event<String>> {
        let event = Some(std::mem::take(&mut self.event)).filter(|event| !event.is_empty());
        let mut data = std::mem::take(&mut self.data);
        data.pop()?;
        Some(Event {
            data,
            event,
            id: self.id.clone(),
            retry: self.retry.take(),
        })
    }
}

fn too_large() -> StreamError {
    let limit = u64::try_from(MOST).unwrap_or(u64::MAX);
    StreamError::TooLarge { limit }
}
}
pub mod events {
//! Server-sent events: the format `text/event-stream` (WHATWG HTML, section
//! 9.2), written and read.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use futures_util::{Stream, StreamExt as _, stream};
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::time::{Instant, Sleep};

use super::event_lines::EventLines;
use super::items::Items;
use super::json_single;
use super::stream::{ByteStream, StreamError};

/// An event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event<T> {
    /// What it says. The format has one kind of line end: a carriage return
    /// inside a text arrives as a line feed.
    pub data: T,
    /// Its type, where it is another than `message`.
    pub event: Option<String>,
    /// Where to resume after it: what a client that lost the connection sends
    /// as `Last-Event-ID`. Of a received event, the last that was said.
    pub id: Option<String>,
    /// How long clients are to wait before they connect again; milliseconds
    /// on the wire.
    pub retry: Option<Duration>,
}

impl<T> From<T> for Event<T> {
    fn from(data: T) -> Self {
        Self {
            data,
            event: None,
            id: None,
            retry: None,
        }
    }
}

/// Events that pass one by one.
pub type Events<T> = Items<Event<T>>;

impl<T: Send + 'static> Events<T> {
    /// The same events, with a comment whenever there was none for so long:
    /// proxies cut connections that say nothing.
    #[must_use]
    pub fn keep_alive(mut self, every: Duration) -> Self {
        self.keep_alive = Some(every);
        self
    }

    /// The events as the body of an answer, their data written by `write`.
    #[must_use]
    pub fn into_bytes_by(self, write: fn(&T) -> Option<String>) -> ByteStream {
        let keep_alive = self.keep_alive;
        let pieces = self.map(move |event| {
            let piece = written(&event?, write);
            piece.ok_or_else(|| StreamError::broken("an event that cannot be written"))
        });
        match keep_alive {
            None => ByteStream::new(pieces),
            Some(every) => ByteStream::new(KeptAlive {
                pieces: Box::pin(pieces),
                every,
                silence: Box::pin(tokio::time::sleep(every)),
            }),
        }
    }

    /// The events of an answer's body, their data read by `read`. One longer
    /// than 64 MiB ends them with an error.
    #[must_use]
    pub fn answered_by(bytes: ByteStream, read: fn(String) -> Result<T, StreamError>) -> Self {
        let lines = EventLines::new(bytes);
        Self::of(stream::try_unfold(lines, move |mut lines| async move {
            let Some(event) = lines.next().await? else {
                return Ok(None);
            };
            let event = Event {
                data: read(event.data)?,
                event: event.event,
                id: event.id,
                retry: event.retry,
            };
            Ok(Some((event, lines)))
        }))
    }
}

/// Writes data as JSON.
#[must_use]
pub fn json<T: Serialize>(data: &T) -> Option<String> {
    serde_json::to_string(data).ok()
}

/// Writes data that is text.
#[must_use]
#[expect(
    clippy::ptr_arg,
    reason = "data of this type is written like any other"
)]
pub fn text(data: &String) -> Option<String> {
    Some(data.clone())
}

/// Reads data from JSON.
///
/// # Errors
/// [`StreamError::Broken`] where it is none, or of another type.
pub fn of_json<T: DeserializeOwned>(data: String) -> Result<T, StreamError> {
    json_single::from_slice(data.as_bytes()).map_err(StreamError::broken)
}

/// Reads data that is text.
///
/// # Errors
/// Never; the type is that of [`of_json`].
pub fn of_text(data: String) -> Result<String, StreamError> {
    Ok(data)
}

/// An event as text; `None` where its name or id would end a line.
fn written<T>(event: &Event<T>, write: fn(&T) -> Option<String>) -> Option<Bytes> {
    let mut text = String::new();
    let fields = [("event", &event.event), ("id", &event.id)];
    for (field, value) in fields {
        if let Some(value) = value {
            if value.contains(['\r', '\n', '\0']) {
                return None;
            }
            text.push_str(&format!("{field}: {value}\n"));
        }
    }
    if let Some(retry) = event.retry {
        text.push_str(&format!("retry: {}\n", retry.as_millis()));
    }
    let data = write(&event.data)?.replace("\r\n", "\n");
    for line in data.split(['\r', '\n']) {
        text.push_str(&format!("data: {line}\n"));
    }
    text.push('\n');
    Some(text.into())
}

/// Pieces, with a comment after each silence.
struct KeptAlive<S> {
    pieces: Pin<Box<S>>,
    every: Duration,
    silence: Pin<Box<Sleep>>,
}

impl<S: Stream<Item = Result<Bytes, StreamError>>> Stream for KeptAlive<S> {
    type Item = Result<Bytes, StreamError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<S::Item>> {
        let mut polled = self.pieces.as_mut().poll_next(context);
        if polled.is_pending() && self.silence.as_mut().poll(context).is_ready() {
            polled = Poll::Ready(Some(Ok(Bytes::from_static(b":\n\n"))));
        }
        if polled.is_ready() {
            let next = Instant::now() + self.every;
            self.silence.as_mut().reset(next);
        }
        polled
    }
}
}
mod explain {
//! Decodes a value that a schema describes, or names all that is wrong with
//! it.

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::fault::Fault;
use super::replay::Replay;
use super::{json_single, json_text};
use json_schema::issue::{Issue, Issues, Place};
use json_schema::validator::Schemas;
use json_schema::validator::report::Report;

/// The value, after all: one that is valid is brought into the form that
/// `serde` wants. Anything else adds to `issues`.
pub(super) fn explain<T: DeserializeOwned>(
    schemas: &Schemas,
    schema: &str,
    mut value: Value,
    (place, at): (Place, &str),
    issues: &mut Issues,
) -> Option<T> {
    let mut found = Issues::new();
    schemas.validate(schema, &value, place, at, &mut found);
    if found.is_empty() {
        schemas.normalise(schema, &mut value);
        far(&value, &mut Report::to(&mut found, place, at));
        let value = Replay::<serde::de::value::Error>::new(value.into());
        if let Ok(value) = T::deserialize(value) {
            return Some(value);
        }
        if found.is_empty() {
            Report::to(&mut found, place, at)
                .refuse("type", || "is not of the declared type".to_owned());
        }
    }
    found
        .into_vec()
        .into_iter()
        .for_each(|issue| issues.push(issue));
    None
}

/// Names the numbers that no `f64` holds: they are valid, but types of numbers are made of those.
fn far(value: &Value, report: &mut Report<'_>) -> bool {
    match value {
        Value::Number(number) if number.as_f64().is_none() => {
            report.refuse("type", || "must be within the range of a double".to_owned())
        }
        Value::Array(items) => {
            let mut items = items.iter().enumerate();
            items.all(|(index, item)| report.in_item(index, |report| far(item, report)))
        }
        Value::Object(members) => {
            let mut members = members.iter();
            members.all(|(name, member)| report.in_member(name, |report| far(member, report)))
        }
        _ => true,
    }
}

/// A text of JSON that is part of a body; `at` is its JSON pointer.
///
/// # Errors
/// All violations.
pub(super) fn json<T: DeserializeOwned>(
    schemas: &Schemas,
    bytes: &[u8],
    schema: &str,
    valid: fn(&T) -> bool,
    at: &str,
) -> Result<T, Vec<Issue>> {
    if let Ok(value) = json_single::from_slice(bytes)
        && valid(&value)
    {
        return Ok(value);
    }
    let mut issues = Issues::new();
    let value = json_text::parse(bytes).map_err(|fault| not_json(fault, at))?;
    let explained = explain(schemas, schema, value, (Place::Body, at), &mut issues);
    explained.ok_or_else(|| issues.into_vec())
}

fn not_json(fault: Fault, at: &str) -> Vec<Issue> {
    let message = match fault {
        Fault::Json { reason, .. } => reason,
        _ => "is not JSON",
    };
    vec![Issue {
        place: Place::Body,
        at: at.to_owned(),
        keyword: "contentMediaType",
        message: message.to_owned(),
    }]
}
}
pub mod expression {
//! The values of runtime expressions, of which the URLs of callbacks are made
//! (OpenAPI 3.1.1, section 4.8.20.4).

use std::fmt;

use serde::Serialize;
use serde_json::Value;

use super::param_write::encode;

/// An expression that names nothing, or something that is no text in a URL:
/// null, a list or an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unresolved {
    /// As the contract writes it.
    pub expression: &'static str,
}

impl fmt::Display for Unresolved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is no text here", self.expression)
    }
}

impl std::error::Error for Unresolved {}

/// The text of what `pointer` names within a value.
///
/// # Errors
/// [`Unresolved`] where there is none.
pub fn text<T: Serialize + ?Sized>(
    expression: &'static str,
    value: &T,
    pointer: &str,
) -> Result<String, Unresolved> {
    let value = serde_json::to_value(value).ok();
    let found = value.as_ref().and_then(|value| value.pointer(pointer));
    found.and_then(scalar).ok_or(Unresolved { expression })
}

/// The text of a value that is one, or a number or a truth value.
pub(super) fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(_) | Value::Bool(_) => Some(value.to_string()),
        _ => None,
    }
}

/// The same as [`text`], percent-encoded: what it holds cannot become more of
/// the URL than its place.
///
/// # Errors
/// As [`text`].
pub fn part<T: Serialize + ?Sized>(
    expression: &'static str,
    value: &T,
    pointer: &str,
) -> Result<String, Unresolved> {
    text(expression, value, pointer).map(|text| encode(&text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn finds_texts_and_nothing_else() {
        let body = json!({ "a": { "b/c": ["x y", 7, null] } });
        let at = |pointer| text("$request.body", &body, pointer).ok();
        assert_eq!(at("/a/b~1c/0").as_deref(), Some("x y"));
        assert_eq!(at("/a/b~1c/1").as_deref(), Some("7"));
        for nothing in ["", "/a", "/a/b~1c/2", "/z"] {
            assert_eq!(at(nothing), None, "{nothing}");
        }
        assert_eq!(part("$url", "a/b?", "").as_deref(), Ok("a%2Fb%3F"));
    }
}
}
pub mod fault {
//! Why the generated layer answers instead of a handler, and the answer.
//!
//! A fault is a cause, not a shape: which status and body it becomes is the
//! contract's matter, and a generated function says it.

use std::convert::Infallible;

use bytes::Bytes;
use http::StatusCode;
use serde::{Serialize, Serializer};

use super::fields;
use json_schema::issue::Issue;

/// Why a caller goes no further.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Denial {
    /// No credentials where some are required.
    CredentialMissing,
    /// Credentials that stand for nobody.
    CredentialInvalid,
    /// Credentials of somebody who lacks a scope that the operation asks for.
    ScopeInsufficient,
    /// The caller's limit is used up.
    RateLimited,
    /// Whether the caller may go on could not be found out.
    Failed(Failure),
}

/// What the host fails with is a denial too, so that `?` leads to it.
impl<E: Into<Failure>> From<E> for Denial {
    fn from(error: E) -> Self {
        Self::Failed(error.into())
    }
}

impl From<Denial> for Fault {
    fn from(denial: Denial) -> Self {
        match denial {
            Denial::CredentialMissing => Self::CredentialMissing,
            Denial::CredentialInvalid => Self::CredentialInvalid,
            Denial::ScopeInsufficient => Self::ScopeInsufficient,
            Denial::RateLimited => Self::RateLimited,
            Denial::Failed(failure) => failure.into(),
        }
    }
}

/// Why a request is answered by the generated layer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// No operation has the path.
    Route,
    /// The path has no operation with the method.
    Method {
        /// The value of the `Allow` header.
        allow: String,
    },
    /// The operation answers in no media type that `Accept` admits.
    NotAcceptable,
    /// The body is longer than the limit.
    TooLarge {
        /// The limit in bytes.
        limit: u64,
    },
    /// The operation takes no body of the media type, charset or content
    /// coding.
    MediaType,
    /// The body is not JSON.
    Json {
        /// What is wrong, as a predicate without a subject.
        reason: &'static str,
        /// The line, from 1; 0 where the place is unknown.
        line: usize,
        /// The column in bytes, from 1; 0 where the place is unknown.
        column: usize,
    },
    /// Parameters or body violate the contract; all violations.
    Invalid(Vec<Issue>),
    /// Credentials are required, and there are none.
    CredentialMissing,
    /// The credentials stand for nobody.
    CredentialInvalid,
    /// The caller lacks a scope that the operation asks for.
    ScopeInsufficient,
    /// The caller's limit is used up.
    RateLimited,
    /// Something failed that the caller cannot mend.
    Internal,
    /// The service cannot answer now.
    Unavailable {
        /// Seconds after which to try again.
        retry_after: u32,
    },
}

/// What a handler may fail with. Everything else that can befall a request is
/// found before a handler is called, and is not a handler's to say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure {
    /// The request breaks rules that its schemas cannot say or that need
    /// data; all violations.
    Invalid(Vec<Issue>),
    /// Something failed that the caller cannot mend.
    Internal,
    /// The service cannot answer now.
    Unavailable {
        /// Seconds after which to try again.
        retry_after: u32,
    },
}

impl From<Failure> for Fault {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Invalid(issues) => Self::Invalid(issues),
            Failure::Internal => Self::Internal,
            Failure::Unavailable { retry_after } => Self::Unavailable { retry_after },
        }
    }
}

/// What cannot fail has no failure; for layers whose services cannot.
impl From<Infallible> for Failure {
    fn from(never: Infallible) -> Self {
        match never {}
    }
}

/// The fault of a handler that failed.
pub fn failed(error: impl Into<Failure>) -> Fault {
    error.into().into()
}

/// The principal where credentials may be left out: those that are there must
/// hold all the same.
///
/// # Errors
/// Every denial but that of missing credentials.
pub fn optional<P>(outcome: Result<P, Denial>) -> Result<Option<P>, Denial> {
    match outcome {
        Ok(principal) => Ok(Some(principal)),
        Err(Denial::CredentialMissing) => Ok(None),
        Err(denial) => Err(denial),
    }
}

/// An answer made by the generated layer, but for the headers that go onto
/// every answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The status.
    pub status: StatusCode,
    /// The media type of the body.
    pub content_type: &'static str,
    /// The body.
    pub body: Bytes,
    /// Whether it says by `WWW-Authenticate` which credentials would do.
    pub challenges: bool,
}

impl Answer {
    /// An answer in JSON. A body that cannot be encoded becomes an empty
    /// object with status 500.
    #[must_use]
    pub fn json<T: Serialize + ?Sized>(status: StatusCode, body: &T) -> Self {
        let content_type = "application/json";
        match serde_json::to_vec(body) {
            Ok(body) => Self {
                status,
                content_type,
                body: body.into(),
                challenges: false,
            },
            Err(_) => Self {
                status: StatusCode::INTERNAL_SERVER_ERROR,
                content_type,
                body: Bytes::from_static(b"{}"),
                challenges: false,
            },
        }
    }

    /// The same answer, which says by `WWW-Authenticate` which credentials
    /// would do.
    #[must_use]
    pub fn challenging(self) -> Self {
        Self {
            challenges: true,
            ..self
        }
    }
}

/// The body of a kind of fault for which the contract has none.
#[derive(Debug, Clone)]
pub struct Plain {
    status: u16,
    message: &'static str,
    issues: Vec<PlainIssue>,
}

#[derive(Debug, Clone)]
struct PlainIssue {
    r#in: &'static str,
    at: String,
    keyword: &'static str,
    message: String,
}

impl Plain {
    /// The status, its name, and what is wrong with the request if anything.
    #[must_use]
    pub fn new(status: u16, issues: &[Issue]) -> Self {
        let named = StatusCode::from_u16(status).ok();
        Self {
            status,
            message: named.and_then(|s| s.canonical_reason()).unwrap_or("error"),
            issues: issues.iter().map(PlainIssue::of).collect(),
        }
    }
}

impl PlainIssue {
    fn of(issue: &Issue) -> Self {
        Self {
            r#in: issue.place.name(),
            at: issue.at.clone(),
            keyword: issue.keyword,
            message: issue.message.clone(),
        }
    }
}

impl Serialize for Plain {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = fields::Writer::new(serializer);
        fields.member("status", &self.status);
        fields.member("message", &self.message);
        if !self.issues.is_empty() {
            fields.member("issues", &self.issues);
        }
        fields.end()
    }
}

impl Serialize for PlainIssue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = fields::Writer::new(serializer);
        fields.member("in", &self.r#in);
        fields.member("at", &self.at);
        fields.member("keyword", &self.keyword);
        fields.member("message", &self.message);
        fields.end()
    }
}
}
pub mod fields {
//! Structs written as objects, field by field.
//!
//! What `serde` derives for a struct asks after every field whether it went
//! well, and counts the fields beforehand; the compiler checks that for every
//! type. Here an error is kept until the end, so that a generated struct has
//! one short statement for each field.

use std::collections::BTreeMap;

use serde::ser::{Serialize, SerializeMap as _, Serializer};

/// Writes the fields of one struct.
pub struct Writer<S: Serializer>(Result<S::SerializeMap, S::Error>);

impl<S: Serializer> Writer<S> {
    /// An object without members so far.
    #[must_use]
    pub fn new(serializer: S) -> Self {
        Self(serializer.serialize_map(None))
    }

    /// Writes a member that is always there. Names are not checked to be
    /// distinct.
    pub fn member<T: Serialize>(&mut self, name: &str, value: &T) {
        if let Ok(map) = &mut self.0
            && let Err(error) = map.serialize_entry(name, value)
        {
            self.0 = Err(error);
        }
    }

    /// Writes a member unless it is absent.
    pub fn optional<T: Serialize>(&mut self, name: &str, value: &Option<T>) {
        if let Some(value) = value {
            self.member(name, value);
        }
    }

    /// Writes the members that have no field of their own.
    pub fn others<T: Serialize>(&mut self, kept: &BTreeMap<String, T>) {
        for (name, value) in kept {
            self.member(name, value);
        }
    }

    /// Ends the object.
    ///
    /// # Errors
    /// The first that writing any of it has met.
    pub fn end(self) -> Result<S::Ok, S::Error> {
        self.0?.end()
    }
}
}
pub mod formatted {
//! Rust types that stand for strings of a `format`: how they are read and
//! written, and the text that one was read from.
//!
//! The types themselves are generated, one for each format of the contract
//! that has one.

use std::fmt;
use std::marker::PhantomData;
use std::ops::Deref;
use std::str::FromStr;

use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use json_schema::format;

/// A text is not of its format, or its type cannot hold it. Why is for the
/// schema interpreter to say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mismatch;

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the text is not of its format")
    }
}

impl std::error::Error for Mismatch {}

/// Reads a text of `format`: what the runtime knows of the format must hold,
/// and `parse` must take the text.
///
/// # Errors
/// [`Mismatch`] where either does not.
pub fn read<T, E>(
    format: &str,
    text: &str,
    parse: impl FnOnce(&str) -> Result<T, E>,
) -> Result<T, Mismatch> {
    if !format::is_valid(format, text) {
        return Err(Mismatch);
    }
    parse(text).map_err(|_| Mismatch)
}

/// Whether `text` is one of `T`'s.
#[must_use]
pub fn is<T: FromStr>(text: &str) -> bool {
    text.parse::<T>().is_ok()
}

/// Reads a string as a `T`.
///
/// # Errors
/// Where it is no string, or none of `T`'s.
pub fn deserialize<'de, D: Deserializer<'de>, T: FromStr>(deserializer: D) -> Result<T, D::Error> {
    struct Text<T>(PhantomData<T>);

    impl<T: FromStr> Visitor<'_> for Text<T> {
        type Value = T;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a string of its format")
        }

        fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
            text.parse().map_err(|_| E::custom(Mismatch))
        }
    }

    deserializer.deserialize_str(Text(PhantomData))
}

/// A value together with the text that it was read from, for where a schema
/// says more of the text than its format: how long it is, or what it matches.
///
/// It is written as it was read. One that is made from a value is written as
/// the value prints itself.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Verbatim<T> {
    value: T,
    text: Box<str>,
}

impl<T> Verbatim<T> {
    /// The text, as it was read.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The value without its text.
    #[must_use]
    pub fn into_value(self) -> T {
        self.value
    }
}

impl<T> Deref for Verbatim<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T: fmt::Display> From<T> for Verbatim<T> {
    fn from(value: T) -> Self {
        let text = value.to_string().into_boxed_str();
        Self { value, text }
    }
}

impl<T: FromStr> FromStr for Verbatim<T> {
    type Err = T::Err;

    fn from_str(text: &str) -> Result<Self, T::Err> {
        let value = text.parse()?;
        let text = text.into();
        Ok(Self { value, text })
    }
}

impl<T> fmt::Display for Verbatim<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl<T> Serialize for Verbatim<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text)
    }
}

impl<'de, T: FromStr> Deserialize<'de> for Verbatim<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserialize(deserializer)
    }
}
}
mod header_lines {
//! Headers that stand on several lines.
//!
//! The lines of a header are one text, with commas between them (RFC 9110,
//! section 5.3), but for cookies: each line sets one.

use std::borrow::Cow;

use http::header::SET_COOKIE;
use http::{HeaderMap, HeaderName};

use super::param::{Param, Shape};
use super::param_readings;
use super::param_text::{self, Flaw};
use json_schema::coerce::raw::Raw;

/// A header that is there.
pub(super) enum Lines<'r> {
    /// One text.
    Joined(Cow<'r, str>),
    /// A text for each line, the first apart from the others.
    Apart(&'r str, Vec<&'r str>),
}

/// Whether each item of a list has a line of its own.
pub(super) fn are_apart(name: &HeaderName) -> bool {
    *name == SET_COOKIE
}

/// A header that may be there; nothing in it where that is no text.
pub(super) fn of<'r>(headers: &'r HeaderMap, name: &str) -> Option<Option<Lines<'r>>> {
    let mut lines = headers.get_all(name).iter();
    let first = lines.next()?;
    let text = |line: &'r http::HeaderValue| std::str::from_utf8(line.as_bytes()).ok();
    let others = || lines.map(text).collect::<Option<Vec<_>>>();
    Some(text(first).zip(others()).map(|(first, others)| {
        if is_cookies(name) {
            return Lines::Apart(first, others);
        }
        let joined = |all: Cow<'r, str>, line| Cow::Owned(format!("{all}, {line}"));
        Lines::Joined(others.into_iter().fold(Cow::Borrowed(first), joined))
    }))
}

/// A header of one value that may be there; a proxy may have said the same again.
pub(super) fn one<'r>(headers: &'r HeaderMap, name: &str) -> Option<Option<Cow<'r, str>>> {
    let mut lines = headers.get_all(name).iter();
    let first = lines.next()?;
    if lines.all(|line| line == first) {
        let text = std::str::from_utf8(first.as_bytes()).ok();
        return Some(text.map(Cow::Borrowed));
    }
    Some(of(headers, name)?.map(|lines| Cow::Owned(lines.text().to_owned())))
}

/// What a header is where it is not there: a list whose items have a line each
/// has none where it is empty.
pub(super) fn absent(param: &Param) -> Option<Raw<'static>> {
    let is_list = matches!(param.shape, Shape::Array);
    (is_list && is_cookies(param.name)).then(|| Raw::List(Vec::new()))
}

fn is_cookies(name: &str) -> bool {
    name.eq_ignore_ascii_case(SET_COOKIE.as_str())
}

impl Lines<'_> {
    /// What is taken for one text.
    pub(super) fn text(&self) -> &str {
        match self {
            Self::Joined(text) => text,
            Self::Apart(first, _) => first,
        }
    }

    /// What may be meant by it, in the style `simple`.
    pub(super) fn readings(&self, param: &Param) -> Result<Vec<Raw<'_>>, Flaw> {
        match self {
            Self::Joined(text) => param_readings::of_text(param, text),
            Self::Apart(first, others) => {
                let take = |one: &Param| match one.shape {
                    Shape::Array => {
                        let all = std::iter::once(first).chain(others);
                        let items = all.map(|line| Raw::Text(Cow::Borrowed(*line)));
                        Ok(Some(Raw::List(items.collect())))
                    }
                    _ => param_text::single(one, first, param_text::verbatim).map(Some),
                };
                match param.shape {
                    Shape::AnyOf(shapes) => param_readings::readings(param, shapes, take),
                    _ => take(param).map(|raw| raw.into_iter().collect()),
                }
            }
        }
    }
}
}
pub mod host {
//! What a generated service asks of the server that hosts it.

use std::fmt;
use std::future::{Future, ready};

use axum::body::Body;
use http::request::Parts;
use http::{HeaderName, HeaderValue, Response};

use super::fault::{Denial, Failure};
use super::matched::Matched;
use super::operation::Operation;

/// A request that has been routed and nothing more.
#[derive(Clone, Copy)]
pub struct Visit<'a> {
    /// The operation; `None` for an unknown path or method.
    pub operation: Option<&'static Operation>,
    /// The head of the request.
    pub parts: &'a Parts,
}

/// Shows no part of the request: each may hold a credential.
impl fmt::Debug for Visit<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Visit")
            .field("operation", &self.operation.map(|operation| operation.id))
            .finish_non_exhaustive()
    }
}

/// What the host says of a visit.
#[derive(Debug)]
pub struct Admission<V> {
    /// What the host wants to remember of the visitor when it is asked about
    /// credentials, or why the request goes no further.
    pub outcome: Result<V, Denial>,
    /// Headers for the answer, whatever it will be, each in place of all of its name there.
    pub headers: Vec<(HeaderName, HeaderValue)>,
}

/// The host of a service: what is asked of every request, whatever its
/// operation.
pub trait Host: Send + Sync + 'static {
    /// What [`Host::admit`] wants to remember of a visitor; `()` for nothing.
    type Visitor: Default + Clone + Send + Sync + 'static;
    /// What handlers fail with, when no documented answer fits.
    type Error: Into<Failure> + Send;

    /// Admits or turns away a request: the place of limits. Called once for
    /// every request, those for unknown paths and methods included, before
    /// credentials or anything else of it are read. Everybody is admitted
    /// unless the host says otherwise.
    fn admit(&self, visit: Visit<'_>) -> impl Future<Output = Admission<Self::Visitor>> + Send {
        let _ = visit;
        ready(Admission {
            outcome: Ok(Self::Visitor::default()),
            headers: Vec::new(),
        })
    }

    /// Surrounds the answering of a request, from after its routing until its
    /// answer's head: the place of spans, clocks and counters. The answer is
    /// that of `answering`, which does nothing unless it is awaited. What is
    /// left of the request's body is drained afterwards.
    fn observe<F>(
        &self,
        matched: Matched,
        answering: F,
    ) -> impl Future<Output = Response<Body>> + Send
    where
        F: Future<Output = Response<Body>> + Send,
    {
        let _ = matched;
        answering
    }
}
}
pub mod integer {
//! Whole numbers without bounds, as JSON Schema's `integer` has them.
//!
//! `1.0` and `1e30` are integers too. What 64 bits hold costs no more than
//! that; anything else keeps its digits.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Error, MapAccess};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Number;

use json_schema::number::decimal::Decimal;

/// A whole number of any size.
///
/// It is made of Rust's integers by `into`, and compared with them as it is;
/// `try_from` and [`Integer::as_i64`] lead back.
///
/// ```ignore
/// let count = Integer::from(3);
/// assert!(count < 5 && i64::try_from(&count) == Ok(3));
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Integer(Size);

#[derive(Clone, PartialEq, Eq, Hash)]
enum Size {
    Small(i64),
    /// Beyond what the other holds.
    Large(Box<Decimal>),
}

/// The number has a fraction, or is beyond the range that is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OutOfRange;

impl fmt::Display for OutOfRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the number is not a whole one in this range")
    }
}

impl std::error::Error for OutOfRange {}

impl Integer {
    /// The number, where 64 bits and a sign hold it.
    #[must_use]
    pub const fn as_i64(&self) -> Option<i64> {
        match &self.0 {
            Size::Small(value) => Some(*value),
            Size::Large(_) => None,
        }
    }

    /// The number, where 128 bits and a sign hold it.
    #[must_use]
    pub fn as_i128(&self) -> Option<i128> {
        match &self.0 {
            Size::Small(value) => Some((*value).into()),
            Size::Large(value) => value.to_i128(),
        }
    }

    /// The number with all its digits.
    pub(super) fn decimal(&self) -> Decimal {
        match &self.0 {
            Size::Small(value) => i128::from(*value).into(),
            Size::Large(value) => (**value).clone(),
        }
    }

    /// The whole number that a decimal is.
    fn of(value: Decimal) -> Result<Self, OutOfRange> {
        if !value.is_integer() {
            return Err(OutOfRange);
        }
        let small = value.to_i128().and_then(|value| value.try_into().ok());
        Ok(Self(match small {
            Some(value) => Size::Small(value),
            None => Size::Large(Box::new(value)),
        }))
    }
}

impl Default for Integer {
    fn default() -> Self {
        Self(Size::Small(0))
    }
}

impl fmt::Display for Integer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Size::Small(value) => fmt::Display::fmt(value, f),
            Size::Large(value) => fmt::Display::fmt(value, f),
        }
    }
}

impl fmt::Debug for Integer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Integer {
    type Err = OutOfRange;

    /// Reads a number as JSON writes it.
    fn from_str(text: &str) -> Result<Self, OutOfRange> {
        let number = text.parse::<Number>().map_err(|_| OutOfRange)?;
        Self::of(Decimal::of(&number).ok_or(OutOfRange)?)
    }
}

impl PartialOrd for Integer {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Integer {
    fn cmp(&self, other: &Self) -> Ordering {
        match (&self.0, &other.0) {
            (Size::Small(own), Size::Small(other)) => own.cmp(other),
            _ => self.decimal().cmp(&other.decimal()),
        }
    }
}

impl PartialEq<i64> for Integer {
    fn eq(&self, other: &i64) -> bool {
        self.as_i64() == Some(*other)
    }
}

impl PartialOrd<i64> for Integer {
    fn partial_cmp(&self, other: &i64) -> Option<Ordering> {
        Some(self.cmp(&Self::from(*other)))
    }
}

impl From<i64> for Integer {
    fn from(value: i64) -> Self {
        Self(Size::Small(value))
    }
}

impl From<i128> for Integer {
    fn from(value: i128) -> Self {
        Self(match value.try_into() {
            Ok(value) => Size::Small(value),
            Err(_) => Size::Large(Box::new(value.into())),
        })
    }
}

macro_rules! made_of {
    ($($own:ty as $wide:ty),*) => {$(
        impl From<$own> for Integer {
            fn from(value: $own) -> Self {
                <$wide>::from(value).into()
            }
        }
    )*};
}

macro_rules! back {
    ($($own:ty)*) => {$(
        impl TryFrom<&Integer> for $own {
            type Error = OutOfRange;

            fn try_from(value: &Integer) -> Result<Self, OutOfRange> {
                let value = value.as_i128().ok_or(OutOfRange)?;
                value.try_into().map_err(|_| OutOfRange)
            }
        }

        impl TryFrom<Integer> for $own {
            type Error = OutOfRange;

            fn try_from(value: Integer) -> Result<Self, OutOfRange> {
                (&value).try_into()
            }
        }
    )*};
}

made_of! { i8 as i64, i16 as i64, i32 as i64, u8 as i64, u16 as i64, u32 as i64, u64 as i128 }
back! { i8 i16 i32 i64 i128 isize u8 u16 u32 u64 usize }

impl Serialize for Integer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.0 {
            Size::Small(value) => serializer.serialize_i64(*value),
            Size::Large(value) => {
                let number: Number = value
                    .to_string()
                    .parse()
                    .map_err(serde::ser::Error::custom)?;
                number.serialize(serializer)
            }
        }
    }
}

/// The name under which an integer is asked for: a text that is no JSON hands
/// over the number that it writes.
pub(super) const NAME: &str = "$integer";

impl<'de> Deserialize<'de> for Integer {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_newtype_struct(NAME, Reading)
    }
}

struct Reading;

impl<'de> serde::de::Visitor<'de> for Reading {
    type Value = Integer;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a whole number")
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, inner: D) -> Result<Integer, D::Error> {
        inner.deserialize_any(self)
    }

    fn visit_i64<E>(self, value: i64) -> Result<Integer, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Integer, E> {
        Ok(value.into())
    }

    fn visit_i128<E>(self, value: i128) -> Result<Integer, E> {
        Ok(value.into())
    }

    fn visit_u128<E: Error>(self, value: u128) -> Result<Integer, E> {
        whole(Number::from_u128(value))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Integer, E> {
        whole(Number::from_f64(value))
    }

    fn visit_map<A: MapAccess<'de>>(self, number: A) -> Result<Integer, A::Error> {
        whole(Some(Number::deserialize(MapAccessDeserializer::new(
            number,
        ))?))
    }
}

fn whole<E: Error>(number: Option<Number>) -> Result<Integer, E> {
    let value = number
        .and_then(|number| Decimal::of(&number))
        .map(Integer::of);
    value
        .and_then(Result::ok)
        .ok_or_else(|| E::custom("a whole number is expected here"))
}
}
pub mod items {
//! Typed items that pass one by one: what a handler of a stream takes and
//! gives, and how items of JSON are told apart.
//!
//! Items are decoded and checked as they come. The first that violates its
//! schema ends the stream, and the caller is told all that is wrong with it.

use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::{Buf as _, Bytes, BytesMut};
use futures_util::{Stream, StreamExt as _, stream};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::explain;
use super::json_single;
use super::stream::{ByteStream, StreamError};
use json_schema::validator::Schemas;

/// Items that pass one by one.
///
/// It is a [`Stream`] of them. Dropping it tells the other side to stop.
pub struct Items<T> {
    items: Pin<Box<dyn Stream<Item = Result<T, StreamError>> + Send>>,
    pub(super) keep_alive: Option<Duration>,
}

/// How items of JSON are told apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Framing {
    /// Each ends its line: `application/x-ndjson`, `application/jsonl`.
    Lines,
    /// Each begins with a record separator (RFC 7464):
    /// `application/json-seq`.
    Records,
}

impl<T: Send + 'static> Items<T> {
    /// The items of a stream that cannot fail.
    pub fn new(items: impl Stream<Item = T> + Send + 'static) -> Self {
        Self::fallible(items.map(Ok::<T, StreamError>))
    }

    /// The items of a stream up to its first error, which breaks off the
    /// message that they are in.
    pub fn fallible<E: fmt::Display>(
        items: impl Stream<Item = Result<T, E>> + Send + 'static,
    ) -> Self {
        Self {
            items: Box::pin(items.map(|item| item.map_err(StreamError::broken))),
            keep_alive: None,
        }
    }

    /// The next item; `None` at the end.
    ///
    /// # Errors
    /// [`StreamError`]; nothing comes after one.
    pub async fn next(&mut self) -> Option<Result<T, StreamError>> {
        self.items.next().await
    }

    pub(super) fn of(items: impl Stream<Item = Result<T, StreamError>> + Send + 'static) -> Self {
        Self {
            items: Box::pin(items),
            keep_alive: None,
        }
    }
}

impl<T: DeserializeOwned + Send + 'static> Items<T> {
    /// The items of a request's body, each of which is held against `schema`.
    #[must_use]
    pub fn incoming(
        bytes: ByteStream,
        framing: Framing,
        schemas: &'static Schemas,
        schema: &'static str,
        valid: fn(&T) -> bool,
    ) -> Self {
        let frames = Frames::new(bytes, framing);
        Self::of(stream::try_unfold(
            (frames, 0_usize),
            move |(mut frames, index)| async move {
                let Some(frame) = frames.next().await? else {
                    return Ok(None);
                };
                let at = format!("/{index}");
                match explain::json(schemas, &frame, schema, valid, &at) {
                    Ok(item) => Ok(Some((item, (frames, index + 1)))),
                    Err(issues) => Err(frames.bytes.refuse(StreamError::Invalid(issues))),
                }
            },
        ))
    }

    /// The items of an answer's body.
    #[must_use]
    pub fn answered(bytes: ByteStream, framing: Framing) -> Self {
        let frames = Frames::new(bytes, framing);
        Self::of(stream::try_unfold(frames, |mut frames| async move {
            let Some(frame) = frames.next().await? else {
                return Ok(None);
            };
            let item = json_single::from_slice(&frame).map_err(StreamError::broken)?;
            Ok(Some((item, frames)))
        }))
    }
}

impl<T: Serialize + Send + 'static> Items<T> {
    /// The items as the body of a message.
    #[must_use]
    pub fn into_bytes(self, framing: Framing) -> ByteStream {
        ByteStream::new(self.map(move |item| {
            let mut frame = match framing {
                Framing::Lines => Vec::new(),
                Framing::Records => vec![SEPARATOR],
            };
            serde_json::to_writer(&mut frame, &item?).map_err(StreamError::broken)?;
            frame.push(b'\n');
            Ok::<_, StreamError>(Bytes::from(frame))
        }))
    }
}

impl<T: Send + 'static> Default for Items<T> {
    /// No items.
    fn default() -> Self {
        Self::of(stream::empty())
    }
}

impl<T> Stream for Items<T> {
    type Item = Result<T, StreamError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.items.as_mut().poll_next(context)
    }
}

impl<T> fmt::Debug for Items<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Items").finish_non_exhaustive()
    }
}

/// The record separator of RFC 7464.
const SEPARATOR: u8 = 0x1e;

/// The texts of items, cut out of the pieces that come.
struct Frames {
    bytes: ByteStream,
    mark: u8,
    rest: BytesMut,
    /// How much of the rest is known to have no mark.
    searched: usize,
    ended: bool,
}

impl Frames {
    fn new(bytes: ByteStream, framing: Framing) -> Self {
        Self {
            bytes,
            mark: match framing {
                Framing::Lines => b'\n',
                Framing::Records => SEPARATOR,
            },
            rest: BytesMut::new(),
            searched: 0,
            ended: false,
        }
    }

    /// The next text that is not blank.
    async fn next(&mut self) -> Result<Option<Bytes>, StreamError> {
        loop {
            let unsearched = self.rest.get(self.searched..).unwrap_or_default();
            let found = unsearched.iter().position(|byte| *byte == self.mark);
            let frame = match found {
                Some(found) => {
                    let frame = self.rest.split_to(self.searched + found);
                    self.rest.advance(1);
                    frame
                }
                None if self.ended => self.rest.split(),
                None => {
                    self.more().await?;
                    continue;
                }
            };
            self.searched = 0;
            if !frame.trim_ascii().is_empty() {
                return Ok(Some(frame.freeze()));
            }
            if self.ended && self.rest.is_empty() {
                return Ok(None);
            }
        }
    }

    async fn more(&mut self) -> Result<(), StreamError> {
        self.searched = self.rest.len();
        match self.bytes.next().await {
            None => self.ended = true,
            Some(piece) => self.rest.extend_from_slice(&piece?),
        }
        self.bytes.holds(self.rest.len())
    }
}
}
mod json_single {
//! JSON in which no object has a member twice.
//!
//! Which of the two counts would depend on the reader (RFC 8259, section 4),
//! so both are refused. A struct sees to that itself; here it is seen to for
//! maps and for values of any type, wherever in a type they stand.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;

use serde::de::value::CowStrDeserializer;
use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, EnumAccess, Error, MapAccess, SeqAccess, Visitor,
};

use json_schema::json::{Name, REPEATED, SEEN_TO};

/// Reads a JSON text.
///
/// # Errors
/// Where it is none, or not of the type, or an object has a member twice.
pub(super) fn from_slice<'de, T: Deserialize<'de>>(bytes: &'de [u8]) -> serde_json::Result<T> {
    // To look at all bytes once is faster than at those of each string.
    let text = std::str::from_utf8(bytes).map_err(serde_json::Error::custom)?;
    let mut reader = serde_json::Deserializer::from_str(text);
    let value = T::deserialize(Single(&mut reader))?;
    reader.end().map(|()| value)
}

/// How many names are compared one by one.
const FEW: usize = 12;

/// A deserializer, or a part of one, that hands nothing over twice.
struct Single<T>(T);

/// The same, of what may hold an object.
struct Open<T> {
    inner: T,
    /// Whether it is seen to that names are there once; a struct does that itself.
    counted: bool,
}

macro_rules! scalars {
    ($($method:ident)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
            self.0.$method(visitor)
        }
    )*};
}

macro_rules! open {
    ($($method:ident($($argument:ident: $ty:ty),*) $counted:literal,)*) => {$(
        fn $method<V: Visitor<'de>>(
            self,
            $($argument: $ty,)*
            visitor: V,
        ) -> Result<V::Value, D::Error> {
            let visitor = Open { inner: visitor, counted: $counted };
            self.0.$method($($argument,)* visitor)
        }
    )*};
}

impl<'de, D: Deserializer<'de>> Deserializer<'de> for Single<D> {
    type Error = D::Error;

    scalars! {
        deserialize_bool deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64
        deserialize_i128 deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64
        deserialize_u128 deserialize_f32 deserialize_f64 deserialize_char deserialize_str
        deserialize_string deserialize_bytes deserialize_byte_buf deserialize_unit
        deserialize_identifier deserialize_ignored_any
    }

    open! {
        deserialize_any() true,
        deserialize_map() true,
        deserialize_option() true,
        deserialize_seq() true,
        deserialize_tuple(len: usize) true,
        deserialize_tuple_struct(name: &'static str, len: usize) true,
        deserialize_struct(name: &'static str, fields: &'static [&'static str]) false,
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        if name == SEEN_TO {
            return self.0.deserialize_newtype_struct(name, visitor);
        }
        let visitor = Open {
            inner: visitor,
            counted: true,
        };
        self.0.deserialize_newtype_struct(name, visitor)
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        self.0.deserialize_unit_struct(name, visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        self.0.deserialize_enum(name, variants, visitor)
    }
}

macro_rules! values {
    ($($method:ident: $ty:ty,)*) => {$(
        fn $method<E: Error>(self, value: $ty) -> Result<V::Value, E> {
            self.inner.$method(value)
        }
    )*};
}

impl<'de, V: Visitor<'de>> Visitor<'de> for Open<V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.expecting(f)
    }

    values! {
        visit_bool: bool,
        visit_i64: i64,
        visit_i128: i128,
        visit_u64: u64,
        visit_u128: u128,
        visit_f64: f64,
        visit_str: &str,
        visit_borrowed_str: &'de str,
        visit_string: String,
    }

    fn visit_none<E: Error>(self) -> Result<V::Value, E> {
        self.inner.visit_none()
    }

    fn visit_unit<E: Error>(self) -> Result<V::Value, E> {
        self.inner.visit_unit()
    }

    fn visit_some<D: Deserializer<'de>>(self, value: D) -> Result<V::Value, D::Error> {
        self.inner.visit_some(Single(value))
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, value: D) -> Result<V::Value, D::Error> {
        self.inner.visit_newtype_struct(Single(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<V::Value, A::Error> {
        self.inner.visit_seq(Single(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, members: A) -> Result<V::Value, A::Error> {
        let names = self.counted.then(Names::default);
        self.inner.visit_map(Members(Counted { members, names }))
    }

    fn visit_enum<A: EnumAccess<'de>>(self, variant: A) -> Result<V::Value, A::Error> {
        self.inner.visit_enum(variant)
    }
}

impl<'de, A: SeqAccess<'de>> SeqAccess<'de> for Single<A> {
    type Error = A::Error;

    fn next_element_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, A::Error> {
        self.0.next_element_seed(Single(seed))
    }

    fn size_hint(&self) -> Option<usize> {
        self.0.size_hint()
    }
}

impl<'de, S: DeserializeSeed<'de>> DeserializeSeed<'de> for Single<S> {
    type Value = S::Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<S::Value, D::Error> {
        self.0.deserialize(Single(deserializer))
    }
}

/// Members of which none is there twice, whose values are seen to as well.
struct Members<A>(A);

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Members<A> {
    type Error = A::Error;

    fn next_key_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, A::Error> {
        self.0.next_key_seed(seed)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, A::Error> {
        self.0.next_value_seed(Single(seed))
    }

    fn size_hint(&self) -> Option<usize> {
        self.0.size_hint()
    }
}

/// Members of which none is there twice.
struct Counted<'de, A> {
    members: A,
    names: Option<Names<'de>>,
}

/// The same members, none of which is there twice. To their values it is seen where they come from: were it
/// seen to here as well, a type that holds itself would be read by ever longer types of deserializers.
pub(super) fn counting<'de, A: MapAccess<'de>>(
    members: A,
) -> impl MapAccess<'de, Error = A::Error> {
    let names = Some(Names::default());
    Counted { members, names }
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Counted<'de, A> {
    type Error = A::Error;

    fn next_key_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, A::Error> {
        let Some(names) = &mut self.names else {
            return self.members.next_key_seed(seed);
        };
        let Some(Name(name)) = self.members.next_key()? else {
            return Ok(None);
        };
        if !names.add(name.clone()) {
            return Err(A::Error::custom(REPEATED));
        }
        seed.deserialize(CowStrDeserializer::new(name)).map(Some)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, A::Error> {
        self.members.next_value_seed(seed)
    }

    fn size_hint(&self) -> Option<usize> {
        self.members.size_hint()
    }
}

/// The names that an object has had so far.
#[derive(Default)]
struct Names<'de> {
    few: Vec<Cow<'de, str>>,
    /// All of them, where they are no longer few.
    many: HashSet<Cow<'de, str>>,
}

impl<'de> Names<'de> {
    /// Whether the name is a new one.
    fn add(&mut self, name: Cow<'de, str>) -> bool {
        if self.few.len() < FEW && self.many.is_empty() {
            let is_new = !self.few.contains(&name);
            self.few.push(name);
            return is_new;
        }
        self.many.extend(self.few.drain(..));
        self.many.insert(name)
    }
}

/// Whether no two of the names are the same.
pub(super) fn are_distinct<'n>(names: impl Iterator<Item = &'n str>) -> bool {
    let mut known = Names::default();
    let mut names = names;
    names.all(|name| known.add(Cow::Borrowed(name)))
}
}
mod json_text {
//! Bytes that should be JSON, when the typed decode refused them.

use serde::de::DeserializeSeed;
use serde_json::Value;
use serde_json::error::Category;

use super::fault::Fault;
use json_schema::json::Any;
use json_schema::json::REPEATED;

/// The value of a JSON text (RFC 8259) in which no object has a member twice.
///
/// # Errors
/// [`Fault::Json`] with the place and what is wrong there.
pub(super) fn parse(bytes: &[u8]) -> Result<Value, Fault> {
    let text = std::str::from_utf8(bytes).map_err(|_| Fault::Json {
        reason: "is not UTF-8",
        line: 0,
        column: 0,
    })?;
    let mut reader = serde_json::Deserializer::from_str(text);
    let read = Any.deserialize(&mut reader);
    let read = read.and_then(|value| reader.end().map(|()| value));
    read.map_err(|error| Fault::Json {
        reason: reason(&error),
        line: error.line(),
        column: error.column(),
    })
}

fn reason(error: &serde_json::Error) -> &'static str {
    let said = error.to_string();
    match error.classify() {
        Category::Eof => "ends too early",
        _ if said.starts_with("recursion limit") => "is nested too deeply",
        _ if said.starts_with("number out of range") => "has a number beyond the range of a double",
        _ if said.starts_with(REPEATED) => REPEATED,
        _ if said.starts_with("trailing characters") => "goes on after the value",
        _ => "is not JSON",
    }
}
}
pub mod link {
//! Links (OpenAPI 3.1.1, section 4.8.20): from what an operation was asked and
//! has answered to the values of another operation's request.
//!
//! A value is read as the target's service would read it: into the declared
//! type, checked, by the schema where that is needed.

use std::fmt;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::encoded::Encoded;
use super::explain::explain;
use super::expression::scalar;
use super::json_text;
use super::raw_decode;
use json_schema::coerce::raw::Raw;
use json_schema::coerce::{self, Objects};
use json_schema::issue::{Issues, Place};
use json_schema::validator::Schemas;

/// A link that leads nowhere this time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unfollowed {
    /// The name of the link in the contract.
    pub link: &'static str,
    /// Why.
    pub cause: Cause,
}

/// Why a link leads nowhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    /// The answer is another than the one that has the link.
    OtherAnswer,
    /// The expression names nothing here, or null: a list has no first item,
    /// a page is the last one.
    Nothing(&'static str),
    /// What the expression names is no value of the target's parameter or
    /// body.
    Unfit(&'static str),
}

impl fmt::Display for Unfollowed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let link = self.link;
        match self.cause {
            Cause::OtherAnswer => write!(f, "this answer has no link {link}"),
            Cause::Nothing(expression) => write!(f, "link {link}: {expression} names nothing here"),
            Cause::Unfit(expression) => {
                write!(f, "link {link}: {expression} is no value of what it is for")
            }
        }
    }
}

impl std::error::Error for Unfollowed {}

/// Where a value comes from: a link, and the expression as the contract
/// writes it.
#[derive(Debug, Clone, Copy)]
pub struct Told(pub &'static str, pub &'static str);

impl Told {
    fn because(self, cause: fn(&'static str) -> Cause) -> Unfollowed {
        Unfollowed {
            link: self.0,
            cause: cause(self.1),
        }
    }
}

/// The error of an answer that does not have the link.
#[must_use]
pub const fn other_answer(link: &'static str) -> Unfollowed {
    Unfollowed {
        link,
        cause: Cause::OtherAnswer,
    }
}

/// A body of JSON.
#[must_use]
pub fn json<T>(body: &Encoded<T>) -> Option<Value> {
    json_text::parse(body.bytes().ok()?).ok()
}

/// A typed value; none where it is null.
#[must_use]
pub fn value<T: Serialize + ?Sized>(value: &T) -> Option<Value> {
    present(serde_json::to_value(value).ok())
}

fn present(value: Option<Value>) -> Option<Value> {
    value.filter(|value| !value.is_null())
}

/// What a JSON pointer names within a value.
#[must_use]
pub fn within(value: Option<&Value>, pointer: &str) -> Option<Value> {
    value?.pointer(pointer).cloned()
}

/// A value of the contract itself, as JSON.
#[must_use]
pub fn constant(text: &str) -> Option<Value> {
    serde_json::from_str(text).ok()
}

/// One text of several values; none where one of them is no text, number or
/// truth value.
#[must_use]
pub fn joined(parts: &[Option<Value>]) -> Option<Value> {
    let texts = parts.iter().map(|part| scalar(part.as_ref()?));
    let text: Option<String> = texts.collect();
    text.map(Value::String)
}

/// The value of a parameter; null is none, as no text says it.
///
/// # Errors
/// Where there is none, or one that does not fit.
pub fn param<T: DeserializeOwned>(
    told: Told,
    value: Option<Value>,
    schema: (&Schemas, &str),
    valid: fn(&T) -> bool,
) -> Result<T, Unfollowed> {
    let value = present(value).ok_or(told.because(Cause::Nothing))?;
    if let Some(read) = typed(&value, valid) {
        return Ok(read);
    }
    // Parameters are texts: `7` and `"7"` are the same.
    let Some(text) = scalar(&value) else {
        return explained(told, value, schema);
    };
    let raw = Raw::Text(text.into());
    match raw_decode::decode(&raw) {
        Ok(read) if valid(&read) => Ok(read),
        _ => explained(
            told,
            coerce::value(&raw, &schema.0.json_type(schema.1), Objects::AsJson),
            schema,
        ),
    }
}

/// The value of a parameter that may be absent, where the request that it is
/// taken from does not have it either.
///
/// # Errors
/// Where there is one that does not fit.
pub fn optional<T: DeserializeOwned>(
    told: Told,
    value: Option<Value>,
    schema: (&Schemas, &str),
    valid: fn(&T) -> bool,
) -> Result<Option<T>, Unfollowed> {
    match present(value) {
        None => Ok(None),
        value => param(told, value, schema, valid).map(Some),
    }
}

/// A body of JSON, or of a form, or a parameter that is written as JSON.
///
/// # Errors
/// Where there is none, or one that does not fit.
pub fn body<T: DeserializeOwned>(
    told: Told,
    value: Option<Value>,
    schema: (&Schemas, &str),
    valid: fn(&T) -> bool,
) -> Result<T, Unfollowed> {
    let value = value.ok_or(told.because(Cause::Nothing))?;
    match typed(&value, valid) {
        Some(read) => Ok(read),
        None => explained(told, value, schema),
    }
}

/// A body of text.
///
/// # Errors
/// Where there is none, or a list or an object.
pub fn text(told: Told, value: Option<Value>) -> Result<String, Unfollowed> {
    let value = present(value).ok_or(told.because(Cause::Nothing))?;
    scalar(&value).ok_or(told.because(Cause::Unfit))
}

/// A default of the contract.
///
/// # Errors
/// Where it is no value of its type.
pub fn default<T>(told: Told, value: Option<T>) -> Result<T, Unfollowed> {
    value.ok_or(told.because(Cause::Unfit))
}

fn typed<T: DeserializeOwned>(value: &Value, valid: fn(&T) -> bool) -> Option<T> {
    T::deserialize(value).ok().filter(valid)
}

fn explained<T: DeserializeOwned>(
    told: Told,
    value: Value,
    (schemas, schema): (&Schemas, &str),
) -> Result<T, Unfollowed> {
    let cause = match value {
        Value::Null => Cause::Nothing,
        _ => Cause::Unfit,
    };
    let read = explain(
        schemas,
        schema,
        value,
        (Place::Body, ""),
        &mut Issues::new(),
    );
    read.ok_or(told.because(cause))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const TOLD: Told = Told("Next", "$response.body#/next");

    fn schemas() -> Schemas {
        Schemas::parse(r#"{"page": {"type": "integer", "minimum": 1}, "text": {"type": "string"}}"#)
    }

    fn page(value: Value) -> Result<i64, Cause> {
        let read = param(TOLD, Some(value), (&schemas(), "page"), |page| *page >= 1);
        read.map_err(|unfollowed| unfollowed.cause)
    }

    #[test]
    fn parameters_are_read_as_their_service_reads_them() {
        for same in [json!(7), json!("7"), json!(7.0)] {
            assert_eq!(page(same), Ok(7));
        }
        for unfit in [json!(0), json!("0"), json!("x"), json!([7]), json!({})] {
            assert_eq!(page(unfit), Err(Cause::Unfit(TOLD.1)));
        }
        assert_eq!(page(Value::Null), Err(Cause::Nothing(TOLD.1)));
        let null = Some(Value::Null);
        let nullable = |_: &Option<i64>| true;
        let cursor = param(TOLD, null.clone(), (&schemas(), "page"), nullable);
        assert_eq!(cursor.map_err(|it| it.cause), Err(Cause::Nothing(TOLD.1)));
        let cursor = optional(TOLD, null.clone(), (&schemas(), "page"), nullable);
        assert_eq!(cursor, Ok(None));
        let json = body(TOLD, null, (&schemas(), "page"), nullable);
        assert_eq!(json, Ok(None));
        let text = param(TOLD, Some(json!(7)), (&schemas(), "text"), |_: &String| {
            true
        });
        assert_eq!(text.as_deref(), Ok("7"));
    }

    #[test]
    fn what_is_not_there_may_be_left_out_or_not() {
        let (schemas, valid) = (schemas(), |_: &i64| true);
        assert_eq!(optional(TOLD, None, (&schemas, "page"), valid), Ok(None));
        let missing = body(TOLD, None, (&schemas, "page"), valid);
        assert_eq!(missing.map_err(|it| it.cause), Err(Cause::Nothing(TOLD.1)));
        assert_eq!(value(&None::<i64>), None);
        assert_eq!(within(value(&[1]).as_ref(), "/1"), None);
    }

    #[test]
    fn texts_are_joined_of_what_has_a_text() {
        let parts = [constant("\"v\""), value(&2), value(&true)];
        assert_eq!(joined(&parts), Some(json!("v2true")));
        assert_eq!(joined(&[value(&[1])]), None);
        assert_eq!(joined(&[None]), None);
        let unfit = text(TOLD, value(&[1])).map_err(|it| it.to_string());
        let said = "link Next: $response.body#/next is no value of what it is for";
        assert_eq!(unfit, Err(said.to_owned()));
    }
}
}
pub mod matched {
//! What a request was routed to, in words that are safe to record.

use std::fmt;

use http::Method;

use super::operation::Operation;

/// What stands for the operation of a request that is for none.
const UNMATCHED: &str = "<unmatched>";

/// What a request was routed to. Every text that it gives is one of a closed
/// set and none is the client's: they can be labels of metrics.
#[derive(Debug, Clone, Copy)]
pub struct Matched {
    operation: Option<&'static Operation>,
    method: &'static str,
}

impl Matched {
    /// What the operation and the method make.
    #[must_use]
    pub fn new(operation: Option<&'static Operation>, method: &Method) -> Self {
        Self {
            operation,
            method: standard(method),
        }
    }

    /// The operation; `None` for an unknown path or method.
    #[must_use]
    pub const fn operation(&self) -> Option<&'static Operation> {
        self.operation
    }

    /// The operationId; `<unmatched>` for an unknown path or method.
    #[must_use]
    pub fn id(&self) -> &'static str {
        self.operation.map_or(UNMATCHED, |operation| operation.id)
    }

    /// The method's name if it is a standard one, else `<other>`.
    #[must_use]
    pub const fn method(&self) -> &'static str {
        self.method
    }

    /// The template of the path, base path included; nothing for an unknown
    /// path or method.
    #[must_use]
    pub const fn route(&self) -> Route {
        Route(*self)
    }
}

/// A template of a path, to be printed.
#[derive(Debug, Clone, Copy)]
pub struct Route(Matched);

impl fmt::Display for Route {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.operation {
            Some(operation) => write!(f, "{}{}", operation.base_path, operation.path),
            None => Ok(()),
        }
    }
}

fn standard(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::PATCH => "PATCH",
        Method::DELETE => "DELETE",
        Method::OPTIONS => "OPTIONS",
        Method::TRACE => "TRACE",
        Method::CONNECT => "CONNECT",
        _ => "<other>",
    }
}
}
pub mod media {
//! Media types and the negotiation of content (RFC 9110, sections 8.3 and
//! 12.5.1).
//!
//! Types are compared without regard to case. Parameters tell those apart that
//! are else alike, such as `application/json;v=1` and `application/json;v=2`,
//! and rule nothing out. A charset tells nothing apart, but that of a request body
//! has to be UTF-8.

use http::header::{ACCEPT, CONTENT_ENCODING, CONTENT_TYPE};
use http::{HeaderMap, HeaderValue};

/// A media type or range, such as `text/plain; charset=utf-8` or `image/*`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MediaType<'a> {
    kind: &'a str,
    subtype: &'a str,
    parameters: &'a str,
}

impl<'a> MediaType<'a> {
    /// Takes a media type apart; `None` where it has no slash or a blank.
    #[must_use]
    pub fn parse(text: &'a str) -> Option<Self> {
        let (essence, parameters) = text.split_once(';').unwrap_or((text, ""));
        let (kind, subtype) = essence.trim_ascii().split_once('/')?;
        let is_name =
            |name: &str| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_graphic());
        (is_name(kind) && is_name(subtype)).then_some(Self {
            kind,
            subtype,
            parameters,
        })
    }

    /// The value of a parameter, without quotes.
    #[must_use]
    pub fn parameter(&self, name: &str) -> Option<&'a str> {
        let pairs = self
            .parameters
            .split(';')
            .filter_map(|pair| pair.split_once('='));
        let mut named = pairs.filter(|(own, _)| own.trim_ascii().eq_ignore_ascii_case(name));
        named
            .next()
            .map(|(_, value)| value.trim_ascii().trim_matches('"'))
    }

    /// How closely this range covers `other`: 4 for the same type with the same
    /// parameters, 3 without any, 2 with others, 1 for `type/*` or
    /// `type/*+suffix`, 0 for `*/*`, `None` where it does not.
    #[must_use]
    pub fn covers(&self, other: &Self) -> Option<u8> {
        if self.kind == "*" {
            return Some(0);
        }
        if !self.kind.eq_ignore_ascii_case(other.kind) {
            return None;
        }
        if let Some(suffix) = self.subtype.strip_prefix('*') {
            let start = other.subtype.len().checked_sub(suffix.len());
            let end = start.and_then(|start| other.subtype.get(start..));
            return end
                .is_some_and(|end| end.eq_ignore_ascii_case(suffix))
                .then_some(1);
        }
        let is_same = self.subtype.eq_ignore_ascii_case(other.subtype);
        let agrees = |(name, value): (&str, &str)| {
            let given = other.parameter(name);
            given == Some(value)
        };
        is_same.then(|| match self.pairs().next() {
            None => 3,
            Some(_) if self.pairs().all(agrees) => 4,
            Some(_) => 2,
        })
    }

    /// The parameters that tell media types apart: neither the weight of a range
    /// nor a charset does.
    fn pairs(&self) -> impl Iterator<Item = (&'a str, &'a str)> {
        let pairs = self.parameters.split(';');
        let pairs = pairs.filter_map(|pair| pair.split_once('='));
        let pairs =
            pairs.map(|(name, value)| (name.trim_ascii(), value.trim_ascii().trim_matches('"')));
        let tells =
            |name: &str| !matches!(name.to_ascii_lowercase().as_str(), "" | "q" | "charset");
        pairs.filter(move |(name, _)| tells(name))
    }

    fn is_utf8(&self) -> bool {
        self.parameter("charset").is_none_or(|charset| {
            charset.eq_ignore_ascii_case("utf-8") || charset.eq_ignore_ascii_case("us-ascii")
        })
    }
}

/// Which of `produces` the client likes best; of several that it likes
/// equally, the first. `None` where it admits none of them.
///
/// A request without `Accept`, or with one in which nothing can be read,
/// admits everything.
#[must_use]
pub fn acceptable(headers: &HeaderMap, produces: &[&str]) -> Option<usize> {
    if wants_first(headers, produces) {
        return Some(0);
    }
    let ranges = accepted(headers);
    if ranges.is_empty() {
        return Some(0);
    }
    let mut best = None;
    for (index, offer) in produces.iter().enumerate() {
        let offer = MediaType::parse(offer);
        let quality = offer.map_or((0, false), |offer| quality(&offer, &ranges));
        if quality.0 > 0 && best.is_none_or(|(_, best)| quality > best) {
            best = Some((index, quality));
        }
    }
    best.map(|(index, _)| index)
}

/// Whether the client says at once that it wants the first of `produces`: what most
/// clients say.
fn wants_first(headers: &HeaderMap, produces: &[&str]) -> bool {
    let mut values = headers.get_all(ACCEPT).iter().map(HeaderValue::as_bytes);
    let (only, more) = (values.next(), values.next());
    let first = produces.first().map(|first| first.as_bytes());
    more.is_none() && (only == Some(b"*/*") || only == first)
}

/// Whether the client admits an answer of this type.
#[must_use]
pub fn admits(headers: &HeaderMap, answered: &str) -> bool {
    let ranges = accepted(headers);
    let answered = MediaType::parse(answered);
    ranges.is_empty() || answered.is_none_or(|answered| quality(&answered, &ranges).0 > 0)
}

/// What the client accepts.
fn accepted(headers: &HeaderMap) -> Vec<(MediaType<'_>, u16)> {
    let values = headers.get_all(ACCEPT).iter();
    let texts = values.map(|value| value.to_str().unwrap_or_default());
    texts
        .flat_map(|text| text.split(',').filter_map(accepted_range))
        .collect()
}

/// Which of `consumes` the request body is, the closest first; `None` where
/// it is none of them, is not UTF-8, or is compressed.
#[must_use]
pub fn consumed(headers: &HeaderMap, consumes: &[&str]) -> Option<usize> {
    let encodings = headers.get_all(CONTENT_ENCODING).iter();
    if encodings
        .into_iter()
        .any(|coding| !coding.as_bytes().eq_ignore_ascii_case(b"identity"))
    {
        return None;
    }
    let mut values = headers.get_all(CONTENT_TYPE).iter();
    let text = match (values.next(), values.next()) {
        (Some(value), None) => value.to_str().ok()?,
        (None, _) => "application/octet-stream",
        (Some(_), Some(_)) => return None,
    };
    let given = MediaType::parse(text)?;
    let fits = |entry: &&str| MediaType::parse(entry).and_then(|entry| entry.covers(&given));
    let entries = consumes.iter().enumerate();
    let fitting = entries.filter_map(|(index, entry)| Some((fits(entry)?, index)));
    // Of equally close entries the first: a maximum would be the last.
    let (closeness, index) = fitting.min_by_key(|(closeness, _)| std::cmp::Reverse(*closeness))?;
    (closeness < 2 || given.is_utf8()).then_some(index)
}

/// The media type to write for a body whose contract says `declared`: what the
/// body says of itself, where that is covered and the contract leaves it open,
/// if only the parameters, such as the boundary of parts.
#[must_use]
pub fn concrete<'a>(declared: &'a str, own: Option<&'a str>) -> &'a str {
    let Some(range) = MediaType::parse(declared).filter(|range| range.parameters.is_empty()) else {
        return declared;
    };
    let covered =
        |own: &&str| MediaType::parse(own).is_some_and(|own| range.covers(&own).is_some());
    let instead = match range.subtype {
        "*" => "application/octet-stream",
        _ => declared,
    };
    own.filter(covered).unwrap_or(instead)
}

/// A range of `Accept` with its quality in thousandths.
fn accepted_range(text: &str) -> Option<(MediaType<'_>, u16)> {
    let range = MediaType::parse(text.trim_ascii())?;
    match range.parameter("q") {
        Some(quality) => Some((range, thousandths(quality)?)),
        None => Some((range, 1000)),
    }
}

/// A `qvalue`: 0 to 1 with at most three decimals.
fn thousandths(text: &str) -> Option<u16> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let digits = fraction.len() <= 3 && fraction.bytes().all(|byte| byte.is_ascii_digit());
    let value = format!("{whole}{fraction:0<3}").parse().ok()?;
    (digits && matches!(whole, "0" | "1") && value <= 1000).then_some(value)
}

/// The quality that the closest range gives to an offer, and whether it asks for
/// no other parameters. An offer that is itself a range is whatever the client
/// likes in it.
fn quality(offer: &MediaType<'_>, ranges: &[(MediaType<'_>, u16)]) -> (u16, bool) {
    let closeness = |range: &MediaType<'_>| range.covers(offer).or_else(|| offer.covers(range));
    let fitting = ranges
        .iter()
        .filter_map(|(range, quality)| Some((closeness(range)?, *quality)));
    let closest = fitting.max();
    closest.map_or((0, false), |(closeness, quality)| (quality, closeness != 2))
}
}
pub mod multipart {
//! Bodies of `multipart/form-data` (RFC 7578): what they are made of, and how
//! they are taken apart.
//!
//! A form without files is read whole, within the limit that every body has;
//! one with files is read by [`upload`](super::upload).

use bytes::Bytes;
use http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use http::{HeaderMap, HeaderName, HeaderValue};

use super::multipart_field::Fields;

/// The longest head of a part, in bytes.
pub(super) const HEAD: usize = 16 << 10;

/// How many headers it has at the most: as many as a request.
const LINES: usize = 100;

/// A file as it was sent.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct File {
    /// The name that the sender gives it. It says nothing about where to put
    /// it, and is not to be used as a path.
    pub name: Option<String>,
    /// Its media type, where the sender knows it.
    pub content_type: Option<String>,
    /// What is in it.
    pub bytes: Bytes,
}

impl From<Bytes> for File {
    fn from(bytes: Bytes) -> Self {
        Self {
            bytes,
            ..Self::default()
        }
    }
}

/// One part of a body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Part {
    /// The field that it is for.
    pub(super) field: String,
    pub(super) file: File,
    /// The headers that are declared for it.
    pub(super) headers: HeaderMap,
    /// How many bytes it has, which are in the file or were given out.
    pub(super) octets: u64,
}

/// Takes a body apart; `None` where it is not what its `Content-Type` says.
pub(super) fn parts(headers: &HeaderMap, body: &Bytes, fields: &Fields) -> Option<Vec<Part>> {
    let delimiter = delimiter(headers.get(CONTENT_TYPE)?.to_str().ok()?)?;
    let mut rest = find(body, 0, delimiter.as_bytes())? + delimiter.len();
    let delimiter = format!("\r\n{delimiter}");
    let mut parts = Vec::new();
    while body.get(rest..rest + 2) != Some(b"--".as_slice()) {
        // Blanks may pad a delimiter's line (RFC 2046 §5.1.1).
        let start = find(body, rest, b"\r\n")? + 2;
        let end = find(body, start - 2, delimiter.as_bytes())?;
        parts.push(part(body, (start, end), fields)?);
        rest = end + delimiter.len();
    }
    Some(parts)
}

/// Two hyphens and the boundary, which has 1 to 70 characters (RFC 2046
/// §5.1.1): a longer one could be looked for at length.
pub(super) fn delimiter(content_type: &str) -> Option<String> {
    let boundary = parameter(content_type, "boundary")?;
    (1..=70)
        .contains(&boundary.len())
        .then(|| format!("--{boundary}"))
}

/// The part between `start`, where its headers begin, and `end`.
fn part(body: &Bytes, (start, end): (usize, usize), fields: &Fields) -> Option<Part> {
    // Without headers, the blank line comes at once.
    let split = find(body, start - 2, b"\r\n\r\n").filter(|split| *split <= end)?;
    let head = body.get(start..split.max(start));
    let head = head.filter(|head| head.len() <= HEAD)?;
    let head = self::head(std::str::from_utf8(head).ok()?)?;
    let bytes = body.slice((split + 4).min(end)..end);
    Some(Part {
        headers: fields.kept_headers(&head),
        field: head.field,
        octets: u64::try_from(bytes.len()).ok()?,
        file: File {
            name: head.name,
            content_type: head.content_type,
            bytes,
        },
    })
}

/// What the headers of a part say.
#[derive(Debug)]
pub(super) struct Head {
    pub(super) field: String,
    pub(super) name: Option<String>,
    pub(super) content_type: Option<String>,
    pub(super) headers: HeaderMap,
}

/// Reads the headers of a part; `None` where they do not say what it is for.
pub(super) fn head(text: &str) -> Option<Head> {
    let mut headers = HeaderMap::new();
    // What begins with a blank goes on with the line before (RFC 5322 §2.2.3).
    let unfolded = text.replace("\r\n ", " ").replace("\r\n\t", " ");
    if unfolded.lines().count() > LINES {
        return None;
    }
    for (name, value) in unfolded.lines().filter_map(|line| line.split_once(':')) {
        let value = HeaderValue::try_from(value.trim_ascii()).ok()?;
        if let Ok(name) = HeaderName::try_from(name.trim_ascii()) {
            headers.try_append(name, value).ok()?;
        }
    }
    let text_of = |name| std::str::from_utf8(headers.get(name)?.as_bytes()).ok();
    let disposition = text_of(CONTENT_DISPOSITION)?;
    Some(Head {
        field: parameter(disposition, "name")?,
        name: parameter(disposition, "filename"),
        content_type: text_of(CONTENT_TYPE).map(str::to_owned),
        headers,
    })
}

/// A parameter of a header's value, in quotes or not.
pub(super) fn parameter(value: &str, wanted: &str) -> Option<String> {
    let (_, mut rest) = value.split_once(';')?;
    loop {
        let (name, after) = rest.split_once('=')?;
        let (value, after) = match after.trim_start().strip_prefix('"') {
            Some(quoted) => unquoted(quoted)?,
            None => {
                let end = after.find(';').unwrap_or(after.len());
                (after.get(..end)?.trim().to_owned(), after.get(end..)?)
            }
        };
        if name.trim().eq_ignore_ascii_case(wanted) {
            return Some(value);
        }
        rest = after.split_once(';')?.1;
    }
}

/// The text up to the closing quote, and what follows. Senders escape quotes
/// with a backslash or percent-encode them (RFC 7578 §4.2); a backslash in
/// front of anything else is one, as in the paths that some send.
fn unquoted(text: &str) -> Option<(String, &str)> {
    let mut out = String::new();
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return Some((out.replace("%22", "\""), text.get(at + 1..)?)),
            '\\' => match chars.next_if(|(_, next)| matches!(next, '"' | '\\')) {
                Some((_, next)) => out.push(next),
                None => out.push('\\'),
            },
            _ => out.push(c),
        }
    }
    None
}

fn find(bytes: &[u8], from: usize, wanted: &[u8]) -> Option<usize> {
    let rest = bytes.get(from..)?;
    let found = rest
        .windows(wanted.len())
        .position(|window| window == wanted);
    found.map(|at| from + at)
}
}
pub mod multipart_field {
//! What the contract says of the fields of a form: which there are, and how each is written.

use std::collections::BTreeMap;

use http::HeaderMap;

use super::media::MediaType;
use super::multipart::{Head, Part};
use super::multipart_headers::{Declared, PartHeaders};
use super::multipart_read::is_of;
use json_schema::issue::Issue;
use json_schema::pattern::Pattern;

/// How the value of a field is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Written {
    /// As text, or as several parts of text.
    Text,
    /// As JSON, or as several parts of JSON.
    Json,
    /// As it is: a file, or several.
    File,
}

/// A field of a form.
#[derive(Debug, Clone, Copy)]
pub struct Field {
    pub(super) written: Written,
    /// The name of its schema; a file has none.
    pub(super) schema: &'static str,
    /// The media types that its parts may have; any where there are none.
    types: &'static [&'static str],
    /// How many bytes a file has at least, and at most.
    octets: (u64, u64),
    /// What is between the texts that one part holds.
    pub(super) joined: Option<Joined>,
    /// The members of an object that are parts of their own names; none of what is not written so.
    pub(super) spread: &'static [&'static str],
    /// The headers of its parts, where any are declared.
    headers: Option<Declared>,
}

/// How several texts are one part.
#[derive(Debug, Clone, Copy)]
pub(super) struct Joined {
    pub(super) delimiter: char,
    /// Whether they are names and values in turn.
    pub(super) is_object: bool,
}

impl Field {
    const fn new(written: Written, schema: &'static str) -> Self {
        Self {
            written,
            schema,
            types: &[],
            octets: (0, u64::MAX),
            joined: None,
            spread: &[],
            headers: None,
        }
    }

    /// Text of a schema, or several parts of text.
    #[must_use]
    pub const fn text(schema: &'static str) -> Self {
        Self::new(Written::Text, schema)
    }

    /// JSON of a schema, or several parts of JSON.
    #[must_use]
    pub const fn json(schema: &'static str) -> Self {
        Self::new(Written::Json, schema)
    }

    /// A file, or several.
    #[must_use]
    pub const fn file() -> Self {
        Self::new(Written::File, "")
    }

    /// Parts of these media types, or of none that is said.
    #[must_use]
    pub const fn of_types(mut self, types: &'static [&'static str]) -> Self {
        self.types = types;
        self
    }

    /// Files of so many bytes.
    #[must_use]
    pub const fn of_octets(mut self, least: u64, most: u64) -> Self {
        self.octets = (least, most);
        self
    }

    /// The items of a list in one part.
    #[must_use]
    pub const fn joined(mut self, delimiter: char) -> Self {
        let is_object = false;
        self.joined = Some(Joined {
            delimiter,
            is_object,
        });
        self
    }

    /// The members of an object in one part, names and values in turn.
    #[must_use]
    pub const fn members_joined(mut self, delimiter: char) -> Self {
        let is_object = true;
        self.joined = Some(Joined {
            delimiter,
            is_object,
        });
        self
    }

    /// The members of an object, each in a part of its own name.
    #[must_use]
    pub const fn spread(mut self, members: &'static [&'static str]) -> Self {
        self.spread = members;
        self
    }

    /// Parts with these headers.
    #[must_use]
    pub const fn headed<H: PartHeaders>(mut self) -> Self {
        self.headers = Some(Declared::of::<H>());
        self
    }

    /// The media type of a part that is sent, where one is declared.
    pub(super) fn sent_type(&self) -> Option<&'static str> {
        let mut concrete = self.types.iter().filter(|name| !name.contains('*'));
        concrete.next().copied()
    }

    /// How many bytes a file has at most.
    pub(super) const fn most(&self) -> u64 {
        self.octets.1
    }

    /// What is wrong with the media type and the headers of a part, before it is read.
    pub(super) fn refused(&self, name: &str, own: Option<&str>, headers: &HeaderMap) -> Vec<Issue> {
        let mut issues = match &self.headers {
            Some(declared) => declared.issues(name, headers),
            None => Vec::new(),
        };
        issues.extend(own.filter(|own| !self.takes(own)).map(|_| {
            let message = format!("must be of the media type {}", self.types.join(" or "));
            Issue::of_form(Some(name), "contentMediaType", &message)
        }));
        issues
    }

    /// What is wrong with a part, whatever is in it.
    pub(super) fn issues(&self, name: &str, part: &Part) -> Vec<Issue> {
        let own = part.file.content_type.as_deref();
        let mut issues = self.refused(name, own, &part.headers);
        let (least, most) = self.octets;
        if self.is_file() && part.octets < least {
            let message = format!("must have at least {least} bytes");
            issues.push(Issue::of_form(Some(name), "minLength", &message));
        }
        issues.extend((self.is_file() && part.octets > most).then(|| too_long(name, most)));
        issues
    }

    /// Whether a part of a media type may be sent.
    fn takes(&self, own: &str) -> bool {
        let own = MediaType::parse(own);
        let mut types = self.types.iter().filter_map(|name| MediaType::parse(name));
        let covers = own.is_some_and(|own| types.any(|declared| declared.covers(&own).is_some()));
        covers || self.types.is_empty()
    }

    pub(super) fn is_file(&self) -> bool {
        self.written == Written::File
    }
}

/// The fields of a form.
#[derive(Debug)]
pub struct Fields {
    /// Those that have a name.
    pub named: &'static [(&'static str, Field)],
    /// Those whose names match a pattern.
    pub matched: &'static [(&'static Pattern, Field)],
    /// Those whose names match none, where they are anything in particular.
    pub rest: Option<Field>,
}

impl Fields {
    /// The name of the field that a part is of, which may be a member's: `field[member]`, or its own.
    pub(super) fn name<'p>(&self, part: &'p str) -> &'p str {
        let mut named = self.named.iter();
        if let Some((name, _)) = named.find(|(_, field)| field.spread.contains(&part)) {
            return name;
        }
        let named = self.named.iter().filter(|(name, _)| is_of(part, name));
        let length = named.map(|(name, _)| name.len()).max().unwrap_or_else(|| {
            let outer = part.find('[').unwrap_or(part.len());
            let matches = |name| self.matching(name).is_some();
            // Brackets that a pattern speaks of are a part of the name.
            match part.get(..outer).is_some_and(matches) || !matches(part) {
                true => outer,
                false => part.len(),
            }
        });
        part.get(..length).unwrap_or(part)
    }

    /// What is said of a field.
    pub(super) fn get(&self, name: &str) -> Option<&Field> {
        let named = self.named.iter().find(|(own, _)| *own == name);
        let named = named.map(|(_, field)| field);
        named.or_else(|| self.matching(name)).or(self.rest.as_ref())
    }

    /// What is said of a field whose name matches a pattern.
    fn matching(&self, name: &str) -> Option<&Field> {
        let mut matched = self.matched.iter();
        let matched = matched.find(|(pattern, _)| pattern.is_match(name));
        matched.map(|(_, field)| field)
    }

    /// What is wrong with the parts of each field, whatever is in them.
    pub(super) fn issues(&self, parts: &BTreeMap<String, Vec<Part>>) -> Vec<Issue> {
        let declared = parts
            .iter()
            .filter_map(|(name, parts)| Some((name, self.get(name)?, parts)));
        let issues = declared.flat_map(|(name, field, parts)| {
            let parts = parts.iter();
            parts.flat_map(move |part| field.issues(name, part))
        });
        issues.collect()
    }

    /// The headers of a part that are declared for it.
    pub(super) fn kept_headers(&self, head: &Head) -> HeaderMap {
        let field = self.get(self.name(&head.field));
        let declared = field.and_then(|field| field.headers.as_ref());
        let kept = declared.map(|declared| declared.kept(&head.headers));
        kept.unwrap_or_default()
    }

    /// The field that a part is a file of, and its name.
    pub(super) fn file<'p>(&self, part: &'p str) -> Option<(&'p str, &Field)> {
        let name = self.name(part);
        let field = self.get(name).filter(|field| field.is_file());
        field.map(|field| (name, field))
    }
}

/// What is wrong with a file of more than `most` bytes.
pub(super) fn too_long(name: &str, most: u64) -> Issue {
    let message = format!("must have at most {most} bytes");
    Issue::of_form(Some(name), "maxLength", &message)
}
}
pub mod multipart_headers {
//! Headers of parts (OpenAPI 3.1.1 §4.8.15.1): they are read and written as those of a request are,
//! which are parameters.

use http::{HeaderMap, Method, Request};

use super::captures::Captures;
use super::draft::{Draft, Unsendable};
use super::fault::Fault;
use super::param::Param;
use super::reader::Reader;
use json_schema::issue::Issue;
use json_schema::validator::Schemas;

/// The headers of a part: what the generator writes for them.
pub trait PartHeaders: Sized {
    /// The headers that a part has.
    const DECLARED: &'static [Param];
    /// The schemas of their values.
    fn schemas() -> &'static Schemas;
    /// Reads and checks all of them.
    fn read(reader: &mut Reader<'_>) -> Option<Self>;
    /// Sets all of them.
    fn write(&self, draft: Draft) -> Draft;
}

/// What a field holds, and the headers that it travels under: those of its part, or a list with those
/// of each where a value is several parts.
#[derive(Debug, Clone, PartialEq)]
pub struct Headed<H, C> {
    /// The headers.
    pub headers: H,
    /// What is in the part, or the parts.
    pub content: C,
}

impl<H, C> Headed<H, C> {
    /// A field that must be there; `None` where either is refused or missing.
    pub fn required(headers: Option<Option<H>>, content: Option<C>) -> Option<Self> {
        let (headers, content) = (headers??, content?);
        Some(Self { headers, content })
    }

    /// A field that may be absent; `None` where either is refused.
    pub fn optional(
        headers: Option<Option<H>>,
        content: Option<Option<C>>,
    ) -> Option<Option<Self>> {
        let both = headers?.zip(content?);
        Some(both.map(|(headers, content)| Self { headers, content }))
    }

    /// A field of which there may be several, each a part; `None` where either is refused.
    pub fn each(headers: Option<Option<Vec<H>>>, contents: Option<Vec<C>>) -> Option<Vec<Self>> {
        let headers = headers?.unwrap_or_default().into_iter();
        let both = headers.zip(contents?);
        let each = both.map(|(headers, content)| Self { headers, content });
        Some(each.collect())
    }
}

/// What is declared of the headers of a field's parts.
#[derive(Debug, Clone, Copy)]
pub(super) struct Declared {
    params: &'static [Param],
    refused: fn(&HeaderMap) -> Vec<Issue>,
}

impl Declared {
    pub(super) const fn of<H: PartHeaders>() -> Self {
        Self {
            params: H::DECLARED,
            refused: refused::<H>,
        }
    }

    /// The headers of a part without those that nobody asks for.
    pub(super) fn kept(&self, headers: &HeaderMap) -> HeaderMap {
        let mut kept = HeaderMap::new();
        for param in self.params {
            for value in headers.get_all(param.name) {
                if let Ok(name) = http::HeaderName::try_from(param.name) {
                    kept.append(name, value.clone());
                }
            }
        }
        kept
    }

    /// What is wrong with the headers of a part of a field.
    pub(super) fn issues(&self, field: &str, headers: &HeaderMap) -> Vec<Issue> {
        let refused = (self.refused)(headers).into_iter();
        refused.map(|issue| of_part(field, &issue)).collect()
    }
}

/// Says of a part what is wrong with a header of it. A name of a header has no slash, where the
/// pointer into its value begins.
fn of_part(field: &str, issue: &Issue) -> Issue {
    let name = issue.at.split('/').next().unwrap_or_default();
    let message = format!("its header {name} {}", issue.message);
    Issue::of_form(Some(field), issue.keyword, &message)
}

fn refused<H: PartHeaders>(headers: &HeaderMap) -> Vec<Issue> {
    read::<H>(headers).err().unwrap_or_default()
}

/// The headers of a part.
///
/// # Errors
/// All that is wrong with them.
pub(super) fn read<H: PartHeaders>(headers: &HeaderMap) -> Result<H, Vec<Issue>> {
    let (mut parts, ()) = Request::new(()).into_parts();
    parts.headers.clone_from(headers);
    let captures = Captures::default();
    let mut reader = Reader::new(&parts, &captures, H::schemas(), &[]);
    let read = H::read(&mut reader);
    match (reader.finish(), read) {
        (Ok(()), Some(read)) => Ok(read),
        (Err(Fault::Invalid(issues)), _) => Err(issues),
        _ => Err(Vec::new()),
    }
}

/// The headers of a part as they are sent.
///
/// # Errors
/// [`Unsendable`] where they would be read as others.
pub(super) fn written<H: PartHeaders>(headers: &H) -> Result<HeaderMap, Unsendable> {
    let draft = Draft::new(Method::POST, String::new());
    headers.write(draft).into_headers()
}
}
pub mod multipart_read {
//! Reads the parts of a form into types: the fields one by one, and every
//! violation of any of them.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use bytes::Bytes;
use http::HeaderMap;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::json_text;
use super::multipart::{self, File, Part};
use super::multipart_field::{Field, Fields, Joined, Written};
use super::multipart_headers::{self, PartHeaders};
use super::reader::Reader;
use json_schema::coerce::raw::Raw;
use json_schema::issue::{Issue, pointer};

/// The parts of a form that have not been read yet.
pub struct Form<'r, 'a> {
    reader: &'r mut Reader<'a>,
    fields: &'static Fields,
    /// By the names of their fields: whoever sends many of them has each looked at once.
    parts: BTreeMap<String, Vec<Part>>,
    /// The fields' values, where they were read together.
    read: Option<Map<String, Value>>,
}

impl<'r, 'a> Form<'r, 'a> {
    /// Takes a body apart; a body that is no form becomes an issue.
    pub fn open(
        reader: &'r mut Reader<'a>,
        fields: &'static Fields,
        headers: &HeaderMap,
        body: &Bytes,
    ) -> Option<Self> {
        let parts = multipart::parts(headers, body, fields);
        match parts {
            Some(parts) => Some(Self::of(reader, fields, parts)),
            None => {
                let message = "is not a form as its Content-Type says";
                reader.report(Issue::of_form(None, "type", message));
                None
            }
        }
    }

    /// Parts that have been taken apart.
    pub(super) fn of(
        reader: &'r mut Reader<'a>,
        fields: &'static Fields,
        parts: Vec<Part>,
    ) -> Self {
        let mut named: BTreeMap<String, Vec<Part>> = BTreeMap::new();
        for part in parts {
            let name = fields.name(&part.field);
            match named.get_mut(name) {
                Some(parts) => parts.push(part),
                None => _ = named.insert(name.to_owned(), vec![part]),
            }
        }
        Self {
            reader,
            fields,
            parts: named,
            read: None,
        }
    }

    /// Reads all fields together, as a schema of the whole form has them, to
    /// which a file is the number of its bytes. What is wrong with any becomes
    /// an issue.
    pub fn whole(mut self, schema: &str) -> Option<Self> {
        let issues = self.fields.issues(&self.parts);
        if !issues.is_empty() {
            issues
                .into_iter()
                .for_each(|issue| self.reader.report(issue));
            return None;
        }
        let mut members = BTreeMap::new();
        for (name, parts) in &self.parts {
            let parts: Vec<&Part> = parts.iter().collect();
            let value = match self.fields.get(name) {
                Some(field) => untyped(self.reader, (name, field), &parts),
                // What may be anything may be a file.
                None => Ok(text(name, &parts).unwrap_or(Raw::Text(Cow::Borrowed("")))),
            };
            match value {
                Ok(value) => _ = members.insert(Cow::Borrowed(name.as_str()), value),
                Err((keyword, message)) => {
                    let issue = Issue::of_form(Some(name), keyword, message);
                    self.reader.report(issue);
                    return None;
                }
            }
        }
        self.read = self.reader.typed(&Raw::Map(members), schema, "");
        if self.read.is_none() {
            self.tell_of_files();
            return None;
        }
        Some(self)
    }

    /// Says of files what was said of numbers of bytes.
    fn tell_of_files(&mut self) {
        let is_file = |name: &&String| self.fields.get(name).is_some_and(Field::is_file);
        let files = self.parts.keys().filter(is_file);
        let files: BTreeSet<String> = files.map(|name| pointer(name)).collect();
        for issue in self.reader.issues() {
            let field = issue.at.split('/').nth(1).unwrap_or_default();
            if files.contains(&format!("/{field}")) {
                issue.tell_of_file();
            }
        }
    }

    /// A field that must be there.
    pub fn required<T: DeserializeOwned>(
        &mut self,
        field: &str,
        valid: fn(&T) -> bool,
    ) -> Option<T> {
        match self.optional(field, valid)? {
            Some(value) => Some(value),
            None => self.refuse(field, "required", "is required"),
        }
    }

    /// A field that may be absent, which is `Some(None)`.
    pub fn optional<T: DeserializeOwned>(
        &mut self,
        field: &str,
        valid: fn(&T) -> bool,
    ) -> Option<Option<T>> {
        let parts = self.take(field)?;
        if parts.is_empty() {
            return Some(None);
        }
        let at = pointer(field);
        if let Some(read) = &mut self.read {
            // It is valid. What is not of the type is of an alternative that does
            // not speak of the field, and is dropped as all such are.
            return Some(
                read.remove(field)
                    .and_then(|value| T::deserialize(value).ok()),
            );
        }
        let declared = self.fields.get(field)?;
        let parts: Vec<&Part> = parts.iter().collect();
        let raw = match untyped(self.reader, (field, declared), &parts) {
            Ok(raw) => raw,
            Err((keyword, message)) => return self.refuse(field, keyword, message),
        };
        let schema = declared.schema;
        match raw {
            Raw::Json(value) => self.reader.value(value, schema, valid, &at).map(Some),
            raw => self.reader.raw(&raw, schema, valid, &at).map(Some),
        }
    }

    /// The headers of the part that a field is, which has not been read yet; `Some(None)` where it is
    /// absent. What is wrong with them is told where the field is read.
    pub fn head<H: PartHeaders>(&self, field: &str) -> Option<Option<H>> {
        let heads = self.heads(field)?.into_iter().flatten();
        Some(heads.into_iter().next())
    }

    /// The same of all parts of a field.
    pub fn heads<H: PartHeaders>(&self, field: &str) -> Option<Option<Vec<H>>> {
        let Some(parts) = self.parts.get(field) else {
            return Some(None);
        };
        let heads = parts.iter();
        let heads = heads.map(|part| multipart_headers::read(&part.headers).ok());
        heads.collect::<Option<Vec<H>>>().map(Some)
    }

    /// A file that must be there.
    pub fn required_file(&mut self, field: &str) -> Option<File> {
        match self.optional_file(field)? {
            Some(file) => Some(file),
            None => self.refuse(field, "required", "is required"),
        }
    }

    /// A file that may be absent, which is `Some(None)`.
    pub fn optional_file(&mut self, field: &str) -> Option<Option<File>> {
        let mut parts = self.take(field)?.into_iter();
        let first = parts.next().map(|part| part.file);
        if parts.next().is_some() {
            return self.refuse(field, "type", "must be given once");
        }
        Some(first)
    }

    /// Files of which there are `min` to `max`, and one at least: without any, the field is absent.
    pub fn required_files(&mut self, field: &str, min: usize, max: usize) -> Option<Vec<File>> {
        self.files(field, min.max(1), max)
    }

    /// Files of which there are `min` to `max`, or none, where the field is absent.
    pub fn optional_files(&mut self, field: &str, min: usize, max: usize) -> Option<Vec<File>> {
        let is_there = self.parts.get(field).is_some_and(|parts| !parts.is_empty());
        self.files(field, if is_there { min } else { 0 }, max)
    }

    fn files(&mut self, field: &str, min: usize, max: usize) -> Option<Vec<File>> {
        let files: Vec<File> = self
            .take(field)?
            .into_iter()
            .map(|part| part.file)
            .collect();
        if files.len() < min {
            let message = format!("must have at least {min} files");
            return self.refuse(field, "minItems", &message);
        }
        if files.len() > max {
            let message = format!("must have at most {max} files");
            return self.refuse(field, "maxItems", &message);
        }
        Some(files)
    }

    /// The files that are left, each read under its own name.
    pub fn rest_of_files<T>(
        &mut self,
        mut read: impl FnMut(&mut Self, &str) -> Option<T>,
    ) -> Option<BTreeMap<String, T>> {
        self.rest(Field::is_file, |form, field| read(form, field).map(Some))
    }

    /// The other fields that are left, each read under its own name; those that
    /// are nothing in particular are dropped.
    pub fn rest_of_values<T>(
        &mut self,
        read: impl FnMut(&mut Self, &str) -> Option<Option<T>>,
    ) -> Option<BTreeMap<String, T>> {
        self.rest(|field| !field.is_file(), read)
    }

    fn rest<T>(
        &mut self,
        is_wanted: impl Fn(&Field) -> bool,
        mut read: impl FnMut(&mut Self, &str) -> Option<Option<T>>,
    ) -> Option<BTreeMap<String, T>> {
        let is_wanted = |name: &&String| self.fields.get(name).is_some_and(&is_wanted);
        let wanted: Vec<String> = self.parts.keys().filter(is_wanted).cloned().collect();
        let mut rest = Some(BTreeMap::new());
        for field in wanted {
            match (read(self, &field), &mut rest) {
                (Some(Some(value)), Some(rest)) => _ = rest.insert(field, value),
                (Some(_), _) => {}
                (None, _) => rest = None,
            }
        }
        rest
    }

    /// Refuses the fields that are left, of a form that has no others.
    pub fn close(mut self) {
        let left = self.parts.values().flatten();
        let left: BTreeSet<String> = left.map(|part| part.field.clone()).collect();
        for field in left {
            let message = "is not a field of this form";
            self.refuse::<()>(&field, "additionalProperties", message);
        }
    }

    /// The parts of a field, those of its members (`field[member]`) among them;
    /// one that is not as the field is declared becomes an issue.
    fn take(&mut self, field: &str) -> Option<Vec<Part>> {
        let parts = self.parts.remove(field).unwrap_or_default();
        let declared = self.fields.get(field)?;
        let issues = parts.iter().flat_map(|part| declared.issues(field, part));
        let issues: Vec<Issue> = issues.collect();
        let is_valid = issues.is_empty();
        issues
            .into_iter()
            .for_each(|issue| self.reader.report(issue));
        is_valid.then_some(parts)
    }

    fn refuse<T>(&mut self, field: &str, keyword: &'static str, message: &str) -> Option<T> {
        self.reader
            .report(Issue::of_form(Some(field), keyword, message));
        None
    }
}

/// Whether a part of the name `part` is of a field, or of a member of it.
pub(super) fn is_of(part: &str, field: &str) -> bool {
    let rest = part.strip_prefix(field);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('['))
}

/// The parts of one field, not typed yet; or what is wrong with them.
fn untyped<'p>(
    reader: &Reader<'_>,
    (name, field): (&str, &Field),
    parts: &[&'p Part],
) -> Result<Raw<'p>, (&'static str, &'static str)> {
    match field.written {
        Written::Text => match field.joined {
            Some(joined) => taken_apart(joined, parts),
            None if !field.spread.is_empty() => spread(name, field.spread, parts),
            None => text(name, parts).ok_or(("format", "must be text in UTF-8")),
        },
        Written::Json => {
            let values = parts.iter().map(|part| json_text::parse(&part.file.bytes));
            let Ok(values) = values.collect::<Result<Vec<_>, _>>() else {
                return Err(("contentMediaType", "must be JSON"));
            };
            Ok(Raw::Json(match <[Value; 1]>::try_from(values) {
                Ok([value]) if reader.is_whole(&value, field.schema) => value,
                Ok([value]) => Value::Array(vec![value]),
                Err(values) => Value::Array(values),
            }))
        }
        Written::File => {
            let mut files = Raw::List(Vec::new());
            for part in parts {
                files
                    .insert_below("", Cow::Owned(part.octets.to_string()))
                    .map_err(|_| ("type", "is no file"))?;
            }
            Ok(files)
        }
    }
}

/// The parts of one field as text that is not typed yet.
fn text<'p>(field: &str, parts: &[&'p Part]) -> Option<Raw<'p>> {
    let mut value = Raw::List(Vec::new());
    for part in parts {
        let text = std::str::from_utf8(&part.file.bytes).ok()?;
        let path = part.field.strip_prefix(field)?;
        value.insert_below(path, Cow::Borrowed(text)).ok()?;
    }
    Some(value)
}

/// The parts of an object whose members have their own names; like a field of any form, it may have
/// their names in brackets behind its own.
fn spread<'p>(
    field: &str,
    members: &[&str],
    parts: &[&'p Part],
) -> Result<Raw<'p>, (&'static str, &'static str)> {
    let is_member = |part: &&&Part| members.contains(&part.field.as_str());
    match parts.iter().filter(is_member).count() {
        0 => return text(field, parts).ok_or(("format", "must be text in UTF-8")),
        count if count < parts.len() => return Err(("type", "is written in two ways")),
        _ => {}
    }
    let mut object = BTreeMap::new();
    for part in parts {
        let text = std::str::from_utf8(&part.file.bytes);
        let text = text.map_err(|_| ("format", "must be text in UTF-8"))?;
        let (name, text) = (Cow::Borrowed(part.field.as_str()), Cow::Borrowed(text));
        if object.insert(name, Raw::Text(text)).is_some() {
            return Err(("type", "must have each member once"));
        }
    }
    Ok(Raw::Map(object))
}

/// The texts of one part, which are items or members.
fn taken_apart<'p>(
    joined: Joined,
    parts: &[&'p Part],
) -> Result<Raw<'p>, (&'static str, &'static str)> {
    let [part] = parts else {
        return Err(("type", "must be given once"));
    };
    let text = std::str::from_utf8(&part.file.bytes);
    let text = text.map_err(|_| ("format", "must be text in UTF-8"))?;
    let mut texts = text.split(joined.delimiter).map(Cow::Borrowed);
    if !joined.is_object {
        let items = texts.filter(|_| !text.is_empty());
        return Ok(Raw::List(items.map(Raw::Text).collect()));
    }
    let mut members = BTreeMap::new();
    while let Some(name) = texts.next().filter(|_| !text.is_empty()) {
        let value = texts.next().map(Raw::Text);
        let known = value.map(|value| members.insert(name, value).is_some());
        if known != Some(false) {
            return Err(("type", "is not written in the declared style"));
        }
    }
    Ok(Raw::Map(members))
}
}
mod multipart_stream {
//! Takes a body of `multipart/form-data` apart while it arrives (RFC 2046,
//! section 5.1; RFC 7578): no more of it is held than a piece and a boundary.

use bytes::{Buf as _, Bytes, BytesMut};

use super::multipart::{self, HEAD, Head};
use super::multipart_field::too_long;
use super::stream::{ByteStream, StreamError};
use json_schema::issue::{Issue, Place};

/// The parts that have not been read yet.
pub(super) struct Parts {
    pub(super) bytes: ByteStream,
    /// A line end, two hyphens and the boundary; empty where there is none.
    delimiter: Vec<u8>,
    rest: BytesMut,
    /// Whether the delimiter that ends the present part is still to come; what
    /// comes before the first part is one, too.
    in_part: bool,
    /// How much of the present part has come, in bytes.
    octets: u64,
    /// The name of the present part, and how many bytes it has at most.
    bound: Option<(String, u64)>,
}

impl Parts {
    pub(super) fn new(bytes: ByteStream) -> Self {
        let content_type = bytes.content_type().unwrap_or_default();
        let delimiter = multipart::delimiter(content_type);
        let delimiter = delimiter.map(|delimiter| format!("\r\n{delimiter}").into_bytes());
        let in_part = delimiter.is_some();
        Self {
            bytes,
            delimiter: delimiter.unwrap_or_default(),
            // The first delimiter may be at the very beginning.
            rest: BytesMut::from("\r\n"),
            in_part,
            octets: 0,
            bound: None,
        }
    }

    /// Lets the present part have so many bytes and no more.
    pub(super) fn bind(&mut self, name: &str, most: u64) {
        self.bound = Some((name.to_owned(), most));
    }

    /// Skips what is left of the present part; how many bytes it has.
    pub(super) async fn skip(&mut self) -> Result<u64, StreamError> {
        while self.piece().await?.is_some() {}
        Ok(self.octets)
    }

    /// The head of the next part; what is left of the present one is skipped.
    pub(super) async fn next(&mut self) -> Result<Option<Head>, StreamError> {
        if self.delimiter.is_empty() {
            return Err(self.malformed());
        }
        self.skip().await?;
        let begin = self.delimiter.len();
        while self.rest.len() < begin + 2 {
            self.more().await?;
        }
        if self.rest.get(begin..begin + 2) == Some(b"--".as_slice()) {
            return Ok(None);
        }
        // Blanks may pad a delimiter's line; a part without headers has its
        // blank line at once.
        let mut from = begin;
        let end = loop {
            let rest = self.rest.get(from..).unwrap_or_default();
            if let Some(end) = rest.windows(4).position(|window| window == b"\r\n\r\n") {
                break from + end;
            }
            if self.rest.len() - begin > HEAD {
                return Err(self.malformed());
            }
            // What has been looked at is not looked at again with each byte.
            from = self.rest.len().saturating_sub(3).max(begin);
            self.more().await?;
        };
        // However many pieces it has come in.
        if end - begin > HEAD {
            return Err(self.malformed());
        }
        let head = self.rest.get(begin..end).map(<[u8]>::to_vec);
        let head = head.and_then(|head| String::from_utf8(head).ok());
        let Some(head) = head.as_deref().and_then(multipart::head) else {
            return Err(self.malformed());
        };
        // The line end before a delimiter may be that of the blank line.
        self.rest.advance(end + 2);
        self.in_part = true;
        (self.octets, self.bound) = (0, None);
        let empty = self.begins_with_delimiter().await?;
        if !empty {
            self.rest.advance(2);
        }
        Ok(Some(head))
    }

    /// The next piece of the present part; `None` at its end.
    pub(super) async fn piece(&mut self) -> Result<Option<Bytes>, StreamError> {
        if !self.in_part {
            return Ok(None);
        }
        loop {
            let wanted = self.delimiter.as_slice();
            let found = find(&self.rest, wanted);
            // The beginning of a delimiter may be at the end.
            let ready = found.unwrap_or(self.rest.len().saturating_sub(wanted.len() - 1));
            if ready > 0 {
                self.count(ready)?;
                return Ok(Some(self.rest.split_to(ready).freeze()));
            }
            if found.is_some() {
                self.in_part = false;
                return Ok(None);
            }
            self.more().await?;
        }
    }

    /// Counts bytes of the present part, of which there may be too many.
    fn count(&mut self, more: usize) -> Result<(), StreamError> {
        self.octets += u64::try_from(more).unwrap_or(u64::MAX);
        match &self.bound {
            Some((name, most)) if self.octets > *most => {
                let issue = too_long(name, *most);
                Err(self.bytes.refuse(StreamError::Invalid(vec![issue])))
            }
            _ => Ok(()),
        }
    }

    /// Whether the part that begins here is empty and without a line of its
    /// own.
    async fn begins_with_delimiter(&mut self) -> Result<bool, StreamError> {
        while self.rest.len() < self.delimiter.len() {
            self.more().await?;
        }
        Ok(self.rest.starts_with(&self.delimiter))
    }

    async fn more(&mut self) -> Result<(), StreamError> {
        match self.bytes.next().await {
            Some(piece) => self.rest.extend_from_slice(&piece?),
            None => return Err(self.malformed()),
        }
        Ok(())
    }

    fn malformed(&mut self) -> StreamError {
        self.bytes.refuse(StreamError::Invalid(vec![Issue {
            place: Place::Body,
            at: String::new(),
            keyword: "type",
            message: "is not a form as its Content-Type says".to_owned(),
        }]))
    }
}

/// Where `wanted`, which begins with a carriage return, is found.
fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    let mut from = 0;
    loop {
        let rest = bytes.get(from..)?;
        let next = rest.iter().position(|byte| *byte == b'\r')?;
        if rest.get(next..)?.starts_with(wanted) {
            return Some(from + next);
        }
        from += next + 1;
    }
}
}
pub mod multipart_write {
//! Writes forms: the client's side of `multipart_read`.

use std::hash::{BuildHasher as _, RandomState};

use futures_util::{StreamExt as _, stream};
use http::HeaderMap;
use serde::Serialize;
use serde_json::Value;

use super::multipart::File;
use super::multipart_field::{Field, Fields, Joined};
use super::multipart_headers::{self, Headed, PartHeaders};
use super::param_write;
use super::stream::ByteStream;

/// A form that is being filled in.
#[derive(Debug, Default)]
pub struct FormWriter {
    fields: Option<&'static Fields>,
    parts: Vec<Written>,
    failed: bool,
}

/// A part that is sent.
#[derive(Debug)]
struct Written {
    field: String,
    /// The name of the file that it is.
    name: Option<String>,
    headers: HeaderMap,
    content: ByteStream,
}

impl FormWriter {
    /// An empty form.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// An empty form that has these fields.
    #[must_use]
    pub fn of(fields: &'static Fields) -> Self {
        Self {
            fields: Some(fields),
            ..Self::default()
        }
    }

    /// What is declared of a field.
    fn field(&self, name: &str) -> Option<&'static Field> {
        self.fields?.get(name)
    }

    /// One that cannot be sent.
    pub(super) fn failed() -> Self {
        Self {
            failed: true,
            ..Self::default()
        }
    }

    /// Adds a part of a field, but none that would be read as one of another.
    fn add(&mut self, field: &str, part: Written) {
        let is_own = |fields: &'static Fields| fields.name(&part.field) == field;
        self.failed |= !self.fields.is_none_or(is_own);
        self.parts.push(part);
    }

    /// Adds a field as text: one part, or one for each item or member. Null
    /// is no part.
    #[must_use]
    pub fn text<T: Serialize + ?Sized>(mut self, field: &str, value: &T) -> Self {
        let declared = self.field(field);
        let texts = serde_json::to_value(value).ok().and_then(|value| {
            match declared.and_then(|declared| declared.joined) {
                Some(joined) if value.is_array() || value.is_object() => {
                    Some(vec![(field.to_owned(), joined_text(joined, &value)?)])
                }
                _ if declared.is_some_and(|declared| !declared.spread.is_empty()) => {
                    members(declared?.spread, &value)
                }
                _ => Some(param_write::pairs(field, &value)),
            }
        });
        let content_type = declared.and_then(Field::sent_type);
        match texts {
            Some(texts) => {
                for (name, text) in texts {
                    let text = ByteStream::from(text);
                    let text = match content_type {
                        Some(content_type) => text.with_type(content_type),
                        None => text,
                    };
                    self.add(field, Written::new(&name, None, text));
                }
            }
            None => self.failed = true,
        }
        self
    }

    /// Adds a field as JSON: one part, or one for each item. Null is no part.
    #[must_use]
    pub fn json<T: Serialize + ?Sized>(mut self, field: &str, value: &T) -> Self {
        let values = match serde_json::to_value(value) {
            Ok(Value::Null) => Vec::new(),
            Ok(Value::Array(items)) => items,
            Ok(value) => vec![value],
            Err(_) => {
                self.failed = true;
                Vec::new()
            }
        };
        let content_type = self.field(field).and_then(Field::sent_type);
        let content_type = content_type.unwrap_or("application/json");
        for value in values {
            let text = ByteStream::from(value.to_string()).with_type(content_type);
            self.add(field, Written::new(field, None, text));
        }
        self
    }

    /// Adds files. One without a media type is sent with the first that is
    /// declared.
    #[must_use]
    pub fn files<'f>(mut self, field: &str, files: impl IntoIterator<Item = &'f File>) -> Self {
        let declared = self.field(field).and_then(Field::sent_type);
        for file in files {
            let mut content = ByteStream::from(file.bytes.clone());
            if let Some(content_type) = file.content_type.as_deref().or(declared) {
                content = content.with_type(content_type);
            }
            self.add(field, Written::new(field, file.name.clone(), content));
        }
        self
    }

    /// Adds a file whose content is still to come; its media type is that of
    /// the stream. Receivers tell files from texts by the name.
    #[must_use]
    pub fn stream(mut self, field: &str, name: &str, content: ByteStream) -> Self {
        self.add(field, Written::new(field, Some(name.to_owned()), content));
        self
    }

    /// Adds values that are a part each, under their headers; `write` adds what is in it.
    #[must_use]
    pub fn headed<'v, H: PartHeaders + 'v, C: 'v>(
        self,
        values: impl IntoIterator<Item = &'v Headed<H, C>>,
        write: impl Fn(Self, &'v C) -> Self,
    ) -> Self {
        values.into_iter().fold(self, |form, value| {
            form.under([&value.headers], |form| write(form, &value.content))
        })
    }

    /// The same of values that are several parts each.
    #[must_use]
    pub fn headed_lists<'v, H: PartHeaders + 'v, C: 'v>(
        self,
        values: impl IntoIterator<Item = &'v Headed<Vec<H>, C>>,
        write: impl Fn(Self, &'v C) -> Self,
    ) -> Self {
        values.into_iter().fold(self, |form, value| {
            form.under(&value.headers, |form| write(form, &value.content))
        })
    }

    /// Adds parts under headers, which must be as many as the parts that `write` adds.
    #[must_use]
    pub fn under<'h, H: PartHeaders + 'h>(
        self,
        headers: impl IntoIterator<Item = &'h H>,
        write: impl FnOnce(Self) -> Self,
    ) -> Self {
        let before = self.parts.len();
        let mut form = write(self);
        let added = form.parts.get_mut(before..).unwrap_or_default();
        let heads = headers.into_iter().map(multipart_headers::written);
        match heads.collect::<Result<Vec<_>, _>>() {
            Ok(heads) if heads.len() == added.len() => {
                for (part, headers) in added.iter_mut().zip(heads) {
                    part.headers = headers;
                }
            }
            // Null is no part.
            Ok(_) if added.is_empty() => {}
            _ => form.failed = true,
        }
        form
    }

    /// The media type and the bytes; `None` where a value could not be
    /// encoded.
    pub(super) fn finish(self) -> Option<(String, ByteStream)> {
        if self.failed {
            return None;
        }
        let boundary = boundary();
        let mut length = Some(0);
        let mut pieces = Vec::new();
        for part in self.parts {
            let head = part.head(&boundary);
            let content = part.content;
            let known = content.length().zip(u64::try_from(head.len() + 2).ok());
            length = length
                .zip(known)
                .map(|(sum, (content, around))| sum + content + around);
            pieces.extend([head.into(), content, ByteStream::from("\r\n")]);
        }
        let end = format!("--{boundary}--\r\n");
        length = length
            .zip(u64::try_from(end.len()).ok())
            .map(|(sum, end)| sum + end);
        pieces.push(end.into());
        let all = ByteStream::new(stream::iter(pieces).flatten()).announcing(length);
        Some((format!("multipart/form-data; boundary={boundary}"), all))
    }
}

/// The items of a list, or the names and values of an object, as one text;
/// `None` where another list or object would be read from it.
fn joined_text(joined: Joined, value: &Value) -> Option<String> {
    let texts: Vec<String> = match value {
        Value::Array(items) if param_write::has_null_beside_text(items) => return None,
        Value::Array(items) => items.iter().map(param_write::text).collect(),
        Value::Object(members) => members
            .iter()
            .flat_map(|(name, value)| [name.clone(), param_write::text(value)])
            .collect(),
        _ => return None,
    };
    let is_one = matches!(texts.as_slice(), [only] if only.is_empty());
    let told_apart = !texts.iter().any(|text| text.contains(joined.delimiter));
    let text = texts.join(joined.delimiter.encode_utf8(&mut [0; 4]));
    (told_apart && !is_one).then_some(text)
}

/// The members of an object under their own names; `None` where one would be another field.
fn members(declared: &[&str], value: &Value) -> Option<Vec<(String, String)>> {
    let members = value.as_object().into_iter().flatten();
    let there = members.filter(|(_, member)| !member.is_null());
    let texts = there.map(|(name, member)| {
        let is_own = declared.contains(&name.as_str());
        is_own.then(|| (name.clone(), param_write::text(member)))
    });
    texts.collect()
}

impl Written {
    fn new(field: &str, name: Option<String>, content: ByteStream) -> Self {
        Self {
            field: field.to_owned(),
            name,
            headers: HeaderMap::new(),
            content,
        }
    }

    fn head(&self, boundary: &str) -> String {
        let mut head = format!("--{boundary}\r\nContent-Disposition: form-data");
        head.push_str(&format!("; name=\"{}\"", quoted(&self.field)));
        if let Some(name) = &self.name {
            head.push_str(&format!("; filename=\"{}\"", quoted(name)));
        }
        if let Some(content_type) = self.content.content_type() {
            head.push_str(&format!("\r\nContent-Type: {}", quoted(content_type)));
        }
        for (name, value) in &self.headers {
            let text = String::from_utf8_lossy(value.as_bytes());
            head.push_str(&format!("\r\n{name}: {text}"));
        }
        head.push_str("\r\n\r\n");
        head
    }
}

/// A boundary that nobody can put into a file beforehand: what is in a stream
/// cannot be searched for it.
fn boundary() -> String {
    let random = || RandomState::new().hash_one(());
    format!("form-{:016x}{:016x}", random(), random())
}

/// A text between quotes: these and line ends percent-encoded (RFC 7578 §4.2).
fn quoted(text: &str) -> String {
    let text = text.replace('"', "%22").replace('\\', "\\\\");
    text.replace('\r', "%0D").replace('\n', "%0A")
}
}
pub mod object {
//! Structs read from objects, member by member.
//!
//! What `serde` derives for a struct is a dozen functions and types, of which
//! the compiler checks each. Here all but one are written once: a generated
//! struct names its members, and says what becomes of each.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fmt;
use std::marker::PhantomData;

use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, Visitor,
};

use serde_json::Value;

use json_schema::json::{Any, REPEATED};

/// A struct that is read from an object.
pub trait Object<'de>: Sized {
    /// The names of the members that have a field, by the fields' indices.
    const MEMBERS: &'static [&'static str];
    /// Whether a member that has no field makes the object invalid.
    const CLOSED: bool = false;

    /// Reads the members.
    ///
    /// # Errors
    /// Whatever a member's type refuses, and a member that is there twice or
    /// is required and not there.
    fn read<A: MapAccess<'de>>(members: Members<A>) -> Result<Self, A::Error>;
}

/// Reads a struct.
///
/// # Errors
/// Where there is no object, and as [`Object::read`].
pub fn read<'de, T: Object<'de>, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    deserializer.deserialize_struct("object", T::MEMBERS, Reading(PhantomData))
}

struct Reading<T>(PhantomData<T>);

impl<'de, T: Object<'de>> Visitor<'de> for Reading<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
        T::read(Members {
            map,
            names: T::MEMBERS,
            closed: T::CLOSED,
            next: 0,
            unknown: String::new(),
        })
    }
}

/// The members of an object, one after the other.
pub struct Members<A> {
    map: A,
    names: &'static [&'static str],
    closed: bool,
    /// The index after that of the last member that has a field.
    next: usize,
    /// The name of the last member that has no field.
    unknown: String,
}

impl<'de, A: MapAccess<'de>> Members<A> {
    /// The index of the next member's field, or one that no field has;
    /// nothing after the last. The member's value must be read then.
    ///
    /// # Errors
    /// Where the object cannot be read on, or the member is not allowed.
    pub fn member(&mut self) -> Result<Option<usize>, A::Error> {
        let name = Name {
            names: self.names,
            likely: self.next,
            unknown: &mut self.unknown,
        };
        let Some(index) = self.map.next_key_seed(name)? else {
            return Ok(None);
        };
        if index < self.names.len() {
            self.next = index + 1;
        } else if self.closed {
            return Err(A::Error::unknown_field(&self.unknown, self.names));
        }
        Ok(Some(index))
    }

    /// Reads the member's value.
    ///
    /// # Errors
    /// Where its type refuses it, or there is one already.
    pub fn put<T: Deserialize<'de>>(&mut self, place: &mut Option<T>) -> Result<(), A::Error> {
        self.fill(place, PhantomData)
    }

    /// Reads the member's value, which may be any.
    ///
    /// # Errors
    /// As [`Members::put`].
    pub fn put_any(&mut self, place: &mut Option<Value>) -> Result<(), A::Error> {
        self.fill(place, Any)
    }

    /// Reads the member's value, which is a map.
    ///
    /// # Errors
    /// As [`Members::put`].
    pub fn put_map<T: Deserialize<'de>>(
        &mut self,
        place: &mut Option<BTreeMap<String, T>>,
    ) -> Result<(), A::Error> {
        self.fill(place, Entries::new())
    }

    fn fill<S: DeserializeSeed<'de>>(
        &mut self,
        place: &mut Option<S::Value>,
        seed: S,
    ) -> Result<(), A::Error> {
        if place.is_some() {
            return Err(A::Error::duplicate_field(
                self.name(self.next.saturating_sub(1)),
            ));
        }
        *place = Some(self.map.next_value_seed(seed)?);
        Ok(())
    }

    /// Reads the value of a member that has no field, to keep it by its name.
    ///
    /// # Errors
    /// Where its type refuses it, or there is one of that name already.
    pub fn keep<T: Deserialize<'de>>(
        &mut self,
        kept: &mut BTreeMap<String, T>,
    ) -> Result<(), A::Error> {
        let name = std::mem::take(&mut self.unknown);
        let value = self.map.next_value()?;
        match kept.entry(name) {
            Entry::Vacant(place) => _ = place.insert(value),
            Entry::Occupied(_) => return Err(A::Error::custom(REPEATED)),
        }
        Ok(())
    }

    /// Passes over the value of a member that has no field.
    ///
    /// # Errors
    /// Where it is no value.
    pub fn skip(&mut self) -> Result<(), A::Error> {
        self.map.next_value::<IgnoredAny>().map(drop)
    }

    /// The value of a member that must be there.
    ///
    /// # Errors
    /// Where it is not.
    pub fn required<T>(&self, index: usize, found: Option<T>) -> Result<T, A::Error> {
        found.ok_or_else(|| A::Error::missing_field(self.name(index)))
    }

    fn name(&self, index: usize) -> &'static str {
        self.names.get(index).copied().unwrap_or_default()
    }
}

/// A member's name as the index of its field. Most objects have their members
/// in the order of the fields, so the one after the last is tried first.
struct Name<'a> {
    names: &'static [&'static str],
    likely: usize,
    unknown: &'a mut String,
}

impl<'de> DeserializeSeed<'de> for Name<'_> {
    type Value = usize;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<usize, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

impl Visitor<'_> for Name<'_> {
    type Value = usize;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a member")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<usize, E> {
        if self
            .names
            .get(self.likely)
            .is_some_and(|likely| *likely == name)
        {
            return Ok(self.likely);
        }
        let found = self.names.iter().position(|known| *known == name);
        Ok(found.unwrap_or_else(|| {
            self.unknown.clear();
            self.unknown.push_str(name);
            self.names.len()
        }))
    }
}

/// A map, whose values may not see to it themselves.
struct Entries<T>(PhantomData<T>);

impl<T> Entries<T> {
    const fn new() -> Self {
        Self(PhantomData)
    }
}

impl<'de, T: Deserialize<'de>> DeserializeSeed<'de> for Entries<T> {
    type Value = BTreeMap<String, T>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        // Nobody counts the members of a struct.
        deserializer.deserialize_struct("map", &[], self)
    }
}

impl<'de, T: Deserialize<'de>> Visitor<'de> for Entries<T> {
    type Value = BTreeMap<String, T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Self::Value, A::Error> {
        let mut entries = BTreeMap::new();
        while let Some(name) = members.next_key()? {
            match entries.entry(name) {
                Entry::Vacant(place) => _ = place.insert(members.next_value()?),
                Entry::Occupied(_) => return Err(A::Error::custom(REPEATED)),
            }
        }
        Ok(entries)
    }
}
}
pub mod object_writer {
//! Writes an object from members of which some are already encoded.
//!
//! For generated constructors only: they know that the members they write are
//! those of the type that they promise.

use bytes::Bytes;
use serde::Serialize;

use super::encoded::Encoded;

/// A member of an object: a value, or one that is encoded already.
#[derive(Debug)]
pub enum Part<'a, T: ?Sized> {
    /// To be encoded.
    Value(&'a T),
    /// To be copied.
    Encoded(&'a Encoded<T>),
}

impl<'a, T: ?Sized> From<&'a T> for Part<'a, T> {
    fn from(value: &'a T) -> Self {
        Self::Value(value)
    }
}

impl<'a, T> From<&'a Encoded<T>> for Part<'a, T> {
    fn from(encoded: &'a Encoded<T>) -> Self {
        Self::Encoded(encoded)
    }
}

/// An object that is being written.
#[derive(Debug)]
pub struct ObjectWriter {
    /// `None` once a member could not be encoded.
    text: Option<Vec<u8>>,
}

impl Default for ObjectWriter {
    fn default() -> Self {
        Self::new()
    }
}

impl ObjectWriter {
    /// An object without members.
    #[must_use]
    pub fn new() -> Self {
        Self {
            text: Some(vec![b'{']),
        }
    }

    /// Writes a member. Names are not checked to be distinct.
    #[must_use]
    pub fn member<T: Serialize + ?Sized>(self, name: &str, part: Part<'_, T>) -> Self {
        let text = self.text.and_then(|text| match part {
            Part::Value(value) => write(text, name, |text| serde_json::to_writer(text, value).ok()),
            Part::Encoded(encoded) => {
                let bytes = encoded.bytes().ok()?;
                write(text, name, |text| {
                    text.extend_from_slice(bytes);
                    Some(())
                })
            }
        });
        Self { text }
    }

    /// The object, which the caller vouches to be a `T`.
    #[must_use]
    pub fn finish<T: ?Sized>(self) -> Encoded<T> {
        let text = self.text.map(|mut text| {
            text.push(b'}');
            Bytes::from(text)
        });
        Encoded::assume(text)
    }
}

fn write(
    mut text: Vec<u8>,
    name: &str,
    value: impl FnOnce(&mut Vec<u8>) -> Option<()>,
) -> Option<Vec<u8>> {
    if text.len() > 1 {
        text.push(b',');
    }
    serde_json::to_writer(&mut text, name).ok()?;
    text.push(b':');
    value(&mut text)?;
    Some(text)
}
}
pub mod operation {
//! What the contract says about an operation that is the same for every
//! request: the table that routing, authentication, limits, logs and metrics
//! read.
//!
//! Plain data, made by the generator in `static`s.

use http::{HeaderMap, HeaderName, Method};

use super::query;
use json_schema::issue::Place;

/// One operation of the contract.
#[derive(Debug)]
pub struct Operation {
    /// Its position in the table of operations.
    pub index: usize,
    /// The operationId.
    pub id: &'static str,
    /// The method. A `GET` also answers `HEAD`.
    pub method: Method,
    /// The path that the template is below, without a slash at its end.
    pub base_path: &'static str,
    /// The path template.
    pub path: &'static str,
    /// Whether requests find it. One that no request tells from another
    /// operation is there for callers alone.
    pub served: bool,
    /// The value of `Deprecation` (RFC 9745) in all its answers, where it is
    /// deprecated since a known day.
    pub deprecation: Option<&'static str>,
    /// The value of `Sunset` (RFC 8594) in all its answers, where it has an
    /// end.
    pub sunset: Option<&'static str>,
    /// What a request must have for it: what tells it from operations of the
    /// same method and path.
    pub wants: &'static [Want],
    /// The tag that it is filed under.
    pub tag: &'static str,
    /// Alternatives, any of which suffices, of schemes that must all hold.
    /// Empty means public; an empty alternative makes credentials optional.
    pub security: &'static [&'static [SchemeUse]],
    /// Whether calls count against the caller's limit.
    pub metered: bool,
    /// The media types (or ranges) of its request body; empty where it has
    /// none.
    pub consumes: &'static [&'static str],
    /// Which of these, by their positions, are read as they arrive.
    pub streamed: &'static [usize],
    /// The longest request body in bytes, where the contract says it.
    pub body_limit: Option<u64>,
    /// Whether the request body must be there.
    pub body_required: bool,
    /// The media types of the answers that its handler makes; empty where
    /// they have no body. The `Accept` header is held against these.
    pub produces: &'static [&'static str],
}

impl Operation {
    /// Whether credentials mean nothing here.
    #[must_use]
    pub const fn is_public(&self) -> bool {
        self.security.is_empty()
    }

    /// Whether a caller may show credentials but need not.
    #[must_use]
    pub fn is_optional(&self) -> bool {
        self.security
            .iter()
            .any(|alternative| alternative.is_empty())
    }

    /// Whether a caller must show credentials.
    #[must_use]
    pub fn is_required(&self) -> bool {
        !self.is_public() && !self.is_optional()
    }
}

/// What tells an operation from others of its method and path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Want {
    /// The query or a header.
    pub place: Place,
    /// The name of the parameter or header.
    pub name: &'static str,
    /// Its value; `None` for any.
    pub value: Option<&'static str>,
}

impl Want {
    /// Whether a request has it.
    #[must_use]
    pub fn is_met(&self, query: Option<&str>, headers: &HeaderMap) -> bool {
        let mut pairs = query.into_iter().flat_map(query::pairs);
        match (self.place, self.value) {
            (Place::Query, Some(value)) => pairs.any(|pair| pair.is_of(self.name, value)),
            (Place::Query, None) => pairs.any(|pair| pair.is(self.name)),
            (_, Some(value)) => headers.get_all(self.name).iter().any(|own| own == value),
            (_, None) => headers.contains_key(self.name),
        }
    }
}

/// The demand that a security scheme holds.
#[derive(Debug)]
pub struct SchemeUse {
    /// The scheme.
    pub scheme: &'static Scheme,
    /// The scopes (or roles) that the caller must have.
    pub scopes: &'static [&'static str],
}

/// A security scheme of the contract.
#[derive(Debug)]
pub struct Scheme {
    /// Its name in `components.securitySchemes`.
    pub name: &'static str,
    /// How credentials are shown.
    pub kind: SchemeKind,
    /// The header that shows a key, where one does: its name, read once.
    pub header: Option<HeaderName>,
    /// How they are asked for in `WWW-Authenticate`; empty where they cannot
    /// be.
    pub challenge: &'static str,
}

/// How credentials are shown (OpenAPI 3.1, Security Scheme Object).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SchemeKind {
    /// A secret in a header, query parameter or cookie.
    ApiKey {
        /// Where.
        place: Place,
        /// The name of the header, parameter or cookie.
        name: &'static str,
    },
    /// `Authorization: Basic` (RFC 7617).
    Basic,
    /// `Authorization: Bearer` (RFC 6750).
    Bearer,
    /// Another scheme of the `Authorization` header (RFC 9110 §11.6.2), by its
    /// name.
    Http(&'static str),
    /// OAuth 2.0.
    OAuth2,
    /// OpenID Connect Discovery.
    OpenIdConnect,
    /// A client certificate.
    MutualTls,
    /// In a way that the contract does not tell.
    Unknown,
}
}
mod outline {
//! What rules a variant of a union out at a glance: the form of a value, and
//! the names and forms of its members.

use std::cmp::Reverse;

use super::buffered::Buffered;
use json_schema::number::decimal::Decimal;

/// What JSON values look like (RFC 8259, section 3).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// `null`
    Null,
    /// `true` or `false`
    Boolean,
    /// Any number.
    Number,
    /// A string.
    String,
    /// An array.
    Array,
    /// An object.
    Object,
}

impl Form {
    /// The form of a value.
    pub(super) const fn of(value: &Buffered<'_>) -> Self {
        match value {
            Buffered::Null => Self::Null,
            Buffered::Bool(_) => Self::Boolean,
            Buffered::Unsigned(_)
            | Buffered::Signed(_)
            | Buffered::Float(_)
            | Buffered::Number(_) => Self::Number,
            Buffered::Text(_) => Self::String,
            Buffered::List(_) => Self::Array,
            Buffered::Object(_) => Self::Object,
        }
    }
}

/// What every value of a variant is like. A value that is otherwise is not of
/// the variant; one that is may still not be.
#[derive(Debug)]
pub struct Outline {
    /// The forms that it may have.
    pub forms: &'static [Form],
    /// The members that an object must have.
    pub required: &'static [&'static str],
    /// The only members that an object may have; `None` where others are
    /// fine.
    pub closed: Option<&'static [&'static str]>,
    /// The forms that members may have.
    pub members: &'static [(&'static str, &'static [Form])],
    /// The values that members may have.
    pub constants: &'static [(&'static str, &'static [Constant])],
    /// The members that its type keeps; `None` where it keeps all.
    pub kept: Option<&'static [&'static str]>,
}

/// A value that a member may have.
#[derive(Debug)]
pub enum Constant {
    /// `true` or `false`
    Boolean(bool),
    /// A whole number, however it is written.
    Integer(i64),
    /// A string.
    Text(&'static str),
}

impl Constant {
    fn is(&self, value: &Buffered<'_>) -> bool {
        match (self, value) {
            (Self::Boolean(own), Buffered::Bool(value)) => own == value,
            (Self::Text(own), Buffered::Text(text)) => own == text,
            (Self::Integer(own), Buffered::Signed(value)) => own == value,
            (Self::Integer(own), Buffered::Unsigned(value)) => u64::try_from(*own) == Ok(*value),
            // 64 bits are more than a float tells apart, so one that is near may be the number.
            (Self::Integer(own), Buffered::Float(value)) => *own as f64 == *value,
            (Self::Integer(own), Buffered::Number(number)) => {
                Decimal::of(number) == Some(i128::from(*own).into())
            }
            _ => false,
        }
    }
}

impl Outline {
    /// What rules out nothing but values that are no objects.
    pub const OBJECT: Self = Self {
        forms: &[Form::Object],
        required: &[],
        closed: None,
        members: &[],
        constants: &[],
        kept: None,
    };

    /// Whether the variant is not ruled out.
    fn fits(&self, value: &Buffered<'_>) -> bool {
        if !self.forms.contains(&Form::of(value)) {
            return false;
        }
        let Buffered::Object(members) = value else {
            return true;
        };
        self.required
            .iter()
            .all(|name| members.iter().any(|(own, _)| own == name))
            && members
                .iter()
                .all(|(name, member)| self.admits(name, member))
    }

    /// How many members of an object the variant's type keeps.
    fn keeps(&self, value: &Buffered<'_>) -> usize {
        let Buffered::Object(members) = value else {
            return 0;
        };
        let names = members.iter().map(|(name, _)| &**name);
        let kept = names.filter(|name| self.kept.is_none_or(|kept| kept.contains(name)));
        kept.count()
    }

    fn admits(&self, name: &str, member: &Buffered<'_>) -> bool {
        self.closed.is_none_or(|names| names.contains(&name))
            && self
                .members
                .iter()
                .filter(|(own, _)| *own == name)
                .all(|(_, forms)| forms.contains(&Form::of(member)))
            && self
                .constants
                .iter()
                .filter(|(own, _)| *own == name)
                .all(|(_, constants)| constants.iter().any(|constant| constant.is(member)))
    }
}

/// Puts the variants first whose types keep most of the value.
pub(super) fn rank(value: &Buffered<'_>, outlines: &[Outline], variants: &mut [usize]) {
    let keeps = |variant: &usize| outlines.get(*variant).map(|outline| outline.keeps(value));
    variants.sort_by_key(|variant| Reverse(keeps(variant)));
}

/// The variants that their outlines do not rule out.
pub(super) fn left<'o>(
    value: &'o Buffered<'_>,
    outlines: &'o [Outline],
) -> impl Iterator<Item = usize> + 'o {
    let outlines = outlines.iter().enumerate();
    let left = outlines.filter(|(_, outline)| outline.fits(value));
    left.map(|(variant, _)| variant)
}
}
mod pairs {
//! Takes a body of `application/x-www-form-urlencoded` apart: the server's
//! side of `param_write::form`.

use super::json_text;
use super::param::{Param, Shape, Style};
use super::param_text::{self, Flaw};
use super::query::{self, Pair};
use json_schema::coerce::raw::Raw;
use json_schema::issue::Issue;

/// The members of a form, of which the fields that are `styled` are written
/// like parameters of a query.
pub(super) fn members<'b>(bytes: &'b [u8], styled: &[Param]) -> Result<Raw<'b>, Issue> {
    let text = std::str::from_utf8(bytes).map_err(|_| flawed(None, Flaw::Encoding))?;
    let (mut own, mut members) = (Vec::new(), Raw::object());
    for pair in query::pairs(text) {
        if styled.iter().any(|param| is_of(&pair, param)) {
            own.push(pair);
            continue;
        }
        let (Ok(name), Ok(value)) = (pair.name, query::decode_form(pair.value)) else {
            return Err(flawed(None, Flaw::Encoding));
        };
        if members.insert(&name, value).is_err() {
            let message = "has a name with brackets that do not fit";
            return Err(Issue::of_form(None, "type", message));
        }
    }
    for param in styled {
        if let Some(value) = field(param, &own)? {
            members
                .put(param.name, value)
                .map_err(|_| flawed(Some(param.name), Flaw::Repeated))?;
        }
    }
    Ok(members)
}

/// Whether a pair is of a field, or of a member that stands for itself.
fn is_of(pair: &Pair<'_>, param: &Param) -> bool {
    match param.shape {
        Shape::Object(names) if param.style == Style::Form && param.explode => {
            names.iter().any(|name| pair.is(name))
        }
        _ => pair.is(param.name),
    }
}

/// The value of a field; `None` where it is absent.
fn field<'b>(param: &Param, pairs: &[Pair<'b>]) -> Result<Option<Raw<'b>>, Issue> {
    let value = param_text::from_query(param, pairs);
    match value.map_err(|flaw| flawed(Some(param.name), flaw))? {
        Some(Raw::Text(text)) if param.style == Style::Json => {
            let value = json_text::parse(text.as_bytes());
            let not_json = |_| Issue::of_form(Some(param.name), "contentMediaType", "must be JSON");
            value.map(Raw::Json).map(Some).map_err(not_json)
        }
        value => Ok(value),
    }
}

fn flawed(field: Option<&str>, flaw: Flaw) -> Issue {
    let (keyword, message) = flaw.told();
    Issue::of_form(field, keyword, message)
}
}
pub mod param {
//! How the contract writes a parameter down (OpenAPI 3.1, Parameter Object).

use super::param_text;
use json_schema::coerce::Objects;
use json_schema::issue::Place;
use json_schema::validator::Schemas;
use json_schema::validator::json_type::JsonType;

/// The serialisation style of a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// `a,b`: paths and headers.
    Simple,
    /// `.a.b`: paths.
    Label,
    /// `;name=a;name=b`: paths.
    Matrix,
    /// `name=a&name=b`: queries and cookies.
    Form,
    /// `name=a%20b`: queries.
    SpaceDelimited,
    /// `name=a|b`: queries.
    PipeDelimited,
    /// `name[key]=a`: queries.
    DeepObject,
    /// A text of JSON: a parameter with `content` rather than `schema`, or a field whose `contentType`
    /// is that.
    Json,
}

/// The outer form of a parameter's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// One text.
    Scalar,
    /// A list of texts.
    Array,
    /// Texts by name; the names are those of the declared properties.
    Object(&'static [&'static str]),
    /// Some of the others, each once and in their order: the variants of a union differ.
    AnyOf(&'static [Shape]),
}

/// A declared parameter, or a field of a form that is written like one.
#[derive(Debug, Clone, Copy)]
pub struct Param {
    /// Its name; compared without regard to case for headers only.
    pub name: &'static str,
    /// Where it is.
    pub place: Place,
    /// How it is serialised.
    pub style: Style,
    /// Whether each item or member is written separately.
    pub explode: bool,
    /// The outer form of its value.
    pub shape: Shape,
    /// The name of its schema in the bundle.
    pub schema: &'static str,
}

impl Shape {
    /// Whether a name is that of a declared property.
    pub(super) fn declares(&self, name: &str) -> bool {
        match self {
            Self::Object(names) => names.contains(&name),
            Self::AnyOf(shapes) => shapes.iter().any(|shape| shape.declares(name)),
            Self::Scalar | Self::Array => false,
        }
    }
}

impl Param {
    /// The same parameter where its value has that shape.
    pub(super) const fn with(self, shape: Shape) -> Self {
        Self { shape, ..self }
    }

    /// Whether a pair of that name is one of this parameter's, in a query or a form.
    pub(super) fn is_written_as(&self, name: &str) -> bool {
        match self.shape {
            _ if self.style == Style::DeepObject => param_text::deep_path(self, name).is_some(),
            Shape::Object(names) if self.is_spread() => names.contains(&name),
            Shape::AnyOf(shapes) => {
                let mut each = shapes.iter().map(|shape| self.with(*shape));
                each.any(|one| one.is_written_as(name))
            }
            _ => self.name == name,
        }
    }

    /// Whether a pair of that name is another parameter's although it is like a member of this one in
    /// brackets: that of `a[b]` beside `a`.
    pub(super) fn yields_to(&self, other: &Self, name: &str) -> bool {
        self.style == Style::DeepObject
            && other.place == Place::Query
            && other.name != self.name
            && param_text::deep_path(self, other.name).is_some()
            && other.is_written_as(name)
    }

    /// How objects and lists within the value are written: this style has brackets for them.
    pub(super) const fn objects(&self) -> Objects {
        match self.style {
            Style::DeepObject => Objects::ByMember,
            _ => Objects::AsJson,
        }
    }

    /// Whether it takes all pairs of a query that no other parameter declares.
    pub(super) fn takes_the_rest(&self, schemas: &Schemas) -> bool {
        self.place == Place::Query && self.has_any_names(&schemas.json_type(self.schema))
    }

    /// Whether its pairs may have any names: they are the members of an object that is open. One that
    /// names no members is meant for such, unless it is closed.
    pub(super) fn has_any_names(&self, admitted: &JsonType<'_>) -> bool {
        self.is_spread()
            && match self.shape {
                Shape::Object([]) => admitted.is_open() || !admitted.is_closed(),
                Shape::Object(_) => admitted.is_open(),
                Shape::AnyOf(shapes) => {
                    let mut each = shapes.iter().map(|shape| self.with(*shape));
                    each.any(|one| one.has_any_names(admitted))
                }
                Shape::Scalar | Shape::Array => false,
            }
    }

    /// Whether the items or members are pairs of a query or a form, each of its own. A cookie has one
    /// text, whatever its style says.
    pub(super) const fn is_spread(&self) -> bool {
        self.explode
            && matches!(self.place, Place::Query | Place::Body)
            && matches!(
                self.style,
                Style::Form | Style::SpaceDelimited | Style::PipeDelimited
            )
    }
}
}
mod param_readings {
//! Parameters whose texts do not tell alone what they are: those of a union,
//! which are now one text and now several, and what writes null or nothing.
//!
//! A text is taken for what it shows to be: members, or several items; then
//! for one text, for a list of one item or none, and at last for members that
//! are not declared, where nothing shows that they are some. The first of these
//! that the schema accepts is the value. So `1,2` is a list wherever lists are
//! taken, `1` the item rather than the list of it, and a string with an encoded
//! comma a string. The client sends what is read again so, or as the item of a
//! list of one.

use serde_json::Value;

use super::captures;
use super::param::{Param, Shape, Style};
use super::param_text::{self, Flaw};
use super::param_write;
use super::query::{self, Pair};
use json_schema::coerce;
use json_schema::coerce::raw::Raw;
use json_schema::equality::equal;
use json_schema::issue::Place;
use json_schema::validator::Schemas;
use json_schema::validator::json_type::JsonType;

/// What a parameter of these shapes may be taken for, the likeliest first;
/// nothing where it is absent. `take` reads it as one of the shapes.
pub(super) fn readings<'a>(
    param: &Param,
    shapes: &[Shape],
    take: impl Fn(&Param) -> Result<Option<Raw<'a>>, Flaw>,
) -> Result<Vec<Raw<'a>>, Flaw> {
    let (mut shown, mut others, mut flaw) = (Vec::new(), Vec::new(), None);
    let mut is_named = false;
    for shape in shapes {
        let is_object = matches!(shape, Shape::Object(_));
        let taken = take(&param.with(*shape));
        is_named |= !is_object
            && match taken {
                Ok(ref raw) => raw.is_some(),
                // A text of the path is there whatever it names; a pair is there by its name.
                Err(_) => param.is_spread(),
            };
        match taken {
            Ok(None) => {}
            Ok(Some(raw)) if is_shown(param, shape, &raw) => shown.push(raw),
            Ok(Some(raw)) => others.push(raw),
            Err(found) => flaw = Some(found),
        }
    }
    if is_named && is_apart(param) && !param.shape.declares(param.name) {
        without_members(param, &mut shown)?;
    }
    shown.reverse();
    shown.append(&mut others);
    match flaw {
        Some(flaw) if shown.is_empty() => Err(flaw),
        _ => Ok(shown),
    }
}

/// The readings of a path's, a header's or a cookie's text.
pub(super) fn of_text<'a>(param: &Param, text: &'a str) -> Result<Vec<Raw<'a>>, Flaw> {
    of_any(param, |one| match one.place {
        Place::Header => param_text::single(one, text.trim_ascii(), param_text::verbatim).map(Some),
        _ => param_text::single(one, text, captures::decode).map(Some),
    })
}

/// The readings of a parameter of one shape, which is one, or of several.
fn of_any<'a>(
    param: &Param,
    take: impl Fn(&Param) -> Result<Option<Raw<'a>>, Flaw>,
) -> Result<Vec<Raw<'a>>, Flaw> {
    match param.shape {
        Shape::AnyOf(shapes) => readings(param, shapes, take),
        _ => take(param).map(|raw| raw.into_iter().collect()),
    }
}

/// Whether members or items are there to be seen. Where names and values only take turns, as in
/// `x,1`, names are those that are declared: any list of an even length is like them otherwise.
fn is_shown(param: &Param, shape: &Shape, raw: &Raw<'_>) -> bool {
    match raw {
        Raw::List(items) => items.len() > 1,
        Raw::Map(members) => {
            let mut names = members.keys();
            let is_marked = param.is_spread() || (param.explode && param.style != Style::Form);
            !members.is_empty() && (is_marked || names.all(|name| shape.declares(name)))
        }
        Raw::Text(_) | Raw::Json(_) => false,
    }
}

/// Whether members have names of their own and everything else the parameter's.
fn is_apart(param: &Param) -> bool {
    param.is_spread() || (param.explode && param.style == Style::Matrix)
}

/// Where the parameter's own name is there, that is no member's, there are no members.
fn without_members(param: &Param, shown: &mut Vec<Raw<'_>>) -> Result<(), Flaw> {
    let mut others = false;
    shown.retain(|raw| match raw {
        Raw::Map(members) => {
            others |= members.keys().any(|name| name != param.name);
            false
        }
        _ => true,
    });
    if others { Err(Flaw::Repeated) } else { Ok(()) }
}

/// The value of the first reading that is accepted, or else of the first one;
/// `None` where there is none.
pub(super) fn meant(param: &Param, readings: &[Raw<'_>], admitted: &JsonType<'_>) -> Option<Value> {
    let value = |raw: &Raw<'_>| coerce::value(raw, admitted, param.objects());
    let mut accepted = readings.iter().map(value);
    let accepted = accepted.find(|value| admitted.accepts(value));
    accepted.or_else(|| readings.first().map(value))
}

/// What becomes of a value that is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sent {
    /// It is read again.
    Same,
    /// Another value is read.
    Other,
    /// Nothing is written.
    Nothing,
}

/// What is read where the client has written `value`. A list of one is what its
/// item is, where either is taken.
pub(super) fn sent(param: &Param, value: &Value, schemas: &Schemas) -> Sent {
    let in_pairs = matches!(param.place, Place::Query | Place::Body);
    if in_pairs && param_write::query(param, value).is_empty() {
        return Sent::Nothing;
    }
    if param.style == Style::Json {
        return Sent::Same;
    }
    let admitted = schemas.json_type(param.schema);
    let text = match in_pairs {
        true => param_write::join(&param_write::query(param, value)),
        false => param_write::single(param, value),
    };
    let pairs: Vec<_> = query::pairs(if in_pairs { &text } else { "" }).collect();
    let readings = match in_pairs {
        true => of_any(param, |one| from_pairs(one, &pairs, &admitted)),
        false => of_text(param, &text),
    };
    let readings = readings.unwrap_or_default();
    let read = meant(param, &readings, &admitted);
    let is_same = read.is_some_and(|read| match value {
        // What nothing is said of may look like a number; its text is what is kept.
        _ if param.style == Style::DeepObject => {
            let is_kept = admitted.accepts(&read) || !admitted.accepts(value);
            let value = something(value);
            let mut texts = readings.iter();
            is_kept && texts.any(|raw| param_write::is_text_of(raw, &value))
        }
        Value::Array(items) if !read.is_array() => {
            matches!(&items[..], [item] if equal(&read, item))
        }
        _ => equal(&read, value),
    });
    if is_same { Sent::Same } else { Sent::Other }
}

/// A value without its members that are nothing: brackets have no form for null, nor for lists and
/// objects of nothing.
fn something(value: &Value) -> Value {
    match value {
        Value::Object(members) => {
            let members = members
                .iter()
                .map(|(name, it)| (name.clone(), something(it)));
            let members = members.filter(|(_, it)| match it {
                Value::Array(items) => !items.is_empty(),
                Value::Object(members) => !members.is_empty(),
                it => !it.is_null(),
            });
            Value::Object(members.collect())
        }
        Value::Array(items) => Value::Array(items.iter().map(something).collect()),
        _ => value.clone(),
    }
}

fn from_pairs<'a>(
    param: &Param,
    pairs: &[Pair<'a>],
    admitted: &JsonType<'_>,
) -> Result<Option<Raw<'a>>, Flaw> {
    match param.has_any_names(admitted) && !matches!(param.shape, Shape::AnyOf(_)) {
        true => param_text::members(pairs, |_| true),
        false => param_text::from_query(param, pairs),
    }
}
}
mod param_source {
//! The parts of a request that parameters are read from.

use http::header::COOKIE;
use http::request::Parts;

use super::captures::{Captures, decode};
use super::param::{Param, Shape, Style};
use super::param_readings;
use super::param_text::{self, Flaw};
use super::query::{self, Pair};
use json_schema::coerce::raw::Raw;
use json_schema::issue::{Issue, Issues, Place};
use json_schema::validator::Schemas;

/// How much of an undeclared parameter's name an issue repeats, in
/// characters.
const NAME_SHOWN: usize = 64;

pub(super) struct Source<'a> {
    parts: &'a Parts,
    captures: &'a Captures,
    schemas: &'a Schemas,
    query: Vec<Pair<'a>>,
    declared: &'static [Param],
}

impl<'a> Source<'a> {
    pub(super) fn new(
        parts: &'a Parts,
        captures: &'a Captures,
        schemas: &'a Schemas,
        declared: &'static [Param],
    ) -> Self {
        let query = parts
            .uri
            .query()
            .map(|query| query::pairs(query).collect())
            .unwrap_or_default();
        Self {
            parts,
            captures,
            schemas,
            query,
            declared,
        }
    }

    /// What a parameter of several shapes may be taken for; nothing where it is absent.
    pub(super) fn readings(&self, param: &Param, shapes: &[Shape]) -> Result<Vec<Raw<'a>>, Flaw> {
        param_readings::readings(param, shapes, |one| self.take(one))
    }

    /// The text of a parameter of one shape; `None` where it is absent.
    pub(super) fn take(&self, param: &Param) -> Result<Option<Raw<'a>>, Flaw> {
        match param.place {
            Place::Path => match self.captures.raw(param.name) {
                Some(text) => param_text::single(param, text, decode).map(Some),
                None => Ok(None),
            },
            Place::Query if self.is_rest(param) => {
                param_text::members(&self.query, |name| !self.is_declared_elsewhere(param, name))
            }
            Place::Query if param.style == Style::DeepObject => {
                let is_anothers = |name: &str| {
                    let mut others = self.declared.iter();
                    others.any(|other| param.yields_to(other, name))
                };
                param_text::deep(param, &self.query, |name| !is_anothers(name))
            }
            Place::Query => param_text::from_query(param, &self.query),
            Place::Header => self.header(param),
            Place::Cookie => self.cookie(param),
            Place::Body => Ok(None),
        }
    }

    /// Records the query parameters that no declaration covers.
    pub(super) fn undeclared(&self, issues: &mut Issues) {
        for pair in &self.query {
            let at = match &pair.name {
                Ok(name) if self.declared.iter().any(|param| self.covers(param, name)) => continue,
                Ok(name) => name.chars().take(NAME_SHOWN).collect(),
                Err(_) => String::new(),
            };
            let message = "is not a parameter of this operation".to_owned();
            issues.push(Issue {
                place: Place::Query,
                at,
                keyword: "undeclared",
                message,
            });
            if issues.is_full() {
                break;
            }
        }
    }

    /// Whether `param` is written with the query name `name`.
    fn covers(&self, param: &Param, name: &str) -> bool {
        param.place == Place::Query && (param.is_written_as(name) || self.is_rest(param))
    }

    /// Whether a parameter takes all names that no other one declares.
    fn is_rest(&self, param: &Param) -> bool {
        param.takes_the_rest(self.schemas)
    }

    /// Whether a name is another parameter's rather than one of the rest that `param` takes.
    fn is_declared_elsewhere(&self, param: &Param, name: &str) -> bool {
        let is_own = param.shape.declares(name);
        let mut others = self.declared.iter();
        others.any(|other| {
            let is_named = other.place == Place::Query && other.is_written_as(name);
            other.name != param.name && is_named && !(is_own && self.is_rest(other))
        })
    }

    /// Several lines of a list are one list (RFC 9110, section 5.3).
    fn header(&self, param: &Param) -> Result<Option<Raw<'a>>, Flaw> {
        let mut values = self.parts.headers.get_all(param.name).iter();
        let Some(first) = values.next() else {
            return Ok(None);
        };
        let text = |value: &'a http::HeaderValue| {
            std::str::from_utf8(value.as_bytes())
                .map(str::trim_ascii)
                .map_err(|_| Flaw::Encoding)
        };
        let mut whole = param_text::single(param, text(first)?, param_text::verbatim)?;
        for value in values {
            match (
                &mut whole,
                param_text::single(param, text(value)?, param_text::verbatim)?,
            ) {
                (Raw::List(items), Raw::List(more)) => items.extend(more),
                // Several lines of one field are one value (RFC 9110, section 5.3).
                (Raw::Text(text), Raw::Text(more)) => *text = format!("{text}, {more}").into(),
                _ => return Err(Flaw::Repeated),
            }
        }
        Ok(Some(whole))
    }

    /// The cookies are `name=value; name=value` (RFC 6265, section 4.2.1).
    fn cookie(&self, param: &Param) -> Result<Option<Raw<'a>>, Flaw> {
        let mut found = None;
        for header in self.parts.headers.get_all(COOKIE) {
            let Ok(text) = std::str::from_utf8(header.as_bytes()) else {
                continue;
            };
            for (name, value) in text
                .split(';')
                .filter_map(|pair| pair.trim_ascii().split_once('='))
            {
                if name == param.name && found.replace(value).is_some() {
                    return Err(Flaw::Repeated);
                }
            }
        }
        match found {
            Some(value) => param_text::single(param, value, decode).map(Some),
            None => Ok(None),
        }
    }
}
}
mod param_text {
//! Takes the text of a parameter apart by its style (OpenAPI 3.1, Style
//! Values; RFC 6570 for what they expand to).
//!
//! Delimiters are looked for before decoding, so an item may contain one that
//! is percent-encoded; spaces and pipes are always encoded in a query and are
//! therefore looked for afterwards. An empty text is an empty array or object
//! in the styles that write all items into one text, and otherwise an empty
//! string.

use std::borrow::Cow;

use super::captures::BadUtf8;
use super::param::{Param, Shape, Style};
use super::query::{Pair, decode_form};
use json_schema::coerce::raw::{Malformed, Raw};
use json_schema::issue::Place;

/// Why a text cannot be taken apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Flaw {
    /// Octets that are not UTF-8.
    Encoding,
    /// Several values where there can be one.
    Repeated,
    /// Not of the style's form.
    Malformed,
}

impl Flaw {
    /// The keyword and the message of the issue that it makes.
    pub(super) const fn told(self) -> (&'static str, &'static str) {
        match self {
            Self::Encoding => ("format", "must be UTF-8, percent-encoded"),
            Self::Repeated => ("type", "must be given once"),
            Self::Malformed => ("type", "is not written in the declared style"),
        }
    }
}

impl From<BadUtf8> for Flaw {
    fn from(_: BadUtf8) -> Self {
        Self::Encoding
    }
}

impl From<Malformed> for Flaw {
    fn from(_: Malformed) -> Self {
        Self::Malformed
    }
}

type Taken<'a> = Result<Raw<'a>, Flaw>;
type Decode = for<'t> fn(&'t str) -> Result<Cow<'t, str>, BadUtf8>;

/// A text without an encoding, as headers have it.
pub(super) fn verbatim(text: &str) -> Result<Cow<'_, str>, BadUtf8> {
    Ok(Cow::Borrowed(text))
}

/// A value that is one text: in a path, a header, a cookie, or a query in a
/// style that is not exploded.
pub(super) fn single<'a>(param: &Param, text: &'a str, decode: Decode) -> Taken<'a> {
    match param.style {
        Style::Label => label(param, text, decode),
        Style::Matrix => matrix(param, text, decode),
        Style::SpaceDelimited => delimited_after_decoding(param, text, ' ', decode),
        Style::PipeDelimited => delimited_after_decoding(param, text, '|', decode),
        Style::Simple => structured(param.shape, text, ',', param.explode, decode),
        // Who writes a form without knowing of lists encodes all commas.
        Style::Form if param.place == Place::Body && !text.contains(',') => {
            delimited_after_decoding(param, text, ',', decode)
        }
        Style::Form | Style::DeepObject => structured(param.shape, text, ',', false, decode),
        Style::Json => Ok(Raw::Text(decode(text)?)),
    }
}

/// The value of a query parameter, or of a form's field; `None` where it is absent.
pub(super) fn from_query<'a>(param: &Param, pairs: &[Pair<'a>]) -> Result<Option<Raw<'a>>, Flaw> {
    let spread = param.is_spread();
    match param.shape {
        _ if param.style == Style::DeepObject => deep(param, pairs, |_| true),
        Shape::Object(names) if spread => members(pairs, |name| names.contains(&name)),
        Shape::Array if spread => {
            let values = pairs.iter().filter(|pair| pair.is(param.name));
            let items: Result<Vec<_>, _> = values
                .map(|pair| Ok(Raw::Text(decode_form(pair.value)?)))
                .collect();
            items.map(|items| (!items.is_empty()).then_some(Raw::List(items)))
        }
        _ => {
            let mut values = pairs.iter().filter(|pair| pair.is(param.name));
            match (values.next(), values.next()) {
                (None, _) => Ok(None),
                (Some(pair), None) => single(param, pair.value, decode_form).map(Some),
                (Some(_), Some(_)) => Err(Flaw::Repeated),
            }
        }
    }
}

/// An object whose members are parameters of their own: those that `is_member`.
pub(super) fn members<'a>(
    pairs: &[Pair<'a>],
    is_member: impl Fn(&str) -> bool,
) -> Result<Option<Raw<'a>>, Flaw> {
    let mut object = None;
    for pair in pairs {
        let Ok(name) = &pair.name else { continue };
        if is_member(name) {
            object
                .get_or_insert(Raw::object())
                .insert(name, decode_form(pair.value)?)?;
        }
    }
    Ok(object)
}

/// `name[a]=…&name[b][c]=…`; of lists, of which OpenAPI says nothing,
/// `name[]=…&name[]=…` or `name[0]=…&name[1]=…`, and of one text `name=…`. Only names that are
/// `own` are the parameter's.
pub(super) fn deep<'a>(
    param: &Param,
    pairs: &[Pair<'a>],
    own: impl Fn(&str) -> bool,
) -> Result<Option<Raw<'a>>, Flaw> {
    let mut value = None;
    for pair in pairs {
        let Ok(name) = &pair.name else { continue };
        if let Some(path) = deep_path(param, name).filter(|_| own(name)) {
            let value = value.get_or_insert(Raw::List(Vec::new()));
            value.insert_below(path, decode_form(pair.value)?)?;
        }
    }
    Ok(value)
}

/// What follows the parameter's name in `name[a][b]`.
pub(super) fn deep_path<'n>(param: &Param, name: &'n str) -> Option<&'n str> {
    name.strip_prefix(param.name)
        .filter(|path| path.is_empty() || path.starts_with('['))
}

/// `.a`, `.a,b` or, exploded, `.a.b`
fn label<'a>(param: &Param, text: &'a str, decode: Decode) -> Taken<'a> {
    let text = text.strip_prefix('.').ok_or(Flaw::Malformed)?;
    let delimiter = if param.explode { '.' } else { ',' };
    structured(param.shape, text, delimiter, param.explode, decode)
}

/// `;name=a`, `;name=a,b` or, exploded, `;name=a;name=b` and `;x=1;y=2`
fn matrix<'a>(param: &Param, text: &'a str, decode: Decode) -> Taken<'a> {
    let text = text.strip_prefix(';').ok_or(Flaw::Malformed)?;
    let own = |text: &'a str| {
        let (name, value) = text.split_once('=').unwrap_or((text, ""));
        let is_own = decode(name)? == param.name;
        is_own.then_some(value).ok_or(Flaw::Malformed)
    };
    match param.shape {
        Shape::Object(_) if param.explode => object(text.split(';'), decode),
        Shape::Array if param.explode => text
            .split(';')
            .map(|item| Ok(Raw::Text(decode(own(item)?)?)))
            .collect::<Result<_, _>>()
            .map(Raw::List),
        shape => structured(shape, own(text)?, ',', false, decode),
    }
}

fn delimited_after_decoding<'a>(
    param: &Param,
    text: &'a str,
    delimiter: char,
    decode: Decode,
) -> Taken<'a> {
    match decode(text)? {
        Cow::Borrowed(text) => structured(param.shape, text, delimiter, false, verbatim),
        Cow::Owned(text) => {
            structured(param.shape, &text, delimiter, false, verbatim).map(into_owned)
        }
    }
}

fn into_owned<'a>(raw: Raw<'_>) -> Raw<'a> {
    match raw {
        Raw::Text(text) => Raw::Text(Cow::Owned(text.into_owned())),
        Raw::List(items) => Raw::List(items.into_iter().map(into_owned).collect()),
        Raw::Map(members) => Raw::Map(
            members
                .into_iter()
                .map(|(name, raw)| (Cow::Owned(name.into_owned()), into_owned(raw)))
                .collect(),
        ),
        Raw::Json(value) => Raw::Json(value),
    }
}

/// A text with delimiters; `assigned` members are `name=value`, others
/// alternate with their names.
fn structured<'a>(
    shape: Shape,
    text: &'a str,
    delimiter: char,
    assigned: bool,
    decode: Decode,
) -> Taken<'a> {
    match shape {
        // Whoever reads one of several shapes reads each by itself.
        Shape::Scalar | Shape::AnyOf(_) => Ok(Raw::Text(decode(text)?)),
        Shape::Array if text.is_empty() => Ok(Raw::List(Vec::new())),
        Shape::Array => {
            let items = text
                .split(delimiter)
                .map(|item| Ok(Raw::Text(decode(item.trim_ascii())?)));
            items.collect::<Result<_, Flaw>>().map(Raw::List)
        }
        Shape::Object(_) if text.is_empty() => Ok(Raw::object()),
        Shape::Object(_) if assigned => object(text.split(delimiter), decode),
        Shape::Object(_) => {
            let mut members = Raw::object();
            let mut parts = text.split(delimiter);
            while let Some(name) = parts.next() {
                let value = parts.next().ok_or(Flaw::Malformed)?;
                insert(&mut members, name, value, decode)?;
            }
            Ok(members)
        }
    }
}

fn object<'a>(parts: impl Iterator<Item = &'a str>, decode: Decode) -> Taken<'a> {
    let mut members = Raw::object();
    for part in parts {
        let (name, value) = part.split_once('=').ok_or(Flaw::Malformed)?;
        insert(&mut members, name, value, decode)?;
    }
    Ok(members)
}

fn insert<'a>(
    members: &mut Raw<'a>,
    name: &'a str,
    value: &'a str,
    decode: Decode,
) -> Result<(), Flaw> {
    let name = decode(name.trim_ascii())?;
    let Raw::Map(members) = members else {
        return Err(Flaw::Malformed);
    };
    match members.insert(name, Raw::Text(decode(value.trim_ascii())?)) {
        None => Ok(()),
        Some(_) => Err(Flaw::Repeated),
    }
}
}
pub mod param_write {
//! Writes parameter values by their style: the client's side of
//! `param_text`.
//!
//! In paths, queries and cookies every octet outside RFC 3986's unreserved
//! characters is percent-encoded, so that a delimiter inside a value is never
//! taken for one between values.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::Value;

use super::captures;
use super::param::{Param, Style};
use super::param_text;
use super::query;
use json_schema::coerce::raw::Raw;
use json_schema::issue::Place;

const RESERVED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// Percent-encodes a text wholly.
#[must_use]
pub fn encode(text: &str) -> String {
    utf8_percent_encode(text, RESERVED).to_string()
}

/// The text of a path, header or cookie parameter, or of a query parameter
/// that is written once.
#[must_use]
pub(super) fn single(param: &Param, value: &Value) -> String {
    let joined = |separator: &str, assigned: bool| pieces(param, value, assigned).join(separator);
    match param.style {
        Style::Json => own_text(param, &value.to_string()),
        Style::Simple => joined(",", param.explode),
        Style::Label if param.explode => format!(".{}", joined(".", true)),
        Style::Label => format!(".{}", joined(",", false)),
        Style::Matrix if param.explode && value.is_object() => format!(";{}", joined(";", true)),
        Style::Matrix if param.explode && value.is_array() => {
            let items = pieces(param, value, false).into_iter();
            items
                .map(|item| format!(";{}={item}", encode(param.name)))
                .collect()
        }
        Style::Matrix => format!(";{}={}", encode(param.name), joined(",", false)),
        Style::SpaceDelimited => joined("%20", false),
        Style::PipeDelimited => joined("%7C", false),
        Style::Form | Style::DeepObject => joined(",", false),
    }
}

/// The encoded texts of a value: one, one for each item, or for each member
/// either `name=value` or the two after one another.
fn pieces(param: &Param, value: &Value, assigned: bool) -> Vec<String> {
    match value {
        Value::Array(items) => items.iter().map(|item| scalar(param, item)).collect(),
        Value::Object(members) => {
            let member = |(name, value): (&String, &Value)| {
                let (name, value) = (own_text(param, name), scalar(param, value));
                if assigned {
                    vec![format!("{name}={value}")]
                } else {
                    vec![name, value]
                }
            };
            members.iter().flat_map(member).collect()
        }
        _ => vec![scalar(param, value)],
    }
}

/// The pairs of a query parameter, or of a form's field that is written like one, encoded.
#[must_use]
pub(super) fn query(param: &Param, value: &Value) -> Vec<(String, String)> {
    let spread = param.is_spread();
    match value {
        Value::Object(members) if param.style == Style::DeepObject => {
            let mut pairs = Vec::new();
            for (name, member) in members {
                deep(&format!("{}[{name}]", param.name), member, &mut pairs);
            }
            pairs
        }
        Value::Array(items) if param.style == Style::DeepObject => {
            let plain = !items.iter().any(|item| item.is_object() || item.is_array());
            let mut pairs = Vec::new();
            for (index, item) in items.iter().enumerate() {
                // Lists of texts are understood more widely without the indices.
                let index = if plain {
                    String::new()
                } else {
                    index.to_string()
                };
                deep(&format!("{}[{index}]", param.name), item, &mut pairs);
            }
            pairs
        }
        Value::Array(items) if spread => items
            .iter()
            .map(|item| (encode(param.name), scalar(param, item)))
            .collect(),
        Value::Object(members) if spread => members
            .iter()
            .map(|(name, member)| (encode(name), scalar(param, member)))
            .collect(),
        _ => vec![(encode(param.name), single(param, value))],
    }
}

/// Whether a value that is written as one text is read as the same texts again. Headers have no
/// encoding, blanks and bars are looked for after decoding, and one empty item is written as none.
#[must_use]
pub(super) fn is_read_again(param: &Param, value: &Value) -> bool {
    let in_pairs = matches!(param.place, Place::Query | Place::Body);
    if matches!(param.style, Style::Json | Style::DeepObject) || (in_pairs && param.explode) {
        return true;
    }
    let text = single(param, value);
    let read = match param.place {
        Place::Header => param_text::single(param, text.trim_ascii(), param_text::verbatim),
        Place::Path | Place::Cookie => param_text::single(param, &text, captures::decode),
        Place::Query | Place::Body => param_text::single(param, &text, query::decode_form),
    };
    read.is_ok_and(|raw| is_text_of(&raw, value))
}

/// Whether texts are those of a value. In brackets, a list of objects has its indices for names.
pub(super) fn is_text_of(raw: &Raw<'_>, value: &Value) -> bool {
    match (raw, value) {
        (Raw::List(texts), Value::Array(items)) => {
            let mut pairs = texts.iter().zip(items);
            let same =
                texts.len() == items.len() && pairs.all(|(text, item)| is_text_of(text, item));
            same && !has_null_beside_text(items)
        }
        (Raw::Map(texts), Value::Object(members)) => {
            let same = |(name, member): (&String, &Value)| {
                let text = texts.get(name.as_str());
                text.is_some_and(|text| is_text_of(text, member))
            };
            texts.len() == members.len() && members.iter().all(same)
        }
        (Raw::Map(texts), Value::Array(items)) => {
            let same = |(index, item): (usize, &Value)| {
                let text = texts.get(index.to_string().as_str());
                text.is_some_and(|text| is_text_of(text, item))
            };
            texts.len() == items.len() && items.iter().enumerate().all(same)
        }
        // A schema that takes lists takes one text for a list of one.
        (Raw::Text(_), Value::Array(items)) if items.len() == 1 => {
            items.iter().all(|item| is_text_of(raw, item))
        }
        (Raw::Text(written), _) => *written == text(value),
        _ => false,
    }
}

/// Whether a list has null, which is written as an empty text, and strings, of which that may be one.
#[must_use]
pub(super) fn has_null_beside_text(items: &[Value]) -> bool {
    items.iter().any(Value::is_null) && items.iter().any(Value::is_string)
}

/// The pairs of a form (`application/x-www-form-urlencoded`), of which these fields have a style.
#[must_use]
pub fn form(value: &Value, styled: &[Param]) -> String {
    let mut pairs = Vec::new();
    for (name, member) in value.as_object().into_iter().flatten() {
        match styled.iter().find(|param| param.name == name) {
            // Only JSON has a text for it.
            Some(param) if member.is_null() && param.style != Style::Json => {}
            Some(param) => pairs.extend(query(param, member)),
            None => pairs.extend(self::pairs(name, member).into_iter().map(encoded)),
        }
    }
    join(&pairs)
}

/// The pairs of a form's field, not encoded.
#[must_use]
pub(super) fn pairs(name: &str, value: &Value) -> Vec<(String, String)> {
    match value {
        Value::Array(items) if !items.iter().any(|item| item.is_object() || item.is_array()) => {
            let items = items.iter();
            items.map(|item| (name.to_owned(), text(item))).collect()
        }
        _ => {
            let mut pairs = Vec::new();
            nested(name, value, &mut pairs);
            pairs
        }
    }
}

/// Pairs as a query string.
pub(super) fn join(pairs: &[(String, String)]) -> String {
    pairs
        .iter()
        .map(|(name, value)| format!("{name}={value}"))
        .collect::<Vec<_>>()
        .join("&")
}

/// Adds pairs whose names nest in brackets, encoded.
fn deep(name: &str, value: &Value, pairs: &mut Vec<(String, String)>) {
    let mut plain = Vec::new();
    nested(name, value, &mut plain);
    pairs.extend(plain.into_iter().map(encoded));
}

fn encoded((name, text): (String, String)) -> (String, String) {
    (encode(&name), encode(&text))
}

/// Adds the pairs of a member, or of a value that has some.
fn nested(name: &str, value: &Value, pairs: &mut Vec<(String, String)>) {
    match value {
        Value::Object(members) => {
            for (key, member) in members {
                nested(&format!("{name}[{key}]"), member, pairs);
            }
        }
        Value::Array(items) if items.iter().any(|item| item.is_object() || item.is_array()) => {
            for (index, item) in items.iter().enumerate() {
                nested(&format!("{name}[{index}]"), item, pairs);
            }
        }
        Value::Array(items) => {
            // A list of one is told from a text only by its name, and who reads brackets reads these.
            let name = format!("{name}[]");
            pairs.extend(items.iter().map(|item| (name.clone(), text(item))));
        }
        Value::Null => {}
        _ => pairs.push((name.to_owned(), text(value))),
    }
}

fn scalar(param: &Param, value: &Value) -> String {
    own_text(param, &text(value))
}

/// A text as its place writes it: headers have no encoding.
fn own_text(param: &Param, text: &str) -> String {
    if param.place == Place::Header {
        text.to_owned()
    } else {
        encode(text)
    }
}

/// The text of one value; null has none.
pub(super) fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        _ => value.to_string(),
    }
}
}
pub mod query {
//! A query string (or a URL-encoded form) as pairs of name and value.
//!
//! The syntax is `application/x-www-form-urlencoded` (WHATWG URL, section
//! 5.1): `&` separates, `+` is a space. Names are decoded at once, values
//! when they are read, because some styles split them before decoding.

use std::borrow::Cow;

use super::captures::{BadUtf8, decode};

/// One `name=value`; a name without `=` has the empty value.
#[derive(Debug, Clone)]
pub struct Pair<'a> {
    /// The decoded name.
    pub name: Result<Cow<'a, str>, BadUtf8>,
    /// The value, still encoded.
    pub value: &'a str,
}

impl Pair<'_> {
    /// Whether the name is `name`.
    #[must_use]
    pub fn is(&self, name: &str) -> bool {
        self.name.as_ref().is_ok_and(|own| own == name)
    }

    /// Whether it is the pair of `name` and `value`.
    #[must_use]
    pub fn is_of(&self, name: &str, value: &str) -> bool {
        self.is(name) && decode_form(self.value).is_ok_and(|text| text == value)
    }
}

/// The pairs of a query string, in order.
pub fn pairs(query: &str) -> impl Iterator<Item = Pair<'_>> {
    query
        .split('&')
        .filter(|pair| !pair.is_empty())
        .map(|pair| {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            Pair {
                name: decode_form(name),
                value,
            }
        })
}

/// Decodes a name or a value.
///
/// # Errors
/// [`BadUtf8`] where the octets are not UTF-8.
pub fn decode_form(text: &str) -> Result<Cow<'_, str>, BadUtf8> {
    if !text.contains('+') {
        return decode(text);
    }
    let spaced = text.replace('+', " ");
    decode(&spaced).map(|text| Cow::Owned(text.into_owned()))
}
}
pub mod raw_decode {
//! Decodes raw text straight into a type: the fast path of parameters and
//! forms, which makes no JSON value.
//!
//! Numbers and booleans are read as JSON writes them, so `+5`, `05` and
//! `TRUE` are not. A type that has to look at the value to know what it is
//! (`deserialize_any`) cannot be decided from text alone and is refused, as is
//! what was JSON; the slow path decides it by its schema.

use serde::de::value::{MapDeserializer, SeqDeserializer, StrDeserializer};
use serde::de::{self, Deserializer, IntoDeserializer, Visitor};

use serde_json::{Number, Value};

use super::integer;
use super::replay::Replay;
use json_schema::coerce::raw::Raw;

/// The text is not of the type. Why is found out elsewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mismatch;

impl std::fmt::Display for Mismatch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the text is not of the expected type")
    }
}

impl std::error::Error for Mismatch {}

impl de::Error for Mismatch {
    fn custom<M: std::fmt::Display>(_: M) -> Self {
        Self
    }
}

/// Decodes a `T`.
///
/// # Errors
/// [`Mismatch`] where the text is not one of `T`'s, or `T` needs a schema to
/// be decided.
pub fn decode<T: de::DeserializeOwned>(raw: &Raw<'_>) -> Result<T, Mismatch> {
    T::deserialize(Reader(raw))
}

/// Deserializes what a text stands for.
#[derive(Clone, Copy)]
struct Reader<'r, 'a>(&'r Raw<'a>);

/// Whether `text` is a JSON number (RFC 8259, section 6), given that Rust
/// reads it as one.
fn is_json_number(text: &str) -> bool {
    if text.contains(".e") || text.contains(".E") {
        return false;
    }
    match text.strip_prefix('-').unwrap_or(text).as_bytes() {
        [b'0', next, ..] => matches!(next, b'.' | b'e' | b'E'),
        [first, .., last] => first.is_ascii_digit() && last.is_ascii_digit(),
        [digit] => digit.is_ascii_digit(),
        [] => false,
    }
}

fn text<'r>(raw: &'r Raw<'_>) -> Result<&'r str, Mismatch> {
    match raw {
        Raw::Text(text) => Ok(text),
        _ => Err(Mismatch),
    }
}

fn number<T: std::str::FromStr>(raw: &Raw<'_>) -> Result<T, Mismatch> {
    let text = text(raw)?;
    if !is_json_number(text) {
        return Err(Mismatch);
    }
    text.parse().map_err(|_| Mismatch)
}

macro_rules! numbers {
    ($($method:ident $visit:ident,)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Mismatch> {
            visitor.$visit(number(self.0)?)
        }
    )*};
}

macro_rules! texts {
    ($($method:ident)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Mismatch> {
            visitor.visit_str(text(self.0)?)
        }
    )*};
}

impl<'de> Deserializer<'de> for Reader<'_, '_> {
    type Error = Mismatch;

    numbers! {
        deserialize_i8 visit_i8, deserialize_i16 visit_i16, deserialize_i32 visit_i32,
        deserialize_i64 visit_i64, deserialize_i128 visit_i128,
        deserialize_u8 visit_u8, deserialize_u16 visit_u16, deserialize_u32 visit_u32,
        deserialize_u64 visit_u64, deserialize_u128 visit_u128,
    }

    texts! {
        deserialize_char deserialize_str deserialize_string deserialize_bytes
        deserialize_byte_buf deserialize_identifier
    }

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Mismatch> {
        Err(Mismatch)
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Mismatch> {
        match text(self.0)? {
            "true" => visitor.visit_bool(true),
            "false" => visitor.visit_bool(false),
            _ => Err(Mismatch),
        }
    }

    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Mismatch> {
        let value: f32 = number(self.0)?;
        if value.is_finite() {
            visitor.visit_f32(value)
        } else {
            Err(Mismatch)
        }
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Mismatch> {
        let value: f64 = number(self.0)?;
        if value.is_finite() {
            visitor.visit_f64(value)
        } else {
            Err(Mismatch)
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Mismatch> {
        visitor.visit_some(self)
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Mismatch> {
        if text(self.0)?.is_empty() {
            visitor.visit_unit()
        } else {
            Err(Mismatch)
        }
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Mismatch> {
        self.deserialize_unit(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Mismatch> {
        if name == integer::NAME {
            let number: Number = number(self.0)?;
            return visitor.visit_newtype_struct(Replay::new(Value::Number(number).into()));
        }
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Mismatch> {
        match self.0 {
            Raw::List(items) => visitor.visit_seq(SeqDeserializer::new(items.iter().map(Reader))),
            // A name that came once may be a list of one, unless it may be a list of JSON.
            Raw::Text(text) if !text.starts_with('[') => {
                visitor.visit_seq(SeqDeserializer::new(std::iter::once(self)))
            }
            Raw::Text(_) | Raw::Map(_) | Raw::Json(_) => Err(Mismatch),
        }
    }

    fn deserialize_tuple<V: Visitor<'de>>(
        self,
        _: usize,
        visitor: V,
    ) -> Result<V::Value, Mismatch> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: usize,
        visitor: V,
    ) -> Result<V::Value, Mismatch> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Mismatch> {
        let Raw::Map(members) = self.0 else {
            return Err(Mismatch);
        };
        let members = members
            .iter()
            .map(|(name, member)| (name.as_ref(), Reader(member)));
        visitor.visit_map(MapDeserializer::new(members))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Mismatch> {
        self.deserialize_map(visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Mismatch> {
        let variant: StrDeserializer<'_, Mismatch> = text(self.0)?.into_deserializer();
        visitor.visit_enum(variant)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Mismatch> {
        visitor.visit_unit()
    }
}

impl<'de> IntoDeserializer<'de, Mismatch> for Reader<'_, '_> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}
}
pub mod reader {
//! Reads the parameters and the body of a request into types, and gathers
//! every violation on the way.
//!
//! Valid input pays for one typed decode and one check. Only when either
//! fails is the input read again as JSON and given to the schema interpreter,
//! which names all that is wrong. If it finds nothing, as with `1.0` for an
//! integer, the value is brought into the form that `serde` wants.
//!
//! For two kinds of parameters the interpreter runs though they are valid: one
//! that is written as JSON, which is no type before it, and one whose texts do
//! not tell its shape. Of the latter, every reading is made JSON and tried
//! until one is accepted; that one, or else the first, is validated again to
//! be decoded or explained.
//!
//! A method that returns `None` has recorded an issue; undeclared query
//! parameters are recorded by [`Reader::new`], so a generated function ends
//! with [`Reader::finish`] even where every method returned a value.

use http::request::Parts;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::captures::Captures;
use super::explain::explain;
use super::fault::Fault;
use super::pairs;
use super::param::{Param, Shape, Style};
use super::param_readings;
use super::param_source::Source;
use super::raw_decode;
use super::{json_single, json_text};
use json_schema::coerce::raw::Raw;
use json_schema::coerce::{self, Objects};
use json_schema::issue::{Issue, Issues, Place};
use json_schema::types::Types;
use json_schema::validator::Schemas;

/// What reads one request.
pub struct Reader<'a> {
    source: Source<'a>,
    schemas: &'a Schemas,
    issues: Issues,
}

impl<'a> Reader<'a> {
    /// A reader for a request whose operation has the parameters `declared`.
    /// Query parameters that are not declared become issues.
    #[must_use]
    pub fn new(
        parts: &'a Parts,
        captures: &'a Captures,
        schemas: &'a Schemas,
        declared: &'static [Param],
    ) -> Self {
        let source = Source::new(parts, captures, schemas, declared);
        let mut issues = Issues::new();
        source.undeclared(&mut issues);
        Self {
            source,
            schemas,
            issues,
        }
    }

    /// A reader for a raw operation, whose query is its handler's business.
    #[must_use]
    pub fn of_path(
        parts: &'a Parts,
        captures: &'a Captures,
        schemas: &'a Schemas,
        declared: &'static [Param],
    ) -> Self {
        Self {
            source: Source::new(parts, captures, schemas, declared),
            schemas,
            issues: Issues::new(),
        }
    }

    /// A parameter that must be there.
    pub fn required<T: DeserializeOwned>(
        &mut self,
        param: &Param,
        valid: fn(&T) -> bool,
    ) -> Option<T> {
        match self.optional(param, valid)? {
            Some(value) => Some(value),
            None => self.refuse_at(param, "required", "is required"),
        }
    }

    /// A parameter that may be absent, which is `Some(None)`.
    pub fn optional<T: DeserializeOwned>(
        &mut self,
        param: &Param,
        valid: fn(&T) -> bool,
    ) -> Option<Option<T>> {
        let taken = match param.shape {
            Shape::AnyOf(shapes) => self.source.readings(param, shapes),
            _ => match self.source.take(param) {
                Ok(None) => return Some(None),
                Ok(Some(raw)) => return self.parameter(param, &raw, valid).map(Some),
                Err(flaw) => Err(flaw),
            },
        };
        match taken {
            Ok(readings) => {
                let admitted = self.schemas.json_type(param.schema);
                match param_readings::meant(param, &readings, &admitted) {
                    Some(value) => self.parsed(param, value).map(Some),
                    None => Some(None),
                }
            }
            Err(flaw) => {
                let (keyword, message) = flaw.told();
                self.refuse_at(param, keyword, message)
            }
        }
    }

    /// A parameter with a default for when it is absent.
    pub fn defaulted<T: DeserializeOwned>(
        &mut self,
        param: &Param,
        valid: fn(&T) -> bool,
        default: fn() -> Option<T>,
    ) -> Option<T> {
        match self.optional(param, valid)? {
            Some(value) => Some(value),
            None => default().or_else(|| self.refuse_at(param, "required", "is required")),
        }
    }

    /// A body of JSON. An empty body is no JSON.
    ///
    /// # Errors
    /// [`Fault::Json`] where `bytes` are not one JSON text in UTF-8, or nest
    /// more than 127 deep.
    pub fn json<T: DeserializeOwned>(
        &mut self,
        bytes: &[u8],
        schema: &str,
        valid: fn(&T) -> bool,
    ) -> Result<Option<T>, Fault> {
        if let Ok(value) = json_single::from_slice(bytes)
            && valid(&value)
        {
            return Ok(Some(value));
        }
        let value = json_text::parse(bytes)?;
        Ok(self.explain(schema, value, Place::Body, ""))
    }

    /// A body of text, which must be UTF-8.
    pub fn text(&mut self, bytes: &[u8]) -> Option<String> {
        let text = std::str::from_utf8(bytes).ok().map(str::to_owned);
        if text.is_none() {
            self.issues.push(Issue {
                place: Place::Body,
                at: String::new(),
                keyword: "format",
                message: "must be UTF-8".to_owned(),
            });
        }
        text
    }

    /// A body of text that is one value, read as a parameter's is.
    pub fn scalar<T: DeserializeOwned>(
        &mut self,
        bytes: &[u8],
        schema: &str,
        valid: fn(&T) -> bool,
    ) -> Option<T> {
        let text = self.text(bytes)?;
        self.raw(&Raw::Text(text.into()), schema, valid, "")
    }

    /// A body of `application/x-www-form-urlencoded`. Names may nest, as in
    /// `a[b]=c`, and a name that is repeated makes an array; the fields that
    /// are `styled` are read as parameters are.
    ///
    /// # Errors
    /// Never: whatever bytes come, they are a form. The type is that of
    /// [`Reader::json`], so that the media types of one body are read alike.
    pub fn form<T: DeserializeOwned>(
        &mut self,
        bytes: &[u8],
        styled: &[Param],
        schema: &str,
        valid: fn(&T) -> bool,
    ) -> Result<Option<T>, Fault> {
        match pairs::members(bytes, styled) {
            Ok(raw) => Ok(self.raw(&raw, schema, valid, "")),
            Err(issue) => {
                self.issues.push(issue);
                Ok(None)
            }
        }
    }

    /// A value inside a body, read from text; `at` is its JSON pointer.
    pub(super) fn raw<T: DeserializeOwned>(
        &mut self,
        raw: &Raw<'_>,
        schema: &str,
        valid: fn(&T) -> bool,
        at: &str,
    ) -> Option<T> {
        if let Ok(value) = raw_decode::decode(raw)
            && valid(&value)
        {
            return Some(value);
        }
        self.typed(raw, schema, at)
    }

    /// The same, decided by the schema alone.
    pub(super) fn typed<T: DeserializeOwned>(
        &mut self,
        raw: &Raw<'_>,
        schema: &str,
        at: &str,
    ) -> Option<T> {
        let value = coerce::value(raw, &self.schemas.json_type(schema), Objects::ByMember);
        self.explain(schema, value, Place::Body, at)
    }

    /// A value inside a body, read from JSON; `at` is its JSON pointer.
    pub(super) fn value<T: DeserializeOwned>(
        &mut self,
        value: Value,
        schema: &str,
        valid: fn(&T) -> bool,
        at: &str,
    ) -> Option<T> {
        if let Ok(read) = T::deserialize(&value)
            && valid(&read)
        {
            return Some(read);
        }
        self.explain(schema, value, Place::Body, at)
    }

    /// Whether a value that could be a list of its one item is what it is: where a schema
    /// accepts it so, or has no lists. Of a list, that depends on whether its items are lists.
    pub(super) fn is_whole(&self, value: &Value, schema: &str) -> bool {
        let admitted = self.schemas.json_type(schema);
        let types = admitted.types();
        if !value.is_array() {
            return !types.contains(Types::ARRAY) || admitted.accepts(value);
        }
        let is_list = Types::ARRAY.union(Types::NULL).contains(types);
        let has_lists = is_list && admitted.item(0).types().contains(Types::ARRAY);
        !has_lists || !admitted.accepts(&Value::Array(vec![value.clone()]))
    }

    /// The violations that were found so far.
    pub(super) fn issues(&mut self) -> impl Iterator<Item = &mut Issue> {
        self.issues.iter_mut()
    }

    /// Records a violation that the caller found.
    pub fn report(&mut self, issue: Issue) {
        self.issues.push(issue);
    }

    /// The fault of a request in which something was refused.
    #[must_use]
    pub fn refuse(self) -> Fault {
        Fault::Invalid(self.issues.into_vec())
    }

    /// Ends the reading.
    ///
    /// # Errors
    /// [`Fault::Invalid`] where anything was refused.
    pub fn finish(self) -> Result<(), Fault> {
        if self.issues.is_empty() {
            Ok(())
        } else {
            Err(self.refuse())
        }
    }

    fn parameter<T: DeserializeOwned>(
        &mut self,
        param: &Param,
        raw: &Raw<'_>,
        valid: fn(&T) -> bool,
    ) -> Option<T> {
        let value = match (param.style, raw) {
            (Style::Json, Raw::Text(text)) => match json_text::parse(text.as_bytes()) {
                Ok(value) => value,
                Err(_) => return self.refuse_at(param, "contentMediaType", "must be JSON"),
            },
            _ => {
                if let Ok(value) = raw_decode::decode(raw)
                    && valid(&value)
                {
                    return Some(value);
                }
                let admitted = self.schemas.json_type(param.schema);
                coerce::value(raw, &admitted, param.objects())
            }
        };
        self.parsed(param, value)
    }

    fn parsed<T: DeserializeOwned>(&mut self, param: &Param, value: Value) -> Option<T> {
        self.explain(param.schema, value, param.place, param.name)
    }

    /// Records what is wrong with `value`, or decodes it after all.
    fn explain<T: DeserializeOwned>(
        &mut self,
        schema: &str,
        value: Value,
        place: Place,
        at: &str,
    ) -> Option<T> {
        explain(self.schemas, schema, value, (place, at), &mut self.issues)
    }

    fn refuse_at<T>(&mut self, param: &Param, keyword: &'static str, message: &str) -> Option<T> {
        let (at, message) = (param.name.to_owned(), message.to_owned());
        self.issues.push(Issue {
            place: param.place,
            at,
            keyword,
            message,
        });
        None
    }
}
}
mod replay {
//! A buffered value being read as what it turned out to be.

use std::borrow::Cow;
use std::marker::PhantomData;

use serde::de::value::{CowStrDeserializer, MapDeserializer, SeqDeserializer};
use serde::de::{Deserializer, Error, IntoDeserializer, Visitor};
use serde::forward_to_deserialize_any;

use super::buffered::{Buffered, Member, NAMED_FIRST};
use super::json_single;
use json_schema::json::{REPEATED, SEEN_TO};

/// A buffered value being read as what it turned out to be.
pub(super) struct Replay<'de, E> {
    value: Buffered<'de>,
    /// Whether it is seen to that no object has a member twice.
    counted: bool,
    error: PhantomData<E>,
}

impl<'de, E: Error> Replay<'de, E> {
    pub(super) const fn new(value: Buffered<'de>) -> Self {
        Self::counted(value, true)
    }

    const fn counted(value: Buffered<'de>, counted: bool) -> Self {
        Self {
            value,
            counted,
            error: PhantomData,
        }
    }

    /// Hands over an object's members; whoever takes them sees to it that none
    /// is there twice.
    fn members<V: Visitor<'de>>(
        members: Vec<Member<'de>>,
        counted: bool,
        visitor: V,
    ) -> Result<V::Value, E> {
        let members = members.into_iter().map(|(name, member)| {
            // Names stay lent, as texts do.
            let name = Self::counted(Buffered::Text(name), counted);
            (name, Self::counted(member, counted))
        });
        let mut members = MapDeserializer::new(members);
        let read = visitor.visit_map(&mut members)?;
        members.end().map(|()| read)
    }
}

impl<'de, E: Error> IntoDeserializer<'de, E> for Replay<'de, E> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

impl<'de, E: Error> Deserializer<'de> for Replay<'de, E> {
    type Error = E;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
        let counted = self.counted;
        match self.value {
            Buffered::Null => visitor.visit_unit(),
            Buffered::Bool(value) => visitor.visit_bool(value),
            Buffered::Unsigned(value) => visitor.visit_u64(value),
            Buffered::Signed(value) => visitor.visit_i64(value),
            Buffered::Float(value) => visitor.visit_f64(value),
            Buffered::Number(number) => number.deserialize_any(visitor).map_err(E::custom),
            Buffered::Text(Cow::Borrowed(text)) => visitor.visit_borrowed_str(text),
            Buffered::Text(Cow::Owned(text)) => visitor.visit_string(text),
            Buffered::List(items) => {
                let items = items.into_iter();
                let mut items =
                    SeqDeserializer::new(items.map(|item| Self::counted(item, counted)));
                let read = visitor.visit_seq(&mut items)?;
                items.end().map(|()| read)
            }
            Buffered::Object(members) => {
                if counted && !json_single::are_distinct(members.iter().map(|(name, _)| &**name)) {
                    return Err(E::custom(REPEATED));
                }
                Self::members(members, counted, visitor)
            }
        }
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
        match self.value.number() {
            Some(number) => match number.as_f64() {
                Some(value) => visitor.visit_f64(value),
                None => Err(E::custom("the number is beyond the range of a double")),
            },
            None => self.deserialize_any(visitor),
        }
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
        // What stands for a number is not to be taken for an object.
        match self.value {
            Buffered::Number(_) => Err(E::custom("an object is expected here")),
            _ => self.deserialize_any(visitor),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
        match self.value {
            Buffered::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, E> {
        let counted = self.counted && name != SEEN_TO;
        visitor.visit_newtype_struct(Self::counted(self.value, counted))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, E> {
        match self.value {
            Buffered::Text(text) => {
                let variant: CowStrDeserializer<'_, E> = text.into_deserializer();
                visitor.visit_enum(variant)
            }
            _ => Err(E::custom("a string is expected here")),
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        mut self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, E> {
        // A union that finds its member first keeps nothing that comes before.
        if let Buffered::Object(members) = &mut self.value
            && name == NAMED_FIRST
            && let Some(at) = members.iter().position(|(own, _)| fields.contains(&&**own))
        {
            members.swap(0, at);
        }
        match self.value {
            Buffered::Object(members) => Self::members(members, self.counted, visitor),
            _ => self.deserialize_map(visitor),
        }
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
        visitor.visit_unit()
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 char str string bytes byte_buf
        unit unit_struct seq tuple tuple_struct identifier
    }
}
}
pub mod respond {
//! Makes the responses that handlers choose.
//!
//! Generated code says which status, headers and body an answer has; this
//! puts them into HTTP. What HTTP cannot carry is a fault of the server.

use std::fmt::Display;
use std::ops::RangeInclusive;

use axum::body::Body;
use bytes::Bytes;
use http::header::{CACHE_CONTROL, CONTENT_TYPE};
use http::{HeaderMap, HeaderName, HeaderValue, Response, StatusCode};
use serde::Serialize;
use serde_json::Value;

use super::encoded::Encoded;
use super::fault::Fault;
use super::header_lines;
use super::media;
use super::param::{Param, Shape, Style};
use super::param_write;
use super::stream::ByteStream;
use json_schema::issue::Place;

/// As many headers as most answers have, for a map that has to grow is filled
/// twice; those that the host adds are reserved when they are known.
const HEADERS: usize = 6;

/// A response without a body yet.
#[derive(Debug)]
pub struct Responder {
    status: StatusCode,
    headers: HeaderMap,
    /// A header could not be written.
    failed: bool,
}

/// A status of the contract. The generator has made sure that it is one.
#[must_use]
pub fn status(code: u16) -> StatusCode {
    StatusCode::from_u16(code).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
}

/// A status that the handler chose, of those that a response such as `4XX`
/// or `default` stands for.
///
/// # Errors
/// [`Fault::Internal`] where it is none of them.
pub fn within(status: StatusCode, own: &[RangeInclusive<u16>]) -> Result<StatusCode, Fault> {
    if own.iter().any(|run| run.contains(&status.as_u16())) {
        Ok(status)
    } else {
        Err(Fault::Internal)
    }
}

/// Begins a response.
#[must_use]
pub fn respond(status: StatusCode) -> Responder {
    Responder {
        status,
        headers: HeaderMap::with_capacity(HEADERS),
        failed: false,
    }
}

impl Responder {
    /// Sets a header.
    #[must_use]
    pub fn header(self, name: HeaderName, value: &(impl Display + ?Sized)) -> Self {
        self.text_header(name, value.to_string())
    }

    /// Sets a header to a text, which is not copied.
    #[must_use]
    pub fn text_header(mut self, name: HeaderName, text: String) -> Self {
        match HeaderValue::try_from(text) {
            Ok(value) => _ = self.headers.insert(name, value),
            Err(_) => self.failed = true,
        }
        self
    }

    /// Sets a header that may be absent.
    #[must_use]
    pub fn optional_header(self, name: HeaderName, value: Option<impl Display>) -> Self {
        match value {
            Some(value) => self.header(name, &value),
            None => self,
        }
    }

    /// Sets a header to a value in the style `simple`; null is no header. The
    /// members of an object are `name=value` where it is exploded, and of a
    /// list of cookies each has its own line.
    #[must_use]
    pub fn simple_header<T: Serialize + ?Sized>(
        self,
        name: HeaderName,
        explode: bool,
        value: &T,
    ) -> Self {
        match serde_json::to_value(value) {
            Ok(Value::Array(items)) if header_lines::are_apart(&name) => {
                items.iter().fold(self, |set, item| set.line(&name, item))
            }
            Ok(value) => self.styled(name, Style::Simple, explode, &value),
            Err(_) => self.fail(),
        }
    }

    /// Adds a line with one text to a header.
    fn line(mut self, name: &HeaderName, item: &Value) -> Self {
        let is_one = !matches!(item, Value::Null | Value::Array(_) | Value::Object(_));
        match HeaderValue::try_from(param_write::text(item)) {
            Ok(value) if is_one => _ = self.headers.append(name, value),
            _ => self.failed = true,
        }
        self
    }

    /// Sets a header to a text of JSON; null is no header.
    #[must_use]
    pub fn json_header<T: Serialize + ?Sized>(self, name: HeaderName, value: &T) -> Self {
        match serde_json::to_value(value) {
            Ok(value) => self.styled(name, Style::Json, false, &value),
            Err(_) => self.fail(),
        }
    }

    fn fail(mut self) -> Self {
        self.failed = true;
        self
    }

    fn styled(self, name: HeaderName, style: Style, explode: bool, value: &Value) -> Self {
        let param = Param {
            // Neither style writes it.
            name: "",
            place: Place::Header,
            style,
            explode,
            shape: match value {
                Value::Array(_) => Shape::Array,
                Value::Object(_) => Shape::Object(&[]),
                _ => Shape::Scalar,
            },
            schema: "",
        };
        match value {
            Value::Null => self,
            value if param_write::is_read_again(&param, value) => {
                self.header(name, &param_write::single(&param, value))
            }
            _ => self.fail(),
        }
    }

    /// Ends with a body of `application/json`.
    ///
    /// # Errors
    /// [`Fault::Internal`] where the body or a header cannot be written.
    pub fn json<T: ?Sized>(self, body: &Encoded<T>) -> Result<Response<Body>, Fault> {
        self.encoded("application/json", body)
    }

    /// Ends with a body of JSON under another media type.
    ///
    /// # Errors
    /// As [`Responder::json`].
    pub fn encoded<T: ?Sized>(
        self,
        content_type: &str,
        body: &Encoded<T>,
    ) -> Result<Response<Body>, Fault> {
        let bytes = body.bytes().map_err(|_| Fault::Internal)?.clone();
        self.bytes(content_type, bytes)
    }

    /// Ends with a body that is the text of one value.
    ///
    /// # Errors
    /// As [`Responder::json`].
    pub fn scalar<T: Serialize + ?Sized>(
        self,
        content_type: &str,
        body: &T,
    ) -> Result<Response<Body>, Fault> {
        let value = serde_json::to_value(body).map_err(|_| Fault::Internal)?;
        self.bytes(content_type, param_write::text(&value))
    }

    /// Ends with a body of text or bytes.
    ///
    /// # Errors
    /// [`Fault::Internal`] where a header cannot be written.
    pub fn bytes(
        self,
        content_type: &str,
        body: impl Into<Bytes>,
    ) -> Result<Response<Body>, Fault> {
        self.stream(content_type, ByteStream::from(body.into()))
    }

    /// Ends with a body that is still to come. Its own media type goes before
    /// a range.
    ///
    /// # Errors
    /// [`Fault::Internal`] where a header cannot be written.
    pub fn stream(
        mut self,
        content_type: &str,
        body: impl Into<ByteStream>,
    ) -> Result<Response<Body>, Fault> {
        let body = body.into();
        let content_type = media::concrete(content_type, body.content_type());
        let content_type = HeaderValue::from_str(content_type).map_err(|_| Fault::Internal)?;
        self.headers.insert(CONTENT_TYPE, content_type);
        self.finish(body.into())
    }

    /// Ends with events, which no cache is to keep.
    ///
    /// # Errors
    /// [`Fault::Internal`] where a header cannot be written.
    pub fn events(
        mut self,
        content_type: &str,
        events: ByteStream,
    ) -> Result<Response<Body>, Fault> {
        let uncached = HeaderValue::from_static("no-cache");
        self.headers.entry(CACHE_CONTROL).or_insert(uncached);
        self.stream(content_type, events)
    }

    /// Ends without a body.
    ///
    /// # Errors
    /// [`Fault::Internal`] where a header cannot be written.
    pub fn empty(self) -> Result<Response<Body>, Fault> {
        self.finish(Body::empty())
    }

    fn finish(self, body: Body) -> Result<Response<Body>, Fault> {
        if self.failed {
            return Err(Fault::Internal);
        }
        let mut response = Response::new(body);
        *response.status_mut() = self.status;
        *response.headers_mut() = self.headers;
        Ok(response)
    }
}
}
pub mod route {
//! Which operation a request is for.
//!
//! Templates form a tree by segment. A literal segment goes before one with
//! parameters; where the rest of the path then leads nowhere, the next is
//! tried. Each node of the tree is visited at most once for a path, so the
//! time is bounded by the size of the contract. There is no magic of slashes:
//! `/cats/` and `/cats` are different paths. Operations of the same method and
//! path are told apart by what they want of the query and the headers, and by
//! the media types that they take.

use std::collections::BTreeMap;
use std::ops::Range;

use http::header::CONTENT_TYPE;
use http::{HeaderMap, Method, Uri};

use super::captures::{Captures, decode};
use super::media;
use super::operation::Operation;
use super::route_segment::Segment;

/// Where a request leads.
#[derive(Debug)]
pub enum Routed {
    /// To an operation.
    Found {
        /// The operation; that of `GET` for a `HEAD` without an operation of
        /// its own.
        operation: &'static Operation,
        /// What the path gave to its parameters.
        captures: Captures,
    },
    /// To a path that has no operation with the method.
    NoMethod {
        /// The methods that it has, as the `Allow` header lists them.
        allow: String,
    },
    /// Nowhere.
    NoRoute,
}

impl Routed {
    /// The operation that was found.
    #[must_use]
    pub const fn operation(&self) -> Option<&'static Operation> {
        match self {
            Self::Found { operation, .. } => Some(operation),
            Self::NoMethod { .. } | Self::NoRoute => None,
        }
    }
}

/// The routes of a contract.
#[derive(Debug)]
pub struct Router {
    root: Node,
}

#[derive(Debug, Default)]
struct Node {
    literals: BTreeMap<String, Node>,
    /// The most specific first.
    patterns: BTreeMap<Segment, Node>,
    endpoints: Vec<Endpoint>,
}

#[derive(Debug)]
struct Endpoint {
    operation: &'static Operation,
    /// The names of the parameters, in the order of capture. Two templates
    /// may share a node and name their parameters differently.
    names: Vec<&'static str>,
}

impl Router {
    /// The routes of `operations`.
    #[must_use]
    pub fn new(operations: &'static [Operation]) -> Self {
        let mut root = Node::default();
        for operation in operations.iter().filter(|operation| operation.served) {
            let mut names = Vec::new();
            let mut node = &mut root;
            for template in segments(operation.base_path).chain(segments(operation.path)) {
                let (segment, captured) = Segment::parse(template);
                names.extend(captured);
                node = node.child(segment);
            }
            node.endpoints.push(Endpoint { operation, names });
        }
        Self { root }
    }

    /// Finds the operation for a request line and headers.
    #[must_use]
    pub fn find(&self, method: &Method, uri: &Uri, headers: &HeaderMap) -> Routed {
        let path = uri.path();
        let mut ranges = Vec::new();
        let Some(node) = path
            .strip_prefix('/')
            .and_then(|rest| self.root.find(path, rest, &mut ranges))
        else {
            return Routed::NoRoute;
        };
        if !node.has(method) {
            return Routed::NoMethod {
                allow: node.allow(),
            };
        }
        let Some(endpoint) = node.endpoint(method, uri.query(), headers) else {
            return Routed::NoRoute;
        };
        let captures = match uri.path_and_query() {
            Some(path) if !ranges.is_empty() => Captures::new(
                path.clone(),
                endpoint.names.iter().copied().zip(ranges).collect(),
            ),
            _ => Some(Captures::default()),
        };
        let found = |captures| Routed::Found {
            operation: endpoint.operation,
            captures,
        };
        captures.map_or(Routed::NoRoute, found)
    }
}

impl Node {
    fn child(&mut self, segment: Segment) -> &mut Self {
        match segment.literal() {
            Some(text) => self.literals.entry(text.to_owned()).or_default(),
            None => self.patterns.entry(segment).or_default(),
        }
    }

    /// The node that the rest of a path leads to; `path` is the whole path,
    /// which captures are ranges of.
    fn find<'n>(
        &'n self,
        path: &str,
        rest: &str,
        ranges: &mut Vec<Range<usize>>,
    ) -> Option<&'n Self> {
        // Segments are short: looking at their bytes one by one is the quickest.
        let end = rest.bytes().position(|byte| byte == b'/');
        let cut = end.and_then(|end| Some((rest.get(..end)?, rest.get(end + 1..)?)));
        let (segment, rest) = match cut {
            Some((segment, rest)) => (segment, Some(rest)),
            None => (rest, None),
        };
        let follow = |node: &'n Self, ranges: &mut Vec<_>| match rest {
            Some(rest) => node.find(path, rest, ranges),
            None => (!node.endpoints.is_empty()).then_some(node),
        };
        let literal = decode(segment)
            .ok()
            .and_then(|text| self.literals.get(text.as_ref()));
        if let Some(found) = literal.and_then(|node| follow(node, ranges)) {
            return Some(found);
        }
        let start = path.len() - rest.map_or(0, |rest| rest.len() + 1) - segment.len();
        let kept = ranges.len();
        for (pattern, node) in &self.patterns {
            let Some(captured) = pattern.captures(segment) else {
                continue;
            };
            ranges.extend(
                captured
                    .into_iter()
                    .map(|range| start + range.start..start + range.end),
            );
            if let Some(found) = follow(node, ranges) {
                return Some(found);
            }
            ranges.truncate(kept);
        }
        None
    }

    /// The operations with a method; those of `GET` for a `HEAD` without one
    /// of its own.
    fn with(&self, method: &Method) -> impl Iterator<Item = &Endpoint> {
        let own = |method: &Method| self.endpoints.iter().any(|e| e.operation.method == *method);
        let instead = *method == Method::HEAD && !own(method);
        let wanted = if instead { Method::GET } else { method.clone() };
        self.endpoints
            .iter()
            .filter(move |endpoint| endpoint.operation.method == wanted)
    }

    fn has(&self, method: &Method) -> bool {
        self.with(method).next().is_some()
    }

    /// Of the operations that have all that they want, the one that wants the
    /// most; of several, the one that the body suits best.
    fn endpoint(
        &self,
        method: &Method,
        query: Option<&str>,
        headers: &HeaderMap,
    ) -> Option<&Endpoint> {
        let mut asked = self.with(method).filter(|endpoint| {
            let mut wants = endpoint.operation.wants.iter();
            wants.all(|want| want.is_met(query, headers))
        });
        let first = asked.next()?;
        let rank = |endpoint: &Endpoint| {
            let operation = endpoint.operation;
            (operation.wants.len(), suits(operation, headers))
        };
        Some(asked.fold(
            first,
            |best, next| {
                if rank(next) > rank(best) { next } else { best }
            },
        ))
    }

    fn allow(&self) -> String {
        let mut methods: Vec<_> = self
            .endpoints
            .iter()
            .map(|e| e.operation.method.as_str())
            .collect();
        if methods.contains(&"GET") && !methods.contains(&"HEAD") {
            methods.push("HEAD");
        }
        methods.sort_unstable();
        methods.dedup();
        methods.join(", ")
    }
}

/// How well an operation and the body of a request suit each other, to compare.
fn suits(operation: &Operation, headers: &HeaderMap) -> u8 {
    let consumes = operation.consumes;
    match headers.contains_key(CONTENT_TYPE) {
        true if media::consumed(headers, consumes).is_some() => 2,
        true => u8::from(consumes.is_empty()),
        false if consumes.is_empty() => 2,
        false => u8::from(!operation.body_required),
    }
}

/// The segments of a template; none for the empty one.
fn segments(template: &'static str) -> impl Iterator<Item = &'static str> {
    let below = template.strip_prefix('/').unwrap_or(template);
    template
        .strip_prefix('/')
        .map(|_| below.split('/'))
        .into_iter()
        .flatten()
}
}
mod route_segment {
//! One segment of a path template: literal text with parameters in it.
//!
//! Text is compared after percent-decoding, so that `/%63ats` is `/cats`;
//! what a parameter captures is left encoded. A parameter never captures
//! nothing, and where a segment has several, each takes as little as it can;
//! one that a segment names again is the same text each time.

use std::cmp::Reverse;
use std::ops::Range;

use percent_encoding::percent_decode_str;

/// A segment of a template. The more specific of two is the lesser: that with
/// more literal text.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Segment {
    weight: Reverse<usize>,
    /// The literal texts around the parameters: one more than there are
    /// parameters, any of them possibly empty.
    literals: Vec<String>,
    /// For each parameter, the first of that name.
    firsts: Vec<usize>,
}

impl Segment {
    /// A template's segment, and the names of its parameters in order. A
    /// brace that is not closed is literal.
    pub(super) fn parse(template: &str) -> (Self, Vec<&str>) {
        let (mut literals, mut names) = (vec![String::new()], Vec::new());
        let mut rest = template;
        while let Some((before, after)) = rest.split_once('{') {
            let Some((name, tail)) = after.split_once('}') else {
                break;
            };
            push(&mut literals, before);
            literals.push(String::new());
            names.push(name);
            rest = tail;
        }
        push(&mut literals, rest);
        let first = |name: &&str| names.iter().position(|known| known == name);
        let segment = Self {
            weight: Reverse(literals.iter().map(String::len).sum()),
            firsts: names.iter().filter_map(first).collect(),
            literals,
        };
        (segment, names)
    }

    /// The text of a segment without parameters.
    pub(super) fn literal(&self) -> Option<&str> {
        match self.literals.as_slice() {
            [text] => Some(text),
            _ => None,
        }
    }

    /// The ranges of `text` that the parameters capture.
    pub(super) fn captures(&self, text: &str) -> Option<Vec<Range<usize>>> {
        let [first, middle @ .., last] = self.literals.as_slice() else {
            return None;
        };
        let start = literal_prefix(text, first)?;
        let mut firsts = self.firsts.iter().enumerate();
        let mut division = Division {
            text,
            end: literal_suffix(text, start, last)?,
            between: middle,
            firsts: &self.firsts,
            distinct: firsts.all(|(at, first)| at == *first),
            plain: !text.contains('%'),
            ranges: Vec::with_capacity(self.firsts.len()),
            seen: vec![None; middle.len()],
            effort: EFFORT,
        };
        division.complete(start).then_some(division.ranges)
    }
}

/// How much may be tried to find a text that is the same wherever a segment names it, in bytes that
/// are looked at: for two of a name and no encoding, all there is to try in the longest path.
const EFFORT: usize = 1 << 20;

/// What one attempt takes beside the bytes that it looks at.
const ATTEMPT: usize = 16;

/// A literal text that was looked for: from where on, and where it begins and ends.
type Seen = (usize, Option<(usize, usize)>);

/// A text that is being divided among parameters.
struct Division<'a> {
    text: &'a str,
    end: usize,
    /// The literal texts between the parameters.
    between: &'a [String],
    firsts: &'a [usize],
    /// Whether no name comes twice.
    distinct: bool,
    /// Whether nothing is percent-encoded.
    plain: bool,
    /// What the parameters take, as far as that is known.
    ranges: Vec<Range<usize>>,
    /// Where each of `between` was found last.
    seen: Vec<Option<Seen>>,
    /// What is left of [`EFFORT`].
    effort: usize,
}

impl Division<'_> {
    /// Finds what the other parameters take from `start` on. Where nothing is
    /// named twice, the first attempt is the only one.
    fn complete(&mut self, start: usize) -> bool {
        let param = self.ranges.len();
        let Some(first) = self.firsts.get(param) else {
            return true;
        };
        if let Some(earlier) = self.ranges.get(*first).cloned() {
            let again = self.again(earlier, start);
            return again.is_some_and(|(end, next)| self.take(start..end, next));
        }
        if param == self.between.len() {
            return start < self.end && self.take(start..self.end, self.end);
        }
        let mut from = start + 1;
        while let Some((found, next)) = self.find(param, from) {
            if self.take(start..found, next) {
                return true;
            }
            if self.distinct || self.effort == 0 {
                return false;
            }
            from = found + 1;
        }
        false
    }

    /// Whether the next parameter may take a range, where the one after it begins at `next`.
    fn take(&mut self, range: Range<usize>, next: usize) -> bool {
        self.charge(ATTEMPT);
        self.ranges.push(range);
        let complete = self.complete(next);
        if !complete {
            self.ranges.pop();
        }
        complete
    }

    /// Where the text that was taken `earlier` ends if it stands at `start` again, and where what
    /// is literal behind it does. Without encoding, its length tells most that are not it.
    fn again(&mut self, earlier: Range<usize>, start: usize) -> Option<(usize, usize)> {
        let known = self.text.get(earlier)?;
        if !self.plain {
            let (length, read) = alike(known, self.text.get(start..self.end)?);
            self.charge(read);
            let end = start + length?;
            return Some((end, self.behind(end)?));
        }
        let end = start + known.len();
        let next = self.behind(end)?;
        self.charge(known.len());
        (self.text.get(start..end)? == known).then_some((end, next))
    }

    /// Where the literal text behind the next parameter ends, if it begins at `from`.
    fn behind(&self, from: usize) -> Option<usize> {
        match self.between.get(self.ranges.len()) {
            Some(literal) => Some(from + literal_prefix(self.text.get(from..self.end)?, literal)?),
            None => (from == self.end).then_some(from),
        }
    }

    /// The first place from `from` on where the literal text behind a parameter stands. What was
    /// found from an earlier place is not looked for again.
    fn find(&mut self, param: usize, from: usize) -> Option<(usize, usize)> {
        let seen = self.seen.get_mut(param)?;
        let known = seen.filter(|(start, found)| {
            *start <= from && found.is_none_or(|(begin, _)| from <= begin)
        });
        if let Some((_, found)) = known {
            return found;
        }
        let found = find(self.text, from, self.end, self.between.get(param)?);
        *seen = Some((from, found));
        self.charge(
            found
                .map_or(self.end, |(begin, _)| begin)
                .saturating_sub(from),
        );
        found
    }

    fn charge(&mut self, bytes: usize) {
        self.effort = self.effort.saturating_sub(bytes);
    }
}

/// How many bytes of `text` decode to what `known` does, at its beginning, and how many were looked
/// at to see it.
fn alike(known: &str, text: &str) -> (Option<usize>, usize) {
    let mut read = 0;
    for expected in percent_decode_str(known) {
        match text.as_bytes().get(read..).and_then(next_octet) {
            Some((byte, length)) if byte == expected => read += length,
            _ => return (None, read),
        }
    }
    (Some(read), read)
}

fn push(literals: &mut [String], text: &str) {
    if let Some(last) = literals.last_mut() {
        last.push_str(&percent_decode_str(text).decode_utf8_lossy());
    }
}

/// The first place from `start` on where `literal` stands before `end`: where
/// it begins and where it ends. A percent-encoded one is a parameter's wherever
/// there is another; no part of an encoded octet is one.
fn find(text: &str, start: usize, end: usize, literal: &str) -> Option<(usize, usize)> {
    let places = || (start..end).filter(|from| !is_within_octet(text, *from));
    let rest = |from: usize| text.get(from..end);
    if !literal.is_empty() && !literal.contains('%') {
        let mut plain = places();
        let is_plain = |from: &usize| rest(*from).is_some_and(|rest| rest.starts_with(literal));
        if let Some(from) = plain.find(is_plain) {
            return Some((from, from + literal.len()));
        }
    }
    places().find_map(|from| Some((from, from + literal_prefix(rest(from)?, literal)?)))
}

/// Where the suffix `literal` of `text` begins, not before `start`.
fn literal_suffix(text: &str, start: usize, literal: &str) -> Option<usize> {
    if literal.is_empty() {
        return Some(text.len());
    }
    let fits = |from: &usize| {
        let rest = text.get(*from..);
        !is_within_octet(text, *from)
            && rest.is_some_and(|rest| literal_prefix(rest, literal) == Some(rest.len()))
    };
    (start..text.len()).rev().find(fits)
}

/// Whether a place is behind the `%` of an encoded octet, which ends later.
fn is_within_octet(text: &str, at: usize) -> bool {
    (1..3).any(|back| {
        let octet = at
            .checked_sub(back)
            .and_then(|from| text.as_bytes().get(from..));
        octet.is_some_and(|octet| {
            octet.starts_with(b"%") && matches!(next_octet(octet), Some((_, 3)))
        })
    })
}

/// How many bytes of `text` decode to `literal` at its beginning.
fn literal_prefix(text: &str, literal: &str) -> Option<usize> {
    let mut read = 0;
    for expected in literal.bytes() {
        let (byte, length) = next_octet(text.as_bytes().get(read..)?)?;
        if byte != expected {
            return None;
        }
        read += length;
    }
    Some(read)
}

/// The octet that `bytes` begin with, and how many bytes write it.
fn next_octet(bytes: &[u8]) -> Option<(u8, usize)> {
    match bytes {
        [b'%', high, low, ..] => {
            let digit = |byte: &u8| char::from(*byte).to_digit(16);
            match (digit(high), digit(low)) {
                (Some(high), Some(low)) => Some((u8::try_from(high * 16 + low).ok()?, 3)),
                _ => Some((b'%', 1)),
            }
        }
        [byte, ..] => Some((*byte, 1)),
        [] => None,
    }
}
}
pub mod security {
//! Who calls: what an operation asks for and how its alternatives are judged.
//!
//! Of several alternatives the first that holds is the answer, and no later
//! one is looked at. Where none holds, the most telling denial is reported: a
//! lack of scopes before a wrong credential, and that before a missing one.

use std::fmt;

use http::request::Parts;

use super::fault::Denial;
use super::operation::Operation;

/// A request whose caller is asked for.
pub struct Asked<'a, V> {
    /// The operation that it is for.
    pub operation: &'static Operation,
    /// What the host found out when it admitted the request.
    pub visitor: &'a V,
    /// The head of the request.
    pub parts: &'a Parts,
}

/// What the credential of one security scheme is shown for.
pub struct Demand<'a, V> {
    /// The operation that asks for it.
    pub operation: &'static Operation,
    /// The scopes (or roles) that its holder must have.
    pub scopes: &'static [&'static str],
    /// What the host found out when it admitted the request.
    pub visitor: &'a V,
    /// The head of the request.
    pub parts: &'a Parts,
}

impl<V> Clone for Asked<'_, V> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<V> Copy for Asked<'_, V> {}

impl<'a, V> Asked<'a, V> {
    /// What the operation demands of a scheme, by the places of the alternative
    /// and of the scheme in it.
    #[must_use]
    pub fn demand(self, alternative: usize, scheme: usize) -> Demand<'a, V> {
        let all = self.operation.security.get(alternative);
        Demand {
            operation: self.operation,
            scopes: all
                .and_then(|all| all.get(scheme))
                .map_or(&[], |used| used.scopes),
            visitor: self.visitor,
            parts: self.parts,
        }
    }
}

/// Shows no part of the request: each may hold a credential.
impl<V> fmt::Debug for Demand<'_, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Demand")
            .field("operation", &self.operation.id)
            .field("scopes", &self.scopes)
            .finish_non_exhaustive()
    }
}

/// Why the alternatives looked at so far do not hold.
#[derive(Debug)]
pub struct Denials(Denial);

impl Default for Denials {
    fn default() -> Self {
        Self(Denial::CredentialMissing)
    }
}

impl Denials {
    /// Takes note of an alternative that does not hold.
    ///
    /// # Errors
    /// The denial itself where no other alternative can help: the caller is
    /// over a limit, or something failed.
    pub fn note(&mut self, denial: Denial) -> Result<(), Denial> {
        if matches!(denial, Denial::RateLimited | Denial::Failed(_)) {
            return Err(denial);
        }
        if telling(&denial) > telling(&self.0) {
            self.0 = denial;
        }
        Ok(())
    }

    /// The most telling one.
    #[must_use]
    pub fn into_denial(self) -> Denial {
        self.0
    }
}

const fn telling(denial: &Denial) -> u8 {
    match denial {
        Denial::CredentialMissing => 0,
        Denial::CredentialInvalid => 1,
        Denial::ScopeInsufficient => 2,
        Denial::RateLimited => 3,
        Denial::Failed(_) => 4,
    }
}
}
pub mod service {
//! The generated service as a whole: from a request to its answer.
//!
//! The order is fixed: route, admission, 404 and 405, the operation's layers,
//! credentials, size (413), media type (415), `Accept` (406), then parameters
//! and body together, then the handler. Whatever happens, panics included,
//! every answer comes from the contract's shapes and carries the headers of
//! the admission.

use std::convert::Infallible;
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::Body;
use futures_util::FutureExt as _;
use http::request::Parts;
use http::{Request, Response};
use tower_layer::Layer;

use super::answer;
use super::arrival::{Arrival, Remembered, arrive};
use super::body::drain;
use super::call::Call;
use super::endpoint::{Endpoint, Layers, Routing, Wrapped};
use super::fault::{Answer, Denial, Failure, Fault};
use super::host::{Admission, Host, Visit};
use super::operation::Operation;
use super::route::{Routed, Router};

/// Bounds on what a request may cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The longest request body that is held in memory, in bytes.
    pub body: u64,
    /// The longest request body that passes as a stream, in bytes.
    pub stream: u64,
    /// How much of a body that nobody wants is read, in bytes.
    pub drain: u64,
    /// For how long.
    pub drain_deadline: Duration,
}

impl Limits {
    /// The same bounds for an operation that may have its own.
    #[must_use]
    fn of(self, operation: &Operation) -> Self {
        match operation.body_limit {
            None => self,
            Some(limit) => Self {
                body: limit,
                stream: limit,
                ..self
            },
        }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            body: 64 << 10,
            stream: 1 << 30,
            drain: 8 << 20,
            drain_deadline: Duration::from_secs(5),
        }
    }
}

/// The answer of an operation, in time.
pub type Reply = Pin<Box<dyn Future<Output = Result<Response<Body>, Fault>> + Send>>;

/// What the generator writes for a contract: its table of operations, its
/// shapes of faults, and the way to its handlers.
pub trait Dispatch: Send + Sync + 'static {
    /// The server that hosts the service.
    type Host: Host;
    /// The operations by their ids.
    type OperationId: Into<&'static Operation>;

    /// The host.
    fn host(&self) -> &Self::Host;
    /// The table of operations.
    fn operations() -> &'static [Operation];
    /// The contract's answer to a fault.
    fn answer(&self, fault: &Fault) -> Answer;
    /// Finds out who calls, reads the request, calls the handler and encodes
    /// its answer.
    fn call(&self, call: Call<Visitor<Self>>) -> Reply;
}

/// What the host of a dispatch remembers of a visitor.
pub(super) type Visitor<D> = <<D as Dispatch>::Host as Host>::Visitor;

/// A contract's operations as one service.
pub struct Service<D: Dispatch> {
    core: Arc<Core<D>>,
    layers: Layers,
}

impl<D: Dispatch> Service<D> {
    /// The service of `dispatch`.
    #[must_use]
    pub fn new(dispatch: D, limits: Limits) -> Self {
        let router = Router::new(D::operations());
        Self {
            core: Arc::new(Core {
                dispatch,
                router,
                limits,
            }),
            layers: Layers::default(),
        }
    }

    /// Wraps one operation in a layer, around the layers that it has already:
    /// the last one sees a request first. [`Endpoint`] says where layers come
    /// in.
    #[must_use]
    pub fn layer<L>(self, operation: D::OperationId, layer: &L) -> Self
    where
        L: Layer<Endpoint<D>>,
        L::Service: Wrapped,
    {
        let Self { core, layers } = self;
        let layers = layers.with(&core, operation.into().index, layer);
        Self { core, layers }
    }

    /// Wraps each operation in a layer, as [`Service::layer`] wraps one.
    #[must_use]
    pub fn layer_all<L>(self, layer: &L) -> Self
    where
        L: Layer<Endpoint<D>>,
        L::Service: Wrapped,
    {
        let Self { core, layers } = self;
        let all = D::operations().iter();
        let layers = all.fold(layers, |layers, operation| {
            layers.with(&core, operation.index, layer)
        });
        Self { core, layers }
    }

    /// The answer to a request: what [`tower_service::Service::call`] gives,
    /// without a box and a clone.
    pub fn respond(
        &self,
        request: Request<Body>,
    ) -> impl Future<Output = Response<Body>> + Send + '_ {
        let (arrival, remembered) = arrive(request, &self.core.router);
        self.core.serve(arrival, remembered, &self.layers)
    }

    /// The contract's answer to a fault that something around this service
    /// found, such as a deadline.
    #[must_use]
    pub fn answer(&self, fault: &Fault) -> Response<Body> {
        self.core.refuse(fault, None)
    }
}

impl<D: Dispatch> Clone for Service<D> {
    fn clone(&self) -> Self {
        Self {
            core: Arc::clone(&self.core),
            layers: self.layers.clone(),
        }
    }
}

impl<D: Dispatch> tower_service::Service<Request<Body>> for Service<D> {
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response<Body>, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        let Self { core, layers } = self.clone();
        let (arrival, remembered) = arrive(request, &core.router);
        Box::pin(async move { Ok(core.serve(arrival, remembered, &layers).await) })
    }
}

/// What the clones of a service share.
pub(super) struct Core<D> {
    dispatch: D,
    router: Router,
    limits: Limits,
}

impl<D: Dispatch> Core<D> {
    async fn serve(
        &self,
        arrival: Box<Arrival>,
        remembered: Remembered,
        layers: &Layers,
    ) -> Response<Body> {
        let response = self.observed(arrival, layers).await;
        let leftover = remembered.lender.and_then(|lender| lender.take());
        let expects_continue = remembered.expects_continue;
        if let Some(left) = leftover.filter(|left| left.begun || !expects_continue) {
            drain(left.body, self.limits.drain, self.limits.drain_deadline).await;
        }
        match remembered.is_head {
            true => answer::without_body(response),
            false => response,
        }
    }

    /// The answer that the host has seen on its way.
    async fn observed(&self, arrival: Box<Arrival>, layers: &Layers) -> Response<Body> {
        let matched = arrival.matched;
        let answering = pin!(self.answer(arrival, layers));
        let observing = pin!(async { self.dispatch.host().observe(matched, answering).await });
        let observed = AssertUnwindSafe(observing).catch_unwind().await;
        observed.unwrap_or_else(|_| self.refuse(&Fault::Internal, matched.operation()))
    }

    /// The answer with the headers of the admission; the body is dropped then.
    async fn answer(&self, arrival: Box<Arrival>, layers: &Layers) -> Response<Body> {
        let operation = arrival.matched.operation();
        let visit = Visit {
            operation,
            parts: &arrival.parts,
        };
        let Admission { outcome, headers } = self.admit(visit).await;
        let outcome = match outcome {
            Ok(visitor) => {
                // Pinned before it is wrapped, which else would move all of it.
                let handling = pin!(self.handle(arrival, visitor, layers));
                let handled = AssertUnwindSafe(handling).catch_unwind().await;
                handled.unwrap_or(Err(Fault::Internal))
            }
            Err(denial) => Err(denial.into()),
        };
        let mut response = outcome.unwrap_or_else(|fault| self.refuse(&fault, operation));
        if let Some(operation) = operation {
            answer::tell_end(operation, response.headers_mut());
        }
        response.headers_mut().reserve(headers.len());
        for (name, value) in headers {
            response.headers_mut().insert(name, value);
        }
        response
    }

    async fn admit(&self, visit: Visit<'_>) -> Admission<Visitor<D>> {
        let admitting = pin!(async { self.dispatch.host().admit(visit).await });
        let admission = AssertUnwindSafe(admitting).catch_unwind().await;
        admission.unwrap_or_else(|_| Admission {
            outcome: Err(Denial::Failed(Failure::Internal)),
            headers: Vec::new(),
        })
    }

    async fn handle(
        &self,
        arrival: Box<Arrival>,
        visitor: Visitor<D>,
        layers: &Layers,
    ) -> Result<Response<Body>, Fault> {
        let Arrival {
            matched,
            routed,
            parts,
            body,
        } = *arrival;
        let routing = match routed {
            Routed::Found {
                operation,
                captures,
            } => Routing {
                operation,
                captures,
                visitor,
            },
            Routed::NoMethod { allow } => return Err(Fault::Method { allow }),
            Routed::NoRoute => return Err(Fault::Route),
        };
        match layers.of(routing.operation.index) {
            Some(wrapping) => {
                let request = Request::from_parts(parts, body);
                wrapping(routing.stow(request, matched)).await
            }
            None => self.call(routing, parts, body).await,
        }
    }

    /// Calls the operation itself, below all layers. What it is called with is
    /// no part of the future, but where the operation keeps it.
    pub(super) fn call(
        &self,
        routing: Routing<Visitor<D>>,
        parts: Parts,
        body: Body,
    ) -> impl Future<Output = Result<Response<Body>, Fault>> + Send + use<D> {
        // Of several types the handler may have chosen one that was refused.
        let several = routing.operation.produces.len() > 1;
        let accept = several.then(|| parts.headers.clone());
        let call = Call {
            operation: routing.operation,
            visitor: routing.visitor,
            captures: routing.captures,
            parts,
            body,
            limits: self.limits.of(routing.operation),
        };
        let calling = catch_unwind(AssertUnwindSafe(|| self.dispatch.call(call)));
        async move {
            let reply = calling.map_err(|_| Fault::Internal)?;
            let replied = AssertUnwindSafe(reply).catch_unwind().await;
            let response = replied.unwrap_or(Err(Fault::Internal))?;
            match accept {
                Some(headers) if !answer::is_admitted(&response, &headers) => {
                    Err(Fault::NotAcceptable)
                }
                _ => Ok(response),
            }
        }
    }

    /// The contract's answer to a fault. Where it cannot be worded, something
    /// failed; where that cannot be worded either, the answer is plain.
    pub(super) fn refuse(
        &self,
        fault: &Fault,
        operation: Option<&'static Operation>,
    ) -> Response<Body> {
        let word = |fault: &Fault| {
            let worded = catch_unwind(AssertUnwindSafe(|| self.dispatch.answer(fault))).ok()?;
            Some(answer::of_fault(fault, worded, operation))
        };
        let worded = word(fault).or_else(|| word(&Fault::Internal));
        worded.unwrap_or_else(answer::of_nobody)
    }
}
}
pub mod stream {
//! Bodies that pass piece by piece: memory is bounded by the length of a
//! piece, and whoever is slow holds the other side back.
//!
//! Which bodies are streams is decided by their media types: JSON, forms,
//! texts and XML are read whole, everything else is a [`ByteStream`]. A
//! request's stream has two limits of its own: [`Limits::stream`] for what may
//! pass at all, and [`Limits::body`] for what [`ByteStream::bytes`] holds in
//! memory.

use std::fmt;
use std::pin::Pin;
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll, ready};

use axum::body::Body;
use bytes::Bytes;
use futures_util::{Stream, StreamExt};
use http::HeaderMap;
use http::header::CONTENT_TYPE;
use http_body::{Body as _, Frame, SizeHint};

use super::fault::{Failure, Fault};
use super::service::Limits;
use json_schema::issue::{Issue, Place};

/// Why a stream ends before its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StreamError {
    /// More came than may come.
    TooLarge {
        /// The limit in bytes.
        limit: u64,
    },
    /// What came violates the contract; all violations that were found.
    Invalid(Vec<Issue>),
    /// The other side broke off, or what the stream was made from failed.
    Broken {
        /// What is known of it.
        reason: String,
    },
}

impl StreamError {
    /// The error of a stream whose source failed.
    pub fn broken(error: impl fmt::Display) -> Self {
        Self::Broken {
            reason: error.to_string(),
        }
    }
}

impl fmt::Display for StreamError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLarge { limit } => write!(f, "the stream is longer than {limit} bytes"),
            Self::Invalid(issues) => {
                write!(f, "the stream violates the contract")?;
                match issues.first() {
                    Some(first) => write!(f, ": {} {}", first.at, first.message),
                    None => Ok(()),
                }
            }
            Self::Broken { reason } => write!(f, "the stream broke off: {reason}"),
        }
    }
}

impl std::error::Error for StreamError {}

impl From<StreamError> for Fault {
    fn from(error: StreamError) -> Self {
        match error {
            StreamError::TooLarge { limit } => Self::TooLarge { limit },
            StreamError::Invalid(issues) => Self::Invalid(issues),
            StreamError::Broken { .. } => Self::Invalid(vec![Issue {
                place: Place::Body,
                at: String::new(),
                keyword: "type",
                message: "ends before it is complete".to_owned(),
            }]),
        }
    }
}

impl From<StreamError> for Failure {
    /// For a handler that has nothing to add: the caller is told what was
    /// wrong with the request's stream whatever the handler fails with.
    fn from(error: StreamError) -> Self {
        match error.into() {
            Fault::Invalid(issues) => Self::Invalid(issues),
            _ => Self::Internal,
        }
    }
}

/// What went wrong with a request's stream while a handler read it.
///
/// The handler is running by then and its error type is the team's own, so
/// the first trouble is kept here, and answered when the handler fails.
#[derive(Debug, Clone, Default)]
pub struct Trouble(Arc<OnceLock<Fault>>);

impl Trouble {
    /// The fault to answer a handler's failure with.
    #[must_use]
    pub fn or(&self, failed: Fault) -> Fault {
        self.0.get().cloned().unwrap_or(failed)
    }

    pub(super) fn note(&self, error: &StreamError) {
        _ = self.0.set(error.clone().into());
    }
}

/// A body of bytes that arrives, or is sent, piece by piece.
///
/// It is a [`Stream`] of pieces. Dropping it unread is fine: what is left of a
/// request is got rid of, and an answer's sender is told to stop.
pub struct ByteStream {
    body: Body,
    content_type: Option<String>,
    limit: u64,
    whole: u64,
    passed: u64,
    /// How long it is, where that is known from elsewhere.
    announced: Option<u64>,
    trouble: Option<Trouble>,
}

impl ByteStream {
    /// A stream of pieces. An error ends it, and breaks off the message that
    /// it is the body of.
    pub fn new<S, E>(pieces: S) -> Self
    where
        S: Stream<Item = Result<Bytes, E>> + Send + 'static,
        E: fmt::Display + 'static,
    {
        let pieces = pieces.map(|piece| piece.map_err(StreamError::broken));
        Self::from(Body::from_stream(pieces))
    }

    /// The body of a request, within the limits of its operation.
    #[must_use]
    pub fn incoming(body: Body, headers: &HeaderMap, limits: &Limits, trouble: &Trouble) -> Self {
        let content_type = headers.get(CONTENT_TYPE);
        Self {
            content_type: content_type.and_then(|value| Some(value.to_str().ok()?.to_owned())),
            limit: limits.stream,
            whole: limits.body,
            trouble: Some(trouble.clone()),
            ..Self::from(body)
        }
    }

    /// The same stream, of which it is known how long it is.
    pub(super) const fn announcing(mut self, length: Option<u64>) -> Self {
        self.announced = length;
        self
    }

    /// The same stream, of a media type that its contract leaves open: one of
    /// `image/*`, say.
    #[must_use]
    pub fn with_type(mut self, content_type: impl Into<String>) -> Self {
        self.content_type = Some(content_type.into());
        self
    }

    /// Its media type, where it is known: the `Content-Type` that it came
    /// with, or what [`ByteStream::with_type`] said.
    #[must_use]
    pub fn content_type(&self) -> Option<&str> {
        self.content_type.as_deref()
    }

    /// How many bytes are to come, where the sender said so.
    #[must_use]
    pub fn length(&self) -> Option<u64> {
        http_body::Body::size_hint(self).exact()
    }

    /// Whether it is known that nothing is to come.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.body.is_end_stream()
    }

    /// The next piece; `None` at the end.
    ///
    /// # Errors
    /// [`StreamError`]; nothing comes after one.
    pub async fn next(&mut self) -> Option<Result<Bytes, StreamError>> {
        StreamExt::next(self).await
    }

    /// All of it, in memory. Of a request no more than [`Limits::body`].
    ///
    /// # Errors
    /// [`StreamError::TooLarge`] beyond that.
    pub async fn bytes(self) -> Result<Bytes, StreamError> {
        let most = self.whole;
        self.bytes_within(most).await
    }

    /// All of it, in memory, unless it is longer than `most` bytes.
    ///
    /// # Errors
    /// [`StreamError::TooLarge`] beyond that.
    pub async fn bytes_within(mut self, most: u64) -> Result<Bytes, StreamError> {
        self.limit = self.limit.min(most);
        let mut first = Bytes::new();
        let mut all = Vec::new();
        while let Some(piece) = self.next().await {
            let piece = piece?;
            // Most bodies come in one piece, which is then not copied.
            if first.is_empty() && all.is_empty() {
                first = piece;
                continue;
            }
            if all.is_empty() {
                all.extend_from_slice(&first);
            }
            all.extend_from_slice(&piece);
        }
        Ok(if all.is_empty() { first } else { all.into() })
    }

    /// Whether so much of it may be held in memory at once.
    pub(super) fn holds(&mut self, length: usize) -> Result<(), StreamError> {
        let limit = self.whole;
        if u64::try_from(length).is_ok_and(|length| length <= limit) {
            return Ok(());
        }
        Err(self.refuse(StreamError::TooLarge { limit }))
    }

    /// Ends the stream, with a reason that the caller is to be told.
    pub(super) fn refuse(&mut self, error: StreamError) -> StreamError {
        if let Some(trouble) = &self.trouble {
            trouble.note(&error);
        }
        self.body = Body::empty();
        error
    }
}

impl http_body::Body for ByteStream {
    type Data = Bytes;
    type Error = StreamError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, StreamError>>> {
        let limit = self.limit;
        if self.body.size_hint().lower() > limit.saturating_sub(self.passed) {
            return Poll::Ready(Some(Err(self.refuse(StreamError::TooLarge { limit }))));
        }
        let frame = match ready!(Pin::new(&mut self.body).poll_frame(context)) {
            None => return Poll::Ready(None),
            Some(Ok(frame)) => frame,
            Some(Err(error)) => {
                return Poll::Ready(Some(Err(self.refuse(StreamError::broken(error)))));
            }
        };
        let length = frame.data_ref().map_or(0, Bytes::len);
        self.passed += u64::try_from(length).unwrap_or(u64::MAX);
        if self.passed > limit {
            return Poll::Ready(Some(Err(self.refuse(StreamError::TooLarge { limit }))));
        }
        Poll::Ready(Some(Ok(frame)))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        match self.announced {
            Some(length) => SizeHint::with_exact(length.saturating_sub(self.passed)),
            None => self.body.size_hint(),
        }
    }
}

impl Stream for ByteStream {
    type Item = Result<Bytes, StreamError>;

    fn poll_next(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Bytes, StreamError>>> {
        loop {
            match ready!(self.as_mut().poll_frame(context)) {
                None => return Poll::Ready(None),
                Some(Err(error)) => return Poll::Ready(Some(Err(error))),
                // Trailers are no part of the content.
                Some(Ok(frame)) => {
                    if let Ok(data) = frame.into_data() {
                        return Poll::Ready(Some(Ok(data)));
                    }
                }
            }
        }
    }
}

impl From<Body> for ByteStream {
    fn from(body: Body) -> Self {
        Self {
            body,
            content_type: None,
            limit: u64::MAX,
            whole: u64::MAX,
            passed: 0,
            announced: None,
            trouble: None,
        }
    }
}

impl From<ByteStream> for Body {
    fn from(stream: ByteStream) -> Self {
        Self::new(stream)
    }
}

macro_rules! from_whole {
    ($($whole:ty),*) => {
        $(impl From<$whole> for ByteStream {
            fn from(whole: $whole) -> Self {
                Self::from(Body::from(whole))
            }
        })*
    };
}

from_whole!(Bytes, Vec<u8>, String, &'static [u8], &'static str);

impl Default for ByteStream {
    /// An empty one.
    fn default() -> Self {
        Self::from(Body::empty())
    }
}

impl fmt::Debug for ByteStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ByteStream")
            .field("content_type", &self.content_type)
            .field("length", &self.length())
            .field("passed", &self.passed)
            .finish_non_exhaustive()
    }
}
}
pub mod transport {
//! What carries the typed client's requests.

use std::error::Error;
use std::fmt;
use std::future::Future;

use axum::body::Body;
use http::{Request, Response};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;

/// Sends a request and brings back the answer. Bodies pass as they come, in
/// both directions.
pub trait Transport: Send + Sync {
    /// Why there was no answer.
    type Error: Send;

    /// Sends one request, and returns when the head of the answer is there.
    /// The URI is absolute.
    fn send(
        &self,
        request: Request<Body>,
    ) -> impl Future<Output = Result<Response<Body>, Self::Error>> + Send;
}

/// HTTP/1.1 without encryption, over a pool of connections. A cheap clone
/// shares the pool.
#[derive(Debug, Clone)]
pub struct HttpTransport {
    client: Client<HttpConnector, Body>,
}

impl HttpTransport {
    /// A transport without connections yet. Sending needs a tokio runtime.
    #[must_use]
    pub fn new() -> Self {
        Self {
            client: Client::builder(TokioExecutor::new()).build_http(),
        }
    }
}

impl Default for HttpTransport {
    fn default() -> Self {
        Self::new()
    }
}

impl Transport for HttpTransport {
    type Error = HttpError;

    async fn send(&self, request: Request<Body>) -> Result<Response<Body>, HttpError> {
        let answering = self.client.request(request).await;
        answering
            .map(|response| response.map(Body::new))
            .map_err(HttpError::new)
    }
}

/// A connection that failed.
#[derive(Debug)]
pub struct HttpError(Box<dyn Error + Send + Sync>);

impl HttpError {
    fn new(error: impl Error + Send + Sync + 'static) -> Self {
        Self(Box::new(error))
    }
}

impl fmt::Display for HttpError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Error for HttpError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.0.source()
    }
}
}
pub mod union {
//! Unions: which variant a value is, and reading it as that.
//!
//! A union whose variant a member names, or the type of the value alone, is
//! read in one pass: what comes before the member is kept, the rest goes
//! straight into the variant. Where only the whole value tells, it is kept
//! without being copied, and looked at: most values are outlined by their
//! members well enough that all variants but one are out. Only the others
//! are held against what the schemas ask.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, Serializer};
use serde_json::{Number, Value};

use super::buffered::{Buffered, NAMED_FIRST, exact, number_of};
use super::fields::Writer;
use super::outline;
pub use super::outline::{Constant, Form, Outline};
use super::replay::Replay;
use super::union_parts::{Items, Members};
use json_schema::json::REPEATED;
use json_schema::json::{NUMBER, Name};
pub use json_schema::validator::decide;

/// An enum of which a value is one variant.
pub trait Union<'de>: Sized {
    /// Reads a value as the variant with this index.
    ///
    /// # Errors
    /// Whatever the variant's type refuses.
    fn read<D: Deserializer<'de>>(variant: usize, value: D) -> Result<Self, D::Error>;
}

/// Reads an object as the variant that the text of a member names; `member` is
/// the name of that one member.
///
/// # Errors
/// Where nothing is named, or no variant has the name, or the variant's type
/// refuses the object.
pub fn tagged<'de, U: Union<'de>, D: Deserializer<'de>>(
    deserializer: D,
    member: &'static [&'static str; 1],
    variant: fn(&str) -> Option<usize>,
) -> Result<U, D::Error> {
    let [name] = *member;
    let tagged = Tagged {
        member: name,
        variant,
        union: PhantomData,
    };
    deserializer.deserialize_struct(NAMED_FIRST, member, tagged)
}

/// Writes a variant, with the member that names it where it lacks that; what
/// is no object is written as it is.
///
/// # Errors
/// Whatever writing the value meets.
pub fn write_tagged<T: Serialize, S: Serializer>(
    serializer: S,
    member: &str,
    tag: &str,
    value: &T,
) -> Result<S::Ok, S::Error> {
    match serde_json::to_value(value).map_err(serde::ser::Error::custom)? {
        Value::Object(members) if !members.contains_key(member) => {
            let mut fields = Writer::new(serializer);
            fields.member(member, &tag);
            let others = members.iter();
            others.for_each(|(name, value)| fields.member(name, value));
            fields.end()
        }
        _ => value.serialize(serializer),
    }
}

/// Reads a value as the variant for values of its form.
///
/// # Errors
/// Where there is none, or the variant's type refuses the value.
pub fn formed<'de, U: Union<'de>, D: Deserializer<'de>>(
    deserializer: D,
    variant: fn(Form) -> Option<usize>,
) -> Result<U, D::Error> {
    deserializer.deserialize_any(Formed {
        variant,
        union: PhantomData,
    })
}

/// Reads a value as the only variant that `outlines`, one for each, do not
/// rule out or, where they leave several, the one that `choose` decides on.
///
/// # Errors
/// Where no variant is left, or the variant's type refuses the value.
pub fn outlined<'de, U: Union<'de>, D: Deserializer<'de>>(
    deserializer: D,
    outlines: &[Outline],
    choose: fn(&Value) -> Option<usize>,
) -> Result<U, D::Error> {
    let value = Buffered::deserialize(deserializer)?;
    let (first, second) = first_two(outline::left(&value, outlines));
    if second.is_none() {
        return read(first, Replay::new(value));
    }
    let value = value.value().ok_or_else(|| D::Error::custom(REPEATED))?;
    read(choose(&value), value).map_err(D::Error::custom)
}

/// Reads a value as the only variant that `outlines`, one for each, do not
/// rule out or, where they leave several, as one that takes it and finds it
/// `valid`: the one that keeps most of its members, or the first of those.
///
/// # Errors
/// Where no variant takes the value or, with `exactly_one`, where several do.
pub fn tried<'de, U: Union<'de>, D: Deserializer<'de>>(
    deserializer: D,
    outlines: &[Outline],
    exactly_one: bool,
    valid: fn(&U) -> bool,
) -> Result<U, D::Error> {
    let mut value = Buffered::deserialize(deserializer)?;
    let (first, second) = first_two(outline::left(&value, outlines));
    if second.is_none() {
        return read(first, Replay::new(value));
    }
    // A whole number is an integer however it is written (2020-12 Core, 4.2.3).
    value.make_whole();
    let mut left: Vec<usize> = outline::left(&value, outlines).collect();
    if !exactly_one {
        outline::rank(&value, outlines, &mut left);
    }
    let read = |variant: usize| U::read(variant, Replay::<D::Error>::new(value.clone())).ok();
    let mut fitting = left.into_iter().filter_map(read).filter(valid);
    let found = fitting.next().ok_or_else(no_variant)?;
    if exactly_one && fitting.next().is_some() {
        return Err(no_variant());
    }
    Ok(found)
}

fn first_two(mut left: impl Iterator<Item = usize>) -> (Option<usize>, Option<usize>) {
    (left.next(), left.next())
}

/// The first of the variants whose condition `value` meets; `None` where none
/// is or, with `exactly_one`, where several are.
#[must_use]
pub fn choose(value: &Value, variants: &[fn(&Value) -> bool], exactly_one: bool) -> Option<usize> {
    let mut fits = variants
        .iter()
        .enumerate()
        .filter(|(_, meets)| meets(value));
    let (first, _) = fits.next()?;
    (!exactly_one || fits.next().is_none()).then_some(first)
}

/// The error where no variant fits, or more than one.
#[must_use]
pub fn no_variant<E: Error>() -> E {
    E::custom("no variant, or more than one, fits")
}

fn read<'de, U: Union<'de>, D: Deserializer<'de>>(
    variant: Option<usize>,
    value: D,
) -> Result<U, D::Error> {
    U::read(variant.ok_or_else(no_variant)?, value)
}

struct Tagged<U> {
    member: &'static str,
    variant: fn(&str) -> Option<usize>,
    union: PhantomData<U>,
}

impl<'de, U: Union<'de>> Visitor<'de> for Tagged<U> {
    type Value = U;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an object with the member {}", self.member)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<U, A::Error> {
        let mut before = Vec::new();
        while let Some(Name(name)) = members.next_key()? {
            let value: Buffered<'de> = members.next_value()?;
            if name == self.member {
                let Buffered::Text(text) = &value else {
                    return Err(no_variant());
                };
                let variant = (self.variant)(text);
                return read(variant, Members::after(self.member, value, before, members));
            }
            before.push((name, value));
        }
        Err(no_variant())
    }
}

struct Formed<U> {
    variant: fn(Form) -> Option<usize>,
    union: PhantomData<U>,
}

impl<'de, U: Union<'de>> Formed<U> {
    fn scalar<E: Error>(self, value: Buffered<'de>) -> Result<U, E> {
        read((self.variant)(Form::of(&value)), Replay::new(value))
    }
}

impl<'de, U: Union<'de>> Visitor<'de> for Formed<U> {
    type Value = U;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value of one of the union's types")
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<U, E> {
        self.scalar(Buffered::Bool(value))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<U, E> {
        self.scalar(Buffered::Unsigned(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<U, E> {
        self.scalar(Buffered::Signed(value))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<U, E> {
        self.scalar(Buffered::Float(value))
    }

    fn visit_i128<E: Error>(self, value: i128) -> Result<U, E> {
        self.scalar(exact(Number::from_i128(value))?)
    }

    fn visit_u128<E: Error>(self, value: u128) -> Result<U, E> {
        self.scalar(exact(Number::from_u128(value))?)
    }

    fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<U, E> {
        self.scalar(Buffered::Text(text.into()))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<U, E> {
        self.visit_string(text.to_owned())
    }

    fn visit_string<E: Error>(self, text: String) -> Result<U, E> {
        self.scalar(Buffered::Text(text.into()))
    }

    fn visit_unit<E: Error>(self) -> Result<U, E> {
        self.scalar(Buffered::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<U, A::Error> {
        read((self.variant)(Form::Array), Items(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<U, A::Error> {
        let first = members.next_key()?.map(|Name(name)| name);
        if first.as_deref() != Some(NUMBER) {
            return read((self.variant)(Form::Object), Members::from(first, members));
        }
        let begun = vec![(NUMBER.into(), members.next_value()?)];
        match number_of(&begun) {
            Some(number) => self.scalar(Buffered::Number(number)),
            None => read((self.variant)(Form::Object), Members::on(begun, members)),
        }
    }
}
}
mod union_parts {
//! The parts of a value that is being read, as the value that a union's
//! variant is read from.

use std::borrow::Cow;
use std::vec;

use serde::de::value::BorrowedStrDeserializer;
use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::forward_to_deserialize_any;

use super::buffered::{Buffered, Member};
use super::json_single;
use super::replay::Replay;

/// What every value but a scalar has in common as a deserializer.
macro_rules! compound {
    () => {
        fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, A::Error> {
            visitor.visit_some(self)
        }

        fn deserialize_newtype_struct<V: Visitor<'de>>(
            self,
            _: &'static str,
            visitor: V,
        ) -> Result<V::Value, A::Error> {
            visitor.visit_newtype_struct(self)
        }

        forward_to_deserialize_any! {
            bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf
            unit unit_struct seq tuple tuple_struct map enum identifier ignored_any
        }
    };
}

/// The items of an array, still to be read.
pub(super) struct Items<A>(pub(super) A);

impl<'de, A: SeqAccess<'de>> Deserializer<'de> for Items<A> {
    type Error = A::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, A::Error> {
        visitor.visit_seq(self.0)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, A::Error> {
        visitor.visit_seq(self.0)
    }

    compound!();
}

/// The members of an object, of which the first few have been read.
pub(super) struct Members<'de, A> {
    /// The member that was looked for.
    named: Option<(&'static str, Buffered<'de>)>,
    /// Those before it.
    before: vec::IntoIter<Member<'de>>,
    /// The name of the one after those, where it is known.
    name: Option<Cow<'de, str>>,
    /// The value of the member whose name was taken last, where it is known.
    value: Option<Buffered<'de>>,
    /// Those that are still to be read.
    rest: A,
}

impl<'de, A> Members<'de, A> {
    /// Only the first name has been read.
    pub(super) fn from(name: Option<Cow<'de, str>>, rest: A) -> Self {
        Self {
            name,
            ..Self::on(Vec::new(), rest)
        }
    }

    /// Some have been read.
    pub(super) fn on(before: Vec<Member<'de>>, rest: A) -> Self {
        Self {
            named: None,
            before: before.into_iter(),
            name: None,
            value: None,
            rest,
        }
    }

    /// One was looked for and found; it becomes the first.
    pub(super) fn after(
        name: &'static str,
        value: Buffered<'de>,
        before: Vec<Member<'de>>,
        rest: A,
    ) -> Self {
        Self {
            named: Some((name, value)),
            ..Self::on(before, rest)
        }
    }
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Members<'de, A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, A::Error> {
        if let Some((name, value)) = self.named.take() {
            self.value = Some(value);
            return seed
                .deserialize(BorrowedStrDeserializer::new(name))
                .map(Some);
        }
        let name = match self.before.next() {
            Some((name, value)) => {
                self.value = Some(value);
                Some(name)
            }
            None => self.name.take(),
        };
        match name {
            Some(name) => seed
                .deserialize(Replay::new(Buffered::Text(name)))
                .map(Some),
            None => self.rest.next_key_seed(seed),
        }
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, A::Error> {
        match self.value.take() {
            Some(value) => seed.deserialize(Replay::new(value)),
            None => self.rest.next_value_seed(seed),
        }
    }
}

impl<'de, A: MapAccess<'de>> Deserializer<'de> for Members<'de, A> {
    type Error = A::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, A::Error> {
        visitor.visit_map(json_single::counting(self))
    }

    /// A struct sees to it itself that no member is there twice.
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, A::Error> {
        visitor.visit_map(self)
    }

    compound!();
}
}
pub mod upload {
//! Forms with files, which are too long to be held in memory.
//!
//! Files are read as they arrive, in whichever order they and the other fields
//! come; what all of them have to be is checked at the end, together.

use std::fmt;
use std::marker::PhantomData;

use bytes::Bytes;
use http::{HeaderMap, Request};

use super::captures::Captures;
use super::fault::Fault;
use super::multipart::{File, Part};
use super::multipart_field::Fields;
use super::multipart_headers::{self, PartHeaders};
use super::multipart_read::Form;
use super::multipart_stream::Parts;
use super::multipart_write::FormWriter;
use super::reader::Reader;
use super::stream::{ByteStream, StreamError};
use json_schema::validator::Schemas;

/// A form with files: what the generator writes for it.
pub trait Formed: Sized {
    /// The fields that it has.
    fn fields() -> &'static Fields;
    /// The schemas of the other fields.
    fn schemas() -> &'static Schemas;
    /// Reads and checks all fields.
    fn read(form: Form<'_, '_>) -> Option<Self>;
    /// The form as it is sent.
    fn into_form(self) -> FormWriter;
}

/// A form with files that arrives, or is sent.
///
/// A handler either takes file after file by [`Upload::next_file`] and the
/// fields by [`Upload::finish`], or everything at once by [`Upload::whole`]. A
/// caller makes one of a form, or of a [`FormWriter`] that has streams.
pub struct Upload<F> {
    /// What was written here and is not sent yet.
    written: Option<FormWriter>,
    incoming: Incoming,
    form: PhantomData<fn() -> F>,
}

/// What a header that is kept costs beside its text, in bytes.
const COST: usize = 64;

struct Incoming {
    parts: Parts,
    /// The parts that were met; those that are files without what is in them.
    met: Vec<Part>,
    /// How much of the form is in memory, in bytes.
    held: usize,
}

impl Incoming {
    fn of(bytes: ByteStream) -> Self {
        Self {
            parts: Parts::new(bytes),
            met: Vec::new(),
            held: 0,
        }
    }
}

/// A file of a form, while it arrives.
pub struct FilePart<'a> {
    /// The field that it is for.
    pub field: &'a str,
    /// The name that the sender gives it. It says nothing about where to put
    /// it, and is not to be used as a path.
    pub name: Option<String>,
    /// Its media type, where the sender knows it.
    pub content_type: Option<String>,
    /// All headers of its part.
    pub headers: HeaderMap,
    parts: &'a mut Parts,
}

impl FilePart<'_> {
    /// The headers of the part as those that are declared for a field; `None` where they are not valid
    /// as such. Those of the file's own field are: it was refused otherwise.
    #[must_use]
    pub fn declared<H: PartHeaders>(&self) -> Option<H> {
        multipart_headers::read(&self.headers).ok()
    }

    /// The next piece; `None` at the end.
    ///
    /// # Errors
    /// [`StreamError`]; nothing comes after one.
    pub async fn next(&mut self) -> Option<Result<Bytes, StreamError>> {
        self.parts.piece().await.transpose()
    }

    /// All of it, in memory, within the limit for bodies that are.
    ///
    /// # Errors
    /// [`StreamError::TooLarge`] beyond that.
    pub async fn bytes(self) -> Result<Bytes, StreamError> {
        rest(self.parts, 0).await
    }
}

impl<F: Formed> Upload<F> {
    /// The form that a request's body is.
    #[must_use]
    pub fn incoming(bytes: ByteStream) -> Self {
        Self {
            written: None,
            incoming: Incoming::of(bytes),
            form: PhantomData,
        }
    }

    /// A form whose files are streams. That its fields are those of the
    /// contract is seen by whoever reads it.
    #[must_use]
    pub fn written(form: FormWriter) -> Self {
        Self {
            written: Some(form),
            incoming: Incoming::of(ByteStream::default()),
            form: PhantomData,
        }
    }

    /// The next file; `None` after the last. Fields that come before it are
    /// kept, what is left of the file before is skipped.
    ///
    /// # Errors
    /// [`StreamError`]; nothing comes after one.
    pub async fn next_file(&mut self) -> Result<Option<FilePart<'_>>, StreamError> {
        let Incoming { parts, met, held } = self.arriving();
        loop {
            let octets = parts.skip().await?;
            if let Some(last) = met.last_mut() {
                last.octets = octets;
            }
            let Some(head) = parts.next().await? else {
                return Ok(None);
            };
            // What a part costs beside its content.
            let name = head.name.as_ref().map_or(0, String::len);
            let headers = F::fields().kept_headers(&head);
            let kept = headers
                .iter()
                .map(|(name, value)| COST + name.as_str().len() + value.len());
            *held += size_of::<Part>() + head.field.len() + name + kept.sum::<usize>();
            parts.bytes.holds(*held)?;
            let file = F::fields().file(&head.field);
            if let Some((name, field)) = file {
                let issues = field.refused(name, head.content_type.as_deref(), &headers);
                if !issues.is_empty() {
                    return Err(parts.bytes.refuse(StreamError::Invalid(issues)));
                }
                parts.bind(name, field.most());
            }
            let is_file = file.is_some();
            let mut part = Part {
                field: head.field,
                octets: 0,
                headers,
                file: File {
                    name: head.name.clone(),
                    content_type: head.content_type.clone(),
                    bytes: Bytes::new(),
                },
            };
            if is_file {
                met.push(part);
                let field = met.last().map(|part| part.field.as_str());
                return Ok(Some(FilePart {
                    field: field.unwrap_or_default(),
                    name: head.name,
                    content_type: head.content_type,
                    headers: head.headers,
                    parts,
                }));
            }
            part.file.bytes = rest(parts, *held).await?;
            *held += part.file.bytes.len();
            met.push(part);
        }
    }

    /// The form without the files' contents, which [`Upload::next_file`] gave
    /// or nobody wanted.
    ///
    /// # Errors
    /// [`StreamError::Invalid`] with all that is wrong with the form.
    pub async fn finish(mut self) -> Result<F, StreamError> {
        while self.next_file().await?.is_some() {}
        self.read()
    }

    /// The whole form, in memory, within the limit for bodies that are.
    ///
    /// # Errors
    /// As [`Upload::finish`].
    pub async fn whole(mut self) -> Result<F, StreamError> {
        while self.next_file().await?.is_some() {
            let Incoming { parts, met, held } = self.arriving();
            let bytes = rest(parts, *held).await?;
            *held += bytes.len();
            if let Some(part) = met.last_mut() {
                part.file.bytes = bytes;
            }
        }
        self.read()
    }

    /// The form as it is sent; what has been received cannot be.
    #[must_use]
    pub fn into_form(self) -> FormWriter {
        self.written.unwrap_or_else(FormWriter::failed)
    }

    /// What arrives; a form that was written here is read as if it had.
    fn arriving(&mut self) -> &mut Incoming {
        if let Some(form) = self.written.take() {
            let sent = form.finish();
            let bytes = sent.map(|(content_type, bytes)| bytes.with_type(content_type));
            self.incoming = Incoming::of(bytes.unwrap_or_default());
        }
        &mut self.incoming
    }

    fn read(mut self) -> Result<F, StreamError> {
        let incoming = self.arriving();
        let (parts, ()) = Request::new(()).into_parts();
        let captures = Captures::default();
        let mut reader = Reader::new(&parts, &captures, F::schemas(), &[]);
        let met = std::mem::take(&mut incoming.met);
        let form = F::read(Form::of(&mut reader, F::fields(), met));
        match (reader.finish(), form) {
            (Ok(()), Some(form)) => Ok(form),
            (Err(Fault::Invalid(issues)), _) => {
                Err(incoming.parts.bytes.refuse(StreamError::Invalid(issues)))
            }
            _ => Err(StreamError::broken("a form that could not be read")),
        }
    }
}

/// What is left of a part, in memory beside as much as is `held` already.
async fn rest(parts: &mut Parts, held: usize) -> Result<Bytes, StreamError> {
    let mut all = Vec::new();
    while let Some(piece) = parts.piece().await? {
        parts.bytes.holds(held + all.len() + piece.len())?;
        all.extend_from_slice(&piece);
    }
    Ok(all.into())
}

impl<F: Formed> From<F> for Upload<F> {
    fn from(form: F) -> Self {
        Self::written(form.into_form())
    }
}

impl<F> fmt::Debug for Upload<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Upload").finish_non_exhaustive()
    }
}
}
mod wallet {
//! The credentials that a client has, and which of them it shows to whom.

use std::fmt;

use http::header::AUTHORIZATION;
use http::{HeaderName, HeaderValue};

use super::base64;
use super::draft::{Draft, Unsendable};
use super::operation::{Operation, Scheme, SchemeKind, SchemeUse};
use json_schema::issue::Place;

/// A client's credentials, at most one for each scheme.
#[derive(Clone, Default)]
pub(super) struct Wallet(Vec<(&'static str, Credential)>);

/// A credential as it goes over the wire.
#[derive(Clone)]
pub(super) enum Credential {
    Header(HeaderName, HeaderValue),
    Query(&'static str, String),
    Cookie(&'static str, String),
}

impl fmt::Debug for Wallet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.0.iter().map(|(name, _)| name);
        f.debug_list().entries(names).finish()
    }
}

impl Wallet {
    /// Puts a credential in, in the place of another of the scheme.
    pub(super) fn put(&mut self, scheme: &'static Scheme, secret: &str) -> Result<(), Unsendable> {
        let credential = credential(scheme, secret).ok_or(Unsendable {
            at: scheme.name,
            reason: "has characters that its place cannot hold",
        })?;
        self.0.retain(|(name, _)| *name != scheme.name);
        self.0.push((scheme.name, credential));
        Ok(())
    }

    /// Shows what an operation asks for: the first alternative of which every
    /// credential is there, and nothing that it does not ask for. Of several
    /// alternatives without any, none is shown, and the server says so.
    pub(super) fn show(&self, operation: &Operation, mut draft: Draft) -> Draft {
        let asked = operation.security.iter().filter(|all| !all.is_empty());
        let mut asked = asked.into_iter();
        let held = asked.find(|all| all.iter().all(|used| self.holds(used)));
        for used in held.into_iter().copied().flatten() {
            if let Some(credential) = self.of(used) {
                draft = draft.credential(credential);
            }
        }
        draft
    }

    fn of(&self, used: &SchemeUse) -> Option<&Credential> {
        let named = self.0.iter().find(|(name, _)| *name == used.scheme.name);
        named.map(|(_, credential)| credential)
    }

    /// Certificates are the transport's, and what the contract does not tell
    /// is its user's.
    fn holds(&self, used: &SchemeUse) -> bool {
        let elsewhere = matches!(
            used.scheme.kind,
            SchemeKind::MutualTls | SchemeKind::Unknown
        );
        elsewhere || self.of(used).is_some()
    }
}

/// The secret of HTTP Basic (RFC 7617, section 2); none where the two would
/// not be told apart.
pub(super) fn login(user: &str, password: &str) -> Option<String> {
    let text = format!("{user}:{password}");
    let sound = !user.contains(':') && !text.contains(char::is_control);
    sound.then(|| base64::encode(text.as_bytes()))
}

fn credential(scheme: &Scheme, secret: &str) -> Option<Credential> {
    let name = match scheme.kind {
        SchemeKind::ApiKey { place, name } => return key(place, name, secret),
        SchemeKind::Basic => "Basic",
        SchemeKind::Bearer | SchemeKind::OAuth2 | SchemeKind::OpenIdConnect => "Bearer",
        SchemeKind::Http(name) => name,
        SchemeKind::MutualTls | SchemeKind::Unknown => return None,
    };
    header(AUTHORIZATION, &format!("{name} {secret}"))
}

fn key(place: Place, name: &'static str, secret: &str) -> Option<Credential> {
    match place {
        Place::Header => header(HeaderName::try_from(name).ok()?, secret),
        Place::Query => Some(Credential::Query(name, secret.to_owned())),
        Place::Cookie => {
            // RFC 6265, section 4.1.1: what a cookie is made of.
            let octet =
                |byte: u8| byte.is_ascii_graphic() && !matches!(byte, b'"' | b',' | b';' | b'\\');
            let sound = secret.bytes().all(octet);
            sound.then(|| Credential::Cookie(name, secret.to_owned()))
        }
        Place::Path | Place::Body => None,
    }
}

fn header(name: HeaderName, value: &str) -> Option<Credential> {
    let mut value = HeaderValue::from_str(value).ok()?;
    value.set_sensitive(true);
    Some(Credential::Header(name, value))
}
}

pub use self::call::Call;
pub use self::check::Check;
pub use self::client::{Client, ClientError};
pub use self::encoded::Encoded;
pub use self::endpoint::Endpoint;
pub use self::events::{Event, Events};
pub use self::fault::{Answer, Denial, Failure, Fault, Plain};
pub use self::host::{Admission, Host, Visit};
pub use self::integer::Integer;
pub use self::items::Items;
pub use self::matched::Matched;
pub use self::object_writer::{ObjectWriter, Part};
pub use self::operation::{Operation, Scheme, SchemeKind, SchemeUse};
pub use self::param::{Param, Shape, Style};
pub use self::reader::Reader;
pub use self::route::{Routed, Router};
pub use self::security::Demand;
pub use self::service::{Dispatch, Limits, Reply, Service};
pub use self::stream::{ByteStream, StreamError};
pub use self::transport::{HttpTransport, Transport};
pub use self::upload::Upload;
pub use json_schema::number::decimal;
pub use json_schema::validator::{self as schema, Schemas, decide};
pub use json_schema::{Issue, Issues, Pattern, Place, equality, format, issue, pattern};
}

pub use runtime::*;
