//! Projects and keys as pages show them.

use std::collections::HashMap;
use std::fmt;

use jiff::Timestamp;
use uuid::Uuid;

use super::context::Context;
use super::keys;
use super::operator::project::Suspended;
use super::page_error::PageError;
use super::signed_in::Session;
use super::time::Time;
use super::usage::KeyUse;
use crate::accounts::{AccountAction, AccountEvent, AccountId, Email};
use crate::audit::{AuditAction, AuditAuthor, AuditEntry};
use crate::keys::{KeyEnd, KeyId, KeyRecord};
use crate::members::{self, Member};
use crate::projects::{self, Actor, Project, ProjectId, Role, Tier};
use crate::public_pages::money;
use crate::suspensions;
use crate::usage::LastUses;

/// The first and last characters of a long id.
pub(super) fn shortened(id: &str) -> String {
    let (start, end) = (id.get(..10), id.get(id.len().saturating_sub(4)..));
    match start.zip(end).filter(|_| id.len() > 16) {
        Some((start, end)) => format!("{start}…{end}"),
        None => id.to_owned(),
    }
}

/// A project with its limits.
pub(super) struct ProjectView {
    pub(super) id: Uuid,
    pub(super) name: String,
    pub(super) tier: &'static str,
    /// Requests in any 60 s.
    pub(super) limit: u32,
    /// Configs.
    pub(super) quota: u32,
    /// Where the project was asked for by [`Self::find`], and is suspended.
    pub(super) suspended: Option<Suspended>,
}

/// A key in a list.
pub(super) struct KeyView {
    pub(super) id: Uuid,
    pub(super) label: Option<String>,
    pub(super) prefix: String,
    pub(super) state: KeyState,
    /// The first characters of the key that replaces it, if it was rotated.
    pub(super) replaced_by: Option<String>,
    /// How it has ended, if it has.
    pub(super) end: Option<KeyEnd>,
    /// Its being disabled or revoked, if it is.
    pub(super) stop: Option<KeyStop>,
    pub(super) issued: Time,
    /// The issuer.
    pub(super) by: String,
    /// When it ends or has ended, if it does.
    pub(super) ends: Option<Time>,
    /// When it was last used.
    pub(super) last_use: KeyUse,
}

/// The author and the time of a key's being disabled or revoked.
pub(super) struct KeyStop {
    pub(super) by: String,
    pub(super) at: Time,
}

/// The data about the keys of a project beside their records.
struct AboutKeys {
    uses: LastUses,
    issuers: Vec<(AccountId, Email)>,
    /// The latest first.
    stops: Vec<AuditEntry>,
    /// The first characters of each key.
    prefixes: HashMap<KeyId, String>,
}

impl AboutKeys {
    fn address(&self, account: AccountId) -> Option<&Email> {
        let mut issuers = self.issuers.iter();
        let found = issuers.find(|(issuer, _)| *issuer == account);
        found.map(|(_, email)| email)
    }

    /// The event by which a key came into its state.
    fn stop(&self, key: &KeyRecord, state: KeyState) -> Option<&AuditEntry> {
        self.stops
            .iter()
            .find(|entry| match (&entry.action, state) {
                (AuditAction::KeyDisabled(prefix), KeyState::Disabled)
                | (
                    AuditAction::KeyRevoked(prefix) | AuditAction::KeyLeaked(prefix),
                    KeyState::Revoked,
                ) => *prefix == key.display_prefix,
                _ => false,
            })
    }
}

/// The state of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum KeyState {
    Live,
    /// A member has disabled it.
    Disabled,
    /// Its project is suspended.
    Suspended,
    Expired,
    Revoked,
}

/// The role with its article.
pub(super) fn a(role: Role) -> &'static str {
    match role {
        Role::Owner => "an owner",
        Role::Member => "a member",
    }
}

impl ProjectView {
    /// A project of the account that is signed in.
    pub(super) async fn find(
        context: &Context,
        session: &Session,
        id: ProjectId,
    ) -> Result<Self, PageError> {
        let (store, actor) = (context.store(), session.actor());
        let project = projects::find(store, actor, id).await?;
        let suspension = suspensions::of_project(store, actor, id).await?;
        Ok(Self {
            suspended: suspension.map(|it| Suspended::of(it, context.now())),
            ..Self::of(project, context)
        })
    }

    /// Whether the account that is signed in owns a project.
    pub(super) async fn is_owned(
        context: &Context,
        session: &Session,
        id: ProjectId,
    ) -> Result<bool, PageError> {
        let members = members::list(context.store(), session.actor(), id).await?;
        let this = session.signed_in.account.id;
        let owns = |it: &Member| it.account == this && it.role == Role::Owner;
        Ok(members.iter().any(owns))
    }

    pub(super) fn of(project: Project, context: &Context) -> Self {
        let quotas = **context.setup.quotas.get();
        Self {
            id: project.id.0,
            name: project.name,
            tier: project.tier.label(),
            limit: context.setup.rates.get().of(Some(project.tier)),
            quota: match project.tier {
                Tier::Free => quotas.free,
                Tier::Pro => quotas.pro,
                Tier::Enterprise => quotas.enterprise,
            },
            suspended: None,
        }
    }
}

impl ProjectView {
    /// The limit, with its digits in groups.
    pub(super) fn grouped_limit(&self) -> String {
        money::grouped(&self.limit.to_string())
    }

    /// The quota, with its digits in groups.
    pub(super) fn grouped_quota(&self) -> String {
        money::grouped(&self.quota.to_string())
    }
}

impl KeyView {
    /// The keys of a project, the newest first, as an actor that sees it asks.
    pub(super) async fn all(
        context: &Context,
        session: &Session,
        actor: Actor,
        project: ProjectId,
    ) -> Result<Vec<Self>, PageError> {
        let store = context.store();
        let keys = keys::list(context, actor, project).await?;
        let uses = crate::usage::store::last_uses(store, actor, project).await?;
        let about = AboutKeys {
            uses: uses.ok_or(PageError::NotFound)?,
            issuers: crate::keys::store::issuers(store, project).await?,
            stops: crate::audit::store::key_stops(store, actor, project).await?,
            prefixes: keys
                .iter()
                .map(|key| (key.id, key.display_prefix.clone()))
                .collect(),
        };
        let keys = keys.iter().rev();
        let views = keys.map(|key| Self::of(key, &about, session, context.now()));
        Ok(views.collect())
    }

    fn of(key: &KeyRecord, about: &AboutKeys, session: &Session, now: Timestamp) -> Self {
        let this = session.email();
        let by = |email: &Email| match email == this {
            true => "you".to_owned(),
            false => email.as_str().to_owned(),
        };
        let time = |at| Time { at, now };
        let end = key.end(now);
        let state = match end {
            Some(KeyEnd::Revoked(_)) => KeyState::Revoked,
            Some(KeyEnd::Expired(_)) => KeyState::Expired,
            None if key.disabled_at.is_some() => KeyState::Disabled,
            None if key.is_suspended => KeyState::Suspended,
            None => KeyState::Live,
        };
        Self {
            id: key.id.0,
            label: key.label.clone(),
            prefix: key.display_prefix.clone(),
            state,
            replaced_by: key
                .successor
                .and_then(|it| about.prefixes.get(&it).cloned()),
            end,
            stop: about.stop(key, state).map(|entry| KeyStop {
                by: match (&entry.action, &entry.by) {
                    (AuditAction::KeyLeaked(_), _) => "a report of a leak".to_owned(),
                    (_, AuditAuthor::Account(_, email)) => by(email),
                    _ => "an operator".to_owned(),
                },
                at: time(entry.at),
            }),
            issued: time(key.created_at),
            by: match key.made_by {
                None => "an operator".to_owned(),
                Some(account) => about
                    .address(account)
                    .map_or_else(|| "a former member".to_owned(), by),
            },
            ends: key.revoked_at.or(key.expires_at).map(time),
            last_use: KeyUse::of(key, &about.uses, now),
        }
    }

    /// Whether it has not ended, and so can be rotated, disabled and revoked.
    pub(super) fn is_live(&self) -> bool {
        self.end.is_none()
    }

    /// Its label, or else its first characters.
    pub(super) fn name(&self) -> String {
        let prefix = || format!("{}…", self.prefix);
        self.label.clone().unwrap_or_else(prefix)
    }

    /// Whether it is disabled, and so can be enabled.
    pub(super) fn is_disabled(&self) -> bool {
        self.state == KeyState::Disabled
    }
}

impl KeyState {
    /// The class of its badge.
    pub(super) fn class(self) -> &'static str {
        match self {
            Self::Live => "good",
            Self::Expired | Self::Suspended | Self::Disabled => "warn",
            Self::Revoked => "bad",
        }
    }
}

impl fmt::Display for KeyState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Live => "live",
            Self::Disabled => "disabled",
            Self::Suspended => "suspended",
            Self::Expired => "expired",
            Self::Revoked => "revoked",
        })
    }
}

/// An event of an account's history.
pub(super) struct HistoryView {
    pub(super) what: String,
    pub(super) at: Time,
}

impl HistoryView {
    pub(super) fn of(event: &AccountEvent, now: Timestamp) -> Self {
        Self {
            what: match &event.action {
                AccountAction::PasskeyAdded(name) => format!("Added the passkey “{name}”"),
                AccountAction::PasskeyRemoved(name) => format!("Removed the passkey “{name}”"),
                AccountAction::IdentityLinked(label) => format!("Linked {label} at the provider"),
                AccountAction::IdentityUnlinked(label) => {
                    format!("Unlinked {label} at the provider")
                }
                AccountAction::AddressChanged => "Changed the mail address".to_owned(),
                AccountAction::OperatorAdded => "Became an operator".to_owned(),
                AccountAction::OperatorRecovered => {
                    "Lost all passkeys, and got a code for a new one".to_owned()
                }
                AccountAction::OperatorRemoved => "Is an operator no more".to_owned(),
            },
            at: Time { at: event.at, now },
        }
    }
}
