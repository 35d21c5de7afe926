//! The intermediate representation: what the output says, decided, named and closed.
//!
//! Plain data. It knows nothing of OpenAPI's shapes nor of Rust's syntax trees, and holds no way
//! back to the document. The Rust crate, the client, the collection and the operation table are
//! all printed from it. Lists are in the order of the document.

mod condition;
mod form;
mod format;
pub(crate) mod integer;
mod link;
mod model;
mod operation;
mod outgoing;
mod rejection;
mod security;
mod variant_filter;

pub use crate::formats::{Dependency, Typed};
pub use crate::openapi::{Example, LinkObject, ParamLocation, Status, Style};
pub use condition::{Condition, ConditionId, Evaluated, Evaluates, NamedCondition};
pub use form::{
    Bounds, FieldContent, Form, FormField, Joined, KeptFields, OtherFields, PartHeaders, Styled,
};
pub use format::{Format, FormatId};
pub use integer::IntegerType;
pub use link::{Link, LinkArgument, LinkSource};
pub use model::{
    Ambiguity, Discrimination, EnumVariant, Extra, Field, Model, ModelId, ModelShape, Pattern,
    PatternId, Rules, Type, TypeKind, Union, UnionVariant,
};
pub use operation::{
    Accept, Body, Content, EventData, Framing, Group, Media, Operation, Param, ParamShape,
    RequestMatcher, Response, ResponseHeader, SeenHeader, Written,
};
pub use outgoing::{Callback, CallbackUrl, Given, UrlPart};
pub use rejection::{RejectionAnswer, RejectionKind};
pub use security::{
    RequirementId, RequirementTerms, Scheme, SchemeKind, Security, SecurityRequirement,
};
pub use variant_filter::VariantFilter;

use crate::enforced::Cause;
use crate::uri;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

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
    /// The formats that have a type; a [`FormatId`] is an index into it.
    pub formats: Vec<Format>,
    /// What the generated crate needs for those types.
    pub dependencies: Vec<Dependency>,
    /// Distinct regular expressions; a [`PatternId`] is an index into it.
    pub patterns: Vec<Pattern>,
    /// Schemas as functions; a [`ConditionId`] is an index into it.
    pub conditions: Vec<NamedCondition>,
    /// Why the schemas that have no condition have none.
    pub causes: BTreeMap<String, Cause>,
    /// The schemas that the generated crate's checker reads.
    pub schemas: Map<String, Value>,
    /// The security schemes.
    pub schemes: Vec<Scheme>,
    /// What operations ask of their callers; a [`RequirementId`] is an index into it.
    pub security_requirements: Vec<SecurityRequirement>,
    /// One per tag.
    pub groups: Vec<Group>,
    /// All operations; groups point into it.
    pub operations: Vec<Operation>,
    /// The operations that are called on the servers of those who listen.
    pub webhooks: Vec<Operation>,
    /// The operations that are called on the servers of callers.
    pub callbacks: Vec<Callback>,
    /// The links that a client can follow.
    pub links: Vec<Link>,
    /// The answers that no handler gives.
    pub rejections: Vec<RejectionAnswer>,
    /// The document itself, for others to read.
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

impl Server {
    /// Its URL, in which variables have their defaults.
    pub fn written(&self) -> String {
        self.filled(self.url.clone())
    }

    /// The same with another value of one of them.
    pub fn written_with(&self, variable: &str, value: &str) -> String {
        self.filled(self.url.replace(&format!("{{{variable}}}"), value))
    }

    fn filled(&self, url: String) -> String {
        let variables = self.variables.iter();
        variables.fold(url, |url, variable| {
            url.replace(&format!("{{{}}}", variable.name), &variable.default)
        })
    }

    /// The path of its URL, encoded and without a slash at its end; variables have their defaults, and
    /// what is relative to a place that nobody knows is none.
    pub fn path(&self) -> String {
        path(&self.written())
    }

    /// The same with another value of one variable.
    pub fn path_with(&self, variable: &str, value: &str) -> String {
        path(&self.written_with(variable, value))
    }
}

fn path(url: &str) -> String {
    let whole = url.split(['?', '#']).next().unwrap_or_default();
    // Two slashes within a path are no host's.
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
    /// What the document says of it.
    pub description: String,
    /// Its value unless another is chosen.
    pub default: String,
    /// The values to choose from; none for any.
    pub allowed: Vec<String>,
}

impl Api {
    /// Every operation, whoever calls it.
    pub fn all_operations(&self) -> impl Iterator<Item = &Operation> {
        let callbacks = self.callbacks.iter().map(|callback| &callback.operation);
        self.operations
            .iter()
            .chain(&self.webhooks)
            .chain(callbacks)
    }

    /// Whether somebody calls or is called; a document of schemas alone gives types alone.
    pub fn has_operations(&self) -> bool {
        self.all_operations().next().is_some()
    }
}
