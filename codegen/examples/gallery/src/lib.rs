//! A gallery: photos are uploaded and described, and listeners and a webhook hear of them.

mod access;
mod gallery;
mod news;
mod photos;
mod refusals;

use gallery_api::client::HttpTransport;
use gallery_api::runtime::Service;
use gallery_api::service::{Dispatcher, service};
use gallery_api::webhooks::WebhookSender;
use gallery_api::{HandlerError, Host};
use std::sync::Arc;
use tokio::sync::broadcast;

use gallery::Gallery;

/// The tokens and keys that are accepted.
#[derive(Debug, Clone)]
pub struct Credentials {
    /// The token of the one person who has one, Ada.
    pub token: String,
    /// The key of the camera.
    pub upload_key: String,
}

/// The state that all requests share.
pub struct App {
    credentials: Credentials,
    gallery: Gallery,
    news: broadcast::Sender<gallery_api::models::News>,
    webhooks: WebhookSender<HttpTransport>,
    /// Where the webhook is sent, if anywhere.
    webhook_url: Option<String>,
}

impl Host for App {
    type Context = ();
    type Error = HandlerError;
}

/// The contract as a service to mount.
pub fn app(credentials: Credentials, webhook_url: Option<String>) -> Service<Dispatcher<App>> {
    let app = App {
        credentials,
        gallery: Gallery::default(),
        news: broadcast::channel(64).0,
        webhooks: WebhookSender::new(HttpTransport::new()),
        webhook_url,
    };
    service(Arc::new(app), Default::default())
}
