//! Paths beside those with parameters that take them as well: added, they answer what those have answered;
//! removed, they leave it to them.

use crate::contract::{compare, document, with};
use crate::operations::{adds, breaks, refuses, suspects};
use crate::work::growth;
use serde_json::Value;

const NO_CONTENT: &str = "responses: { '204': { description: d } }";

/// A document with operations, each by its method, path and what it has beside path parameters.
fn all(operations: &[(&str, &str, &str)]) -> Value {
    let document = |paths: &str| {
        with(
            paths,
            "{ securitySchemes: { b: { type: http, scheme: bearer } } }",
        )
    };
    let mut whole = document("{}");
    for (method, path, rest) in operations {
        let own = document(&format!(
            "{{ '{path}': {{ {method}: {{ {NO_CONTENT} {rest} }} }} }}"
        ));
        whole["paths"][path][method] = own["paths"][path][method].clone();
    }
    whole
}

/// A path parameter of a schema.
fn path(name: &str, schema: &str) -> String {
    format!("{{ name: {name}, in: path, required: true, schema: {schema} }}")
}

fn parameters(parameters: &[String]) -> String {
    format!(", parameters: [{}]", parameters.join(", "))
}

/// `GET` with path parameters of these names that are texts.
fn get<'p>(at: &'p str, rest: &'p str) -> (&'static str, &'p str, &'p str) {
    ("get", at, rest)
}

fn texts(names: &[&str]) -> String {
    let own = names.iter().map(|name| path(name, "{ type: string }"));
    parameters(&own.collect::<Vec<_>>())
}

#[test]
fn an_added_path_asks_for_no_more_than_the_one_that_has_answered_it() {
    let id = texts(&["id"]);
    let alone = all(&[get("/items/{id}", &id)]);
    let query = ", parameters: [{ name: q, in: query, required: true, schema: { type: string } }]";
    for (rest, kind, exchange) in [
        (
            ", security: [{ b: [] }]",
            "security-tightened",
            "GET /items/mine with no credentials",
        ),
        (query, "request-parameter-added", "GET /items/mine"),
    ] {
        let both = all(&[get("/items/{id}", &id), get("/items/mine", rest)]);
        breaks(&compare(&alone, &both), kind, exchange);
    }
    adds(
        &compare(
            &alone,
            &all(&[get("/items/{id}", &id), get("/items/mine", "")]),
        ),
        "operation-added",
    );
    let number = parameters(&[path("id", "{ type: integer }")]);
    let (alone, mine) = (get("/items/{id}", &number), get("/items/mine", query));
    adds(
        &compare(&all(&[alone]), &all(&[alone, mine])),
        "operation-added",
    );
}

#[test]
fn an_added_path_takes_the_bodies_of_the_one_that_has_answered_it() {
    let id = texts(&["id"]);
    let body = |kind: &str| {
        format!(
            ", requestBody: {{ content: {{ application/json: {{ schema: {{ type: {kind} }} }} }} }}"
        )
    };
    let (object, list) = (format!("{id}{}", body("object")), body("array"));
    let (any, mine) = (
        ("post", "/items/{id}", &*object),
        ("post", "/items/mine", &*list),
    );
    let report = compare(&all(&[any]), &all(&[any, mine]));
    breaks(&report, "request-body-type", "POST /items/mine");
}

/// RFC 9110 §9.3.2: it was answered by that of GET.
#[test]
fn an_added_head_asks_for_no_more_than_get() {
    let id = texts(&["id"]);
    let query = path("id", "{ type: string }")
        + ", { name: q, in: query, required: true, schema: { type: string } }";
    let (any, post) = (get("/i/{id}", &id), ("post", "/i/{id}", &*id));
    let rest = parameters(&[query]);
    let before = all(&[any, post]);
    let report = compare(&before, &all(&[any, post, ("head", "/i/{id}", &rest)]));
    breaks(&report, "request-parameter-added", "HEAD /i/a");
    let (plain, mine) = (("head", "/i/{id}", &*id), ("head", "/i/{id}.x", &*rest));
    adds(
        &compare(&before, &all(&[any, post, plain])),
        "operation-added",
    );
    let any_mine = get("/i/{id}.x", &id);
    let before = all(&[any, any_mine]);
    let report = compare(&before, &all(&[any, any_mine, mine]));
    breaks(&report, "request-parameter-added", "HEAD /i/a.x");
    // What GET says of a body is not said of its own answers.
    let of = |method: &str, least: u8| {
        format!(
            "{method}: {{ responses: {{ '200': {{ description: d, content: {{
                text/plain: {{ schema: {{ type: string, minLength: {least} }} }} }} }} }} }}"
        )
    };
    let alone = document(&format!("/a: {{ {} }}", of("get", 2)));
    let both = document(&format!("/a: {{ {}, {} }}", of("get", 2), of("head", 1)));
    adds(&compare(&alone, &both), "operation-added");
}

#[test]
fn an_added_path_with_parameters_is_compared_by_their_places() {
    let (two, one) = (texts(&["a", "b"]), texts(&["k"]));
    let any = get("/{a}/{b}", &two);
    adds(
        &compare(&all(&[any]), &all(&[any, get("/i/{k}", &one)])),
        "operation-added",
    );
    let number = parameters(&[path("k", "{ type: integer }")]);
    let report = compare(&all(&[any]), &all(&[any, get("/i/{k}", &number)]));
    breaks(&report, "request-parameter-type", "GET /i/a");
}

#[test]
fn an_added_path_hides_what_it_has_no_method_for() {
    let id = texts(&["id"]);
    let (any, mine) = (get("/items/{id}", &id), ("post", "/items/mine", ""));
    let report = compare(&all(&[any]), &all(&[any, mine]));
    refuses(&report, "operation-hidden", "GET /items/mine", "405");
    let (posts, action) = (get("/users/{id}/posts", &id), texts(&["action"]));
    let me = ("post", "/users/me/{action}", &*action);
    let report = compare(&all(&[posts]), &all(&[posts, me]));
    refuses(&report, "operation-hidden", "GET /users/me/posts", "405");
    let own = get("/items/mine", "");
    adds(
        &compare(&all(&[any, own]), &all(&[any, own, mine])),
        "operation-added",
    );
    let post = ("post", "/items/{id}", &*id);
    adds(
        &compare(&all(&[any]), &all(&[any, post])),
        "operation-added",
    );
}

#[test]
fn what_is_left_answers_a_path_that_is_gone() {
    let (s, both, ends) = (texts(&["s"]), texts(&["s", "id"]), texts(&["id"]));
    let (k, other) = (texts(&["k"]), texts(&["a", "k"]));
    for (gone, left) in [
        (
            get("/s/{s}/items/mine", &s),
            get("/s/{s}/items/{id}", &both),
        ),
        (get("/i/{k}/x", &k), get("/{a}/{k}/x", &other)),
        (get("/items/mine.json", ""), get("/items/{id}.json", &ends)),
    ] {
        suspects(
            &compare(&all(&[gone, left]), &all(&[left])),
            "operation-removed",
        );
    }
    let number = parameters(&[
        path("s", "{ type: string }"),
        path("id", "{ type: integer }"),
    ]);
    let (gone, left) = (
        get("/s/{s}/items/mine", &s),
        get("/s/{s}/items/{id}", &number),
    );
    let report = compare(&all(&[gone, left]), &all(&[left]));
    refuses(
        &report,
        "operation-removed",
        "GET /s/a/items/mine",
        "`mine` as `id`",
    );
}

#[test]
fn a_literal_segment_goes_before_one_with_parameters() {
    let (id, number) = (
        texts(&["id"]),
        parameters(&[path("a", "{ type: integer }")]),
    );
    let (first, second) = (get("/i/{id}", &id), get("/{a}/x", &number));
    let report = compare(
        &all(&[get("/i/x", ""), first, second]),
        &all(&[first, second]),
    );
    suspects(&report, "operation-removed");
    assert!(
        report.to_text().contains("`GET /i/{id}`"),
        "{}",
        report.to_text()
    );
}

#[test]
fn a_path_that_is_left_has_its_own_methods_only() {
    let id = texts(&["id"]);
    let (any, mine) = (get("/items/{id}", &id), ("post", "/items/mine", ""));
    let report = compare(
        &all(&[any, get("/items/mine", ""), mine]),
        &all(&[any, mine]),
    );
    refuses(&report, "operation-removed", "GET /items/mine", "405");
}

#[test]
fn a_path_with_parameters_is_gone_where_no_other_takes_it() {
    let k = texts(&["k"]);
    let report = compare(&all(&[get("/i/{k}", &k)]), &all(&[get("/i/a", "")]));
    refuses(&report, "operation-removed", "GET /i/b", "404");
    let listed = parameters(&[path("k", "{ enum: [a, b] }")]);
    let (any, a, b) = (get("/i/{k}", &listed), get("/i/a", ""), get("/i/b", ""));
    let report = compare(&all(&[any]), &all(&[a, b]));
    assert!(!report.is_breaking(), "{}", report.to_text());
    let report = compare(&all(&[any]), &all(&[b]));
    refuses(&report, "operation-removed", "GET /i/a", "404");
    let report = compare(
        &all(&[any]),
        &all(&[a, ("get", "/i/b", ", security: [{ b: [] }]")]),
    );
    breaks(
        &report,
        "security-tightened",
        "GET /i/b with no credentials",
    );
}

#[test]
fn a_segment_with_a_suffix_is_asked_for_with_that() {
    let name = texts(&["name"]);
    let (any, csv) = (get("/r/{name}", &name), get("/r/{name}.csv", &name));
    let report = compare(&all(&[any]), &all(&[any, csv]));
    suspects(&report, "operation-added");
    let keyed = format!("{name}, security: [{{ b: [] }}]");
    let report = compare(&all(&[any]), &all(&[any, get("/r/{name}.csv", &keyed)]));
    breaks(
        &report,
        "security-tightened",
        "GET /r/a.csv with no credentials",
    );
    let number = parameters(&[path("name", "{ type: integer }")]);
    let report = compare(&all(&[csv]), &all(&[get("/r/{name}", &number)]));
    refuses(
        &report,
        "operation-removed",
        "GET /r/a.csv",
        "`a.csv` as `name`",
    );
}

#[test]
fn many_paths_that_are_left_to_one_are_compared_with_it_in_time() {
    let listed = path("x", "{ enum: [a, b, c, d, e, f, g, h] }");
    let (own, any) = (parameters(&[listed]), texts(&["r", "x"]));
    let both = |count: usize| {
        let paths: Vec<String> = (0..count).map(|at| format!("/a{at}/{{x}}")).collect();
        let many: Vec<_> = paths.iter().map(|at| get(at, &own)).collect();
        [all(&many), all(&[get("/{r}/{x}", &any)])]
    };
    let growth = growth(60, both, |[before, after]| {
        let report = compare(before, after);
        assert!(!report.is_breaking(), "{}", report.to_text());
    });
    assert!(growth < 8.0, "{growth}");
}

#[test]
fn a_query_that_is_written_in_a_path_is_one_of_the_path_without() {
    let kind = "operation-removed";
    let of = |path: &str, queried: &[(&str, bool)]| {
        let queried = queried.iter().map(|(name, required)| {
            format!(
                "{{ name: {name}, in: query, required: {required}, schema: {{ type: string }} }}"
            )
        });
        all(&[("get", path, &parameters(&queried.collect::<Vec<_>>()))])
    };
    let written = of("/a?x=1", &[]);
    for required in [false, true] {
        suspects(&compare(&written, &of("/a", &[("x", required)])), kind);
    }
    let report = compare(&written, &of("/a", &[]));
    breaks(&report, kind, "GET /a?x=1");
    let text = report.to_text();
    assert!(text.contains("`x` is not a parameter"), "{text}");
    let [more, less] = ["/a?x=1", "/a"].map(|path| of(path, &[("y", true)]));
    breaks(&compare(&more, &less), kind, "GET /a?x=1&y=a");
    let report = compare(&written, &of("/b", &[]));
    assert!(report.to_text().contains("404"), "{}", report.to_text());
}
