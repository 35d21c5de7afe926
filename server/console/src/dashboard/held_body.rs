//! A body that holds a place in a limit until it is sent or given up.

use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::Body;
use axum::response::Response;
use bytes::{Buf as _, Bytes};
use http_body::{Frame, SizeHint};

/// The bytes of a frame. A whole page in one frame would leave the body as soon as the connection has begun to
/// send it.
const FRAME: usize = 64 << 10;

struct HeldBody<P> {
    body: Body,
    /// The part of a frame that is not taken yet.
    rest: Bytes,
    _place: P,
}

/// The response, whose body holds `place`.
pub(super) fn holding<P: Send + Unpin + 'static>(response: Response, place: P) -> Response {
    response.map(|body| {
        Body::new(HeldBody {
            body,
            rest: Bytes::new(),
            _place: place,
        })
    })
}

impl<P: Unpin> http_body::Body for HeldBody<P> {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let this = self.get_mut();
        if this.rest.is_empty() {
            match Pin::new(&mut this.body).poll_frame(cx) {
                Poll::Ready(Some(Ok(frame))) => match frame.into_data() {
                    Ok(data) => this.rest = data,
                    Err(trailers) => return Poll::Ready(Some(Ok(trailers))),
                },
                other => return other,
            }
        }
        let length = this.rest.len().min(FRAME);
        Poll::Ready(Some(Ok(Frame::data(this.rest.split_to(length)))))
    }

    fn is_end_stream(&self) -> bool {
        self.rest.is_empty() && self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        let rest = self.rest.remaining() as u64;
        let body = self.body.size_hint();
        let mut hint = SizeHint::new();
        hint.set_lower(body.lower() + rest);
        if let Some(upper) = body.upper() {
            hint.set_upper(upper + rest);
        }
        hint
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use http_body::Body as _;
    use http_body_util::BodyExt as _;

    use super::*;

    #[tokio::test]
    async fn the_place_is_held_until_the_last_frame_is_taken() {
        let place = Arc::new(());
        let page = vec![b'x'; 2 * FRAME + 1];
        let response = holding(Response::new(Body::from(page)), Arc::clone(&place));
        let mut body = response.into_body();
        assert_eq!(body.size_hint().exact(), Some(2 * FRAME as u64 + 1));
        for length in [FRAME, FRAME, 1] {
            assert_eq!(Arc::strong_count(&place), 2);
            let frame = body.frame().await.unwrap().unwrap();
            assert_eq!(frame.into_data().unwrap().len(), length);
        }
        assert!(body.is_end_stream());
        drop(body);
        assert_eq!(Arc::strong_count(&place), 1);
    }
}
