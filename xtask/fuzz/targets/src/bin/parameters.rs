//! Every style of parameter: a path with a query, header fields and cookies, each as raw text. The
//! values that the service reads have to fit the schemas of their parameters, and none that is
//! required may be absent.

#![no_main]

#[path = "../echo.rs"]
mod echo;
#[path = "../service.rs"]
mod service;

use std::sync::LazyLock;

use api::SCHEMAS;
use axum::body::Body;
use http::Request;
use serde_json::Value;

/// The header fields of the contract, in the order of the input's lines after the first.
const FIELDS: [&str; 6] = ["x-needed", "x-count", "x-list", "x-object", "x-kind", "cookie"];

/// The parameters of the paths below a segment.
struct Parameters {
    segment: String,
    all: Vec<Parameter>,
}

struct Parameter {
    name: String,
    /// The name of its schema among those of the generated crate.
    schema: String,
    is_required: bool,
}

static PARAMETERS: LazyLock<Vec<Parameters>> = LazyLock::new(|| {
    let contract: Value = serde_json::from_str(api::OPENAPI).expect("the contract is JSON");
    let paths = contract["paths"].as_object().expect("paths").iter();
    paths.map(|(path, item)| parameters(path, &item["get"])).collect()
});

fn parameters(path: &str, operation: &Value) -> Parameters {
    let id = text(&operation["operationId"]);
    let all = operation["parameters"].as_array().into_iter().flatten();
    let all = all.map(|parameter| Parameter {
        name: text(&parameter["name"]).to_owned(),
        schema: format!("{id}/{}/{}", text(&parameter["in"]), text(&parameter["name"])),
        is_required: parameter["required"] == true,
    });
    Parameters { segment: first_segment(path), all: all.collect() }
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn first_segment(path: &str) -> String {
    path.split('/').nth(1).unwrap_or_default().to_owned()
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let mut lines = bytes.split(|byte| *byte == b'\n');
    let Some(target) = lines.next().and_then(|line| str::from_utf8(line).ok()) else {
        return;
    };
    let mut request = Request::get(format!("/{target}"));
    for (name, value) in FIELDS.into_iter().zip(lines) {
        request = request.header(name, value);
    }
    // Other bytes than those of a request never come this far.
    let Ok(request) = request.body(Body::empty()) else {
        return;
    };
    let segment = first_segment(request.uri().path());
    let Some(read) = service::call(request) else {
        return;
    };
    let mut known = PARAMETERS.iter().filter(|it| it.segment == segment);
    for parameter in &known.next().expect("an operation").all {
        let name = &parameter.name;
        match read.get(name) {
            Some(value) => assert!(SCHEMAS.is_valid(&parameter.schema, value), "{name}: {read}"),
            None => assert!(!parameter.is_required, "{name} is absent: {read}"),
        }
    }
});
