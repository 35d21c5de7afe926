//! A host behind doors of every kind.

use axum::body::Body;
use bytes::Bytes;
use http::{HeaderValue, Request, Response};
use behaviour::{Answer, send};
use security_api::api::doors::*;
use security_api::runtime::credential::{ApiKey, Authorization, Basic, Bearer};
use security_api::runtime::{Demand, Matched, Service};
use security_api::security::{
    KeyAndBasic, KeyAndQuery, KeyOrBearer, OauthOrKeyAndQueryOrCookie, Security,
};
use security_api::service::{self, Dispatcher};
use security_api::{Admission, AuthError, HandlerError, Host, RequestHead};
use std::sync::{Arc, Mutex};

/// A client's certificate, as the transport knows it.
#[derive(Clone)]
pub(crate) struct Certificate(pub(crate) &'static str);

/// Put into extensions by a layer.
#[derive(Clone)]
pub(crate) struct Note(pub(crate) &'static str);

/// Accepts every credential that is `good`, and remembers the requests.
#[derive(Default)]
pub(crate) struct Guarded {
    pub(crate) asked: Mutex<Vec<String>>,
    pub(crate) observed: Mutex<Vec<String>>,
}

impl Guarded {
    fn ask(&self, scheme: &str, secret: &str) -> Result<String, AuthError> {
        let mut asked = self.asked.lock().expect("a lock");
        asked.push(scheme.to_owned());
        match secret {
            "panic" => panic!("the hook fails"),
            "down" => Err(HandlerError::Unavailable { retry_after: 3 })?,
            "often" => Err(AuthError::RateLimited),
            secret if secret.starts_with("good") => Ok(format!("{scheme} {secret}")),
            _ => Err(AuthError::CredentialInvalid),
        }
    }
}

/// Answers with the name of the caller.
macro_rules! doors {
    ($($method:ident($($principal:ident: $type:ty)?) -> $response:ident = $text:expr;)*) => {
        impl DoorsApi for Guarded {
            $(async fn $method(&self $(, $principal: $type)?) -> Result<$response, HandlerError> {
                Ok($response::Ok { body: $text })
            })*

            async fn body(
                &self,
                principal: String,
                extensions: http::Extensions,
                headers: http::HeaderMap,
                body: String,
            ) -> Result<BodyResponse, HandlerError> {
                let note = extensions.get::<Note>().map_or("nothing", |note| note.0);
                let printed = format!("{headers:?}");
                assert!(printed.contains("text/odd") && !printed.contains("good"), "{printed}");
                Ok(BodyResponse::Ok { body: format!("{principal}, {body}, {note}") })
            }

            async fn fails(&self) -> Result<FailsResponse, HandlerError> {
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
    type Context = u8;
    type Error = HandlerError;

    async fn admit(&self, visit: RequestHead<'_>) -> Admission<u8> {
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

    async fn key(&self, key: ApiKey<'_>, demand: Demand<'_, u8>) -> Result<String, AuthError> {
        assert_eq!(*demand.context, 7);
        assert!(!format!("{key:?} {demand:?}").contains(key.secret()));
        self.ask("key", key.secret())
    }

    async fn query(&self, key: ApiKey<'_>, _: Demand<'_, u8>) -> Result<String, AuthError> {
        self.ask("query", key.secret())
    }

    async fn cookie(&self, key: ApiKey<'_>, _: Demand<'_, u8>) -> Result<String, AuthError> {
        self.ask("cookie", key.secret())
    }

    async fn basic(&self, login: Basic, _: Demand<'_, u8>) -> Result<String, AuthError> {
        assert_eq!(format!("{login:?}"), "Basic(hidden)");
        let Basic { user, password } = login;
        let who = self.ask("basic", &password)?;
        Ok(format!("{who} of {user}"))
    }

    async fn bearer(&self, token: Bearer<'_>, _: Demand<'_, u8>) -> Result<String, AuthError> {
        self.ask("bearer", token.secret())
    }

    async fn digest(&self, shown: Authorization<'_>, _: Demand<'_, u8>) -> Result<String, AuthError> {
        self.ask("digest", shown.secret())
    }

    async fn certificate(
        &self,
        shown: &Certificate,
        _: Demand<'_, u8>,
    ) -> Result<&'static str, AuthError> {
        match shown.0 {
            "" => Err(AuthError::CredentialInvalid),
            name => Ok(name),
        }
    }

    /// Tokens name their scopes: `good+read`.
    async fn oauth(&self, token: Bearer<'_>, demand: Demand<'_, u8>) -> Result<String, AuthError> {
        let who = self.ask("oauth", token.secret())?;
        let has = |scope: &&&str| !token.secret().contains(**scope);
        match demand.scopes.iter().find(has) {
            Some(_) => Err(AuthError::ScopeInsufficient),
            None => Ok(format!("{who} for {}", demand.scopes.join(" "))),
        }
    }

    async fn openid(&self, token: Bearer<'_>, demand: Demand<'_, u8>) -> Result<String, AuthError> {
        assert_eq!(
            (demand.operation.id, demand.scopes),
            ("openid", &["profile"][..])
        );
        self.ask("openid", token.secret())
    }
}

pub(crate) type Doors = Service<Dispatcher<Guarded>>;

pub(crate) fn doors() -> (Arc<Guarded>, Doors) {
    let host = Arc::new(Guarded::default());
    (
        Arc::clone(&host),
        service::service(host, Default::default()),
    )
}

pub(crate) async fn get(target: &str, headers: &[(&str, &[u8])]) -> Answer {
    let mut request = Request::get(target);
    for (name, value) in headers {
        request = request.header(*name, HeaderValue::from_bytes(value).expect("a header"));
    }
    send(&doors().1, request.body(Bytes::new()).expect("a request")).await
}

/// The status and, of 200, the name of the caller.
#[track_caller]
pub(crate) fn said(answer: &Answer) -> String {
    assert_eq!(answer.header("via"), "gate");
    let body = String::from_utf8(answer.body.to_vec()).expect("text");
    assert!(!body.contains("bad"), "{body}");
    match answer.status {
        200 => body,
        status => status.to_string(),
    }
}

pub(crate) const AUTH: &str = "authorization";
