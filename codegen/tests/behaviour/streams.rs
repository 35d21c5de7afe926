//! Streams over real sockets: what is slow holds the other side back, who leaves stops the other.

use bytes::Bytes;
use futures_util::{Stream, StreamExt as _, stream};
use behaviour::{exchange, get, post, serve, soon};
use serde_json::json;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use streams_api::api::streams::*;
use streams_api::client::{Client, ClientError, HttpTransport};
use streams_api::runtime::{File, FormWriter, Limits};
use streams_api::{
    ByteStream, Event, Events, HandlerError, Host, Items, StreamError, Upload, models, service,
};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

const PIECE: usize = 64 << 10;

/// More than the buffers of four sockets grow to, and much less than what a test sends.
const BUFFERED: u64 = 64 << 20;

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

fn tick(count: i64) -> models::Tick {
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
                // Whatever a handler makes of it, the caller hears what was wrong.
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

struct World {
    client: Client<HttpTransport>,
    base: String,
    made: Arc<AtomicU64>,
    gone: UnboundedReceiver<&'static str>,
}

async fn world() -> World {
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
fn counted(
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

#[tokio::test]
async fn a_long_body_passes_both_ways_in_bounded_memory() {
    let world = world().await;
    let made = Arc::default();
    let pieces = 4096;
    let sent = ByteStream::new(counted(pieces, &made));
    let CopyResponse::Ok { mut body } = world.client.copy(sent).await.expect("an answer");
    let mut received = 0;
    while let Some(piece) = body.next().await {
        received += piece.expect("a piece").len() as u64;
        let behind = made.load(Ordering::SeqCst).saturating_sub(received);
        assert!(behind < BUFFERED, "{behind} bytes are on the way");
    }
    assert_eq!(received, (pieces * PIECE) as u64);
}

#[tokio::test]
async fn a_slow_reader_holds_the_sender_back_and_one_that_leaves_stops_it() {
    let mut world = world().await;
    let params = NoiseParams { pieces: 1 << 40 };
    let NoiseResponse::Ok { body } = world.client.noise(params).await.expect("an answer");
    let NoiseOkContent::Image(mut body) = body else {
        panic!("{body:?}");
    };
    assert_eq!(body.content_type(), Some("image/webp"));
    let mut received = 0;
    for _ in 0..4096 {
        received += body.next().await.expect("more").expect("a piece").len() as u64;
        let ahead = world.made.load(Ordering::SeqCst).saturating_sub(received);
        assert!(ahead < BUFFERED, "{ahead} bytes are on the way");
    }
    assert!(world.gone.try_recv().is_err());
    drop(body);
    assert_eq!(soon(world.gone.recv()).await, Some("noise"));
}

#[tokio::test]
async fn a_stream_is_refused_beyond_its_limit_whoever_reads_it() {
    let world = world().await;
    let picture = |length: usize| {
        DescribeContent::Image(ByteStream::from(vec![0; length]).with_type("image/png"))
    };
    let describe = async |body| {
        let params = DescribeParams { title: None };
        world.client.describe(params, body).await
    };
    let text = |answer| match answer {
        Ok(DescribeResponse::Ok { body }) => body,
        Err(ClientError::Undocumented { status, .. }) => status.to_string(),
        Err(other) => panic!("{other}"),
    };
    assert_eq!(text(describe(None).await), "nothing");
    assert_eq!(
        text(describe(Some(DescribeContent::Json(7))).await),
        "the number 7"
    );
    let answer = text(describe(Some(picture(1000))).await);
    assert_eq!(answer, "image/png of 1000 bytes, Some(1000)");
    assert_eq!(
        text(describe(Some(picture(1001))).await),
        "413 Payload Too Large"
    );
    // A length that nobody announces.
    let pieces = stream::repeat(Ok::<_, StreamError>(Bytes::from_static(&[0; 100]))).take(11);
    let unannounced = DescribeContent::Image(ByteStream::new(pieces).with_type("image/png"));
    assert_eq!(
        text(describe(Some(unannounced)).await),
        "413 Payload Too Large"
    );
    let title = Some("long".to_owned());
    let answer = world
        .client
        .describe(DescribeParams { title }, Some(picture(1)))
        .await;
    let status = answer.err().and_then(|error| error.status());
    assert_eq!(status, Some(http::StatusCode::BAD_REQUEST));
}

#[tokio::test]
async fn events_arrive_one_by_one_and_stop_with_the_listener() {
    let mut world = world().await;
    let TicksResponse::Ok { mut body } = world.client.ticks().await.expect("an answer");
    let first = body.next().await.expect("an event").expect("a tick");
    assert_eq!(first.data, tick(0));
    assert_eq!(first.event.as_deref(), Some("tick"));
    assert_eq!((first.id.as_deref(), first.retry), (Some("0"), None));
    let second = body.next().await.expect("an event").expect("a tick");
    assert_eq!(
        (second.data, second.retry),
        (tick(1), Some(Duration::from_millis(250)))
    );
    assert!(world.gone.try_recv().is_err());
    drop(body);
    assert_eq!(soon(world.gone.recv()).await, Some("ticks"));

    let WordsResponse::Ok { body } = world.client.words().await.expect("an answer");
    let words: Vec<String> = body.map(|word| word.expect("a word").data).collect().await;
    assert_eq!(words, ["one", "", "two\nlines", "grüezi: 1"]);
    let answer = get(&world.base, "/words", &[]).await;
    assert_eq!(answer.header("content-type"), "text/event-stream");
    assert_eq!(answer.header("cache-control"), "no-cache");
    assert!(
        answer
            .body
            .starts_with(b"data: one\n\ndata: \n\ndata: two\ndata: lines\n\n")
    );
}

#[tokio::test]
async fn items_are_checked_as_they_come() {
    let world = world().await;
    let ticks = Items::new(stream::iter((0..3).map(tick)));
    let RowsResponse::Ok { body } = world.client.rows(ticks).await.expect("an answer");
    let rows: Vec<_> = body.map(|row| row.expect("a row").count).collect().await;
    assert_eq!(rows, [0, 1, 2]);
    let send = async |rows: &'static str| {
        post(
            &world.base,
            "/rows",
            &[("content-type", "application/x-ndjson")],
            rows,
        )
        .await
    };
    let answer = send("{\"count\":1}\r\n\n  {\"count\":2.0}").await;
    assert_eq!(answer.body, "\u{1e}{\"count\":1}\n\u{1e}{\"count\":2}\n");
    let wrong = send("{\"count\":1}\n{\"count\":-1,\"note\":\"0123456789\"}\n{\"count\":-2}").await;
    assert_eq!(
        wrong.issues(),
        ["body /1/count minimum", "body /1/note maxLength"]
    );
    assert_eq!(
        send("{\"count\":1}\n{").await.issues(),
        ["body /1 contentMediaType"]
    );
    assert_eq!(
        send(Box::leak("9".repeat(3000).into_boxed_str()))
            .await
            .status,
        413
    );
}

#[tokio::test]
async fn a_caller_chooses_between_a_stream_and_a_whole() {
    let world = world().await;
    let accept = [("accept", "image/*;q=0.5, application/json")];
    let answer = get(&world.base, "/noise?pieces=3", &accept).await;
    assert_eq!(answer.json(), 3);
    let answer = get(&world.base, "/noise?pieces=3", &[("accept", "image/webp")]).await;
    assert_eq!(answer.header("content-type"), "image/webp");
    assert_eq!(answer.body.len(), 3 * PIECE);
    let refused = get(&world.base, "/noise?pieces=3", &[("accept", "image/png")]).await;
    assert_eq!(refused.status, 406, "the picture is of another type");
}

fn page(name: &str, bytes: Bytes) -> File {
    File {
        name: Some(name.into()),
        content_type: Some("image/png".into()),
        bytes,
    }
}

#[tokio::test]
async fn files_are_read_as_they_arrive_wherever_the_fields_are() {
    let world = world().await;
    let form = AlbumForm {
        title: "Summer".into(),
        first: Some(tick(3)),
        cover: page("front", Bytes::from_static(b"--form\r\n-")),
        pages: vec![
            page("one", Bytes::new()),
            page("peek", vec![7; 3 * PIECE].into()),
        ],
    };
    let answer = world.client.album(form.clone().into()).await;
    let AlbumResponse::Ok { body } = answer.expect("an answer");
    assert_eq!(
        body,
        "cover front 9, pages one 0, pages peek 1, Summer Some(3) 2"
    );

    // A file that is longer than what may be held in memory, before the fields.
    let made = Arc::default();
    let cover = ByteStream::new(counted(1000, &made)).with_type("image/png");
    let form = FormWriter::new()
        .stream("cover", "long", cover)
        .text("title", "Long");
    let answer = world.client.album(Upload::written(form)).await;
    let AlbumResponse::Ok { body } = answer.expect("an answer");
    assert_eq!(body, format!("cover long {}, Long None 0", 1000 * PIECE));
}

#[tokio::test]
async fn all_that_is_wrong_with_a_form_is_said_at_once() {
    let world = world().await;
    let part = |head: &str, content: &str| {
        format!("--x\r\nContent-Disposition: form-data; {head}\r\n\r\n{content}\r\n")
    };
    let page = part("name=pages; filename=p", "page");
    let title = part("name=title", "much too long");
    let first = part("name=first", "{\"count\":-1}");
    let other = part("name=other", "?");
    let send = async |body: String| {
        let headers = [("content-type", "multipart/form-data; boundary=x")];
        post(&world.base, "/albums", &headers, body).await
    };
    let answer = send(format!("{page}{title}{page}{first}{page}{other}--x--")).await;
    let expected = [
        "body /cover required",
        "body /first/count minimum",
        "body /other additionalProperties",
        "body /pages maxItems",
        "body /title maxLength",
    ];
    assert_eq!(answer.issues(), expected);
    assert_eq!(send("--x".into()).await.issues(), ["body  type"]);
    assert_eq!(send(page).await.issues(), ["body  type"]);
    let long = part("name=title", &"long".repeat(1000));
    assert_eq!(send(format!("{long}--x--")).await.status, 413);
}

#[tokio::test]
async fn a_form_may_be_taken_whole() {
    let form = AlbumForm {
        title: "Summer".into(),
        first: None,
        cover: page("front", Bytes::from_static(b"abc")),
        pages: vec![page("one", Bytes::from_static(b"d"))],
    };
    let whole = Upload::from(form.clone()).whole().await;
    assert_eq!(whole.expect("a form"), form);
}

#[tokio::test]
async fn a_range_with_a_schema_of_objects_is_json() {
    let world = world().await;
    let AnythingResponse::Ok { body } = world.client.anything(tick(4)).await.expect("an answer");
    assert_eq!(body.decode().expect("a tick"), tick(4));
    let (url, headers) = (
        format!("{}/anything", world.base),
        [("content-type", "text/plain")],
    );
    let answer = exchange("PUT", &url, &headers, "{\"count\":1}").await;
    assert_eq!(answer.header("content-type"), "application/json");
    assert_eq!(answer.json(), json!({ "count": 1 }));
}

#[tokio::test]
async fn the_type_of_an_event_tells_its_data() {
    let world = world().await;
    let answer = get(&world.base, "/news", &[]).await;
    let text = String::from_utf8(answer.body.to_vec()).unwrap();
    let expected = "event: said\ndata: hello\ndata: there\n\n\
        event: counted\nid: 7\ndata: {\"count\":3}\n\ndata: [true,false]\n\n";
    assert_eq!(text, expected);
    let NewsResponse::Ok { mut body } = world.client.news().await.unwrap();
    let mut read = Vec::new();
    while let Some(event) = body.next().await {
        let Event { data, event, id, .. } = event.unwrap();
        read.push((data, event, id));
    }
    let seven = Some("7".to_owned());
    let expected = [
        (NewsOkBodyEvent::Said("hello\nthere".into()), Some("said".to_owned()), None),
        (NewsOkBodyEvent::Counted(tick(3)), Some("counted".to_owned()), seven.clone()),
        (NewsOkBodyEvent::Message(vec![true, false]), None, seven),
    ];
    assert_eq!(read, expected);
}

#[tokio::test]
async fn lines_of_a_shared_media_type_go_in_and_come_back() {
    let world = world().await;
    let sent = [3, 1, 2].map(|at| models::LinesMedia { at });
    let items = Items::new(stream::iter(sent.clone()));
    let LinesResponse::Ok { mut body } = world.client.lines(items).await.unwrap();
    let mut read = Vec::new();
    while let Some(item) = body.next().await {
        read.push(item.unwrap());
    }
    assert_eq!(read, sent);
    let kind = [("content-type", "application/jsonl")];
    let wrong = post(&world.base, "/lines", &kind, "{\"at\":-1}\n").await;
    assert_eq!(wrong.issues(), ["body /0/at minimum"]);
}
