//! The shared state of all pages.

use std::sync::Arc;

use http::HeaderMap;
use jiff::Timestamp;
use tokio::sync::{Notify, Semaphore};

use super::account::Exports;
use super::cookies::{CookieKind, Cookies};
use super::demo::Mailbox;
use super::page_error::PageError;
use super::public_url::PublicUrl;
use super::rejections::Rejections;
use crate::accounts::{AccountRules, SessionId, SessionSecret};
use crate::docs::DocsIndex;
use crate::oidc::Provider;
use crate::passkeys::RelyingParty;
use crate::site::SiteInfo;
use db::Db;
use edge::clock::Clock;
use edge::limits::{Capacity, Concurrency, Subject, Windows};
use edge::reloadable::Reloadable;
use features::access::RateLimits;
use features::api::Api;
use features::chain_rpc::ChainRpc;
use features::configs::ConfigQuotas;
use features::domain::service_identity::ServiceIdentity;
use features::usage::Recorder;

/// The parts of the server that a dashboard needs.
pub struct Setup {
    pub store: Db,
    pub clock: Arc<dyn Clock>,
    /// The names and the public URL of the service.
    pub identity: ServiceIdentity,
    pub rates: Reloadable<RateLimits>,
    pub quotas: Reloadable<ConfigQuotas>,
    /// The operations of the API, which has the catalogue in memory.
    pub api: Arc<Api>,
    pub rules: AccountRules,
    /// The provider of OpenID Connect by which people may sign in too, if there is one.
    pub oidc: Option<Provider>,
    /// The nodes of chains, which know who owns contracts.
    pub rpc: ChainRpc,
    /// How many requests of one network are answered at the same time.
    pub in_flight: Concurrency,
    /// Notified when a mail is put into the outbox.
    pub new_mail: Arc<Notify>,
    /// Whether mails are shown on a page instead, and anybody signs in by one click.
    pub is_demo: bool,
    /// Counts refusals because of a limit.
    pub rejections: Rejections,
    /// The recorder of the requests of this server.
    pub usage: Arc<Recorder>,
}

/// The setup, and values that are derived from it.
pub(super) struct Shared {
    pub(super) setup: Setup,
    pub(super) public: PublicUrl,
    pub(super) cookies: Cookies,
    /// The site of passkeys, unless its public URL has no name.
    pub(super) relying_party: Option<RelyingParty>,
    pub(super) mailbox: Mailbox,
    pub(super) info: SiteInfo,
    pub(super) docs: Arc<DocsIndex>,
    /// The turns of pages that read the database.
    pub(super) reads: Semaphore,
    changes: Windows,
    pub(super) exports: Exports,
}

/// The changes that a session makes within a minute. They write rows of the audit log. The window is the session's, not
/// the account's, so that one session cannot block the others.
const CHANGES_PER_MINUTE: u32 = 120;

/// How many pages read the database at the same time; further ones wait.
const READS_AT_ONCE: usize = 4;

impl Shared {
    pub(super) fn rules(&self) -> &AccountRules {
        &self.setup.rules
    }

    pub(super) fn now(&self) -> Timestamp {
        self.setup.clock.now().wall
    }

    /// The secret of the session that a browser has, which may have ended.
    pub(super) fn session(&self, headers: &HeaderMap) -> Option<SessionSecret> {
        let sent = self.cookies.get(headers, CookieKind::Session)?;
        SessionSecret::parse(sent).ok()
    }

    /// Counts a change of a session, which may be one too many.
    pub(super) fn count_change(&self, session: SessionId) -> Result<(), PageError> {
        let now = self.setup.clock.now().elapsed;
        self.changes.sweep(now);
        let caller = Subject::Caller(session.0);
        let verdict = self.changes.check(caller, CHANGES_PER_MINUTE, now);
        let is_admitted = verdict.is_admitted();
        is_admitted.then_some(()).ok_or(PageError::TooManyChanges)
    }

    /// The provider of OpenID Connect; without one, its pages are not there.
    pub(super) fn provider(&self) -> Result<&Provider, PageError> {
        self.setup.oidc.as_ref().ok_or(PageError::NotFound)
    }

    pub(super) fn store(&self) -> &Db {
        &self.setup.store
    }
}

/// The shared state of all pages. Clones share it.
pub(super) type Context = Arc<Shared>;

impl Setup {
    /// The shared state of pages, if the public URL is one for a dashboard.
    pub(super) fn context(mut self) -> Option<Context> {
        let public = PublicUrl::new(&self.identity.public_base_url)?;
        if self.is_demo && !public.is_loopback() {
            return None;
        }
        let info = SiteInfo::new(&self.identity, true);
        self.identity.public_base_url = public.base().clone();
        let cookies = Cookies {
            are_secure: public.is_secure(),
        };
        Some(Arc::new(Shared {
            relying_party: RelyingParty::new(
                public.host_name(),
                public.origin(),
                &self.identity.name,
            ),
            docs: Arc::new(DocsIndex::new(&info)),
            info,
            setup: self,
            public,
            cookies,
            mailbox: Mailbox::default(),
            reads: Semaphore::new(READS_AT_ONCE),
            changes: Windows::new(Capacity::default()),
            exports: Exports::default(),
        }))
    }
}
