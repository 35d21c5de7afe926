//! A server inside the test, on a clock that the test holds.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use edge::clock::{Clock, Moment};
use features::database;
use jiff::SignedDuration;
use server::config::{Config, Settings};
use server::startup::Server;
use tokio::runtime::{Builder, Runtime};

use crate::folder::Folder;

/// A clock that stands still until it is advanced, and can be made to fail. Clones share the time.
#[derive(Clone)]
pub(super) struct Held(Arc<(Mutex<Moment>, AtomicBool)>);

impl Held {
    pub(super) fn new() -> Self {
        let moment = Moment {
            elapsed: Duration::from_secs(10_000),
            wall: "2026-11-20T12:00:00Z".parse().unwrap(),
        };
        Self(Arc::new((Mutex::new(moment), AtomicBool::new(false))))
    }

    /// Sets the wall clock, as an operator or a time server may; the other clock never jumps.
    pub(super) fn set(&self, by: SignedDuration) {
        self.0.0.lock().unwrap().wall += by;
    }

    /// Lets time pass.
    pub(super) fn pass(&self, time: Duration) {
        let mut moment = self.0.0.lock().unwrap();
        moment.elapsed += time;
        moment.wall += time;
    }

    /// From now on every reading panics, or none does.
    pub(super) fn fail(&self, fails: bool) {
        self.0.1.store(fails, Ordering::Relaxed);
    }
}

impl Clock for Held {
    fn now(&self) -> Moment {
        assert!(!self.0.1.load(Ordering::Relaxed), "told to fail");
        *self.0.0.lock().unwrap()
    }
}

/// A running server.
pub(super) struct Inside {
    runtime: Runtime,
    server: Server,
}

impl Inside {
    pub(super) fn start(folder: &Folder, clock: &Held) -> Self {
        let mut runtime = Builder::new_multi_thread();
        let runtime = runtime.worker_threads(1).enable_all().build().unwrap();
        let mut config = Config::resolve(Settings::default(), Settings::default());
        config.listen.set_port(0);
        config.admin_listen.set_port(0);
        config.database = folder.database().into();
        config.journal = Some(folder.path().join("windows"));
        let store = database::open(&folder.database()).unwrap();
        let server = Server::start(&config, store, Arc::new(clock.clone()));
        let server = runtime.block_on(server).unwrap();
        Self { runtime, server }
    }

    pub(super) fn api(&self) -> SocketAddr {
        self.server.api
    }

    pub(super) fn stop(self) {
        self.server.shutdown().request();
        self.runtime.block_on(self.server.finished());
    }
}
