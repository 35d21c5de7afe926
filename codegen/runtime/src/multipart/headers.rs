//! Headers of parts (OpenAPI 3.1.1 §4.8.15.1): they are read and written as those of a request are,
//! which are parameters.

use http::{HeaderMap, Method, Request};

use crate::decode::param::Param;
use crate::decode::reader::Reader;
use crate::encode::request_builder::{BuildError, RequestBuilder};
use crate::http::captures::Captures;
use crate::http::rejection::Rejection;
use json_schema::issue::Issue;
use json_schema::validator::Schemas;

/// The headers of a part, as a struct that the generator writes.
pub trait PartHeaders: Sized {
    /// The headers that a part has.
    const DECLARED: &'static [Param];
    /// The schemas of their values.
    fn schemas() -> &'static Schemas;
    /// Reads and checks all of them.
    fn read(reader: &mut Reader<'_>) -> Option<Self>;
    /// Sets all of them.
    fn write(&self, request: RequestBuilder) -> RequestBuilder;
}

/// The value of a field with the headers of its part, or with a list of the headers of each part where
/// the value has several.
#[derive(Debug, Clone, PartialEq)]
pub struct WithHeaders<H, C> {
    /// The headers.
    pub headers: H,
    /// The content of the part, or of the parts.
    pub content: C,
}

impl<H, C> WithHeaders<H, C> {
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

/// The declared headers of a field's parts.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Declared {
    params: &'static [Param],
    refused: fn(&HeaderMap) -> Vec<Issue>,
}

impl Declared {
    pub(crate) const fn of<H: PartHeaders>() -> Self {
        Self {
            params: H::DECLARED,
            refused: refused::<H>,
        }
    }

    /// The headers of a part without those that nobody asks for.
    pub(crate) fn kept(&self, headers: &HeaderMap) -> HeaderMap {
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

    /// The issues of the headers of a part of a field.
    pub(crate) fn issues(&self, field: &str, headers: &HeaderMap) -> Vec<Issue> {
        let refused = (self.refused)(headers).into_iter();
        refused.map(|issue| of_part(field, &issue)).collect()
    }
}

/// The issue of a header, as one of its part.
fn of_part(field: &str, issue: &Issue) -> Issue {
    Issue::of_form(Some(field), issue.keyword, &told(issue))
}

/// The message about a header, in words about its part. A name of a header has no slash, where the
/// pointer into its value begins.
pub(crate) fn told(issue: &Issue) -> String {
    let name = issue.at.split('/').next().unwrap_or_default();
    format!("its header {name} {}", issue.message)
}

fn refused<H: PartHeaders>(headers: &HeaderMap) -> Vec<Issue> {
    read::<H>(headers).err().unwrap_or_default()
}

/// The headers of a part.
///
/// # Errors
/// Returns every violation of the headers.
pub(crate) fn read<H: PartHeaders>(headers: &HeaderMap) -> Result<H, Vec<Issue>> {
    let (mut parts, ()) = Request::new(()).into_parts();
    parts.headers.clone_from(headers);
    let captures = Captures::default();
    let mut reader = Reader::new(&parts, &captures, H::schemas(), &[]);
    let read = H::read(&mut reader);
    match (reader.finish(), read) {
        (Ok(()), Some(read)) => Ok(read),
        (Err(Rejection::Invalid(issues)), _) => Err(issues),
        _ => Err(Vec::new()),
    }
}

/// The headers of a part as they are sent.
///
/// # Errors
/// Returns [`BuildError`] if the receiver would read other values from the
/// headers.
pub(crate) fn written<H: PartHeaders>(headers: &H) -> Result<HeaderMap, BuildError> {
    let request = RequestBuilder::new(Method::POST, String::new());
    headers.write(request).into_headers()
}
