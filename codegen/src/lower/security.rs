//! Security: the names of schemes, and the principals that handlers get for their operations'
//! requirements.

use crate::ir::{
    Name, ParamLocation, RequirementId, RequirementTerms, Scheme, SchemeKind, Security,
    SecurityRequirement,
};
use crate::names::Scope;
use crate::openapi::{Document, SecurityScheme};

/// Alternatives of schemes by their names, with scopes.
pub(super) type Requirements = Vec<Vec<(String, Vec<String>)>>;

/// The schemes and the requirements seen so far.
pub(super) struct SecurityRequirements {
    pub(super) schemes: Vec<Scheme>,
    pub(super) requirements: Vec<SecurityRequirement>,
    names: Scope,
}

impl SecurityRequirements {
    /// The schemes of a document.
    pub(super) fn new(document: &Document) -> SecurityRequirements {
        let mut names = Scope::default();
        let mut schemes = Vec::new();
        for (wire, scheme) in &document.schemes {
            let kind = kind(scheme);
            schemes.push(Scheme {
                wire: wire.clone(),
                name: names.claim(Name::of(wire)),
                certificate: None,
                doc: doc(scheme),
                authentication: scheme.authentication(),
                challenge: challenge(&kind, &document.info.title),
                kind,
            });
        }
        for scheme in &mut schemes {
            let certificate = scheme.name.with("certificate");
            scheme.certificate =
                (scheme.kind == SchemeKind::MutualTls).then(|| names.claim(certificate));
        }
        SecurityRequirements {
            schemes,
            requirements: Vec::new(),
            names,
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
        self.schemes.iter().position(|scheme| scheme.wire == name)
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
    fn claim(&mut self, terms: RequirementTerms, has_type: bool) -> RequirementId {
        if let Some(known) = self
            .requirements
            .iter()
            .position(|requirement| requirement.terms == terms)
        {
            return RequirementId(known);
        }
        let name = self.name(&terms);
        self.requirements.push(SecurityRequirement {
            name,
            has_type,
            terms,
        });
        RequirementId(self.requirements.len() - 1)
    }

    /// The name of a requirement: a scheme's own, or those of its parts, joined.
    fn name(&mut self, terms: &RequirementTerms) -> Name {
        let (names, conjunction): (Vec<&Name>, &str) = match terms {
            RequirementTerms::All(schemes) => {
                let schemes = schemes.iter().filter_map(|index| self.schemes.get(*index));
                (schemes.map(|scheme| &scheme.name).collect(), "and")
            }
            RequirementTerms::Any(requirements) => {
                let parts = requirements.iter();
                let parts = parts.filter_map(|id| self.requirements.get(id.0));
                (parts.map(|part| &part.name).collect(), "or")
            }
        };
        if let ([only], RequirementTerms::All(_)) = (names.as_slice(), terms) {
            return (*only).clone();
        }
        let mut parts = names.into_iter();
        let first = parts.next().cloned().unwrap_or_else(|| Name::of(""));
        let joined = parts.fold(first, |name, next| {
            name.with(&format!("{conjunction}_{next}"))
        });
        self.names.claim(joined)
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
