//! Headers of parts (OpenAPI 3.1.1 §4.8.15.1).

use crate::host::{client, echo};
use bytes::Bytes;
use forms_api::Upload;
use forms_api::api::forms::*;
use forms_api::models::{SendHeadedFormCropXUnit, Shelf, Span};
use forms_api::runtime::{File, WithHeaders, FormWriter, ByteStream};
use behaviour::{Answer, request};

/// Sends parts under the lines of their headers.
async fn headed(method: &str, parts: &[(&str, &str, &str)]) -> Answer {
    let part = |(name, lines, text): &(&str, &str, &str)| {
        let head = format!("--x\r\nContent-Disposition: form-data; name=\"{name}\"");
        format!("{head}\r\n{lines}\r\n{text}\r\n")
    };
    let form: String = parts.iter().map(part).collect();
    // What the whole request says is nothing to its parts.
    let headers = [
        ("content-type", "multipart/form-data; boundary=x"),
        ("x-language", "en"),
        ("x-number", "1"),
    ];
    request(&echo(), method, "/headed", &headers, form + "--x--").await
}

#[tokio::test]
async fn headers_of_parts_arrive_with_what_is_in_them() {
    let all = [
        ("title", "x-language:de\r\nX-DRAFT: true\r\n", "t"),
        ("pages", "X-Number: 2\r\n", "1"),
        ("notes", "X-Marks: a, b\r\nX-Marks: c\r\n", "n"),
        (
            "cover",
            "X-Checksum: 0f\r\nX-Span: from=1,\r\n to=2\r\n",
            "1",
        ),
        ("notes", "X-Other: é\r\n", "m"),
        ("pages", "X-Number: 1\r\n", "2"),
        ("shelf", "X-Meta: {\"to\":3}\r\n", "{\"row\":2}"),
        ("crop[from]", "X-Unit: in\r\n", "1"),
        ("crop[to]", "", "2"),
    ];
    let answer = headed("POST", &all).await;
    let read = r#"[[[null,2],["0f",null],[null,1]],["t","de",true],{"from":1,"to":2},[2,1],[["n","m"],[["a","b","c"],null]],{"to":3},[{"from":1,"to":2},["in","mm"]]]"#;
    assert_eq!(answer.body, read);
    let none = headed("POST", &[]).await;
    assert_eq!(none.body, "[[],null,null,[],null,null,null]");
    let plain = [
        ("title", "X-Language: de\r\n", "t"),
        ("years", "X-By: 1\r\n", "7"),
    ];
    let answer = headed("PUT", &plain).await;
    assert_eq!(answer.body, r#"["t","de",null,[7]]"#);
    let both = [
        ("notes", "X-By: a\r\n", "n"),
        ("title", "X-Language: de\r\n", "t"),
        ("notes", "X-By: b\r\n", "m"),
    ];
    let answer = headed("PUT", &both).await;
    assert_eq!(answer.body, r#"["t","de",[["n","m"],["a","b"]],null]"#);
}

#[tokio::test]
async fn what_is_wrong_with_a_header_is_told_of_its_part() {
    let language = "X-Language: de\r\nX-Draft: so\r\n";
    let span = "X-Checksum: 0\r\nX-Span: from=x\r\n";
    let twice = "X-Number: 1\r\nX-Number: 2\r\n";
    let many = "X-Marks: a,b\r\nX-Marks: c,d\r\n";
    for (part, issue, says) in [
        (("title", "", "t"), "required", "X-Language is required"),
        (
            ("title", "X-Language: deu\r\n", "t"),
            "maxLength",
            "X-Language must",
        ),
        (("title", language, "t"), "type", "X-Draft must"),
        (("cover", "", "1"), "required", "X-Checksum is required"),
        (
            ("cover", "X-Checksum: g\r\n", "1"),
            "pattern",
            "X-Checksum must",
        ),
        (("cover", span, "1"), "type", "X-Span must"),
        (("pages", "X-Number: 0\r\n", "1"), "minimum", "X-Number must"),
        (("pages", twice, "1"), "type", "X-Number must"),
        (("notes", many, "1"), "maxItems", "X-Marks must"),
        (
            ("shelf", "X-Meta: {\r\n", "{\"row\":1}"),
            "contentMediaType",
            "X-Meta must",
        ),
        (("crop", "X-Unit: ft\r\n", "1"), "enum", "X-Unit must"),
    ] {
        let answer = headed("POST", &[part]).await;
        assert_eq!(answer.issues(), [format!("body /{} {issue}", part.0)]);
        let text = String::from_utf8_lossy(&answer.body);
        assert!(text.contains(&format!("its header {says}")), "{text}");
    }
    let several = [
        ("title", "X-Draft: so\r\n", "t"),
        ("pages", "X-Number: 1\r\n", "1"),
        ("notes", "", "1"),
    ];
    let issues = headed("POST", &several).await.issues();
    assert_eq!(issues, ["body /title required", "body /title type"]);
    let kept = [
        ("title", "", "t"),
        ("notes", "X-By: a\r\n", "n"),
        ("notes", "", "m"),
    ];
    let issues = headed("PUT", &kept).await.issues();
    assert_eq!(issues, ["body /notes required", "body /title required"]);
}

#[tokio::test]
async fn what_no_header_can_hold_makes_no_form() {
    let long = "d".repeat(20_000);
    for value in ["d\u{1}", "d\u{7f}", "d\0", &long] {
        let language = format!("X-Language: {value}\r\n");
        for method in ["POST", "PUT"] {
            let answer = headed(method, &[("title", &language, "t")]).await;
            assert_eq!(answer.issues(), ["body  type"], "{value:?}");
        }
    }
    // A line that begins with a blank is no header of its own.
    let folded = [("title", "X-Other: a\r\n X-Language: de\r\n", "t")];
    let issues = headed("PUT", &folded).await.issues();
    assert_eq!(issues, ["body /title required"]);
}

fn span(to: i64) -> Span {
    Span {
        from: None,
        to: Some(to),
    }
}

fn file() -> File {
    File::from(Bytes::from_static(b"1"))
}

fn page(x_number: i64) -> WithHeaders<SendHeadedFormPagesHeaders, File> {
    WithHeaders {
        headers: SendHeadedFormPagesHeaders { x_number },
        content: file(),
    }
}

fn form() -> SendHeadedForm {
    let marks = |x_marks: Option<Vec<String>>| SendHeadedFormNotesHeaders { x_marks };
    let unit = |x_unit| SendHeadedFormCropHeaders { x_unit };
    let units = [SendHeadedFormCropXUnit::In, SendHeadedFormCropXUnit::Mm];
    SendHeadedForm {
        title: Some(WithHeaders {
            headers: SendHeadedFormTitleHeaders {
                x_language: "é".into(),
                x_draft: Some(false),
            },
            content: "t".into(),
        }),
        cover: Some(WithHeaders {
            headers: SendHeadedFormCoverHeaders {
                x_checksum: "0f".into(),
                x_span: Some(span(2)),
            },
            content: file(),
        }),
        pages: vec![page(2), page(1)],
        notes: Some(WithHeaders {
            headers: vec![marks(Some(vec!["a".into(), "b".into()])), marks(None)],
            content: vec!["n".into(), "m".into()],
        }),
        shelf: Some(WithHeaders {
            headers: SendHeadedFormShelfHeaders {
                x_meta: Some(span(3)),
            },
            content: Shelf { row: 2, tags: None },
        }),
        crop: Some(WithHeaders {
            headers: units.map(unit).into(),
            content: Span {
                from: Some(1),
                to: Some(2),
            },
        }),
    }
}

#[tokio::test]
async fn the_client_sends_headers_of_parts() {
    let (client, sent) = client();
    let Ok(SendHeadedResponse::Ok { body }) = client.send_headed(form().into()).await else {
        panic!("an answer");
    };
    let read = r#"[[["0f",null],[null,2],[null,1]],["t","é",false],{"to":2},[2,1],[["n","m"],[["a","b"],null]],{"to":3},[{"from":1,"to":2},["in","mm"]]]"#;
    assert_eq!(body, read);
    let text = sent.lock().expect("no test panics here").clone();
    let text = String::from_utf8_lossy(&text).into_owned();
    let part = "name=\"title\"\r\nx-language: é\r\nx-draft: false\r\n\r\nt\r\n";
    assert!(text.contains(part), "{text}");
    let page = FormWriter::new().under([&page(7).headers], |form| {
        form.stream("pages", "a.png", ByteStream::from("1"))
    });
    let written = Upload::written(page);
    let Ok(SendHeadedResponse::Ok { body }) = client.send_headed(written).await else {
        panic!("an answer");
    };
    assert_eq!(body, "[[[null,7]],null,null,[7],null,null,null]");
}

#[tokio::test]
async fn the_client_sends_no_headers_that_would_be_read_as_others() {
    let (client, _) = client();
    let language = |text: &str| {
        let mut form = form();
        if let Some(title) = &mut form.title {
            title.headers.x_language = text.into();
        }
        form
    };
    let noted = |change: &dyn Fn(&mut Vec<SendHeadedFormNotesHeaders>)| {
        let mut form = form();
        if let Some(notes) = &mut form.notes {
            change(&mut notes.headers);
        }
        form
    };
    let marked = |text: &str| noted(&|headers| headers[1].x_marks = Some(vec![text.into()]));
    assert!(client.send_headed(marked("c").into()).await.is_ok());
    for wrong in [
        language("e\r\nX-Draft: true"),
        language("e\n"),
        language(" e"),
        language("\u{1}"),
        marked("a,b"),
        noted(&|headers| headers.truncate(1)),
        noted(&|headers| headers.clear()),
    ] {
        assert!(client.send_headed(wrong.into()).await.is_err());
    }
}
