//! Parameters: those of the path, in the order of its template, and the others.

use super::models::Models;
use super::modifiers;
use super::operations::Lowering;
use super::pairs;
use super::{reserved, style_types};
use crate::diagnostic::{Code, Diagnostic, in_yaml};
use crate::ir::{Example, Field, Name, Param, ParamShape, Type, TypeKind};
use crate::names::Scope;
use crate::openapi::{self, ParamLocation, Style};
use crate::source::Pointer;
use serde_json::Value;

impl Lowering<'_, '_> {
    /// The parameters of the path in the order of the template; reports differences between the
    /// two.
    pub(super) fn path_params(&mut self) -> Option<Vec<Param>> {
        let source = self.source;
        let declared: Vec<_> = source
            .parameters
            .iter()
            .filter(|p| p.place == ParamLocation::Path)
            .collect();
        let Some(named) = template_names(&self.target.path) else {
            let message = "a path must begin with `/`, and its braces must enclose names";
            self.models
                .diagnostics
                .error(Diagnostic::new(Code::PathTemplate, &source.at, message));
            return None;
        };
        for (name, plain) in modifiers::modified(&source.path, source) {
            let message =
                format!("OpenAPI has no modifier for a name in a path, as `{{{name}}}` has");
            let fallback = format!("it is `{{{plain}}}`, which takes one segment and no more");
            let diagnostics = &mut self.models.diagnostics;
            diagnostics.recover(
                Diagnostic::new(Code::PathParameter, &source.at, message),
                &fallback,
            );
        }
        if let Some((first, second)) = self.target.path.split_once("}{") {
            let (first, second) = (first.rsplit('{').next(), second.split('}').next());
            let (first, second) = (first.unwrap_or_default(), second.unwrap_or_default());
            let message = format!("nothing is between `{{{first}}}` and `{{{second}}}`");
            let help = "put a character between them, such as `-`, or make them one parameter";
            let fallback = "the first is one character, unless their schemas allow one other \
                            division alone; the client rejects other values";
            let problem = Diagnostic::new(Code::PathTemplate, &source.at, message).help(help);
            self.models.diagnostics.recover(problem, fallback);
        }
        let mut scope = Scope::reserving(reserved::ARGUMENTS);
        let mut params = Vec::new();
        for name in &named {
            match declared.iter().find(|p| p.name == *name) {
                Some(parameter) => params.push(self.param(parameter, &mut scope)),
                None => params.push(self.undeclared(name, &mut scope)),
            }
        }
        for extra in declared.iter().filter(|p| !named.contains(&p.name)) {
            let message = format!("the path does not hold `{{{}}}`", extra.name);
            self.models.diagnostics.recover(
                Diagnostic::new(Code::PathParameter, &extra.at, message),
                "it is ignored",
            );
        }
        Some(params)
    }

    /// A parameter that the path names and nobody declares.
    fn undeclared(&mut self, name: &str, scope: &mut Scope) -> Param {
        let message = format!("the path names `{{{name}}}`, but no path parameter declares it");
        let plain = in_yaml(name);
        let help = format!(
            "add to its `parameters`:\n- {{ name: {plain}, in: path, required: true, schema: {{ \
             type: string }} }}"
        );
        let at = &self.source.at;
        let problem = Diagnostic::new(Code::PathParameter, at, message).help(help);
        self.models
            .diagnostics
            .recover(problem, "any text is taken for it");
        let schema = serde_json::json!({ "type": "string" });
        Param {
            field: Field {
                wire: name.to_owned(),
                name: scope.claim(Name::of(name)),
                doc: String::new(),
                ty: Type::of(TypeKind::String),
                required: true,
                boxed: false,
                deprecated: false,
            },
            place: ParamLocation::Path,
            style: Style::Simple,
            explode: false,
            allow_reserved: false,
            shape: ParamShape::Scalar,
            fields: Vec::new(),
            is_doubtful: false,
            default: None,
            schema: self.models.register("text", &schema),
            examples: Vec::new(),
        }
    }

    /// Reports query parameters whose name is also the pair of an object parameter's member.
    pub(super) fn report_shared_pairs(&mut self, params: &[Param]) {
        let source = self.source;
        for param in params {
            let own = &param.field.wire;
            for member in param.shape.members() {
                let pair = param.pair_of(member).filter(|pair| pair != own);
                let is_it = |p: &&openapi::Parameter| {
                    p.place == ParamLocation::Query && Some(&p.name) == pair.as_ref()
                };
                if let Some(other) = source.parameters.iter().find(is_it) {
                    let message = shared(param.style, member, own);
                    let help = "give one of them another name";
                    let diagnostics = &mut self.models.diagnostics;
                    diagnostics.warn(
                        Diagnostic::new(Code::AmbiguousParameter, &other.at, message).help(help),
                    );
                }
            }
        }
    }

    pub(super) fn param(&mut self, p: &openapi::Parameter, scope: &mut Scope) -> Param {
        // A parameter shared by operations is named after itself, not after the first of them.
        let hint = match &p.component {
            Some(shared) => shared.clone(),
            None => format!("{} {}", self.name, p.name),
        };
        lowered(self.models, p, &hint, scope)
    }
}

/// The message for a parameter named like a pair that is a member of the parameter `object`.
fn shared(style: Style, member: &str, object: &str) -> String {
    match style {
        Style::DeepObject => {
            format!("`{object}` never has the member `{member}`, for which this has the name")
        }
        _ => format!("this is also the member `{member}` of `{object}`: they are one text"),
    }
}

/// A parameter, or a header of a part, which is written the same way.
pub(super) fn lowered(
    models: &mut Models<'_>,
    p: &openapi::Parameter,
    hint: &str,
    scope: &mut Scope,
) -> Param {
    let ty = models.type_of(&p.schema, hint);
    let shape = models.param_shape_by(&ty, &p.schema);
    style_types::check(models, p, &shape);
    let shape = match (p.style, shape) {
        (Style::Json | Style::QueryJson | Style::QueryText, _) => ParamShape::Scalar,
        // Whatever its schema is, this style has members only.
        (Style::DeepObject | Style::QueryForm, shape) => {
            ParamShape::Object(shape.members().to_vec())
        }
        (_, shape) => shape,
    };
    let encodings = p.form.as_ref().map(|form| form.encoding.as_slice());
    let fields = encodings.map(|encodings| pairs::styled(models, encodings, &ty));
    let default = default(models, &p.schema, &ty);
    // A required parameter is never absent.
    let default = default.filter(|_| !p.required);
    let refused = default
        .as_ref()
        .filter(|(default, _)| !models.takes(&p.schema, default));
    let is_refused = refused.is_some();
    if let Some((_, at)) = refused {
        let message = "this default is refused by its own schema";
        let fallback = "an absent parameter is this, which nobody can send";
        models
            .diagnostics
            .recover(Diagnostic::new(Code::InvalidValue, at, message), fallback);
    }
    let default = default.map(|(default, _)| default);
    let always = p.required || default.is_some();
    let in_pairs = p.place == ParamLocation::Query
        && p.style != Style::QueryForm
        && p.explode
        && shape != ParamShape::Scalar;
    let is_doubtful = p.style == Style::DeepObject
        || matches!(shape, ParamShape::AnyOf(_))
        || models.needs_schema(&ty)
        || models.nests(&ty)
        || (always && in_pairs)
        || is_refused;
    Param {
        // A form is read as a body is.
        is_doubtful: is_doubtful && p.style != Style::QueryForm,
        allow_reserved: p.allow_reserved,
        shape,
        fields: fields.unwrap_or_default(),
        default,
        field: Field {
            wire: p.name.clone(),
            name: scope.claim(Name::of(&p.name)),
            doc: p.description.clone().unwrap_or_default(),
            ty,
            required: p.required,
            boxed: false,
            deprecated: p.deprecated,
        },
        place: p.place,
        style: p.style,
        explode: p.explode,
        schema: p.schema.clone(),
        examples: examples(&p.examples),
    }
}

/// The examples of a parameter, header or media type.
pub(super) fn examples(examples: &[openapi::Example]) -> Vec<Example> {
    let examples = examples.iter().map(|example| Example {
        name: example.name.clone(),
        summary: example.summary.clone(),
        value: example.value.clone(),
    });
    examples.collect()
}

/// The default of a schema as a value of its type, and its place.
fn default(models: &mut Models<'_>, key: &str, ty: &Type) -> Option<(Value, Pointer)> {
    let (default, at) = models.bundle.annotation(key, "default")?;
    if models.fits(ty, default) {
        return Some((default.clone(), at));
    }
    let meant = meant(default).filter(|meant| models.fits(ty, meant));
    let message = "this default is not a value of its own schema";
    let fallback = match &meant {
        Some(meant) => format!("the default is `{meant}`"),
        None => "there is no default".into(),
    };
    models
        .diagnostics
        .recover(Diagnostic::new(Code::InvalidValue, &at, message), &fallback);
    Some((meant?, at))
}

/// The value meant by a default whose text is another type's: parameters are texts.
pub(super) fn meant(default: &Value) -> Option<Value> {
    match default {
        Value::String(text) => serde_json::from_str(text).ok(),
        Value::Number(_) | Value::Bool(_) => Some(Value::String(default.to_string())),
        _ => None,
    }
}

/// The names between braces, in order and each once; `None` for an invalid template (OpenAPI 3.1.1
/// §4.8.8).
fn template_names(path: &str) -> Option<Vec<String>> {
    let mut names: Vec<String> = Vec::new();
    let mut rest = path.strip_prefix('/')?;
    while let Some((before, opened)) = rest.split_once('{') {
        let (name, after) = opened.split_once('}')?;
        if name.is_empty() || before.contains('}') || name.contains(['{', '/']) {
            return None;
        }
        if !names.iter().any(|known| known == name) {
            names.push(name.to_owned());
        }
        rest = after;
    }
    (!rest.contains('}')).then_some(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_templates_and_refuses_invalid_ones() {
        let names = |path| template_names(path).map(|names| names.join(" "));
        assert_eq!(names("/").as_deref(), Some(""));
        assert_eq!(names("/a/{b}/c.{d}").as_deref(), Some("b d"));
        assert_eq!(names("/{a}/{b}/{a}").as_deref(), Some("a b"));
        for wrong in ["", "a", "/{", "/}", "/{}", "/{a{b}}", "/{a/b}", "/}{a}"] {
            assert_eq!(names(wrong), None, "{wrong}");
        }
    }
}
