//! The threads that own the connections, and how work reaches them. Knows no SQL.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

use rusqlite::Connection;
use tokio::sync::{mpsc, oneshot};

use crate::DbError;

type Job = Box<dyn FnOnce(&mut Connection) + Send>;

/// Threads that take work from one queue, each with a connection of its own.
pub(crate) struct Workers {
    jobs: Mutex<Option<mpsc::Sender<Job>>>,
    threads: Mutex<Vec<JoinHandle<()>>>,
}

impl Workers {
    /// Starts a thread for each connection.
    pub(crate) fn start(
        name: &str,
        connections: Vec<Connection>,
        queue: usize,
    ) -> Result<Workers, DbError> {
        let (jobs, queued) = mpsc::channel(queue);
        let queued = Arc::new(Mutex::new(queued));
        let spawn = |connection| {
            let queued = Arc::clone(&queued);
            thread::Builder::new()
                .name(name.to_owned())
                .spawn(move || work_off(connection, &queued))
                .map_err(|error| DbError::Unavailable(error.to_string()))
        };
        let threads = connections
            .into_iter()
            .map(spawn)
            .collect::<Result<_, _>>()?;
        Ok(Workers {
            jobs: Mutex::new(Some(jobs)),
            threads: Mutex::new(threads),
        })
    }

    /// Runs `work` on one of the threads. Once queued it runs to its end, waited for or not.
    pub(crate) async fn run<T: Send + 'static, E: From<DbError> + Send + 'static>(
        &self,
        work: impl FnOnce(&mut Connection) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E> {
        let stopped = || DbError::Unavailable("the database is closed".to_owned());
        let jobs = lock(&self.jobs).clone().ok_or_else(stopped)?;
        let (answer, answered) = oneshot::channel();
        let job: Job = Box::new(move |connection| {
            // The receiver is gone if the caller has stopped waiting; the work is done in any case.
            let _ = answer.send(work(connection));
        });
        jobs.send(job).await.map_err(|_| stopped())?;
        // Only a panic in `work` drops the answer unsent.
        let panicked = |_| DbError::Corrupt("a query panicked".to_owned());
        answered.await.map_err(panicked)?
    }

    /// Finishes queued work and ends the threads.
    pub(crate) fn stop(&self) {
        drop(lock(&self.jobs).take());
        for thread in lock(&self.threads).drain(..) {
            // The threads catch panics, so that joining one cannot fail.
            let _ = thread.join();
        }
    }
}

impl fmt::Debug for Workers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Workers").finish_non_exhaustive()
    }
}

fn work_off(mut connection: Connection, queued: &Mutex<mpsc::Receiver<Job>>) {
    loop {
        // The lock is held while waiting: one idle thread waits for work, the other ones for the lock.
        let Some(job) = lock(queued).blocking_recv() else {
            return;
        };
        // A panic rolls its transaction back and ends its job, not the thread.
        let _ = catch_unwind(AssertUnwindSafe(|| job(&mut connection)));
    }
}

/// No code can leave these values half-changed, so a poisoned lock is harmless.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    fn workers(threads: usize) -> Workers {
        let connections = (0..threads)
            .map(|_| Connection::open_in_memory().unwrap())
            .collect();
        Workers::start("test", connections, 128).unwrap()
    }

    #[tokio::test]
    async fn abandoned_work_is_finished() {
        let workers = workers(1);
        let done = Arc::new(AtomicUsize::new(0));
        for _ in 0..100 {
            let done = Arc::clone(&done);
            let call = workers.run(move |_| {
                done.fetch_add(1, Ordering::Relaxed);
                Ok::<_, DbError>(())
            });
            // Polled once, then dropped: a client that hangs up.
            tokio::select! { biased; _ = call => {}, () = std::future::ready(()) => {} }
        }
        workers.stop();
        assert_eq!(done.load(Ordering::Relaxed), 100);
    }

    #[tokio::test]
    async fn a_panic_ends_its_job_only() {
        let workers = workers(1);
        let panicked = workers
            .run(|_| -> Result<(), DbError> { panic!("on purpose") })
            .await;
        assert!(matches!(panicked, Err(DbError::Corrupt(_))));
        assert!(workers.run(|_| Ok::<_, DbError>(())).await.is_ok());
    }

    #[tokio::test]
    async fn stopped_workers_say_so() {
        let workers = workers(2);
        workers.stop();
        assert!(matches!(
            workers.run(|_| Ok::<_, DbError>(())).await,
            Err(DbError::Unavailable(_))
        ));
    }
}
