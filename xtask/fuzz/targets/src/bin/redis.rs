//! The answers of a Redis that shares the limits: whatever it says, requests are decided.

#![no_main]

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener};
use std::sync::{LazyLock, Mutex};
use std::time::Duration;

use server::limits::shared::{Instruments, Options, Redis, RedisUrl, Shared};
use server::limits::{Subject, WINDOW};
use server::projects::ProjectId;
use uuid::Uuid;

const TIMEOUT: Duration = Duration::from_millis(20);

/// What the next connections are told.
static ANSWER: Mutex<Vec<u8>> = Mutex::new(Vec::new());

/// A Redis that answers every request with the input.
static REDIS: LazyLock<SocketAddr> = LazyLock::new(|| {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.expect("a connection");
            std::thread::spawn(move || {
                let mut request = [0; 4096];
                while stream.read(&mut request).is_ok_and(|read| read > 0) {
                    let answer = ANSWER.lock().expect("an answer").clone();
                    if stream.write_all(&answer).is_err() {
                        return;
                    }
                }
            });
        }
    });
    address
});
static RUNTIME: LazyLock<tokio::runtime::Runtime> =
    LazyLock::new(|| tokio::runtime::Runtime::new().expect("a runtime"));

libfuzzer_sys::fuzz_target!(|answer: &[u8]| {
    *ANSWER.lock().expect("an answer") = answer.to_vec();
    RUNTIME.block_on(async {
        let url: RedisUrl = format!("redis://{}", *REDIS).parse().expect("a URL");
        let redis = Redis::new(&url, None, WINDOW, TIMEOUT).expect("a client");
        let options = Options { timeout: TIMEOUT, replicas: 1, networks: 100 };
        let limiter = Shared::new(redis, options, Instruments::register());
        let now = Duration::from_secs(3600);
        limiter.maintain(now).await;
        let caller = Subject::Project(ProjectId(Uuid::nil()));
        let _ = limiter.check(caller, 5, now).await;
    });
});
