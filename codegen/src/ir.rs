//! The intermediate representation: everything that the output says, decided and named.
//!
//! Plain data. It contains neither OpenAPI's structures nor Rust's syntax trees, and no reference
//! back to the document. The Rust crate, the client, the collection and the operation table are all
//! printed from it. Lists are in the order of the document.

mod condition;
mod conversion;
pub(crate) mod example;
mod form;
mod format;
pub(crate) mod integer;
mod link;
mod model;
mod name;
mod operation;
mod outgoing;
mod parts;
mod refusal;
mod rejection;
mod section;
mod security;
pub(crate) mod uri;
mod variant_filter;

pub use crate::formats::{Dependency, Typed};
pub use crate::message::{ParamLocation, Status};
pub use condition::{Cause, Condition, ConditionId, Evaluated, Evaluates, NamedCondition};
pub use conversion::{Conversion, ConvertedParts, Step};
pub use example::ExampleRequest;
pub use form::{
    Bounds, Delimited, FieldContent, Form, FormField, KeptFields, OtherFields, PartHeaders, Styled,
};
pub use format::{Format, FormatId};
pub use integer::IntegerType;
pub use json_schema::style::Style;
pub use link::{DescribedLink, Link, LinkArgument, LinkSource};
pub use model::{
    Ambiguity, Discrimination, EnumVariant, Extra, Field, Model, ModelId, ModelShape, Pattern,
    PatternId, Rules, Type, TypeKind, Union, UnionVariant,
};
pub use name::Name;
pub use operation::{
    Accept, Body, Content, EventData, EventKind, Example, Framing, Group, HeaderEncoding, Media,
    Operation, Param, ParamShape, RequestMatcher, Response, ResponseHeader, SeenHeader,
};
pub use outgoing::{Argument, Callback, CallbackUrl, UrlPart};
pub use parts::{BodyParts, PartContent, PartKind};
pub use refusal::{Refusal, RefusalSet};
pub use rejection::{Known, RejectionAnswer, RejectionBody, RejectionKind};
pub use section::Section;
pub use security::{
    RequirementId, RequirementTerms, Scheme, SchemeKind, Security, SecurityRequirement,
};
pub use variant_filter::VariantFilter;

use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// The whole API.
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
    /// The models that can always become others.
    pub conversions: Vec<Conversion>,
    /// The formats that have a type; a [`FormatId`] is an index into it.
    pub formats: Vec<Format>,
    /// The crates that those types need.
    pub dependencies: Vec<Dependency>,
    /// Distinct regular expressions; a [`PatternId`] is an index into it.
    pub patterns: Vec<Pattern>,
    /// Schemas lowered to functions; a [`ConditionId`] is an index into it.
    pub conditions: Vec<NamedCondition>,
    /// The causes why schemas have no condition, by key.
    pub causes: BTreeMap<String, Cause>,
    /// The schemas that the generated crate's checker reads.
    pub schemas: Map<String, Value>,
    /// The security schemes.
    pub schemes: Vec<Scheme>,
    /// The requirements of operations; a [`RequirementId`] is an index into it.
    pub security_requirements: Vec<SecurityRequirement>,
    /// One per tag.
    pub groups: Vec<Group>,
    /// The tags as readers see them, below one another.
    pub sections: Vec<Section>,
    /// All operations; groups point into it.
    pub operations: Vec<Operation>,
    /// Webhooks: operations that the API calls on the servers of subscribers.
    pub webhooks: Vec<Operation>,
    /// Callbacks: operations that the API calls on the servers of its callers.
    pub callbacks: Vec<Callback>,
    /// The links that a client can follow.
    pub links: Vec<Link>,
    /// Rejections: the answers that no handler gives.
    pub rejections: Vec<RejectionAnswer>,
    /// The answers of the framework as the client reads them.
    pub refusals: Vec<Refusal>,
    /// The sets of them that operations document.
    pub refusal_sets: Vec<RefusalSet>,
    /// The document itself, for publication.
    pub document: Value,
    /// How clients read responses that differ from the contract.
    pub client: ClientRules,
}

/// A server that answers (OpenAPI 3.1.1 §4.8.5).
#[derive(Debug)]
pub struct Server {
    /// Absolute, or relative to the document's own URL; `{name}` stands for a variable.
    pub url: String,
    /// Its description.
    pub description: String,
    /// The variables of the URL.
    pub variables: Vec<ServerVariable>,
}

impl Server {
    /// Its URL, in which variables have their defaults.
    pub fn default_url(&self) -> String {
        self.filled(self.url.clone())
    }

    /// Its URL with another value of one variable.
    pub fn url_with(&self, variable: &str, value: &str) -> String {
        self.filled(self.url.replace(&format!("{{{variable}}}"), value))
    }

    fn filled(&self, url: String) -> String {
        let variables = self.variables.iter();
        variables.fold(url, |url, variable| {
            url.replace(&format!("{{{}}}", variable.name), &variable.default)
        })
    }

    /// The path of its URL, encoded and without a slash at its end; variables have their defaults.
    /// Empty for a URL that is relative to the path of the document.
    pub fn path(&self) -> String {
        path(&self.default_url())
    }

    /// Its URL in which variables have their defaults, without a slash at its end. A relative one is
    /// resolved against the local host.
    pub fn absolute_url(&self) -> String {
        uri::absolute(&self.default_url())
    }

    /// Its path with another value of one variable.
    pub fn path_with(&self, variable: &str, value: &str) -> String {
        path(&self.url_with(variable, value))
    }
}

fn path(url: &str) -> String {
    let whole = url.split(['?', '#']).next().unwrap_or_default();
    // Two slashes inside a path do not begin a host.
    let scheme = |before: &str| before.strip_suffix(':').is_some_and(|it| !it.contains('/'));
    let is_host = |before: &str| before.is_empty() || scheme(before);
    let after = whole.split_once("//").filter(|(before, _)| is_host(before));
    let below_host = after.map(|(_, rest)| match rest.find('/') {
        Some(at) => rest.get(at..).unwrap_or_default(),
        None => "",
    });
    let path = below_host.unwrap_or(whole);
    if path.contains('{') || !path.starts_with('/') {
        return String::new();
    }
    uri::encoded(path.trim_end_matches('/'))
}

/// A part of a server's URL that callers choose (§4.8.6).
#[derive(Debug)]
pub struct ServerVariable {
    /// Its name between the braces.
    pub name: String,
    /// Its description.
    pub description: String,
    /// Its default.
    pub default: String,
    /// The allowed values; empty if any is.
    pub allowed: Vec<String>,
}

/// How clients read responses that differ from the contract.
#[derive(Debug, Clone, Copy, Default)]
pub struct ClientRules {
    /// Whether clients read responses strictly.
    pub is_strict: bool,
    /// Whether enums in responses can hold strings that the contract does not list.
    pub opens_enums: bool,
    /// Whether responses without documented content carry the received body.
    pub keeps_bodies: bool,
}

impl ClientRules {
    /// Whether a response carries a body that the contract does not document.
    pub fn keeps_body(self, operation: &Operation, response: &Response) -> bool {
        self.keeps_bodies
            && response.status.has_body()
            && response.media.is_empty()
            && operation.method != "HEAD"
    }
}

impl Api {
    /// Every operation, webhooks and callbacks included.
    pub fn all_operations(&self) -> impl Iterator<Item = &Operation> {
        let callbacks = self.callbacks.iter().map(|callback| &callback.operation);
        self.operations
            .iter()
            .chain(&self.webhooks)
            .chain(callbacks)
    }

    /// Whether there is any operation; a document of schemas alone gives types alone.
    pub fn has_operations(&self) -> bool {
        self.all_operations().next().is_some()
    }
}
