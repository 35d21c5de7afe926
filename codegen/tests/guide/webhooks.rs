//! The code around the fragments of `docs/webhooks.md`. A line `//> SECTION` stands for the next block of that section.

use hooks_api::callbacks::{CallbackSender, subscribe_event_url};
use hooks_api::client::HttpTransport;
use hooks_api::models::{Book, Subscription};
use hooks_api::webhooks::{BookAddedResponse, WebhookSender};
use std::error::Error;

fn forget(_: &str) {}

async fn news(book: Book, subscriber: &str) -> Result<(), Box<dyn Error>> {
    //> Sending
    Ok(())
}

async fn event(body: Subscription, event: Book) -> Result<(), Box<dyn Error>> {
    let transport = HttpTransport::new();
    //> Sending
    Ok(())
}
