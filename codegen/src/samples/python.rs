//! Samples in Python with its standard library.

use super::http_request::{AnswerKind, HttpRequest, SampleBody};
use super::text::{Part, Text};
use serde_json::Value;

/// The program.
pub(super) fn source(request: &HttpRequest) -> String {
    let is_plain = request.has_usual_method() && request.headers.is_empty();
    let (prepared, asked) = match is_plain && request.body.is_none() {
        true => (String::new(), expression(&request.url)),
        false => (prepared(request), "request".to_owned()),
    };
    let shown = match request.answer {
        AnswerKind::Json => "json.dumps(json.load(response), indent=2)",
        AnswerKind::Text => "response.read().decode()",
        AnswerKind::Empty => "response.status",
    };
    let program =
        format!("{prepared}with urllib.request.urlopen({asked}) as response:\n    print({shown})");
    let imports = ["json", "os", "urllib.request"].into_iter();
    let used = imports.filter(|module| program.contains(&format!("{module}.")));
    let imports: String = used.map(|module| format!("import {module}\n")).collect();
    format!("{imports}\n{program}")
}

/// The statement that makes a request of more than a URL.
fn prepared(request: &HttpRequest) -> String {
    let mut arguments = vec![format!("    {},\n", expression(&request.url))];
    if !request.has_usual_method() {
        arguments.push(format!("    method=\"{}\",\n", request.method));
    }
    if !request.headers.is_empty() {
        let headers = request.headers.iter();
        let headers = headers.map(|(name, value)| {
            let name = Value::from(name.as_str());
            format!("        {name}: {},\n", expression(value))
        });
        arguments.push(format!(
            "    headers={{\n{}    }},\n",
            headers.collect::<String>()
        ));
    }
    match &request.body {
        Some(SampleBody::Json(value)) => {
            let value = python(value, 1);
            arguments.push(format!("    data=json.dumps({value}).encode(),\n"));
        }
        Some(SampleBody::Text(text)) => {
            let text = Value::from(text.as_str());
            arguments.push(format!("    data={text}.encode(),\n"));
        }
        None => {}
    }
    format!(
        "request = urllib.request.Request(\n{})\n",
        arguments.concat()
    )
}

/// A text as an expression: a variable alone, or a formatted string where there is more.
fn expression(text: &Text) -> String {
    match text.only() {
        Some(Part::Literal(text)) => Value::from(text.as_str()).to_string(),
        Some(Part::Variable(name)) => format!("os.environ[\"{name}\"]"),
        None => {
            let parts = text.0.iter().map(|part| match part {
                Part::Literal(text) => {
                    let text = Value::from(text.as_str()).to_string();
                    let text = text.trim_start_matches('"');
                    let text = text.strip_suffix('"').unwrap_or(text);
                    text.replace('{', "{{").replace('}', "}}")
                }
                Part::Variable(name) => format!("{{os.environ['{name}']}}"),
            });
            format!("f\"{}\"", parts.collect::<String>())
        }
    }
}

/// A value of JSON as Python writes it, indented by so many steps of four blanks.
fn python(value: &Value, depth: usize) -> String {
    let within = "    ".repeat(depth + 1);
    let end = "    ".repeat(depth);
    match value {
        Value::Null => "None".to_owned(),
        Value::Bool(true) => "True".to_owned(),
        Value::Bool(false) => "False".to_owned(),
        Value::Array(items) if !items.is_empty() => {
            let items = items.iter().map(|item| python(item, depth + 1));
            let items: String = items.map(|item| format!("{within}{item},\n")).collect();
            format!("[\n{items}{end}]")
        }
        Value::Object(members) if !members.is_empty() => {
            let members = members.iter().map(|(name, member)| {
                let name = Value::from(name.as_str());
                format!("{within}{name}: {},\n", python(member, depth + 1))
            });
            format!("{{\n{}{end}}}", members.collect::<String>())
        }
        other => other.to_string(),
    }
}
