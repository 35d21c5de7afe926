//! Pages and files that are the same for all clients, and the responses with them: content coding,
//! conditional requests, caching.

use std::io::Read as _;

use axum::body::Body;
use axum::response::Response;
use bytes::Bytes;
use edge::http::accept::takes_gzip;
use edge::http::gzip;
use flate2::read::GzDecoder;
use generated::runtime::EntityTag;
use http::header::{
    CACHE_CONTROL, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG,
    LOCATION, REFERRER_POLICY, VARY,
};
use http::request::Parts;
use http::{HeaderMap, HeaderValue, Method, StatusCode, Uri};
use tokio::sync::OnceCell;
use tokio::task::spawn_blocking;

/// The type of a page.
pub(crate) const HTML: &str = "text/html; charset=utf-8";

/// Shorter texts are not compressed: they would fill as many packets.
const MIN_COMPRESSED: usize = 1000;

/// How long caches keep a page, and a file that is asked for by its version.
const SHORT: &str = "public, max-age=300";
const FOR_EVER: &str = "public, max-age=31536000, immutable";

/// A page or file. Each content coding of it has an entity tag of its own.
#[derive(Debug)]
pub(crate) struct Page {
    content_type: &'static str,
    policy: &'static str,
    cache: &'static str,
    vary: &'static str,
    tag: EntityTag,
    plain: Plain,
    /// Its compressed form (RFC 9110, section 8.4.1.3).
    gzip: Option<(Bytes, EntityTag)>,
}

/// The bytes of a page.
#[derive(Debug)]
enum Plain {
    Held(Bytes),
    /// Decompressed when the first client asks for it.
    Compressed {
        gzip: &'static [u8],
        plain: OnceCell<Bytes>,
    },
}

/// The representation of a page that a request asks for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Representation {
    is_head: bool,
    takes_gzip: bool,
    /// The client has it already: 304.
    is_not_modified: bool,
    /// The address names its version, so that caches keep it for a year.
    is_versioned: bool,
}

impl Page {
    /// A page or file. Texts are compressed once, here.
    pub(crate) fn new(
        content_type: &'static str,
        policy: &'static str,
        bytes: impl Into<Bytes>,
    ) -> Page {
        let bytes = bytes.into();
        let is_text = content_type.starts_with("text/") || content_type.ends_with("+xml");
        let is_long = bytes.len() >= MIN_COMPRESSED;
        let gzip = (is_text && is_long).then(|| gzip(&bytes)).flatten();
        let page = Page::uncompressed(content_type, policy, bytes);
        match gzip {
            Some(gzip) => {
                let tag = EntityTag::of(&gzip);
                Page {
                    vary: "accept-encoding",
                    gzip: Some((gzip, tag)),
                    ..page
                }
            }
            None => page,
        }
    }

    /// A page that is made for one request, which does not wait for it to be compressed.
    pub(crate) fn uncompressed(
        content_type: &'static str,
        policy: &'static str,
        bytes: Bytes,
    ) -> Page {
        Page {
            content_type,
            policy,
            cache: SHORT,
            vary: "",
            tag: EntityTag::of(&bytes),
            gzip: None,
            plain: Plain::Held(bytes),
        }
    }

    pub(crate) fn html(policy: &'static str, html: String) -> Page {
        Page::new(HTML, policy, html)
    }

    /// A file that is held compressed.
    pub(super) fn compressed(
        content_type: &'static str,
        policy: &'static str,
        gzip: &'static [u8],
    ) -> Page {
        let tag = EntityTag::of(gzip);
        Page {
            content_type,
            policy,
            cache: SHORT,
            vary: "accept-encoding",
            tag: EntityTag::of_parts([b"plain".as_slice(), gzip]),
            gzip: Some((Bytes::from_static(gzip), tag)),
            plain: Plain::Compressed {
                gzip,
                plain: OnceCell::new(),
            },
        }
    }

    /// The same page, kept by caches as this value of `Cache-Control` says.
    pub(crate) fn cached(mut self, cache: &'static str) -> Page {
        self.cache = cache;
        self
    }

    /// The same page, as one of several that `Accept` selects. Shared caches do not keep it: some of them
    /// ignore `Vary`, and would give one client the page of another.
    pub(crate) fn chosen_by_accept(mut self) -> Page {
        self.vary = "accept, accept-encoding";
        self.cache = "private, max-age=300";
        self
    }

    /// The response to a GET or HEAD.
    pub(crate) async fn answer_to(&self, asked: &Parts) -> Response {
        let representation = self.negotiate(&asked.method, &asked.uri, &asked.headers);
        self.answer(representation).await
    }

    /// The text of a page.
    #[cfg(test)]
    pub(crate) fn text(&self) -> &str {
        match &self.plain {
            Plain::Held(bytes) => std::str::from_utf8(bytes).unwrap(),
            Plain::Compressed { .. } => panic!("it is a file"),
        }
    }

    /// The version of the content: a part of its entity tag.
    pub(super) fn version(&self) -> &str {
        let tag = self.tag.as_str().trim_matches('"');
        tag.get(..16).unwrap_or(tag)
    }

    /// The representation of this page that a request asks for.
    pub(super) fn negotiate(
        &self,
        method: &Method,
        target: &Uri,
        headers: &HeaderMap,
    ) -> Representation {
        let takes_gzip = self.gzip.is_some() && takes_gzip(headers);
        let version = target.query().and_then(|query| query.strip_prefix("v="));
        // Anybody can read the version of a page in its tag, and pages change at their addresses.
        let is_file = target.path().starts_with("/assets/");
        Representation {
            is_head: method == Method::HEAD,
            takes_gzip,
            is_not_modified: self.tag(takes_gzip).is_held(headers),
            is_versioned: is_file && version == Some(self.version()),
        }
    }

    fn tag(&self, compressed: bool) -> &EntityTag {
        let gzip = self.gzip.as_ref().filter(|_| compressed);
        gzip.map_or(&self.tag, |(_, tag)| tag)
    }

    pub(super) async fn answer(&self, representation: Representation) -> Response {
        let mut response = Response::new(Body::empty());
        self.describe(response.headers_mut(), representation);
        if representation.is_not_modified {
            *response.status_mut() = StatusCode::NOT_MODIFIED;
            return response;
        }
        let bytes = self.bytes(representation.takes_gzip).await;
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(self.content_type));
        headers.insert(CONTENT_LENGTH, bytes.len().into());
        if representation.takes_gzip {
            headers.insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        }
        if !representation.is_head {
            *response.body_mut() = Body::from(bytes);
        }
        response
    }

    /// Sets the headers that 200 and 304 share.
    fn describe(&self, headers: &mut HeaderMap, representation: Representation) {
        let cache = if representation.is_versioned {
            FOR_EVER
        } else {
            self.cache
        };
        for (name, value) in [
            (CONTENT_SECURITY_POLICY, self.policy),
            (REFERRER_POLICY, "no-referrer"),
            (CACHE_CONTROL, cache),
        ] {
            headers.insert(name, HeaderValue::from_static(value));
        }
        if !self.vary.is_empty() {
            headers.insert(VARY, HeaderValue::from_static(self.vary));
        }
        if let Ok(tag) = HeaderValue::try_from(self.tag(representation.takes_gzip).as_str()) {
            headers.insert(ETAG, tag);
        }
    }

    async fn bytes(&self, compressed: bool) -> Bytes {
        match (&self.gzip, &self.plain) {
            (Some((gzip, _)), _) if compressed => gzip.clone(),
            (_, Plain::Held(bytes)) => bytes.clone(),
            (_, Plain::Compressed { gzip, plain }) => {
                plain.get_or_init(|| gunzip(gzip)).await.clone()
            }
        }
    }
}

/// Decompresses a file on a thread for blocking work.
async fn gunzip(gzip: &'static [u8]) -> Bytes {
    let decompressing = spawn_blocking(move || {
        let mut plain = Vec::new();
        // The file is checked by a test, so this reads to its end.
        let _ = GzDecoder::new(gzip).read_to_end(&mut plain);
        plain.into()
    });
    decompressing.await.unwrap_or_default()
}

/// A permanent redirect to another page.
pub(super) fn redirect(to: &'static str) -> Response {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::PERMANENT_REDIRECT;
    let headers = response.headers_mut();
    headers.insert(LOCATION, HeaderValue::from_static(to));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static(SHORT));
    response
}
