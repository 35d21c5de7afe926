//! Every way to show a credential, alone and combined, to hosts that know some of them; and what is
//! put around operations.

use axum::body::Body;
use bytes::Bytes;
use http::header::WWW_AUTHENTICATE;
use http::{HeaderValue, Request, Response};
use nasty::{Answer, carry, send};
use security_api::api::doors::*;
use security_api::client::{Client, Transport};
use security_api::operations::OperationId;
use security_api::runtime::credential::{ApiKey, Authorization, Basic, Bearer};
use security_api::runtime::{Demand, Endpoint, Matched, Service};
use security_api::security::{
    KeyAndBasic, KeyAndQuery, KeyOrBearer, OauthOrKeyAndQueryOrCookie, Security,
};
use security_api::service::{self, Dispatcher};
use security_api::{Admission, Denial, Failure, Host, Visit};
use std::convert::Infallible;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};

/// What the transport knows of a client's certificate.
#[derive(Clone)]
struct Certificate(&'static str);

/// Put into extensions by a layer.
#[derive(Clone)]
struct Note(&'static str);

/// Knows everybody who shows `good` of something, and remembers what it was asked.
#[derive(Default)]
struct Guarded {
    asked: Mutex<Vec<String>>,
    observed: Mutex<Vec<String>>,
}

impl Guarded {
    fn ask(&self, scheme: &str, secret: &str) -> Result<String, Denial> {
        let mut asked = self.asked.lock().expect("a lock");
        asked.push(scheme.to_owned());
        match secret {
            "panic" => panic!("the hook fails"),
            "down" => Err(Failure::Unavailable { retry_after: 3 })?,
            "often" => Err(Denial::RateLimited),
            secret if secret.starts_with("good") => Ok(format!("{scheme} {secret}")),
            _ => Err(Denial::CredentialInvalid),
        }
    }
}

/// Answers with the name of who called.
macro_rules! doors {
    ($($method:ident($($principal:ident: $type:ty)?) -> $response:ident = $text:expr;)*) => {
        impl DoorsApi for Guarded {
            $(async fn $method(&self $(, $principal: $type)?) -> Result<$response, Failure> {
                Ok($response::Ok { body: $text })
            })*

            async fn body(
                &self,
                principal: String,
                extensions: http::Extensions,
                headers: http::HeaderMap,
                body: String,
            ) -> Result<BodyResponse, Failure> {
                let note = extensions.get::<Note>().map_or("nothing", |note| note.0);
                let printed = format!("{headers:?}");
                assert!(printed.contains("text/odd") && !printed.contains("good"), "{printed}");
                Ok(BodyResponse::Ok { body: format!("{principal}, {body}, {note}") })
            }

            async fn fails(&self) -> Result<FailsResponse, Failure> {
                panic!("the handler fails")
            }
        }
    };
}

doors! {
    public() -> PublicResponse = "anybody".into();
    header(principal: String) -> HeaderResponse = principal;
    query(principal: String) -> QueryResponse = principal;
    cookie(principal: String) -> CookieResponse = principal;
    basic(principal: String) -> BasicResponse = principal;
    bearer(principal: String) -> BearerResponse = principal;
    digest(principal: String) -> DigestResponse = principal;
    certificate(principal: &'static str) -> CertificateResponse = principal.into();
    oauth(principal: String) -> OauthResponse = principal;
    either_scope(principal: String) -> EitherScopeResponse = principal;
    openid(principal: String) -> OpenidResponse = principal;
    both(principal: KeyAndBasic<String, String>) -> BothResponse = {
        let KeyAndBasic { key, basic } = principal;
        format!("{basic} and {key}")
    };
    any(principal: OauthOrKeyAndQueryOrCookie<String, String, String, String>) -> AnyResponse = {
        match principal {
            OauthOrKeyAndQueryOrCookie::Oauth(who) => format!("1: {who}"),
            OauthOrKeyAndQueryOrCookie::KeyAndQuery(KeyAndQuery { key, query }) => {
                format!("2: {key} and {query}")
            }
            OauthOrKeyAndQueryOrCookie::Cookie(who) => format!("3: {who}"),
        }
    };
    optional(principal: Option<KeyOrBearer<String, String>>) -> OptionalResponse = match principal {
        None => "nobody".into(),
        Some(KeyOrBearer::Key(who) | KeyOrBearer::Bearer(who)) => who,
    };
}

impl service::Faults for Guarded {}

impl Host for Guarded {
    type Visitor = u8;
    type Error = Failure;

    async fn admit(&self, visit: Visit<'_>) -> Admission<u8> {
        assert!(!format!("{visit:?}").contains("good"));
        Admission {
            outcome: Ok(7),
            headers: vec![(http::header::VIA, "gate".parse().expect("text"))],
        }
    }

    async fn observe<F>(&self, matched: Matched, answering: F) -> Response<Body>
    where
        F: Future<Output = Response<Body>> + Send,
    {
        let response = answering.await;
        let seen = format!(
            "{} {} {} {}",
            matched.method(),
            matched.route(),
            matched.id(),
            response.status().as_u16()
        );
        self.observed.lock().expect("a lock").push(seen);
        response
    }
}

impl Security for Guarded {
    type Key = String;
    type Query = String;
    type Cookie = String;
    type Basic = String;
    type Bearer = String;
    type Digest = String;
    type Certificate = &'static str;
    type CertificateCertificate = Certificate;
    type Oauth = String;
    type Openid = String;

    async fn key(&self, key: ApiKey<'_>, demand: Demand<'_, u8>) -> Result<String, Denial> {
        assert_eq!(*demand.visitor, 7);
        assert!(!format!("{key:?} {demand:?}").contains(key.secret()));
        self.ask("key", key.secret())
    }

    async fn query(&self, key: ApiKey<'_>, _: Demand<'_, u8>) -> Result<String, Denial> {
        self.ask("query", key.secret())
    }

    async fn cookie(&self, key: ApiKey<'_>, _: Demand<'_, u8>) -> Result<String, Denial> {
        self.ask("cookie", key.secret())
    }

    async fn basic(&self, login: Basic, _: Demand<'_, u8>) -> Result<String, Denial> {
        assert_eq!(format!("{login:?}"), "Basic(hidden)");
        let Basic { user, password } = login;
        let who = self.ask("basic", &password)?;
        Ok(format!("{who} of {user}"))
    }

    async fn bearer(&self, token: Bearer<'_>, _: Demand<'_, u8>) -> Result<String, Denial> {
        self.ask("bearer", token.secret())
    }

    async fn digest(&self, shown: Authorization<'_>, _: Demand<'_, u8>) -> Result<String, Denial> {
        self.ask("digest", shown.secret())
    }

    async fn certificate(
        &self,
        shown: &Certificate,
        _: Demand<'_, u8>,
    ) -> Result<&'static str, Denial> {
        match shown.0 {
            "" => Err(Denial::CredentialInvalid),
            name => Ok(name),
        }
    }

    /// Tokens name their scopes: `good+read`.
    async fn oauth(&self, token: Bearer<'_>, demand: Demand<'_, u8>) -> Result<String, Denial> {
        let who = self.ask("oauth", token.secret())?;
        let has = |scope: &&&str| !token.secret().contains(**scope);
        match demand.scopes.iter().find(has) {
            Some(_) => Err(Denial::ScopeInsufficient),
            None => Ok(format!("{who} for {}", demand.scopes.join(" "))),
        }
    }

    async fn openid(&self, token: Bearer<'_>, demand: Demand<'_, u8>) -> Result<String, Denial> {
        assert_eq!(
            (demand.operation.id, demand.scopes),
            ("openid", &["profile"][..])
        );
        self.ask("openid", token.secret())
    }
}

type Doors = Service<Dispatcher<Guarded>>;

fn doors() -> (Arc<Guarded>, Doors) {
    let host = Arc::new(Guarded::default());
    (
        Arc::clone(&host),
        service::service(host, Default::default()),
    )
}

async fn get(target: &str, headers: &[(&str, &[u8])]) -> Answer {
    let mut request = Request::get(target);
    for (name, value) in headers {
        request = request.header(*name, HeaderValue::from_bytes(value).expect("a header"));
    }
    send(&doors().1, request.body(Bytes::new()).expect("a request")).await
}

/// The status and, of 200, who was recognized.
#[track_caller]
fn said(answer: &Answer) -> String {
    assert_eq!(answer.header("via"), "gate");
    let body = String::from_utf8(answer.body.to_vec()).expect("text");
    assert!(!body.contains("bad"), "{body}");
    match answer.status {
        200 => body,
        status => status.to_string(),
    }
}

const AUTH: &str = "authorization";

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

/// Adds to a text what a request passes, and how it is answered.
#[derive(Clone)]
struct Trace(&'static str, Arc<Mutex<String>>);

#[derive(Clone)]
struct Traced<S>(S, Trace);

impl<S> tower_layer::Layer<S> for Trace {
    type Service = Traced<S>;

    fn layer(&self, inner: S) -> Traced<S> {
        Traced(inner, self.clone())
    }
}

impl<S> tower_service::Service<Request<Body>> for Traced<S>
where
    S: tower_service::Service<Request<Body>, Response = Response<Body>, Error = Infallible>,
    S::Future: Send + 'static,
{
    type Response = Response<Body>;
    type Error = Failure;
    type Future = std::pin::Pin<Box<dyn Future<Output = Result<Response<Body>, Failure>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Failure>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, mut request: Request<Body>) -> Self::Future {
        let Trace(name, trace) = self.1.clone();
        let id = request.extensions().get::<Matched>().expect("a match").id();
        trace
            .lock()
            .expect("a lock")
            .push_str(&format!("{name} {id}, "));
        assert!(
            !request.headers().contains_key("x-panic"),
            "the layer fails"
        );
        let fails = request.headers().contains_key("x-fail");
        request.extensions_mut().insert(Note(name));
        let answering = self.0.call(request);
        Box::pin(async move {
            if fails {
                return Err(Failure::Unavailable { retry_after: 1 });
            }
            let Ok(response) = answering.await;
            let status = response.status().as_u16();
            trace
                .lock()
                .expect("a lock")
                .push_str(&format!("{name} {status}, "));
            Ok(response)
        })
    }
}

#[tokio::test]
async fn layers_surround_one_operation_or_all_and_know_which() {
    let trace = Arc::new(Mutex::new(String::new()));
    let layer = |name| Trace(name, Arc::clone(&trace));
    let (host, doors) = doors();
    let doors = doors
        .layer(OperationId::Body, &layer("inner"))
        .layer_all(&layer("all"))
        .layer(OperationId::Body, &layer("outer"));
    let ask = async |line: &str, headers: &[(&'static str, &'static str)]| {
        let (method, path) = line.split_once(' ').expect("a line");
        let mut request = Request::builder().method(method).uri(path);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let request = request
            .header("x-odd", "text/odd")
            .body(Bytes::from("\"b\""));
        let answer = send(&doors, request.expect("a request")).await;
        (
            said(&answer),
            std::mem::take(&mut *trace.lock().expect("a lock")),
        )
    };
    const JSON: (&str, &str) = ("content-type", "application/json");
    let good = ("x-key", "good");
    let (body, passed) = ask("POST /body", &[JSON, good]).await;
    assert_eq!(body, "key good, b, inner");
    assert_eq!(
        passed,
        "outer body, all body, inner body, inner 200, all 200, outer 200, "
    );
    // A layer sees what its operation refuses and how it fails.
    let (_, passed) = ask("POST /body", &[JSON]).await;
    assert!(
        passed.ends_with("inner 401, all 401, outer 401, "),
        "{passed}"
    );
    assert_eq!(
        ask("GET /fails", &[]).await,
        ("500".into(), "all fails, all 500, ".into())
    );
    assert_eq!(
        ask("GET /nowhere", &[]).await,
        ("404".into(), String::new())
    );
    assert_eq!(ask("GET /public", &[("x-fail", "")]).await.0, "503");
    assert_eq!(ask("GET /public", &[("x-panic", "")]).await.0, "500");
    let observed = host.observed.lock().expect("a lock");
    assert_eq!(
        observed.first().map(String::as_str),
        Some("POST /body body 200")
    );
    assert_eq!(
        observed.last().map(String::as_str),
        Some("GET /public public 500")
    );
    assert!(
        observed.contains(&"GET  <unmatched> 404".to_owned()),
        "{observed:?}"
    );
}

#[test]
fn operations_are_known_by_their_ids() {
    assert_eq!(
        OperationId::named("eitherScope"),
        Some(OperationId::EitherScope)
    );
    assert_eq!(OperationId::named("eitherscope"), None);
    assert_eq!(OperationId::EitherScope.operation().path, "/either-scope");
    let all = OperationId::ALL.iter().enumerate();
    assert!(
        all.into_iter()
            .all(|(index, id)| id.operation().index == index)
    );
    let _: fn(&Endpoint<Dispatcher<Guarded>>) -> Endpoint<Dispatcher<Guarded>> = Clone::clone;
}

/// Where credentials can be in a request, and what is there.
fn shown(headers: &http::HeaderMap, query: Option<&str>) -> String {
    let names = ["authorization", "x-key", "cookie"];
    let values = names.iter().filter_map(|name| headers.get(*name));
    let mut all: Vec<&str> = values.map(|value| value.to_str().expect("text")).collect();
    all.extend(query);
    all.join(" | ")
}

/// The generated client's way to the service; it notes what was shown.
struct InProcess(Doors, Arc<Mutex<String>>);

impl std::fmt::Debug for InProcess {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("InProcess")
    }
}

impl Transport for InProcess {
    type Error = Infallible;

    async fn send(&self, request: Request<Body>) -> Result<Response<Body>, Infallible> {
        *self.1.lock().expect("a lock") = shown(request.headers(), request.uri().query());
        carry(&self.0, request).await
    }
}

#[tokio::test]
async fn the_client_shows_what_an_operation_asks_for_and_nothing_else() {
    let shown = Arc::new(Mutex::new(String::new()));
    let client = || {
        Client::new(
            "http://doors.invalid",
            InProcess(doors().1, Arc::clone(&shown)),
        )
    };
    let seen = || std::mem::take(&mut *shown.lock().expect("a lock"));
    let all = client()
        .with_key("good")
        .and_then(|client| client.with_query("good & more"))
        .and_then(|client| client.with_cookie("good"))
        .and_then(|client| client.with_basic("ada", "good"))
        .and_then(|client| client.with_digest("good"))
        .and_then(|client| client.with_oauth("good.read"))
        .expect("credentials");
    assert!(!format!("{all:?}").contains("good"));
    assert!(matches!(all.public().await, Ok(PublicResponse::Ok { .. })));
    assert_eq!(seen(), "");
    assert!(
        matches!(all.query().await, Ok(QueryResponse::Ok { body }) if body == "query good & more")
    );
    assert_eq!(seen(), "the%20key=good%20%26%20more");
    assert!(matches!(all.cookie().await, Ok(CookieResponse::Ok { .. })));
    assert_eq!(seen(), "session=good");
    assert!(matches!(all.both().await, Ok(BothResponse::Ok { .. })));
    assert_eq!(seen(), "Basic YWRhOmdvb2Q= | good");
    assert!(matches!(all.digest().await, Ok(DigestResponse::Ok { .. })));
    assert_eq!(seen(), "Digest good");
    assert!(matches!(all.any().await, Ok(AnyResponse::Ok { body }) if body.starts_with("1: ")));
    assert_eq!(seen(), "Bearer good.read");
    assert!(all.bearer().await.is_err());
    assert_eq!(seen(), "");
    let keys = client()
        .with_key("good")
        .and_then(|client| client.with_query("good"));
    let keys = keys.expect("credentials");
    assert!(matches!(keys.any().await, Ok(AnyResponse::Ok { body }) if body.starts_with("2: ")));
    assert_eq!(seen(), "good | the%20key=good");
    assert!(
        matches!(keys.optional().await, Ok(OptionalResponse::Ok { body }) if body == "key good")
    );
    assert!(client().with_basic("a:b", "c").is_err());
    assert!(client().with_cookie("a;b").is_err());
    assert!(client().with_key("a\nb").is_err());
}
