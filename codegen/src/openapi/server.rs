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
                self.add_scheme(&node, &mut server);
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

    /// Adds the scheme to a URL that begins with a host: by the letter it is a relative path, or of the scheme
    /// `localhost`.
    fn add_scheme(&mut self, node: &Node<'a>, server: &mut Server) {
        let variables = server.variables.iter().flatten();
        let filled = variables.fold(server.url.clone(), |url, (name, variable)| {
            url.replace(&format!("{{{name}}}"), &variable.default)
        });
        let Some(scheme) = missing_scheme(&filled) else {
            return;
        };
        let url = format!("{scheme}://{}", server.url);
        let message = "the URL of a server must begin with a scheme or be a path";
        let problem = Diagnostic::new(Code::Invalid, &node.at.child("url"), message);
        let problem = problem.help(format!("write {}", in_yaml(&url)));
        let fallback = format!("it is read as `{url}`");
        self.diagnostics.recover(problem, &fallback);
        server.url = url;
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

/// The scheme of a URL that begins with a host: the local one, one with a port, or the name of a domain.
fn missing_scheme(url: &str) -> Option<&'static str> {
    let authority = url.split(['/', '?', '#']).next().unwrap_or_default();
    let (host, port) = match authority.rsplit_once(':') {
        Some((host, port)) => (host, Some(port)),
        None => (authority, None),
    };
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let is_label = |label: &str| {
        !label.is_empty()
            && label
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || b == b'-')
    };
    let labels: Vec<&str> = host.split('.').collect();
    let is_address = labels.len() == 4 && labels.iter().all(|label| is_number(label));
    let is_local = host == "localhost" || is_address;
    let is_domain = labels.len() > 2
        && labels
            .last()
            .is_some_and(|last| last.bytes().all(|b| b.is_ascii_alphabetic()));
    if !labels.iter().copied().all(is_label) || port.is_some_and(|port| !is_number(port)) {
        return None;
    }
    match port {
        Some("443") => Some("https"),
        Some(_) => Some("http"),
        None if is_local => Some("http"),
        None => is_domain.then_some("https"),
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

#[cfg(test)]
mod tests {
    use super::missing_scheme;

    #[test]
    fn a_url_that_begins_with_a_host_lacks_its_scheme() {
        for (url, scheme) in [
            ("localhost:8080/api", Some("http")),
            ("localhost", Some("http")),
            ("127.0.0.1/v1", Some("http")),
            ("db:9200", Some("http")),
            ("api.example.com:443/v1", Some("https")),
            ("api.example.com/v1", Some("https")),
            ("https://api.example.com", None),
            ("//api.example.com", None),
            ("mailto:a", None),
            ("/api", None),
            ("v1", None),
            ("v1.0", None),
            ("../v1.0.2", None),
            ("1.0.2/api", None),
            ("openapi.json", None),
            ("{server}:8080", None),
            ("", None),
        ] {
            assert_eq!(missing_scheme(url), scheme, "{url}");
        }
    }
}
