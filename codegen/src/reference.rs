//! The reference in Markdown: the contract as callers see it, so that a review shows which parts of
//! it change. It says no more than the contract does, and in its order.

mod schemas;
#[cfg(test)]
mod tests;
mod text;

use crate::ir::{
    Api, BodyParts, Content, EventData, Media, Operation, Param, PartContent, PartHeaders,
    PartKind, Response, Section, Security,
};
use schemas::{described, of_key};
use text::{cell, code, heading, paragraph, row};

/// The deepest heading of Markdown.
const MAX_DEPTH: usize = 6;

/// The whole reference.
pub(crate) fn reference(api: &Api) -> String {
    let mut out = format!("# {} {}\n", api.title, api.version);
    paragraph(&mut out, "Generated from the contract; not edited by hand.");
    if api.has_operations() {
        contents(&mut out, api);
    }
    for section in &api.sections {
        self::section(&mut out, api, section, 2);
    }
    heading(&mut out, 2, "Schemas");
    for (name, schema) in api.schemas.iter().filter(|(key, _)| !key.contains('/')) {
        heading(&mut out, 3, name);
        described(&mut out, schema);
    }
    out
}

/// A tag with its operations, and the tags below it.
fn section(out: &mut String, api: &Api, section: &Section, level: usize) {
    heading(out, level, &section.title);
    paragraph(out, &section.doc);
    let below = (level + 1).min(MAX_DEPTH);
    let group = section.group.and_then(|index| api.groups.get(index));
    let members = group.iter().flat_map(|group| &group.operations);
    for operation in members.filter_map(|index| api.operations.get(*index)) {
        one(out, api, operation, below);
    }
    for section in &section.sections {
        self::section(out, api, section, below);
    }
}

/// A line for each operation.
fn contents(out: &mut String, api: &Api) {
    out.push_str("\n| operation | | summary |\n|---|---|---|\n");
    for operation in &api.operations {
        let call = code(&format!("{} {}", operation.method, operation.path));
        row(
            out,
            [&code(&operation.id), &call, &cell(&operation.summary)],
        );
    }
}

fn one(out: &mut String, api: &Api, operation: &Operation, level: usize) {
    heading(
        out,
        level,
        &format!("{} {}", operation.method, operation.path),
    );
    let deprecated = if operation.deprecated {
        " Deprecated."
    } else {
        ""
    };
    let id = code(&operation.id);
    let title = match operation.summary.trim_end_matches('.') {
        "" => format!("{id}."),
        summary => format!("**{summary}** ({id})."),
    };
    paragraph(out, &format!("{title}{deprecated}"));
    paragraph(out, &operation.description);
    if let Some(server) = &operation.server {
        paragraph(out, &format!("Server: {}.", code(&server.url)));
    }
    paragraph(out, &who(operation));
    let params: Vec<_> = operation.all_params().collect();
    if !params.is_empty() {
        out.push_str("\n| parameter | in | type | required | meaning |\n|---|---|---|---|---|\n");
        for param in params {
            parameter(out, api, param);
        }
    }
    if let Some(body) = &operation.body {
        let required = if body.required {
            "required"
        } else {
            "optional"
        };
        paragraph(
            out,
            &format!(
                "Body ({required}): {}. {}",
                media(api, &body.media),
                body.doc
            ),
        );
    }
    let bodies = operation.body.iter().flat_map(|body| &body.media);
    for media in bodies {
        let headed = headed(&media.content);
        if !headed.is_empty() {
            part_headers(out, api, &headed);
        }
    }
    out.push_str("\n| status | body | headers | meaning |\n|---|---|---|---|\n");
    let mut responses: Vec<_> = operation.responses.iter().collect();
    responses.extend(&operation.framework_responses);
    responses.sort_by_key(|response| response.status);
    for response in responses {
        answer(out, api, response);
    }
}

/// The security of an operation, as the contract's alternatives of schemes.
fn who(operation: &Operation) -> String {
    let alternatives = operation.requirements.iter().filter(|all| !all.is_empty());
    let alternatives: Vec<_> = alternatives
        .map(|all| {
            let each = all.iter().map(|(name, scopes)| match scopes.as_slice() {
                [] => code(name),
                scopes => format!("{} ({})", code(name), scopes.join(", ")),
            });
            each.collect::<Vec<_>>().join(" and ")
        })
        .collect();
    let named = alternatives.join(", or ");
    match operation.security {
        Security::Public => "Open to everyone.".into(),
        Security::Optional(_) => format!("Credentials are optional: {named}."),
        Security::Required(_) => format!("Credentials: {named}."),
    }
}

fn parameter(out: &mut String, api: &Api, param: &Param) {
    let name = code(&param.field.wire);
    row(
        out,
        [
            &name,
            param.place_word(),
            &cell(&of_key(&api.schemas, &param.schema)),
            required(param),
            &meaning(param),
        ],
    );
}

/// The headers of the parts of a body, each with the part's name or place.
fn headed(content: &Content) -> Vec<(String, &PartHeaders)> {
    match content {
        Content::Multipart(form) => {
            let fields = form.fields.iter();
            let headed =
                fields.filter_map(|field| Some((code(&field.wire), field.headers.as_ref()?)));
            headed.collect()
        }
        Content::Parts(parts) => {
            let kinds = parts.kinds().enumerate();
            let headed = kinds.filter_map(|(index, kind)| {
                let place = match index < parts.prefix.len() {
                    true => format!("at index {index}"),
                    false => "each that follows".to_owned(),
                };
                Some((place, kind.headers.as_ref()?))
            });
            headed.collect()
        }
        _ => Vec::new(),
    }
}

fn part_headers(out: &mut String, api: &Api, headed: &[(String, &PartHeaders)]) {
    out.push_str("\n| part | header | type | required | meaning |\n|---|---|---|---|---|\n");
    for (part, headers) in headed {
        for param in &headers.params {
            let ty = cell(&of_key(&api.schemas, &param.schema));
            let name = code(&param.field.wire);
            row(out, [part, &name, &ty, required(param), &meaning(param)]);
        }
    }
}

fn required(param: &Param) -> &'static str {
    if param.field.required { "yes" } else { "" }
}

/// The description of a parameter, as a table cell.
fn meaning(param: &Param) -> String {
    let default = param.default.as_ref();
    let default = default.map(|value| format!(" Default: {}.", code(&value.to_string())));
    let doc = param.field.doc.trim();
    cell(&format!("{doc}{}", default.unwrap_or_default()))
}

fn answer(out: &mut String, api: &Api, response: &Response) {
    let headers = response.seen_headers.iter().map(|header| {
        let mark = if header.required { "" } else { "?" };
        format!("{}{mark}", code(&header.wire))
    });
    let headers: Vec<_> = headers.collect();
    let status = response.status.to_string();
    let body = cell(&media(api, &response.media));
    row(
        out,
        [&status, &body, &headers.join(", "), &cell(&response.doc)],
    );
}

/// The media types of a body with their contents.
fn media(api: &Api, media: &[Media]) -> String {
    let each = media.iter().map(|media| {
        let names: Vec<_> = media.media_types().map(code).collect();
        let name = names.join(" or ");
        match content(api, &media.content) {
            Some(content) => format!("{name}: {content}"),
            None => name,
        }
    });
    each.collect::<Vec<_>>().join("; ")
}

/// The content of a body, where it has a schema.
fn content(api: &Api, content: &Content) -> Option<String> {
    let of_key = |key| of_key(&api.schemas, key);
    match content {
        Content::Json(_, key) | Content::Form(_, key, _) | Content::Scalar(_, key) => {
            Some(of_key(key))
        }
        Content::Items(_, _, key) => Some(format!("items of {}", of_key(key))),
        Content::Events(data, _) => Some(format!("events {}", event(api, data))),
        Content::Parts(parts) => Some(format!("parts: {}", self::parts(api, parts))),
        Content::Multipart(_) | Content::Text | Content::Stream => None,
    }
}

/// The parts of a body, by their places.
fn parts(api: &Api, parts: &BodyParts) -> String {
    let of = |kind: &PartKind| {
        let content = match &kind.content {
            PartContent::Json(_, key) | PartContent::Scalar(_, key) => of_key(&api.schemas, key),
            PartContent::Text => "text".to_owned(),
            PartContent::Bytes => "bytes".to_owned(),
            PartContent::Parts(inner) => format!("parts ({})", self::parts(api, inner)),
        };
        match kind.types.as_slice() {
            [] => content,
            types => format!("{content} as {}", code(&types.join(", "))),
        }
    };
    let first = parts.prefix.iter().map(of);
    let rest = parts.rest.iter().map(|kind| match parts.prefix.len() {
        0 => format!("each {}", of(kind)),
        _ => format!("then each {}", of(kind)),
    });
    first.chain(rest).collect::<Vec<_>>().join(", ")
}

/// The data of events.
fn event(api: &Api, data: &EventData) -> String {
    match data {
        EventData::Text(_) => "of text".to_owned(),
        EventData::Json(_, key) => format!("of {}", of_key(&api.schemas, key)),
        EventData::Kinds(_, kinds) => {
            let each = kinds.iter();
            let each = each.map(|kind| format!("{} {}", code(&kind.wire), event(api, &kind.data)));
            each.collect::<Vec<_>>().join(", ")
        }
    }
}
