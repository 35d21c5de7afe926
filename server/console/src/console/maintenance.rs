//! Background tasks of the console. They run until they are dropped.

use std::sync::Arc;
use std::time::Duration;

use db::Db;
use edge::clock::Clock;
use edge::periodic::Periodic;
use features::console_config::AccountRules;
use tokio::time::sleep;

use crate::personal_data;
use crate::site::PageLimit;

/// The interval of the page limit's maintenance.
const LIMITS: Duration = Duration::from_millis(500);

/// The interval at which expired sign-ins, sessions and invitations are deleted.
const EXPIRY: Duration = Duration::from_secs(600);

/// The delay of the first deletion, so that the first requests after a start find the database free.
const FIRST_EXPIRY: Duration = Duration::from_secs(60);

/// Deletes expired personal data.
pub(super) async fn forget_expired(db: Db, rules: AccountRules, clock: Arc<dyn Clock>) {
    sleep(FIRST_EXPIRY).await;
    let mut periodic = Periodic::new(EXPIRY);
    loop {
        periodic
            .run(async {
                let forgotten = personal_data::store::forget_expired(&db, rules, clock.now().wall);
                if let Err(error) = forgotten.await {
                    tracing::warn!(%error, "cannot delete expired sign-ins");
                }
            })
            .await;
    }
}

/// Forgets the idle networks of the page limit.
pub(super) async fn maintain_page_limit(limit: Arc<PageLimit>) {
    let mut periodic = Periodic::new(LIMITS);
    loop {
        periodic
            .run(async {
                limit.maintain().await;
            })
            .await;
    }
}
