//! Bodies by their media types.

use crate::host::{convert, echo};
use behaviour::request;
use serde_json::json;

#[tokio::test]
async fn a_body_is_read_by_its_media_type() {
    let note = r#"{"text":"abc","stars":null}"#;
    for (media_type, body, kind, answered) in [
        ("application/json", note, "json", "application/json"),
        (
            "Application/JSON; charset=UTF-8",
            note,
            "json",
            "application/json",
        ),
        (
            "application/vnd.note.v2+json",
            note,
            "json",
            "application/json",
        ),
        (
            "application/x-www-form-urlencoded",
            "text=a+b%21",
            "form",
            "application/json",
        ),
        ("text/plain; charset=utf-8", "grüezi", "text", "text/plain"),
        ("text/csv", "a,b", "csv", "text/csv"),
        ("application/xml", "<a/>", "xml", "application/xml"),
        (
            "application/octet-stream",
            "\0\u{1}",
            "bytes",
            "application/octet-stream",
        ),
        ("image/svg+xml", "<svg/>", "image", "image/png"),
    ] {
        let answer = convert(media_type, body).await;
        assert_eq!(answer.status, 200, "{media_type}: {:?}", answer.body);
        assert_eq!(answer.header("x-kind"), kind, "{media_type}");
        assert!(
            answer.header("content-type").starts_with(answered),
            "{media_type}"
        );
        if kind == "form" {
            assert_eq!(answer.json(), json!({"text": "a b!"}));
        } else {
            assert_eq!(answer.body, body.as_bytes(), "{media_type}");
        }
    }
    assert_eq!(
        convert("image/png", &[0xff, 0xfe][..]).await.body,
        &[0xff, 0xfe][..]
    );
}

#[tokio::test]
async fn a_body_of_another_media_type_is_refused() {
    for media_type in [
        "application/pdf",
        "text/html",
        "application/json; charset=latin1",
        "nonsense",
    ] {
        assert_eq!(convert(media_type, "{}").await.status, 415, "{media_type}");
    }
    let headers = [
        ("content-type", "application/json"),
        ("content-encoding", "gzip"),
    ];
    let answer = request(&echo(), "POST", "/base/convert", &headers, "{}").await;
    assert_eq!(answer.status, 415);
    assert!(
        answer
            .header("accept")
            .contains("text/csv, application/xml"),
        "what would be taken is said"
    );
}

#[tokio::test]
async fn a_wrong_body_is_refused_whatever_its_media_type() {
    assert_eq!(convert("application/json", "{").await.status, 400);
    let both = convert("application/json", r#"{"text":"abcdef","more":1}"#)
        .await
        .issues();
    assert_eq!(both.len(), 2, "{both:?}");
    let form = convert("application/x-www-form-urlencoded", "text=abcdef").await;
    assert_eq!(form.issues(), ["body /text maxLength"]);
    let form = convert("application/x-www-form-urlencoded", "text=a&stars=many").await;
    assert_eq!(form.issues(), ["body /stars type"]);
    assert_eq!(
        convert("text/plain", &[0xff][..]).await.issues(),
        ["body  format"]
    );
    assert_eq!(convert("text/plain", "x".repeat(1001)).await.status, 413);
}

#[tokio::test]
async fn an_optional_body_may_be_absent() {
    let put = |headers: &'static [(&str, &str)], body: &'static str| async move {
        request(&echo(), "PUT", "/base/optional", headers, body).await
    };
    assert_eq!(put(&[], "").await.body, "nothing");
    assert_eq!(
        put(&[("content-type", "text/plain")], "text").await.body,
        "text"
    );
    let answer = put(
        &[("content-type", "application/json")],
        r#"{"text":"note"}"#,
    )
    .await;
    assert_eq!(answer.body, "note");
    assert_eq!(
        put(&[("content-type", "text/html")], "text").await.status,
        415
    );
}
