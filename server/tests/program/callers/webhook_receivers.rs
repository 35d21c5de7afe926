//! The receivers of webhooks in the guide: each takes a delivery of the server, and nothing that is not one.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD as BASE64;
use features::keys::demo::ENTERPRISE;
use jiff::Timestamp;
use ring::hmac;
use serde_json::{Value, json};

use super::code::{build, printed, program};
use crate::folder::Folder;
use crate::instances::free_port;
use crate::serving::{Serving, eventually, serve};
use crate::wire::Wire;

/// A program that is killed when it is dropped.
struct Receiver(Child, SocketAddr);

impl Drop for Receiver {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The fields of a request that its signature is about, and the signature.
#[derive(Clone)]
struct Delivery {
    id: &'static str,
    at: i64,
    signature: String,
    body: String,
}

impl Delivery {
    /// A delivery that is signed with a secret, at a time in seconds from now.
    fn new(secret: &str, from_now: i64) -> Self {
        let id = "01a1968d-3900-7b1d-8e52-6f0a94c7d318";
        let at = Timestamp::now().as_second() + from_now;
        let body = json!({ "id": id, "type": "webhook.test" }).to_string();
        let key = BASE64
            .decode(secret.strip_prefix("whsec_").unwrap())
            .unwrap();
        let key = hmac::Key::new(hmac::HMAC_SHA256, &key);
        let tag = hmac::sign(&key, format!("{id}.{at}.{body}").as_bytes());
        let signature = format!("v1,{}", BASE64.encode(tag));
        Self {
            id,
            at,
            signature,
            body,
        }
    }

    /// Deliveries, and whether each is a webhook's with that secret.
    fn all(secret: &str) -> Vec<(Self, bool)> {
        let another = format!("whsec_{}", BASE64.encode([7; 32]));
        let (own, others) = (Self::new(secret, 0), Self::new(&another, 0));
        let with = |signature: &str| Self {
            signature: signature.to_owned(),
            ..own.clone()
        };
        let changed = Self {
            body: own.body.replace("test", "tess"),
            ..own.clone()
        };
        vec![
            (
                with(&format!("{} {}", others.signature, own.signature)),
                true,
            ),
            (
                with(&format!("{} {}", own.signature, others.signature)),
                true,
            ),
            (own.clone(), true),
            (others, false),
            (changed, false),
            (
                Self {
                    at: own.at + 1,
                    ..own.clone()
                },
                false,
            ),
            (with(""), false),
            (with("v1,"), false),
            (with("v1,AAAA"), false),
            (with("v1,!"), false),
            (Self::new(secret, -600), false),
            (Self::new(secret, 600), false),
        ]
    }

    fn request(&self) -> String {
        let Self {
            id,
            at,
            signature,
            body,
        } = self;
        format!(
            "POST / HTTP/1.1\r\nhost: test\r\nconnection: close\r\nwebhook-id: {id}\r\nwebhook-timestamp: {at}\r\n\
             webhook-signature: {signature}\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        )
    }
}

/// The answer of the API to a POST with the demo's key.
fn post(serving: &Serving, path: &str, body: &Value) -> Value {
    let body = if body.is_null() {
        String::new()
    } else {
        body.to_string()
    };
    let head = format!(
        "POST /api/v1{path} HTTP/1.1\r\nhost: test\r\nservice-api-key: {ENTERPRISE}\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    let answer = serving.connect().ask(head.as_bytes());
    assert!((200..300).contains(&answer.status), "{}", answer.body);
    serde_json::from_str(&answer.body).unwrap_or_default()
}

fn free_address() -> SocketAddr {
    (Ipv4Addr::LOCALHOST, free_port()).into()
}

/// A webhook is made, its receiver of the guide is started, and a test event arrives at it; then it is asked
/// for what it takes.
fn receives(interpreter: &str, language: &str, file: &str) {
    if !installed::present(&[interpreter], &[]) {
        return;
    }
    let folder = Folder::new();
    let serving = serve(&folder, &["--demo"]);
    fs::write(
        folder.path().join(file),
        program(&serving.page("/docs/guides/webhooks"), language),
    )
    .unwrap();
    let address = free_address();
    let wanted = json!({ "url": format!("http://{address}/"), "events": ["config.created"] });
    let made = post(&serving, "/webhooks", &wanted);
    let (id, secret) = (
        made["id"].as_str().unwrap(),
        made["secret"].as_str().unwrap(),
    );

    let mut command = Command::new(interpreter);
    command
        .arg(file)
        .current_dir(folder.path())
        .stdout(Stdio::piped());
    command
        .env("WEBHOOK_SECRET", secret)
        .env("PORT", address.port().to_string());
    let mut receiver = Receiver(command.spawn().unwrap(), address);
    let mut said = BufReader::new(receiver.0.stdout.take().unwrap()).lines();
    eventually("the receiver listens", || {
        Wire::try_connect(receiver.1).ok()
    });
    post(&serving, &format!("/webhooks/{id}/test"), &Value::Null);
    let line = said.next().unwrap().unwrap();
    assert!(line.starts_with("webhook.test "), "{line}");

    for (number, (delivery, is_ours)) in Delivery::all(secret).into_iter().enumerate() {
        let answer = Wire::connect(receiver.1).ask(delivery.request().as_bytes());
        assert_eq!(
            answer.status,
            if is_ours { 204 } else { 401 },
            "{language}, delivery {number}"
        );
    }
}

#[test]
fn the_receiver_in_javascript_takes_deliveries_alone() {
    receives("node", "js", "receiver.mjs");
}

#[test]
fn the_receiver_in_python_takes_deliveries_alone() {
    receives("python3", "python", "receiver.py");
}

const MANIFEST: &str = r#"[package]
name = "receiver"
edition = "2024"
publish = false

[workspace]

[profile.dev]
debug = false

[dependencies]
base64 = "0.22"
ring = "0.17"
serde_json = "1"
"#;

/// Reads deliveries as JSON, and prints the result of the guide's function for each.
const MAIN: &str = r#"
fn main() {
    let secret = std::env::var("WEBHOOK_SECRET").unwrap();
    let now: i64 = std::env::var("NOW").unwrap().parse().unwrap();
    let deliveries: Vec<[String; 4]> = serde_json::from_str(&std::env::var("DELIVERIES").unwrap()).unwrap();
    for [id, at, signature, body] in deliveries {
        print!("{} ", is_ours(&secret, &id, &at, &signature, body.as_bytes(), now));
    }
}
"#;

#[test]
fn the_check_in_rust_takes_deliveries_alone() {
    let folder = Folder::new();
    let page = serve(&folder, &["--demo"]).page("/docs/guides/webhooks");
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("receiver");
    fs::create_dir_all(root.join("src")).unwrap();
    fs::write(root.join("src/main.rs"), program(&page, "rust") + MAIN).unwrap();
    fs::write(root.join("Cargo.toml"), MANIFEST).unwrap();
    build(&root);

    let secret = format!("whsec_{}", BASE64.encode([3; 32]));
    let (deliveries, expected): (Vec<_>, Vec<_>) = Delivery::all(&secret).into_iter().unzip();
    let rows = deliveries.iter().map(|it| {
        [
            it.id.to_owned(),
            it.at.to_string(),
            it.signature.clone(),
            it.body.clone(),
        ]
    });
    let mut command = Command::new(root.join("target/debug/receiver"));
    command
        .env("WEBHOOK_SECRET", &secret)
        .env("NOW", Timestamp::now().as_second().to_string());
    command.env(
        "DELIVERIES",
        serde_json::to_string(&rows.collect::<Vec<_>>()).unwrap(),
    );
    let said = printed(&mut command);
    let said: Vec<bool> = said
        .split_whitespace()
        .map(|word| word.parse().unwrap())
        .collect();
    assert_eq!(said, expected);
}
