//! Media types and the negotiation of content (RFC 9110, sections 8.3 and
//! 12.5.1).
//!
//! Types are compared without regard to case. Parameters tell those apart that
//! are else alike, such as `application/json;v=1` and `application/json;v=2`,
//! and rule nothing out. A charset tells nothing apart, but that of a request body
//! has to be UTF-8.
//!
//! Libraries were tried in the place of this code: `mime` 0.3 and `headers` 0.4 refuse blanks in front
//! of a semicolon, `mediatype` 0.23 refuses values without quotes that clients send, such as
//! `boundary=a:b` (`content_types_are_matched_closely`), and `headers-accept` 0.3 drops the whole of an
//! `Accept` of which one range cannot be read and matches no offer that is a range
//! (`accept_chooses_by_quality_then_by_order`).

#[cfg(feature = "client")]
use http::header::CONTENT_LENGTH;
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

    /// Whether it is JSON (RFC 8259), also by its suffix (RFC 6839, section 3.1).
    #[cfg(feature = "client")]
    fn is_json(&self) -> bool {
        let subtype = self.subtype.to_ascii_lowercase();
        subtype == "json" || subtype.ends_with("+json")
    }

    /// Whether it is text, or likely to be: not a stream, and not media.
    #[cfg(feature = "client")]
    fn is_text(&self) -> bool {
        let (kind, subtype) = (
            self.kind.to_ascii_lowercase(),
            self.subtype.to_ascii_lowercase(),
        );
        match (kind.as_str(), subtype.as_str()) {
            ("text", "event-stream") => false,
            ("text", _) | ("application", "octet-stream" | "xml" | "yaml") => true,
            (_, subtype) => self.is_json() || subtype.ends_with("+xml"),
        }
    }

    /// Whether it is a stream of events or of JSON values.
    #[cfg(feature = "client")]
    fn is_sequence(&self) -> bool {
        let subtype = self.subtype.to_ascii_lowercase();
        self.is_lines() || matches!(subtype.as_str(), "event-stream" | "json-seq")
    }

    /// Whether it is JSON Lines, under any of its names.
    #[cfg(feature = "client")]
    fn is_lines(&self) -> bool {
        let subtype = self.subtype.to_ascii_lowercase();
        let name = subtype.strip_prefix("x-").unwrap_or(&subtype);
        matches!(name, "ndjson" | "jsonl" | "jsonlines" | "json-lines")
    }

    /// Whether it is opaque bytes, such as an image or an archive.
    #[cfg(feature = "client")]
    fn is_binary(&self) -> bool {
        let is_composed = ["text", "multipart"]
            .iter()
            .any(|kind| self.kind.eq_ignore_ascii_case(kind));
        let subtype = self.subtype.to_ascii_lowercase();
        let is_form = subtype == "x-www-form-urlencoded" || subtype.contains("json");
        subtype == "octet-stream" || !(is_composed || is_form || self.is_text())
    }

    fn is_utf8(&self) -> bool {
        self.parameter("charset").is_none_or(|charset| {
            charset.eq_ignore_ascii_case("utf-8") || charset.eq_ignore_ascii_case("us-ascii")
        })
    }
}

/// Whether a client tries to read a body as one of the `documented` types: if `Content-Type` names one of them, is
/// missing, names another text type (such as `text/plain` for JSON), or if bytes are documented.
#[cfg(feature = "client")]
#[must_use]
pub(crate) fn is_readable_as(headers: &HeaderMap, documented: &[&str]) -> bool {
    let Some(received) = received_type(headers) else {
        return true;
    };
    let documented: Vec<_> = documented
        .iter()
        .filter_map(|text| MediaType::parse(text))
        .collect();
    if documented.iter().all(MediaType::is_sequence) {
        // Lines of JSON have several names.
        let are_lines = received.is_lines() && documented.iter().any(MediaType::is_lines);
        return are_lines || documented.iter().any(|own| own.covers(&received).is_some());
    }
    let mut documented = documented.iter();
    received.is_text() || documented.any(|own| own.is_binary() || own.covers(&received).is_some())
}

/// The index in `documented` of a response's media type, for a tolerant client: if `Content-Type` is missing or
/// names another type, the documented type that the body most likely has.
#[cfg(feature = "client")]
#[must_use]
pub fn best_match(headers: &HeaderMap, documented: &[&str]) -> Option<usize> {
    let is = |test: fn(&MediaType<'_>) -> bool| {
        let types = documented.iter().map(|text| MediaType::parse(text));
        let mut types = types.map(|own| own.is_some_and(|own| test(&own)));
        types.position(|is_it| is_it)
    };
    let named = headers.get(CONTENT_TYPE);
    let named = named.and_then(|_| consumed(headers, documented));
    named.or_else(|| match received_type(headers) {
        None if headers
            .get(CONTENT_LENGTH)
            .is_some_and(|length| length == "0") =>
        {
            is(|own| own.kind.eq_ignore_ascii_case("text")).or(Some(0))
        }
        None => Some(0),
        Some(received) if received.is_text() => {
            is(|own| own.is_json()).or_else(|| is(|own| own.is_text()))
        }
        Some(_) => is(|own| own.is_binary()),
    })
}

#[cfg(feature = "client")]
fn received_type(headers: &HeaderMap) -> Option<MediaType<'_>> {
    MediaType::parse(headers.get(CONTENT_TYPE)?.to_str().ok()?)
}

/// Whether a response names plain text as its media type.
#[cfg(feature = "client")]
pub(crate) fn is_plain_text(headers: &HeaderMap) -> bool {
    received_type(headers).is_some_and(|received| {
        received.kind.eq_ignore_ascii_case("text") && received.subtype.eq_ignore_ascii_case("plain")
    })
}

/// The index in `produces` of the media type that the client prefers; of equal ones, the first. `None` where it
/// admits none of them.
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

/// Whether the client wants the first of `produces`, seen without parsing; most clients do.
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

/// The media types that the client accepts, with their qualities in thousandths.
fn accepted(headers: &HeaderMap) -> Vec<(MediaType<'_>, u16)> {
    let values = headers.get_all(ACCEPT).iter();
    let texts = values.map(|value| value.to_str().unwrap_or_default());
    texts
        .flat_map(|text| text.split(',').filter_map(accepted_range))
        .collect()
}

/// The index in `consumes` of the request body's media type, the closest first; `None` where
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

/// The media type to write for a body that the contract declares as `declared`: the body's own, where the
/// declared one covers it and leaves something open, if only parameters such as the boundary of parts.
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

/// The quality that the closest range gives to an offer, and whether it asks for no other parameters. An offer
/// that is itself a range may become any media type in it that the client accepts.
fn quality(offer: &MediaType<'_>, ranges: &[(MediaType<'_>, u16)]) -> (u16, bool) {
    let closeness = |range: &MediaType<'_>| range.covers(offer).or_else(|| offer.covers(range));
    let fitting = ranges
        .iter()
        .filter_map(|(range, quality)| Some((closeness(range)?, *quality)));
    let closest = fitting.max();
    closest.map_or((0, false), |(closeness, quality)| (quality, closeness != 2))
}
