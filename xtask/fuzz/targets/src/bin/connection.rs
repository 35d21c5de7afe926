//! Heads and bodies of requests: the bytes of a whole connection to the server.

#![no_main]

#[path = "../server.rs"]
mod server;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| server::DEMO.send(bytes));
