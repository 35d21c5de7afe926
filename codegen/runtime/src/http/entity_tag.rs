//! Entity tags (RFC 9110 §8.8.3) and the requests that they make conditional (§13.1.2).

use http::header::{
    CACHE_CONTROL, CONTENT_LOCATION, DATE, ETAG, EXPIRES, HeaderName, IF_NONE_MATCH, SET_COOKIE,
    VARY,
};
use http::{HeaderMap, HeaderValue, Response, StatusCode};
use std::fmt::{self, Write as _};

use axum_core::body::Body;
use xxhash_rust::xxh3::Xxh3Default;

use crate::encode::encoded::Encoded;

/// A strong entity tag: two representations of a resource that have the same tag are the same, byte for byte.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntityTag(HeaderValue);

impl EntityTag {
    /// The tag of a representation.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self::of_parts([bytes])
    }

    /// The tag of a representation that is determined by these parts in this order. A tag that is made of fewer
    /// bytes than the representation has is cheaper; the parts must differ wherever representations do.
    #[must_use]
    pub fn of_parts<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> Self {
        let mut hash = Xxh3Default::new();
        for part in parts {
            hash.update(part);
        }
        let mut text = String::with_capacity(34);
        // Writing into a text cannot fail, and digits in quotes are a header's value.
        let _ = write!(text, "\"{:032x}\"", hash.digest128());
        Self(HeaderValue::try_from(text).unwrap_or_else(|_| HeaderValue::from_static("\"\"")))
    }

    /// The tag in quotes, as headers have it.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.0.to_str().unwrap_or_default()
    }

    /// The tag of a response.
    #[must_use]
    pub fn of_response<B>(response: &Response<B>) -> Option<Self> {
        response.headers().get(ETAG).cloned().map(Self)
    }

    /// Whether a caller says by `If-None-Match` that it holds the representation. Tags are compared weakly
    /// (RFC 9110 §13.1.2).
    #[must_use]
    pub fn is_held(&self, request: &HeaderMap) -> bool {
        self.is_among(request.get_all(IF_NONE_MATCH))
    }

    /// Whether it is one of the tags in these lines of `If-None-Match`.
    fn is_among<'a>(&self, lines: impl IntoIterator<Item = &'a HeaderValue>) -> bool {
        let mut lines = lines.into_iter();
        // Most callers hold one representation, and send back the tag that they got.
        lines.any(|line| *line == self.0 || self.is_listed(line))
    }

    /// Whether it is one of the tags in a line.
    fn is_listed(&self, line: &HeaderValue) -> bool {
        let listed = line.to_str().into_iter().flat_map(tags);
        let mut opaque = listed.map(|listed| listed.strip_prefix("W/").unwrap_or(listed));
        opaque.any(|listed| listed == "*" || listed == self.as_str())
    }

    /// The value of the header `ETag`.
    pub(crate) fn into_header(self) -> HeaderValue {
        self.0
    }
}

impl fmt::Display for EntityTag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The body of an answer that has an entity tag. Without one of its own, the tag is that of its bytes.
#[derive(Debug, Clone, PartialEq)]
pub struct Tagged<B> {
    /// The body.
    pub body: B,
    /// Its tag, if it is known already.
    pub tag: Option<EntityTag>,
}

impl<T> Tagged<Encoded<T>> {
    /// Tags a body that is answered many times by its bytes now.
    #[must_use]
    pub fn new(body: Encoded<T>) -> Self {
        let tag = body.bytes().ok().map(|bytes| EntityTag::of(bytes));
        Self { body, tag }
    }
}

impl<B> From<B> for Tagged<B> {
    fn from(body: B) -> Self {
        Self { body, tag: None }
    }
}

/// The members of a list of entity tags; a comma within quotes parts none.
fn tags(line: &str) -> impl Iterator<Item = &str> {
    let mut is_quoted = false;
    let members = line.split(move |c| {
        is_quoted ^= c == '"';
        c == ',' && !is_quoted
    });
    members.map(str::trim)
}

/// The header fields of an answer that the 304 in its place has, too: those of RFC 9110 §15.4.5, and cookies, which
/// do not belong to the representation.
static OF_NOT_MODIFIED: [HeaderName; 7] = [
    CACHE_CONTROL,
    CONTENT_LOCATION,
    DATE,
    ETAG,
    EXPIRES,
    SET_COOKIE,
    VARY,
];

/// The answer 304 in the place of one whose representation the client holds already (RFC 9110 §15.4.5), as it
/// says in its lines of `If-None-Match`; any other answer stays as it is. The client holds most header fields, too: they
/// are left out, unless the contract documents them of 304.
pub(crate) fn unless_current(
    held: &[HeaderValue],
    documented: &[&str],
    response: Response<Body>,
) -> Response<Body> {
    if held.is_empty() {
        return response;
    }
    let tag = EntityTag::of_response(&response);
    if !response.status().is_success() || !tag.is_some_and(|tag| tag.is_among(held)) {
        return response;
    }
    let (mut parts, _) = response.into_parts();
    parts.status = StatusCode::NOT_MODIFIED;
    let is_kept =
        |name: &HeaderName| OF_NOT_MODIFIED.contains(name) || documented.contains(&name.as_str());
    let others = parts.headers.keys().filter(|name| !is_kept(name));
    let others: Vec<HeaderName> = others.cloned().collect();
    for name in others {
        parts.headers.remove(name);
    }
    Response::from_parts(parts, Body::empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_held(lines: &[&str], tag: &EntityTag) -> bool {
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append(
                IF_NONE_MATCH,
                HeaderValue::from_str(line).expect("a header"),
            );
        }
        tag.is_held(&headers)
    }

    #[test]
    fn a_tag_is_compared_weakly_with_each_of_a_list() {
        let (tag, other) = (EntityTag::of(b"body"), EntityTag::of(b"other"));
        assert!(is_held(&["*"], &tag));
        assert!(is_held(&[tag.as_str()], &tag));
        assert!(is_held(&[&format!("W/{tag}")], &tag));
        assert!(is_held(&[&format!("{other} ,  W/{tag}")], &tag));
        assert!(is_held(&[other.as_str(), tag.as_str()], &tag));
        assert!(is_held(&[&format!("\"a,b\", {tag}")], &tag));
        assert!(!is_held(&[], &tag));
        assert!(!is_held(&[""], &tag));
        assert!(!is_held(&[other.as_str()], &tag));
        assert!(!is_held(&[tag.as_str().trim_matches('"')], &tag));
        assert!(!is_held(&[&format!("\"a, {tag}")], &tag));
    }

    #[test]
    fn an_unchanged_answer_has_no_header_fields_that_the_client_holds() {
        let response = Response::builder()
            .header("etag", "\"a\"")
            .header("cache-control", "no-cache")
            .header("content-type", "text/plain")
            .header("x-page-key", "next")
            .header("x-version", "3")
            .header("set-cookie", "session=renewed")
            .body(Body::from("a"))
            .expect("a response");
        let held = [HeaderValue::from_static("\"a\"")];
        let unchanged = unless_current(&held, &["x-version"], response);
        assert_eq!(unchanged.status(), StatusCode::NOT_MODIFIED);
        let mut names: Vec<_> = unchanged.headers().keys().collect();
        names.sort_by_key(|name| name.as_str());
        assert_eq!(names, ["cache-control", "etag", "set-cookie", "x-version"]);
    }

    #[test]
    fn parts_make_the_tag_of_the_whole() {
        let whole = EntityTag::of(b"one two");
        assert_eq!(whole, EntityTag::of_parts([&b"one "[..], b"two"]));
        assert_eq!(whole.as_str().len(), 34);
    }
}
