//! Security: the names of schemes, and the principals that handlers get for their operations'
//! requirements.

use crate::ir::{
    ParamLocation, RequirementId, RequirementTerms, Scheme, SchemeKind, Security,
    SecurityRequirement,
};
use crate::names::{self, Scope};
use crate::openapi::{Document, SecurityScheme};

/// Alternatives of schemes by their names, with scopes.
pub(super) type Requirements = Vec<Vec<(String, Vec<String>)>>;

/// The schemes and the requirements seen so far.
pub(super) struct SecurityRequirements {
    pub(super) schemes: Vec<Scheme>,
    pub(super) requirements: Vec<SecurityRequirement>,
    functions: Scope,
    types: Scope,
}

impl SecurityRequirements {
    /// The schemes of a document; `methods` are the scopes of the client's methods and the
    /// senders', from which the methods for credentials are claimed.
    pub(super) fn new(document: &Document, methods: [&mut Scope; 2]) -> SecurityRequirements {
        let [methods, senders] = methods;
        // Names with another meaning in the trait of the schemes, and in its module.
        let mut types = Scope::reserving(&["Error", "Visitor", "Security", "Self"]);
        let mut fields = Scope::reserving(&["host", "asked", "at"]);
        let mut constants = Scope::reserving(&["BASE_PATH", "OPERATIONS", "WEBHOOKS", "CALLBACKS"]);
        let mut schemes = Vec::new();
        for (name, scheme) in &document.schemes {
            let snake = names::snake(name);
            let stem = names::stem(&snake).to_owned();
            let pascal = names::pascal(name);
            let kind = kind(scheme);
            let method = methods.claim(format!("with_{stem}"));
            senders.claim(method.clone());
            schemes.push(Scheme {
                name: name.clone(),
                constant: constants.claim(stem.to_uppercase()),
                method,
                field: fields.claim(snake.clone()),
                hook: snake,
                principal: types.claim(names::stem(&pascal).to_owned()),
                certificate: None,
                doc: doc(scheme),
                authentication: scheme.authentication(),
                challenge: challenge(&kind, &document.info.title),
                kind,
            });
        }
        let mut hooks = Scope::default();
        for scheme in &mut schemes {
            scheme.hook = hooks.claim(scheme.hook.clone());
            if scheme.kind == SchemeKind::MutualTls {
                let wanted = format!("{}Certificate", scheme.principal);
                scheme.certificate = Some(types.claim(wanted));
            }
        }
        SecurityRequirements {
            schemes,
            requirements: Vec::new(),
            functions: Scope::default(),
            types,
        }
    }

    /// Lowers a requirement, and gives its alternatives in the order of the table of operations:
    /// schemes in the order of their declaration, and the empty alternative at the end. Neither
    /// order has a meaning in a document.
    pub(super) fn lower(&mut self, declared: &Requirements) -> (Security, Requirements) {
        let mut all: Requirements = declared
            .iter()
            .filter(|all| !all.is_empty())
            .cloned()
            .collect();
        for schemes in &mut all {
            schemes.sort_by_key(|(name, _)| self.position(name));
        }
        if all.is_empty() {
            return (Security::Public, declared.clone());
        }
        let requirement = self.any(&all);
        if all.len() == declared.len() {
            return (Security::Required(requirement), all);
        }
        all.push(Vec::new());
        (Security::Optional(requirement), all)
    }

    fn position(&self, name: &str) -> Option<usize> {
        self.schemes.iter().position(|scheme| scheme.name == name)
    }

    fn any(&mut self, alternatives: &Requirements) -> RequirementId {
        let mut asked = Vec::new();
        for schemes in alternatives {
            let schemes = schemes.iter().filter_map(|(name, _)| self.position(name));
            let schemes: Vec<usize> = schemes.collect();
            asked.push(self.all(schemes));
        }
        match asked.as_slice() {
            [only] => *only,
            [first, others @ ..] => {
                // Alternatives that differ by their scopes alone have the same principal.
                let alike = others.iter().all(|other| other == first);
                self.claim(RequirementTerms::Any(asked.clone()), !alike)
            }
            [] => self.all(Vec::new()),
        }
    }

    fn all(&mut self, schemes: Vec<usize>) -> RequirementId {
        let several = schemes.len() != 1;
        self.claim(RequirementTerms::All(schemes), several)
    }

    /// The requirement with these terms, with a type of its own or without.
    fn claim(&mut self, terms: RequirementTerms, typed: bool) -> RequirementId {
        if let Some(known) = self
            .requirements
            .iter()
            .position(|requirement| requirement.terms == terms)
        {
            return RequirementId(known);
        }
        let (function, rust) = self.words(&terms);
        let requirement = SecurityRequirement {
            function: self.functions.claim(format!("by_{function}")),
            of_host: typed.then(|| self.types.claim(format!("By{rust}"))),
            rust: typed.then(|| self.types.claim(rust)),
            terms,
        };
        self.requirements.push(requirement);
        RequirementId(self.requirements.len() - 1)
    }

    /// The names of a requirement's function and type.
    fn words(&self, terms: &RequirementTerms) -> (String, String) {
        match terms {
            RequirementTerms::All(schemes) => {
                let schemes = || schemes.iter().filter_map(|index| self.schemes.get(*index));
                let snake: Vec<&str> = schemes().map(|scheme| names::stem(&scheme.hook)).collect();
                let pascal: Vec<&str> = schemes().map(|scheme| scheme.principal.as_str()).collect();
                (snake.join("_and_"), pascal.join("And"))
            }
            RequirementTerms::Any(requirements) => {
                let requirements = requirements
                    .iter()
                    .filter_map(|id| self.requirements.get(id.0));
                let words: Vec<_> = requirements
                    .map(|requirement| self.words(&requirement.terms))
                    .collect();
                let snake: Vec<&str> = words.iter().map(|(snake, _)| snake.as_str()).collect();
                let pascal: Vec<&str> = words.iter().map(|(_, pascal)| pascal.as_str()).collect();
                (snake.join("_or_"), pascal.join("Or"))
            }
        }
    }
}

fn doc(scheme: &SecurityScheme) -> String {
    use openapiv3::SecurityScheme as Known;
    let SecurityScheme::Known(known) = scheme else {
        return String::new();
    };
    let (Known::APIKey { description, .. }
    | Known::HTTP { description, .. }
    | Known::OAuth2 { description, .. }
    | Known::OpenIDConnect { description, .. }) = known.as_ref();
    description.clone().unwrap_or_default()
}

fn kind(scheme: &SecurityScheme) -> SchemeKind {
    use openapiv3::{APIKeyLocation, SecurityScheme as Known};
    let known = match scheme {
        SecurityScheme::Known(known) => known,
        SecurityScheme::MutualTls => return SchemeKind::MutualTls,
        SecurityScheme::Unknown => return SchemeKind::Unknown,
    };
    match known.as_ref() {
        Known::APIKey { location, name, .. } => SchemeKind::ApiKey {
            place: match location {
                APIKeyLocation::Query => ParamLocation::Query,
                APIKeyLocation::Header => ParamLocation::Header,
                APIKeyLocation::Cookie => ParamLocation::Cookie,
            },
            name: name.clone(),
        },
        Known::HTTP { scheme, .. } if scheme.eq_ignore_ascii_case("basic") => SchemeKind::Basic,
        Known::HTTP { scheme, .. } if scheme.eq_ignore_ascii_case("bearer") => SchemeKind::Bearer,
        Known::HTTP { scheme, .. } => SchemeKind::Http(scheme.clone()),
        Known::OAuth2 { .. } => SchemeKind::OAuth2,
        Known::OpenIDConnect { .. } => SchemeKind::OpenIdConnect,
    }
}

/// The `WWW-Authenticate` challenge (RFC 9110 §11.6.1). A status of 401 needs one; API keys have no
/// registered scheme, so they have the name that OpenAPI gives them. A client without a certificate
/// gets none, because a header cannot help it.
fn challenge(kind: &SchemeKind, title: &str) -> String {
    let realm = quoted(title);
    match kind {
        SchemeKind::ApiKey { place, name } => {
            let place = match place {
                ParamLocation::Header => "header",
                ParamLocation::Query => "query",
                ParamLocation::Cookie | ParamLocation::Path => "cookie",
            };
            format!(
                "ApiKey realm={realm}, in=\"{place}\", name={}",
                quoted(name)
            )
        }
        SchemeKind::Basic => format!("Basic realm={realm}, charset=\"UTF-8\""),
        SchemeKind::Bearer | SchemeKind::OAuth2 | SchemeKind::OpenIdConnect => {
            format!("Bearer realm={realm}")
        }
        SchemeKind::Http(name) => format!("{name} realm={realm}"),
        SchemeKind::MutualTls | SchemeKind::Unknown => String::new(),
    }
}

/// A quoted string (RFC 9110 §5.6.4) of those characters of a text that it can hold.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars().filter(|c| matches!(c, ' '..='~')) {
        if matches!(c, '"' | '\\') {
            quoted.push('\\');
        }
        quoted.push(c);
    }
    quoted.push('"');
    quoted
}
