//! Samples in JavaScript with `fetch`, as a module for Node.

use super::http_request::{AnswerKind, HttpRequest, SampleBody};
use super::text::{Part, Text};
use serde_json::Value;

/// The program.
pub(super) fn source(request: &HttpRequest) -> String {
    let options = options(request);
    let options = match options.as_slice() {
        [] => String::new(),
        options => format!(", {{\n{}}}", options.concat()),
    };
    let shown = match request.answer {
        AnswerKind::Json => "JSON.stringify(await response.json(), null, 2)",
        AnswerKind::Text => "await response.text()",
        AnswerKind::Empty => "response.status",
    };
    format!(
        "const response = await fetch({}{options});\n\
         if (!response.ok) throw new Error(`${{response.status}}: ${{await response.text()}}`);\n\
         console.log({shown});",
        expression(&request.url)
    )
}

fn options(request: &HttpRequest) -> Vec<String> {
    let mut options = Vec::new();
    if request.method != "GET" {
        options.push(format!(
            "  method: '{}',\n",
            request.method.replace('\'', "\\'")
        ));
    }
    if !request.headers.is_empty() {
        let headers = request.headers.iter();
        let headers = headers.map(|(name, value)| {
            let name = literal(name);
            format!("    {name}: {},\n", expression(value))
        });
        options.push(format!(
            "  headers: {{\n{}  }},\n",
            headers.collect::<String>()
        ));
    }
    match &request.body {
        Some(SampleBody::Json(value)) => {
            let value = format!("{value:#}").replace('\n', "\n  ");
            options.push(format!("  body: JSON.stringify({value}),\n"));
        }
        Some(SampleBody::Text(text)) => options.push(format!("  body: {},\n", literal(text))),
        None => {}
    }
    options
}

/// A text as an expression: a variable alone, or a template where there is more.
fn expression(text: &Text) -> String {
    match text.only() {
        Some(Part::Literal(text)) => literal(text),
        Some(Part::Variable(name)) => format!("process.env.{name}"),
        None => {
            let parts = text.0.iter().map(|part| match part {
                Part::Literal(text) => {
                    let text = text.replace('\\', "\\\\").replace('`', "\\`");
                    text.replace("${", "\\${")
                }
                Part::Variable(name) => format!("${{process.env.{name}}}"),
            });
            format!("`{}`", parts.collect::<String>())
        }
    }
}

/// A string between single quotes where it needs no escape, else as JSON, which JavaScript reads too.
fn literal(text: &str) -> String {
    let is_plain = text
        .chars()
        .all(|c| !c.is_control() && !matches!(c, '\'' | '\\'));
    match is_plain {
        true => format!("'{text}'"),
        false => Value::from(text).to_string(),
    }
}
