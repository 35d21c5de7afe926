//! Webhooks and callbacks, and the URLs of the latter from runtime expressions.

use super::expressions::{body, of_request, whole};
use super::models::Models;
use super::security::SecurityRequirements;
use super::{operations, paths};
use crate::diagnostic::{Code, Diagnostic};
use crate::ir::{Argument, Callback, CallbackUrl, Name, Operation, UrlPart};
use crate::openapi::{self, Document, Outgoing, Target};

/// Lowers the webhooks.
pub(super) fn webhooks(
    document: &Document,
    requirements: &mut SecurityRequirements,
    models: &mut Models<'_>,
) -> Vec<Operation> {
    let sources = document.webhooks.iter();
    let sources = sources.map(source);
    let lowered = operations::lower_all(sources, requirements, models);
    lowered
        .into_iter()
        .map(|(_, operation)| operation)
        .collect()
}

/// Lowers the callbacks of these operations.
pub(super) fn callbacks(
    document: &Document,
    owners: &[(usize, Operation)],
    requirements: &mut SecurityRequirements,
    models: &mut Models<'_>,
) -> Vec<Callback> {
    let sources = document.callbacks.iter();
    let sources = sources.map(source);
    let lowered = operations::lower_all(sources, requirements, models);
    let mut callbacks = Vec::new();
    for (number, operation) in lowered {
        let target = document.callbacks.get(number);
        let target = target.and_then(|callback| callback.target.as_ref());
        let url = target.and_then(|target| {
            let mut owners = owners.iter();
            let owner = owners.find(|(at, _)| {
                let source = document.operations.get(*at);
                source.is_some_and(|it| (&it.method, &it.path) == (&target.of.0, &target.of.1))
            });
            url(
                target,
                &operation.name,
                owner.map(|(_, owner)| owner),
                models,
            )
        });
        callbacks.push(Callback { operation, url });
    }
    callbacks
}

fn source(outgoing: &Outgoing) -> (&openapi::Operation, String, paths::Target) {
    let Outgoing {
        operation, name, ..
    } = outgoing;
    (operation, name.clone(), paths::Target::of(operation))
}

fn url(
    target: &Target,
    name: &Name,
    owner: Option<&Operation>,
    models: &mut Models<'_>,
) -> Option<CallbackUrl> {
    let mut reading = Reading {
        owner,
        given: Vec::new(),
        parts: Vec::new(),
        before: String::new(),
    };
    if reading.url(&target.expression).is_none() {
        let message = "this is no URL with runtime expressions";
        let fallback = "the sender of the callback has to know its URL";
        models.diagnostics.recover(
            Diagnostic::new(Code::Invalid, &target.at, message),
            fallback,
        );
        return None;
    }
    Some(CallbackUrl {
        name: name.clone(),
        expression: target.expression.clone(),
        of: owner.map(|owner| owner.index),
        given: reading.given,
        parts: reading.parts,
    })
}

/// A URL while it is parsed.
struct Reading<'o> {
    owner: Option<&'o Operation>,
    given: Vec<Argument>,
    parts: Vec<UrlPart>,
    /// The parts parsed so far.
    before: String,
}

impl Reading<'_> {
    fn url(&mut self, text: &str) -> Option<()> {
        if text.starts_with('$') {
            return self.expression(text);
        }
        let mut rest = text;
        while let Some((literal, opened)) = rest.split_once('{') {
            let (expression, after) = opened.split_once('}')?;
            self.literal(literal);
            self.expression(expression)?;
            rest = after;
        }
        self.literal(rest);
        (!rest.contains('}')).then_some(())
    }

    fn literal(&mut self, text: &str) {
        if !text.is_empty() {
            self.before.push_str(text);
            self.parts.push(UrlPart::Text(text.to_owned()));
        }
    }

    fn expression(&mut self, text: &str) -> Option<()> {
        let (given, field, pointer) = match text {
            "$method" => {
                let method = self.owner.map_or("POST", |owner| owner.method.as_str());
                self.literal(method);
                return Some(());
            }
            "$url" => (Argument::Text(Name::of("request url")), None, ""),
            "$statusCode" => (Argument::Text(Name::of("status code")), None, ""),
            _ => match text.strip_prefix("$request.") {
                Some(source) => of_request(self.owner, source)?,
                None => self.of_response(text.strip_prefix("$response.")?)?,
            },
        };
        let name = given.name();
        if !self.given.iter().any(|known| known.name() == name) {
            self.given.push(given);
        }
        // A value at the start is a whole URL, and a host may have a port.
        let host = self.before.split_once("://");
        let in_host = host.is_some_and(|(_, host)| !host.contains(['/', '?']));
        let whole = self.before.is_empty() || in_host;
        self.parts.push(UrlPart::Value {
            given: name,
            field,
            pointer: pointer.to_owned(),
            expression: text.to_owned(),
            encoded: !whole,
        });
        self.before.push('x');
        Some(())
    }

    fn of_response<'t>(&self, source: &'t str) -> Option<(Argument, Option<Name>, &'t str)> {
        if let Some(pointer) = body(source) {
            let responses = self.owner.iter().flat_map(|owner| &owner.responses);
            let mut successes = responses.filter(|response| response.status.is_success());
            let media = successes.next().map(|response| response.media.as_slice());
            let given = Argument::Value(Name::of("answer"), whole(media.unwrap_or_default()));
            return Some((given, None, pointer));
        }
        let name = source
            .strip_prefix("header.")
            .filter(|name| !name.is_empty())?;
        let text = Name::of(&format!("response {name}"));
        Some((Argument::Text(text), None, ""))
    }
}

impl Argument {
    fn name(&self) -> Name {
        match self {
            Argument::Params => Name::of("params"),
            Argument::Value(name, _) | Argument::Text(name) => name.clone(),
        }
    }
}
