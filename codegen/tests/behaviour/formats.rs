//! Formats whose strings have a type: valid texts are taken, others are refused as `format`.

use formats_api::api::echo::*;
use formats_api::runtime::{Check as _, Limits};
use formats_api::{HandlerError, Host, formats, models, service};
use behaviour::{Answer, request};
use serde_json::{Value, json};
use std::sync::Arc;

struct Echo;

impl Host for Echo {
    type Context = ();
    type Error = HandlerError;
}

impl service::Faults for Echo {}

impl EchoApi for Echo {
    async fn members(&self, body: models::Members) -> Result<MembersResponse, HandlerError> {
        Ok(MembersResponse::Ok { body: body.into() })
    }

    async fn places(&self, body: models::Places) -> Result<PlacesResponse, HandlerError> {
        Ok(PlacesResponse::Ok { body: body.into() })
    }

    async fn find(
        &self,
        id: formats::Uuid,
        days: Vec<formats::Date>,
        params: FindParams,
    ) -> Result<FindResponse, HandlerError> {
        let mut seen = vec![id.to_string(), params.from.to_string()];
        seen.extend(params.any.iter().flatten().map(ToString::to_string));
        seen.extend(
            params
                .page
                .and_then(|page| page.after)
                .map(|at| at.to_string()),
        );
        seen.extend(params.price.as_ref().map(ToString::to_string));
        seen.extend(params.x_peer.map(|peer| peer.to_string()));
        Ok(FindResponse::Ok {
            body: seen.into(),
            x_at: params
                .since
                .unwrap_or_else(|| "1969-12-31T23:59:59Z".parse().unwrap()),
            x_days: Some(days),
            x_price: params.price,
        })
    }

    async fn form(&self, body: FormContent) -> Result<FormResponse, HandlerError> {
        let body = match body {
            FormContent::Form(form) => form,
            FormContent::MultipartFormData(form) => models::Form {
                id: form.id,
                days: form.days,
                at: form.at,
            },
        };
        Ok(FormResponse::Ok { body: body.into() })
    }
}

async fn send(method: &str, target: &str, headers: &[(&str, &str)], body: &str) -> Answer {
    let service = service::service(Arc::new(Echo), Limits::default());
    request(&service, method, target, headers, body.to_owned()).await
}

async fn post(path: &str, body: &Value) -> Answer {
    let headers = [("content-type", "application/json")];
    send("POST", path, &headers, &body.to_string()).await
}

const UUID: &str = "6ba7b810-9dad-11d1-80b4-00c04fd430c8";

/// A member, a text of its format, and how that is written.
const TAKEN: &[(&str, &str, &str)] = &[
    ("uuid", UUID, UUID),
    ("uuid", "6BA7B810-9DAD-11D1-80B4-00C04FD430C8", UUID),
    ("date", "2024-02-29", "2024-02-29"),
    ("date", "0000-01-01", "0000-01-01"),
    ("date", "9999-12-31", "9999-12-31"),
    ("dateTime", "2026-01-31T12:00:00Z", "2026-01-31T12:00:00Z"),
    (
        "dateTime",
        "2026-01-31t12:00:00.25z",
        "2026-01-31T12:00:00.250Z",
    ),
    (
        "dateTime",
        "2026-01-31T12:00:00+05:30",
        "2026-01-31T12:00:00+05:30",
    ),
    (
        "dateTime",
        "2026-01-31T12:00:00-00:00",
        "2026-01-31T12:00:00Z",
    ),
    (
        "dateTime",
        "1990-12-31T15:59:60-08:00",
        "1990-12-31T15:59:60-08:00",
    ),
    (
        "dateTime",
        "9999-12-31T23:59:59.999999999Z",
        "9999-12-31T23:59:59.999999999Z",
    ),
    (
        "dateTime",
        "0000-01-01T00:00:00+23:59",
        "0000-01-01T00:00:00+23:59",
    ),
    (
        "dateTime",
        "2026-01-31T12:00:00.1234567891Z",
        "2026-01-31T12:00:00.123456789Z",
    ),
    ("time", "23:59:60Z", "23:59:60Z"),
    ("duration", "P1Y2M3DT4H5M6S", "P1Y2M3DT4H5M6S"),
    ("duration", "P4W", "P4W"),
    (
        "uri",
        "HTTP://example.org/%7ea?b#c",
        "HTTP://example.org/%7ea?b#c",
    ),
    ("uri", "urn:isbn:0451450523", "urn:isbn:0451450523"),
    ("reference", "../a?b=c:d", "../a?b=c:d"),
    ("reference", "", ""),
    ("ipv4", "192.0.2.1", "192.0.2.1"),
    ("ipv6", "2001:DB8:0::1", "2001:db8::1"),
    ("byte", "YQ==", "YQ=="),
    ("byte", "YR==", "YQ=="),
    ("decimal", "-12.50", "-12.50"),
    (
        "decimal",
        "0.0000000000000000000000000001",
        "0.0000000000000000000000000001",
    ),
];

/// A member, and a text that is not of its format or that its type cannot hold.
const REFUSED: &[(&str, &str)] = &[
    ("uuid", "6ba7b8109dad11d180b400c04fd430c8"),
    ("uuid", "{6ba7b810-9dad-11d1-80b4-00c04fd430c8}"),
    ("date", "2023-02-29"),
    ("date", "2023-2-1"),
    ("dateTime", "2026-01-31 12:00:00Z"),
    ("dateTime", "2026-01-31T12:00:00"),
    ("dateTime", "2026-01-31T12:00:60Z"),
    ("time", "12:00:00"),
    ("duration", "P1Y1D"),
    ("duration", "PT1.5S"),
    ("duration", "P99999999Y"),
    ("uri", "/a"),
    ("uri", "http://a b"),
    ("reference", "a b"),
    ("reference", "1:2"),
    ("ipv4", "192.0.2.01"),
    ("ipv6", "fe80::1%eth0"),
    ("byte", "YQ"),
    ("byte", "YQ_="),
    ("decimal", "1e3"),
    ("decimal", "1_000"),
    ("decimal", "1."),
    ("decimal", "12345678901234567890123456789.5"),
];

#[tokio::test]
async fn members_take_what_is_of_their_format() {
    for (member, text, written) in TAKEN {
        let answer = post("/echo/members", &json!({ *member: text })).await;
        let body = String::from_utf8_lossy(&answer.body);
        assert_eq!(answer.status, 200, "{member} {text}: {body}");
        assert_eq!(answer.json(), json!({ *member: written }), "{text}");
    }
    for (member, text) in REFUSED {
        let answer = post("/echo/members", &json!({ *member: text })).await;
        assert_eq!(
            answer.issues(),
            [format!("body /{member} format")],
            "{text}"
        );
    }
    let answer = post("/echo/members", &json!({ "uuid": 1 })).await;
    assert_eq!(answer.issues(), ["body /uuid type"]);
}

/// As the documentation of the models says.
#[test]
fn serde_checks_what_types_say_and_check_the_rest() {
    let read = serde_json::from_str::<models::Places>;
    let format = r#"{ "nullable": "1" }"#;
    let undeclared = r#"{ "other": 1 }"#;
    for refused in [format, undeclared] {
        assert!(read(refused).is_err(), "{refused}");
    }
    let required = r#"{ "days": [] }"#;
    assert!(serde_json::from_str::<models::Form>(required).is_err());
    let length = r#"{ "short": "1" }"#;
    let pattern = r#"{ "upper": "00000000-0000-0000-0000-00000000000a" }"#;
    let unique = r#"{ "list": ["2026-01-31", "2026-01-31"] }"#;
    for invalid in [length, pattern, unique] {
        assert!(!read(invalid).expect(invalid).is_valid(), "{invalid}");
    }
    assert!(read(r#"{ "short": "1.5" }"#).expect("a short one").is_valid());
}

#[tokio::test]
async fn values_keep_their_format_wherever_they_are() {
    let taken = [
        json!({ "nullable": null }),
        json!({ "nullable": UUID }),
        json!({ "alias": "2026-01-31T12:00:00Z" }),
        json!({ "list": ["2026-01-31", null] }),
        json!({ "map": { "a": "2026-01-31" } }),
        json!({ "keys": { UUID: 1 } }),
        json!({ "constant": "2026-01-31" }),
        json!({ "listed": "2026-02-28" }),
        json!({ "either": UUID }),
        json!({ "either": "2026-01-31" }),
        json!({ "either": 1 }),
        json!({ "upper": UUID.to_uppercase() }),
        json!({ "short": "01.50" }),
        json!({ "shorts": ["1.0", "2.00"] }),
    ];
    for body in &taken {
        let answer = post("/echo/places", body).await;
        let text = String::from_utf8_lossy(&answer.body);
        assert_eq!(answer.status, 200, "{body}: {text}");
        assert_eq!(answer.json(), *body);
    }
    let refused = [
        (json!({ "nullable": "x" }), vec!["body /nullable format"]),
        (json!({ "alias": "x" }), vec!["body /alias format"]),
        (
            json!({ "list": ["x", "2026-01-31", "y"] }),
            vec!["body /list/0 format", "body /list/2 format"],
        ),
        (
            json!({ "list": ["2026-01-31", "2026-01-31"] }),
            vec!["body /list uniqueItems"],
        ),
        (json!({ "map": { "a": "x" } }), vec!["body /map/a format"]),
        (
            json!({ "keys": { "a": 1 } }),
            vec!["body /keys/a propertyNames"],
        ),
        (
            json!({ "constant": "2026-01-30" }),
            vec!["body /constant const"],
        ),
        (json!({ "listed": "2026-01-30" }), vec!["body /listed enum"]),
        (json!({ "either": "x" }), vec!["body /either oneOf"]),
        (json!({ "upper": UUID }), vec!["body /upper pattern"]),
        (json!({ "upper": "ABC" }), vec!["body /upper format"]),
        (json!({ "short": "1" }), vec!["body /short minLength"]),
        (json!({ "short": "1.0000" }), vec!["body /short maxLength"]),
        (json!({ "shorts": ["x"] }), vec!["body /shorts/0 format"]),
    ];
    for (body, expected) in refused {
        let answer = post("/echo/places", &body).await;
        assert_eq!(answer.issues(), expected, "{body}");
    }
}

#[tokio::test]
async fn parameters_and_headers_have_formats() {
    let target = format!(
        "/things/{UUID}/.2026-01-31.2026-02-01?any={UUID}&any={UUID}\
         &page[after]=2026-01-31T12:00:00%2B01:00&price=01.50"
    );
    let headers = [
        ("x-peer", "192.0.2.1"),
        ("cookie", "since=2026-01-31T12%3A00%3A00Z"),
    ];
    let answer = send("GET", &target, &headers, "").await;
    let expected = json!([
        UUID,
        "2026-01-31",
        UUID,
        UUID,
        "2026-01-31T12:00:00+01:00",
        "01.50",
        "192.0.2.1"
    ]);
    assert_eq!(answer.json(), expected);
    assert_eq!(answer.header("x-at"), "2026-01-31T12:00:00Z");
    assert_eq!(answer.header("x-days"), "2026-01-31,2026-02-01");
    assert_eq!(answer.header("x-price"), "01.50");
    let target = "/things/1/.x?from=x&any=x&page[after]=x&price=1.5";
    let headers = [("x-peer", "x"), ("cookie", "since=x")];
    let expected = [
        "cookie since format",
        "header X-Peer format",
        "path days/0 format",
        "path id format",
        "query any/0 format",
        "query from format",
        "query page/after format",
        "query price pattern",
    ];
    assert_eq!(send("GET", target, &headers, "").await.issues(), expected);
}

#[tokio::test]
async fn forms_have_formats() {
    let headers = [("content-type", "application/x-www-form-urlencoded")];
    let form = format!("id={UUID}&days=2026-01-31&days=2026-02-01&at=2026-01-31T12:00:00Z");
    let answer = send("POST", "/forms", &headers, &form).await;
    let same =
        json!({ "id": UUID, "days": ["2026-01-31", "2026-02-01"], "at": "2026-01-31T12:00:00Z" });
    assert_eq!(answer.json(), same);
    let answer = send("POST", "/forms", &headers, "id=x&days=y&at=z").await;
    assert_eq!(
        answer.issues(),
        ["body /at format", "body /days/0 format", "body /id format"]
    );
    let headers = [("content-type", "multipart/form-data; boundary=b")];
    let part = |name: &str, text: &str| {
        format!("--b\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{text}\r\n")
    };
    let form = format!(
        "{}{}--b--\r\n",
        part("id", UUID),
        part("days", "2026-01-31")
    );
    let answer = send("POST", "/forms", &headers, &form).await;
    assert_eq!(answer.json(), json!({ "id": UUID, "days": ["2026-01-31"] }));
    let form = format!("{}{}--b--\r\n", part("id", "x"), part("days", "2026-01-31"));
    assert_eq!(
        send("POST", "/forms", &headers, &form).await.issues(),
        ["body /id format"]
    );
}
