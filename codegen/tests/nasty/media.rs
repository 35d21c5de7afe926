//! Media types, statuses and parameter styles: bytes in, types in the middle, bytes out.

use axum::body::Body;
use bytes::Bytes;
use http::{Request, Response, StatusCode};
use media_api::api::media::*;
use media_api::client::{Client, ClientError, Transport};
use media_api::runtime::Demand;
use media_api::runtime::credential::ApiKey;
use media_api::runtime::service::Limits;
use media_api::security::Security;
use media_api::service::Dispatcher;
use media_api::{Admission, Denial, Failure, Host, Visit, models, runtime, service};
use nasty::{Answer, carry, request};
use serde_json::json;
use std::convert::Infallible;
use std::sync::Arc;

type Service = runtime::Service<Dispatcher<Echo>>;

/// Answers with what it was asked; its callers are named by their keys.
struct Echo;

impl Host for Echo {
    type Visitor = ();
    type Error = Failure;

    async fn admit(&self, visit: Visit<'_>) -> Admission<()> {
        let often = visit
            .parts
            .headers
            .get("x-key")
            .is_some_and(|key| key == "often");
        Admission {
            outcome: match often {
                true => Err(Denial::RateLimited),
                false => Ok(()),
            },
            headers: vec![(http::header::VIA, "echo".parse().expect("a name"))],
        }
    }
}

impl Security for Echo {
    type Key = String;

    async fn key(&self, key: ApiKey<'_>, _: Demand<'_, ()>) -> Result<String, Denial> {
        match key.secret() {
            "wrong" => Err(Denial::CredentialInvalid),
            name => Ok(name.to_owned()),
        }
    }
}

impl service::Faults for Echo {}

impl MediaApi for Echo {
    async fn convert(
        &self,
        body: ConvertBody,
        _: ConvertAccept,
    ) -> Result<ConvertResponse, Failure> {
        let (kind, body) = match body {
            ConvertBody::Json(note) => ("json", ConvertOkBody::Json(note.into())),
            ConvertBody::VndNoteV2Json(note) => ("v2", ConvertOkBody::VndNoteV2Json(note.into())),
            ConvertBody::Form(note) => ("form", ConvertOkBody::Json(note.into())),
            ConvertBody::Text(text) => ("text", ConvertOkBody::Text(text)),
            ConvertBody::TextCsv(text) => ("csv", ConvertOkBody::TextCsv(text)),
            ConvertBody::Xml(text) => ("xml", ConvertOkBody::Xml(text)),
            ConvertBody::Bytes(bytes) => ("bytes", ConvertOkBody::Bytes(bytes)),
            ConvertBody::Image(bytes) => ("image", ConvertOkBody::ImagePng(bytes)),
        };
        let x_kind = kind.to_owned();
        Ok(ConvertResponse::Ok { body, x_kind })
    }

    async fn optional(&self, body: Option<OptionalBody>) -> Result<OptionalResponse, Failure> {
        let body = match body {
            None => "nothing".to_owned(),
            Some(OptionalBody::Json(note)) => note.text,
            Some(OptionalBody::Text(text)) => text,
        };
        Ok(OptionalResponse::Ok { body })
    }

    async fn statuses(
        &self,
        code: i64,
        accept: StatusesAccept,
    ) -> Result<StatusesResponse, Failure> {
        let status = u16::try_from(code)
            .ok()
            .and_then(|code| StatusCode::from_u16(code).ok());
        let status = status.ok_or(Failure::Internal)?;
        let note = models::Note {
            text: code.to_string(),
            stars: None,
        };
        Ok(match code {
            200 => StatusesResponse::Ok {
                body: match accept {
                    StatusesAccept::Json => StatusesOkBody::Json(note.into()),
                    StatusesAccept::Text => StatusesOkBody::Text(note.text),
                },
            },
            // Whatever the caller likes.
            201 => StatusesResponse::Ok {
                body: StatusesOkBody::Text(note.text),
            },
            204 => StatusesResponse::NoContent,
            301 => StatusesResponse::MovedPermanently {
                location: "/there".into(),
            },
            410 => StatusesResponse::Gone { body: note.into() },
            // What is no refusal cannot be answered as one, nor what is listed as another.
            411 => StatusesResponse::ClientError {
                status: StatusCode::GONE,
                body: note.text,
            },
            303 => StatusesResponse::Default {
                status: StatusCode::OK,
                x_why: None,
            },
            400..=499 | 302 => StatusesResponse::ClientError {
                status,
                body: note.text,
            },
            500 => return Err(Failure::Unavailable { retry_after: 7 }),
            501 => panic!("a handler that fails"),
            502..=599 => StatusesResponse::ServerError {
                status,
                body: note.into(),
            },
            _ => StatusesResponse::Default {
                status,
                x_why: (code > 299).then(|| "odd".into()),
            },
        })
    }

    async fn parameters(
        &self,
        simple: f64,
        list: Vec<i64>,
        object: models::Point,
        label: String,
        matrix: String,
        params: ParametersParams,
    ) -> Result<ParametersResponse, Failure> {
        let ParametersParams {
            exploded,
            joined,
            spaced,
            piped,
            deep,
            flag,
            count,
            sort,
            tags,
            x_list,
            x_when,
            session,
        } = params;
        let sort = sort.as_str().to_owned();
        let body = models::Parameters {
            simple,
            list,
            object,
            label,
            matrix,
            exploded,
            joined,
            spaced,
            piped,
            deep,
            flag,
            count,
            sort,
            tags,
            x_list,
            x_when: x_when.map(|day| day.to_string()),
            session,
        };
        Ok(ParametersResponse::Ok { body: body.into() })
    }

    async fn caller(&self, principal: Option<String>) -> Result<CallerResponse, Failure> {
        let body = principal.unwrap_or_else(|| "anybody".into());
        Ok(CallerResponse::Ok { body })
    }

    async fn insider(&self, principal: String) -> Result<InsiderResponse, Failure> {
        Ok(InsiderResponse::Ok { body: principal })
    }
}

fn echo() -> Service {
    service::service(
        Arc::new(Echo),
        Limits {
            body: 1000,
            ..Limits::default()
        },
    )
}

async fn get(target: &str, headers: &[(&str, &str)]) -> Answer {
    request(&echo(), "GET", target, headers, "").await
}

async fn convert(media_type: &str, body: impl Into<Bytes>) -> Answer {
    request(
        &echo(),
        "POST",
        "/base/convert",
        &[("content-type", media_type)],
        body,
    )
    .await
}

/// The generated client's way to the service.
struct InProcess(Service);

impl Transport for InProcess {
    type Error = Infallible;

    async fn send(&self, request: Request<Body>) -> Result<Response<Body>, Infallible> {
        carry(&self.0, request).await
    }
}

fn client() -> Client<InProcess> {
    Client::new("http://echo.invalid", InProcess(echo()))
}

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
            "v2",
            "application/vnd.note.v2+json",
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

#[tokio::test]
async fn a_client_that_accepts_nothing_there_is_is_told() {
    let accepting = |accept: &'static str| {
        get(
            "/base/statuses/200",
            Box::leak(Box::new([("accept", accept)])),
        )
    };
    for accept in ["text/plain", "text/*;q=0.1", "*/*", "application/json", ""] {
        assert_eq!(accepting(accept).await.status, 200, "{accept}");
    }
    for accept in ["text/html", "*/*;q=0", "image/png, application/pdf"] {
        assert_eq!(accepting(accept).await.status, 406, "{accept}");
    }
    for (accept, answered) in [
        ("", "application/json"),
        ("*/*", "application/json"),
        ("text/plain", "text/plain"),
        ("text/*, application/json;q=0.9", "text/plain"),
        ("*/*;q=0.5, application/json;q=0.4", "text/plain"),
        ("text/plain;q=0, */*", "application/json"),
        (
            "text/plain;q=0.2, text/*;q=1, */*;q=0.3",
            "application/json",
        ),
    ] {
        let answer = accepting(accept).await;
        assert_eq!(answer.header("content-type"), answered, "{accept}");
    }
    let refused = get("/base/statuses/201", &[("accept", "application/json")]).await;
    assert_eq!(refused.status, 406, "a handler that does not listen");
}

#[tokio::test]
async fn every_kind_of_status_is_answered() {
    for (code, status, media_type, body) in [
        (200, 200, "application/json", r#"{"text":"200"}"#),
        (204, 204, "", ""),
        (301, 301, "", ""),
        (404, 404, "text/plain", "404"),
        (410, 410, "application/json", r#"{"text":"410"}"#),
        (418, 418, "text/plain", "418"),
        (503, 503, "application/json", r#"{"text":"503"}"#),
        (202, 202, "", ""),
        (307, 307, "", ""),
    ] {
        let answer = get(&format!("/base/statuses/{code}"), &[]).await;
        assert_eq!(answer.status, status, "{code}");
        assert!(
            answer.header("content-type").starts_with(media_type),
            "{code}"
        );
        assert_eq!(answer.body, body, "{code}");
        assert_eq!(
            answer.header("via"),
            "echo",
            "every answer has the admission's headers"
        );
    }
    assert_eq!(
        get("/base/statuses/301", &[]).await.header("location"),
        "/there"
    );
    assert_eq!(get("/base/statuses/307", &[]).await.header("x-why"), "odd");
    assert_eq!(
        get("/base/statuses/302", &[]).await.status,
        500,
        "302 is no 4XX"
    );
    for listed in [303, 411] {
        let answer = get(&format!("/base/statuses/{listed}"), &[]).await;
        assert_eq!(answer.status, 500, "what is listed is not any other");
    }
}

#[tokio::test]
async fn the_framework_answers_for_a_handler_that_cannot() {
    let answer = get("/base/statuses/500", &[]).await;
    assert_eq!((answer.status, answer.header("retry-after")), (503, "7"));
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let answer = get("/base/statuses/501", &[]).await;
    std::panic::set_hook(hook);
    assert_eq!(answer.status, 500);
    assert!(
        !String::from_utf8_lossy(&answer.body).contains("fails"),
        "{:?}",
        answer.body
    );
    assert_eq!(
        get("/base/statuses/99", &[]).await.issues(),
        ["path code minimum"]
    );
    assert_eq!(get("/nowhere", &[]).await.status, 404);
    let answer = get("/base/convert", &[]).await;
    assert_eq!((answer.status, answer.header("allow")), (405, "POST"));
}

#[tokio::test]
async fn parameters_are_read_in_their_styles() {
    let target = "/base/parameters/1.5/1,2/x=3,y=-4/.label/;matrix=m%2Fn?exploded=a&exploded=b,c\
                  &joined=a,b%2Cc&spaced=1%202&piped=1|2&deep[x]=1&deep%5By%5D=2&flag=false\
                  &count=9&sort=asc&tags=";
    let headers = [
        ("x-list", "1, 2"),
        ("x-when", "2024-02-29"),
        ("cookie", "a=b; session=s%21"),
    ];
    let answer = get(target, &headers).await;
    assert_eq!(answer.status, 200, "{:?}", answer.body);
    let expected = json!({
        "simple": 1.5, "list": [1, 2], "object": {"x": 3, "y": -4}, "label": "label",
        "matrix": "m/n", "exploded": ["a", "b,c"], "joined": ["a", "b,c"], "spaced": [1, 2],
        "piped": [1, 2], "deep": {"x": 1, "y": 2}, "flag": false, "count": 9, "sort": "asc",
        "tags": [], "xList": [1, 2], "xWhen": "2024-02-29", "session": "s!",
    });
    assert_eq!(answer.json(), expected);
}

#[tokio::test]
async fn absent_parameters_take_their_defaults() {
    let answer = get("/base/parameters/1/1/x=0/.l/;matrix=m", &[]).await;
    assert_eq!(answer.status, 200, "{:?}", answer.body);
    let body = answer.json();
    assert_eq!(body["flag"], true);
    assert_eq!(body["count"], 5);
    assert_eq!(body["sort"], "desc");
    assert_eq!(body["tags"], json!(["a", "b"]));
    assert_eq!(body.get("exploded"), None);
}

#[tokio::test]
async fn everything_wrong_with_the_parameters_is_said_at_once() {
    let target = "/base/parameters/one/1,b/x=-1,z=1/label/;m=1?exploded=a&exploded=b&exploded=c\
                  &exploded=d&spaced=a&deep[z]=1&flag=maybe&count=10&sort=up&sort=down&typo=1&joined=%ff";
    let answer = get(target, &[("x-when", "yesterday"), ("cookie", "session=s")]).await;
    let found = answer.issues();
    for expected in [
        "cookie session minLength",
        "header X-When format",
        "path simple type",
        "query count exclusiveMaximum",
        "query exploded maxItems",
        "query flag type",
        "query joined format",
        "query sort type",
    ] {
        assert!(
            found.iter().any(|issue| issue == expected),
            "no {expected} in {found:#?}"
        );
    }
    for start in [
        "path list",
        "path object",
        "path label",
        "path matrix",
        "query spaced",
        "query deep",
        "query typo",
    ] {
        assert!(
            found.iter().any(|issue| issue.starts_with(start)),
            "no {start} in {found:#?}"
        );
    }
}

#[tokio::test]
async fn a_caller_is_known_where_the_contract_says_so() {
    let call = |method: &'static str, headers: &'static [(&str, &str)]| async move {
        let answer = request(&echo(), method, "/base/caller", headers, "").await;
        (
            answer.status,
            String::from_utf8_lossy(&answer.body).into_owned(),
        )
    };
    assert_eq!(call("GET", &[]).await, (200, "anybody".into()));
    assert_eq!(call("GET", &[("x-key", "ada")]).await, (200, "ada".into()));
    assert_eq!(call("PUT", &[("x-key", "ada")]).await, (200, "ada".into()));
    assert_eq!(call("PUT", &[]).await.0, 401);
    assert_eq!(call("GET", &[("x-key", "wrong")]).await.0, 401);
    assert_eq!(call("GET", &[("x-key", "often")]).await.0, 429);
    assert_eq!(call("HEAD", &[]).await, (200, String::new()));
}

#[tokio::test]
async fn the_client_writes_what_the_service_reads() {
    let params = ParametersParams {
        exploded: Some(vec!["a b".into(), "c,d&e".into()]),
        joined: Some(vec!["a,b".into(), "ü".into()]),
        spaced: Some(vec![1, 2]),
        piped: Some(vec![3]),
        deep: Some(models::Point { x: 1, y: Some(2) }),
        flag: false,
        count: 1,
        sort: models::ParametersSort::Asc,
        tags: vec!["x".into()],
        x_list: Some(vec![1, 2]),
        x_when: Some("2024-02-29".parse().unwrap()),
        session: Some("s;!".into()),
    };
    let point = models::Point { x: 3, y: None };
    let (label, matrix) = ("a/b?c".to_owned(), "d=e".to_owned());
    let answer = client()
        .parameters(0.5, vec![1, 2], point, label, matrix, params)
        .await;
    let ParametersResponse::Ok { body } = answer.expect("an answer");
    let body = serde_json::to_value(body.decode().expect("parameters")).expect("JSON");
    let expected = json!({
        "simple": 0.5, "list": [1, 2], "object": {"x": 3}, "label": "a/b?c", "matrix": "d=e",
        "exploded": ["a b", "c,d&e"], "joined": ["a,b", "ü"], "spaced": [1, 2], "piped": [3],
        "deep": {"x": 1, "y": 2}, "flag": false, "count": 1, "sort": "asc", "tags": ["x"],
        "xList": [1, 2], "xWhen": "2024-02-29", "session": "s;!",
    });
    assert_eq!(body, expected);
}

#[tokio::test]
async fn the_client_reads_what_the_service_writes() {
    let note = models::Note {
        text: "abc".into(),
        stars: Some(Some(3)),
    };
    for (sent, expected) in [
        (ConvertBody::Json(note.clone()), "json"),
        (ConvertBody::VndNoteV2Json(note.clone()), "v2"),
        (ConvertBody::Form(note.clone()), "form"),
        (ConvertBody::Text("text".into()), "text"),
        (ConvertBody::Xml("<a/>".into()), "xml"),
        (ConvertBody::Bytes("bytes".into()), "bytes"),
    ] {
        let ConvertResponse::Ok { body, x_kind } = client().convert(sent).await.expect("an answer");
        assert_eq!(x_kind, expected);
        match body {
            ConvertOkBody::Json(body) | ConvertOkBody::VndNoteV2Json(body) => {
                assert_eq!(body.decode().expect("a note"), note);
            }
            ConvertOkBody::Text(body) => assert_eq!(body, "text"),
            ConvertOkBody::Xml(body) => assert_eq!(body, "<a/>"),
            ConvertOkBody::Bytes(body) => {
                assert_eq!(body.bytes().await.expect("all of it"), "bytes");
            }
            other => panic!("{other:?}"),
        }
    }
}

#[tokio::test]
async fn the_client_tells_statuses_apart() {
    let get = async |code| client().statuses(code).await;
    assert!(matches!(get(204).await, Ok(StatusesResponse::NoContent)));
    assert!(
        matches!(get(404).await, Ok(StatusesResponse::ClientError { status, body })
        if status == 404 && body == "404")
    );
    assert!(matches!(
        get(503).await,
        Ok(StatusesResponse::ServerError { .. })
    ));
    assert!(matches!(
        get(307).await,
        Ok(StatusesResponse::Default { x_why: Some(_), .. })
    ));
    let caller = client().with_key("ada").expect("a header").insider().await;
    assert!(matches!(caller, Ok(InsiderResponse::Ok { body }) if body == "ada"));
    let refused = client().insider().await;
    assert!(matches!(refused, Err(ClientError::Refused { status, .. }) if status == 401));
}
