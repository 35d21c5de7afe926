//! Members, names and defaults of parameters: the service reads the values that the client sends, and the client
//! sends none that would be read as another.

use super::{InProcess, echo, get, value};
use parameters_api::api::default::*;
use parameters_api::client::{Client, ClientError};
use parameters_api::models;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

#[tokio::test]
async fn a_member_that_has_the_name_of_another_parameter_is_not_sent() {
    let client = Client::new("http://echo.invalid", InProcess(echo()));
    let sent = async |rest: Value| {
        let rest = serde_json::from_value(rest).expect("members");
        let limit = serde_json::from_value(json!(1)).expect("a limit");
        match client.rest(RestParams { limit, rest, key: None }).await {
            Ok(RestResponse::Ok { body }) => Ok(value(&body.decode().expect("JSON"))["rest"].clone()),
            Err(ClientError::BuildError(flaw)) => Err(flaw.to_string()),
            Err(other) => panic!("{other:?}"),
        }
    };
    let told = |name| Err(format!("{name} would be read from a member of another parameter"));
    let members = json!({ "colour": "red", "limits": "1" });
    assert_eq!(sent(members.clone()).await, Ok(members));
    assert_eq!(sent(json!({ "colour": "red", "limit": "1" })).await, told("limit"));
    assert_eq!(sent(json!({ "key": "1" })).await, told("key"));
}

#[tokio::test]
async fn a_default_that_has_no_text_need_not_be_written() {
    let client = Client::new("http://echo.invalid", InProcess(echo()));
    let sent = async |values: Value| {
        fn read<T: DeserializeOwned>(value: &Value) -> T {
            serde_json::from_value(value.clone()).expect("a value of its type")
        }
        let params = DefaultsParams {
            none: read(&values["none"]),
            nothing: read(&values["nothing"]),
            neither: read(&values["neither"]),
            mixed: read(&values["mixed"]),
            names: read(&values["names"]),
        };
        match client.defaults(params).await {
            Ok(DefaultsResponse::Ok { body }) => Ok(value(&body.decode().expect("JSON"))),
            Err(ClientError::BuildError(flaw)) => Err(flaw.at),
            Err(other) => panic!("{other:?}"),
        }
    };
    for values in [
        json!({ "none": null, "nothing": [], "neither": null, "mixed": 5, "names": null }),
        json!({
            "none": "a", "nothing": ["b"], "neither": [1, 2], "mixed": "5a", "names": { "a": "b", "c d": "=" },
        }),
    ] {
        assert_eq!(sent(values.clone()).await, Ok(values));
    }
    // Names with brackets of their own are other names.
    let others = json!({ "none": "a", "nothing": [], "neither": null, "mixed": null, "names": null });
    for name in ["a][b", "a[", ""] {
        let mut values = others.clone();
        values["names"] = json!({ name: "x" });
        assert_eq!(sent(values).await, Err("names"), "{name}");
    }
    let mut values = others;
    values["mixed"] = json!("5");
    assert_eq!(sent(values).await, Err("mixed"));
}

#[tokio::test]
async fn what_stands_in_a_path_is_written_or_refused_and_what_has_no_schema_is_kept_as_text() {
    let client = Client::new("http://echo.invalid", InProcess(echo()));
    let sent = async |version: Value, loose: Value| {
        let version = serde_json::from_value(version).expect("a version");
        let loose = serde_json::from_value(loose).expect("an object");
        match client.versioned(version, VersionedParams { loose }).await {
            Ok(VersionedResponse::Ok { body }) => Ok(value(&body.decode().expect("JSON"))),
            Err(ClientError::BuildError(flaw)) => Err(flaw.at),
            Err(other) => panic!("{other:?}"),
        }
    };
    assert_eq!(sent(json!("2"), Value::Null).await, Err("version"));
    let seen = sent(json!("v2"), json!({ "id": "42", "of": [{ "x": "true" }] })).await;
    let loose = json!({ "id": 42, "of": { "0": { "x": true } } });
    assert_eq!(seen, Ok(json!({ "version": "v2", "loose": loose })));
    assert_eq!(sent(json!("v2"), json!({ "a][b": "x" })).await, Err("loose"));
}

#[tokio::test]
async fn objects_that_share_a_query_have_the_members_that_they_declare() {
    let client = Client::new("http://echo.invalid", InProcess(echo()));
    let sent = async |size: Value, look: Value| {
        let size = serde_json::from_value(size).expect("a size");
        let look = serde_json::from_value(look).expect("a look");
        match client.two(TwoParams { size, look }).await {
            Ok(TwoResponse::Ok { body }) => Ok(value(&body.decode().expect("JSON"))),
            Err(ClientError::BuildError(flaw)) => Err(flaw.at),
            Err(other) => panic!("{other:?}"),
        }
    };
    let (size, look) = (json!({ "width": 1 }), json!({ "colour": "red" }));
    let both = json!({ "size": size, "look": look });
    assert_eq!(sent(size, look.clone()).await, Ok(both));
    assert_eq!(sent(json!({ "height": 2 }), look).await, Err("look"));
    assert_eq!(sent(Value::Null, json!({ "far": 1 })).await, Err("size"));
    // What nobody declares is read by both.
    let seen = get("/two?width=1&colour=red&far=3").await;
    let expected = json!({ "size": { "width": 1, "far": 3 }, "look": { "colour": "red", "far": 3 } });
    assert_eq!(seen, Ok(expected));
}

#[tokio::test]
async fn a_name_in_brackets_that_is_a_parameter_is_no_member_of_another() {
    let seen = get("/below?f[x][a]=1&f[y]=2&f[z]=3").await;
    assert_eq!(seen, Ok(json!({ "f": { "z": "3" }, "x": { "a": "1" }, "y": 2 })));
    let client = Client::new("http://echo.invalid", InProcess(echo()));
    let sent = async |f: Value| {
        let f = serde_json::from_value(f).expect("members");
        let f_x = serde_json::from_value(json!({ "a": "1" })).expect("members");
        let f_y = serde_json::from_value(json!(2)).expect("a number");
        match client.below(BelowParams { f, f_x, f_y }).await {
            Ok(BelowResponse::Ok { body }) => Ok(value(&body.decode().expect("JSON"))["f"].clone()),
            Err(ClientError::BuildError(flaw)) => Err(flaw.at),
            Err(other) => panic!("{other:?}"),
        }
    };
    assert_eq!(sent(json!({ "z": "3" })).await, Ok(json!({ "z": "3" })));
    for (member, other) in [("x", "f[x]"), ("x][b", "f[x]"), ("y", "f[y]")] {
        assert_eq!(sent(json!({ member: "3" })).await, Err(other));
    }
}

#[tokio::test]
async fn an_object_that_names_no_members_has_any() {
    let client = Client::new("http://echo.invalid", InProcess(echo()));
    let members = json!({ "colour": "red", "size": "large" });
    let free = serde_json::from_value(members.clone()).expect("members");
    let limit = serde_json::from_value(json!(1)).expect("a limit");
    let FreeResponse::Ok { body } = client.free(FreeParams { limit, free }).await.expect("an answer");
    assert_eq!(value(&body.decode().expect("JSON")), json!({ "limit": 1, "free": members }));
    assert_eq!(get("/free?limit=1").await, Ok(json!({ "limit": 1, "free": null })));
}

#[tokio::test]
async fn lists_and_objects_within_others_are_kept() {
    const PLACES: [&str; 6] = ["path", "spread", "joined", "deep", "header", "cookie"];
    let client = Client::new("http://echo.invalid", InProcess(echo()));
    let sent = async |place: &str, nest: Value, grid: Value| {
        let nest = |at: &str| {
            let nest = if at == place { nest.clone() } else { json!({ "x": "-" }) };
            serde_json::from_value::<models::Nest>(nest).expect("a nest")
        };
        let params = NestedParams {
            spread: nest("spread"),
            joined: nest("joined"),
            deep: nest("deep"),
            header: nest("header"),
            cookie: nest("cookie"),
            grid: serde_json::from_value(grid).expect("a grid"),
        };
        match client.nested(nest("path"), params).await {
            Ok(NestedResponse::Ok { body }) => Ok(value(&body.decode().expect("JSON"))),
            Err(ClientError::BuildError(flaw)) => Err(flaw.to_string()),
            Err(other) => panic!("{place}: {other:?}"),
        }
    };
    let grid = json!([[1, 2], [], [3]]);
    for place in PLACES {
        let is_deep = place == "deep";
        for (nest, is_sent) in [
            (json!({ "x": "[1]" }), true),
            (json!({ "x": "a", "y": [0] }), true),
            // Headers do not encode the comma.
            (json!({ "y": [1, 2], "words": ["[", "a"] }), place != "header"),
            (json!({ "words": ["[1]"] }), true),
            (json!({ "in": { "a": [1] } }), true),
            (json!({ "either": [5] }), true),
            (json!({ "either": "[x]" }), true),
            // Only where lists have brackets of their own this is a text.
            (json!({ "either": "[5]" }), is_deep),
            // Brackets have no form for a list of nothing.
            (json!({ "x": "a", "y": [] }), !is_deep),
        ] {
            if is_deep && !is_sent {
                continue;
            }
            let seen = sent(place, nest.clone(), grid.clone()).await;
            match seen {
                Ok(seen) => {
                    assert!(is_sent, "{place} {nest}");
                    assert_eq!((&seen[place], &seen["grid"]), (&nest, &grid), "{place}");
                }
                Err(told) => {
                    assert!(!is_sent, "{place} {nest}");
                    assert_eq!(told, format!("{place} would be read as another value"));
                }
            }
        }
    }
    let issues = get("/nested/x,a?spread=1&joined=y,%5B-1%5D&y=%5B1,%22a%22%5D&deep%5Bx%5D=a&grid=%5B%22b%22%5D").await;
    let issues = issues.expect_err("three of them");
    for issue in ["query joined/y/0 minimum", "query spread/y/1 type", "query grid/0/0 type"] {
        let found = issues.iter().any(|found| found.starts_with(issue));
        assert!(found, "{issue}: {issues:?}");
    }
}
