//! The gallery as its callers see it, by the generated client, and the receiver of its webhook.

#![allow(clippy::expect_used, clippy::panic)]

use axum::Router;
use gallery::Credentials;
use gallery_api::api::news::NewsFollowResponse;
use gallery_api::api::photos::{
    PhotosAddForm, PhotosAddResponse, PhotosChangeResponse, PhotosGetResponse,
    PhotosPictureOkContent, PhotosPictureResponse,
};
use gallery_api::client::{Client, HttpTransport};
use gallery_api::models::{NewsWhat, Photo, PhotoChange};
use gallery_api::runtime::{File, Service};
use gallery_api::webhooks::{self, PhotoAddedResponse, Webhooks};
use gallery_api::{HandlerError, Host};
use std::path::Path;
use std::sync::Arc;
use tokio::net::TcpListener;
use tokio::sync::mpsc;

/// The smallest picture that a service which does not look inside can be given.
const PICTURE: &[u8] = b"\x89PNG\r\n\x1a\n";

/// The address of a service that runs until the test ends.
async fn serve(router: Router) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    tokio::spawn(async { axum::serve(listener, router).await });
    format!("http://{address}")
}

/// A client, without credentials, of a gallery of its own.
async fn gallery(webhook_url: Option<String>) -> Client<HttpTransport> {
    Client::new(&gallery_at(webhook_url).await, HttpTransport::new())
}

/// The address of a gallery of its own.
async fn gallery_at(webhook_url: Option<String>) -> String {
    let credentials = Credentials {
        token: "a-token".into(),
        upload_key: "a key".into(),
    };
    let service = gallery::app(credentials, webhook_url);
    serve(Router::new().fallback_service(service)).await
}

fn form(title: &str, content_type: &str) -> PhotosAddForm {
    PhotosAddForm {
        title: title.into(),
        photo: File {
            name: Some("sea.png".into()),
            content_type: Some(content_type.into()),
            bytes: PICTURE.into(),
        },
    }
}

async fn added(client: &Client<HttpTransport>) -> Photo {
    let answer = client.photos_add(form("The sea", "image/png").into()).await;
    let Ok(PhotosAddResponse::Created { body, location }) = answer else {
        panic!("{answer:?}");
    };
    let photo = body.decode().expect("a photo");
    assert_eq!(location, format!("/photos/{}", photo.id));
    photo
}

#[tokio::test]
async fn a_photo_is_uploaded_with_a_token_or_a_key() {
    let client = gallery(None).await;
    let ada = client.clone().with_token("a-token").expect("a header");
    let camera = client.clone().with_upload_key("a key").expect("a header");
    assert_eq!(added(&ada).await.added_by, "ada");
    let photo = added(&camera).await;
    assert_eq!((photo.added_by.as_str(), photo.id), ("camera", 2));

    let PhotosPictureResponse::Ok { body } = client.photos_picture(2).await.expect("an answer")
    else {
        panic!("no picture");
    };
    let PhotosPictureOkContent::ImagePng(bytes) = body else {
        panic!("{body:?}");
    };
    assert_eq!(bytes.bytes().await.expect("the bytes"), PICTURE);
}

#[tokio::test]
async fn what_the_contract_refuses_never_reaches_a_handler() {
    let client = gallery(None).await;
    let ada = client.clone().with_token("a-token").expect("a header");
    let stranger = client.clone().with_token("a-guess").expect("a header");
    for (client, form, status) in [
        (&client, form("The sea", "image/png"), 401),
        (&stranger, form("The sea", "image/png"), 401),
        (&ada, form("", "image/png"), 400),
        (&ada, form("The sea", "text/plain"), 400),
    ] {
        let answer = client.photos_add(form.into()).await.expect("an answer");
        let given = match answer {
            PhotosAddResponse::BadRequest { body } => body.decode(),
            PhotosAddResponse::Unauthorized { body } => body.decode(),
            other => panic!("{other:?}"),
        };
        assert_eq!(given.expect("a problem").status, status);
    }
    let missing = client.photos_get(1).await.expect("an answer");
    assert!(matches!(missing, PhotosGetResponse::NotFound { .. }));
}

#[tokio::test]
async fn a_change_keeps_what_it_does_not_name_and_removes_what_is_null() {
    let client = gallery(None).await.with_token("a-token").expect("a header");
    let photo = added(&client).await;
    let evening = Some("In the evening.".to_owned());
    let none = PhotoChange {
        title: None,
        caption: None,
    };
    for (change, title, caption) in [
        (
            PhotoChange {
                caption: Some(evening.clone()),
                ..none.clone()
            },
            "The sea",
            evening.clone(),
        ),
        (
            PhotoChange {
                title: Some("Waves".into()),
                ..none.clone()
            },
            "Waves",
            evening,
        ),
        (
            PhotoChange {
                caption: Some(None),
                ..none
            },
            "Waves",
            None,
        ),
    ] {
        let answer = client.photos_change(photo.id, change).await;
        let Ok(PhotosChangeResponse::Ok { body }) = answer else {
            panic!("{answer:?}");
        };
        let photo = body.decode().expect("a photo");
        assert_eq!((photo.title.as_str(), photo.caption), (title, caption));
    }
}

#[tokio::test]
async fn a_listener_hears_of_photos_as_they_are_added() {
    let client = gallery(None).await.with_token("a-token").expect("a header");
    let answer = client.news_follow().await;
    let Ok(NewsFollowResponse::Ok { body: mut news }) = answer else {
        panic!("{answer:?}");
    };
    let photo = added(&client).await;
    let event = news.next().await.expect("an event").expect("a whole one");
    assert_eq!(
        (event.data.what, event.data.photo),
        (NewsWhat::Added, photo)
    );
}

/// A receiver of the webhook.
struct Receiver(mpsc::UnboundedSender<Photo>);

impl Host for Receiver {
    type Context = ();
    type Error = HandlerError;
}

impl gallery_api::service::Faults for Receiver {}

impl Webhooks for Receiver {
    async fn photo_added(&self, body: Photo) -> Result<PhotoAddedResponse, HandlerError> {
        self.0.send(body).map_err(|_| HandlerError::Internal)?;
        Ok(PhotoAddedResponse::NoContent)
    }
}

#[tokio::test]
async fn the_webhook_tells_its_receiver_of_a_photo() {
    let (sender, mut photos) = mpsc::unbounded_channel();
    let receiver: Service<_> = webhooks::service(Arc::new(Receiver(sender)), Default::default());
    let base = serve(Router::new().fallback_service(receiver)).await;
    let client = gallery(Some(format!("{base}/photoAdded"))).await;
    let photo = added(&client.with_token("a-token").expect("a header")).await;
    assert_eq!(photos.recv().await, Some(photo));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_collections_pass() {
    if !installed::present(&["node"], &["node:newman"]) {
        return;
    }
    let base = gallery_at(None).await;
    let variables: &[(&str, &str)] = &[
        ("baseUrl", &base),
        ("token", "a-token"),
        ("uploadKey", "a key"),
    ];
    for collection in ["collection", "conformance"] {
        let file = format!("generated/postman/{collection}.json");
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
        let run = installed::newman(&file, variables)
            .output()
            .expect("newman runs");
        assert!(
            run.status.success(),
            "{collection}: {}",
            String::from_utf8_lossy(&run.stdout)
        );
    }
}
