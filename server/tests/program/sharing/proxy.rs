//! A proxy that simulates a faulty network between a server and a service that it needs.

use std::io::{self, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// Passes connections on to a server of this machine.
pub(crate) struct Proxy {
    pub(crate) address: SocketAddr,
    state: Arc<State>,
}

#[derive(Default)]
struct State {
    /// How long answers are held back, in ms.
    delay: AtomicU64,
    broken: AtomicBool,
    /// Closures that cut the connections so far.
    cuts: Mutex<Vec<Box<dyn Fn() + Send>>>,
}

/// One end of a connection. Clones share it.
trait Stream: Read + Write + Send + Sized + 'static {
    fn another(&self) -> Self;
    fn cut(&self);
}

macro_rules! stream {
    ($($type:ty)*) => {$(
        impl Stream for $type {
            fn another(&self) -> Self {
                self.try_clone().unwrap()
            }

            fn cut(&self) {
                // It may be cut already.
                let _ = self.shutdown(Shutdown::Both);
            }
        }
    )*};
}

stream!(TcpStream UnixStream);

impl Proxy {
    /// Before a port.
    pub(crate) fn to(port: u16) -> Self {
        Self::before(move || {
            let stream = TcpStream::connect(("127.0.0.1", port))?;
            stream.set_nodelay(true)?;
            Ok(stream)
        })
    }

    /// Before a socket in the file system.
    pub(crate) fn to_socket(path: PathBuf) -> Self {
        Self::before(move || UnixStream::connect(&path))
    }

    fn before<S: Stream>(connect: impl Fn() -> io::Result<S> + Send + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let state = Arc::<State>::default();
        let passing = Arc::clone(&state);
        // It ends with the test's process.
        thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                if !passing.broken.load(Ordering::Relaxed)
                    && let Ok(server) = connect()
                {
                    client.set_nodelay(true).unwrap();
                    passing.pass(client, server);
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

    /// Cuts all connections, and accepts none until `restore` is called.
    pub(crate) fn break_off(&self) {
        self.state.broken.store(true, Ordering::Relaxed);
        for cut in self.state.cuts.lock().unwrap().drain(..) {
            cut();
        }
    }

    pub(crate) fn restore(&self) {
        self.state.broken.store(false, Ordering::Relaxed);
    }
}

impl State {
    fn pass<S: Stream>(self: &Arc<Self>, client: TcpStream, server: S) {
        let both = (client.another(), server.another());
        let cut = move || {
            both.0.cut();
            both.1.cut();
        };
        self.cuts.lock().unwrap().push(Box::new(cut));
        self.carry(client.another(), server.another(), false);
        self.carry(server, client, true);
    }

    fn carry(self: &Arc<Self>, mut from: impl Stream, mut to: impl Stream, answers: bool) {
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
            to.cut();
        });
    }
}
