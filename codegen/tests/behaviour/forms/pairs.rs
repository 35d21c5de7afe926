//! `application/x-www-form-urlencoded`.

use crate::host::{client, echo};
use forms_api::api::forms::*;
use forms_api::models;
use behaviour::{Answer, request};
use serde_json::{Value, json};

async fn pairs(form: &str) -> Answer {
    let headers = [("content-type", "application/x-www-form-urlencoded")];
    request(&echo(), "POST", "/pairs", &headers, form.to_owned()).await
}

#[tokio::test]
async fn fields_are_read_as_their_encoding_says() {
    for (form, read) in [
        ("", json!({})),
        ("about=a|b+c", json!({ "about": ["a", "b c"] })),
        ("about=a%7Cb", json!({ "about": ["a", "b"] })),
        ("authors=a,b%2Cc", json!({ "authors": ["a", "b,c"] })),
        // As form libraries write it, which know nothing of lists.
        ("authors=a%2Cb", json!({ "authors": ["a", "b"] })),
        ("authors=a", json!({ "authors": ["a"] })),
        ("authors=", json!({ "authors": [] })),
        ("years=1+2%203", json!({ "years": [1, 2, 3] })),
        (
            "shelf=%7B%22row%22:2,%22tags%22:[%22a%22]%7D",
            json!({ "shelf": { "row": 2, "tags": ["a"] } }),
        ),
        (
            "span=from,1,to,2",
            json!({ "span": { "from": 1, "to": 2 } }),
        ),
        ("mark=%22a%22", json!({ "mark": "a" })),
        ("mark=null", json!({ "mark": null })),
        ("title=a|b,c", json!({ "title": "a|b,c" })),
        ("words=a,b&words=c", json!({ "words": ["a,b", "c"] })),
        ("where[from]=1", json!({ "where": { "from": 1 } })),
        ("ids[]=1&ids%5B%5D=2", json!({ "ids[]": [1, 2] })),
        (
            "unit=1&title=t&width=1",
            json!({ "title": "t", "size": { "width": 1, "unit": "1" } }),
        ),
    ] {
        let answer = pairs(form).await;
        assert_eq!(answer.status, 200, "{form}: {:?}", answer.body);
        assert_eq!(answer.json(), read, "{form}");
    }
}

#[tokio::test]
async fn fields_that_are_written_otherwise_are_refused() {
    for (form, issue) in [
        ("authors=a&authors=b", "body /authors type"),
        ("authors[]=a&authors=b", "body /authors type"),
        ("authors=a,b,c,d", "body /authors maxItems"),
        ("years=1,2", "body /years/0 type"),
        ("shelf={", "body /shelf contentMediaType"),
        ("shelf={\"row\":0}", "body /shelf/row minimum"),
        ("shelf[row]=1&shelf={}", "body /shelf type"),
        ("span=from", "body /span type"),
        ("mark=a", "body /mark contentMediaType"),
        ("years=%FF", "body /years format"),
        ("width=x", "body /size/width type"),
        ("size[width]=1&width=2", "body /size type"),
    ] {
        assert_eq!(pairs(form).await.issues(), [issue], "{form}");
    }
}

async fn choose(form: &str) -> Answer {
    let headers = [("content-type", "application/x-www-form-urlencoded")];
    request(&echo(), "POST", "/choice", &headers, form.to_owned()).await
}

#[tokio::test]
async fn texts_have_the_types_of_the_variant_that_they_are_of() {
    let (client, _) = client();
    for (form, read) in [
        ("t=a&code=5", json!({ "t": "a", "code": "5" })),
        ("t=b&code=5", json!({ "t": "b", "code": 5 })),
        ("x=1", json!({ "x": 1 })),
        ("y=1", json!({ "y": "1" })),
        ("y=true&y=2", json!({ "y": ["true", "2"] })),
        ("y=12345", json!({ "y": ["12345"] })),
    ] {
        let answer = choose(form).await;
        assert_eq!(answer.status, 200, "{form}: {:?}", answer.body);
        assert_eq!(answer.json(), read, "{form}");
        let value: models::Choice = serde_json::from_value(read.clone()).expect("a choice");
        let Ok(ChooseResponse::Ok { body }) = client.choose(value).await else {
            panic!("an answer");
        };
        let body = serde_json::to_value(body.decode().expect("a choice"));
        assert_eq!(body.expect("a value"), read);
    }
    for form in ["t=b&code=x", "x=y", "t=c&code=1", "x=1&y=1"] {
        assert_eq!(choose(form).await.issues(), ["body  oneOf"], "{form}");
    }
}

#[tokio::test]
async fn the_client_writes_fields_as_their_encoding_says() {
    let (client, sent) = client();
    let whole = json!({
        "about": ["a", "b"], "authors": ["a", "b,c"], "years": [1, 2],
        "shelf": { "row": 2, "tags": ["&"] }, "span": { "from": 1, "to": 2 }, "mark": null,
        "title": "a|b", "words": ["a,b", "c"], "where": { "from": 1 }, "ids[]": [1],
        "size": { "width": 3, "unit": "&" },
    });
    let form: models::Search = serde_json::from_value(whole.clone()).expect("a form");
    let Ok(PairsResponse::Ok { body }) = client.pairs(form).await else {
        panic!("an answer");
    };
    let body: Value = serde_json::to_value(body.decode().expect("a form")).expect("a value");
    assert_eq!(body, whole);
    let sent = sent.lock().expect("no test panics here").clone();
    let mut sent: Vec<_> = std::str::from_utf8(&sent)
        .expect("text")
        .split('&')
        .collect();
    sent.sort_unstable();
    let expected = [
        "about=a%7Cb",
        "authors=a,b%2Cc",
        "ids%5B%5D=1",
        "mark=null",
        "shelf=%7B%22row%22%3A2%2C%22tags%22%3A%5B%22%26%22%5D%7D",
        "span=from,1,to,2",
        "title=a%7Cb",
        "unit=%26",
        "where%5Bfrom%5D=1",
        "width=3",
        "words=a%2Cb",
        "words=c",
        "years=1%202",
    ];
    assert_eq!(sent, expected);
}
