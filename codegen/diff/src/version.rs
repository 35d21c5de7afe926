//! One version of a contract: its operations, schemas, servers and routes.

mod media_types;
mod routes;
mod server_urls;

pub(crate) use media_types::{Content, MediaPairs, concrete, covers, essence};
pub(crate) use routes::{parameter_names, unnamed};
pub(crate) use server_urls::ServerUrls;

use crate::Contract;
use crate::wire::FormFields;
use codegen::diagnostic::{Code, Diagnostic, Diagnostics, Severity};
use codegen::openapi::{
    self, Document, Media, Operation, Outgoing, ParamLocation, Parameter, Response, SecurityScheme,
};
use codegen::source::Pointer;
use sample::Bundle;
use serde_json::Value;
use std::collections::HashMap;

/// A version of a contract.
pub(crate) struct Version {
    /// `info.version`.
    pub(crate) name: String,
    pub(crate) servers: ServerUrls,
    pub(crate) operations: Vec<Operation>,
    pub(crate) webhooks: Vec<Outgoing>,
    pub(crate) callbacks: Vec<Outgoing>,
    /// The responses that belong to no operation.
    pub(crate) framework: Vec<Response>,
    pub(crate) schemas: Bundle,
    pub(crate) schemes: Vec<(String, SecurityScheme)>,
    /// The paths of the operations.
    paths: Vec<String>,
    /// The fields of each form, by the place of its media type.
    forms: HashMap<Pointer, FormFields>,
}

impl Version {
    /// Reads a document.
    ///
    /// # Errors
    /// The problems that keep it from being read, wholly or in part.
    pub(crate) fn read(contract: Contract<'_>) -> Result<Version, Diagnostics> {
        let Contract { source, reading } = contract;
        let (document, root, found) = openapi::read(source, reading)?;
        let errors = found.into_iter();
        let errors = errors.filter(|one| one.severity == Severity::Error && is_fatal(one, &root));
        let mut fatal = Diagnostics::default();
        errors.for_each(|problem| fatal.add(problem));
        if !fatal.is_empty() {
            return Err(fatal);
        }
        let Document {
            info,
            servers,
            schemes,
            mut operations,
            webhooks,
            callbacks,
            framework_responses,
            bundle,
            ..
        } = document;
        for operation in &mut operations {
            operation.path = codegen::plain_path(&operation.path, operation);
        }
        let schemas = Bundle::new(bundle.into_schemas());
        let outgoing = webhooks.iter().chain(&callbacks);
        let all = operations.iter().chain(outgoing.map(|one| &one.operation));
        let forms = all.flat_map(|one| {
            let bodies = one.body.iter().flat_map(|body| &body.content);
            bodies.chain(one.parameters.iter().filter_map(|one| one.form.as_ref()))
        });
        let forms = forms
            .filter_map(|media| Some((media.at.clone(), FormFields::of(&schemas, media)?)))
            .collect();
        let mut version = Version {
            name: info.version,
            servers: ServerUrls::of(&servers),
            operations,
            webhooks,
            callbacks,
            framework: framework_responses,
            schemas,
            schemes,
            paths: Vec::new(),
            forms,
        };
        let paths = version.operations.iter().map(|one| version.path(one));
        version.paths = paths.collect();
        Ok(version)
    }

    /// The operations of the path that a request is for, of all methods.
    pub(crate) fn at_path(&self, path: &str) -> impl Iterator<Item = &Operation> {
        let found = routes::find(&self.paths, path).into_iter();
        found.filter_map(|index| self.operations.get(index))
    }

    /// Whether a request to a path is for the path of an operation.
    pub(crate) fn routes_to(&self, operation: &Operation, path: &str) -> bool {
        self.at_path(path).any(|one| std::ptr::eq(one, operation))
    }

    /// The path that an operation is below: that of its first server.
    pub(crate) fn base(&self, operation: &Operation) -> String {
        match operation.servers.first() {
            None => self.servers.base().to_owned(),
            own => codegen::base_path(own),
        }
    }

    /// The path of an operation as clients write it.
    pub(crate) fn path(&self, operation: &Operation) -> String {
        self.base(operation) + &operation.path
    }

    /// The path without the names of its parameters, which no client sees, and the method.
    pub(crate) fn route(&self, operation: &Operation) -> String {
        format!("{} {}", operation.method, unnamed(&self.path(operation)))
    }

    /// The fields of a body that is a form.
    pub(crate) fn fields(&self, media: &Media) -> Option<&FormFields> {
        self.forms.get(&media.at)
    }

    /// The security scheme with a name.
    pub(crate) fn scheme(&self, name: &str) -> Option<&SecurityScheme> {
        let mut schemes = self.schemes.iter();
        let found = schemes.find(|(known, _)| known == name);
        found.map(|(_, scheme)| scheme)
    }
}

/// Whether a parameter is one of the path, and the template has no place for it.
pub(crate) fn is_misplaced(operation: &Operation, parameter: &Parameter) -> bool {
    parameter.place == ParamLocation::Path
        && !parameter_names(&operation.path).contains(&parameter.name.as_str())
}

/// Whether a document cannot be compared because of a problem: it is no OpenAPI document, or a part of it is
/// in a file that was not read. All changes of a missing part would be hidden, and its return would be a
/// break.
fn is_fatal(problem: &Diagnostic, document: &Value) -> bool {
    let root = Pointer::default();
    match problem.code {
        Code::Syntax => true,
        Code::Unsupported | Code::Invalid => [root.child("openapi"), root].contains(&problem.at),
        Code::DanglingReference => {
            let at = problem.at.as_str();
            let reference = document.pointer(at).and_then(Value::as_str);
            at.ends_with("/$ref") && reference.is_some_and(|text| !text.starts_with('#'))
        }
        _ => false,
    }
}
