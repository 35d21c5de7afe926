//! Operations: names, arguments, responses, security.

use super::models::Models;
use super::statuses;
use crate::diagnostic::{Code, Severity};
use crate::document::{self, Document, Place, Status};
use crate::ir::{
    Body, Content, FaultKind, Field, Kind, Layout, Media, Operation, Param, Response, Security,
    SeenHeader, Shape, Type,
};
use crate::names::{self, Scope};
use std::collections::BTreeMap;

/// Lowers all operations; one that cannot be expressed is left out and reported.
pub(super) fn lower(
    document: &Document,
    mut methods: Scope,
    models: &mut Models<'_>,
    severity: Severity,
) -> Vec<Operation> {
    let mut types = Scope::default();
    let mut bodies = Scope::default();
    let mut ids = BTreeMap::new();
    let mut routes = BTreeMap::new();
    let mut operations = Vec::new();
    for source in &document.operations {
        let id = source
            .id
            .clone()
            .unwrap_or_else(|| format!("{} {}", source.method, source.path));
        let id_at = source.at.child("operationId");
        if let Some(first) = ids.get(&id) {
            let message = format!("the operationId `{id}` is used twice");
            let related = (first, "it is used here first");
            let found = &mut models.found;
            found.error_with_related(Code::DuplicateOperationId, &id_at, message, related);
            continue;
        }
        ids.insert(id.clone(), id_at);
        let route = (source.method.clone(), route_of(&source.path));
        if let Some(first) = routes.get(&route) {
            let message = "another operation has the same method and a path that matches the same";
            let related = (first, "this one");
            let found = &mut models.found;
            found.error_with_related(Code::DuplicatePath, &source.at, message, related);
            continue;
        }
        routes.insert(route, source.at.clone());
        let mut lowering = Lowering {
            models,
            source,
            pascal: types.claim(names::stem(&names::pascal(&id)).to_owned()),
            bodies: &mut bodies,
            severity,
        };
        if let Some(mut operation) = lowering.operation(id) {
            operation.index = operations.len();
            operation.rust = methods.claim(operation.rust);
            operations.push(operation);
        }
    }
    operations
}

/// The methods that one type has beside those of operations: the host's, the faults', the client's.
pub(super) fn methods() -> Scope {
    let faults = FaultKind::ALL.iter().map(|(_, _, method, _)| *method);
    let names: Vec<&str> = faults
        .chain(["admit", "new", "send", "with_header"])
        .collect();
    Scope::reserving(&names)
}

/// A path with its parameters' names taken out: what decides which requests it matches.
fn route_of(path: &str) -> String {
    let mut route = String::new();
    let mut inside = false;
    for c in path.chars() {
        match c {
            '{' => {
                inside = true;
                route.push_str("{}");
            }
            '}' => inside = false,
            _ if !inside => route.push(c),
            _ => {}
        }
    }
    route
}

struct Lowering<'m, 'a> {
    models: &'m mut Models<'a>,
    source: &'m document::Operation,
    pascal: String,
    /// The types of bodies with several media types.
    bodies: &'m mut Scope,
    severity: Severity,
}

impl Lowering<'_, '_> {
    fn operation(&mut self, id: String) -> Option<Operation> {
        let source = self.source;
        let mut path_params = self.path_params()?;
        let mut scope = Scope::default();
        let others = source.parameters.iter().filter(|p| p.place != Place::Path);
        let mut params: Vec<Param> = others.map(|p| self.param(p, &mut scope)).collect();
        name_variables(&mut path_params, &mut params);
        let body = match &source.body {
            Some(body) => Some(self.body(body)?),
            None => None,
        };
        let (framework, own): (Vec<_>, Vec<_>) = source
            .responses
            .iter()
            .partition(|response| response.framework_made.is_some());
        let mut variants = Scope::default();
        let responses: Option<Vec<_>> = own
            .into_iter()
            .map(|response| self.response(response, &mut variants))
            .collect();
        let mut variants = Scope::default();
        let framework: Option<Vec<_>> = framework
            .into_iter()
            .map(|response| self.response(response, &mut variants))
            .collect();
        let (mut responses, framework_responses) = (responses?, framework?);
        statuses::divide(&mut responses, &framework_responses);
        Some(Operation {
            index: 0,
            rust: names::snake(&id),
            pascal: self.pascal.clone(),
            tag: source
                .tags
                .first()
                .cloned()
                .unwrap_or_else(|| "default".into()),
            other_tags: source.tags.iter().skip(1).cloned().collect(),
            summary: source.summary.clone().unwrap_or_default(),
            description: source.description.clone().unwrap_or_default(),
            deprecated: source.deprecated,
            method: source.method.clone(),
            path: source.path.clone(),
            path_params,
            params,
            body,
            responses,
            framework_responses,
            security: security(&source.security),
            requirements: source.security.clone(),
            metered: source.metered,
            id,
        })
    }

    fn unsupported<T>(&mut self, at: &crate::source::Pointer, message: &str) -> Option<T> {
        let message = format!("{message}; the operation is left out");
        match self.severity {
            Severity::Error => self.models.found.error(Code::Unsupported, at, message),
            Severity::Warning => self.models.found.warning(Code::Unsupported, at, message),
        }
        None
    }

    /// The parameters of the path in the order of the template, which must name just these.
    fn path_params(&mut self) -> Option<Vec<Param>> {
        let source = self.source;
        let declared: Vec<_> = source
            .parameters
            .iter()
            .filter(|p| p.place == Place::Path)
            .collect();
        let Some(named) = template_names(&source.path) else {
            let message = "a path begins with `/`, and its braces enclose each name once";
            self.models
                .found
                .error(Code::PathTemplate, &source.at, message);
            return None;
        };
        let mut scope = Scope::reserving(names::ARGUMENTS);
        let mut params = Vec::new();
        for name in &named {
            let Some(parameter) = declared.iter().find(|p| p.name == *name) else {
                let message =
                    format!("the path names `{{{name}}}`, but no path parameter declares it");
                let help = format!(
                    "add to its `parameters`:\n- {{ name: {name}, in: path, required: true, \
                     schema: {{ type: string }} }}"
                );
                let found = &mut self.models.found;
                found.error_with_help(Code::PathParameter, &source.at, message, help);
                return None;
            };
            let parameter = *parameter;
            params.push(self.param(parameter, &mut scope));
        }
        if let Some(extra) = declared.iter().find(|p| !named.contains(&p.name)) {
            let message = format!("the path does not hold `{{{}}}`", extra.name);
            self.models
                .found
                .error(Code::PathParameter, &extra.at, message);
            return None;
        }
        Some(params)
    }

    fn param(&mut self, p: &document::Parameter, scope: &mut Scope) -> Param {
        let hint = format!("{} {}", self.pascal, p.name);
        let ty = self.models.type_of(&p.schema, &hint);
        Param {
            layout: self.layout(&ty),
            default: self.default(&p.schema, &ty),
            field: Field {
                wire: p.name.clone(),
                rust: scope.claim(names::snake(&p.name)),
                doc: p.description.clone().unwrap_or_default(),
                ty,
                required: p.required,
                boxed: false,
                deprecated: p.deprecated,
            },
            local: String::new(),
            spec: String::new(),
            place: p.place,
            style: p.style,
            explode: p.explode,
            schema: p.schema.clone(),
            examples: p.examples.clone(),
        }
    }

    fn default(&mut self, key: &str, ty: &Type) -> Option<serde_json::Value> {
        let default = self.models.bundle.get(key)?.get("default")?;
        if !self.models.fits(ty, default) {
            let at = self.models.bundle.place(key).child("default");
            let message = "this default is not a value of its own schema; it is left out";
            match self.severity {
                Severity::Error => self.models.found.error(Code::InvalidValue, &at, message),
                Severity::Warning => self.models.found.warning(Code::InvalidValue, &at, message),
            }
            return None;
        }
        Some(default.clone())
    }

    fn layout(&self, ty: &Type) -> Layout {
        match &ty.kind {
            Kind::Array(_) => Layout::Array,
            Kind::Map(_) => Layout::Object(Vec::new()),
            Kind::Nullable(inner) => self.layout(inner),
            Kind::Model(id) => match self.models.shape_of(*id) {
                Some(Shape::Struct { fields, .. }) => {
                    Layout::Object(fields.iter().map(|field| field.wire.clone()).collect())
                }
                Some(Shape::Alias(inner) | Shape::Newtype(inner)) => self.layout(inner),
                _ => Layout::Scalar,
            },
            _ => Layout::Scalar,
        }
    }

    fn body(&mut self, body: &document::Body) -> Option<Body> {
        if body.content.is_empty() {
            return self.unsupported(&body.at, "a request body without a media type");
        }
        let mut scope = Scope::default();
        let hint = format!("{} body", self.pascal);
        let media: Option<Vec<_>> = body
            .content
            .iter()
            .map(|media| self.media(media, &hint, &mut scope, true))
            .collect();
        Some(Body {
            doc: body.description.clone().unwrap_or_default(),
            required: body.required,
            media: media?,
            rust: self.body_type("Body", body.content.len()),
        })
    }

    /// The name of a body's type, which only one with several media types has.
    fn body_type(&mut self, suffix: &str, media: usize) -> String {
        if media < 2 {
            return String::new();
        }
        self.bodies.claim(format!("{}{suffix}", self.pascal))
    }

    fn media(
        &mut self,
        media: &document::Media,
        hint: &str,
        scope: &mut Scope,
        request: bool,
    ) -> Option<Media> {
        let name = media.media_type.to_ascii_lowercase();
        let essence = name.split(';').next().unwrap_or_default().trim();
        let is_json = essence == "application/json" || essence.ends_with("+json");
        let content = match &media.schema {
            Some(key) if is_json => Content::Json(self.models.type_of(key, hint), key.clone()),
            None if is_json => {
                let key = self.models.register("any", &serde_json::Value::Bool(true));
                Content::Json(Type::of(Kind::Json), key)
            }
            Some(key) if essence == "application/x-www-form-urlencoded" && request => {
                Content::Form(self.models.type_of(key, hint), key.clone())
            }
            _ if essence.starts_with("multipart/") && request => {
                return self.unsupported(&media.at, "multipart bodies are not supported");
            }
            _ if essence.starts_with("text/") || essence.ends_with("xml") => Content::Text,
            _ => Content::Bytes,
        };
        Some(Media {
            rust: scope.claim(names::pascal(variant_of(essence))),
            media_type: media.media_type.clone(),
            content,
            examples: media.examples.clone(),
        })
    }

    fn response(&mut self, source: &document::Response, variants: &mut Scope) -> Option<Response> {
        let rust = variants.claim(status_name(source.status));
        let hint = format!("{} {rust}", self.pascal);
        let mut headers = Scope::reserving(names::HEADERS);
        let set = source
            .headers
            .iter()
            .filter(|header| !header.framework_made);
        let headers: Vec<Field> = set
            .map(|header| Field {
                wire: header.name.clone(),
                rust: headers.claim(names::snake(&header.name)),
                doc: header.description.clone().unwrap_or_default(),
                ty: self
                    .models
                    .type_of(&header.schema, &format!("{hint} {}", header.name)),
                required: header.required,
                boxed: false,
                deprecated: false,
            })
            .collect();
        let mut scope = Scope::default();
        let body_hint = format!("{hint} body");
        let media: Option<Vec<_>> = source
            .content
            .iter()
            .map(|media| self.media(media, &body_hint, &mut scope, false))
            .collect();
        Some(Response {
            status: source.status,
            statuses: Vec::new(),
            body_rust: self.body_type(&format!("{rust}Body"), source.content.len()),
            rust,
            doc: source.description.clone(),
            headers,
            seen_headers: source.headers.iter().map(seen_header).collect(),
            media: media?,
            links: source.links.clone(),
        })
    }
}

fn seen_header(header: &document::Header) -> SeenHeader {
    SeenHeader {
        wire: header.name.clone(),
        required: header.required,
        schema: header.schema.clone(),
        examples: header.examples.clone(),
    }
}

/// Names the variables of the functions that read and write these parameters.
fn name_variables(path_params: &mut [Param], params: &mut [Param]) {
    let mut scope = Scope::reserving(names::LOCALS);
    for param in path_params.iter_mut().chain(params.iter_mut()) {
        param.local = scope.claim(param.field.rust.clone());
    }
    // The client's arguments have the fields' names, so the declarations must not.
    for param in path_params.iter() {
        scope.claim(param.field.rust.clone());
    }
    for param in path_params.iter_mut().chain(params.iter_mut()) {
        param.spec = scope.claim(format!("{}_spec", names::stem(&param.local)));
    }
}

/// The names between braces, in order; `None` for what is no template (OpenAPI 3.1.1 §4.8.8).
fn template_names(path: &str) -> Option<Vec<String>> {
    let mut names: Vec<String> = Vec::new();
    let mut rest = path.strip_prefix('/')?;
    while let Some((before, opened)) = rest.split_once('{') {
        let (name, after) = opened.split_once('}')?;
        let known = names.iter().any(|known| known == name);
        if known || name.is_empty() || before.contains('}') || name.contains(['{', '/']) {
            return None;
        }
        names.push(name.to_owned());
        rest = after;
    }
    (!rest.contains('}')).then_some(names)
}

fn variant_of(essence: &str) -> &str {
    match essence {
        "application/json" => "Json",
        "application/x-www-form-urlencoded" => "Form",
        "application/octet-stream" => "Bytes",
        "text/plain" => "Text",
        "*/*" => "Any",
        other => other.strip_prefix("application/").unwrap_or(other),
    }
}

fn security(alternatives: &[Vec<(String, Vec<String>)>]) -> Security {
    if alternatives.iter().all(Vec::is_empty) {
        Security::Public
    } else if alternatives.iter().any(Vec::is_empty) {
        Security::Optional
    } else {
        Security::Required
    }
}

/// The name of a status in RFC 9110 §15 and the registry, as a variant.
fn status_name(status: Status) -> String {
    let code = match status {
        Status::Code(code) => code,
        Status::Range(hundred) => {
            return match hundred {
                1 => "Informational".into(),
                2 => "Success".into(),
                3 => "Redirection".into(),
                4 => "ClientError".into(),
                _ => "ServerError".into(),
            };
        }
        Status::Default => return "Default".into(),
    };
    let phrase = http::StatusCode::from_u16(code)
        .ok()
        .and_then(|code| code.canonical_reason());
    phrase.map_or_else(|| format!("Status{code}"), names::pascal)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_templates_and_refuses_what_is_none() {
        let names = |path| template_names(path).map(|names| names.join(" "));
        assert_eq!(names("/").as_deref(), Some(""));
        assert_eq!(names("/a/{b}/c.{d}").as_deref(), Some("b d"));
        for wrong in [
            "", "a", "/{", "/}", "/{}", "/{a}/{a}", "/{a{b}}", "/{a/b}", "/}{a}",
        ] {
            assert_eq!(names(wrong), None, "{wrong}");
        }
    }
}
