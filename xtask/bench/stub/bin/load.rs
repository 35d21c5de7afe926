//! Sends a request, read from the standard input, many times over a few connections at once, and
//! prints how long that took in seconds. Every answer must be as long as the first.
//!
//! Usage: `load PORT CONNECTIONS REQUESTS`

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Instant;

fn main() {
    let arguments: Vec<usize> = std::env::args()
        .skip(1)
        .map(|text| text.parse().expect("a number"))
        .collect();
    let [port, connections, requests] = arguments[..] else {
        panic!("load PORT CONNECTIONS REQUESTS");
    };
    let mut request = Vec::new();
    std::io::stdin()
        .read_to_end(&mut request)
        .expect("a request");
    let connect = |_| {
        let stream = TcpStream::connect(("127.0.0.1", port as u16)).expect("a connection");
        stream.set_nodelay(true).expect("a socket");
        stream
    };
    let mut streams: Vec<TcpStream> = (0..connections).map(connect).collect();
    let mut buffer = vec![0; 64 << 10];
    let start = Instant::now();
    for _ in 0..requests.div_ceil(connections) {
        for stream in &mut streams {
            stream.write_all(&request).expect("a server that reads");
        }
        for stream in &mut streams {
            receive(stream, &mut buffer);
        }
    }
    println!("{}", start.elapsed().as_secs_f64());
}

/// Reads one answer, which must be a success.
fn receive(stream: &mut TcpStream, buffer: &mut [u8]) {
    let mut filled = 0;
    loop {
        let read = stream.read(&mut buffer[filled..]).expect("an answer");
        assert!(read > 0, "the server has hung up");
        filled += read;
        if let Some(whole) = whole(&buffer[..filled]) {
            if filled >= whole {
                assert!(
                    filled == whole && buffer.starts_with(b"HTTP/1.1 20"),
                    "another answer"
                );
                return;
            }
        }
    }
}

/// How long an answer is, once its head is there.
fn whole(answer: &[u8]) -> Option<usize> {
    let head = answer.windows(4).position(|end| end == b"\r\n\r\n")? + 4;
    let text = std::str::from_utf8(&answer[..head]).expect("a head");
    let length = text
        .lines()
        .find_map(|line| line.strip_prefix("content-length: "));
    Some(
        head + length
            .expect("a length")
            .parse::<usize>()
            .expect("a length"),
    )
}
