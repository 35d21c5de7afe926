//! The threads that own the connections to PostgreSQL.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use tokio::runtime::Builder;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc, oneshot};
use tokio::time::timeout;

use super::connection::{CONNECTIONS, Peer, WAIT};
use super::session::Session;
use crate::{DbError, PoolUse};

type Job = Box<dyn FnOnce(&mut Session) + Send>;

/// A thread that waits for its next task.
type Worker = mpsc::UnboundedSender<Task>;

struct Task {
    job: Job,
    permit: OwnedSemaphorePermit,
    /// The thread itself, which becomes idle afterwards.
    worker: Worker,
}

/// Threads with a connection each. They are started when all others are busy, and the last one that was
/// used is used next, so that no more connections are open than were needed at a time.
pub(crate) struct Pool {
    peer: Peer,
    permits: Arc<Semaphore>,
    shared: Arc<Shared>,
}

struct Shared {
    /// The idle threads; `None` when the pool is closed.
    idle: Mutex<Option<Vec<Worker>>>,
    open: AtomicUsize,
    waiting: AtomicUsize,
    timeouts: AtomicU64,
}

impl Pool {
    pub(crate) fn new(peer: Peer) -> Self {
        Pool {
            peer,
            permits: Arc::new(Semaphore::new(CONNECTIONS)),
            shared: Arc::new(Shared {
                idle: Mutex::new(Some(Vec::new())),
                open: AtomicUsize::new(0),
                waiting: AtomicUsize::new(0),
                timeouts: AtomicU64::new(0),
            }),
        }
    }

    /// Runs `work` on a thread with a connection. Once begun it runs to its end, waited for or not.
    pub(crate) async fn run<T: Send + 'static, E: From<DbError> + Send + 'static>(
        &self,
        work: impl FnOnce(&mut Session) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E> {
        let permit = self.permit().await?;
        let (answer, answered) = oneshot::channel();
        let job: Job = Box::new(move |session| {
            let result = work(session);
            // The receiver is gone if the caller has stopped waiting.
            let _ = answer.send(result);
        });
        let idle = lock(&self.shared.idle).as_mut().and_then(Vec::pop);
        let worker = match idle {
            Some(worker) => worker,
            None => self.start_worker()?,
        };
        let itself = worker.clone();
        let task = Task {
            job,
            permit,
            worker: itself,
        };
        worker
            .send(task)
            .map_err(|_| DbError::unavailable("the connection pool is closed"))?;
        // Only a panic in `work` drops the sender.
        let panicked = |_| DbError::Corrupt("a query panicked".to_owned());
        answered.await.map_err(panicked)?
    }

    /// Waits for the right to use a connection.
    async fn permit(&self) -> Result<OwnedSemaphorePermit, DbError> {
        let _waiting = Waiting::start(&self.shared.waiting);
        match timeout(WAIT, Arc::clone(&self.permits).acquire_owned()).await {
            Ok(Ok(permit)) => Ok(permit),
            Ok(Err(_)) => Err(DbError::unavailable("the connection pool is closed")),
            Err(_) => {
                self.shared.timeouts.fetch_add(1, Ordering::Relaxed);
                let busy = "all connections are busy, or it does not respond";
                Err(DbError::unavailable(busy))
            }
        }
    }

    fn start_worker(&self) -> Result<Worker, DbError> {
        let unavailable = |error: std::io::Error| DbError::Unavailable(error.to_string());
        let runtime = Builder::new_current_thread().enable_all().build();
        let session = Session::new(runtime.map_err(unavailable)?, self.peer.clone());
        let (worker, jobs) = mpsc::unbounded_channel();
        let shared = Arc::clone(&self.shared);
        thread::Builder::new()
            .name("store-postgres".to_owned())
            .spawn(move || work_off(session, jobs, &shared))
            .map_err(unavailable)?;
        Ok(worker)
    }

    pub(crate) fn usage(&self) -> PoolUse {
        let open = self.shared.open.load(Ordering::Relaxed);
        PoolUse {
            most: CONNECTIONS,
            open,
            idle: lock(&self.shared.idle)
                .as_ref()
                .map_or(0, Vec::len)
                .min(open),
            waiting: self.shared.waiting.load(Ordering::Relaxed),
            timeouts: self.shared.timeouts.load(Ordering::Relaxed),
        }
    }

    /// Ends idle connections now, and the others when their work is done.
    pub(crate) fn close(&self) {
        self.permits.close();
        *lock(&self.shared.idle) = None;
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.close();
    }
}

fn work_off(mut session: Session, mut tasks: mpsc::UnboundedReceiver<Task>, shared: &Shared) {
    let set_open = |was_open, is_open| match (was_open, is_open) {
        (false, true) => _ = shared.open.fetch_add(1, Ordering::Relaxed),
        (true, false) => _ = shared.open.fetch_sub(1, Ordering::Relaxed),
        _ => {}
    };
    // While it waits, the runtime notices a connection that is lost.
    while let Some(task) = session.runtime.block_on(tasks.recv()) {
        let was_open = session.is_open();
        let panicked = catch_unwind(AssertUnwindSafe(|| (task.job)(&mut session))).is_err();
        if panicked {
            session.give_up();
        }
        set_open(was_open, session.is_open());
        if let Some(idle) = lock(&shared.idle).as_mut() {
            idle.push(task.worker);
        }
        drop(task.permit);
    }
    set_open(session.is_open(), false);
}

/// Counts a waiting request until it is dropped.
struct Waiting<'a>(&'a AtomicUsize);

impl<'a> Waiting<'a> {
    fn start(waiting: &'a AtomicUsize) -> Self {
        waiting.fetch_add(1, Ordering::Relaxed);
        Waiting(waiting)
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl fmt::Debug for Pool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.usage().fmt(f)
    }
}

/// No code can leave these values half-changed, so a poisoned lock is harmless.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
