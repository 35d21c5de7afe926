//! The rate limit of pages: how many a network may ask for in a minute.
//!
//! It is separate from the API's limit, so that a visitor who follows old links does not use up the limit of
//! programs in the same network. Pages in memory are not counted.

use std::sync::Arc;

use super::refusal::Refusal;
use edge::clock::Clock;
use edge::http::RequestContext;
use edge::limits::{Capacity, Limiter, Windows};
use edge::reloadable::Reloadable;
use metrics::{Counter, counter, describe_counter};

use features::access::RateLimits;

const REJECTIONS: &str = "page_rejections_total";

/// How many networks are counted each by itself; further ones share windows. Fewer people than programs
/// come at a time, and their windows are larger.
const CAPACITY: Capacity = Capacity {
    networks: 8192,
    networks_per_48: 16,
};

/// The rate limit of pages that read the database, and of addresses without a page.
pub struct PageLimit {
    limiter: Limiter,
    rates: Reloadable<RateLimits>,
    clock: Arc<dyn Clock>,
    rejections: PageRejections,
}

/// Counts the requests that are refused.
pub struct PageRejections(Counter);

impl PageRejections {
    /// Registers the counter with the recorder that is current.
    pub fn register() -> Self {
        describe_counter!(
            REJECTIONS,
            "Requests for pages rejected by the limit of their network."
        );
        Self(counter!(REJECTIONS))
    }
}

impl PageLimit {
    /// The limit in `rates`, unless the limits are lifted. Each process counts by itself.
    pub fn new(
        rates: Reloadable<RateLimits>,
        is_lifted: bool,
        clock: Arc<dyn Clock>,
        rejections: PageRejections,
    ) -> Self {
        let limiter = match is_lifted {
            true => Limiter::Lifted,
            false => Limiter::Memory(Box::new(Windows::new(CAPACITY))),
        };
        Self {
            limiter,
            rates,
            clock,
            rejections,
        }
    }

    /// Forgets networks that are idle.
    pub async fn maintain(&self) {
        self.limiter.maintain(self.clock.now()).await;
    }

    /// Counts the current request, or refuses it.
    pub(crate) async fn admit(&self) -> Result<(), Refusal> {
        let Some(client) = RequestContext::current().map(|current| current.client()) else {
            return Ok(());
        };
        let (now, limit) = (self.clock.now(), self.rates.get().pages);
        let verdict = self.limiter.check(client.into(), limit, now.elapsed).await;
        match verdict.retry_in {
            None => Ok(()),
            Some(wait) => {
                self.rejections.0.increment(1);
                Err(Refusal::TooMany {
                    retry_after: wait.as_secs() + 1,
                })
            }
        }
    }
}
