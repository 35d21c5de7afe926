//! Each scheme by itself.

use crate::host::{AUTH, Certificate, doors, get, said};
use bytes::Bytes;
use http::Request;
use http::header::WWW_AUTHENTICATE;
use behaviour::send;

#[tokio::test]
async fn each_scheme_is_read_from_its_place_and_strictly() {
    let cases: &[(&str, &[(&str, &[u8])], &str)] = &[
        ("/public", &[(AUTH, b"nonsense \xff")], "anybody"),
        ("/header", &[], "401"),
        ("/header", &[("x-key", b"good")], "key good"),
        ("/header", &[("X-KEY", b"bad")], "401"),
        ("/header", &[("x-key", b"")], "401"),
        ("/header", &[("x-key", b"good"), ("x-key", b"good")], "401"),
        ("/header", &[("x-key", b"good\xff")], "401"),
        ("/header", &[("x-key", b"often")], "429"),
        ("/header", &[("x-key", b"down")], "503"),
        ("/header", &[("x-key", b"panic")], "500"),
        ("/query?the+key=good%20one", &[], "query good one"),
        ("/query?the%20key=good", &[], "query good"),
        ("/query?the+key=", &[], "401"),
        ("/query?The+Key=good", &[], "401"),
        ("/query?the+key=good&the%20key=good", &[], "401"),
        ("/query?the+key=good%FF", &[], "401"),
        ("/query?the+key=good&other=1", &[], "400"),
        (
            "/cookie",
            &[("cookie", b"a=b; session=good; c=d")],
            "cookie good",
        ),
        (
            "/cookie",
            &[("cookie", b"a=b"), ("cookie", b"session=good==")],
            "cookie good==",
        ),
        (
            "/cookie",
            &[("cookie", b"\xff=\xff; session=good")],
            "cookie good",
        ),
        (
            "/cookie",
            &[("cookie", b"session=good; session=good")],
            "401",
        ),
        ("/cookie", &[("cookie", b"session=\xff")], "401"),
        ("/cookie", &[("cookie", b"sessions=good")], "401"),
        (
            "/basic",
            &[(AUTH, b"Basic YWRhOmdvb2Q=")],
            "basic good of ada",
        ),
        (
            "/basic",
            &[(AUTH, b"bAsIc   YWRhOmdvb2Q=")],
            "basic good of ada",
        ),
        (
            "/basic",
            &[(AUTH, "Basic w7w6Z29vZDrDvA==".as_bytes())],
            "basic good:ü of ü",
        ),
        ("/basic", &[(AUTH, b"Basic YWRhOmdvb2Q")], "401"),
        ("/basic", &[(AUTH, b"Basic YWRhOmdvb2R=")], "401"),
        ("/basic", &[(AUTH, b"Basic YWRhZ29vZA==")], "401"),
        ("/basic", &[(AUTH, b"Basic YWRhOmdvb2QK")], "401"),
        ("/basic", &[(AUTH, b"Basic /zpnb29k")], "401"),
        ("/basic", &[(AUTH, b"Basic")], "401"),
        ("/basic", &[(AUTH, b"BasicYWRhOmdvb2Q=")], "401"),
        (
            "/bearer",
            &[(AUTH, b"Bearer good-._~+/==")],
            "bearer good-._~+/==",
        ),
        ("/bearer", &[(AUTH, b"BEARER good")], "bearer good"),
        ("/bearer", &[(AUTH, b"Bearer good one")], "401"),
        ("/bearer", &[(AUTH, b"Bearer good,one")], "401"),
        ("/bearer", &[(AUTH, b"Bearer =")], "401"),
        ("/bearer", &[(AUTH, b"Bearer ")], "401"),
        ("/bearer", &[(AUTH, b"Bearer good\xff")], "401"),
        ("/bearer", &[(AUTH, b"good")], "401"),
        (
            "/bearer",
            &[(AUTH, b"Bearer good"), (AUTH, b"Bearer good")],
            "401",
        ),
        (
            "/digest",
            &[(AUTH, b"digest good=1, b=\"2\"")],
            "digest good=1, b=\"2\"",
        ),
        ("/digest", &[(AUTH, b"Digest")], "401"),
        ("/openid", &[(AUTH, b"Bearer good")], "openid good"),
        ("/fails", &[], "500"),
    ];
    for (target, headers, expected) in cases {
        assert_eq!(
            said(&get(target, headers).await),
            *expected,
            "{target} {headers:?}"
        );
    }
}

#[tokio::test]
async fn certificates_come_from_the_transport() {
    for (shown, expected) in [(None, "401"), (Some(""), "401"), (Some("ada"), "ada")] {
        let mut request = Request::get("/certificate")
            .body(Bytes::new())
            .expect("a request");
        if let Some(name) = shown {
            request.extensions_mut().insert(Certificate(name));
        }
        assert_eq!(said(&send(&doors().1, request).await), expected);
    }
}

#[tokio::test]
async fn scopes_are_demanded_and_their_lack_is_another_denial() {
    let oauth = async |target: &str, token: &'static [u8]| {
        let answer = get(target, &[(AUTH, token)]).await;
        let challenge = answer.header("www-authenticate").to_owned();
        (said(&answer), challenge)
    };
    let none = String::new();
    let realm = r#"Bearer realm="The \"locked\" doors""#;
    assert_eq!(
        oauth("/oauth", b"Bearer good.read.write").await,
        ("oauth good.read.write for read write".into(), none.clone())
    );
    assert_eq!(
        oauth("/oauth", b"Bearer good.read").await,
        (
            "403".into(),
            format!(r#"{realm}, error="insufficient_scope", scope="read write""#)
        )
    );
    assert_eq!(
        oauth("/oauth", b"Bearer bad").await,
        ("401".into(), format!(r#"{realm}, error="invalid_token""#))
    );
    assert_eq!(
        oauth("/oauth", b"Basic bad").await,
        ("401".into(), realm.into())
    );
    // One scheme with other scopes is another alternative and the same principal.
    assert_eq!(
        oauth("/either-scope", b"Bearer good.read").await,
        ("oauth good.read for read".into(), none)
    );
    assert_eq!(oauth("/either-scope", b"Bearer good").await.0, "403");
}

#[tokio::test]
async fn a_refusal_says_what_would_do() {
    let answer = get("/any", &[]).await;
    assert_eq!(answer.status, 401);
    let challenges = answer.headers.get_all(WWW_AUTHENTICATE).iter();
    let challenges: Vec<&str> = challenges
        .map(|value| value.to_str().expect("text"))
        .collect();
    let realm = r#"realm="The \"locked\" doors""#;
    assert_eq!(
        challenges,
        [
            format!("Bearer {realm}"),
            format!(r#"ApiKey {realm}, in="header", name="X-Key""#),
            format!(r#"ApiKey {realm}, in="query", name="the key""#),
            format!(r#"ApiKey {realm}, in="cookie", name="session""#),
        ]
    );
    let basic = get("/basic", &[]).await;
    let expected = format!(r#"Basic {realm}, charset="UTF-8""#);
    assert_eq!(basic.header("www-authenticate"), expected);
    assert_eq!(
        get("/certificate", &[]).await.header("www-authenticate"),
        ""
    );
}
