//! Requests whose form is right: a path of the contract, and the texts of its parameters, cursors
//! among them, of its body, and of a key.

#![no_main]

#[path = "../server.rs"]
mod server;

use server::DEMO;

/// The paths; the texts of the input take the places of `*`.
const PATHS: [&str; 12] = [
    "GET /api/v1/charities?cursor=*&limit=*&category=*&country=*",
    "GET /api/v1/charities/*",
    "GET /api/v1/campaigns?cursor=*&limit=*",
    "GET /api/v1/campaigns/*",
    "GET /api/v1/tokens?chainId=*&cursor=*&limit=*",
    "GET /api/v1/*/tokens/*",
    "GET /api/v1/*/contracts/*/tokens/leaderboard?cursor=*&limit=*",
    "GET /api/v1/configs?cursor=*&limit=*",
    "POST /api/v1/configs",
    "GET /api/v1/analytics/series?from=*&to=*&interval=*",
    "GET /api/v1/analytics/charities?from=*&to=*&cursor=*&limit=*",
    "GET /api/v1/*?*=*&*=*",
];

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Some((first, rest)) = bytes.split_first() else {
        return;
    };
    let mut texts = rest.split(|byte| *byte == b'\n');
    let path = PATHS[usize::from(*first) % PATHS.len()];
    let mut line = String::new();
    for part in path.split_inclusive('*') {
        line += part.trim_end_matches('*');
        if part.ends_with('*') {
            line += &encoded(texts.next().unwrap_or_default());
        }
    }
    let key = match texts.next() {
        Some(text) if !text.is_empty() => visible(text),
        _ => DEMO.key.clone(),
    };
    let body = texts.next().unwrap_or_default();
    let mut request = format!(
        "{line} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\nservice-api-key: {key}\r\n"
    );
    if !body.is_empty() {
        let length = body.len();
        request += &format!("content-type: application/json\r\ncontent-length: {length}\r\n");
    }
    request += "\r\n";
    DEMO.send(&[request.as_bytes(), body].concat());
});

fn encoded(text: &[u8]) -> String {
    percent_encoding::percent_encode(text, percent_encoding::NON_ALPHANUMERIC).to_string()
}

/// The bytes that a field of a head may have.
fn visible(text: &[u8]) -> String {
    let bytes = text.iter().filter(|byte| matches!(byte, b'!'..=b'~'));
    bytes.map(|byte| char::from(*byte)).collect()
}
