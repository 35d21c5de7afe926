//! Sends the requests in a file over and over, on a few connections at once, and prints how long
//! that took in seconds. Every answer must have the status and be complete.
//!
//! Usage: `load PORT CONNECTIONS COUNT STATUS REQUESTS`

use std::env;
use std::error::Error;
use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [port, connections, count, status, file] = arguments.as_slice() else {
        return Err("load PORT CONNECTIONS COUNT STATUS REQUESTS".into());
    };
    let (port, connections): (u16, usize) = (port.parse()?, connections.parse()?);
    let count: usize = count.parse()?;
    let file = fs::read_to_string(file)?;
    let mut requests = file.split_inclusive("\r\n\r\n").cycle();
    let start = format!("HTTP/1.1 {status} ");
    let mut streams = Vec::new();
    for _ in 0..connections {
        let stream = TcpStream::connect(("127.0.0.1", port))?;
        stream.set_nodelay(true)?;
        streams.push(stream);
    }
    let mut buffer = Vec::new();
    let began = Instant::now();
    for _ in 0..count.div_ceil(connections) {
        for stream in &mut streams {
            stream.write_all(requests.next().ok_or("no requests")?.as_bytes())?;
        }
        for stream in &mut streams {
            receive(stream, &start, &mut buffer)?;
        }
    }
    println!("{}", began.elapsed().as_secs_f64());
    Ok(())
}

/// Reads one whole answer, which must begin with `start`.
fn receive(
    stream: &mut TcpStream,
    start: &str,
    buffer: &mut Vec<u8>,
) -> Result<(), Box<dyn Error>> {
    buffer.clear();
    let mut piece = [0; 64 << 10];
    loop {
        let read = stream.read(&mut piece)?;
        buffer.extend_from_slice(piece.get(..read).unwrap_or_default());
        match whole(buffer)? {
            Some(whole) if buffer.len() == whole && buffer.starts_with(start.as_bytes()) => {
                return Ok(());
            }
            Some(whole) if buffer.len() >= whole => {
                return Err(format!("not {start}: {}", String::from_utf8_lossy(buffer)).into());
            }
            _ if read == 0 => return Err("the server has hung up".into()),
            _ => {}
        }
    }
}

/// How long an answer is, once its head is there. Without a length it has no body.
fn whole(answer: &[u8]) -> Result<Option<usize>, Box<dyn Error>> {
    let Some(end) = answer.windows(4).position(|end| end == b"\r\n\r\n") else {
        return Ok(None);
    };
    let head = str::from_utf8(answer.get(..end).unwrap_or_default())?;
    let mut lines = head.lines();
    let length = lines.find_map(|line| line.strip_prefix("content-length: "));
    Ok(Some(end + 4 + length.unwrap_or("0").parse::<usize>()?))
}
