//! Ports for servers that cannot choose one themselves.

use std::net::TcpListener;
use std::process;
use std::sync::atomic::{AtomicU16, Ordering};

/// The first of the ports, and their number. All are below those that the system gives to a socket that binds
/// port 0 (32768 and above), so that no other test is given one before it is used.
const FIRST: u16 = 20_000;
const COUNT: u16 = 10_000;

/// A port of this machine on which nobody listens. Tests that run side by side, in one process or in several,
/// begin their search at different ports.
pub(crate) fn free_port() -> u16 {
    static TRIED: AtomicU16 = AtomicU16::new(0);
    let own = process::id().wrapping_mul(16);
    for _ in 0..COUNT {
        let next = u32::from(TRIED.fetch_add(1, Ordering::Relaxed)).wrapping_add(own);
        let port = FIRST + u16::try_from(next % u32::from(COUNT)).unwrap();
        if TcpListener::bind(("127.0.0.1", port)).is_ok() {
            return port;
        }
    }
    panic!("no port of {COUNT} is free");
}
