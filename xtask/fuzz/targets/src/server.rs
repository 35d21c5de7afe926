//! The real server with the demonstration's data, which a target asks over sockets.

use std::net::SocketAddr;
use std::sync::{Arc, LazyLock};

use edge::clock::SystemClock;
use jiff::Timestamp;
use server::config::{Config, Settings};
use features::database;
use server::demo::{self, DemoKeys};
use features::keys::Key;
use features::keys::lifecycle::{self, KeyRequest};
use server::startup::Server;
use tokio::runtime::Runtime;

/// A server that runs until the process ends.
pub struct Demo {
    /// The address of its API.
    pub address: SocketAddr,
    /// A key that it admits.
    #[allow(dead_code, reason = "a target that sends bytes needs none")]
    pub key: Key,
    #[allow(dead_code, reason = "as above")]
    pub runtime: Runtime,
}

/// The one server of this process.
pub static DEMO: LazyLock<Demo> = LazyLock::new(|| {
    let runtime = Runtime::new().expect("a runtime");
    let (address, key) = runtime.block_on(start());
    Demo {
        address,
        key,
        runtime,
    }
});

async fn start() -> (SocketAddr, Key) {
    let folder = tempfile::tempdir().expect("a folder").keep();
    let store = database::open(&folder.join("demo.db")).expect("a database");
    let now = Timestamp::now();
    let request = || KeyRequest::lasting(None);
    let generate = || lifecycle::generate(request(), now).expect("random bytes");
    let (issued, enterprise) = generate();
    let keys = DemoKeys {
        free: generate().1,
        pro: generate().1,
        enterprise,
    };
    demo::seed(&store, now, keys)
        .await
        .expect("data");
    let config = Config::of(Settings {
        listen: Some(([127, 0, 0, 1], 0).into()),
        admin_listen: Some(([127, 0, 0, 1], 0).into()),
        lift_limits: Some(true),
        ..Settings::default()
    });
    let server = Server::start(&config, store, Arc::new(SystemClock::start()));
    let server = server.await.expect("a server");
    let address = server.api;
    // Dropped, it would end what maintains it.
    std::mem::forget(server);
    (address, issued.key)
}
