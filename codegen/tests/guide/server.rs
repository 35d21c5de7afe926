//! The code around the fragments of `docs/server.md`. A line `//> SECTION` stands for the next block of that section.

use shop_api::api::books::{BooksApi, BooksGetResponse};
use shop_api::api::lists::{BooksAddResponse, BooksListParams, BooksListResponse, ListsApi};
use shop_api::models::NotFound;
use shop_api::operations::OperationId;
use shop_api::runtime::credential::Bearer;
use shop_api::runtime::{Demand, Limits, Matched};
use shop_api::security::Security;
use shop_api::service::{Faults, Tags, service, service_of};
use shop_api::{AuthError, HandlerError, Host, models};
use std::collections::HashMap;
use std::sync::Arc;

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
