//! The intermediate representation: what the output says, decided, named and closed.
//!
//! Plain data. It knows nothing of OpenAPI's shapes nor of Rust's syntax trees, and holds no way
//! back to the document. The Rust crate, the client, the collection and the operation table are
//! all printed from it. Lists are in the order of the document.

use serde_json::{Map, Value};
use std::ops::RangeInclusive;

/// Everything there is to print.
#[derive(Debug)]
pub struct Api {
    /// `info.title`.
    pub title: String,
    /// `info.version`.
    pub version: String,
    /// `info.description`.
    pub description: String,
    /// The path of the first server, without a slash at its end.
    pub base_path: String,
    /// The servers; the first is the one that callers use unless told otherwise.
    pub servers: Vec<Server>,
    /// The types of `models.rs`; a [`ModelId`] is an index into it.
    pub models: Vec<Model>,
    /// Distinct regular expressions; a [`PatternId`] is an index into it.
    pub patterns: Vec<Pattern>,
    /// The schemas that the generated crate's checker reads.
    pub schemas: Map<String, Value>,
    /// The security schemes.
    pub schemes: Vec<Scheme>,
    /// One per tag.
    pub groups: Vec<Group>,
    /// All operations; groups point into it.
    pub operations: Vec<Operation>,
    /// The answers that no handler gives.
    pub faults: Vec<FaultAnswer>,
    /// The document itself, as it was written.
    pub document: Value,
}

/// A server that answers (OpenAPI 3.1.1 §4.8.5).
#[derive(Debug)]
pub struct Server {
    /// Absolute, or relative to where the document was read; `{name}` stands for a variable.
    pub url: String,
    /// What the document says of it.
    pub description: String,
    /// What the URL leaves open.
    pub variables: Vec<ServerVariable>,
}

/// A part of a server's URL that callers choose (§4.8.6).
#[derive(Debug)]
pub struct ServerVariable {
    /// Its name between the braces.
    pub name: String,
    /// What the document says of it.
    pub description: String,
    /// Its value unless another is chosen.
    pub default: String,
    /// The values to choose from; none for any.
    pub allowed: Vec<String>,
}

/// The index of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ModelId(pub usize);

/// The index of a pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct PatternId(pub usize);

/// A regular expression and the name of its constant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern {
    /// In capitals.
    pub constant: String,
    /// As in the document (ECMA-262).
    pub source: String,
}

/// A generated type.
#[derive(Debug)]
pub struct Model {
    /// The Rust name.
    pub name: String,
    /// What the document says of it.
    pub doc: String,
    /// The key of its schema.
    pub schema: String,
    /// What it looks like.
    pub shape: Shape,
}

/// The shapes of types.
#[derive(Debug)]
pub enum Shape {
    /// An object with known members.
    Struct {
        /// The members.
        fields: Vec<Field>,
        /// What happens to other members.
        extra: Extra,
    },
    /// One of several strings.
    Enum(Vec<EnumVariant>),
    /// Exactly one value.
    Constant(Value),
    /// One of several types.
    Union(Union),
    /// Another name for a type.
    Alias(Type),
    /// A type of its own around another, because it contains itself.
    Newtype(Type),
}

/// What an object does with members that it does not name.
#[derive(Debug)]
pub enum Extra {
    /// They are accepted and dropped.
    Ignored,
    /// They are refused.
    Refused,
    /// They are kept, each of this type, in a field of that Rust name.
    Kept {
        /// The field.
        rust: String,
        /// The type of every such member.
        ty: Type,
    },
}

/// A member of an object, or a parameter in its struct.
#[derive(Debug)]
pub struct Field {
    /// The name in JSON.
    pub wire: String,
    /// The Rust name, escaped.
    pub rust: String,
    /// What the document says of it.
    pub doc: String,
    /// Its type when it is there.
    pub ty: Type,
    /// Whether it may be absent.
    pub required: bool,
    /// Whether the type contains the struct itself, so that it must be boxed.
    pub boxed: bool,
    /// Whether the document deprecates it.
    pub deprecated: bool,
}

/// A variant of a string enum.
#[derive(Debug)]
pub struct EnumVariant {
    /// The string.
    pub wire: String,
    /// The Rust name.
    pub rust: String,
}

/// One of several types.
#[derive(Debug)]
pub struct Union {
    /// The alternatives.
    pub variants: Vec<UnionVariant>,
    /// Whether exactly one may match (`oneOf`), or the first that does is taken (`anyOf`).
    pub exactly_one: bool,
    /// The member that names the variant, where there is one.
    pub tag: Option<String>,
}

/// An alternative of a union.
#[derive(Debug)]
pub struct UnionVariant {
    /// The Rust name.
    pub rust: String,
    /// Its type.
    pub ty: Type,
    /// Whether it must be boxed.
    pub boxed: bool,
    /// The key of its schema.
    pub schema: String,
    /// The values of the union's tag that select it.
    pub tags: Vec<String>,
}

/// A type with the constraints that hold where it is used.
#[derive(Debug, Clone)]
pub struct Type {
    /// What it is.
    pub kind: Kind,
    /// What else must hold.
    pub rules: Box<Rules>,
}

/// What a value is.
#[derive(Debug, Clone)]
pub enum Kind {
    /// `bool`
    Bool,
    /// `i64`
    Integer,
    /// `f64`
    Number,
    /// `String`
    String,
    /// Any JSON value.
    Json,
    /// The JSON value `null`.
    Null,
    /// `Vec`
    Array(Box<Type>),
    /// A map from strings, in their order.
    Map(Box<Type>),
    /// `Option`: the value, or `null`.
    Nullable(Box<Type>),
    /// A generated type.
    Model(ModelId),
}

/// Constraints beyond a type. Numbers are JSON numbers as written.
#[derive(Debug, Clone, Default, PartialEq)]
#[expect(missing_docs, reason = "each is the keyword of the same name")]
pub struct Rules {
    pub min_length: Option<u64>,
    pub max_length: Option<u64>,
    pub pattern: Option<PatternId>,
    pub format: Option<String>,
    pub minimum: Option<Value>,
    pub maximum: Option<Value>,
    pub exclusive_minimum: Option<Value>,
    pub exclusive_maximum: Option<Value>,
    pub multiple_of: Option<Value>,
    pub min_items: Option<u64>,
    pub max_items: Option<u64>,
    pub unique_items: bool,
    pub min_properties: Option<u64>,
    pub max_properties: Option<u64>,
    /// The key of a schema that the checker must find the whole value valid against.
    pub schema: Option<String>,
}

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
    /// Indices into [`Api::operations`].
    pub operations: Vec<usize>,
}

/// An operation.
#[derive(Debug)]
pub struct Operation {
    /// Its place in [`Api::operations`].
    pub index: usize,
    /// The operationId, or what stands for it.
    pub id: String,
    /// The trait method.
    pub rust: String,
    /// The stem of its types.
    pub pascal: String,
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
    /// In capitals.
    pub method: String,
    /// The template, below the base path.
    pub path: String,
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
    /// Who may call it.
    pub security: Security,
    /// The security requirement: alternatives of schemes with scopes.
    pub requirements: Vec<Vec<(String, Vec<String>)>>,
    /// Whether it counts against limits.
    pub metered: bool,
}

/// Whether a caller must, may or need not say who it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Security {
    /// No scheme applies.
    Public,
    /// A scheme applies, and so does none.
    Optional,
    /// A scheme must be satisfied.
    Required,
}

/// A security scheme.
#[derive(Debug)]
pub struct Scheme {
    /// Its name in the document.
    pub name: String,
    /// What the document says of it.
    pub doc: String,
    /// The constant that holds it.
    pub constant: String,
    /// The client's method that sets its credential.
    pub method: String,
    /// How a credential travels.
    pub kind: SchemeKind,
}

/// How a credential travels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SchemeKind {
    /// A key in a header, a query parameter or a cookie of that name.
    ApiKey {
        /// Where.
        place: Place,
        /// Under which name.
        name: String,
    },
    /// HTTP Basic (RFC 7617).
    Basic,
    /// HTTP Bearer (RFC 6750).
    Bearer,
    /// OAuth 2.0; a bearer token on the wire.
    OAuth2,
    /// OpenID Connect; a bearer token on the wire.
    OpenIdConnect,
    /// A client certificate.
    MutualTls,
}

pub use crate::document::{Example, Link, Place, Status, Style};

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
    pub place: Place,
    /// How it is written.
    pub style: Style,
    /// Whether arrays and objects are written out one by one.
    pub explode: bool,
    /// Whether one text, a list or an object is written.
    pub layout: Layout,
    /// The value of a parameter that is absent.
    pub default: Option<Value>,
    /// The key of its schema.
    pub schema: String,
    /// Named examples.
    pub examples: Vec<Example>,
}

/// How many texts a parameter's value is made of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Layout {
    /// One.
    Scalar,
    /// Several.
    Array,
    /// Named ones; these are the names.
    Object(Vec<String>),
}

/// A request body.
#[derive(Debug)]
pub struct Body {
    /// What the document says of it.
    pub doc: String,
    /// Whether it must be there.
    pub required: bool,
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
    /// `application/x-www-form-urlencoded` of a type; the key is that of its schema.
    Form(Type, String),
    /// UTF-8 text.
    Text,
    /// Bytes.
    Bytes,
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
    pub headers: Vec<Field>,
    /// Every header that callers see, the framework's included.
    pub seen_headers: Vec<SeenHeader>,
    /// The media types of its body; none for no body.
    pub media: Vec<Media>,
    /// The type of the body, when there are several media types.
    pub body_rust: String,
    /// Where what it holds can be used next.
    pub links: Vec<Link>,
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

/// An answer that no handler gives.
#[derive(Debug)]
pub struct FaultAnswer {
    /// The kind, by the name that `x-framework-made` uses.
    pub kind: FaultKind,
    /// The status.
    pub status: u16,
    /// The body's type where the document marks one.
    pub body: Option<Type>,
}

/// What may befall a request before or instead of its handler.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum FaultKind {
    /// No such path.
    Route,
    /// The path has no such method.
    Method,
    /// No acceptable media type.
    NotAcceptable,
    /// The body is too large.
    TooLarge,
    /// The body's media type is not taken.
    MediaType,
    /// The body is not JSON.
    Json,
    /// Parameters or body break the contract.
    Validation,
    /// A credential is missing.
    CredentialMissing,
    /// A credential is not accepted.
    CredentialInvalid,
    /// The caller is over its limit.
    RateLimit,
    /// The server failed.
    Internal,
    /// The server cannot answer now.
    Unavailable,
}

impl FaultKind {
    /// All kinds with the name that `x-framework-made` uses, the Rust method and the usual status.
    pub const ALL: [(FaultKind, &'static str, &'static str, u16); 12] = [
        (FaultKind::Route, "route", "no_such_route", 404),
        (FaultKind::Method, "method", "method_not_allowed", 405),
        (
            FaultKind::NotAcceptable,
            "not-acceptable",
            "not_acceptable",
            406,
        ),
        (FaultKind::TooLarge, "too-large", "body_too_large", 413),
        (
            FaultKind::MediaType,
            "media-type",
            "media_type_not_taken",
            415,
        ),
        (FaultKind::Json, "json", "not_json", 400),
        (FaultKind::Validation, "validation", "invalid", 400),
        (
            FaultKind::CredentialMissing,
            "credential-missing",
            "credential_missing",
            401,
        ),
        (
            FaultKind::CredentialInvalid,
            "credential-invalid",
            "credential_invalid",
            401,
        ),
        (FaultKind::RateLimit, "rate-limit", "rate_limited", 429),
        (FaultKind::Internal, "internal", "internal", 500),
        (FaultKind::Unavailable, "unavailable", "unavailable", 503),
    ];
}
