//! Names and metadata of configs: a project gives them, changes them, and finds configs by them.

use std::sync::Arc;

use serde_json::{Value, json};

use super::super::fixture::{self, charity};
use super::super::test_request::{Answer, TestRequest};
use super::super::world::{Template, World};
use super::parameters::assert_issue;

const MERGE_PATCH: &str = "application/merge-patch+json";

fn new_config(world: &World, labels: &Value) -> TestRequest {
    let mut body = json!({ "charityBeneficiaries": [{ "charityId": charity(0), "weight": 1 }] });
    let members = labels.as_object().unwrap().clone();
    body.as_object_mut().unwrap().extend(members);
    TestRequest::create(&body).key(&world.keys.pro)
}

fn change(world: &World, config: &str, body: &Value) -> TestRequest {
    let request = TestRequest::new("PATCH", format!("/configs/{config}"));
    let request = request.body(MERGE_PATCH, body.to_string());
    request.key(&world.keys.pro)
}

async fn get(world: &World, config: &str) -> Answer {
    let request = TestRequest::get(format!("/configs/{config}")).key(&world.keys.pro);
    request.expect(world, 200).await
}

fn labels(answer: &Answer) -> Value {
    let config = answer.json();
    json!({ "name": config["name"], "metadata": config["metadata"] })
}

fn tag(answer: &Answer) -> String {
    answer.header("etag").unwrap().to_owned()
}

async fn are_given_and_changed(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    let given = json!({ "name": "Ünïcode ☃", "metadata": { "a.b_c-D": "", "x": "1 = 2" } });
    let made = new_config(&world, &given).expect(&world, 201).await;
    assert_eq!(labels(&made), given);
    let id = made.json()["id"]["hex"].as_str().unwrap().to_owned();
    let read = get(&world, &id).await;
    assert_eq!((labels(&read), tag(&read)), (given, tag(&made)));

    let merged = json!({ "name": "Ünïcode ☃", "metadata": { "x": "3", "y": "4" } });
    let body = json!({ "metadata": { "a.b_c-D": null, "x": "3", "y": "4", "z": null } });
    let changed = change(&world, &id, &body).expect(&world, 200).await;
    assert_eq!(labels(&changed), merged);
    assert_ne!(tag(&changed), tag(&made));
    let read = get(&world, &id).await;
    assert_eq!((labels(&read), tag(&read)), (merged, tag(&changed)));
    assert_eq!(read.json()["charities"], made.json()["charities"]);
    let same = change(&world, &id, &json!({})).expect(&world, 200).await;
    assert_eq!(same.body, changed.body);

    let none = json!({ "name": null, "metadata": {} });
    let body = json!({ "name": null, "metadata": null });
    let cleared = change(&world, &id, &body).expect(&world, 200).await;
    assert_eq!(labels(&cleared), none);
    let unlabelled = new_config(&world, &json!({})).expect(&world, 201).await;
    assert_eq!(labels(&unlabelled), none);
    assert_eq!(tag(&unlabelled), tag(&cleared));
}

/// A merge patch is also taken as plain JSON.
async fn are_changed_by_either_media_type(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    let given = json!({ "name": "a", "metadata": { "b": "1", "c": "2" } });
    let patch = json!({ "metadata": { "b": null, "d": "3" } });
    let expected = json!({ "name": "a", "metadata": { "c": "2", "d": "3" } });
    for media_type in [MERGE_PATCH, "application/json"] {
        let made = new_config(&world, &given).expect(&world, 201).await;
        let id = made.json()["id"]["hex"].as_str().unwrap().to_owned();
        let request = change(&world, &id, &json!(null)).body(media_type, patch.to_string());
        let changed = request.expect(&world, 200).await;
        assert_eq!(labels(&changed), expected, "{media_type}");
    }
    let other = change(&world, &fixture::config(10), &json!(null));
    let other = other.body("application/json-patch+json", "[]");
    other.expect(&world, 415).await;
}

/// The second of two changes of the same state is refused, and one with the new tag is made.
async fn change_under_a_condition(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    let id = fixture::config(10);
    let shown = get(&world, &id).await;
    let before = tag(&shown);
    let named = |name: &str, tag: &str| {
        let request = change(&world, &id, &json!({ "name": name }));
        request.header("if-match", tag)
    };
    let first = named("first", &before).expect(&world, 200).await;
    assert_eq!(first.json()["charities"], shown.json()["charities"]);
    let second = named("second", &before).expect(&world, 412).await;
    assert_eq!(second.code(), "PRECONDITION_FAILED");
    assert_eq!(get(&world, &id).await.json()["name"], "first");
    for tags in [
        tag(&first),
        format!("{before} , {}", tag(&first)),
        "*".to_owned(),
    ] {
        named("first", &tags).expect(&world, 200).await;
    }
    let weak = format!("W/{}", tag(&first));
    named("third", &weak).expect(&world, 412).await;
    let unquoted = named("third", "first").expect(&world, 400).await;
    assert_issue(&unquoted.issues(), "header", "If-Match", "pattern");
    let delete = |tags: &str| {
        let request = TestRequest::new("DELETE", format!("/configs/{id}"));
        request.key(&world.keys.pro).header("if-match", tags)
    };
    let stale = delete(&before).expect(&world, 412).await;
    assert_eq!(stale.code(), "PRECONDITION_FAILED");
    assert_eq!(get(&world, &id).await.json()["name"], "first");
    delete(&tag(&first)).expect(&world, 204).await;
    delete("*").expect(&world, 404).await;
    // What has no such config has no tag either.
    let unknown = change(&world, &fixture::config(99), &json!({}));
    unknown.header("if-match", "*").expect(&world, 404).await;
}

async fn are_checked(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    let id = fixture::config(10);
    let pairs = |count: usize| -> Value {
        let pairs = (0..count).map(|n| (n.to_string(), json!("x")));
        Value::Object(pairs.collect())
    };
    let long = "ö".repeat(81);
    let longer = json!({ "metadata": { "a": "x".repeat(501) } });
    for (labels, pointer, words) in [
        (json!({ "name": "" }), "/name", "must contain a character"),
        (
            json!({ "name": " \u{2003}" }),
            "/name",
            "other than whitespace",
        ),
        (json!({ "name": long }), "/name", "at most 80 characters"),
        (
            json!({ "name": "a\u{0}" }),
            "/name",
            "no control or invisible characters",
        ),
        (json!({ "name": 1 }), "/name", "must be a string"),
        (json!({ "metadata": "a" }), "/metadata", "must be an object"),
        (
            json!({ "metadata": { "a": "\n" } }),
            "/metadata/a",
            "no control or invisible characters",
        ),
        (
            json!({ "metadata": { "a": "\u{202e}" } }),
            "/metadata/a",
            "no control or invisible characters",
        ),
        (longer, "/metadata/a", "at most 500 characters"),
        (
            json!({ "metadata": { "a": 1 } }),
            "/metadata/a",
            "must be a string",
        ),
        (
            json!({ "metadata": { "a b": "" } }),
            "/metadata/a b",
            "has an invalid name: must contain only letters",
        ),
        (json!({ "weight": 1 }), "/weight", "is not a known property"),
    ] {
        for request in [new_config(&world, &labels), change(&world, &id, &labels)] {
            let issues = request.expect(&world, 400).await.issues();
            let [issue] = issues.as_slice() else {
                panic!("{labels}: {issues:?}");
            };
            assert_eq!((&*issue.place, &*issue.at), ("body", pointer), "{labels}");
            assert!(issue.message.contains(words), "{labels}: {}", issue.message);
        }
    }
    let refused = new_config(&world, &json!({ "metadata": pairs(21) }));
    let issues = refused.expect(&world, 400).await.issues();
    assert_issue(&issues, "body", "/metadata", "maxProperties");
    let full = json!({ "name": "ö".repeat(80), "metadata": pairs(20) });
    change(&world, &id, &full).expect(&world, 200).await;
    let one_more = change(&world, &id, &json!({ "metadata": { "more": "x" } }));
    let issues = one_more.expect(&world, 400).await.issues();
    assert_issue(&issues, "body", "/metadata", "maxProperties");
    assert_eq!(labels(&get(&world, &id).await), full);
}

async fn belong_to_their_project(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    let theirs = fixture::config(0);
    change(&world, &theirs, &json!({}))
        .expect(&world, 404)
        .await;
    // A partner token of everybody's catalogue shows the config without them.
    let own = change(&world, &theirs, &json!({ "name": "secret" }));
    let own = own.key(&world.keys.enterprise).expect(&world, 200).await;
    assert_eq!(own.json()["name"], "secret");
    let token = format!("/{}/tokens/{}", fixture::BASE, fixture::partner(0));
    let shown = TestRequest::get(token).expect(&world, 200).await;
    let text = String::from_utf8(shown.body.to_vec()).unwrap();
    assert!(text.contains(&theirs) && !text.contains("secret"), "{text}");
    let deleted = change(&world, &fixture::config(5), &json!({}));
    deleted
        .key(&world.keys.enterprise)
        .expect(&world, 404)
        .await;
}

async fn find_configs(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    for value in ["spring", "summer", "spring"] {
        let labels = json!({ "metadata": { "campaign": value, "url": "https://a.example/?b" } });
        new_config(&world, &labels).expect(&world, 201).await;
    }
    let found = async |pair: &str| {
        let request = TestRequest::get("/configs").key(&world.keys.pro);
        let page = request.query("metadata", pair).expect(&world, 200).await;
        page.json()["response"].as_array().unwrap().len()
    };
    assert_eq!(found("campaign:spring").await, 2);
    assert_eq!(found("campaign:autumn").await, 0);
    assert_eq!(found("season:spring").await, 0);
    assert_eq!(found("url:https://a.example/?b").await, 3);
}

/// A repetition with another name is another request.
async fn are_part_of_a_repetition(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    let keyed = |labels: Value| new_config(&world, &labels).header("idempotency-key", "a");
    let first = keyed(json!({ "name": "a" })).expect(&world, 201).await;
    let again = keyed(json!({ "name": "a", "metadata": {} }))
        .expect(&world, 201)
        .await;
    assert_eq!((&again.body, tag(&again)), (&first.body, tag(&first)));
    for labels in [
        json!({}),
        json!({ "name": "b" }),
        json!({ "metadata": { "a": "" } }),
    ] {
        let refused = keyed(labels).expect(&world, 409).await;
        assert_eq!(refused.code(), "IDEMPOTENCY_KEY_REUSED");
    }
}

super::theme! {
    are_given_and_changed,
    are_changed_by_either_media_type,
    change_under_a_condition,
    are_checked,
    belong_to_their_project,
    find_configs,
    are_part_of_a_repetition,
}
