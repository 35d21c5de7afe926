//! Where operations are: the path of the server that is routed below, and their own.

use crate::contract::{compare, document, only, yaml};
use crate::operations::{breaks, refuses, suspects};
use diff::Severity;
use serde_json::{Value, json};

/// A document with an operation at that path, and with its callback.
fn at(path: &str, servers: &Value) -> Value {
    let mut document = document(&format!(
        "{path}: {{ get: {{ operationId: a, responses: {{ '204': {{ description: d }} }},
            callbacks: {{ done: {{ 'https://b.example': {{ post: {{ responses: {{ '204': {{ description: d }} }} }} }} }} }} }} }}"
    ));
    document["servers"] = servers.clone();
    document
}

/// The same with the server of that operation alone.
fn of_its_own(path: &str, servers: &Value) -> Value {
    let mut document = at(path, &json!([]));
    document["paths"][path]["get"]["servers"] = servers.clone();
    document
}

type Located = fn(&str, &Value) -> Value;
const WAYS: [Located; 2] = [at, of_its_own];

#[test]
fn a_part_of_a_path_moves_between_servers_and_paths() {
    let (long, short) = (
        json!([{ "url": "https://a.example/v1" }, { "url": "https://b.example/v1/" }]),
        json!([{ "url": "https://a.example" }, { "url": "https://b.example" }]),
    );
    for way in WAYS {
        let (below, within) = (way("/items", &long), way("/v1/items", &short));
        for (before, after) in [(&below, &within), (&within, &below)] {
            let report = compare(before, after);
            assert!(report.changes.is_empty(), "{}", report.to_text());
        }
    }
}

#[test]
fn a_server_with_another_path_leaves_no_operation_where_it_was() {
    let server = |path: &str| json!([{ "url": format!("https://a.example{path}") }]);
    for way in WAYS {
        for (before, after, gone) in [("/v1", "/v2", "GET /v1/a"), ("/v2", "", "GET /v2/a")] {
            let (old, new) = (way("/a", &server(before)), way("/a", &server(after)));
            let report = compare(&old, &new);
            breaks(&report, "operation-moved", gone);
            assert_eq!(report.changes.len(), 1, "{}", report.to_text());
        }
        let report = compare(&at("/a", &json!([])), &way("/a", &server("/v1")));
        breaks(&report, "operation-moved", "GET /a");
    }
}

#[test]
fn an_operation_that_moves_away_from_others_leaves_their_path() {
    let with = |more: &str| {
        document(&format!(
            "{{ /a: {{ get: {{ operationId: g, responses: {{ '204': {{ description: d }} }} }},
                delete: {{ operationId: d, responses: {{ '204': {{ description: d }} }} {more} }} }} }}"
        ))
    };
    let report = compare(&with(""), &with(", servers: [{ url: /v2 }]"));
    refuses(&report, "operation-moved", "DELETE /a", "405");
}

#[test]
fn operations_that_move_together_are_told_once_with_what_else_changes() {
    let two = |base: &str, more: &str| {
        let mut document = document(&format!(
            "{{ /a: {{ get: {{ operationId: a, responses: {{ '204': {{ description: d }} }} }} }},
                /b: {{ get: {{ operationId: b, responses: {{ '204': {{ description: d }} }} {more} }} }} }}"
        ));
        document["servers"] = json!([{ "url": base }]);
        document
    };
    let (old, new) = (two("/v1", ""), two("/v2", ", deprecated: true"));
    let report = compare(&old, &new);
    breaks(&report, "operation-moved", "GET /v1/a");
    assert_eq!(
        only(&report, Severity::Breaking).other_operations,
        ["GET /b"]
    );
    assert_eq!(only(&report, Severity::Docs).kind, "operation-deprecated");
}

#[test]
fn the_path_of_a_server_that_is_not_the_first_may_still_lead_to_an_operation() {
    let urls = |urls: [&str; 2]| at("/a", &json!(urls.map(|url| json!({ "url": url }))));
    let (one, other) = (urls(["/v1", "/v2"]), urls(["/v2", "/v1"]));
    suspects_only(&one, &other);
    suspects_only(&other, &one);
    let variable = |default: &str| {
        let version = json!({ "default": default, "enum": ["v1", "v2"] });
        at(
            "/a",
            &json!([{ "url": "/{v}", "variables": { "v": version } }]),
        )
    };
    let report = compare(&variable("v1"), &variable("v2"));
    suspects(&report, "operation-moved");
}

#[track_caller]
fn suspects_only(before: &Value, after: &Value) {
    let report = compare(before, after);
    assert!(!report.is_breaking(), "{}", report.to_text());
    assert_eq!(only(&report, Severity::Possible).kind, "operation-moved");
    assert_eq!(report.changes.len(), 1, "{}", report.to_text());
}

#[test]
fn a_request_is_written_with_the_path_of_its_server() {
    let operations = |kept: &str| {
        let mut document = document(&format!("{{ {kept} }}"));
        document["servers"] = json!([{ "url": "https://a.example/v1/" }]);
        document
    };
    let ok = "{ responses: { '204': { description: d } } }";
    let two = operations(&format!("/a: {{ get: {ok}, put: {ok} }}"));
    let (get, put) = (
        format!("/a: {{ get: {ok} }}"),
        format!("/a: {{ put: {ok} }}"),
    );
    for (before, after, refusal) in [(&two, put.as_str(), "405"), (&operations(&get), "", "404")] {
        let report = compare(before, &operations(after));
        breaks(&report, "operation-removed", "GET /v1/a");
        assert!(report.to_text().contains(refusal), "{}", report.to_text());
    }
}

/// RFC 9110 §9.3.2.
#[test]
fn a_head_without_an_operation_is_answered_by_get() {
    let ok = "responses: { '200': { description: d } }";
    let id = "parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]";
    let get = |more: &str| {
        document(&format!(
            "{{ '/a/{{id}}': {{ {id}, get: {{ {ok} {more} }} }} }}"
        ))
    };
    let with_head = |path: &str| {
        let mut document = get("");
        document["paths"][path]["head"] = yaml(&format!("{{ {ok} }}"));
        document
    };
    for path in ["/a/{id}", "/a/1"] {
        let before = with_head(path);
        suspects(&compare(&before, &get("")), "operation-removed");
        let filtered = ", parameters: [{ name: q, in: query, required: true, schema: {} }]";
        let report = compare(&before, &get(filtered));
        assert_eq!(only(&report, Severity::Possible).kind, "operation-removed");
        let broken = only(&report, Severity::Breaking);
        assert_eq!(broken.kind, "request-parameter-added");
    }
    let mut alone = with_head("/a/{id}");
    let item = alone["paths"]["/a/{id}"].as_object_mut().unwrap();
    item.remove("get");
    let report = compare(&alone, &document("{}"));
    breaks(&report, "operation-removed", "HEAD /a/0");
}

/// OpenAPI 3.1.1 §4.8.1.1.
#[test]
fn no_servers_are_one_at_the_root() {
    let (root, below) = (json!([{ "url": "/" }]), json!([{ "url": "/v1" }]));
    let none = json!([]);
    let moved = at("/v1/a", &none);
    for (one, other) in [
        (at("/a", &none), at("/a", &root)),
        (at("/a", &none), of_its_own("/a", &root)),
        (at("/a", &below), moved.clone()),
        (of_its_own("/a", &below), moved),
    ] {
        for report in [compare(&one, &other), compare(&other, &one)] {
            assert!(report.changes.is_empty(), "{}", report.to_text());
        }
    }
    let elsewhere = at("/a", &json!([{ "url": "https://a.example" }]));
    let report = compare(&at("/a", &none), &elsewhere);
    suspects(&report, "server-removed");
    assert_eq!(only(&report, Severity::Compatible).kind, "server-added");
}

#[test]
fn the_servers_of_an_operation_are_told_with_its_name_once() {
    let server = |host: &str| json!([{ "url": format!("https://{host}.example") }]);
    let (old, new) = (
        of_its_own("/a", &server("a")),
        of_its_own("/a", &server("b")),
    );
    let report = compare(&old, &new);
    suspects(&report, "server-removed");
    assert_eq!(only(&report, Severity::Possible).place, "servers");
    let told =
        "possible[server-removed]: GET /a, servers: the server `https://a.example` was removed";
    assert!(report.to_text().contains(told), "{}", report.to_text());
}
