//! `multipart/form-data` whose parts have declared encodings and lengths.

use crate::host::{client, echo};
use bytes::Bytes;
use forms_api::api::forms::*;
use forms_api::runtime::File;
use behaviour::{Answer, request};
use serde_json::json;

/// Sends parts with their media types.
async fn typed(parts: &[(&str, &str, &str)]) -> Answer {
    let part = |(name, content_type, text): &(&str, &str, &str)| {
        let head = format!("--x\r\nContent-Disposition: form-data; name={name}");
        match *content_type {
            "" => format!("{head}\r\n\r\n{text}\r\n"),
            own => format!("{head}\r\nContent-Type: {own}\r\n\r\n{text}\r\n"),
        }
    };
    let form: String = parts.iter().map(part).collect();
    let headers = [("content-type", "multipart/form-data; boundary=x")];
    request(&echo(), "POST", "/typed", &headers, form + "--x--").await
}

#[tokio::test]
async fn parts_are_of_the_media_types_and_lengths_that_are_declared() {
    let all = [
        ("table", "text/csv; charset=utf-8", "a"),
        ("icon", "image/gif", "12"),
        ("shots", "IMAGE/PNG", "1"),
        ("shots", "image/jpeg", "1234"),
        ("shots", "", ""),
        ("meta", "", "{\"row\":2}"),
    ];
    let answer = typed(&all).await;
    let read = r#"["a",["image/gif","IMAGE/PNG","image/jpeg",null],2,null,null,null]"#;
    assert_eq!(answer.body, read);
    for (part, issue) in [
        (("table", "text/plain", "a"), "body /table contentMediaType"),
        (("icon", "text/plain", "12"), "body /icon contentMediaType"),
        (("icon", "x", "12"), "body /icon contentMediaType"),
        (("shots", "image/gif", "1"), "body /shots contentMediaType"),
        (
            ("meta", "application/json", "{\"row\":2}"),
            "body /meta contentMediaType",
        ),
        (("icon", "", "1"), "body /icon minLength"),
        (("icon", "", "12345"), "body /icon maxLength"),
        (("shots", "", "12345"), "body /shots maxLength"),
    ] {
        assert_eq!(typed(&[part]).await.issues(), [issue], "{part:?}");
    }
}

#[tokio::test]
async fn one_part_holds_what_its_style_joins() {
    let all = [
        ("marks", "", "a,b|c"),
        ("years", "", "1 2"),
        ("span", "", "from,1,to,2"),
    ];
    let answer = typed(&all).await;
    let read = r#"[null,[],null,["a,b","c"],[1,2],{"from":1,"to":2}]"#;
    assert_eq!(answer.body, read);
    assert_eq!(
        typed(&[("marks", "", "")]).await.body,
        "[null,[],null,[],null,null]"
    );
    for (part, issue) in [
        (("years", "", "1,2"), "body /years/0 type"),
        (("span", "", "from"), "body /span type"),
        (("span", "", "from,1,from,2"), "body /span type"),
    ] {
        assert_eq!(typed(&[part]).await.issues(), [issue], "{part:?}");
    }
    let twice = typed(&[("marks", "", "a"), ("marks", "", "b")]).await;
    assert_eq!(twice.issues(), ["body /marks type"]);
}

#[tokio::test]
async fn the_client_sends_parts_as_they_are_declared() {
    let (client, sent) = client();
    let file = |bytes: &'static [u8]| File::from(Bytes::from_static(bytes));
    let form = || SendTypedForm {
        table: Some("a".into()),
        icon: Some(file(b"12")),
        shots: vec![file(b"1")],
        meta: serde_json::from_value(json!({ "row": 2 })).ok(),
        marks: Some(vec!["a,b".into(), "c".into()]),
        years: Some(vec![1, 2]),
        span: serde_json::from_value(json!({ "from": 1, "to": 2 })).ok(),
    };
    let Ok(SendTypedResponse::Ok { body }) = client.send_typed(form().into()).await else {
        panic!("an answer");
    };
    let read = r#"["a",[null,"image/png"],2,["a,b","c"],[1,2],{"from":1,"to":2}]"#;
    assert_eq!(body, read);
    let text = sent.lock().expect("no test panics here").clone();
    let text = String::from_utf8_lossy(&text).into_owned();
    for part in [
        "name=\"table\"\r\nContent-Type: text/csv\r\n\r\na\r\n",
        "Content-Type: application/vnd.meta+json\r\n\r\n{\"row\":2}\r\n",
        "name=\"marks\"\r\n\r\na,b|c\r\n",
        "name=\"span\"\r\n\r\nfrom,1,to,2\r\n",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    // It would be read as two.
    let marks = Some(vec!["a|b".into()]);
    let apart = SendTypedForm { marks, ..form() };
    assert!(client.send_typed(apart.into()).await.is_err());
}
