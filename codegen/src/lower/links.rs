//! Links (OpenAPI 3.1.1 §4.8.20): the operation that each leads to, and the sources of its
//! request's parts. A link that cannot be followed is left out and reported.

mod names;
mod values;

use super::models::Models;
use crate::diagnostic::{Code, Diagnostic};
use crate::ir::{Content, Link, LinkArgument, Media, Name, Operation, Param};
use crate::names::Scope;
use crate::openapi::{self, Document, LinkObject};
use crate::source::Pointer;
use serde_json::Value;
use values::Values;

/// The fallback for a link that cannot be followed.
const FALLBACK: &str = "the client has no function that follows it";

/// The reason why a link cannot be followed.
type Problem = (Code, String);

/// The links that can be followed; `operations` have their places in the document.
pub(super) fn lower(
    document: &Document,
    root: &Value,
    operations: &[(usize, Operation)],
    models: &mut Models<'_>,
) -> Vec<Link> {
    let mut scope = Scope::default();
    let mut links = Vec::new();
    for (place, source) in operations {
        let Some(read) = document.operations.get(*place) else {
            continue;
        };
        let main = names::main(&read.responses);
        for response in &read.responses {
            for link in &response.links {
                let linking = Linking {
                    document,
                    root,
                    operations,
                    models,
                    source,
                    link,
                };
                match linking.follow(response) {
                    Ok(followed) => links.push(Link {
                        name: scope.claim(names::of_link(&source.name, link, response, main)),
                        ..followed
                    }),
                    Err((code, why)) => {
                        let message = format!("the link `{}` {why}", link.name);
                        models
                            .diagnostics
                            .recover(Diagnostic::new(code, &link.at, message), FALLBACK);
                    }
                }
            }
        }
    }
    of_outgoing(document, models);
    links
}

/// Reports links of webhooks and callbacks, which are not followed.
fn of_outgoing(document: &Document, models: &mut Models<'_>) {
    let outgoing = document.webhooks.iter().chain(&document.callbacks);
    let responses = outgoing.flat_map(|outgoing| &outgoing.operation.responses);
    for link in responses.flat_map(|response| &response.links) {
        let message = format!(
            "the link `{}` stands at an answer to a webhook or callback",
            link.name
        );
        models.diagnostics.recover(
            Diagnostic::new(Code::UnfollowedLink, &link.at, message),
            FALLBACK,
        );
    }
}

fn unfollowed(why: impl Into<String>) -> Problem {
    (Code::UnfollowedLink, why.into())
}

fn invalid(why: impl Into<String>) -> Problem {
    (Code::Invalid, why.into())
}

fn dead(why: impl Into<String>) -> Problem {
    (Code::DeadLink, why.into())
}

fn to_others(target: &str) -> Problem {
    unfollowed(format!(
        "leads to `{target}`, which the API itself asks of others"
    ))
}

/// One link.
struct Linking<'a> {
    document: &'a Document,
    /// The document as it was written.
    root: &'a Value,
    operations: &'a [(usize, Operation)],
    models: &'a Models<'a>,
    source: &'a Operation,
    link: &'a LinkObject,
}

impl<'a> Linking<'a> {
    fn follow(&self, response: &openapi::Response) -> Result<Link, Problem> {
        let mut answers = self.source.responses.iter().enumerate();
        let answer = answers.find(|(_, answer)| answer.status == response.status);
        let (at, answer) = answer
            .filter(|_| response.framework_made.is_none())
            .ok_or_else(|| unfollowed("stands at an answer that has no type in the client"))?;
        if self.link.has_server {
            let why = "leads to another server than the one that the client asks";
            return Err(unfollowed(why));
        }
        let target = self.target()?;
        if target.raw {
            let why = format!("leads to `{}`, whose requests have no type", target.id);
            return Err(unfollowed(why));
        }
        // Values of the source are named first, so that arguments of the target rename none of
        // them.
        let mut values = Values::new(self.models, self.source, answer);
        let mut given = self.param_values(target, &mut values)?;
        let (body, media) = self.body_value(target, &mut values)?;
        let mut fill = |position: usize, param: &Param| {
            let index = given.iter().position(|(known, _)| *known == position);
            match index.map(|index| given.swap_remove(index)) {
                Some((_, argument)) => argument,
                None if param.field.required && param.default.is_none() => {
                    LinkArgument::Argument(values.argument(&param.field.name))
                }
                None => LinkArgument::Absent,
            }
        };
        let path = target.path_params.iter().enumerate();
        let path_params: Vec<_> = path.map(|(at, param)| fill(at, param)).collect();
        let others = target.params.iter().enumerate();
        let others = others.map(|(at, param)| fill(path_params.len() + at, param));
        let params = others.collect();
        let body = match (body, &target.body) {
            (Some(body), _) => body,
            (None, Some(body)) if body.required => {
                LinkArgument::Argument(values.argument(&Name::of("body")))
            }
            (None, _) => LinkArgument::Absent,
        };
        Ok(Link {
            name: Name::default(),
            document_name: self.link.name.clone(),
            description: self.link.description.clone().unwrap_or_default(),
            operation: self.source.index,
            answer: at,
            reads_body: values.reads_body,
            headers: values.headers,
            target: target.index,
            arguments: values.given,
            path_params,
            params,
            body,
            media,
        })
    }

    /// The operation that the link leads to.
    fn target(&self) -> Result<&'a Operation, Problem> {
        let link = self.link;
        let (named_target, place) = match (&link.operation_id, &link.operation_ref) {
            (Some(_), Some(_)) => return Err(invalid("names its operation twice")),
            (Some(id), None) if self.is_outgoing(|it| it.id.as_ref() == Some(id)) => {
                return Err(to_others(id));
            }
            (Some(id), None) => {
                let mut sources = self.document.operations.iter();
                (
                    id.as_str(),
                    sources.position(|source| source.id.as_ref() == Some(id)),
                )
            }
            (None, Some(reference)) => {
                let at = link.at.child("operationRef");
                let named_target = self.models.diagnostics.as_written(reference, &at);
                let Some(pointer) = Pointer::of_reference(reference) else {
                    let why = format!("leads out of the document: `{named_target}`");
                    return Err(unfollowed(why));
                };
                if self.is_outgoing(|it| it.at == pointer) {
                    return Err(to_others(named_target));
                }
                let place = openapi::operation_at(&self.document.operations, &pointer);
                if place.is_none() && openapi::is_operation(self.root, &pointer) {
                    let why = format!("leads to `{named_target}`, which the client does not have");
                    return Err(unfollowed(why));
                }
                (named_target, place)
            }
            (None, None) => return Err(dead("names no operation")),
        };
        let place =
            place.ok_or_else(|| dead(format!("leads to no operation: `{named_target}`")))?;
        let mut lowered = self.operations.iter();
        let target = lowered.find(|(lowered, _)| *lowered == place);
        let target = target.map(|(_, target)| target);
        target.ok_or_else(|| unfollowed(format!("leads to `{named_target}`, which is left out")))
    }

    /// Whether an operation is a webhook or a callback.
    fn is_outgoing(&self, is: impl Fn(&openapi::Operation) -> bool) -> bool {
        let document = self.document;
        let mut outgoing = document.webhooks.iter().chain(&document.callbacks);
        outgoing.any(|outgoing| is(&outgoing.operation))
    }

    /// The values that the link gives to parameters, for those of the path and the others, in their
    /// order.
    fn param_values(
        &self,
        target: &Operation,
        values: &mut Values<'_>,
    ) -> Result<Vec<(usize, LinkArgument)>, Problem> {
        let mut given: Vec<(usize, LinkArgument)> = Vec::new();
        for (name, value) in &self.link.parameters {
            let params = target.path_params.iter().chain(&target.params);
            let Some((position, param)) = named(params, name) else {
                let why = format!("gives `{name}`, which `{}` does not have", target.id);
                return Err(dead(why));
            };
            if given.iter().any(|(known, _)| *known == position) {
                return Err(invalid(format!("gives `{name}` twice")));
            }
            given.push((
                position,
                values.value(value, &param.field.ty, !param.style.is_json())?,
            ));
        }
        Ok(given)
    }

    /// The body that the link gives, and its media type among those of the target.
    fn body_value(
        &self,
        target: &Operation,
        values: &mut Values<'_>,
    ) -> Result<(Option<LinkArgument>, usize), Problem> {
        let Some(value) = &self.link.request_body else {
            return Ok((None, 0));
        };
        let Some(body) = &target.body else {
            return Err(dead(format!(
                "gives a body, and `{}` takes none",
                target.id
            )));
        };
        let mut media = body.media.iter();
        let whole = |media: &Media| match &media.content {
            Content::Json(ty, _) | Content::Form(ty, ..) => Some((ty.clone(), false)),
            Content::Scalar(ty, _) => Some((ty.clone(), true)),
            Content::Text => Some((values::text(), true)),
            _ => None,
        };
        let position = media.position(|media| whole(media).is_some());
        let ty = position.and_then(|at| body.media.get(at)).and_then(whole);
        let (Some(position), Some((ty, is_text))) = (position, ty) else {
            let why = format!(
                "gives a body, and that of `{}` has no single value",
                target.id
            );
            return Err(unfollowed(why));
        };
        Ok((Some(values.value(value, &ty, is_text)?), position))
    }
}

/// The parameter that a link names: by its name alone, or by its location and name as in `path.id`.
fn named<'p>(
    params: impl Iterator<Item = &'p Param> + Clone,
    name: &str,
) -> Option<(usize, &'p Param)> {
    let plain = |param: &Param| param.place.is_named(&param.field.wire, name);
    let qualified = |param: &Param| param.place.is_qualified(&param.field.wire, name);
    let mut all = params.clone().enumerate();
    all.find(|(_, param)| plain(param))
        .or_else(|| params.enumerate().find(|(_, param)| qualified(param)))
}
