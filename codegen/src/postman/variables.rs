//! The variables of the collection: the servers' URLs, and the callers' secrets. Every
//! `{{variable}}` that a request uses is declared here.

use super::chain::Chain;
use super::format::{Description, Variable};
use super::{describe, style};
use crate::ir::uri::{DEFAULT_SERVER, absolute};
use crate::ir::{Api, Operation, Param, Scheme, SchemeKind, Server};
use crate::names::Scope;

const BASE_URL: &str = "baseUrl";

/// Every variable that callers fill in, and those that hold the credentials of each security scheme.
pub(super) struct Variables {
    declared: Vec<Declared>,
    /// The names that are taken.
    names: Scope,
    /// The URLs of operations' own servers, and their variables.
    servers: Vec<(String, String)>,
    credentials: Vec<(String, Vec<String>)>,
}

/// A variable.
pub(super) struct Declared {
    pub(super) name: String,
    pub(super) value: String,
    pub(super) secret: bool,
    description: String,
}

impl Variables {
    pub(super) fn new(api: &Api) -> Variables {
        let mut names = Scope::reserving(&[BASE_URL]);
        let mut declared = address(BASE_URL.into(), &api.servers, &mut names);
        let mut servers = Vec::new();
        for server in own_servers(api) {
            if servers.iter().all(|(url, _)| *url != server.url) {
                let name = names.claim_text(BASE_URL.to_owned());
                declared.extend(address(
                    name.clone(),
                    std::slice::from_ref(server),
                    &mut names,
                ));
                servers.push((server.url.clone(), name));
            }
        }
        let mut credentials = Vec::new();
        for scheme in &api.schemes {
            let secrets = secrets(scheme, &mut names);
            let names = secrets.iter().map(|secret| secret.name.clone());
            credentials.push((scheme.wire.clone(), names.collect()));
            declared.extend(secrets);
        }
        Variables {
            declared,
            names,
            servers,
            credentials,
        }
    }

    /// Claims a name for a variable that scripts set.
    pub(super) fn claim(&mut self, wanted: &str) -> String {
        self.names.claim_text(wanted.replace(['{', '}'], "_"))
    }

    /// The variables that callers fill in. Variables that scripts set are not among them: a value in the
    /// environment would hide the one in the collection, and requests would use the wrong resource.
    pub(super) fn of_environment(&self) -> &[Declared] {
        &self.declared
    }

    pub(super) fn of_collection(&self, api: &Api, chain: &Chain) -> Vec<Variable> {
        let filled_in = self.declared.iter().map(|declared| Variable {
            key: declared.name.clone(),
            value: declared.value.clone(),
            r#type: "string",
            description: Description(declared.description.clone()),
        });
        let stored = chain.variables(api);
        let stored = stored.map(|(name, source, param)| stored_variable(api, name, source, param));
        filled_in.chain(stored).collect()
    }

    /// The reference to the URL of an operation's server in a request.
    pub(super) fn server(&self, operation: &Operation) -> String {
        let own = operation.server.as_ref();
        let own = own.and_then(|own| self.servers.iter().find(|(url, _)| *url == own.url));
        reference(own.map_or(BASE_URL, |(_, name)| name))
    }

    /// The names of the variables with secrets.
    pub(super) fn secrets(&self) -> Vec<&str> {
        let secrets = self.declared.iter().filter(|declared| declared.secret);
        secrets.map(|declared| declared.name.as_str()).collect()
    }

    /// The reference to the `n`th secret of a scheme in a request.
    pub(super) fn secret(&self, scheme: &str, n: usize) -> String {
        let of_scheme = self.credentials.iter().find(|(name, _)| name == scheme);
        let name = of_scheme.and_then(|(_, names)| names.get(n));
        name.map(|name| reference(name)).unwrap_or_default()
    }
}

/// The servers that operations have instead of the document's.
fn own_servers(api: &Api) -> impl Iterator<Item = &Server> {
    let first = api.servers.first().map(|server| &server.url);
    let own = api.operations.iter().filter_map(|one| one.server.as_ref());
    own.filter(move |own| Some(&own.url) != first)
}

/// The reference to a variable in a request.
pub(super) fn reference(name: &str) -> String {
    format!("{{{{{name}}}}}")
}

/// The variable of a stored value. It has the example of the contract until its request is sent.
fn stored_variable(api: &Api, name: &str, source: &Operation, param: &Param) -> Variable {
    let example = api.example_of_param(param);
    let value = example.map(|value| style::one_text(param, &value));
    Variable {
        key: name.to_owned(),
        value: value.unwrap_or_default(),
        r#type: "string",
        description: Description(format!("Set by *{}*.", describe::title(source))),
    }
}

/// The URL of the first server, as a variable of this name, and the variables in it.
fn address(name: String, servers: &[Server], names: &mut Scope) -> Vec<Declared> {
    let Some((first, others)) = servers.split_first() else {
        return vec![plain(name, DEFAULT_SERVER.into(), String::new())];
    };
    let mut url = first.url.clone();
    let mut open = Vec::new();
    for variable in &first.variables {
        let variable_name = names.claim_text(plain_name(&variable.name));
        url = url.replace(
            &format!("{{{}}}", variable.name),
            &reference(&variable_name),
        );
        let mut description = variable.description.clone();
        if !variable.allowed.is_empty() {
            let allowed = variable.allowed.join("`, `");
            description = format!("{description}\n\nOne of `{allowed}`.");
        }
        let description = description.trim().to_owned();
        open.push(plain(variable_name, variable.default.clone(), description));
    }
    let mut description = first.description.clone();
    for other in others {
        let line = format!("\n\nAlso `{}`: {}", other.url, other.description);
        description.push_str(line.trim_end_matches([':', ' ']));
    }
    let description = description.trim().to_owned();
    let mut declared = vec![plain(name, absolute(&url), description)];
    declared.extend(open);
    declared
}

/// The secrets for a scheme. A client certificate is no variable.
fn secrets(scheme: &Scheme, names: &mut Scope) -> Vec<Declared> {
    let stem = plain_name(&scheme.wire);
    let wanted = match &scheme.kind {
        SchemeKind::ApiKey { .. } => vec![(stem, "The key")],
        SchemeKind::Basic => vec![
            (format!("{stem}Username"), "The user name"),
            (format!("{stem}Password"), "The password"),
        ],
        SchemeKind::Bearer | SchemeKind::OAuth2 | SchemeKind::OpenIdConnect => {
            vec![(stem, "The token")]
        }
        SchemeKind::Http(_) => vec![(stem, "The credential")],
        SchemeKind::MutualTls | SchemeKind::Unknown => Vec::new(),
    };
    let each = wanted.into_iter();
    each.map(|(name, what)| Declared {
        name: names.claim_text(name),
        value: String::new(),
        secret: true,
        description: described(scheme, what),
    })
    .collect()
}

fn described(scheme: &Scheme, what: &str) -> String {
    let description = format!(
        "{what} of the security scheme `{}`. {}",
        scheme.wire, scheme.doc
    );
    description.trim_end().to_owned()
}

fn plain(name: String, value: String, description: String) -> Declared {
    Declared {
        name,
        value,
        secret: false,
        description,
    }
}

/// A name without characters that could end the braces around it.
fn plain_name(wire: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    let chars = wire.chars();
    chars.map(|c| if plain(c) { c } else { '_' }).collect()
}
