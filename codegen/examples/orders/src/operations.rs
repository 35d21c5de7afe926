//! The operations of the contract, each in a span of its own.

use axum::body::Body;
use axum::response::Response;
use orders_api::api::orders::{OrdersApi, OrdersGetResponse, OrdersPlaceResponse};
use orders_api::models::{Error, NewOrder};
use orders_api::runtime::Matched;
use orders_api::service::Faults;
use orders_api::{HandlerError, Host};
use std::sync::Arc;

use crate::orders::Orders;
use crate::traces;

/// The state of the application that the operations need.
pub(crate) struct Operations {
    pub(crate) orders: Arc<Orders>,
}

impl Host for Operations {
    type Context = ();
    type Error = HandlerError;

    async fn observe<F>(&self, matched: Matched, answering: F) -> Response<Body>
    where
        F: Future<Output = Response<Body>> + Send,
    {
        traces::operation(&matched, answering).await
    }
}

impl OrdersApi for Operations {
    async fn orders_place(&self, body: NewOrder) -> Result<OrdersPlaceResponse, HandlerError> {
        let order = self.orders.place(body);
        Ok(OrdersPlaceResponse::Created {
            location: format!("/api/orders/{}", order.id),
            body: order.into(),
        })
    }

    async fn orders_get(&self, order_id: i64) -> Result<OrdersGetResponse, HandlerError> {
        Ok(match self.orders.get(order_id) {
            Some(order) => OrdersGetResponse::Ok { body: order.into() },
            None => OrdersGetResponse::NotFound {
                body: Error {
                    error: "There is no such order.".into(),
                }
                .into(),
            },
        })
    }
}

/// The service makes the documented error of each refusal itself.
impl Faults for Operations {}
