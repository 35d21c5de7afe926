//! Claims of contracts: a signature proves that a contract is the project's, or an operator decides.

use alloy_primitives::{B256, Signature, U256, eip191_hash_message, hex};
use ed25519_dalek::{Signer as _, SigningKey};
use server::demo::{CONTRACT, ENTERPRISE, FREE, PRO};

use super::browser::{Browser, between, of_id};
use super::demo as serve_demo;
use crate::folder::Folder;
use crate::wire::Answer;

/// The account of the tests, which deploys contracts.
pub(super) struct Deployer(k256::ecdsa::SigningKey);

impl Deployer {
    pub(super) fn new() -> Self {
        let key = B256::repeat_byte(0x46);
        Self(k256::ecdsa::SigningKey::from_slice(key.as_slice()).unwrap())
    }

    pub(super) fn address(&self) -> alloy_primitives::Address {
        alloy_primitives::Address::from_public_key(self.0.verifying_key())
    }

    /// The contract of its transaction with this nonce.
    pub(super) fn contract(&self, nonce: u64) -> String {
        self.address().create(nonce).to_checksum(None)
    }

    /// The result of `personal_sign`.
    pub(super) fn sign(&self, message: &str) -> Signature {
        let hash = eip191_hash_message(message);
        let signed = self.0.sign_prehash_recoverable(hash.as_slice()).unwrap();
        signed.into()
    }
}

pub(super) fn text(signature: &Signature) -> String {
    hex::encode_prefixed(signature.as_bytes())
}

impl Browser<'_> {
    /// Begins the claim of a contract, and gives its path.
    #[track_caller]
    pub(super) fn claims(&mut self, project: &str, chain: i64, address: &str) -> String {
        let path = format!("/dashboard/projects/{project}/contracts");
        let chain = chain.to_string();
        let answer = self.post(&path, &[("chain", &chain), ("address", address)]);
        assert_eq!(answer.status, 303, "{answer:?}");
        answer.header("location").unwrap().to_owned()
    }

    /// The message that a claim shows, and its nonce.
    #[track_caller]
    pub(super) fn message(&mut self, claim: &str) -> (String, String) {
        let page = self.page(claim);
        let message = between(&page, "<code>I claim", |c| c != '<');
        let nonce = between(&page, "name=\"nonce\" value=\"", of_id);
        (format!("I claim{message}"), nonce.to_owned())
    }

    /// Sends a signature of a claim's message.
    pub(super) fn proves(
        &mut self,
        claim: &str,
        nonce: &str,
        signature: &str,
        deployment: &str,
    ) -> Answer {
        let fields = [
            ("nonce", nonce),
            ("signature", signature),
            ("deployment_nonce", deployment),
        ];
        self.post(&format!("{claim}/proof"), &fields)
    }
}

#[track_caller]
pub(super) fn refused(answer: &Answer, why: &str) {
    assert_eq!(answer.status, 422, "{answer:?}");
    assert!(answer.body.contains(why), "{why}: {answer:?}");
    let at_field = answer.body.contains("aria-describedby=\"signature-error\"");
    assert!(at_field, "{answer:?}");
}

#[test]
fn the_deployers_signature_makes_a_contract_the_projects() {
    let folder = Folder::new();
    let serving = serve_demo(&folder);
    let mut browser = Browser::of_developer(&serving);
    let project = browser.makes_project("A launchpad");
    let key = browser.issues_key(&project, "production", "90d");
    let deployer = Deployer::new();
    let contract = deployer.contract(12);
    let board = format!("/8453/contracts/{contract}/tokens/leaderboard");
    assert_eq!(serving.get(&board, Some(&key)).status, 404);
    let claim = browser.claims(&project, 8453, &contract);
    assert_eq!(
        browser.claims(&project, 8453, &contract),
        claim,
        "it is gone on with"
    );
    let (message, nonce) = browser.message(&claim);
    for bound in [
        &*browser.origin(),
        &project,
        "Chain id: 8453",
        &contract,
        &nonce,
        "Expires: ",
    ] {
        assert!(message.contains(bound), "{bound}: {message}");
    }
    let signature = text(&deployer.sign(&message));
    let answer = browser.proves(&claim, &nonce, &signature, "12");
    assert_eq!(answer.status, 303, "{answer:?}");
    assert!(browser.page(&claim).contains(">proven<"));
    assert_eq!(serving.get(&board, Some(&key)).status, 200);
    let list = browser.page(&format!("/dashboard/projects/{project}/contracts"));
    assert!(list.contains(&contract), "{list}");
    let log = browser.page(&format!("/dashboard/projects/{project}/audit"));
    let what = format!("Proved ownership of {contract} on chain 8453");
    assert!(log.contains(&what), "{log}");
    let again = browser.proves(&claim, &nonce, &signature, "12");
    assert_eq!(again.status, 422, "{again:?}");
    let release = format!("/dashboard/projects/{project}/contracts/release");
    let asked = browser.page(&format!("{release}?chain=8453&address={contract}"));
    assert!(asked.contains(">Release contract</button>"), "{asked}");
    let page = browser.page_after(&release, &[("chain", "8453"), ("address", &contract)]);
    assert!(page.contains("Contract released."), "{page}");
}

#[test]
fn a_signature_of_anything_else_proves_nothing() {
    let folder = Folder::new();
    let serving = serve_demo(&folder);
    let mut browser = Browser::of_developer(&serving);
    let project = browser.makes_project("A launchpad");
    let other = browser.makes_project("Another");
    let deployer = Deployer::new();
    let contract = deployer.contract(0);
    let claim = browser.claims(&project, 8453, &contract);
    // The messages of another project, another chain and another contract, and one that is changed.
    let elsewhere = browser.claims(&other, 8453, &contract);
    let on_ethereum = browser.claims(&project, 1, &contract);
    let of_another = browser.claims(&project, 8453, &deployer.contract(1));
    for message in [
        browser.message(&elsewhere).0,
        browser.message(&on_ethereum).0,
        browser.message(&of_another).0,
        browser.message(&claim).0.replace("http://", "https://"),
        browser
            .message(&claim)
            .0
            .replace("Expires: 2", "Expires: 3"),
        format!("{} ", browser.message(&claim).0),
    ] {
        let nonce = browser.message(&claim).1;
        let signature = text(&deployer.sign(&message));
        let answer = browser.proves(&claim, &nonce, &signature, "0");
        refused(&answer, "which did not deploy the contract with that nonce");
    }
    let (message, nonce) = browser.message(&claim);
    let signature = text(&deployer.sign(&message));
    let answer = browser.proves(&claim, &nonce, &signature, "1");
    refused(&answer, "Sign the new message above.");
    // The nonce is burnt, and so the right answer comes too late.
    let answer = browser.proves(&claim, &nonce, &signature, "0");
    refused(&answer, "The message was already used.");
    let list = browser.page(&format!("/dashboard/projects/{project}/contracts"));
    assert!(!list.contains(">proven<"), "{list}");
    let page = browser.page_after(&format!("{claim}/withdraw"), &[]);
    assert!(page.contains("Claim withdrawn."), "{page}");
}

#[test]
fn signatures_have_the_form_that_wallets_write() {
    let folder = Folder::new();
    let serving = serve_demo(&folder);
    let mut browser = Browser::of_developer(&serving);
    let project = browser.makes_project("A launchpad");
    let deployer = Deployer::new();
    let claim = browser.claims(&project, 8453, &deployer.contract(0));
    let order: U256 = "0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141"
        .parse()
        .unwrap();
    let malleable = |it: Signature| text(&Signature::new(it.r(), order - it.s(), !it.v()));
    let with_last = |it: Signature, last: u8| {
        let mut bytes = it.as_bytes();
        bytes[64] = last;
        hex::encode_prefixed(bytes)
    };
    let cases: [(&dyn Fn(Signature) -> String, &str); 6] = [
        (&malleable, "signature was modified"),
        (&|it| with_last(it, 29), "must be 1b, 1c, 00 or 01"),
        (&|it| with_last(it, 37), "must be 1b, 1c, 00 or 01"),
        (
            &|it| with_last(it, 27 + u8::from(!it.v())),
            "did not deploy",
        ),
        (
            &|it| hex::encode_prefixed(it.as_erc2098()),
            "130 hexadecimal digits",
        ),
        (&|_| "<script>".to_owned(), "130 hexadecimal digits"),
    ];
    for (write, why) in cases {
        let (message, nonce) = browser.message(&claim);
        let signature = write(deployer.sign(&message));
        let answer = browser.proves(&claim, &nonce, &signature, "0");
        refused(&answer, why);
        assert!(!answer.body.contains("<script>"), "{answer:?}");
    }
    for deployment in ["-1", "x", "99999999999999999999"] {
        let (_, nonce) = browser.message(&claim);
        let answer = browser.proves(&claim, &nonce, "0x", deployment);
        assert_eq!(answer.status, 422, "{answer:?}");
        assert!(answer.body.contains("a whole number"), "{answer:?}");
        assert_eq!(browser.message(&claim).1, nonce, "nothing was tried");
    }
    // Hardware writes 0 and 1.
    let (message, nonce) = browser.message(&claim);
    let signature = deployer.sign(&message);
    let signature = with_last(signature, u8::from(signature.v()));
    let answer = browser.proves(&claim, &nonce, &signature, "0");
    assert_eq!(answer.status, 303, "{answer:?}");
}

#[test]
fn the_key_of_a_solana_program_proves_it() {
    let folder = Folder::new();
    let serving = serve_demo(&folder);
    let mut browser = Browser::of_developer(&serving);
    let project = browser.makes_project("A launchpad");
    let chain = solana(&serving);
    let key = SigningKey::from_bytes(&[5; 32]);
    let program = bs58::encode(key.verifying_key().to_bytes()).into_string();
    let claim = browser.claims(&project, chain, &program);
    let sign = |key: &SigningKey, message: &str| {
        bs58::encode(key.sign(message.as_bytes()).to_bytes()).into_string()
    };
    let (message, nonce) = browser.message(&claim);
    let foreign = sign(&SigningKey::from_bytes(&[6; 32]), &message);
    let answer = browser.proves(&claim, &nonce, &foreign, "");
    refused(&answer, "not by the key of the program");
    let answer = browser.proves(&claim, &nonce, &sign(&key, &message), "");
    refused(&answer, "The message was already used.");
    let (_, nonce) = browser.message(&claim);
    let answer = browser.proves(&claim, &nonce, &sign(&key, &message), "");
    refused(&answer, "not of this message");
    let (message, nonce) = browser.message(&claim);
    let answer = browser.proves(&claim, &nonce, &sign(&key, &message), "");
    assert_eq!(answer.status, 303, "{answer:?}");
    assert!(browser.page(&claim).contains(">proven<"));
}

/// The id of Solana in the demo.
pub(super) fn solana(serving: &crate::serving::Serving) -> i64 {
    let chains = serving.get("/chains", None).json();
    let chains = chains["response"].as_array().unwrap();
    let solana = chains.iter().find(|chain| chain["type"] == "SVM");
    solana.unwrap()["id"].as_i64().unwrap()
}

#[test]
fn a_rivals_proof_takes_nothing_over() {
    let folder = Folder::new();
    let serving = serve_demo(&folder);
    let mut browser = Browser::of_developer(&serving);
    let (project, rival) = (browser.makes_project("One"), browser.makes_project("Two"));
    let deployer = Deployer::new();
    let contract = deployer.contract(0);
    for (project, state) in [
        (&project, ">proven<"),
        (&rival, ">waiting for an operator<"),
    ] {
        let claim = browser.claims(project, 8453, &contract);
        let (message, nonce) = browser.message(&claim);
        let signature = text(&deployer.sign(&message));
        let answer = browser.proves(&claim, &nonce, &signature, "0");
        assert_eq!(answer.status, 303, "{answer:?}");
        assert!(browser.page(&claim).contains(state));
    }
    let owned = browser.page(&format!("/dashboard/projects/{project}/contracts"));
    assert!(owned.contains("Contracts of the project"), "{owned}");
    let rivals = browser.page(&format!("/dashboard/projects/{rival}/contracts"));
    assert!(!rivals.contains("Contracts of the project"), "{rivals}");
}

#[test]
fn what_cannot_be_signed_is_sent_to_the_operators() {
    let folder = Folder::new();
    let serving = serve_demo(&folder);
    let mut browser = Browser::of_developer(&serving);
    let project = browser.makes_project("A launchpad");
    let claim = browser.claims(&project, 8453, &Deployer::new().contract(3));
    let refused = browser.post(&format!("{claim}/queue"), &[("note", " ")]);
    assert_eq!(refused.status, 422, "{refused:?}");
    assert!(refused.body.contains("aria-describedby=\"note-error\""));
    let evil = "\"'><script>alert(1)</script>";
    let answer = browser.post(&format!("{claim}/queue"), &[("note", evil)]);
    assert_eq!(answer.status, 303, "{answer:?}");
    let page = browser.page(&claim);
    assert!(
        page.contains("An operator is reviewing this claim"),
        "{page}"
    );
    assert!(
        page.contains("alert(1)") && !page.contains("<script>"),
        "{page}"
    );
    let list = browser.page(&format!("/dashboard/projects/{project}/contracts"));
    assert!(list.contains(">waiting for an operator<"), "{list}");
}

#[test]
fn an_address_is_checked_where_it_is_typed() {
    let folder = Folder::new();
    let serving = serve_demo(&folder);
    let mut browser = Browser::of_developer(&serving);
    let enterprise = ENTERPRISE.0.to_string();
    let evil = "\"'><script>alert(1)</script>";
    let path = format!("/dashboard/projects/{enterprise}/contracts");
    for (chain, address, why) in [
        ("8453", "0x12", "0x followed by 40 hexadecimal digits"),
        ("8453", evil, "0x followed by 40 hexadecimal digits"),
        ("77777", CONTRACT, "Choose a chain from the list"),
        ("-1", CONTRACT, "Choose a chain from the list"),
        (
            "8453",
            CONTRACT,
            "This contract already belongs to the project",
        ),
    ] {
        let answer = browser.post(&path, &[("chain", chain), ("address", address)]);
        assert_eq!(answer.status, 422, "{answer:?}");
        assert!(answer.body.contains(why), "{why}: {answer:?}");
        assert!(!answer.body.contains("<script>"), "{answer:?}");
        assert!(answer.body.contains("aria-describedby=\"address-error\""));
    }
}

#[test]
fn the_demo_has_a_contract_and_a_claim_that_waits() {
    let folder = Folder::new();
    let serving = serve_demo(&folder);
    let mut browser = Browser::of_developer(&serving);
    let contracts = |project: uuid::Uuid| format!("/dashboard/projects/{project}/contracts");
    assert!(browser.page(&contracts(ENTERPRISE.0)).contains(CONTRACT));
    let waiting = browser.page(&contracts(PRO.0));
    assert!(waiting.contains(">waiting for an operator<"), "{waiting}");
    assert!(
        browser
            .page(&contracts(FREE.0))
            .contains("Claim the first contract")
    );
}
