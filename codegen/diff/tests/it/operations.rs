//! Everything around schemas: operations, parameters, bodies, responses, security.

use crate::contract::{compare, document, only, with};
use diff::{Report, Severity};
use serde_json::{Value, json};

/// An operation with a response, and the given fields.
pub(crate) fn operation(rest: &str) -> Value {
    document(&format!(
        "/a/{{id}}: {{ post: {{ operationId: a, responses: {{ '200': {{ description: d }} }},
            parameters: [{{ name: id, in: path, required: true, schema: {{ type: integer }} }}]
            {rest} }} }}"
    ))
}

#[track_caller]
pub(crate) fn breaks(report: &Report, kind: &str, exchange: &str) {
    let change = only(report, Severity::Breaking);
    assert_eq!(change.kind, kind, "{}", report.to_text());
    let witness = change.witness.as_ref().unwrap();
    assert_eq!(witness.exchange, exchange, "{}", report.to_text());
}

#[track_caller]
pub(crate) fn refuses(report: &Report, kind: &str, exchange: &str, refusal: &str) {
    breaks(report, kind, exchange);
    let told = &only(report, Severity::Breaking)
        .witness
        .as_ref()
        .unwrap()
        .refusal;
    assert!(told.contains(refusal), "{}", report.to_text());
}

#[track_caller]
pub(crate) fn adds(report: &Report, kind: &str) {
    assert!(!report.is_breaking(), "{}", report.to_text());
    assert_eq!(only(report, Severity::Compatible).kind, kind);
}

#[track_caller]
pub(crate) fn suspects(report: &Report, kind: &str) {
    assert!(!report.is_breaking(), "{}", report.to_text());
    assert_eq!(only(report, Severity::Possible).kind, kind);
}

#[test]
fn an_operation_that_is_gone() {
    let (one, none) = (operation(""), document("{}"));
    breaks(&compare(&one, &none), "operation-removed", "POST /a/0");
    adds(&compare(&none, &one), "operation-added");
}

#[test]
fn operations_of_any_method_are_told_apart() {
    let of = |operations: &str| {
        let mut document = document(&format!("/a: {{ {operations} }}"));
        document["openapi"] = "3.2.0".into();
        document
    };
    let answer = "responses: { '204': { summary: s } }";
    let get = format!("get: {{ operationId: get, {answer} }}");
    let query = format!("{get}, query: {{ operationId: query, {answer} }}");
    let copy = |method: &str| {
        format!("{get}, additionalOperations: {{ {method}: {{ operationId: copy, {answer} }} }}")
    };
    let (get, query) = (of(&get), of(&query));
    breaks(&compare(&query, &get), "operation-removed", "QUERY /a");
    adds(&compare(&get, &query), "operation-added");
    let (large, small) = (of(&copy("COPY")), of(&copy("copy")));
    breaks(&compare(&large, &get), "operation-removed", "COPY /a");
    assert!(compare(&large, &small).is_breaking());
    assert!(compare(&large, &large).changes.is_empty());
}

#[test]
fn a_field_of_a_form_that_is_written_another_way() {
    let form = |schema: &str, encoding: &str| {
        operation(&format!(
            ", requestBody: {{ content: {{ application/x-www-form-urlencoded: {{
                schema: {{ type: object, properties: {{ f: {schema} }} }}, encoding: {{ f: {encoding} }} }} }} }}"
        ))
    };
    let list = "{ type: array, items: { type: integer } }";
    let [pairs, commas, pipes, json] = [
        "{}",
        "{ explode: false }",
        "{ style: pipeDelimited }",
        "{ contentType: application/json }",
    ]
    .map(|encoding| form(list, encoding));
    let kind = "request-body-part";
    suspects(&compare(&pairs, &commas), kind);
    suspects(&compare(&commas, &pipes), kind);
    suspects(&compare(&json, &pairs), kind);
    let same = form(list, "{ style: form }");
    assert!(
        compare(&pairs, &same).changes.is_empty(),
        "what is the default"
    );
    let object = "{ type: object, properties: { a: { type: integer }, c: { type: integer } } }";
    let [brackets, members, commas] =
        ["{}", "{ style: form, explode: true }", "{ explode: false }"]
            .map(|encoding| form(object, encoding));
    suspects(&compare(&members, &brackets), kind);
    suspects(&compare(&members, &commas), kind);
    suspects(&compare(&brackets, &members), kind);
    let text = |encoding: &str| form("{ type: string }", encoding);
    let report = compare(&text("{}"), &text("{ explode: false }"));
    assert!(
        report.changes.is_empty(),
        "a lone text: {}",
        report.to_text()
    );
}

#[test]
fn a_header_that_is_written_another_way() {
    let header = |says: &str| {
        document(&format!(
            "/a: {{ get: {{ operationId: a, responses: {{ '204': {{ description: d,
                headers: {{ X-H: {{ {says} }} }} }} }} }} }}"
        ))
    };
    let json = |schema: &str| {
        header(&format!(
            "content: {{ application/json: {{ schema: {schema} }} }}"
        ))
    };
    let plain = |schema: &str| header(&format!("schema: {schema}"));
    let (kind, list) = (
        "response-header-style",
        "{ type: array, items: { type: string } }",
    );
    let report = compare(&plain(list), &json(list));
    breaks(&report, kind, "204 (X-H: [\"a\"])");
    let object = "{ type: object, properties: { x: { type: integer } } }";
    let exploded = header(&format!("explode: true, schema: {object}"));
    breaks(&compare(&plain(object), &exploded), kind, "204 (X-H: x=0)");
    let number = "{ type: integer }";
    adds(&compare(&plain(number), &json(number)), kind);
}

#[test]
fn a_body_that_is_gone_or_asked_for() {
    let body = |required: bool, media: &str| {
        operation(&format!(
            ", requestBody: {{ required: {required}, content: {{ {media} }} }}"
        ))
    };
    let json = "application/json: { schema: { type: object } }";
    let (none, optional, required) = (operation(""), body(false, json), body(true, json));
    adds(&compare(&none, &optional), "request-body-added");
    breaks(
        &compare(&none, &required),
        "request-body-added",
        "POST /a/0",
    );
    breaks(
        &compare(&optional, &required),
        "request-body-required",
        "POST /a/0",
    );
    adds(&compare(&required, &optional), "request-body-optional");
    let sent = "POST /a/0 (Content-Type: application/json)";
    breaks(&compare(&required, &none), "request-body-removed", sent);

    let both = body(
        true,
        &format!("{json}, text/csv: {{ schema: {{ type: string }} }}"),
    );
    adds(&compare(&required, &both), "request-body-media-type-added");
    let sent = "POST /a/0 (Content-Type: text/csv)";
    breaks(
        &compare(&both, &required),
        "request-body-media-type-removed",
        sent,
    );
    let any = body(true, "'*/*': {}");
    assert!(!compare(&both, &any).is_breaking(), "a range takes both");
}

#[test]
fn a_server_is_where_its_variables_put_it() {
    let server = |url: &str, version: &str| json!([{ "url": url, "variables": { "v": { "default": version } } }]);
    let of_document = |servers: Value| {
        let mut document = operation("");
        document["servers"] = servers;
        document
    };
    let of_operation = |servers: Value| {
        let mut document = operation("");
        document["paths"]["/a/{id}"]["post"]["servers"] = servers;
        document
    };
    let places: [&dyn Fn(Value) -> Value; 2] = [&of_document, &of_operation];
    for of in places {
        let one = of(server("https://a.example/{v}", "v1"));
        for same in ["https://a.example/v1", "https://a.example/{v}/"] {
            let report = compare(&one, &of(server(same, "v1")));
            assert!(report.changes.is_empty(), "{}", report.to_text());
        }
        let moved = compare(&one, &of(server("https://{v}.example/v1", "b")));
        suspects(&moved, "server-removed");
        assert_eq!(only(&moved, Severity::Compatible).kind, "server-added");
    }
}

#[test]
fn the_values_of_a_server_s_variable_are_urls() {
    let server = |regions: Value| {
        let mut document = operation("");
        let region = json!({ "default": "eu", "enum": regions });
        document["servers"] =
            json!([{ "url": "https://{r}.example/", "variables": { "r": region } }]);
        document
    };
    let (few, many) = (server(json!(["eu"])), server(json!(["eu", "us"])));
    let report = compare(&many, &few);
    suspects(&report, "server-removed");
    assert!(report.to_text().contains("`https://us.example`"));
    adds(&compare(&few, &many), "server-added");
    let mut moved = many.clone();
    moved["servers"][0]["variables"]["r"]["default"] = json!("us");
    assert!(compare(&many, &moved).changes.is_empty());
}

#[test]
fn links_are_told_and_break_nothing() {
    let linked = |id: &str, link: &str| {
        document(&format!(
            "/a: {{ post: {{ operationId: {id}, responses: {{ '201': {{ description: d,
                links: {{ {link} }} }} }} }} }}"
        ))
    };
    let again = |id: &str| format!("again: {{ operationId: {id} }}");
    let (none, one) = (linked("a", ""), linked("a", &again("a")));
    let told = linked("a", "again: { operationId: a, parameters: { id: 1 } }");
    for (before, after) in [(&one, &none), (&none, &one), (&one, &told)] {
        let report = compare(before, after);
        assert_eq!(only(&report, Severity::Docs).kind, "response-links");
        assert_eq!(report.changes.len(), 1, "{}", report.to_text());
    }
    let renamed = compare(&one, &linked("b", &again("b")));
    assert_eq!(renamed.changes.len(), 1, "the id: {}", renamed.to_text());
    let referred = linked("a", "again: { operationRef: '#/paths/~1a/post' }");
    assert!(compare(&one, &referred).changes.is_empty());
}

pub(crate) fn responses(responses: &str) -> Value {
    document(&format!(
        "/a: {{ get: {{ operationId: a, responses: {{ {responses} }} }} }}"
    ))
}

#[test]
fn a_status_that_is_gone_or_new() {
    let ok = "'200': { description: d }";
    let gone = compare(
        &responses(&format!("{ok}, '202': {{ description: d }}")),
        &responses(ok),
    );
    breaks(&gone, "response-removed", "GET /a → 202");
    let error = format!("{ok}, '404': {{ description: d }}");
    adds(
        &compare(&responses(&error), &responses(ok)),
        "response-removed",
    );
    adds(
        &compare(&responses(ok), &responses(&error)),
        "response-added",
    );
    let range = compare(&responses(ok), &responses("2XX: { description: d }"));
    assert!(!range.is_breaking(), "{}", range.to_text());
    let range = responses("2XX: { description: d }");
    adds(&compare(&range, &responses(ok)), "response-removed");
    let error = responses("'404': { description: d }");
    let report = compare(&range, &error);
    let change = only(&report, Severity::Breaking);
    let witness = change.witness.as_ref().unwrap();
    assert_eq!(witness.exchange, "GET /a → 200");
}

#[test]
fn a_representation_that_is_gone_or_new() {
    let of = |content: &str| {
        responses(&format!(
            "'200': {{ description: d, content: {{ {content} }} }}"
        ))
    };
    let (one, two) = (
        of("application/json: {}"),
        of("application/json: {}, text/csv: {}"),
    );
    let sent = "GET /a (Accept: text/csv)";
    breaks(&compare(&two, &one), "response-media-type-removed", sent);
    adds(&compare(&one, &two), "response-media-type-added");
}

#[test]
fn a_header_that_is_gone_or_no_longer_sure() {
    let of = |header: &str| {
        responses(&format!(
            "'200': {{ description: d, headers: {{ {header} }} }}"
        ))
    };
    let none = of("");
    let optional = of("ETag: { schema: { type: string } }");
    let required = of("ETag: { required: true, schema: { type: string } }");
    breaks(
        &compare(&required, &none),
        "response-header-removed",
        "200 (without ETag)",
    );
    breaks(
        &compare(&required, &optional),
        "response-header-optional",
        "200 (without ETag)",
    );
    suspects(&compare(&optional, &none), "response-header-removed");
    adds(&compare(&none, &required), "response-header-added");
    adds(&compare(&optional, &required), "response-header-required");
    let number = of("etag: { schema: { type: integer, maximum: 5 } }");
    let larger = of("ETag: { schema: { type: integer, maximum: 9 } }");
    breaks(
        &compare(&number, &larger),
        "response-header-maximum",
        "200 (ETag: 9)",
    );
}

#[test]
fn security_is_judged_by_what_suffices() {
    let schemes = |name: &str| {
        format!(
        "{{ securitySchemes: {{ {name}: {{ type: apiKey, in: header, name: k }},
            o: {{ type: oauth2, flows: {{ clientCredentials: {{ tokenUrl: 'https://a.example/', scopes: {{ r: read, w: write }} }} }} }} }} }}"
    )
    };
    let of = |security: &str, name: &str| {
        with(
            &format!(
                "/a: {{ get: {{ operationId: a, security: {security}, responses: {{ '204': {{ description: d }} }} }} }}"
            ),
            &schemes(name),
        )
    };
    let tighter = |before: &str, after: &str, shown: &str| {
        let report = compare(&of(before, "key"), &of(after, "key"));
        breaks(
            &report,
            "security-tightened",
            &format!("GET /a with {shown}"),
        );
        adds(
            &compare(&of(after, "key"), &of(before, "key")),
            "security-loosened",
        );
    };
    tighter("[]", "[{ key: [] }]", "no credentials");
    tighter("[{}, { key: [] }]", "[{ key: [] }]", "no credentials");
    tighter("[{ key: [] }]", "[{ key: [], o: [] }]", "`key`");
    tighter("[{ o: [r] }]", "[{ o: [r, w] }]", "`o` (r)");
    tighter("[{ key: [] }, { o: [] }]", "[{ o: [] }]", "`key`");
    let renamed = compare(&of("[{ key: [] }]", "key"), &of("[{ token: [] }]", "token"));
    assert!(renamed.changes.is_empty(), "{}", renamed.to_text());
}

#[test]
fn a_scheme_is_what_it_asks_for() {
    let of = |scheme: &str| {
        with(
            "/a: { get: { operationId: a, security: [{ s: [] }], responses: { '204': { description: d } } } }",
            &format!("{{ securitySchemes: {{ s: {scheme} }} }}"),
        )
    };
    for (one, other) in [
        (
            "{ type: apiKey, in: header, name: X-Key }",
            "{ type: apiKey, in: header, name: x-key }",
        ),
        (
            "{ type: http, scheme: bearer }",
            "{ type: http, scheme: Bearer }",
        ),
    ] {
        let report = compare(&of(one), &of(other));
        assert!(report.changes.is_empty(), "{}", report.to_text());
    }
}

#[test]
fn the_items_of_a_sequence_are_compared() {
    let of = |schema: &str| {
        operation(&format!(
            ", requestBody: {{ content: {{ application/jsonl: {{ itemSchema: {schema} }} }} }}"
        ))
    };
    let (wide, narrow) = (of("{ type: integer }"), of("{ type: integer, maximum: 3 }"));
    breaks(
        &compare(&wide, &narrow),
        "request-body-maximum",
        "POST /a/0",
    );
    adds(&compare(&narrow, &wide), "request-body-maximum");
}

#[test]
fn a_media_type_is_compared_wherever_it_is_written() {
    let of = |content: &str, item: &str| {
        let mut document = operation(&format!(
            ", requestBody: {{ content: {{ application/jsonl: {content} }} }}"
        ));
        document["openapi"] = "3.2.0".into();
        let item: Value = serde_json::from_str(item).unwrap();
        document["components"] = json!({ "mediaTypes": { "Rows": { "itemSchema": item } } });
        document
    };
    let shared = "{ $ref: '#/components/mediaTypes/Rows' }";
    let own = "{ itemSchema: { type: integer } }";
    let (wide, narrow) = (
        r#"{ "type": "integer" }"#,
        r#"{ "type": "integer", "maximum": 3 }"#,
    );
    assert!(!compare(&of(own, wide), &of(shared, wide)).is_breaking());
    breaks(
        &compare(&of(shared, wide), &of(shared, narrow)),
        "request-body-maximum",
        "POST /a/0",
    );
}

#[test]
fn what_people_read_is_told_apart() {
    let before = operation("");
    let mut after = before.clone();
    after["paths"]["/a/{id}"]["post"]["description"] = "Better.".into();
    after["paths"]["/a/{id}"]["post"]["tags"] = json!(["t"]);
    let report = compare(&before, &after);
    assert_eq!(report.count(Severity::Docs), 2, "{}", report.to_text());
    assert_eq!(report.changes.len(), 2);
}

#[test]
fn paths_that_differ_in_the_names_of_their_parameters_keep_apart() {
    let get = |names: [&str; 2]| {
        document(&names.map(|name| format!(
            "/a/{{{name}}}: {{ get: {{ responses: {{ '200': {{ description: {name} }} }},
                parameters: [{{ name: {name}, in: path, required: true, schema: {{ const: {name} }} }}] }} }}"
        )).join("\n"))
    };
    let report = compare(&get(["x", "y"]), &get(["y", "x"]));
    assert!(report.changes.is_empty(), "{}", report.to_text());
    let report = compare(&get(["x", "y"]), &get(["y", "z"]));
    let told = report.to_text();
    assert!(report.is_breaking() && told.contains("/a/x"), "{told}");
    assert!(
        !told.contains("removed") && !told.contains("/a/y"),
        "{told}"
    );
}
