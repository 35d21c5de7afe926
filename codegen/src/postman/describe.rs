//! The Markdown beside requests and parameters: the parts of the contract for which Postman has no
//! place.

use super::Context;
use super::format::Description;
use super::sample::{body_text, text};
use crate::ir::{Api, DescribedLink, Example, Operation, Param, Response, Security};
use std::fmt::Write;

/// The description of the contract.
pub(super) fn collection(api: &Api) -> Description {
    let mut out = format!("Version {}.", api.version);
    paragraph(&mut out, &api.description);
    Description(out)
}

/// The description of an operation, its other names, and the operations that its links lead to.
pub(super) fn operation(context: &Context<'_>, operation: &Operation) -> Description {
    let mut out = operation.description.trim_end().to_owned();
    paragraph(&mut out, &identity(operation));
    section(&mut out, "Body", &bodies(operation));
    section(&mut out, "Next", &links(context, operation));
    Description(out)
}

fn paragraph(out: &mut String, text: &str) {
    if !out.is_empty() && !text.is_empty() {
        out.push_str("\n\n");
    }
    out.push_str(text.trim_end());
}

fn section(out: &mut String, title: &str, text: &str) {
    if !text.is_empty() {
        paragraph(out, &format!("### {title}\n\n{text}"));
    }
}

fn identity(operation: &Operation) -> String {
    let mut out = format!("Operation `{}`.", operation.id);
    if operation.deprecated {
        out.push_str(" Deprecated.");
    }
    out.push_str(match operation.security {
        Security::Public => " Open to everyone.",
        Security::Optional(_) => " A credential is optional, and not sent unless it is ticked.",
        Security::Required(_) => " A credential is required.",
    });
    if !operation.metered {
        out.push_str(" Not counted against limits.");
    }
    if !operation.other_tags.is_empty() {
        // A write to a string cannot fail.
        let _ = write!(out, " Also belongs to {}.", operation.other_tags.join(", "));
    }
    out
}

/// The examples of bodies, except the one that the request has.
fn bodies(operation: &Operation) -> String {
    let Some(body) = &operation.body else {
        return String::new();
    };
    let mut out = String::new();
    paragraph(&mut out, &body.doc);
    let filled = body.preferred();
    for media in &body.media {
        let is_filled = filled.is_some_and(|filled| std::ptr::eq(filled, media));
        for example in media.examples.iter().skip(usize::from(is_filled)) {
            let language = super::sample::preview_language(&media.media_type);
            let value = body_text(&media.media_type, &example.value);
            let shown = format!(
                "{} (`{}`):\n\n```{language}\n{value}\n```",
                title(example),
                media.media_type
            );
            paragraph(&mut out, &shown);
        }
    }
    out
}

fn title(example: &Example) -> &str {
    example.summary.as_deref().unwrap_or(&example.name)
}

fn links(context: &Context<'_>, operation: &Operation) -> String {
    let own = operation.responses.iter();
    own.chain(&operation.framework_responses)
        .flat_map(|response| response.links.iter().map(move |link| (response, link)))
        .map(|(response, link)| followed(context, response, link))
        .collect()
}

/// A line about a link: its operation, and the source of its value.
fn followed(context: &Context<'_>, response: &Response, link: &DescribedLink) -> String {
    let target = link.operation_id.as_deref().unwrap_or(&link.name);
    let operations = &context.api.operations;
    let found = operations.iter().find(|operation| operation.id == target);
    let name = found.map_or(target, |operation| operation.summary.as_str());
    let parameters = link.parameters.iter();
    let taken: Vec<_> = parameters
        .map(|(name, value)| format!("`{name}` from `{}`", text(value)))
        .collect();
    let with = if taken.is_empty() {
        String::new()
    } else {
        format!(", {}", taken.join(", "))
    };
    let description = &link.description;
    let line = format!(
        "- After {}: **{name}** (`{target}`){with}. {description}",
        response.status
    );
    format!("{}\n", line.trim_end())
}

/// The description of a parameter, its default, and the examples that are not filled in.
pub(super) fn param(param: &Param) -> Description {
    let mut out = param.field.doc.trim_end().to_owned();
    if param.field.deprecated {
        paragraph(&mut out, "Deprecated.");
    }
    if let Some(default) = &param.default {
        paragraph(&mut out, &format!("Default: `{}`.", text(default)));
    }
    let others = param.examples.iter().skip(1);
    let others: Vec<_> = others
        .map(|example| format!("`{}` ({})", text(&example.value), title(example)))
        .collect();
    if !others.is_empty() {
        paragraph(&mut out, &format!("Or {}.", others.join(", ")));
    }
    Description(out)
}
