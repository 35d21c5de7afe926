//! The Markdown of requests and parameters.

use super::Context;
use super::format::Description;
use super::sample::{body_text, text};
use crate::ir::{Api, DescribedLink, Example, Operation, Param, Security};
use std::fmt::Write;

/// The name of an operation for people.
pub(super) fn title(operation: &Operation) -> &str {
    if operation.summary.is_empty() {
        &operation.id
    } else {
        &operation.summary
    }
}

/// The description of the contract, and the variables that callers set.
pub(super) fn collection(api: &Api, secrets: &[&str]) -> Description {
    let mut out = format!("Version {}.", api.version);
    if !secrets.is_empty() {
        let secrets = secrets.join("`, `");
        let line =
            format!("Set `{secrets}` in the variables of the collection or of an environment.");
        paragraph(&mut out, &line);
    }
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
        Security::Public => " Needs no credential.",
        Security::Optional(_) => " The credential is optional.",
        Security::Required(_) => " Needs a credential.",
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
                example_title(example),
                media.media_type
            );
            paragraph(&mut out, &shown);
        }
    }
    out
}

fn example_title(example: &Example) -> &str {
    example.summary.as_deref().unwrap_or(&example.name)
}

fn links(context: &Context<'_>, operation: &Operation) -> String {
    let links = operation
        .responses
        .iter()
        .flat_map(|response| &response.links);
    links.map(|link| followed(context, link)).collect()
}

/// A line about a link to another operation.
fn followed(context: &Context<'_>, link: &DescribedLink) -> String {
    let target = link.operation_id.as_deref().unwrap_or(&link.name);
    let operations = &context.api.operations;
    let found = operations.iter().find(|operation| operation.id == target);
    let name = found.map_or(target, title);
    let line = format!("- **{name}** (`{target}`): {}", link.description);
    format!("{}\n", line.trim_end_matches([':', ' ']))
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
        .map(|example| format!("`{}` ({})", text(&example.value), example_title(example)))
        .collect();
    if !others.is_empty() {
        paragraph(&mut out, &format!("Or {}.", others.join(", ")));
    }
    Description(out)
}
