//! Limits reads of the database that need no key.
//!
//! Lists of a charity's donations need no key but read the database. They have few permits and little time,
//! so that projects' requests and the refresh of the catalog find the database free.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio::time::timeout;

use db::DbError;

/// The number of the API's reads that run at a time; further ones wait.
const AT_ONCE: usize = 4;

/// The time that a request to the API waits for its permit and the answer.
const DEADLINE: Duration = Duration::from_secs(1);

/// The permits of reads without a key.
pub struct PublicReads {
    permits: Arc<Semaphore>,
    deadline: Duration,
}

/// The permits of the API's reads.
impl Default for PublicReads {
    fn default() -> Self {
        Self::new(AT_ONCE, DEADLINE)
    }
}

impl PublicReads {
    /// Allows `at_once` concurrent reads; further ones wait up to `deadline` for a permit.
    pub fn new(at_once: usize, deadline: Duration) -> PublicReads {
        PublicReads {
            permits: Arc::new(Semaphore::new(at_once)),
            deadline,
        }
    }

    /// Waits for a permit, then reads. The permit is held until the read ends, even if the request ends before.
    ///
    /// # Errors
    /// When the read fails, or the answer does not come in time.
    pub async fn run<T: Send + 'static>(
        &self,
        read: impl Future<Output = Result<T, DbError>> + Send + 'static,
    ) -> Result<T, DbError> {
        let unavailable = |why: &str| DbError::Unavailable(why.to_owned());
        let permits = Arc::clone(&self.permits);
        let reading = async move {
            let permit = permits.acquire_owned().await;
            let reading = tokio::spawn(async move {
                let _permit = permit;
                read.await
            });
            reading.await
        };
        match timeout(self.deadline, reading).await {
            Ok(Ok(answer)) => answer,
            Ok(Err(_)) => Err(DbError::Corrupt("a read panicked".to_owned())),
            Err(_) => Err(unavailable("a read without a key took too long")),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use tokio::task::JoinSet;

    use super::*;

    /// More requests than permits, whose reads never end: each is answered in time, and no read runs
    /// beyond the permits, although nobody waits for those that run.
    #[tokio::test(start_paused = true)]
    async fn reads_beyond_the_permits_wait_and_are_given_up() {
        let reads = Arc::new(PublicReads::default());
        let running = Arc::new(AtomicUsize::new(0));
        for round in 0..2 {
            let mut requests = JoinSet::new();
            for _ in 0..3 * AT_ONCE {
                let (reads, running) = (Arc::clone(&reads), Arc::clone(&running));
                requests.spawn(async move {
                    let read = async move {
                        running.fetch_add(1, Ordering::SeqCst);
                        std::future::pending::<Result<(), DbError>>().await
                    };
                    reads.run(read).await
                });
            }
            for answer in requests.join_all().await {
                assert!(matches!(answer, Err(DbError::Unavailable(_))), "{round}");
            }
            assert_eq!(running.load(Ordering::SeqCst), AT_ONCE);
        }
    }

    #[tokio::test]
    async fn an_answer_is_returned() {
        assert_eq!(PublicReads::default().run(async { Ok(7) }).await, Ok(7));
    }
}
