//! Objects whose members are parts of their own names (OpenAPI 3.1.1 §4.8.15.1.2).

use crate::host::{client, parts_to};
use forms_api::api::forms::*;
use forms_api::models::Span;
use forms_api::runtime::WithHeaders;
use behaviour::Answer;
use serde_json::json;
use std::collections::BTreeMap;

async fn spread(method: &str, parts: &[(&str, &str)]) -> Answer {
    parts_to("/spread", method, parts).await
}

#[tokio::test]
async fn members_are_parts_of_their_own_names() {
    let all = [
        ("unit", "in"),
        ("from", "1"),
        ("cover", "123"),
        ("title", "t"),
        ("width", "2"),
    ];
    let answer = spread("POST", &all).await;
    let read = r#"["t",{"width":2,"unit":"in"},[{"from":1},[null]],3]"#;
    assert_eq!(answer.body, read);
    let none = spread("POST", &[("title", "t")]).await;
    assert_eq!(none.body, r#"["t",null,null,null]"#);
    // The names that others write.
    let brackets = [("title", "t"), ("size[width]", "2"), ("span[to]", "3")];
    let answer = spread("POST", &brackets).await;
    assert_eq!(answer.body, r#"["t",{"width":2},[{"to":3},[null]],null]"#);
    let judged = [("width", "2"), ("n", "7"), ("unit", "in")];
    let answer = spread("PUT", &judged).await;
    assert_eq!(answer.body, r#"[{"width":2,"unit":"in"},{"n":7}]"#);
}

#[tokio::test]
async fn what_is_wrong_with_a_member_is_told_of_it() {
    for (parts, issue) in [
        (vec![("width", "x")], "body /size/width type"),
        (vec![("width", "0")], "body /size/width minimum"),
        (vec![("unit", "in")], "body /size/width required"),
        (vec![("width", "1"), ("width", "1")], "body /size type"),
        (vec![("width", "1"), ("size[unit]", "m")], "body /size type"),
        (vec![("width[a]", "1")], "body /width[a] additionalProperties"),
        (vec![("tall", "1")], "body /tall additionalProperties"),
        (vec![("from", "")], "body /span/from type"),
    ] {
        let parts = [&[("title", "t")], parts.as_slice()].concat();
        assert_eq!(spread("POST", &parts).await.issues(), [issue], "{parts:?}");
    }
    for (parts, issue) in [
        (vec![("unit", "in")], "body /size/width required"),
        (vec![("n", "1")], "body /size required"),
        (vec![("width", "1"), ("n", "x")], "body /n type"),
        (vec![("width", "1"), ("n", "1"), ("m", "1")], "body  maxProperties"),
    ] {
        assert_eq!(spread("PUT", &parts).await.issues(), [issue], "{parts:?}");
    }
}

#[tokio::test]
async fn the_client_sends_members_under_their_own_names() {
    let (client, sent) = client();
    let unit = |x_unit: Option<&str>| SpreadFormSpanHeaders {
        x_unit: x_unit.map(str::to_owned),
    };
    let form = SpreadForm {
        title: "t".into(),
        size: serde_json::from_value(json!({ "width": 2 })).ok(),
        span: Some(WithHeaders {
            headers: vec![unit(Some("mm")), unit(None)],
            content: Span {
                from: Some(1),
                to: Some(2),
            },
        }),
        cover: None,
    };
    let Ok(SpreadResponse::Ok { body }) = client.spread(form.into()).await else {
        panic!("an answer");
    };
    let read = r#"["t",{"width":2},[{"from":1,"to":2},["mm",null]],null]"#;
    assert_eq!(body, read);
    let text = sent.lock().expect("no test panics here").clone();
    let text = String::from_utf8_lossy(&text).into_owned();
    for part in [
        "name=\"width\"\r\n\r\n2\r\n",
        "name=\"from\"\r\nx-unit: mm\r\n\r\n1\r\n",
        "name=\"to\"\r\n\r\n2\r\n",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let form = |name: &str| SpreadWholeForm {
        size: serde_json::from_value(json!({ "width": 2, "unit": "in" })).expect("a size"),
        other_fields: BTreeMap::from([(name.to_owned(), 7)]),
    };
    let Ok(SpreadWholeResponse::Ok { body }) = client.spread_whole(form("n")).await else {
        panic!("an answer");
    };
    assert_eq!(body, r#"[{"width":2,"unit":"in"},{"n":7}]"#);
    // They would be read as the size.
    for name in ["unit", "size[unit]"] {
        assert!(client.spread_whole(form(name)).await.is_err(), "{name}");
    }
}
