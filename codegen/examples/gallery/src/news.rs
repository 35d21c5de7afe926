//! News of photos: as events to listeners, and as a webhook.

use futures_util::{Stream, stream};
use gallery_api::HandlerError;
use gallery_api::api::news::{NewsApi, NewsFollowResponse};
use gallery_api::models::{News, NewsWhat, Photo};
use gallery_api::runtime::{Event, Events};
use std::time::Duration;
use tokio::sync::broadcast::{Receiver, error::RecvError};

use crate::App;

/// Proxies cut connections that say nothing for longer.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

impl NewsApi for App {
    async fn news_follow(&self) -> Result<NewsFollowResponse, HandlerError> {
        let body = Events::new(events(self.news.subscribe())).keep_alive(KEEP_ALIVE);
        Ok(NewsFollowResponse::Ok { body })
    }
}

/// The events from now on. A listener that is too slow misses some.
fn events(news: Receiver<News>) -> impl Stream<Item = Event<News>> {
    stream::unfold(news, |mut news| async {
        loop {
            match news.recv().await {
                Ok(item) => return Some((Event::from(item), news)),
                Err(RecvError::Lagged(_)) => {}
                Err(RecvError::Closed) => return None,
            }
        }
    })
}

impl App {
    /// Tells all listeners.
    pub(crate) fn tell(&self, what: NewsWhat, photo: &Photo) {
        let photo = photo.clone();
        // Nobody may be listening.
        let _ = self.news.send(News { what, photo });
    }

    /// Sends the webhook, without making the uploader wait. A service that promises delivery keeps the events
    /// that it has to send, and tries again.
    pub(crate) fn send_webhook(&self, photo: Photo) {
        let Some(url) = self.webhook_url.clone() else {
            return;
        };
        let webhooks = self.webhooks.clone();
        tokio::spawn(async move {
            if let Err(error) = webhooks.photo_added(&url, photo).await {
                eprintln!("the webhook was not taken: {error}");
            }
        });
    }
}
