//! The credentials that a client must show, and where it gets them.

use crate::contract::{compare, only, with};
use crate::operations::{adds, breaks, suspects};
use diff::Severity;
use serde_json::Value;

/// A document whose operation asks for the scheme `s`, with these scopes.
fn secured(scheme: &str, scopes: &str) -> Value {
    with(
        &format!(
            "/a: {{ get: {{ operationId: a, security: [{{ s: [{scopes}] }}], responses: {{ '204': {{ description: d }} }} }} }}"
        ),
        &format!("{{ securitySchemes: {{ s: {scheme} }} }}"),
    )
}

#[test]
fn where_a_token_comes_from_is_not_seen_in_a_request() {
    let oauth = |url: &str, more: &str| {
        format!(
            "{{ type: oauth2, flows: {{ clientCredentials: {{ tokenUrl: '{url}', scopes: {{ r: read }} {more} }} }} }}"
        )
    };
    let [one, other] = ["https://a.example/t", "https://b.example/t"];
    let refreshed = oauth(one, ", refreshUrl: 'https://a.example/r'");
    let oidc = |url: &str| format!("{{ type: openIdConnect, openIdConnectUrl: '{url}' }}");
    let http = "{ type: http, scheme: bearer }".to_owned();
    for (before, after) in [
        (oauth(one, ""), oauth(other, "")),
        (oauth(one, ""), refreshed),
        (oidc(one), oidc(other)),
        (oauth(one, ""), http),
    ] {
        for (before, after) in [(&before, &after), (&after, &before)] {
            let report = compare(&secured(before, ""), &secured(after, ""));
            assert_eq!(only(&report, Severity::Docs).kind, "security-scheme-docs");
            assert_eq!(report.changes.len(), 1, "{}", report.to_text());
        }
    }
}

#[test]
fn a_scope_is_asked_for_whatever_the_scheme() {
    let oauth = "{ type: oauth2, flows: { clientCredentials: { tokenUrl: 'https://a.example/t', scopes: { r: read } } } }";
    let (scoped, bearer) = (
        secured(oauth, "r"),
        secured("{ type: http, scheme: bearer }", ""),
    );
    let report = compare(&scoped, &bearer);
    assert!(!report.is_breaking(), "{}", report.to_text());
    breaks(
        &compare(&bearer, &scoped),
        "security-tightened",
        "GET /a with `s`",
    );
}

#[test]
fn a_scheme_that_asks_for_something_else_says_what() {
    let key = |name: &str| secured(&format!("{{ type: apiKey, in: header, name: {name} }}"), "");
    let report = compare(&key("K"), &key("L"));
    let sent = "GET /a with `s` in header `k`";
    breaks(&report, "security-tightened", sent);
    let text = report.to_text();
    assert!(text.contains("asks for `s` in header `l`"), "{text}");
    let basic = secured("{ type: http, scheme: basic }", "");
    let bearer = secured("{ type: http, scheme: bearer }", "");
    breaks(
        &compare(&basic, &bearer),
        "security-tightened",
        "GET /a with `s` as basic",
    );
}

#[test]
fn a_token_is_of_the_scheme_that_gives_it() {
    let of = |scheme: &str| {
        with(
            &format!("/a: {{ get: {{ security: [{{ {scheme}: [] }}], responses: {{ '204': {{ description: d }} }} }} }}"),
            "{ securitySchemes: { user: { type: openIdConnect, openIdConnectUrl: 'https://a.example' },
                admin: { type: openIdConnect, openIdConnectUrl: 'https://b.example' } } }",
        )
    };
    for (one, other) in [("user", "admin"), ("admin", "user")] {
        let report = compare(&of(one), &of(other));
        let sent = format!("GET /a with `{one}`");
        breaks(&report, "security-tightened", &sent);
    }
    let mut one = of("user");
    let schemes = &mut one["components"]["securitySchemes"];
    schemes.as_object_mut().unwrap().remove("admin");
    let text = one.to_string().replace("user", "member");
    let renamed: Value = serde_json::from_str(&text.replace("https://a.", "https://c.")).unwrap();
    for (before, after) in [(&one, &renamed), (&renamed, &one)] {
        let report = compare(before, after);
        assert_eq!(only(&report, Severity::Docs).kind, "security-scheme-docs");
        assert_eq!(report.changes.len(), 1, "{}", report.to_text());
    }
}

#[test]
fn a_flow_that_is_gone_leaves_tokens_valid() {
    let flow = "clientCredentials: { tokenUrl: 'https://a.example/t', scopes: {} }";
    let code = "password: { tokenUrl: 'https://a.example/p', scopes: {} }";
    let (one, two) = (
        secured(&format!("{{ type: oauth2, flows: {{ {flow} }} }}"), ""),
        secured(
            &format!("{{ type: oauth2, flows: {{ {flow}, {code} }} }}"),
            "",
        ),
    );
    adds(&compare(&one, &two), "security-flow-added");
    suspects(&compare(&two, &one), "security-flow-removed");
}
