//! Compression of long public answers of the API, for clients that accept gzip (RFC 9110, section 8.4.1.3).
//!
//! A public answer is the same for many clients: its compressed form is made once, and cached while there is
//! room. Each coding has an entity tag of its own, the compressed one that of the plain one with `-gzip` in it, so
//! that the API checks `If-None-Match` of both. Answers to one caller alone are not compressed: the length of a
//! compressed answer tells about a secret in it (BREACH).
//!
//! The layer of `tower-http` compresses each answer anew, private ones too, and weakens tags.

use std::collections::VecDeque;
use std::io::Write as _;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};

use axum::body::Body;
use axum::response::Response;
use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use http::header::{
    CACHE_CONTROL, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, ETAG, IF_NONE_MATCH,
};
use http::{HeaderMap, HeaderValue, Method, Request, StatusCode};
use http_body::Body as _;
use http_body_util::BodyExt as _;
use runtime::EntityTag;
use tokio::task::spawn_blocking;

use super::accept::takes_gzip;
use super::serve::Handler;

/// Shorter answers are not compressed: they would fill as many packets.
const MIN_COMPRESSED: u64 = 1000;

/// The most compressed answers in the cache.
const MAX_CACHED: usize = 64;

/// The suffix of the tag of a compressed answer, before its last quote.
const SUFFIX: &str = "-gzip";

/// An API `S` whose long public answers are compressed for those who ask.
#[derive(Clone)]
pub struct Compressed<S> {
    inner: S,
    /// Compressed answers by the tags of their plain bytes, the oldest first.
    cache: Arc<Mutex<VecDeque<(EntityTag, Bytes)>>>,
}

impl<S> Compressed<S> {
    /// Compresses the answers of `inner`.
    pub fn new(inner: S) -> Self {
        Self {
            inner,
            cache: Arc::default(),
        }
    }

    /// The bytes, compressed now or before.
    async fn gzip(&self, plain: Bytes) -> Option<Bytes> {
        let tag = EntityTag::of(&plain);
        let known = {
            let cache = self.cache.lock().unwrap_or_else(PoisonError::into_inner);
            let found = cache.iter().find(|(other, _)| *other == tag);
            found.map(|(_, gzip)| gzip.clone())
        };
        if known.is_some() {
            return known;
        }
        // A page of 200 items takes a millisecond.
        let gzip = spawn_blocking(move || gzip(&plain)).await.ok()??;
        let mut cache = self.cache.lock().unwrap_or_else(PoisonError::into_inner);
        if cache.len() == MAX_CACHED {
            cache.pop_front();
        }
        cache.push_back((tag, gzip.clone()));
        Some(gzip)
    }

    async fn compress(&self, response: Response) -> Response {
        let (mut parts, body) = response.into_parts();
        let Ok(plain) = body.collect().await.map(|body| body.to_bytes()) else {
            return Response::from_parts(parts, Body::empty());
        };
        let Some(gzip) = self.gzip(plain.clone()).await else {
            return Response::from_parts(parts, Body::from(plain));
        };
        parts.headers.insert(CONTENT_LENGTH, gzip.len().into());
        let coding = HeaderValue::from_static("gzip");
        parts.headers.insert(CONTENT_ENCODING, coding);
        add_suffix(&mut parts.headers);
        Response::from_parts(parts, Body::from(gzip))
    }
}

impl<S: Handler> Handler for Compressed<S> {
    async fn handle(&self, peer: SocketAddr, mut request: Request<Body>) -> Response {
        let is_head = *request.method() == Method::HEAD;
        if !(is_head || *request.method() == Method::GET) || !takes_gzip(request.headers()) {
            return self.inner.handle(peer, request).await;
        }
        // HEAD has the headers of GET, which depend on the compressed body.
        *request.method_mut() = Method::GET;
        let response = self.get(peer, request).await;
        match is_head {
            true => without_body(response),
            false => response,
        }
    }
}

impl<S: Handler> Compressed<S> {
    async fn get(&self, peer: SocketAddr, mut request: Request<Body>) -> Response {
        let holds_gzip = remove_suffix(request.headers_mut());
        let mut response = self.inner.handle(peer, request).await;
        if is_worth_compressing(&response) {
            return self.compress(response).await;
        }
        if holds_gzip && response.status() == StatusCode::NOT_MODIFIED {
            add_suffix(response.headers_mut());
        }
        response
    }
}

/// The response to HEAD, with the length of the body that GET gets.
fn without_body(mut response: Response) -> Response {
    let length = response.body().size_hint().exact();
    if let Some(length) = length
        && response.status() != StatusCode::NOT_MODIFIED
    {
        response.headers_mut().insert(CONTENT_LENGTH, length.into());
    }
    response.map(|_| Body::empty())
}

/// Whether an answer is public, long and a text, and its whole body is there.
fn is_worth_compressing(response: &Response) -> bool {
    let begins = |name, start: &str| {
        let value = response.headers().get(name);
        value.is_some_and(|value| value.as_bytes().starts_with(start.as_bytes()))
    };
    let length = response.body().size_hint().exact();
    response.status() == StatusCode::OK
        && length.is_some_and(|length| length >= MIN_COMPRESSED)
        && begins(CACHE_CONTROL, "public")
        && begins(CONTENT_TYPE, "application/")
        && !response.headers().contains_key(CONTENT_ENCODING)
}

/// Makes the tag of the plain answer that of the compressed one.
fn add_suffix(headers: &mut HeaderMap) {
    let tag = headers.get(ETAG).and_then(|tag| tag.to_str().ok());
    let suffixed = tag.and_then(|tag| Some(format!("{}{SUFFIX}\"", tag.strip_suffix('"')?)));
    if let Some(Ok(suffixed)) = suffixed.map(HeaderValue::try_from) {
        headers.insert(ETAG, suffixed);
    }
}

/// Makes tags of compressed answers in `If-None-Match` those of the plain ones; whether there are any.
fn remove_suffix(headers: &mut HeaderMap) -> bool {
    let end = format!("{SUFFIX}\"");
    let lines = headers.get_all(IF_NONE_MATCH).iter();
    let lines: Vec<_> = lines.filter_map(|line| line.to_str().ok()).collect();
    if !lines.iter().any(|line| line.contains(&end)) {
        return false;
    }
    let plain = lines.join(", ").replace(&end, "\"");
    let Ok(plain) = HeaderValue::try_from(plain) else {
        return false;
    };
    headers.insert(IF_NONE_MATCH, plain);
    true
}

/// The compressed bytes; `None` if they are not fewer.
pub fn gzip(bytes: &[u8]) -> Option<Bytes> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).ok()?;
    let compressed = encoder.finish().ok()?;
    (compressed.len() < bytes.len()).then(|| compressed.into())
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use flate2::read::GzDecoder;
    use http::header::ACCEPT_ENCODING;

    use super::*;

    /// Answers with a long body of a kind, unless the caller holds it.
    #[derive(Clone)]
    struct Api {
        cache: &'static str,
        length: usize,
    }

    impl Handler for Api {
        async fn handle(&self, _: SocketAddr, request: Request<Body>) -> Response {
            let body = "a".repeat(self.length);
            let tag = EntityTag::of(body.as_bytes());
            let mut response = Response::new(Body::from(body));
            if tag.is_held(request.headers()) {
                response = Response::new(Body::empty());
                *response.status_mut() = StatusCode::NOT_MODIFIED;
            }
            let headers = response.headers_mut();
            headers.insert(ETAG, tag.as_str().parse().unwrap());
            headers.insert(CACHE_CONTROL, HeaderValue::from_static(self.cache));
            headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
            response
        }
    }

    const PUBLIC: Api = Api {
        cache: "public, max-age=60",
        length: 5000,
    };

    async fn ask(api: Api, headers: &[(http::HeaderName, &str)]) -> Response {
        send(api, Method::GET, headers).await
    }

    async fn send(api: Api, method: Method, headers: &[(http::HeaderName, &str)]) -> Response {
        let request = Request::builder().method(method).uri("/");
        let mut request = request.body(Body::empty()).unwrap();
        for (name, value) in headers {
            let value = HeaderValue::from_str(value).unwrap();
            request.headers_mut().append(name, value);
        }
        let peer = SocketAddr::from(([127, 0, 0, 1], 1));
        Compressed::new(api).handle(peer, request).await
    }

    fn is_gzip(response: &Response) -> bool {
        response.headers().contains_key(CONTENT_ENCODING)
    }

    #[tokio::test]
    async fn a_long_public_answer_is_compressed_for_those_who_ask() {
        let plain = ask(PUBLIC, &[]).await;
        assert!(!is_gzip(&plain));
        let response = ask(PUBLIC, &[(ACCEPT_ENCODING, "br, gzip")]).await;
        assert!(is_gzip(&response));
        assert_ne!(plain.headers()[ETAG], response.headers()[ETAG]);
        let bytes = response.into_body().collect().await.unwrap().to_bytes();
        let mut text = String::new();
        GzDecoder::new(&*bytes).read_to_string(&mut text).unwrap();
        assert_eq!(text, "a".repeat(5000));
    }

    #[tokio::test]
    async fn head_has_the_headers_of_get() {
        let short = Api {
            length: 900,
            ..PUBLIC
        };
        let gzip = (ACCEPT_ENCODING, "gzip");
        let tag = ask(PUBLIC, std::slice::from_ref(&gzip)).await.headers()[ETAG].clone();
        let held = (IF_NONE_MATCH, tag.to_str().unwrap());
        for (api, headers) in [
            (PUBLIC, &[gzip.clone()][..]),
            (short, std::slice::from_ref(&gzip)),
            (PUBLIC, &[gzip.clone(), held]),
        ] {
            let get = ask(api.clone(), headers).await;
            let head = send(api, Method::HEAD, headers).await;
            let sent = get.body().size_hint().exact().unwrap();
            assert_eq!(get.status(), head.status());
            for name in [ETAG, CONTENT_ENCODING, CONTENT_TYPE] {
                assert_eq!(
                    get.headers().get(&name),
                    head.headers().get(&name),
                    "{name}"
                );
            }
            if get.status() == StatusCode::OK {
                assert_eq!(head.headers()[CONTENT_LENGTH], HeaderValue::from(sent));
            }
            assert!(
                head.into_body()
                    .collect()
                    .await
                    .unwrap()
                    .to_bytes()
                    .is_empty()
            );
        }
    }

    #[tokio::test]
    async fn short_and_private_answers_stay_as_they_are() {
        let short = Api {
            length: 900,
            ..PUBLIC
        };
        let private = Api {
            cache: "private, no-store",
            ..PUBLIC
        };
        for api in [short, private] {
            assert!(!is_gzip(&ask(api, &[(ACCEPT_ENCODING, "gzip")]).await));
        }
    }

    #[tokio::test]
    async fn each_coding_is_held_by_its_own_tag() {
        let gzip = (ACCEPT_ENCODING, "gzip");
        let response = ask(PUBLIC, std::slice::from_ref(&gzip)).await;
        let tag = response.headers()[ETAG].to_str().unwrap().to_owned();
        let held = ask(PUBLIC, &[gzip, (IF_NONE_MATCH, &tag)]).await;
        assert_eq!(held.status(), StatusCode::NOT_MODIFIED);
        assert_eq!(held.headers()[ETAG], tag.as_str());
        // A client without gzip does not have the plain response.
        let plain = ask(PUBLIC, &[(IF_NONE_MATCH, &tag)]).await;
        assert_eq!(plain.status(), StatusCode::OK);
    }
}
