//! The code around the fragments of the README. A line `//> SECTION` stands for the next block of that section.

/// The service.
mod serving {
    use bytes::Bytes;
    use futures_util::StreamExt as _;
    use shop_api::api::albums::{AlbumForm, AlbumFormCoverHeaders, AlbumResponse, AlbumsApi};
    use shop_api::api::books::{BooksApi, BooksGetResponse};
    use shop_api::api::copies::{CopiesApi, CopyResponse};
    use shop_api::api::events::{EventsApi, TicksResponse};
    use shop_api::api::lists::{BooksAddResponse, BooksListParams, BooksListResponse, ListsApi};
    use shop_api::models::NotFound;
    use shop_api::operations::OperationId;
    use shop_api::runtime::credential::Bearer;
    use shop_api::runtime::{Demand, Event, Events, Limits, Matched, StreamError, Upload};
    use shop_api::security::Security;
    use shop_api::service::{Faults, Tags, service, service_of};
    use shop_api::{AuthError, ByteStream, HandlerError, Host, models};
    use std::collections::HashMap;
    use std::sync::Arc;
    use std::time::Duration;

    pub struct User;

    impl User {
        fn may(self, _: &[&str]) -> Option<User> {
            Some(self)
        }
    }

    pub struct ShopError;

    impl From<ShopError> for HandlerError {
        fn from(_: ShopError) -> HandlerError {
            HandlerError::Unavailable { retry_after: 1 }
        }
    }

    pub struct Stock(HashMap<i64, models::Book>);

    impl Stock {
        async fn find(&self, id: i64) -> Result<Option<models::Book>, ShopError> {
            Ok(self.0.get(&id).cloned())
        }
    }

    pub struct Users;

    impl Users {
        async fn find(&self, _: &str) -> Result<Option<User>, ShopError> {
            Ok(None)
        }
    }

    pub struct Shop {
        books: Stock,
        users: Users,
    }

    impl Faults for Shop {}

    //> Handlers

    //> Authentication

    fn of_one_tag(host: Arc<Shop>, shop: Shop) -> impl Sized {
        //> A type for each tag
        service
    }

    mod hosting {
        use super::*;
        use axum::body::Body;
        use http::Response;
        use tracing::{Instrument as _, info_span};

        impl Host for Shop {
            type Context = ();
            type Error = ShopError;

            //> Around every request
        }
    }

    impl ListsApi for Shop {
        async fn books_add(&self, _: User, _: models::Book) -> Result<BooksAddResponse, ShopError> {
            Err(ShopError)
        }

        async fn books_list(&self, _: User, _: BooksListParams) -> Result<BooksListResponse, ShopError> {
            Err(ShopError)
        }
    }

    struct Layered;

    impl<S> tower_layer::Layer<S> for Layered {
        type Service = S;

        fn layer(&self, inner: S) -> S {
            inner
        }
    }

    fn layers(host: Arc<Shop>, limits: Limits) -> impl Sized {
        let (layer, other) = (Layered, Layered);
        //> Around every request
    }

    type MyError = ShopError;

    impl CopiesApi for Shop {
        //> Bodies
    }

    async fn store(_: &str, _: Bytes) -> Result<(), StreamError> {
        Ok(())
    }

    impl AlbumsApi for Shop {
        async fn album(&self, body: Upload<AlbumForm>) -> Result<AlbumResponse, ShopError> {
            match read(body).await {
                Ok(()) => Ok(AlbumResponse::NoContent),
                Err(_) => Err(ShopError),
            }
        }
    }

    async fn read(mut body: Upload<AlbumForm>) -> Result<(), StreamError> {
        //> Files
        drop(form);
        Ok(())
    }

    impl EventsApi for Shop {
        async fn ticks(&self) -> Result<TicksResponse, ShopError> {
            let ticks = futures_util::stream::iter([models::Tick { at: 1 }]);
            //> Events and lines
            Ok(TicksResponse::Ok { body })
        }
    }
}

/// A client.
mod calling {
    //> The client

    mod links {
        use shop_api::api::lists::BooksListParams;
        use shop_api::client::{Client, HttpTransport};
        use shop_api::links;
        use std::error::Error;

        async fn all(client: Client<HttpTransport>) -> Result<(), Box<dyn Error>> {
            //> Links
            Ok(())
        }
    }
}

/// Requests to other servers.
mod sending {
    use hooks_api::callbacks::{CallbackSender, subscribe_event_url};
    use hooks_api::client::HttpTransport;
    use hooks_api::models::{Book, Subscription};
    use hooks_api::webhooks::{BookAddedResponse, WebhookSender};
    use std::error::Error;

    fn forget(_: &str) {}

    async fn news(book: Book, subscriber: &str) -> Result<(), Box<dyn Error>> {
        //> Webhooks and callbacks
        Ok(())
    }

    async fn event(body: Subscription, event: Book) -> Result<(), Box<dyn Error>> {
        let transport = HttpTransport::new();
        //> Webhooks and callbacks
        Ok(())
    }
}

/// Types.
mod values {
    use shop_api::models;

    fn read(text: &str) -> serde_json::Result<bool> {
        //> Types
        Ok(fits)
    }

    fn decode(text: &str) -> Result<models::Book, shop_api::runtime::DecodeError> {
        //> Types
        Ok(book)
    }

    fn made() -> models::Book {
        //> Types
        book
    }
}
