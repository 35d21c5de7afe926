//! The values that a link gives: constants and runtime expressions (OpenAPI 3.1.1 §4.8.20.4).

use super::super::expressions::{body, of_request};
use super::super::models::Models;
use super::super::params::meant;
use super::super::reserved;
use super::{Problem, invalid, unfollowed};
use crate::ir::{
    Argument, Content, LinkArgument, LinkSource, ModelShape, Name, Operation, Response, Status,
    Type, TypeKind,
};
use crate::names::Scope;
use serde_json::Value;

/// Collects the values of one link.
pub(super) struct Values<'a> {
    models: &'a Models<'a>,
    source: &'a Operation,
    answer: &'a Response,
    variables: Scope,
    /// The parts of the request that are needed, by argument.
    pub(super) given: Vec<(Name, Argument)>,
    /// The source of each of these.
    known: Vec<String>,
    /// The headers of the answer that are used, and the names of their values.
    pub(super) headers: Vec<(Name, Name)>,
    /// Whether the answer's body is used.
    pub(super) reads_body: bool,
}

/// The type of a body that is text.
pub(super) fn text() -> Type {
    Type::of(TypeKind::String)
}

impl<'a> Values<'a> {
    pub(super) fn new(
        models: &'a Models<'a>,
        source: &'a Operation,
        answer: &'a Response,
    ) -> Values<'a> {
        Values {
            models,
            source,
            answer,
            variables: Scope::reserving(reserved::LINK),
            given: Vec::new(),
            known: Vec::new(),
            headers: Vec::new(),
            reads_body: false,
        }
    }

    /// Adds an argument for a value that the link does not give.
    pub(super) fn argument(&mut self, name: &Name) -> Name {
        self.variables.claim(name.clone())
    }

    /// The value that a link gives to a place of this type, where `7` and `"7"` may be the same
    /// text.
    pub(super) fn value(
        &mut self,
        value: &Value,
        ty: &Type,
        is_text: bool,
    ) -> Result<LinkArgument, Problem> {
        let (expression, source) = match value {
            Value::String(text) => (text.clone(), self.expressed(text)?),
            other => (other.to_string(), LinkSource::Constant(other.clone())),
        };
        if let LinkSource::Constant(value) = &source {
            let fits = |value: &Value| self.models.fits(ty, value);
            let same = meant(value).filter(|_| is_text);
            if !fits(value) && !same.is_some_and(|value| fits(&value)) {
                let why = format!("gives `{expression}`, which does not fit there");
                return Err(invalid(why));
            }
        }
        Ok(LinkArgument::Value { expression, source })
    }

    /// The value of a text: an expression, a text with expressions in braces, or the text itself.
    fn expressed(&mut self, text: &str) -> Result<LinkSource, Problem> {
        if is_expression(text) {
            return self.expression(text);
        }
        let (mut parts, mut plain, mut rest) = (Vec::new(), String::new(), text);
        while let Some((before, opened)) = rest.split_once('{') {
            plain.push_str(before);
            match opened.split_once('}') {
                Some((inside, after)) if is_expression(inside) => {
                    parts.extend(literal(std::mem::take(&mut plain)));
                    parts.push(self.expression(inside)?);
                    rest = after;
                }
                _ => {
                    plain.push('{');
                    rest = opened;
                }
            }
        }
        if parts.is_empty() {
            return Ok(LinkSource::Constant(text.into()));
        }
        plain.push_str(rest);
        parts.extend(literal(plain));
        Ok(LinkSource::Concatenated(parts))
    }

    fn expression(&mut self, text: &str) -> Result<LinkSource, Problem> {
        match text {
            "$url" => {
                let given = Argument::Text(Name::of("request url"));
                Ok(self.at_hand(text, given, None, ""))
            }
            "$method" => Ok(LinkSource::Constant(self.source.method.as_str().into())),
            "$statusCode" => Ok(match self.answer.status {
                Status::Code(code) => LinkSource::Constant(code.into()),
                _ => LinkSource::Status,
            }),
            _ => match text.strip_prefix("$request.") {
                Some(source) => self.of_request(source, text),
                None => self.of_answer(
                    text.strip_prefix("$response.").ok_or_else(|| wrong(text))?,
                    text,
                ),
            },
        }
    }

    fn of_request(&mut self, source: &str, text: &str) -> Result<LinkSource, Problem> {
        let found = of_request(Some(self.source), source);
        let Some((given, field, pointer)) = found else {
            return Err(wrong(text));
        };
        let undeclared = match &given {
            Argument::Text(_) => source.starts_with("path."),
            _ => body(source).is_some() && self.source.body.is_none(),
        };
        if undeclared {
            let why = format!(
                "has `{text}`, and the request of `{}` has no such part",
                self.source.id
            );
            return Err(invalid(why));
        }
        // A body that may be absent is an `Option` argument.
        let body = self.source.body.as_ref();
        let given = match given {
            Argument::Value(name, ty)
                if body.is_some_and(|body| !body.required) && source.starts_with("body") =>
            {
                Argument::Value(name, Type::of(TypeKind::Nullable(Box::new(ty))))
            }
            given => given,
        };
        Ok(self.at_hand(source, given, field, pointer))
    }

    /// The argument for a part of the request, added once; the same source gives the same argument.
    fn at_hand(
        &mut self,
        source: &str,
        given: Argument,
        field: Option<Name>,
        pointer: &str,
    ) -> LinkSource {
        let (known, wanted) = match &given {
            Argument::Params => (String::new(), Name::of("request params")),
            Argument::Value(name, _) => (name.to_string(), Name::of(&format!("request {name}"))),
            // Only the names of headers are case-insensitive.
            Argument::Text(name) => match source.starts_with("header.") {
                true => (source.to_ascii_lowercase(), name.clone()),
                false => (source.to_owned(), name.clone()),
            },
        };
        let at = self.known.iter().position(|other| *other == known);
        let argument = match at.and_then(|at| self.given.get(at)) {
            Some((argument, _)) => argument.clone(),
            None => {
                let argument = self.variables.claim(wanted);
                self.given.push((argument.clone(), given));
                self.known.push(known);
                argument
            }
        };
        LinkSource::Request {
            argument,
            field,
            pointer: pointer.to_owned(),
        }
    }

    fn of_answer(&mut self, source: &str, text: &str) -> Result<LinkSource, Problem> {
        if let Some(pointer) = body(source) {
            let whole = self.answer.media.iter().any(|media| match media.content {
                Content::Json(..) => true,
                Content::Text | Content::Scalar(..) => pointer.is_empty(),
                _ => false,
            });
            self.reads_body |= whole;
            return match whole {
                true => Ok(LinkSource::Body(pointer.to_owned())),
                false => Err(unfollowed(format!(
                    "has `{text}`, and the answer has no such value"
                ))),
            };
        }
        let name = source
            .strip_prefix("header.")
            .filter(|name| !name.is_empty());
        let Some(name) = name else {
            return Err(wrong(text));
        };
        let mut headers = self.answer.headers.iter().map(|header| &header.field);
        let field = headers.find(|field| field.wire.eq_ignore_ascii_case(name));
        let Some(field) = field else {
            let why = format!("has `{text}`, a header that the answer's type does not hold");
            return Err(unfollowed(why));
        };
        match self.constant(&field.ty) {
            Some(value) if field.required => Ok(LinkSource::Constant(value)),
            // The field of an optional body tells only whether it is there.
            Some(_) => Err(unfollowed(format!(
                "has `{text}`, a header of one value that may be absent"
            ))),
            None => Ok(LinkSource::Header(self.header(&field.name))),
        }
    }

    /// The name of a header's value.
    fn header(&mut self, field: &Name) -> Name {
        if let Some((_, known)) = self.headers.iter().find(|(known, _)| known == field) {
            return known.clone();
        }
        let variable = Name::of(&format!("answered {field}"));
        let variable = self.variables.claim(variable);
        self.headers.push((field.clone(), variable.clone()));
        variable
    }

    /// The only value of a type.
    fn constant(&self, ty: &Type) -> Option<Value> {
        let TypeKind::Model(id) = &ty.kind else {
            return None;
        };
        match self.models.shape_of(*id) {
            Some(ModelShape::Constant(value)) => Some(value.clone()),
            Some(ModelShape::Alias(inner)) => self.constant(inner),
            _ => None,
        }
    }
}

/// Whether a text begins as an expression does; other texts that begin with `$` are constants.
fn is_expression(text: &str) -> bool {
    matches!(text, "$url" | "$method" | "$statusCode")
        || text.starts_with("$request.")
        || text.starts_with("$response.")
}

fn wrong(text: &str) -> Problem {
    invalid(format!("has `{text}`, which is no runtime expression"))
}

fn literal(text: String) -> Option<LinkSource> {
    (!text.is_empty()).then(|| LinkSource::Constant(text.into()))
}
