//! Operations: who may call them, what they take and what they give.

use super::{
    Example, Field, Form, LinkObject, ParamLocation, Security, Server, Status, Style, Styled, Type,
};
use jiff::Timestamp;
use serde_json::Value;
use std::borrow::Cow;
use std::ops::RangeInclusive;

/// The operations of one tag.
#[derive(Debug)]
pub struct Group {
    /// The tag as the document writes it.
    pub tag: String,
    /// The module.
    pub module: String,
    /// The trait.
    pub interface: String,
    /// What the document says of the tag.
    pub doc: String,
    /// Indices into [`Api::operations`](super::Api::operations).
    pub operations: Vec<usize>,
}

/// An operation.
#[derive(Debug)]
pub struct Operation {
    /// Its place in [`Api::operations`](super::Api::operations).
    pub index: usize,
    /// The operationId, or what stands for it.
    pub id: String,
    /// The trait method.
    pub rust: String,
    /// The stem of its types.
    pub pascal: String,
    /// Its variant among the ids of all operations.
    pub variant: String,
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
    /// Since when it is deprecated, where that is told.
    pub deprecated_at: Option<Timestamp>,
    /// When it ends, where that is told.
    pub sunset: Option<Timestamp>,
    /// In capitals.
    pub method: String,
    /// The server that it has in the place of the document's.
    pub server: Option<Server>,
    /// The template, below the base path.
    pub path: String,
    /// What a request must have for it, where other operations have the same method and path.
    pub matchers: Vec<RequestMatcher>,
    /// Whether the service has it. The client has those as well that no request tells from another.
    pub served: bool,
    /// Whether its handler reads the request and writes the answer itself, so that there is no more
    /// to say of it than its path and who may call it.
    pub raw: bool,
    /// The parameters in the path, in the order of the template.
    pub path_params: Vec<Param>,
    /// The other parameters.
    pub params: Vec<Param>,
    /// The request body.
    pub body: Option<Body>,
    /// The responses that are the handler's to give.
    pub responses: Vec<Response>,
    /// The responses that the framework gives in the place of the handler.
    pub framework_responses: Vec<Response>,
    /// What callers choose from with `Accept`.
    pub accept: Accept,
    /// Who may call it.
    pub security: Security,
    /// The security requirement: alternatives of schemes with scopes, one of none at the end.
    pub requirements: Vec<Vec<(String, Vec<String>)>>,
    /// Whether the framework answers 304 where the caller holds the representation already.
    pub conditional: bool,
    /// Whether it counts against limits.
    pub metered: bool,
    /// Whether the handler gets the request's extensions.
    pub extensions: bool,
    /// Whether the handler gets all headers of the request.
    pub raw_headers: bool,
}

impl Operation {
    /// The path that its own is below, where that is not `base`, which all others are below.
    pub fn own_base_path(&self, base: &str) -> Option<String> {
        let own = self.server.as_ref().map(Server::path);
        own.filter(|own| own != base)
    }

    /// Pairs of the query that are no parameter and only tell the operation from others of its path.
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

/// What tells an operation from others of its method and path.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct RequestMatcher {
    /// The query or a header.
    pub place: ParamLocation,
    /// The name of the parameter or header.
    pub name: String,
    /// Its value; none for any.
    pub value: Option<String>,
}

/// The media types of the answers that a request can be negotiated for: those of success, or of
/// `default` where there is no other.
#[derive(Debug, Default)]
pub struct Accept {
    /// The type that tells a handler what its caller likes best, when there are several.
    pub rust: String,
    /// The media types in the order of the document, and their variants.
    pub offers: Vec<(String, String)>,
}

/// A parameter.
#[derive(Debug)]
pub struct Param {
    /// Name, type and presence.
    pub field: Field,
    /// The variable that holds its value while a request is read.
    pub local: String,
    /// The variable that holds its declaration.
    pub spec: String,
    /// Where it travels.
    pub place: ParamLocation,
    /// How it is written.
    pub style: Style,
    /// Whether arrays and objects are written out one by one.
    pub explode: bool,
    /// Whether one text, a list or an object is written.
    pub shape: ParamShape,
    /// Whether its schema must tell what its texts are: those of a union, of null, of strings beside
    /// numbers, of lists and objects within others, of names in brackets, of a list of nothing where
    /// something must be sent, and of a default that it refuses.
    pub is_doubtful: bool,
    /// The value of a parameter that is absent.
    pub default: Option<Value>,
    /// The key of its schema.
    pub schema: String,
    /// Named examples.
    pub examples: Vec<Example>,
}

impl Param {
    /// Whether members of its value may be pairs of the query, each of its own name.
    pub fn has_pairs_of_members(&self) -> bool {
        let styles = [Style::Form, Style::SpaceDelimited, Style::PipeDelimited];
        self.place == ParamLocation::Query
            && self.explode
            && styles.contains(&self.style)
            && self.shape.has_object()
    }

    /// Whether a member of its value may be read as another parameter of the query, of which these are
    /// all names.
    pub fn may_be_read_as(&self, queried: &[&str]) -> bool {
        if self.style != Style::DeepObject {
            return queried.len() > 1 && self.has_pairs_of_members();
        }
        let below = format!("{}[", self.field.wire);
        queried.iter().any(|name| name.starts_with(&below))
    }

    /// The name of the pair of the query that a member of its value is, where it is one.
    pub fn pair_of(&self, member: &str) -> Option<String> {
        match self.style {
            Style::DeepObject => Some(format!("{}[{member}]", self.field.wire)),
            _ => self.has_pairs_of_members().then(|| member.to_owned()),
        }
    }
}

/// How many texts a parameter's value is made of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ParamShape {
    /// One.
    Scalar,
    /// Several.
    Array,
    /// Named ones; these are the names.
    Object(Vec<String>),
    /// Some of the others, each once and in their order: the variants of a union differ.
    AnyOf(Vec<ParamShape>),
}

impl ParamShape {
    /// The names of an object's members; none for what is no object.
    pub fn members(&self) -> &[String] {
        match self {
            ParamShape::Object(names) => names,
            ParamShape::AnyOf(each) => each.last().map_or(&[], ParamShape::members),
            ParamShape::Scalar | ParamShape::Array => &[],
        }
    }

    /// Whether it may be that of an object.
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
    /// What the document says of it.
    pub doc: String,
    /// Whether it must be there.
    pub required: bool,
    /// How many bytes it has at most, where the document says it: else the service does.
    pub limit: Option<u64>,
    /// The media types that are taken.
    pub media: Vec<Media>,
    /// The type of the argument, when there are several media types.
    pub rust: String,
}

/// One media type of a body.
#[derive(Debug)]
pub struct Media {
    /// As in the document.
    pub media_type: String,
    /// The variant, when there are several media types.
    pub rust: String,
    /// What is in it.
    pub content: Content,
    /// Named examples.
    pub examples: Vec<Example>,
}

/// What a body holds.
#[derive(Debug)]
pub enum Content {
    /// JSON of a type; the key is that of its schema.
    Json(Type, String),
    /// `application/x-www-form-urlencoded` of a type; the key is that of its schema. The fields are
    /// those that are not just the pairs of their names.
    Form(Type, String, Vec<Styled>),
    /// `multipart/form-data`.
    Multipart(Form),
    /// Any UTF-8 text.
    Text,
    /// UTF-8 text that is one value of a type, written as a parameter's is; the key is that of its
    /// schema.
    Scalar(Type, String),
    /// Bytes, as they arrive.
    Stream,
    /// Items of JSON, one by one, of a type; the key is that of an item's schema.
    Items(Framing, Type, String),
    /// Server-sent events, one by one.
    Events(EventData),
}

/// How items of JSON are told apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Framing {
    /// Each is a line.
    Lines,
    /// Each follows a record separator (RFC 7464).
    Records,
}

/// What the data of an event is.
#[derive(Debug)]
pub enum EventData {
    /// Text.
    Text,
    /// JSON of a type.
    Json(Type),
}

impl Body {
    /// The positions of the media types that are read as they arrive.
    pub fn streamed(&self) -> Vec<usize> {
        positions(&self.media)
    }
}

impl Response {
    /// The positions of the media types that are sent as they are made.
    pub fn streamed(&self) -> Vec<usize> {
        positions(&self.media)
    }
}

fn positions(media: &[Media]) -> Vec<usize> {
    let all = media.iter().enumerate();
    let streamed = all.filter(|(_, media)| media.is_streamed());
    streamed.map(|(position, _)| position).collect()
}

impl Media {
    /// Whether it passes piece by piece: what is not JSON, a form, a text or XML does.
    pub fn is_streamed(&self) -> bool {
        match self.content {
            Content::Json(..) | Content::Form(..) | Content::Text | Content::Scalar(..) => false,
            Content::Multipart(ref form) => form.has_files(),
            Content::Stream | Content::Items(..) | Content::Events(_) => true,
        }
    }

    /// The media type to send where the document may have a range; that of a stream is known when
    /// it is sent.
    pub fn sent(&self) -> Cow<'_, str> {
        let declared = self.media_type.as_str();
        match self.content {
            // Any subtype will do that nobody has registered (RFC 6838 §3.4).
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
    /// Which status.
    pub status: Status,
    /// The statuses that it and no other response of the operation stands for.
    pub statuses: Vec<RangeInclusive<u16>>,
    /// The variant's Rust name.
    pub rust: String,
    /// What the document says of it.
    pub doc: String,
    /// The headers that the handler sets.
    pub headers: Vec<ResponseHeader>,
    /// Every header that callers see, the framework's included.
    pub seen_headers: Vec<SeenHeader>,
    /// The media types of its body; none for no body.
    pub media: Vec<Media>,
    /// The type of the body, when there are several media types.
    pub body_rust: String,
    /// Whether the framework gives its body an entity tag.
    pub is_tagged: bool,
    /// Where what it holds can be used next.
    pub links: Vec<LinkObject>,
}

/// A header that the handler sets.
#[derive(Debug)]
pub struct ResponseHeader {
    /// Name, type and presence.
    pub field: Field,
    /// How its value is written.
    pub written: Written,
    /// The key of its schema.
    pub schema: String,
}

/// How the value of a response header is written.
#[derive(Debug, PartialEq, Eq)]
pub enum Written {
    /// As its type prints itself.
    Text,
    /// In the style `simple`.
    Simple {
        /// How many texts it is made of.
        shape: ParamShape,
        /// Whether the members of an object are written `name=value`.
        explode: bool,
    },
    /// As JSON.
    Json,
}

/// A header of a response as callers see it, whoever sets it.
#[derive(Debug)]
pub struct SeenHeader {
    /// Its name as the document writes it.
    pub wire: String,
    /// Whether it is always there.
    pub required: bool,
    /// The key of its schema.
    pub schema: String,
    /// Named examples.
    pub examples: Vec<Example>,
}
