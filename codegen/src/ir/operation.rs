//! Operations: their callers, parameters, bodies and answers.

use super::{
    BodyParts, Bounds, DescribedLink, Field, Form, Name, ParamLocation, Security, Server, Status,
    Style, Styled, Type,
};
use jiff::Timestamp;
use serde_json::Value;
use std::borrow::Cow;
use std::ops::{Range, RangeInclusive};

/// The operations of one tag.
#[derive(Debug)]
pub struct Group {
    /// The tag as the document writes it.
    pub tag: String,
    /// Its name.
    pub name: Name,
    /// The description of the tag.
    pub doc: String,
    /// Indices into [`Api::operations`](super::Api::operations).
    pub operations: Vec<usize>,
}

/// An operation.
#[derive(Debug)]
pub struct Operation {
    /// Its index in [`Api::operations`](super::Api::operations).
    pub index: usize,
    /// The operationId, or the name that replaces it.
    pub id: String,
    /// Its name, with which the names of its types begin.
    pub name: Name,
    /// The first tag.
    pub tag: String,
    /// The tags after the first.
    pub other_tags: Vec<String>,
    /// `summary`.
    pub summary: String,
    /// `description`.
    pub description: String,
    /// Whether it is deprecated.
    pub deprecated: bool,
    /// Since when it is deprecated, if the document says so.
    pub deprecated_at: Option<Timestamp>,
    /// When it ends, if the document says so.
    pub sunset: Option<Timestamp>,
    /// As it is sent: the usual ones in capitals.
    pub method: String,
    /// Its own server, which replaces the document's.
    pub server: Option<Server>,
    /// The template, below the base path.
    pub path: String,
    /// The templates of other operations that may get requests for this one's path.
    pub rivals: Vec<String>,
    /// Further conditions on a request, where other operations have the same method and path.
    pub matchers: Vec<RequestMatcher>,
    /// Whether the service has it. The client also has the operations that requests do not tell
    /// apart.
    pub served: bool,
    /// Whether its handler reads the request and writes the answer itself, so that only its path
    /// and its security are described.
    pub raw: bool,
    /// The parameters in the path, in the order of the template.
    pub path_params: Vec<Param>,
    /// The other parameters that a handler gets.
    pub params: Vec<Param>,
    /// The header `If-None-Match`, where the framework answers it: it is checked, and no handler
    /// gets it.
    pub if_none_match: Option<Param>,
    /// The request body.
    pub body: Option<Body>,
    /// The responses that the handler can give.
    pub responses: Vec<Response>,
    /// The responses that the framework gives instead of the handler.
    pub framework_responses: Vec<Response>,
    /// The framework's responses that the client reads: the index of one of
    /// [`Api::refusal_sets`](super::Api::refusal_sets).
    pub refusals: Option<usize>,
    /// The media types that callers choose from with `Accept`.
    pub accept: Accept,
    /// Its security.
    pub security: Security,
    /// The security requirement: alternatives of schemes with scopes, an empty one at the end.
    pub requirements: Vec<Vec<(String, Vec<String>)>>,
    /// The names, in lower case, of the header fields that a handler gives the framework's answer 304 to callers that hold
    /// the representation already; `None` where it has no such answer.
    pub not_modified: Option<Vec<String>>,
    /// Whether it counts against limits.
    pub metered: bool,
    /// Whether neither the operation nor the document has `security`. A client then sends its credentials.
    pub is_silent_on_security: bool,
    /// Whether undeclared query parameters and `Accept` are ignored.
    pub lenient: bool,
    /// Whether the handler gets the request's extensions.
    pub extensions: bool,
    /// Whether the handler gets all headers of the request.
    pub raw_headers: bool,
}

impl Operation {
    /// Every parameter: those of the path, the others, and the one that no handler gets.
    pub fn all_params(&self) -> impl Iterator<Item = &Param> + Clone {
        let others = self.params.iter().chain(&self.if_none_match);
        self.path_params.iter().chain(others)
    }

    /// The base path of its own server; `None` if that is the document's, `base`.
    pub fn own_base_path(&self, base: &str) -> Option<String> {
        let own = self.server.as_ref().map(Server::path);
        own.filter(|own| own != base)
    }

    /// Pairs of the query that only tell the operation from others of its path, and are no
    /// parameters.
    pub fn selectors(&self) -> Vec<(&str, &str)> {
        let declared = |name: &str| {
            let mut params = self.params.iter();
            params.any(|param| param.place == ParamLocation::Query && param.field.wire == name)
        };
        let query = self
            .matchers
            .iter()
            .filter(|want| want.place == ParamLocation::Query);
        let query = query.filter_map(|want| Some((want.name.as_str(), want.value.as_deref()?)));
        query.filter(|(name, _)| !declared(name)).collect()
    }
}

/// A condition on a request that tells an operation from others of its method and path.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct RequestMatcher {
    /// The query or a header.
    pub place: ParamLocation,
    /// The name of the parameter or header.
    pub name: String,
    /// Its value; `None` for any.
    pub value: Option<String>,
}

/// The media types of answers that a request can negotiate: those of success, or of `default` where
/// no success is declared.
#[derive(Debug, Default)]
pub struct Accept {
    /// The name of the choice, when there are several.
    pub name: Name,
    /// The media types in the order of the document, and their names.
    pub offers: Vec<(String, Name)>,
}

/// A parameter.
#[derive(Debug)]
pub struct Param {
    /// Name, type and presence.
    pub field: Field,
    /// Its location.
    pub place: ParamLocation,
    /// Its style.
    pub style: Style,
    /// Whether arrays and objects are written out one by one.
    pub explode: bool,
    /// Whether the client leaves reserved characters as they are.
    pub allow_reserved: bool,
    /// The shape of its value: one text, a list or an object.
    pub shape: ParamShape,
    /// The fields of a query string that are not plain pairs of their names.
    pub fields: Vec<Styled>,
    /// Whether its schema decides how its texts are read: for unions, null, strings beside numbers,
    /// nested lists and objects, names in brackets, a list that may be empty but must be sent, and
    /// a default that the schema refuses.
    pub is_doubtful: bool,
    /// The value of an absent one, which a required one never is.
    pub default: Option<Value>,
    /// The key of its schema.
    pub schema: String,
    /// Named examples.
    pub examples: Vec<Example>,
}

impl Param {
    /// The word for its location.
    pub fn place_word(&self) -> &'static str {
        match self.place {
            ParamLocation::Path => "path",
            ParamLocation::Query if self.style.is_whole_query() => "querystring",
            ParamLocation::Query => "query",
            ParamLocation::Header => "header",
            ParamLocation::Cookie => "cookie",
        }
    }

    /// Whether members of its value may be pairs of the query under their own names.
    pub fn has_pairs_of_members(&self) -> bool {
        let styles = [Style::Form, Style::SpaceDelimited, Style::PipeDelimited];
        self.place == ParamLocation::Query
            && self.explode
            && styles.contains(&self.style)
            && self.shape.has_object()
    }

    /// Whether a member of its value may be read as another query parameter; `queried` are the
    /// names of all query parameters.
    pub fn may_be_read_as(&self, queried: &[&str]) -> bool {
        if self.style != Style::DeepObject {
            return queried.len() > 1 && self.has_pairs_of_members();
        }
        let below = format!("{}[", self.field.wire);
        queried.iter().any(|name| name.starts_with(&below))
    }

    /// The pair of the query that a member of its value is written as, if it is one.
    pub fn pair_of(&self, member: &str) -> Option<String> {
        match self.style {
            Style::DeepObject => Some(format!("{}[{member}]", self.field.wire)),
            _ => self.has_pairs_of_members().then(|| member.to_owned()),
        }
    }
}

/// A named example of a value.
#[derive(Debug, Clone)]
pub struct Example {
    /// Its name.
    pub name: String,
    /// Its summary.
    pub summary: Option<String>,
    /// The value.
    pub value: Value,
}

/// The shape of a parameter's value.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum ParamShape {
    /// One text.
    Scalar,
    /// A list of texts.
    Array,
    /// Named texts; these are the names.
    Object(Vec<String>),
    /// One of these shapes, each listed once and in their order: the variants of a union differ.
    AnyOf(Vec<ParamShape>),
}

impl ParamShape {
    /// The names of an object's members; empty for other shapes.
    pub fn members(&self) -> &[String] {
        match self {
            ParamShape::Object(names) => names,
            ParamShape::AnyOf(each) => each.last().map_or(&[], ParamShape::members),
            ParamShape::Scalar | ParamShape::Array => &[],
        }
    }

    /// Whether it may be an object.
    pub fn has_object(&self) -> bool {
        match self {
            ParamShape::Object(_) => true,
            ParamShape::AnyOf(each) => each.iter().any(ParamShape::has_object),
            ParamShape::Scalar | ParamShape::Array => false,
        }
    }
}

/// A request body.
#[derive(Debug)]
pub struct Body {
    /// Its description.
    pub doc: String,
    /// Whether it is required.
    pub required: bool,
    /// How many bytes it may have, if the document says so; otherwise, the service decides.
    pub limit: Option<u64>,
    /// The accepted media types.
    pub media: Vec<Media>,
    /// The name of the choice, when there are several media types.
    pub name: Name,
}

/// One media type of a body.
#[derive(Debug)]
pub struct Media {
    /// The media type as the document writes it.
    pub media_type: String,
    /// Further media types that a request may have with the same content.
    pub also: Vec<String>,
    /// Its name among several media types.
    pub name: Name,
    /// Its content.
    pub content: Content,
    /// How many items a request has, of content that comes one by one.
    pub count: Bounds,
    /// Named examples.
    pub examples: Vec<Example>,
}

/// The content of a body.
#[derive(Debug)]
pub enum Content {
    /// JSON of a type; the key is its schema's.
    Json(Type, String),
    /// `application/x-www-form-urlencoded` of a type; the key is its schema's. The fields are those
    /// that are not plain pairs of their names.
    Form(Type, String, Vec<Styled>),
    /// `multipart/form-data`.
    Multipart(Form),
    /// Any UTF-8 text.
    Text,
    /// UTF-8 text that is one value of a type, written like a parameter; the key is its schema's.
    Scalar(Type, String),
    /// Bytes, as they arrive.
    Stream,
    /// JSON items of a type, one by one; the key is an item's schema's.
    Items(Framing, Type, String),
    /// Server-sent events, one by one. The key is that of the schema of the fields beside the data, where the
    /// document has one and the types of the events do not tell it.
    Events(EventData, Option<String>),
    /// Parts without names, one by one.
    Parts(BodyParts),
}

/// How JSON items are separated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Framing {
    /// Each is a line.
    Lines,
    /// Each follows a record separator (RFC 7464).
    Records,
}

/// The data of an event.
#[derive(Debug)]
pub enum EventData {
    /// Text; the key is that of its schema, where that restricts it.
    Text(Option<String>),
    /// JSON of a type; the key is its schema's.
    Json(Type, String),
    /// Data of a type for each type of event; the enum of these has a name.
    Kinds(Name, Vec<EventKind>),
}

impl EventData {
    /// The types of the data.
    pub fn types(&self) -> Vec<&Type> {
        match self {
            EventData::Text(_) => Vec::new(),
            EventData::Json(ty, _) => vec![ty],
            EventData::Kinds(_, kinds) => kinds.iter().flat_map(|kind| kind.data.types()).collect(),
        }
    }
}

/// The data of events of one type.
#[derive(Debug)]
pub struct EventKind {
    /// The type, as `event` has it.
    pub wire: String,
    /// Its name.
    pub name: Name,
    /// Its description.
    pub doc: String,
    /// The data, which no type tells further.
    pub data: EventData,
    /// The key of the schema of its id and time of reconnection, where the document has one.
    pub fields: Option<String>,
}

impl Body {
    /// The media type to send when there are several: JSON if it is one of them.
    pub fn preferred(&self) -> Option<&Media> {
        let is_json = |media: &&Media| matches!(media.content, Content::Json(..));
        self.media.iter().find(is_json).or(self.media.first())
    }

    /// Each content with the indices of its media types among all that the body may have.
    pub fn indexed(&self) -> impl Iterator<Item = (Range<usize>, &Media)> {
        let mut next = 0;
        self.media.iter().map(move |media| {
            let first = next;
            next += media.media_types().count();
            (first..next, media)
        })
    }

    /// The indices of the media types that are read as they arrive.
    pub fn streamed(&self) -> Vec<usize> {
        let streamed = self.indexed().filter(|(_, media)| media.is_streamed());
        streamed.flat_map(|(indices, _)| indices).collect()
    }
}

impl Response {
    /// The indices of the media types that are sent as they are made.
    pub fn streamed(&self) -> Vec<usize> {
        let all = self.media.iter().enumerate();
        let streamed = all.filter(|(_, media)| media.is_streamed());
        streamed.map(|(position, _)| position).collect()
    }
}

impl Media {
    /// Every media type that the content may have, the one to send first.
    pub fn media_types(&self) -> impl Iterator<Item = &str> {
        [&self.media_type]
            .into_iter()
            .chain(&self.also)
            .map(String::as_str)
    }

    /// Whether it is a stream: all content is but JSON, forms, text and XML.
    pub fn is_streamed(&self) -> bool {
        match self.content {
            Content::Json(..) | Content::Form(..) | Content::Text | Content::Scalar(..) => false,
            Content::Multipart(ref form) => form.has_files(),
            Content::Stream | Content::Items(..) | Content::Events(..) | Content::Parts(_) => true,
        }
    }

    /// The media type to send where the document has a range; a stream's is known only when it is
    /// sent.
    pub fn sent(&self) -> Cow<'_, str> {
        let declared = self.media_type.as_str();
        match self.content {
            // Any unregistered subtype will do (RFC 6838 §3.4).
            Content::Json(..) | Content::Text | Content::Scalar(..) if declared.contains("*+") => {
                declared.replacen('*', "x.any", 1).into()
            }
            Content::Json(..) if declared.contains('*') => "application/json".into(),
            Content::Text | Content::Scalar(..) if declared.contains('*') => {
                "text/plain; charset=utf-8".into()
            }
            _ => declared.into(),
        }
    }
}

/// A response.
#[derive(Debug)]
pub struct Response {
    /// The status, range or `default`.
    pub status: Status,
    /// The statuses of this response alone.
    pub statuses: Vec<RangeInclusive<u16>>,
    /// Its name among the operation's responses.
    pub name: Name,
    /// Its description.
    pub doc: String,
    /// The headers that the handler sets; all of them where the framework gives the answer.
    pub headers: Vec<ResponseHeader>,
    /// Every header that callers see, the framework's included.
    pub seen_headers: Vec<SeenHeader>,
    /// The media types of its body; none for no body.
    pub media: Vec<Media>,
    /// The name of the choice, when there are several media types.
    pub content_name: Name,
    /// Whether the framework gives its body an entity tag.
    pub is_tagged: bool,
    /// The links that use its values, those that no client follows included.
    pub links: Vec<DescribedLink>,
}

/// A header that the handler sets, or that the client reads of an answer of the framework.
#[derive(Debug, Clone)]
pub struct ResponseHeader {
    /// Name, type and presence.
    pub field: Field,
    /// The encoding of its value.
    pub encoding: HeaderEncoding,
    /// The key of its schema.
    pub schema: String,
}

/// The encoding of a response header's value.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum HeaderEncoding {
    /// The `Display` of its type.
    Text,
    /// In the style `simple`.
    Simple {
        /// The shape of the value.
        shape: ParamShape,
        /// Whether the members of an object are written `name=value`.
        explode: bool,
    },
    /// As JSON.
    Json,
}

/// A header of a response as callers see it, set by the handler or the framework.
#[derive(Debug)]
pub struct SeenHeader {
    /// Its name as the document writes it.
    pub wire: String,
    /// Whether it is always sent.
    pub required: bool,
    /// The key of its schema.
    pub schema: String,
    /// Named examples.
    pub examples: Vec<Example>,
}
