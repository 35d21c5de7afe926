//! What all charities received in the last 30 days, for the start page.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use crate::donation_chart::DonationChart;
use features::api::{Api, PublicReads};
use features::cache_refresh::CacheRefresh;
use features::domain::amount::UsdE6;
use features::rollups::store::received_within;

/// How often the sum is read, however many requests there are.
const LIFE: Duration = Duration::from_secs(60);

/// How long the request waits that finds it out of date.
const DEADLINE: Duration = Duration::from_millis(500);

/// The sum, and when it is read again.
#[derive(Default)]
struct Cached {
    sum: Option<UsdE6>,
    until: Option<Instant>,
}

pub(super) struct RecentDonations {
    cached: Mutex<Cached>,
    reads: PublicReads,
}

impl RecentDonations {
    pub(super) fn new() -> Self {
        Self {
            cached: Mutex::default(),
            reads: PublicReads::new(1, DEADLINE),
        }
    }

    /// The sum as of the last minute; an older one or none while the database does not answer.
    pub(super) async fn sum(&self, api: &Api, refresh: &CacheRefresh) -> Option<UsdE6> {
        let known = self.claim_read();
        if let Err(known) = known {
            return known;
        }
        let read = match refresh.readiness() {
            Ok(()) => self.read(api).await,
            Err(_) => None,
        };
        let mut cached = self.cached.lock().unwrap_or_else(PoisonError::into_inner);
        cached.sum = read.or(cached.sum);
        cached.sum
    }

    /// Whether the caller shall read the sum: the first one of each minute, and meanwhile the others get the known sum,
    /// which is the error.
    fn claim_read(&self) -> Result<(), Option<UsdE6>> {
        let now = Instant::now();
        let mut cached = self.cached.lock().unwrap_or_else(PoisonError::into_inner);
        if cached.until.is_some_and(|until| now < until) {
            return Err(cached.sum);
        }
        cached.until = Some(now + LIFE);
        Ok(())
    }

    async fn read(&self, api: &Api) -> Option<UsdE6> {
        let range = DonationChart::range(api.now().wall)?;
        let store = api.store.clone();
        let read = async move { received_within(&store, range).await };
        let read = self.reads.run(read).await;
        read.inspect_err(|error| tracing::warn!(%error, "the start page lacks recent donations"))
            .ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn one_request_a_minute_reads() {
        let recent = RecentDonations::new();
        assert_eq!(recent.claim_read(), Ok(()));
        assert_eq!(recent.claim_read(), Err(None));
        recent.cached.lock().unwrap().sum = Some(UsdE6(7));
        assert_eq!(recent.claim_read(), Err(Some(UsdE6(7))));
        tokio::time::advance(LIFE).await;
        assert_eq!(recent.claim_read(), Ok(()));
    }
}
