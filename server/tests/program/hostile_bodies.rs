//! Bodies that are too large, broken or not wanted, sent by clients that write all of it
//! before they read: the answer must reach them.

use serde_json::json;

use crate::answer::{defined, denied, undefined};
use crate::folder::Folder;
use crate::serving::{Serving, serve};
use crate::wire::{Answer, Wire};
use crate::world::{CHARITY, PROJECT, furnished};

const MIB: usize = 1 << 20;

/// The maximum number of bytes of a refused body that are read.
const DRAINED: usize = 8 * MIB;

struct World {
    key: String,
    serving: Serving,
    _folder: Folder,
}

fn world(arguments: &[&str]) -> World {
    let folder = furnished();
    let key = folder.ask(&["key", "issue", "--project", PROJECT]);
    let serving = serve(&folder, arguments);
    World {
        key,
        serving,
        _folder: folder,
    }
}

impl World {
    /// Begins to create a config: the head without the headers of the body.
    fn post(&self, fields: &str) -> (Wire, String) {
        let key = &self.key;
        let head = format!(
            "POST /api/v1/configs HTTP/1.1\r\nhost: test\r\nservice-api-key: {key}\r\n{fields}"
        );
        (self.serving.connect(), head)
    }

    /// Sends a body of known length as a whole, and then reads the response.
    fn send(&self, fields: &str, body: &[u8]) -> (Wire, Answer) {
        let (mut wire, head) = self.post(fields);
        wire.send(format!("{head}content-length: {}\r\n\r\n", body.len()).as_bytes());
        wire.send(body);
        let answer = wire.answer();
        (wire, answer)
    }

    /// Sends a body in chunks as a whole, and reads then.
    fn send_chunked(&self, fields: &str, chunk: &[u8], count: usize) -> (Wire, Answer) {
        let (mut wire, head) = self.post(fields);
        wire.send(format!("{head}transfer-encoding: chunked\r\n\r\n").as_bytes());
        for _ in 0..count {
            wire.send(format!("{:x}\r\n", chunk.len()).as_bytes());
            wire.send(&[chunk, b"\r\n"].concat());
        }
        wire.send(b"0\r\n\r\n");
        let answer = wire.answer();
        (wire, answer)
    }
}

const JSON: &str = "content-type: application/json\r\n";

fn good() -> Vec<u8> {
    let body = json!({ "charityBeneficiaries": [{ "charityId": CHARITY, "weight": 1 }] });
    body.to_string().into_bytes()
}

#[test]
fn a_refused_body_is_read_so_that_its_answer_is() {
    let world = world(&[]);
    let large = vec![b' '; DRAINED];
    let (mut wire, answer) = world.send(JSON, &large);
    undefined(&answer, 413);
    // The body has been read to its end, so the connection is of further use.
    wire.send(b"GET /api/v1/chains HTTP/1.1\r\nhost: test\r\n\r\n");
    assert_eq!(wire.answer().status, 200);
    let (_, answer) = world.send_chunked(JSON, &large[..MIB], 8);
    undefined(&answer, 413);
    let (_, answer) = world.send_chunked("content-type: text/plain\r\n", &large[..MIB], 8);
    undefined(&answer, 415);
}

#[test]
fn refusals_that_come_before_the_body_is_looked_at_are_read_too() {
    let mut world = world(&[]);
    let large = vec![b' '; DRAINED];
    world.key = "sk_nobody".to_owned();
    let (_, answer) = world.send(JSON, &large);
    assert_eq!(denied(&answer, 403), "INVALID_API_KEY");
    for used in 0..19 {
        assert_eq!(
            world.serving.get("/chains", None).status,
            200,
            "after {used}"
        );
    }
    let (_, answer) = world.send(JSON, &large);
    assert_eq!(denied(&answer, 429), "RATE_LIMIT_EXCEEDED");
    let length = DRAINED;
    let mut wire = world.serving.connect();
    wire.send(
        format!("PUT /api/v1/nowhere HTTP/1.1\r\nhost: test\r\ncontent-length: {length}\r\n\r\n")
            .as_bytes(),
    );
    wire.send(&large);
    denied(&wire.answer(), 429);
}

#[test]
fn a_body_just_over_the_limit_is_too_large_however_it_is_sent() {
    let world = world(&["--max-body", "1000"]);
    let padded = |length: usize| {
        let mut body = good();
        body.resize(length, b' ');
        body
    };
    assert_eq!(world.send(JSON, &padded(1000)).1.status, 201);
    undefined(&world.send(JSON, &padded(1001)).1, 413);
    assert_eq!(world.send_chunked(JSON, &padded(1000), 1).1.status, 201);
    undefined(&world.send_chunked(JSON, &padded(1001), 1).1, 413);
    undefined(&world.send_chunked(JSON, b" ", 1001).1, 413);
}

#[test]
fn expect_continue_is_refused_before_the_body_is_sent() {
    let world = world(&[]);
    let body = good();
    let (mut wire, head) = world.post(JSON);
    let expect = "expect: 100-continue\r\n";
    wire.send(format!("{head}{expect}content-length: {}\r\n\r\n", body.len()).as_bytes());
    assert_eq!(wire.answer().status, 100);
    wire.send(&body);
    assert_eq!(wire.answer().status, 201);
    let (mut wire, head) = world.post(JSON);
    wire.send(format!("{head}{expect}content-length: {DRAINED}\r\n\r\n").as_bytes());
    undefined(&wire.answer(), 413);
    assert!(
        wire.is_closed(),
        "the server cannot know whether the body comes after all"
    );
}

#[test]
fn broken_json_is_invalid_json() {
    let world = world(&[]);
    for body in [
        br#"{"charityBeneficiaries":"#.to_vec(),
        b"\xff\xfe".to_vec(),
        b"\0".to_vec(),
        b"nul".to_vec(),
        b"{\"a\":\"\xff\"}".to_vec(),
        b"{} {}".to_vec(),
        Vec::new(),
    ] {
        let (_, answer) = world.send(JSON, &body);
        let shown = String::from_utf8_lossy(&body[..body.len().min(40)]).into_owned();
        assert_eq!(defined(&answer, 400), "INVALID_JSON", "{shown}");
    }
    assert_eq!(world.send(JSON, &good()).1.status, 201);
}

#[test]
fn a_broken_chunk_breaks_its_own_connection_only() {
    let world = world(&[]);
    let (mut wire, head) = world.post(JSON);
    wire.send(format!("{head}transfer-encoding: chunked\r\n\r\nzz\r\n").as_bytes());
    if let Ok(Some(answer)) = wire.try_answer() {
        defined(&answer, 400);
    }
    assert!(wire.is_closed());
    assert_eq!(world.send(JSON, &good()).1.status, 201);
}

#[test]
fn a_length_that_contradicts_the_chunks_smuggles_no_request() {
    let world = world(&[]);
    let (mut wire, head) = world.post(JSON);
    let smuggled = "GET /api/v1/chains HTTP/1.1\r\nhost: test\r\n\r\n";
    let framing = "content-length: 400\r\ntransfer-encoding: chunked\r\n";
    wire.send(format!("{head}{framing}\r\n0\r\n\r\n{smuggled}").as_bytes());
    assert_eq!(defined(&wire.answer(), 400), "INVALID_JSON");
    assert!(
        wire.is_closed(),
        "what follows such a request is not believed"
    );
}
