//! A provider of OpenID Connect on this machine, which can be told to misbehave.

use std::collections::HashMap;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread;
use std::time::{SystemTime, UNIX_EPOCH};

use base64::Engine as _;
use base64::prelude::{BASE64_STANDARD, BASE64_URL_SAFE_NO_PAD as BASE64_URL};
use ed25519_dalek::{Signer as _, SigningKey};
use openidconnect::PrivateSigningKey as _;
use openidconnect::core::{CoreJwsSigningAlgorithm, CoreRsaPrivateSigningKey};
use percent_encoding::{NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::folder::Folder;
use crate::serving::{Serving, serve};

/// The server's name and secret at the provider.
const CLIENT: (&str, &str) = ("catalog", "a secret+of:the client");

/// A key that signs nothing elsewhere.
const RSA: &str = include_str!("provider/rsa.pem");

/// A provider. Clones share it.
#[derive(Clone)]
pub(crate) struct Provider {
    address: SocketAddr,
    state: Arc<Mutex<State>>,
}

/// Its behaviour, and the requests that it got.
pub(super) struct State {
    /// Members of the next ID tokens besides the right ones, or in their place; `null` removes one.
    pub(super) claims: Value,
    /// The same of their heads.
    pub(super) head: Value,
    /// Whether their signatures are right.
    pub(super) signs_right: bool,
    /// The name of its key.
    pub(super) key: &'static str,
    /// How the path of an endpoint is answered, in the place of the right answer.
    pub(super) answers: HashMap<&'static str, Answer>,
    /// Members of its metadata, in the place of the right ones.
    pub(super) metadata: Value,
    /// How often each path was asked for.
    pub(super) asked: HashMap<String, u32>,
    /// The parameters of the request for each code.
    codes: HashMap<String, Fields>,
}

/// A wrong answer.
#[derive(Debug, Clone, Copy)]
pub(super) enum Answer {
    /// To somewhere else, where the right answer is.
    Redirect,
    /// Of more than 64 KiB.
    Huge,
    /// None, as long as it is waited for.
    Silence,
    /// An error of the provider.
    Error,
    /// No JSON.
    Garbage,
}

type Fields = HashMap<String, String>;

impl Provider {
    /// One that behaves, and knows Ada and Eve.
    pub(crate) fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let provider = Self {
            address: listener.local_addr().unwrap(),
            state: Arc::new(Mutex::new(State {
                claims: json!({}),
                head: json!({}),
                signs_right: true,
                key: "1",
                answers: HashMap::new(),
                metadata: json!({}),
                asked: HashMap::new(),
                codes: HashMap::new(),
            })),
        };
        let own = provider.clone();
        thread::spawn(move || {
            for stream in listener.incoming() {
                let (own, stream) = (own.clone(), stream.unwrap());
                thread::spawn(move || own.answer(stream));
            }
        });
        provider
    }

    /// A demo that people sign in to by it.
    pub(crate) fn demo(&self, folder: &Folder) -> Serving {
        let secret = folder.write("client-secret", &format!("{}\n", CLIENT.1));
        serve(
            folder,
            &[
                "--demo",
                "--oidc-issuer",
                &self.issuer(),
                "--oidc-client-id",
                CLIENT.0,
                "--oidc-client-secret-file",
                secret,
                "--oidc-name",
                "Example",
                // A table of routes asks for more pages in a minute than a person does.
                "--limit-pages",
                "100000",
            ],
        )
    }

    pub(crate) fn issuer(&self) -> String {
        format!("http://{}", self.address)
    }

    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }

    /// Where a browser goes when its person, asked at this URL, agrees.
    pub(super) fn agree(&self, url: &str) -> String {
        let asked = fields(url.split_once('?').unwrap().1);
        let mut state = self.state();
        let code = format!("code{}", state.codes.len());
        let back = format!(
            "{}?code={code}&state={}",
            asked["redirect_uri"], asked["state"]
        );
        state.codes.insert(code, asked);
        back
    }

    /// Where it goes when its person does not.
    pub(super) fn deny(&self, url: &str) -> String {
        let asked = fields(url.split_once('?').unwrap().1);
        let (to, state) = (&asked["redirect_uri"], &asked["state"]);
        format!("{to}?error=access_denied&state={state}")
    }

    fn answer(&self, stream: TcpStream) {
        let mut stream = BufReader::new(stream);
        let mut line = String::new();
        if stream.read_line(&mut line).is_err() || line.is_empty() {
            return;
        }
        let target = line.split(' ').nth(1).unwrap().to_owned();
        let (mut length, mut authorization) = (0, String::new());
        loop {
            let mut line = String::new();
            stream.read_line(&mut line).unwrap();
            let Some((name, value)) = line.trim_end().split_once(": ") else {
                break;
            };
            match &*name.to_ascii_lowercase() {
                "content-length" => length = value.parse().unwrap(),
                "authorization" => authorization = value.to_owned(),
                _ => {}
            }
        }
        let mut body = vec![0; length];
        stream.read_exact(&mut body).unwrap();
        let form = fields(std::str::from_utf8(&body).unwrap());
        let path = target.split('?').next().unwrap();
        let wrong = {
            let mut state = self.state();
            *state.asked.entry(path.to_owned()).or_default() += 1;
            state.answers.get(path).copied()
        };
        let (status, headers, body) = match wrong {
            None => self.right(&target, path, &authorization, &form),
            Some(Answer::Redirect) => (302, format!("location: {path}/moved\r\n"), String::new()),
            Some(Answer::Huge) => (
                200,
                String::new(),
                format!("{{\"a\":\"{}\"}}", "a".repeat(70_000)),
            ),
            Some(Answer::Error) => (500, String::new(), String::new()),
            Some(Answer::Garbage) => (200, String::new(), "<html>".to_owned()),
            Some(Answer::Silence) => {
                // Until the other side gives up.
                let _ = stream.read(&mut [0]);
                return;
            }
        };
        let kind = match body.starts_with("<!") {
            true => "text/html",
            false => "application/json",
        };
        let head = format!(
            "HTTP/1.1 {status} x\r\nconnection: close\r\ncontent-type: {kind}\r\n{headers}\
             content-length: {}\r\n\r\n",
            body.len()
        );
        let _ = stream.get_mut().write_all((head + &body).as_bytes());
    }

    fn right(
        &self,
        target: &str,
        path: &str,
        authorization: &str,
        form: &Fields,
    ) -> (u16, String, String) {
        let to = |url: String| (302, format!("location: {url}\r\n"), String::new());
        match path.trim_end_matches("/moved") {
            "/.well-known/openid-configuration" => (200, String::new(), self.metadata()),
            "/keys" => (200, String::new(), self.keys()),
            "/token" => self.token(authorization, form),
            "/sign-in" => (200, String::new(), page(target)),
            "/agree" => to(self.agree(target)),
            "/deny" => to(self.deny(target)),
            _ => (404, String::new(), String::new()),
        }
    }

    fn metadata(&self) -> String {
        let issuer = self.issuer();
        let mut metadata = json!({
            "issuer": issuer,
            "authorization_endpoint": format!("{issuer}/sign-in"),
            "token_endpoint": format!("{issuer}/token"),
            "jwks_uri": format!("{issuer}/keys"),
            "response_types_supported": ["code"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["EdDSA", "RS256"],
        });
        change(&mut metadata, &self.state().metadata);
        metadata.to_string()
    }

    fn keys(&self) -> String {
        let key = self.state().key;
        let rsa = serde_json::to_value(rsa().as_verification_key()).unwrap();
        let point = BASE64_URL.encode(ed25519().verifying_key().as_bytes());
        let ed = json!({ "kty": "OKP", "crv": "Ed25519", "kid": key, "use": "sig", "x": point });
        json!({ "keys": [ed, rsa] }).to_string()
    }

    fn token(&self, authorization: &str, form: &Fields) -> (u16, String, String) {
        let refused = |why: &str| (400, String::new(), json!({ "error": why }).to_string());
        let encoded = |text| utf8_percent_encode(text, NON_ALPHANUMERIC).to_string();
        let (id, secret) = CLIENT;
        let basic = BASE64_STANDARD.decode(authorization.trim_start_matches("Basic "));
        let basic = String::from_utf8(basic.unwrap_or_default()).unwrap();
        let (sent_id, sent_secret) = basic.split_once(':').unwrap_or_default();
        if (decoded(sent_id), decoded(sent_secret)) != (id.to_owned(), secret.to_owned()) {
            return refused("invalid_client");
        }
        let asked = self.state().codes.remove(&form["code"]);
        let Some(asked) = asked else {
            return refused("invalid_grant");
        };
        let challenge = BASE64_URL.encode(Sha256::digest(&form["code_verifier"]));
        let fits = asked["code_challenge"] == challenge
            && asked["code_challenge_method"] == "S256"
            && asked["redirect_uri"] == form["redirect_uri"]
            && asked["response_type"] == "code"
            && encoded(&asked["client_id"]) == encoded(id);
        if !fits {
            return refused("invalid_grant");
        }
        let answer = json!({
            "access_token": "a",
            "token_type": "Bearer",
            "id_token": self.id_token(&asked),
        });
        (200, String::new(), answer.to_string())
    }

    fn id_token(&self, asked: &Fields) -> String {
        let state = self.state();
        let now = now();
        let mut head = json!({ "alg": "EdDSA", "typ": "JWT", "kid": state.key });
        change(&mut head, &state.head);
        let person = asked.get("as").map_or("ada", String::as_str);
        let mut claims = json!({
            "iss": self.issuer(),
            "sub": person,
            "aud": asked["client_id"],
            "exp": now + 300,
            "iat": now,
            "nonce": asked["nonce"],
            "email": format!("{person}@example.org"),
            "email_verified": true,
        });
        if asked.contains_key("max_age") {
            claims["auth_time"] = json!(now);
        }
        change(&mut claims, &state.claims);
        let encode = |part: &Value| BASE64_URL.encode(part.to_string());
        let signed = format!("{}.{}", encode(&head), encode(&claims));
        let signature = match head["alg"].as_str().unwrap() {
            "RS256" => {
                let algorithm = CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha256;
                rsa().sign(&algorithm, signed.as_bytes()).unwrap()
            }
            "none" => Vec::new(),
            _ if !state.signs_right => ed25519().sign(b"something else").to_vec(),
            _ => ed25519().sign(signed.as_bytes()).to_vec(),
        };
        format!("{signed}.{}", BASE64_URL.encode(signature))
    }
}

/// The time in seconds.
pub(super) fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.unwrap().as_secs()
}

/// Its page for people.
fn page(target: &str) -> String {
    let query = target.split_once('?').unwrap().1.replace('&', "&amp;");
    format!(
        "<!doctype html><html lang=\"en\"><title>Example</title><link rel=\"icon\" href=\"data:,\"><h1>Who are you?</h1>\
         <p><a href=\"/agree?{query}\">I am Ada</a> <a href=\"/agree?{query}&amp;as=eve\">I am Eve</a> \
         <a href=\"/deny?{query}\">I do not say</a></p>"
    )
}

fn ed25519() -> SigningKey {
    SigningKey::from_bytes(&[9; 32])
}

fn rsa() -> CoreRsaPrivateSigningKey {
    let key = openidconnect::JsonWebKeyId::new("rsa".to_owned());
    CoreRsaPrivateSigningKey::from_pem(RSA, Some(key)).unwrap()
}

fn change(members: &mut Value, changes: &Value) {
    let members = members.as_object_mut().unwrap();
    for (name, value) in changes.as_object().unwrap() {
        match value {
            Value::Null => members.remove(name),
            _ => members.insert(name.clone(), value.clone()),
        };
    }
}

fn fields(text: &str) -> Fields {
    let pairs = text.split('&').filter_map(|pair| pair.split_once('='));
    pairs
        .map(|(name, value)| (decoded(name), decoded(value)))
        .collect()
}

fn decoded(text: &str) -> String {
    let spaced = text.replace('+', " ");
    let decoded = percent_decode_str(&spaced).decode_utf8().unwrap();
    decoded.into_owned()
}
