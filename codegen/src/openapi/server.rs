//! Servers (OpenAPI 3.1.1 §4.8.5) and the variables of their URLs (§4.8.6).

use super::node::Node;
use super::object_fields::Object;
use super::operation::IGNORED;
use super::version::Version;
use super::{Reader, template};
use crate::diagnostic::{Code, Diagnostic, in_yaml};
use crate::source::Pointer;
use openapiv3::Server;

impl<'a> Reader<'a> {
    /// The servers of the document, of a path item or of an operation, in order.
    pub(super) fn servers(&mut self, node: &Node<'a>) -> Vec<Server> {
        let (mut servers, mut names) = (Vec::new(), Vec::new());
        for node in node.list("servers") {
            let Some(node) = self.resolve_part(node, "a server", IGNORED) else {
                continue;
            };
            if let Some(mut server) = self.fields::<Server>(&node, Object::Server, IGNORED) {
                self.check_variables(&node, &server);
                if let Some(name) = node.text("name") {
                    if names.contains(&name) {
                        let message = format!("another server is called `{name}`");
                        self.invalid(&node.at.child("name"), message, "both have the name");
                    }
                    names.push(name);
                    server.description = Some(named(name, server.description));
                }
                servers.push(server);
            }
        }
        servers
    }

    /// Checks that the URL is no more than a place for paths, which OpenAPI 3.2 asks for (3.2.0 §4.5.1).
    fn check_url(&mut self, url: &str, at: &Pointer) {
        if self.bundle.version < Version::V32 {
            return;
        }
        if url.contains(['?', '#']) {
            let message = "the URL of a server must have neither a query nor a fragment";
            self.invalid(at, message, "paths are appended to it all the same");
        }
        if let Some(message) = template::problem_of_url(url) {
            self.invalid(at, message, "it is taken as it is");
        }
        for name in repeated(url) {
            let message = format!("the URL of a server must not name `{{{name}}}` twice");
            self.invalid(at, message, "each of them has the variable's value");
        }
    }

    /// Checks that each variable of the URL is defined, and that its default is one of its values.
    fn check_variables(&mut self, node: &Node<'a>, server: &Server) {
        let defined: Vec<_> = server.variables.iter().flatten().collect();
        let at = node.at.child("url");
        self.check_url(&server.url, &at);
        for name in names(&server.url) {
            if defined.iter().any(|(known, _)| *known == name) {
                continue;
            }
            let message = format!("the URL names `{{{name}}}`, but no variable defines it");
            let key = in_yaml(name);
            let help = format!("add to the server:\nvariables: {{ {key}: {{ default: … }} }}");
            let problem = Diagnostic::new(Code::Invalid, &at, message).help(help);
            let fallback = "a path of the server that holds it is left out";
            self.diagnostics.recover(problem, fallback);
        }
        for (name, variable) in defined {
            let values = &variable.enumeration;
            if !values.is_empty() && !values.contains(&variable.default) {
                let at = node.at.child("variables").child(name).child("default");
                let message = "the default must be one of the variable's values";
                self.invalid(&at, message, "it is the default all the same");
            }
        }
    }
}

/// The description of a server together with its name (OpenAPI 3.2.0 §4.5.1), which `openapiv3` does
/// not know.
fn named(name: &str, description: Option<String>) -> String {
    match description {
        Some(description) if !description.trim().is_empty() => format!("{name}: {description}"),
        _ => name.to_owned(),
    }
}

/// The names between braces that are there more than once.
pub(super) fn repeated(template: &str) -> Vec<&str> {
    let mut names = names(template);
    names.retain(|name| template.matches(&format!("{{{name}}}")).count() > 1);
    names
}

/// The names between braces, each once.
fn names(url: &str) -> Vec<&str> {
    let mut names = Vec::new();
    for (name, _) in url
        .split('{')
        .skip(1)
        .filter_map(|part| part.split_once('}'))
    {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}
