//! The answers of a Redis that shares the limits, in the order of the requests, with zeros between them.
//! Whatever it says, a request is decided in time, and the verdict is one that callers may be told.

#![no_main]

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{LazyLock, Mutex};
use std::time::Duration;

use edge::limits::shared::{Instruments, Options, Redis, RedisUrl, Shared};
use edge::limits::{Capacity, Subject, WINDOW};
use uuid::Uuid;

const TIMEOUT: Duration = Duration::from_millis(50);

/// How long the next request of a connection may take; then its answer was not a whole one.
const PATIENCE: Duration = Duration::from_millis(5);

const LIMIT: u32 = 5;

/// The bytes that the next connections are sent.
static ANSWERS: Mutex<Vec<u8>> = Mutex::new(Vec::new());

/// A Redis that answers with the input.
static REDIS: LazyLock<SocketAddr> = LazyLock::new(|| {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let answers = ANSWERS.lock().expect("answers").clone();
            // The connection may end before it is answered.
            std::thread::spawn(move || answer(stream.expect("a connection"), &answers));
        }
    });
    address
});

fn answer(mut stream: TcpStream, answers: &[u8]) -> std::io::Result<()> {
    let mut request = [0; 8192];
    stream.read(&mut request)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    for answer in answers.split(|byte| *byte == 0) {
        stream.write_all(answer)?;
        if stream.read(&mut request)? == 0 {
            break;
        }
    }
    Ok(())
}

static RUNTIME: LazyLock<tokio::runtime::Runtime> =
    LazyLock::new(|| tokio::runtime::Runtime::new().expect("a runtime"));

libfuzzer_sys::fuzz_target!(|answers: &[u8]| {
    *ANSWERS.lock().expect("answers") = answers.to_vec();
    RUNTIME.block_on(async {
        let url: RedisUrl = format!("redis://{}", *REDIS).parse().expect("a URL");
        let redis = Redis::new(&url, None, WINDOW, TIMEOUT).expect("a client");
        let options = Options {
            timeout: TIMEOUT,
            replicas: 1,
            capacity: Capacity::default(),
        };
        let limiter = Shared::new(redis, options, Instruments::register());
        let now = Duration::from_secs(3600);
        limiter.maintain(now).await;
        let caller = Subject::Caller(Uuid::nil());
        let verdict = limiter.check(caller, LIMIT, now).await;
        assert_eq!(verdict.limit, LIMIT);
        assert!(verdict.remaining <= LIMIT, "{verdict:?}");
        // The clock of Redis may be stepped back by a second, and the time of the answer is added.
        let longest = WINDOW + Duration::from_secs(1) + TIMEOUT;
        assert!(verdict.reset_in <= longest, "{verdict:?}");
        assert!(
            verdict.retry_in.is_none_or(|wait| wait <= longest),
            "{verdict:?}"
        );
    });
});
