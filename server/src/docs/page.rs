//! A static page, the same for all clients, and its responses.

use std::io::Read as _;

use axum::body::Body;
use axum::response::Response;
use bytes::Bytes;
use flate2::read::GzDecoder;
use generated::runtime::EntityTag;
use http::header::{
    ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_SECURITY_POLICY,
    CONTENT_TYPE, ETAG, LOCATION, REFERRER_POLICY, VARY,
};
use http::{HeaderMap, HeaderValue, StatusCode};
use tokio::sync::OnceCell;
use tokio::task::spawn_blocking;

/// The reason why there is no page.
#[derive(Debug)]
pub enum Refusal {
    /// No page has this path.
    NoSuchPage,
    /// The method is neither GET nor HEAD.
    Method,
}

/// The form of an answer.
#[derive(Debug, Clone, Copy)]
pub(super) enum Form {
    /// The client has the page already: 304.
    Unchanged,
    /// All of it, compressed if the client takes that.
    Whole { takes_gzip: bool },
}

/// A page or a file of one.
#[derive(Debug)]
pub(super) struct Page {
    content_type: &'static str,
    policy: &'static str,
    content: Content,
    tag: EntityTag,
}

/// The bytes of a page.
#[derive(Debug)]
enum Content {
    /// Bytes that are served unchanged.
    Plain(Bytes),
    /// Compressed (RFC 9110, section 8.4.1.3), and decompressed once a client asks for that.
    Gzip {
        gzip: &'static [u8],
        plain: OnceCell<Bytes>,
    },
}

impl Page {
    pub(super) fn new(
        content_type: &'static str,
        policy: &'static str,
        bytes: impl Into<Bytes>,
    ) -> Page {
        let bytes = bytes.into();
        Page {
            content_type,
            policy,
            tag: EntityTag::of(&bytes),
            content: Content::Plain(bytes),
        }
    }

    /// A file that is held compressed.
    pub(super) fn compressed(
        content_type: &'static str,
        policy: &'static str,
        bytes: &'static [u8],
    ) -> Page {
        Page {
            content_type,
            policy,
            tag: EntityTag::of(bytes),
            content: Content::Gzip {
                gzip: bytes,
                plain: OnceCell::new(),
            },
        }
    }

    /// The form of this page that a request with these headers is answered with.
    pub(super) fn form(&self, headers: &HeaderMap) -> Form {
        if self.tag.is_held(headers) {
            Form::Unchanged
        } else {
            Form::Whole {
                takes_gzip: takes_gzip(headers),
            }
        }
    }

    /// The answer in this form.
    pub(super) async fn answer(&self, form: Form) -> Response {
        let has_codings = matches!(self.content, Content::Gzip { .. });
        let mut response = match form {
            Form::Whole { takes_gzip } => self.content(takes_gzip).await,
            Form::Unchanged => {
                let mut unchanged = Response::new(Body::empty());
                *unchanged.status_mut() = StatusCode::NOT_MODIFIED;
                unchanged
            }
        };
        let headers = response.headers_mut();
        for (name, value) in [
            (CONTENT_SECURITY_POLICY, self.policy),
            (REFERRER_POLICY, "no-referrer"),
        ] {
            headers.insert(name, HeaderValue::from_static(value));
        }
        headers.insert(
            CACHE_CONTROL,
            HeaderValue::from_static("public, max-age=300"),
        );
        if has_codings {
            headers.insert(VARY, HeaderValue::from_static("accept-encoding"));
        }
        // The tag is shared by both content codings, whose bytes differ, and so it is weak (RFC 9110,
        // section 8.8.1).
        let weak = if has_codings { "W/" } else { "" };
        if let Ok(tag) = HeaderValue::try_from(format!("{weak}{}", self.tag)) {
            headers.insert(ETAG, tag);
        }
        response
    }

    async fn content(&self, takes_gzip: bool) -> Response {
        let (bytes, compressed) = match &self.content {
            Content::Plain(bytes) => (bytes.clone(), false),
            Content::Gzip { gzip, .. } if takes_gzip => (Bytes::from_static(gzip), true),
            Content::Gzip { gzip, plain } => {
                (plain.get_or_init(|| gunzip(gzip)).await.clone(), false)
            }
        };
        let length = bytes.len();
        let mut response = Response::new(Body::from(bytes));
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(self.content_type));
        headers.insert(CONTENT_LENGTH, length.into());
        if compressed {
            headers.insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        }
        response
    }
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
    headers.insert(
        CACHE_CONTROL,
        HeaderValue::from_static("public, max-age=300"),
    );
    response
}

/// Whether a listed coding is gzip, and its weight is not zero (RFC 9110, section 12.5.3). A request
/// without the header takes anything, but few programs that leave it out can decode.
fn takes_gzip(headers: &HeaderMap) -> bool {
    let listed = headers.get_all(ACCEPT_ENCODING).iter();
    listed
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .any(|coding| {
            let (name, weight) = coding.split_once(';').unwrap_or((coding, ""));
            let weight = weight.trim().trim_start_matches("q=");
            name.trim().eq_ignore_ascii_case("gzip") && !weight.parse().is_ok_and(|q: f32| q <= 0.0)
        })
}
