//! The version of data in the database that a copy in memory has.

use tokio::sync::Mutex;

use db::DbError;

/// The version of a copy, which is refreshed in turns.
///
/// The poll and a request that looks up a key may refresh at the same time. If they crossed, the older
/// data could replace the newer and keep its version, and a revoked key would work until the next change.
#[derive(Debug)]
pub(crate) struct CopiedVersion(Mutex<u64>);

impl CopiedVersion {
    /// The version that was copied first.
    pub(crate) fn new(version: u64) -> Self {
        Self(Mutex::new(version))
    }

    /// Copies the data with `copy`, unless the copy has the version `found`, which was read before.
    pub(crate) async fn refresh(
        &self,
        found: u64,
        copy: impl AsyncFnOnce() -> Result<(), DbError>,
    ) -> Result<(), DbError> {
        let mut version = self.0.lock().await;
        if *version != found {
            copy().await?;
            *version = found;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

    use tokio::sync::Notify;
    use tokio::task::yield_now;

    use super::*;

    /// One refresh has read the keys as they were before a revocation when another begins.
    #[tokio::test]
    async fn a_key_that_was_revoked_during_a_refresh_does_not_live_on() {
        let (revoked, shown) = (AtomicBool::new(false), AtomicU64::new(0));
        let (copied, held) = (CopiedVersion::new(0), Notify::new());
        let live_keys = || {
            if revoked.load(Ordering::Relaxed) {
                1
            } else {
                2
            }
        };
        let slow = copied.refresh(1, async || {
            let read = live_keys();
            held.notified().await;
            shown.store(read, Ordering::Relaxed);
            Ok(())
        });
        let quick = async {
            revoked.store(true, Ordering::Relaxed);
            let show = async || {
                shown.store(live_keys(), Ordering::Relaxed);
                Ok(())
            };
            copied.refresh(2, show).await
        };
        let release = async {
            for _ in 0..10 {
                yield_now().await;
            }
            held.notify_one();
        };
        let (slow, quick, ()) = tokio::join!(slow, quick, release);
        assert_eq!((slow, quick), (Ok(()), Ok(())));
        assert_eq!(shown.into_inner(), 1, "the revoked key is shown");
    }
}
