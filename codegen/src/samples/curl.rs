//! Samples as a command line of `curl`.

use super::http_request::{HttpRequest, SampleBody};
use super::text::{Part, Text};

/// The command, for a POSIX shell.
pub(super) fn source(request: &HttpRequest) -> String {
    let mut lines = vec![format!("curl --fail-with-body {}", word(&request.url))];
    match request.method.as_str() {
        "HEAD" => lines.push("--head".to_owned()),
        _ if request.has_usual_method() => {}
        method => lines.push(format!("--request {}", argument(method))),
    }
    for (name, value) in &request.headers {
        let header = Text::default().literal(format!("{name}: "));
        let header = value.0.iter().fold(header, |header, part| match part {
            Part::Literal(text) => header.literal(text),
            Part::Variable(name) => header.variable(name.clone()),
        });
        lines.push(format!("--header {}", word(&header)));
    }
    match &request.body {
        Some(SampleBody::Json(value)) => {
            lines.push(format!("--data {}", data(format!("{value:#}"))))
        }
        Some(SampleBody::Text(text)) => lines.push(format!("--data-raw {}", data(text.clone()))),
        None => {}
    }
    lines.join(" \\\n  ")
}

/// A method as a word, in quotes where a shell would read more into it.
fn argument(method: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '+');
    match method.chars().all(is_plain) {
        true => method.to_owned(),
        false => data(method.to_owned()),
    }
}

fn data(text: String) -> String {
    word(&Text::default().literal(text))
}

/// A text as one word of a shell: between single quotes, or between double quotes where it has variables.
fn word(text: &Text) -> String {
    match text.only() {
        Some(Part::Literal(literal)) => format!("'{}'", literal.replace('\'', r"'\''")),
        _ => {
            let parts = text.0.iter().map(|part| match part {
                Part::Literal(literal) => escaped(literal),
                Part::Variable(name) => format!("${{{name}}}"),
            });
            let parts: String = parts.collect();
            let ends = parts.matches("${").count() == 1 && parts.ends_with('}');
            // Braces keep a name apart from what follows it.
            match parts.split_once("${") {
                Some((before, name)) if ends => {
                    format!("\"{before}${}\"", name.trim_end_matches('}'))
                }
                _ => format!("\"{parts}\""),
            }
        }
    }
}

fn escaped(literal: &str) -> String {
    let special = |c: char| matches!(c, '"' | '$' | '`' | '\\');
    let mut text = String::new();
    for c in literal.chars() {
        if special(c) {
            text.push('\\');
        }
        text.push(c);
    }
    text
}
