//! The real server with the demonstration's data, which the target asks over a socket.

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use jiff::Timestamp;
use server::clock::SystemClock;
use server::config::{Config, Settings};
use server::database;
use server::demo::{self, DemoKeys};
use server::keys::{Key, KeyId, NewKey};
use server::server::Server;
use uuid::Uuid;

/// A server that runs until the process ends.
pub struct Demo {
    address: SocketAddr,
    /// A key that it admits.
    #[allow(dead_code, reason = "one of the targets sends its own")]
    pub key: String,
}

/// The one server of this process.
pub static DEMO: LazyLock<Demo> = LazyLock::new(start);

fn start() -> Demo {
    let (ready, started) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Runtime::new().expect("a runtime");
        runtime.block_on(async {
            let folder = tempfile::tempdir().expect("a folder");
            let store = database::open(&folder.path().join("demo.db")).expect("a database");
            let (key, enterprise) = issue();
            let keys = DemoKeys { free: issue().1, pro: issue().1, enterprise };
            demo::seed(&store, Timestamp::now(), keys).await.expect("data");
            let config = Config::of(Settings {
                listen: Some(([127, 0, 0, 1], 0).into()),
                admin_listen: Some(([127, 0, 0, 1], 0).into()),
                lift_limits: Some(true),
                ..Settings::default()
            });
            let server = Server::start(&config, store, Arc::new(SystemClock::start()));
            let server = server.await.expect("a server");
            let key = key.reveal().to_owned();
            let _ = ready.send(Demo { address: server.api, key });
            std::future::pending::<()>().await;
        });
    });
    started.recv().expect("a server")
}

fn issue() -> (Key, NewKey) {
    let key = Key::generate().expect("random bytes");
    let record = NewKey {
        id: KeyId(Uuid::now_v7()),
        digest: key.digest(),
        display_prefix: key.display_prefix().to_owned(),
        created_at: Timestamp::now(),
        expires_at: None,
    };
    (key, record)
}

impl Demo {
    /// Sends bytes on a connection of their own, and checks the answers: whatever comes in, the
    /// server neither fails nor says anything but HTTP.
    pub fn send(&self, bytes: &[u8]) {
        let mut stream = TcpStream::connect(self.address).expect("a connection");
        let limit = Some(Duration::from_secs(8));
        stream.set_read_timeout(limit).expect("a limit of time");
        // The server may have refused the request before all of it was sent.
        let _ = stream.write_all(bytes);
        let _ = stream.shutdown(Shutdown::Write);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        let head = &answer[..answer.len().min(12)];
        assert!(head.is_empty() || head.starts_with(b"HTTP/1."), "{:?}", show(&answer));
        assert!(!head.ends_with(b" 500"), "{:?}", show(&answer));
    }
}

fn show(answer: &[u8]) -> String {
    String::from_utf8_lossy(answer).into_owned()
}
