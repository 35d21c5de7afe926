//! One of the two contracts, read and made ready for questions.

use super::Contract;
use super::fields::Fields;
use super::operations::{path_parameters, unnamed};
use super::pairing::Key;
use super::routes::Routes;
use super::servers::Addresses;
use super::view::View;
use crate::diagnostic::{Code, Diagnostic, Diagnostics, Severity};
use crate::lower::{self, modifiers};
use crate::openapi::{
    self, Document, Media, Operation, Outgoing, ParamLocation, Response, SecurityScheme,
};
use crate::source::Pointer;
use crate::source::files;
use serde_json::Value;
use std::collections::HashMap;
use std::ptr;

/// A contract.
pub(super) struct Side {
    /// `info.version`.
    pub(super) version: String,
    pub(super) servers: Addresses,
    pub(super) operations: Vec<Operation>,
    /// The routes of the operations, in their order.
    routes: Routes,
    pub(super) webhooks: Vec<Outgoing>,
    pub(super) callbacks: Vec<Outgoing>,
    /// The responses that belong to no operation.
    pub(super) framework: Vec<Response>,
    pub(super) view: View,
    forms: HashMap<Pointer, Fields>,
    schemes: Vec<(String, SecurityScheme)>,
}

impl Side {
    /// Reads a document.
    ///
    /// # Errors
    /// What keeps it from being read at all, or whole.
    pub(super) fn read(contract: Contract<'_>) -> Result<Side, Diagnostics> {
        let Contract { source, reading } = contract;
        let (value, written) = files::read(source, &reading.files)?;
        let mut found = Diagnostics::default().knowing(written);
        let document = openapi::parse(&value, reading, &mut found);
        let mut fatal = Diagnostics::default();
        let errors = found.iter().filter(|one| one.severity == Severity::Error);
        for problem in errors.filter(|one| is_fatal(one, &value)) {
            fatal.add(problem.clone());
        }
        if !fatal.is_empty() {
            return Err(fatal);
        }
        let forms = Fields::all(&document);
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
        operations.iter_mut().for_each(as_served);
        let mut side = Side {
            version: info.version,
            servers: Addresses::of(&servers),
            view: View::new(bundle.into_schemas()),
            forms,
            operations,
            routes: Routes::default(),
            webhooks,
            callbacks,
            framework: framework_responses,
            schemes,
        };
        let paths = side.operations.iter().map(|operation| side.path(operation));
        side.routes = Routes::of(paths);
        Ok(side)
    }

    /// The operations of the path that a request is for, whatever its method.
    pub(super) fn asked(&self, path: &str) -> Vec<&Operation> {
        let places = self.routes.asked(path).into_iter();
        let own = places.filter_map(|place| self.operations.get(place));
        own.collect()
    }

    /// Whether a request may be for an operation, but for its method.
    pub(super) fn asks(&self, operation: &Operation, path: &str) -> bool {
        let mut asked = self.asked(path).into_iter();
        asked.any(|one| ptr::eq(one, operation))
    }

    /// Its operations, and those that are sent.
    pub(super) fn operations_mut(&mut self) -> impl Iterator<Item = &mut Operation> {
        let sent = self.webhooks.iter_mut().chain(&mut self.callbacks);
        let sent = sent.map(|sent| &mut sent.operation);
        self.operations.iter_mut().chain(sent)
    }

    /// The path that an operation is below: that of its first server.
    pub(super) fn base(&self, operation: &Operation) -> String {
        match operation.servers.first() {
            None => self.servers.base().to_owned(),
            own => lower::base_path(own),
        }
    }

    /// The path of an operation as clients write it.
    pub(super) fn path(&self, operation: &Operation) -> String {
        self.base(operation) + &operation.path
    }

    /// The method and the path without the names of its parameters, which no client sees.
    pub(super) fn route(&self, operation: &Operation) -> Key {
        (unnamed(&self.path(operation)), operation.method.clone())
    }

    /// The fields of a body that is a form.
    pub(super) fn fields(&self, media: &Media) -> Option<&Fields> {
        self.forms.get(&media.at)
    }

    /// The names of the security schemes.
    pub(super) fn scheme_names(&self) -> impl Iterator<Item = &str> {
        self.schemes.iter().map(|(name, _)| name.as_str())
    }

    /// The security scheme of that name.
    pub(super) fn scheme(&self, name: &str) -> Option<&SecurityScheme> {
        let mut schemes = self.schemes.iter();
        let found = schemes.find(|(known, _)| known == name);
        found.map(|(_, scheme)| scheme)
    }

    /// All that a security scheme says to a program: two schemes of the same text are the same
    /// scheme, whatever they are called.
    pub(super) fn scheme_text(&self, name: &str) -> String {
        match self.scheme(name) {
            Some(SecurityScheme::Known(scheme)) => {
                let mut value = serde_json::to_value(scheme).unwrap_or_default();
                strip(&mut value);
                value.to_string()
            }
            Some(SecurityScheme::MutualTls) => "mutualTLS".to_owned(),
            Some(SecurityScheme::Unknown) | None => name.to_owned(),
        }
    }
}

/// Gives an operation the path and the path parameters that servers and clients have of it: names without
/// modifiers, and no parameter that the path does not hold.
fn as_served(operation: &mut Operation) {
    operation.path = modifiers::plain(&operation.path, operation);
    let Operation {
        path, parameters, ..
    } = operation;
    let held = path_parameters(path);
    parameters.retain(|one| one.place != ParamLocation::Path || held.contains(&one.name.as_str()));
}

/// Whether a problem of a document leaves nothing that could be compared: it is none, or a part of it
/// is in a file that was not read. Taken for one that says nothing, such a part would let every
/// change of it pass, or make a break of its return.
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

/// Removes what only people read; the descriptions of scopes among it.
fn strip(scheme: &mut Value) {
    let Value::Object(members) = scheme else {
        return;
    };
    members.retain(|name, _| {
        name != "description"
            && name != "scopes"
            && !name.starts_with("x-")
            && name != "bearerFormat"
    });
    members.values_mut().for_each(strip);
    // Neither the names of schemes (RFC 9110 §11.1) nor those of headers have a case.
    let in_header = members.get("in").is_some_and(|place| place == "header");
    for (name, value) in members.iter_mut() {
        if let Value::String(text) = value
            && (name == "scheme" || (name == "name" && in_header))
        {
            text.make_ascii_lowercase();
        }
    }
    members.sort_keys();
}
