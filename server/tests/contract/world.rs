//! A server of its own for each scenario, over a copy of the fixture's database.

use std::future::pending;
use std::io::Cursor;
use std::sync::Arc;
use std::time::{Duration, Instant};

use db::Db;
use edge::http::TrustedProxies;
use features::database;
use features::domain::recording::OnRejection;
use features::import;
use features::import::Followed;
use features::keys::{Key, KeyId, NewKey, lifecycle};
use features::projects::{Actor, ProjectId};
use features::webhooks::WebhookKeys;
use generated::client::Client;
use jiff::SignedDuration;
use serde_json::Value;
use server::config::{Config, Settings};
use server::startup::Server;
use uuid::Uuid;

use super::databases::{Database, Databases};
use super::fake_clock::FakeClock;
use super::fixture;
use super::mutations::Proxy;
use super::sender::{Harness, Sender};

/// The fixture's database, made once, and the keys in it.
#[derive(Clone)]
pub struct Template {
    databases: Databases,
    keys: Keys,
    harness: Arc<Harness>,
}

/// The keys, in clear.
#[derive(Clone)]
pub struct Keys {
    pub free: String,
    pub pro: String,
    /// A second key of the Pro project.
    pub second_pro: String,
    pub enterprise: String,
    /// Expired before the start.
    pub expired: String,
    /// Revoked before the start.
    pub revoked: String,
    /// Well-formed, but never issued.
    pub unknown: String,
}

/// A running server with its clock, keys and client.
pub struct World {
    pub base: String,
    pub clock: FakeClock,
    pub keys: Keys,
    pub sender: Sender,
    /// The server's own handle on the database.
    pub store: Db,
    pub database: Database,
    server: Server,
}

impl Template {
    /// Fills a database with the fixture and issues the keys.
    pub async fn make(databases: Databases, harness: Harness) -> Template {
        let store = database::connect(&databases.empty().await).await.unwrap();
        fixture::fill(&store).await;
        let hour = SignedDuration::from_hours(1);
        let keys = Keys {
            free: issue(&store, fixture::FREE, None).await,
            pro: issue(&store, fixture::PRO, None).await,
            second_pro: issue(&store, fixture::PRO, None).await,
            enterprise: issue(&store, fixture::ENTERPRISE, None).await,
            expired: issue(&store, fixture::PRO, Some(-hour)).await,
            revoked: issue(&store, fixture::PRO, None).await,
            unknown: Key::generate().unwrap().reveal().to_owned(),
        };
        let revoked = key_of(&store, &keys.revoked).await;
        let revoked = lifecycle::for_operator(&store, revoked).await.unwrap();
        let revocation = lifecycle::revoke(&store, revoked, fixture::now() - hour);
        revocation.await.unwrap();
        store.close();
        Template {
            databases,
            keys,
            harness: Arc::new(harness),
        }
    }

    /// The same, with a proxy between each server and its scenario.
    pub fn behind(&self, proxy: Arc<Proxy>) -> Template {
        Template {
            harness: Arc::new(self.harness.behind(proxy)),
            ..self.clone()
        }
    }

    /// The harness that all scenarios share.
    pub fn harness(&self) -> &Harness {
        &self.harness
    }

    /// A server over a copy, behind a trusted proxy, with the configuration that `adapt` makes.
    pub async fn world(&self, adapt: impl FnOnce(&mut Config)) -> World {
        let database = self.databases.copy().await;
        let mut config = Config::resolve(Settings::default(), Settings::default());
        config.listen.set_port(0);
        config.admin_listen.set_port(0);
        config.trusted_proxies = TrustedProxies::new(vec!["127.0.0.1".parse().unwrap()]);
        config.webhooks.keys = WebhookKeys::Random;
        adapt(&mut config);
        let clock = FakeClock::at(fixture::now());
        let store = database::connect(&database.location()).await.unwrap();
        let server = Server::start(&config, store.clone(), Arc::new(clock.clone()));
        let server = server.await.unwrap();
        World {
            base: format!("http://{}", server.api),
            clock,
            keys: self.keys.clone(),
            sender: Sender::new(Arc::clone(&self.harness)),
            store,
            database,
            server,
        }
    }
}

impl World {
    /// The typed client without a key.
    pub fn client(&self) -> Client<Sender> {
        Client::new(&self.base, self.sender.clone())
    }

    /// The typed client with a key.
    pub fn client_with(&self, key: &str) -> Client<Sender> {
        self.client().with_service_api_key(key).unwrap()
    }

    /// The contract.
    pub fn document(&self) -> &super::document::Document {
        &self.sender.harness().validator.document
    }

    /// Issues a key of a project, in the running server's database.
    pub async fn issue(&self, project: &str, valid_for: Option<SignedDuration>) -> String {
        issue(&self.store, project, valid_for).await
    }

    /// The identity of a key that was issued.
    pub async fn key_id(&self, key: &str) -> KeyId {
        key_of(&self.store, key).await
    }

    /// Imports more lines.
    pub async fn import(&self, lines: &[Value]) {
        import_lines(&self.store, lines).await;
    }

    /// Imports more lines as `import --follow` does.
    pub async fn follow(&self, lines: &[Value]) {
        let pipe = Cursor::new(text(lines).into_bytes());
        let summary = import::follow(
            &self.store,
            Followed::Pipe(pipe),
            OnRejection::Stop,
            fixture::now,
            panic_if_rejected,
            pending(),
        );
        assert_eq!(summary.await.unwrap().refused, 0);
    }
}

impl Drop for World {
    fn drop(&mut self) {
        self.server.shutdown().request();
    }
}

/// Polls until `attempt` succeeds, for as long as a running server may take to notice a change: a
/// second, and some more for a busy machine.
pub async fn eventually<T>(mut attempt: impl AsyncFnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(done) = attempt().await {
            return done;
        }
        assert!(start.elapsed() < Duration::from_secs(3), "it never happens");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

pub fn project(id: &str) -> ProjectId {
    ProjectId(id.parse().unwrap())
}

pub async fn import_lines(store: &Db, lines: &[Value]) {
    let text = text(lines);
    let summary = import::run(store, text.as_bytes(), OnRejection::Stop, panic_if_rejected);
    assert_eq!(summary.await.unwrap().refused, 0);
}

fn text(lines: &[Value]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

fn panic_if_rejected(event: import::Event<'_>) {
    if let import::Event::Refused(line) = event {
        panic!("the fixture is refused: {line}");
    }
}

/// Makes a new key to be stored, and its text.
pub fn new_key(valid_for: Option<SignedDuration>) -> (NewKey, String) {
    let key = Key::generate().unwrap();
    let stored = NewKey {
        expires_at: valid_for.map(|time| fixture::now() + time),
        ..NewKey::issued(
            KeyId(Uuid::now_v7()),
            key.digest(),
            key.display_prefix(),
            fixture::now() - SignedDuration::from_hours(24),
        )
    };
    (stored, key.reveal().to_owned())
}

async fn issue(store: &Db, project_id: &str, valid_for: Option<SignedDuration>) -> String {
    let (key, text) = new_key(valid_for);
    let added =
        features::keys::store::add_key(store, Actor::Operator, project(project_id), key).await;
    added.unwrap();
    text
}

async fn key_of(store: &Db, key: &str) -> KeyId {
    let digest = Key::parse(key).unwrap().digest();
    let (_, keys) = features::keys::store::update(store, None).await.unwrap();
    keys.rows()
        .iter()
        .find(|it| it.digest == digest)
        .unwrap()
        .id
}
