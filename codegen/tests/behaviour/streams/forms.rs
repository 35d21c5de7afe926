//! Forms with files: files are read as they arrive, and the fields are checked together.

use crate::host::{PIECE, counted, tick, world};
use behaviour::post;
use bytes::Bytes;
use std::sync::Arc;
use streams_api::api::streams::*;
use streams_api::runtime::{File, FormWriter};
use streams_api::{ByteStream, Upload};

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
