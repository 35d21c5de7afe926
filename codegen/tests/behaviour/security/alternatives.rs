//! Several schemes together, and one instead of another.

use crate::host::{AUTH, doors, said};
use bytes::Bytes;
use http::Request;
use behaviour::send;

#[tokio::test]
async fn all_of_an_alternative_and_the_first_of_several_must_hold() {
    const KEY: (&str, &[u8]) = ("x-key", b"good");
    const BAD: (&str, &[u8]) = ("x-key", b"bad");
    const LOGIN: (&str, &[u8]) = (AUTH, b"Basic YWRhOmdvb2Q=");
    const READ: (&str, &[u8]) = (AUTH, b"Bearer good.read");
    const WRITE: (&str, &[u8]) = (AUTH, b"Bearer good.write");
    const COOKIE: (&str, &[u8]) = ("cookie", b"session=good");
    let query = "/any?the+key=good";
    let cases: &[(&str, &[(&str, &[u8])], &str, &[&str])] = &[
        (
            "/both",
            &[KEY, LOGIN],
            "basic good of ada and key good",
            &["key", "basic"],
        ),
        ("/both", &[KEY], "401", &[]),
        ("/both", &[LOGIN], "401", &[]),
        ("/both", &[BAD, LOGIN], "401", &["key"]),
        (
            "/any",
            &[READ, KEY, COOKIE],
            "1: oauth good.read for read",
            &["oauth"],
        ),
        (
            query,
            &[WRITE, KEY, COOKIE],
            "2: key good and query good",
            &["oauth", "key", "query"],
        ),
        (
            query,
            &[KEY],
            "2: key good and query good",
            &["key", "query"],
        ),
        (query, &[BAD, COOKIE], "3: cookie good", &["key", "cookie"]),
        ("/any", &[KEY, COOKIE], "3: cookie good", &["cookie"]),
        (query, &[WRITE, BAD], "403", &["oauth", "key"]),
        (query, &[BAD], "401", &["key"]),
        ("/any", &[KEY], "401", &[]),
        // No other alternative is tried where the host cannot tell or will not.
        ("/any", &[(AUTH, b"Bearer down"), COOKIE], "503", &["oauth"]),
        (
            "/any",
            &[(AUTH, b"Bearer often"), COOKIE],
            "429",
            &["oauth"],
        ),
        ("/optional", &[], "nobody", &[]),
        ("/optional", &[LOGIN], "nobody", &[]),
        ("/optional", &[KEY], "key good", &["key"]),
        ("/optional", &[BAD], "401", &["key"]),
        (
            "/optional",
            &[BAD, (AUTH, b"Bearer good")],
            "bearer good",
            &["key", "bearer"],
        ),
        ("/optional", &[(AUTH, b"Bearer a b")], "401", &[]),
    ];
    for (target, headers, expected, asked) in cases {
        let (host, doors) = doors();
        let mut request = Request::get(*target);
        for (name, value) in *headers {
            request = request.header(*name, *value);
        }
        let answer = send(&doors, request.body(Bytes::new()).expect("a request")).await;
        assert_eq!(said(&answer), *expected, "{target} {headers:?}");
        assert_eq!(
            *host.asked.lock().expect("a lock"),
            *asked,
            "{target} {headers:?}"
        );
    }
}

#[tokio::test]
async fn credentials_come_before_everything_else() {
    let post = async |key: &'static str, body: &'static str| {
        let request = Request::post("/body")
            .header("x-key", key)
            .header("content-type", "text/odd");
        send(
            &doors().1,
            request.body(Bytes::from(body)).expect("a request"),
        )
        .await
        .status
    };
    assert_eq!(post("bad", "{").await, 401);
    assert_eq!(post("good", "{").await, 415);
}
