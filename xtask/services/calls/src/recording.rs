//! A transport that records requests and responses.

use axum_core::body::Body;
use bytes::Bytes;
use http::{Request, Response};
use http_body::{Frame, SizeHint};
use runtime::{HttpTransport, Transport};
use serde::{Deserialize, Serialize};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};

/// The most characters of a body in an [`Exchange`].
const EXCERPT: usize = 600;

/// A request and its response, shortened.
#[derive(Debug, Default, Clone, Serialize, Deserialize)]
pub struct Exchange {
    /// Method, path and query. Empty if nothing was sent.
    pub request: String,
    /// The start of the request's body.
    pub sent: String,
    /// The status of the response, if there was one.
    pub status: Option<u16>,
    pub content_type: String,
    /// The start of the response's body.
    pub received: String,
}

/// The last exchange of a transport.
#[derive(Debug, Default, Clone)]
pub(crate) struct Record {
    head: Arc<Mutex<Exchange>>,
    sent: Copy,
    received: Copy,
}

/// The bytes of a body that have been read.
type Copy = Arc<Mutex<Vec<u8>>>;

impl Record {
    pub(crate) fn exchange(&self) -> Exchange {
        let head = locked(&self.head).clone();
        if head.request.is_empty() {
            return head;
        }
        Exchange {
            sent: excerpt(&locked(&self.sent)),
            received: excerpt(&locked(&self.received)),
            ..head
        }
    }

    pub(crate) fn received(&self) -> Vec<u8> {
        locked(&self.received).clone()
    }

    /// Whether the response has no body, or one without information.
    pub(crate) fn is_blank(&self) -> bool {
        matches!(locked(&self.received).trim_ascii(), b"" | b"null" | b"{}")
    }

    /// Clears the exchange, but for the body that [`Record::received`] returns.
    pub(crate) fn clear(&self) {
        *locked(&self.head) = Exchange::default();
        locked(&self.sent).clear();
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn excerpt(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes)
        .chars()
        .take(EXCERPT)
        .collect()
}

/// An [`HttpTransport`] that records the last exchange.
#[derive(Debug, Clone)]
pub struct Recording {
    http: HttpTransport,
    record: Record,
}

impl Recording {
    pub(crate) fn new(http: HttpTransport, record: Record) -> Self {
        Self { http, record }
    }
}

impl Transport for Recording {
    type Error = <HttpTransport as Transport>::Error;

    async fn send(&self, request: Request<Body>) -> Result<Response<Body>, Self::Error> {
        let path = request.uri().path_and_query();
        let path = path.map_or("", |path| path.as_str());
        *locked(&self.record.head) = Exchange {
            request: format!("{} {path}", request.method()),
            ..Exchange::default()
        };
        locked(&self.record.sent).clear();
        locked(&self.record.received).clear();
        let request = request.map(|body| copied(body, &self.record.sent));
        let response = self.http.send(request).await?;
        let content_type = response.headers().get(http::header::CONTENT_TYPE);
        let content_type = content_type.and_then(|value| value.to_str().ok());
        let mut head = locked(&self.record.head);
        head.status = Some(response.status().as_u16());
        head.content_type = content_type.unwrap_or_default().to_owned();
        drop(head);
        Ok(response.map(|body| copied(body, &self.record.received)))
    }
}

/// A body whose bytes are copied as they are read.
struct Copied {
    body: Body,
    copy: Copy,
}

fn copied(body: Body, copy: &Copy) -> Body {
    let copy = copy.clone();
    Body::new(Copied { body, copy })
}

impl http_body::Body for Copied {
    type Data = Bytes;
    type Error = axum_core::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        let frame = ready!(Pin::new(&mut self.body).poll_frame(context));
        if let Some(Ok(frame)) = &frame
            && let Some(bytes) = frame.data_ref()
        {
            locked(&self.copy).extend_from_slice(bytes);
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
