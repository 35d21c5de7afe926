//! Security schemes (OpenAPI 3.1.1 §4.8.27).

use super::object_fields::Object;
use super::version::{self, Version};
use super::{Reader, node::Node};
use crate::diagnostic::{Code, Diagnostic};
use openapiv3::{APIKeyLocation, SecurityScheme as Known};

/// The fallback for a security scheme that cannot be read.
pub(super) const OWN_HOOK: &str =
    "the host's method for it is given the head of the request, and decides";

/// The extension of flows that holds the scopes of `deviceAuthorization`, new in 3.2, which
/// `openapiv3` does not know.
pub(crate) const DEVICE_SCOPES: &str = "x-device-scopes";

/// A security scheme.
#[derive(Debug, Clone)]
pub enum SecurityScheme {
    /// One that OpenAPI 3.0 knows.
    Known(Box<Known>),
    /// `mutualTLS`, new in 3.1.
    MutualTls,
    /// A scheme that is not declared, or that cannot be read.
    Unknown,
}

impl SecurityScheme {
    /// Whether requirements may ask for scopes of it; of one that cannot be read, they may.
    pub(super) fn has_scopes(&self) -> bool {
        match self {
            SecurityScheme::Known(known) => {
                matches!(**known, Known::OAuth2 { .. } | Known::OpenIDConnect { .. })
            }
            SecurityScheme::MutualTls => false,
            SecurityScheme::Unknown => true,
        }
    }

    /// The authentication scheme of its credentials in `Authorization`, in lower case (RFC 9110
    /// §11.1); `None` where they are sent elsewhere, or as a key, whose form is the API's own.
    pub(crate) fn authentication(&self) -> Option<String> {
        let SecurityScheme::Known(known) = self else {
            return None;
        };
        match known.as_ref() {
            Known::APIKey { .. } => None,
            Known::HTTP { scheme, .. } => Some(scheme.to_ascii_lowercase()),
            Known::OAuth2 { .. } | Known::OpenIDConnect { .. } => Some("bearer".into()),
        }
    }
}

impl<'a> Reader<'a> {
    pub(super) fn schemes(&mut self, root: &Node<'a>) -> Vec<(String, SecurityScheme)> {
        let components = root.member("components");
        let declared = components.map(|components| components.map("securitySchemes"));
        let mut schemes = Vec::new();
        for (name, node) in declared.unwrap_or_default() {
            let scheme = self.readable_scheme(node);
            schemes.push((name.to_owned(), scheme));
        }
        schemes
    }

    /// A scheme, of which at least that is known that there is one.
    pub(super) fn readable_scheme(&mut self, node: Node<'a>) -> SecurityScheme {
        let checkpoint = self.diagnostics.checkpoint();
        let scheme = self.scheme(node);
        self.diagnostics.degraded_since(checkpoint, OWN_HOOK);
        scheme.unwrap_or(SecurityScheme::Unknown)
    }

    fn scheme(&mut self, node: Node<'a>) -> Option<SecurityScheme> {
        let node = self.resolve(node, "a security scheme")?;
        if node.text("type") == Some("mutualTLS") {
            let (at, own) = (node.at.child("type"), self.bundle.version);
            version::check("`mutualTLS`", Version::V31, own, &at, self.diagnostics);
            return Some(SecurityScheme::MutualTls);
        }
        let scheme = match known_scheme(&node) {
            Ok(scheme) => scheme,
            Err(problem) => {
                self.diagnostics.error(*problem);
                return None;
            }
        };
        let fits = match &scheme {
            Known::APIKey { location, name, .. } => match location {
                APIKeyLocation::Header => self.header_name(name, &node.at, OWN_HOOK),
                APIKeyLocation::Cookie => self.cookie_name(name, &node.at, OWN_HOOK),
                APIKeyLocation::Query => true,
            },
            _ => true,
        };
        fits.then(|| SecurityScheme::Known(Box::new(scheme)))
    }

    /// All schemes: first the declared ones, then the undeclared ones by their names.
    pub(super) fn all_schemes(&mut self) -> Vec<(String, SecurityScheme)> {
        let mut undeclared = std::mem::take(&mut self.undeclared);
        undeclared.sort();
        let undeclared = undeclared.into_iter();
        let mut schemes = std::mem::take(&mut self.schemes);
        schemes.extend(undeclared.map(|name| (name, SecurityScheme::Unknown)));
        schemes
    }
}

/// A security scheme of OpenAPI 3.0.
fn known_scheme(scheme: &Node<'_>) -> Result<Known, Box<Diagnostic>> {
    let kind = Object::security_scheme(scheme.value);
    if kind == Object::SecurityScheme
        && let Some(ty) = scheme.member("type")
    {
        let message = "expected `apiKey`, `http`, `oauth2`, `openIdConnect` or `mutualTLS`";
        let problem = Diagnostic::new(Code::Invalid, &ty.at, message);
        return Err(Box::new(match ty.value.as_str() {
            Some("basic") => {
                problem.help("since OpenAPI 3.0, it is `type: http` and `scheme: basic`")
            }
            _ => problem,
        }));
    }
    if kind == Object::ApiKey {
        // Read once more for an error at its own place.
        scheme.choice::<APIKeyLocation>("in")?;
    }
    let mut known = scheme.fields(kind)?;
    if let Known::OAuth2 { flows, .. } = &mut known
        && let Some(scopes) = scheme.value.pointer("/flows/deviceAuthorization/scopes")
    {
        let extensions = &mut flows.extensions;
        extensions.insert(DEVICE_SCOPES.to_owned(), scopes.clone());
    }
    if scheme.flag("deprecated") {
        let (Known::APIKey { description, .. }
        | Known::HTTP { description, .. }
        | Known::OAuth2 { description, .. }
        | Known::OpenIDConnect { description, .. }) = &mut known;
        // `openapiv3` does not know it, and it is told to people alone.
        let told = description.take().unwrap_or_default();
        *description = Some(format!("{told}\n\nDeprecated.").trim().to_owned());
    }
    Ok(known)
}
