//! A host of streams of bytes, of events and of items, and a client for it.

use behaviour::serve;
use bytes::Bytes;
use futures_util::{Stream, StreamExt as _, stream};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use streams_api::api::streams::*;
use streams_api::client::{Client, HttpTransport};
use streams_api::runtime::Limits;
use streams_api::{
    ByteStream, Event, Events, HandlerError, Host, Items, StreamError, Upload, models, service,
};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

pub(crate) const PIECE: usize = 64 << 10;

struct Streams {
    made: Arc<AtomicU64>,
    /// Hears when a stream is gone.
    gone: UnboundedSender<&'static str>,
}

struct Guard(UnboundedSender<&'static str>, &'static str);

impl Drop for Guard {
    fn drop(&mut self) {
        // The test may be over.
        let _ = self.0.send(self.1);
    }
}

impl Host for Streams {
    type Context = ();
    type Error = HandlerError;
}

impl service::Faults for Streams {}

pub(crate) fn tick(count: i64) -> models::Tick {
    models::Tick { count, note: None }
}

impl StreamsApi for Streams {
    async fn copy(&self, body: ByteStream) -> Result<CopyResponse, HandlerError> {
        Ok(CopyResponse::Ok { body })
    }

    async fn describe(
        &self,
        params: DescribeParams,
        body: Option<DescribeContent>,
    ) -> Result<DescribeResponse, HandlerError> {
        let _ = params;
        let body = match body {
            None => "nothing".to_owned(),
            Some(DescribeContent::Json(number)) => format!("the number {number}"),
            Some(DescribeContent::Image(picture)) => {
                let kind = picture.content_type().unwrap_or("?").to_owned();
                let length = picture.length();
                // The violation is the answer, whichever error the handler makes of it.
                let bytes = picture.bytes().await.map_err(|_| HandlerError::Internal)?;
                format!("{kind} of {} bytes, {length:?}", bytes.len())
            }
        };
        Ok(DescribeResponse::Ok { body })
    }

    async fn noise(
        &self,
        params: NoiseParams,
        accept: NoiseAccept,
    ) -> Result<NoiseResponse, HandlerError> {
        let NoiseParams { pieces } = params;
        if accept == NoiseAccept::Json {
            let body = NoiseOkContent::Json(pieces.into());
            return Ok(NoiseResponse::Ok { body });
        }
        let made = Arc::clone(&self.made);
        let guard = Guard(self.gone.clone(), "noise");
        let pieces = usize::try_from(pieces).unwrap_or_default();
        let pieces = stream::repeat(Bytes::from(vec![7; PIECE])).take(pieces);
        let pieces = pieces.map(move |piece| {
            let _ = &guard;
            made.fetch_add(PIECE as u64, Ordering::SeqCst);
            Ok::<_, StreamError>(piece)
        });
        let body = NoiseOkContent::Image(ByteStream::new(pieces).with_type("image/webp"));
        Ok(NoiseResponse::Ok { body })
    }

    async fn ticks(&self) -> Result<TicksResponse, HandlerError> {
        let guard = Guard(self.gone.clone(), "ticks");
        let ticks = stream::iter(0..).then(move |count| {
            let _ = &guard;
            async move {
                if count == 2 {
                    // Nothing comes any more, yet the connection is not silent.
                    std::future::pending::<()>().await;
                }
                Event {
                    data: tick(count),
                    event: Some("tick".into()),
                    id: Some(count.to_string()),
                    retry: (count == 1).then_some(Duration::from_millis(250)),
                }
            }
        });
        let body = Events::new(ticks).keep_alive(Duration::from_millis(5));
        Ok(TicksResponse::Ok { body })
    }

    async fn words(&self) -> Result<WordsResponse, HandlerError> {
        let words = ["one", "", "two\nlines", "grüezi: 1"].map(|word| Event::from(word.to_owned()));
        let body = Events::new(stream::iter(words));
        Ok(WordsResponse::Ok { body })
    }

    async fn news(&self) -> Result<NewsResponse, HandlerError> {
        let counted = Event {
            // The data tells the type.
            event: Some("said".into()),
            id: Some("7".into()),
            ..Event::from(NewsOkBodyEvent::Counted(tick(3)))
        };
        let said = NewsOkBodyEvent::Said("hello\nthere".into());
        let usual = NewsOkBodyEvent::Message(vec![true, false]);
        let body = Events::new(stream::iter([said.into(), counted, usual.into()]));
        Ok(NewsResponse::Ok { body })
    }

    async fn lines(&self, body: Items<models::LinesMedia>) -> Result<LinesResponse, HandlerError> {
        let (mut body, mut lines) = (body, Vec::new());
        while let Some(line) = body.next().await {
            lines.push(line?);
        }
        let body = Items::new(stream::iter(lines));
        Ok(LinesResponse::Ok { body })
    }

    async fn rows(&self, body: Items<models::Tick>) -> Result<RowsResponse, HandlerError> {
        let mut rows = Vec::new();
        let mut body = body;
        while let Some(row) = body.next().await {
            rows.push(row?);
        }
        let body = Items::new(stream::iter(rows));
        Ok(RowsResponse::Ok { body })
    }

    async fn album(&self, body: Upload<AlbumForm>) -> Result<AlbumResponse, HandlerError> {
        let mut body = body;
        let mut text = String::new();
        while let Some(mut file) = body.next_file().await? {
            let mut length = 0;
            // A short look at the second page.
            while let Some(piece) = file.next().await {
                length += piece?.len();
                if file.name.as_deref() == Some("peek") {
                    length = 1;
                    break;
                }
            }
            let name = file.name.as_deref().unwrap_or("?");
            text.push_str(&format!("{} {name} {length}, ", file.field));
        }
        let form = body.finish().await?;
        let (title, pages) = (form.title, form.pages.len());
        let first = form.first.map(|first| first.count);
        let body = format!("{text}{title} {first:?} {pages}");
        Ok(AlbumResponse::Ok { body })
    }

    async fn anything(&self, body: models::Tick) -> Result<AnythingResponse, HandlerError> {
        Ok(AnythingResponse::Ok { body: body.into() })
    }
}

/// A client of a running service.
pub(crate) struct World {
    pub(crate) client: Client<HttpTransport>,
    pub(crate) base: String,
    /// The bytes of noise that were made.
    pub(crate) made: Arc<AtomicU64>,
    /// The streams that were dropped.
    pub(crate) gone: UnboundedReceiver<&'static str>,
}

pub(crate) async fn world() -> World {
    let (sender, gone) = unbounded_channel();
    let made = Arc::default();
    let host = Streams {
        made: Arc::clone(&made),
        gone: sender,
    };
    let limits = Limits {
        body: 2000,
        ..Limits::default()
    };
    let base = serve(service::service(Arc::new(host), limits)).await;
    World {
        client: Client::new(&base, HttpTransport::new()),
        base,
        made,
        gone,
    }
}

/// Pieces that count themselves when they are asked for.
pub(crate) fn counted(
    pieces: usize,
    made: &Arc<AtomicU64>,
) -> impl Stream<Item = Result<Bytes, StreamError>> + use<> {
    let made = Arc::clone(made);
    let pieces = stream::repeat(Bytes::from(vec![1; PIECE])).take(pieces);
    pieces.map(move |piece| {
        made.fetch_add(PIECE as u64, Ordering::SeqCst);
        Ok(piece)
    })
}
