//! A server that sends, and how a test observes it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::domain::service_identity::{BaseUrl, ServiceIdentity};
use crate::manual_clock::ManualClock;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD as BASE64;
use edge::clock::Clock as _;
use edge::http::{Metrics, Shutdown};
use jiff::Timestamp;
use ring::hmac::{HMAC_SHA256, Key, verify};
use uuid::Uuid;

use super::receiver::Received;
use crate::database;
use crate::domain::ids::AccountId;
use crate::domain::recording::OnRejection;
use crate::events::{DeliveryState, EventType, EventTypes, WebhookId};
use crate::import;
use crate::projects::{ProjectId, Role, sql as projects};
use crate::test_records::{basic_records, project, project_id};
use crate::webhooks::deliverer::Deliverer;
use crate::webhooks::lifecycle::{self, WebhookRequest, WebhookSetup};
use crate::webhooks::secret::{Secret, SecretKeys};
use crate::webhooks::{Delivery, TargetRules, Webhook, store};
use db::{Db, Timeouts, Tx, Writer, params};
use tempfile::TempDir;

pub(super) const DAY: Duration = Duration::from_secs(24 * 3600);

/// A database, a clock and the other parts that a server needs.
pub(super) struct TestServer {
    db: Db,
    _folder: TempDir,
    pub(super) clock: ManualClock,
    pub(super) setup: WebhookSetup,
    running: Vec<Shutdown>,
}

impl TestServer {
    pub(super) async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let db = database::open(&folder.path().join("catalog.db")).unwrap();
        let records = basic_records();
        let recorded = import::store::record(&db, records, OnRejection::Stop).await;
        assert!(recorded.unwrap().iter().all(Result::is_ok));
        Self {
            db,
            _folder: folder,
            clock: ManualClock::at("2026-11-20T12:00:00Z"),
            setup: WebhookSetup {
                keys: Some(SecretKeys::random().unwrap()),
                rules: TargetRules {
                    is_demo: true,
                    ..TargetRules::default()
                },
            },
            running: Vec::new(),
        }
    }

    pub(super) fn store(&self) -> &Db {
        &self.db
    }

    pub(super) fn now(&self) -> Timestamp {
        self.clock.now().wall
    }

    pub(super) fn service(&self) -> ServiceIdentity {
        ServiceIdentity::at(BaseUrl::at(([127, 0, 0, 1], 8080).into()))
    }

    /// A webhook of project 1 that subscribes to configs.
    pub(super) async fn webhook(&self, url: String) -> (Webhook, Secret) {
        self.webhook_of(project_id(1), url).await
    }

    pub(super) async fn webhook_of(&self, project: ProjectId, url: String) -> (Webhook, Secret) {
        let request = WebhookRequest {
            id: WebhookId(Uuid::now_v7()),
            project,
            url,
            description: None,
            events: EventTypes::from_iter([EventType::ConfigCreated, EventType::ConfigDeleted]),
            is_enabled: true,
            idempotency_key: None,
        };
        let store = self.store();
        let created = lifecycle::create(
            store,
            &self.setup,
            crate::test_records::BY_KEY,
            request,
            self.now(),
        );
        let created = created.await.unwrap();
        (created.webhook, created.secret)
    }

    /// Another project, with an owner.
    pub(super) async fn project_of(&self, n: u8, owner: u128) -> ProjectId {
        let record = import::Record::Project(project(n));
        let recorded = import::store::record(&self.db, vec![record], OnRejection::Stop).await;
        recorded.unwrap().remove(0).unwrap();
        let owner = AccountId(Uuid::from_u128(owner));
        let own = move |tx: &Tx<'_>| {
            let email = format!("{}@example.org", owner.0);
            let account = "INSERT INTO account (id, email, email_key, created_at)
                           VALUES ($1, $2, $2, 0) ON CONFLICT DO NOTHING";
            tx.execute(account, params![owner, email])?;
            projects::put_member(
                tx,
                project_id(n),
                (owner, Role::Owner),
                Timestamp::UNIX_EPOCH,
            )
        };
        let owned = self.db.write(Writer::Unlimited, Timeouts::Request, own);
        owned.await.unwrap();
        project_id(n)
    }

    /// Starts to send.
    pub(super) fn serve(&mut self) {
        let shutdown = Shutdown::default();
        let deliverer = Deliverer::new(
            self.store().clone(),
            Arc::new(self.clock.clone()),
            &self.setup,
            self.service(),
            &Metrics::new().unwrap(),
        );
        let deliverer = Arc::new(deliverer.unwrap());
        tokio::spawn(deliverer.run(shutdown.clone()));
        self.running.push(shutdown);
    }

    pub(super) async fn send_test(&self, webhook: &Webhook) {
        let of = (webhook.project, webhook.id);
        let store = self.store();
        lifecycle::test(
            store,
            crate::test_records::BY_KEY,
            of,
            EventType::Test,
            self.now(),
        )
        .await
        .unwrap();
    }

    pub(super) async fn deliveries(&self, webhook: &Webhook) -> Vec<Delivery> {
        let of = (webhook.project, webhook.id);
        let read = store::deliveries(self.store(), of, None, 100);
        read.await.unwrap().unwrap()
    }

    /// Waits until the deliveries of a webhook are as they should be.
    pub(super) async fn wait(
        &self,
        webhook: &Webhook,
        fit: impl Fn(&[Delivery]) -> bool,
    ) -> Vec<Delivery> {
        let start = Instant::now();
        loop {
            let deliveries = self.deliveries(webhook).await;
            if fit(&deliveries) {
                return deliveries;
            }
            let late = start.elapsed() > Duration::from_secs(20);
            assert!(!late, "{deliveries:?}");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    pub(super) async fn found(&self, webhook: &Webhook) -> Webhook {
        let found = store::webhook(self.store(), webhook.project, webhook.id);
        found.await.unwrap().unwrap()
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        self.running.iter().for_each(Shutdown::request);
    }
}

/// Checks a request as a receiver does: whether one of its signatures is by the secret.
pub(super) fn is_signed(received: &Received, secret: &Secret) -> bool {
    let text = |name: &str| received.head[name].to_str().unwrap();
    let signed = format!("{}.{}.", text("webhook-id"), text("webhook-timestamp"));
    let signed = [signed.as_bytes(), &received.body].concat();
    let shown = secret.reveal();
    let key = BASE64
        .decode(shown.strip_prefix("whsec_").unwrap())
        .unwrap();
    let key = Key::new(HMAC_SHA256, &key);
    text("webhook-signature").split(' ').any(|part| {
        let tag = BASE64.decode(part.strip_prefix("v1,").unwrap()).unwrap();
        verify(&key, &signed, &tag).is_ok()
    })
}

pub(super) fn is_done(deliveries: &[Delivery]) -> bool {
    let done = |it: &Delivery| it.state == DeliveryState::Delivered;
    !deliveries.is_empty() && deliveries.iter().all(done)
}
