//! Claims that a node of the chain decides: it says who owns the contract.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener};
use std::thread;

use alloy_primitives::{B256, hex};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD as BASE64;
use ed25519_dalek::{Signer as _, SigningKey};
use serde_json::{Value, json};

use super::browser::Browser;
use super::claims::{Deployer, refused, solana, text};
use crate::folder::Folder;
use crate::serving::serve;

/// The contract of the tests, which no key of theirs deployed.
const CONTRACT: &str = "0xcA7a106000000000000000000000000000DEcaDE";

/// Starts a node that answers questions so, with a status.
fn node(answer: impl Fn(&Value) -> (u16, Value) + Send + 'static) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = BufReader::new(stream.unwrap());
            let mut length = 0;
            loop {
                let mut line = String::new();
                stream.read_line(&mut line).unwrap();
                let line = line.trim_end().to_ascii_lowercase();
                if let Some(number) = line.strip_prefix("content-length: ") {
                    length = number.parse().unwrap();
                }
                if line.is_empty() {
                    break;
                }
            }
            let mut body = vec![0; length];
            stream.read_exact(&mut body).unwrap();
            let question = serde_json::from_slice(&body).unwrap();
            let (status, result) = answer(&question);
            let body = json!({ "jsonrpc": "2.0", "id": 1, "result": result }).to_string();
            let head = format!(
                "HTTP/1.1 {status} x\r\nlocation: /\r\ncontent-length: {}\r\n\r\n",
                body.len()
            );
            let stream = stream.get_mut();
            stream.write_all((head + &body).as_bytes()).unwrap();
        }
    });
    address
}

/// A node of Base on which `owner` owns the contract, and says this of any signature.
fn base(owner: String, said: impl Fn(&str) -> String + Send + 'static) -> SocketAddr {
    node(move |question| {
        let data = question["params"][0]["data"].as_str().unwrap_or_default();
        let result = match question["method"].as_str().unwrap() {
            "eth_chainId" => "0x2105".to_owned(),
            "eth_call" if data == "0x8da5cb5b" => format!("0x{:0>64}", &owner[2..]),
            _ => said(data),
        };
        (200, json!(result))
    })
}

/// Proves a claim of the contract by a signature of its message, and gives the answer.
fn proven(node: SocketAddr, sign: impl Fn(&str) -> String) -> crate::wire::Answer {
    let folder = Folder::new();
    let setting = format!("8453=http://{node}/key");
    let serving = serve(&folder, &["--demo", "--chain-rpc", &setting]);
    let mut browser = Browser::of_developer(&serving);
    let project = browser.makes_project("A launchpad");
    let contract = Deployer::new().contract(77);
    let claim = browser.claims(&project, 8453, &contract);
    assert!(browser.page(&claim).contains("<code>owner()</code>"));
    let (message, nonce) = browser.message(&claim);
    browser.proves(&claim, &nonce, &sign(&message), "")
}

#[test]
fn the_owner_of_a_contract_proves_it() {
    let deployer = Deployer::new();
    let no = |_: &str| "0x".to_owned();
    let sign = |message: &str| text(&deployer.sign(message));
    let answer = proven(base(deployer.address().to_string(), no), sign);
    assert_eq!(answer.status, 303, "{answer:?}");
    let answer = proven(base(CONTRACT.to_lowercase(), no), sign);
    refused(&answer, "and the signature is not by it");
    let answer = proven(base(format!("0x{}", "0".repeat(40)), no), sign);
    refused(&answer, "has no owner()");
}

#[test]
fn an_owner_that_is_a_contract_says_whether_it_signed() {
    let magic = format!("0x1626ba7e{}", "0".repeat(56));
    let takes = |data: &str| data.starts_with("0x1626ba7e") && data.contains("c0ffee");
    let owner = || CONTRACT.to_lowercase();
    let valid = base(owner(), move |data| match takes(data) {
        true => magic.clone(),
        false => "0x".to_owned(),
    });
    let answer = proven(valid, |_| "0xc0ffee".to_owned());
    assert_eq!(answer.status, 303, "{answer:?}");
    // What gives back its input, or the value in another place, is no owner.
    let echo = base(owner(), str::to_owned);
    refused(&proven(echo, |_| "0xc0ffee".to_owned()), "is not by it");
    let left = B256::left_padding_from(&[0x16, 0x26, 0xba, 0x7e]);
    let other = base(owner(), move |_| hex::encode_prefixed(left));
    refused(&proven(other, |_| "0xc0ffee".to_owned()), "is not by it");
}

#[test]
fn a_node_that_does_not_answer_proves_nothing() {
    let deployer = Deployer::new();
    let sign = |message: &str| text(&deployer.sign(message));
    let owner = format!("0x{:0>64}", &deployer.address().to_string()[2..]);
    let other = owner.clone();
    let ethereum = node(move |question| match question["method"] == "eth_chainId" {
        true => (200, json!("0x1")),
        false => (200, json!(other)),
    });
    refused(&proven(ethereum, sign), "it belongs to another chain");
    let elsewhere = node(move |_| (302, json!(owner)));
    refused(&proven(elsewhere, sign), "it responded with status 302");
    let large = node(|_| (200, json!("0".repeat(100_000))));
    refused(&proven(large, sign), "request to the chain node failed");
}

#[test]
fn the_upgrade_authority_of_a_solana_program_proves_it() {
    let authority = SigningKey::from_bytes(&[9; 32]);
    let key = authority.verifying_key().to_bytes();
    let account = |data: Vec<u8>| {
        let owner = "BPFLoaderUpgradeab1e11111111111111111111111";
        json!({ "value": { "owner": owner, "data": [BASE64.encode(data), "base64"] } })
    };
    let program = bs58::encode([3; 32]).into_string();
    let code = bs58::encode([4; 32]).into_string();
    let node = node({
        let (program, code) = (program.clone(), code.clone());
        move |question| {
            let asked = question["params"][0].as_str().unwrap();
            let result = match asked {
                _ if asked == program => account([&[2, 0, 0, 0][..], &[4; 32]].concat()),
                _ if asked == code => account([&[3, 0, 0, 0][..], &[0; 8], &[1], &key].concat()),
                _ => json!({ "value": null }),
            };
            (200, result)
        }
    });
    let folder = Folder::new();
    let first = serve(&folder, &["--demo"]);
    let chain = solana(&first);
    drop(first);
    let setting = format!("{chain}=http://{node}");
    let serving = serve(&folder, &["--demo", "--chain-rpc", &setting]);
    let mut browser = Browser::of_developer(&serving);
    let project = browser.makes_project("A launchpad");
    let claim = browser.claims(&project, chain, &program);
    let sign = |key: &SigningKey, message: &str| {
        bs58::encode(key.sign(message.as_bytes()).to_bytes()).into_string()
    };
    let (message, nonce) = browser.message(&claim);
    let other = sign(&SigningKey::from_bytes(&[8; 32]), &message);
    refused(
        &browser.proves(&claim, &nonce, &other, ""),
        "upgrade authority",
    );
    let (message, nonce) = browser.message(&claim);
    let answer = browser.proves(&claim, &nonce, &sign(&authority, &message), "");
    assert_eq!(answer.status, 303, "{answer:?}");
}
