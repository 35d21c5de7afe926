//! Bodies of bytes: a slow side holds the other back, and a side that leaves stops the other.

use crate::host::{PIECE, counted, tick, world};
use behaviour::{exchange, get, soon};
use bytes::Bytes;
use futures_util::{StreamExt as _, stream};
use serde_json::json;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use streams_api::api::streams::*;
use streams_api::client::ClientError;
use streams_api::{ByteStream, StreamError};

/// More than the buffers of four sockets grow to, and much less than what a test sends.
const BUFFERED: u64 = 64 << 20;

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
        Err(ClientError::Undocumented(response)) => response.status.to_string(),
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
