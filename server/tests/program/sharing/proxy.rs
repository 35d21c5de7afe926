//! A network between a replica and Redis that can be made bad.

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// Passes connections on to a port of this machine.
pub(crate) struct Proxy {
    address: SocketAddr,
    state: Arc<State>,
}

#[derive(Default)]
struct State {
    /// How long answers are held back, in ms.
    delay: AtomicU64,
    broken: AtomicBool,
    streams: Mutex<Vec<TcpStream>>,
}

impl Proxy {
    pub(crate) fn to(port: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let state = Arc::<State>::default();
        let passing = Arc::clone(&state);
        // It ends with the test's process.
        thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                if !passing.broken.load(Ordering::Relaxed) {
                    passing.pass(client, port);
                }
            }
        });
        Self { address, state }
    }

    pub(crate) fn url(&self) -> String {
        format!("redis://{}", self.address)
    }

    /// Holds every answer back for so long.
    pub(crate) fn delay(&self, by: Duration) {
        let by = u64::try_from(by.as_millis()).unwrap();
        self.state.delay.store(by, Ordering::Relaxed);
    }

    /// Cuts all connections, and accepts none until it is mended.
    pub(crate) fn break_off(&self) {
        self.state.broken.store(true, Ordering::Relaxed);
        for stream in self.state.streams.lock().unwrap().drain(..) {
            let _ = stream.shutdown(Shutdown::Both);
        }
    }

    pub(crate) fn mend(&self) {
        self.state.broken.store(false, Ordering::Relaxed);
    }
}

impl State {
    fn pass(self: &Arc<Self>, client: TcpStream, port: u16) {
        let Ok(server) = TcpStream::connect(("127.0.0.1", port)) else {
            return;
        };
        for stream in [&client, &server] {
            stream.set_nodelay(true).unwrap();
            self.streams
                .lock()
                .unwrap()
                .push(stream.try_clone().unwrap());
        }
        self.carry(
            client.try_clone().unwrap(),
            server.try_clone().unwrap(),
            false,
        );
        self.carry(server, client, true);
    }

    fn carry(self: &Arc<Self>, mut from: TcpStream, mut to: TcpStream, answers: bool) {
        let state = Arc::clone(self);
        thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(read @ 1..) = from.read(&mut bytes) {
                let delay = state.delay.load(Ordering::Relaxed);
                if answers && delay > 0 {
                    thread::sleep(Duration::from_millis(delay));
                }
                if to.write_all(&bytes[..read]).is_err() {
                    break;
                }
            }
            let _ = to.shutdown(Shutdown::Both);
        });
    }
}
