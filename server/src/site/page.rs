//! A page or a file of one, the same for all clients, and its responses.

use std::io::{Read as _, Write as _};

use axum::body::Body;
use axum::response::Response;
use bytes::Bytes;
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use generated::runtime::EntityTag;
use http::header::{
    CACHE_CONTROL, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG,
    LOCATION, REFERRER_POLICY, VARY,
};
use http::request::Parts;
use http::{HeaderMap, HeaderValue, Method, StatusCode, Uri};
use tokio::sync::OnceCell;
use tokio::task::spawn_blocking;

use crate::http::accept::takes_gzip;

/// The type of a page.
pub(crate) const HTML: &str = "text/html; charset=utf-8";

/// Shorter texts are sent as they are: compressed, they fill as many packets.
const WORTH_COMPRESSING: usize = 1000;

/// How long caches keep a page, and a file that is asked for by its version.
const SHORT: &str = "public, max-age=300";
const FOR_EVER: &str = "public, max-age=31536000, immutable";

/// A page or a file of one. Each content coding of it has a tag of its own.
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
    /// Decompressed once a client asks for that.
    Compressed {
        gzip: &'static [u8],
        plain: OnceCell<Bytes>,
    },
}

/// The answer that a request gets.
#[derive(Debug, Clone, Copy)]
pub(super) struct Form {
    is_head: bool,
    takes_gzip: bool,
    /// The client has this representation already: 304.
    is_held: bool,
    is_named_by_version: bool,
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
        let is_long = bytes.len() >= WORTH_COMPRESSING;
        let gzip = (is_text && is_long).then(|| gzip(&bytes)).flatten();
        Page {
            content_type,
            policy,
            cache: SHORT,
            vary: if gzip.is_some() {
                "accept-encoding"
            } else {
                ""
            },
            tag: EntityTag::of(&bytes),
            gzip: gzip.map(|gzip| {
                let tag = EntityTag::of(&gzip);
                (gzip, tag)
            }),
            plain: Plain::Held(bytes),
        }
    }

    /// A page of HTML.
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

    /// The same page, which `Accept` has been chosen by. Caches that many share do not keep it: some of them
    /// do not look at `Vary`, and would give one client the form of another.
    pub(crate) fn chosen_by_accept(mut self) -> Page {
        self.vary = "accept, accept-encoding";
        self.cache = "private, max-age=300";
        self
    }

    /// The answer to a GET or HEAD.
    pub(crate) async fn answer_to(&self, asked: &Parts) -> Response {
        let form = self.form(&asked.method, &asked.uri, &asked.headers);
        self.answer(form).await
    }

    /// The text of a page.
    #[cfg(test)]
    pub(crate) fn text(&self) -> &str {
        match &self.plain {
            Plain::Held(bytes) => std::str::from_utf8(bytes).unwrap(),
            Plain::Compressed { .. } => panic!("it is a file"),
        }
    }

    /// A text that changes with the content.
    pub(super) fn version(&self) -> &str {
        let tag = self.tag.as_str().trim_matches('"');
        tag.get(..16).unwrap_or(tag)
    }

    /// The form of this page that a request is answered with.
    pub(super) fn form(&self, method: &Method, target: &Uri, headers: &HeaderMap) -> Form {
        let takes_gzip = self.gzip.is_some() && takes_gzip(headers);
        let version = target.query().and_then(|query| query.strip_prefix("v="));
        // Anybody can read the version of a page in its tag, and pages change at their addresses.
        let is_file = target.path().starts_with("/assets/");
        Form {
            is_head: method == Method::HEAD,
            takes_gzip,
            is_held: self.tag(takes_gzip).is_held(headers),
            is_named_by_version: is_file && version == Some(self.version()),
        }
    }

    fn tag(&self, compressed: bool) -> &EntityTag {
        let gzip = self.gzip.as_ref().filter(|_| compressed);
        gzip.map_or(&self.tag, |(_, tag)| tag)
    }

    /// The answer in this form.
    pub(super) async fn answer(&self, form: Form) -> Response {
        let mut response = Response::new(Body::empty());
        self.describe(response.headers_mut(), form);
        if form.is_held {
            *response.status_mut() = StatusCode::NOT_MODIFIED;
            return response;
        }
        let bytes = self.bytes(form.takes_gzip).await;
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(self.content_type));
        headers.insert(CONTENT_LENGTH, bytes.len().into());
        if form.takes_gzip {
            headers.insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        }
        if !form.is_head {
            *response.body_mut() = Body::from(bytes);
        }
        response
    }

    /// The headers that an answer has whether the client holds the page or not.
    fn describe(&self, headers: &mut HeaderMap, form: Form) {
        let cache = if form.is_named_by_version {
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
        if let Ok(tag) = HeaderValue::try_from(self.tag(form.takes_gzip).as_str()) {
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

/// The compressed bytes; `None` if they are not fewer.
fn gzip(bytes: &[u8]) -> Option<Bytes> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).ok()?;
    let compressed = encoder.finish().ok()?;
    (compressed.len() < bytes.len()).then(|| compressed.into())
}

/// Decompresses a file apart from the requests of others.
async fn gunzip(gzip: &'static [u8]) -> Bytes {
    let decompressing = spawn_blocking(move || {
        let mut plain = Vec::new();
        // The file is checked by a test, so this reads to its end.
        let _ = GzDecoder::new(gzip).read_to_end(&mut plain);
        plain.into()
    });
    decompressing.await.unwrap_or_default()
}

/// A redirect to another page.
pub(super) fn moved(to: &'static str) -> Response {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::PERMANENT_REDIRECT;
    let headers = response.headers_mut();
    headers.insert(LOCATION, HeaderValue::from_static(to));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static(SHORT));
    response
}
