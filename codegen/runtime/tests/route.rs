//! The operation that a path finds, and the captured values.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use http::{HeaderMap, Method, Uri};
use runtime::__private::{Routed, Router};
use runtime::Operation;

const fn operation(id: &'static str, method: Method, path: &'static str) -> Operation {
    below("/api/v1", id, method, path)
}

const fn below(
    base_path: &'static str,
    id: &'static str,
    method: Method,
    path: &'static str,
) -> Operation {
    Operation {
        id,
        method,
        base_path,
        path,
        rivals: &[],
        served: true,
        matchers: &[],
        tag: "",
        security: &[],
        deprecation: None,
        sunset: None,
        not_modified: None,
        metered: true,
        lenient: false,
        consumes: &[],
        streamed: &[],
        body_limit: None,
        body_required: false,
        produces: &[],
    }
}

static OPERATIONS: [Operation; 31] = [
    operation("list", Method::GET, "/charities"),
    operation("create", Method::POST, "/charities"),
    operation("feed", Method::GET, "/charities/feed"),
    operation("feedAtom", Method::GET, "/charities/feed.atom"),
    operation("get", Method::GET, "/charities/{charityId}"),
    operation("delete", Method::DELETE, "/charities/{id}"),
    operation("token", Method::GET, "/{chainId}/tokens/{address}"),
    operation("export", Method::GET, "/reports/{name}.{ext}"),
    operation("exportCsv", Method::GET, "/reports/{name}.csv"),
    operation("cancel", Method::POST, "/jobs/{id}:cancel"),
    operation("touch", Method::POST, "/tasks/{id}"),
    operation("stop", Method::POST, "/tasks/{id}:cancel"),
    operation("mine", Method::POST, "/tasks/@me"),
    operation("bar", Method::POST, "/tasks/a%7Cb"),
    operation("range", Method::GET, "/between/{from}-{to}-end"),
    operation("slash", Method::GET, "/slash/"),
    operation("odd", Method::GET, "/odd/{unclosed"),
    operation("twice", Method::GET, "/twice/{id}/{id}.{ext}"),
    operation("thrice", Method::GET, "/thrice/{id}-{id}.{id}"),
    operation("pair", Method::GET, "/pair/{a}-{b}"),
    operation("same", Method::GET, "/pair/{x}-{x}"),
    operation("only", Method::GET, "/same/{id}-{id}"),
    operation("around", Method::GET, "/around/{a}-{b}~{a}"),
    operation("digit", Method::GET, "/digit/{a}2{b}"),
    operation("percent", Method::GET, "/percent/{a}%25{b}"),
    operation("zero", Method::GET, "/zero/{a}0"),
    operation("mine", Method::GET, "/pets/mine"),
    operation("feed", Method::POST, "/pets/{id}"),
    operation("tag", Method::PUT, "/{kind}/mine"),
    below("/upload", "upload", Method::GET, "/charities"),
    below("/my%20files", "files", Method::GET, "/100%25"),
];

fn find(method: Method, path: &str) -> Routed {
    let uri: Uri = path.parse().unwrap();
    Router::new(&OPERATIONS).find(&method, &uri, &HeaderMap::new())
}

#[track_caller]
fn found(path: &str, id: &str, captured: &[(&str, &str)]) {
    let path = format!("/api/v1{path}");
    match find(Method::GET, &path) {
        Routed::Found {
            operation,
            captures,
        } => {
            assert_eq!(operation.id, id, "{path}");
            for (name, text) in captured {
                assert_eq!(captures.get(name).unwrap().unwrap(), *text, "{path} {name}");
            }
        }
        other => panic!("{path}: {other:?}"),
    }
}

#[track_caller]
fn nowhere(path: &str) {
    assert!(matches!(find(Method::GET, path), Routed::NoRoute), "{path}");
}

#[test]
fn a_name_that_comes_twice_stands_for_one_value() {
    found("/twice/a%20b/a%20b.c", "twice", &[("id", "a b")]);
    found("/twice/x/%78.y", "twice", &[("id", "x"), ("ext", "y")]);
    nowhere("/api/v1/twice/x/z.y");
}

#[test]
fn a_name_that_a_segment_has_twice_is_the_same_text_each_time() {
    found("/thrice/a-a.a", "thrice", &[("id", "a")]);
    found("/thrice/a-b-a-b.a%2Db", "thrice", &[("id", "a-b")]);
    found("/thrice/a.b-a.b.a.b", "thrice", &[("id", "a.b")]);
    nowhere("/api/v1/thrice/a-a.b");
    nowhere("/api/v1/thrice/a-b-a.b.a");
    found("/pair/p-q-p-q", "same", &[("x", "p-q")]);
    found("/pair/p-q-r", "pair", &[("a", "p"), ("b", "q-r")]);
    nowhere(&format!("/api/v1/thrice/{}", "-.".repeat(20_000)));
}

#[test]
fn a_long_text_is_found_wherever_a_segment_has_it_again() {
    for id in [
        "-".repeat(15_000),
        "a-".repeat(15_000),
        "a-b%2dc-".repeat(80),
    ] {
        found(&format!("/same/{id}-{id}"), "only", &[]);
    }
    let id = "a-~".repeat(60);
    found(
        &format!("/around/{id}-{id}~{id}"),
        "around",
        &[("a", &id), ("b", &id)],
    );
}

#[test]
fn what_is_tried_has_a_bound() {
    let start = std::time::Instant::now();
    for text in [
        "-".repeat(60_000),
        "-~".repeat(30_000),
        format!("{}~{}", "-".repeat(40_000), "-".repeat(20_000)),
        format!("%2D{}", "-".repeat(60_000)),
    ] {
        nowhere(&format!("/api/v1/around/{text}b"));
    }
    let spent = start.elapsed();
    assert!(spent.as_secs() < 4, "{spent:?}");
}

#[test]
fn literals_go_before_parameters() {
    found("/charities", "list", &[]);
    found("/charities/feed", "feed", &[]);
    found("/charities/feed.atom", "feedAtom", &[]);
    found("/charities/feed.rss", "get", &[("charityId", "feed.rss")]);
    found("/reports/a.b.csv", "exportCsv", &[("name", "a.b")]);
    found(
        "/reports/a.b.pdf",
        "export",
        &[("name", "a"), ("ext", "b.pdf")],
    );
}

#[test]
fn a_dead_end_leads_back_to_the_next_template() {
    found(
        "/charities/tokens/x",
        "token",
        &[("chainId", "charities"), ("address", "x")],
    );
    found(
        "/1/tokens/0xA%2Fb",
        "token",
        &[("chainId", "1"), ("address", "0xA/b")],
    );
}

#[test]
fn several_parameters_share_a_segment() {
    found(
        "/between/1-2-3-end",
        "range",
        &[("from", "1"), ("to", "2-3")],
    );
    nowhere("/api/v1/between/1--end");
    nowhere("/api/v1/between/-end");
    let Routed::Found {
        operation,
        captures,
    } = find(Method::POST, "/api/v1/jobs/a%3Ab:cancel")
    else {
        panic!("not found")
    };
    assert_eq!(
        (operation.id, captures.raw("id")),
        ("cancel", Some("a%3Ab"))
    );
}

#[test]
fn encoded_paths_are_the_same_paths() {
    found("/%63harities/f%65ed", "feed", &[]);
    found("/charities/caf%C3%A9", "get", &[("charityId", "café")]);
    found("/odd/%7Bunclosed", "odd", &[]);
}

#[test]
fn an_encoded_reserved_character_is_never_literal() {
    let found = |path: &str| match find(Method::POST, path) {
        Routed::Found {
            operation,
            captures,
        } => Some((operation.id, captures.raw("id").map(str::to_owned))),
        _ => None,
    };
    let job = |id: &'static str, text: &str| Some((id, Some(text.to_owned())));
    assert_eq!(
        found("/api/v1/tasks/x%3Acancel"),
        job("touch", "x%3Acancel")
    );
    assert_eq!(
        found("/api/v1/tasks/x%3acancel"),
        job("touch", "x%3acancel")
    );
    assert_eq!(found("/api/v1/tasks/x:%63ancel"), job("stop", "x"));
    assert_eq!(found("/api/v1/tasks/%40me"), job("touch", "%40me"));
    assert_eq!(found("/api/v1/tasks/@me"), Some(("mine", None)));
    assert_eq!(found("/api/v1/jobs/x%3Acancel"), None);
    // Characters that a path has in no other way.
    assert_eq!(found("/api/v1/tasks/a%7cb"), Some(("bar", None)));
    assert_eq!(found("/api/v1/tasks/a|b"), Some(("bar", None)));
}

#[test]
fn no_part_of_an_encoded_octet_is_literal() {
    found("/digit/x%202y", "digit", &[("a", "x "), ("b", "y")]);
    found("/digit/x%20%32y", "digit", &[("a", "x "), ("b", "y")]);
    found("/digit/%222%22", "digit", &[("a", "\""), ("b", "\"")]);
    found("/digit/122", "digit", &[("a", "1"), ("b", "2")]);
    nowhere("/api/v1/digit/x%20y");
    found("/percent/a%25b", "percent", &[("a", "a"), ("b", "b")]);
    found("/percent/%20%2525", "percent", &[("a", " "), ("b", "25")]);
    found("/zero/%200", "zero", &[("a", " ")]);
    nowhere("/api/v1/zero/x%20");
}

#[test]
fn octets_that_are_not_utf8_are_found_and_bad() {
    let Routed::Found { captures, .. } = find(Method::GET, "/api/v1/charities/%FF") else {
        panic!("not found")
    };
    assert!(captures.get("charityId").unwrap().is_err());
}

#[test]
fn slashes_have_no_magic() {
    found("/slash/", "slash", &[]);
    for path in [
        "/api/v1/slash",
        "/api/v1/charities/",
        "/api/v1//charities",
        "/charities",
        "/",
        "/api/v1",
        "/api/v1/charities/a/b",
    ] {
        nowhere(path);
    }
}

#[test]
fn methods_are_told_apart() {
    let head = find(Method::HEAD, "/api/v1/charities");
    assert_eq!(head.operation().unwrap().id, "list");
    let Routed::NoMethod { allow } = find(Method::PUT, "/api/v1/charities/x") else {
        panic!()
    };
    assert_eq!(allow, "DELETE, GET, HEAD");
    let Routed::NoMethod { allow } = find(Method::OPTIONS, "/api/v1/charities") else {
        panic!()
    };
    assert_eq!(allow, "GET, HEAD, POST");
    let Routed::NoMethod { allow } = find(Method::HEAD, "/api/v1/jobs/1:cancel") else {
        panic!()
    };
    assert_eq!(allow, "POST");
    // Two templates that only differ by the parameter's name are one path.
    let Routed::Found { captures, .. } = find(Method::DELETE, "/api/v1/charities/x") else {
        panic!()
    };
    assert_eq!(captures.raw("id"), Some("x"));
}

#[test]
fn a_template_without_the_method_leaves_the_request_to_another() {
    for (method, id) in [
        (Method::GET, "mine"),
        (Method::POST, "feed"),
        (Method::PUT, "tag"),
    ] {
        let routed = find(method, "/api/v1/pets/mine");
        assert_eq!(routed.operation().unwrap().id, id);
    }
    let Routed::NoMethod { allow } = find(Method::DELETE, "/api/v1/pets/mine") else {
        panic!()
    };
    assert_eq!(allow, "GET, HEAD, POST, PUT");
}

#[test]
fn an_operation_is_below_the_path_of_its_own_server() {
    let routed = find(Method::GET, "/upload/charities");
    assert_eq!(
        routed.operation().map(|operation| operation.id),
        Some("upload")
    );
    let routed = find(Method::GET, "/api/v1/charities");
    assert_eq!(
        routed.operation().map(|operation| operation.id),
        Some("list")
    );
}
