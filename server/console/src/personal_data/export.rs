//! All that is kept about an account, as it may be downloaded: a use case for the dashboard.

mod project;

pub(crate) mod sql;

use jiff::Timestamp;
use serde_json::{Value, json};

use crate::accounts::{self, Account, AccountEvent, Session};
use crate::members::Invitation;
use crate::oidc::{self, IdentityRecord};
use crate::passkeys::{self, PasskeyRecord};
use crate::tier_requests::TierRequest;
use db::{Db, DbError, Timeouts};
use features::audit::{AuditAuthor, AuditEntry};
use features::domain::email::Email;
use features::domain::ids::AccountId;
use features::keys::{KeyLabels, KeyRecord};
use features::projects::ProjectId;

/// The most events of the audit log in an export.
pub(crate) const MAX_EVENTS: usize = 10_000;

/// The personal data of an account beside the account itself, its sessions, passkeys and projects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccountRecords {
    /// Its sign-ins of the last day, the latest first.
    pub sign_ins: Vec<SignInRecord>,
    /// When it last signed in by email in each of its browsers, the latest first.
    pub known_browsers: Vec<Timestamp>,
    /// The invitations that it received and sent, the latest first.
    pub invitations: Vec<Invitation>,
    /// The keys that it issued, oldest first.
    pub keys: Vec<KeyRecord>,
    /// The events of the audit log that it caused or that concern it, the latest first; the newest `MAX_EVENTS`,
    /// and one more if there are more.
    pub events: Vec<(ProjectId, AuditEntry)>,
    /// The subjects of mails to it that are not sent yet, and when they were written.
    pub mails: Vec<(String, Timestamp)>,
    /// Its requests for other tiers of projects, the latest first.
    pub tier_requests: Vec<TierRequest>,
}

/// A sign-in that was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignInRecord {
    pub created_at: Timestamp,
    /// When it was confirmed, if it was.
    pub used_at: Option<Timestamp>,
    /// The network of the browser that asked.
    pub network: String,
}

/// All that is kept about an account, as a JSON document. It has no secrets, nor digests of them.
pub async fn document(store: &Db, account: &Account, now: Timestamp) -> Result<Value, DbError> {
    let sessions = accounts::store::sessions_of(store, account.id).await?;
    let projects = project::all(store, account.id, now).await?;
    let passkeys = passkeys::store::passkeys_of(store, account.id).await?;
    let identities = oidc::store::identities_of(store, account.id).await?;
    let id = account.id;
    let records = store.snapshot(Timeouts::Request, move |tx| sql::records(tx, id));
    let records = records.await?;
    let history = accounts::store::account_events(store, account.id, MAX_EVENTS).await?;
    let events = records.events.iter().take(MAX_EVENTS);
    Ok(json!({
        "format": "donation-catalog-account/1",
        "exportedAt": now,
        "account": {
            "id": account.id.0,
            "email": account.email.as_str(),
            "createdAt": account.created_at,
        },
        "sessions": sessions.iter().map(session).collect::<Vec<_>>(),
        "passkeys": passkeys.iter().map(passkey).collect::<Vec<_>>(),
        "identities": identities.iter().map(identity).collect::<Vec<_>>(),
        "signIns": records.sign_ins.iter().map(sign_in).collect::<Vec<_>>(),
        "knownBrowsers": records.known_browsers.iter().map(known_browser).collect::<Vec<_>>(),
        "projects": projects,
        "keysIssued": records.keys.iter().map(key).collect::<Vec<_>>(),
        "invitations": records.invitations.iter().map(invitation).collect::<Vec<_>>(),
        "tierRequests": records.tier_requests.iter().map(tier_request).collect::<Vec<_>>(),
        "accountEvents": history.iter().map(change).collect::<Vec<_>>(),
        "mailsToSend": records.mails.iter().map(mail).collect::<Vec<_>>(),
        "auditEvents": events.map(|it| event(it, account.id)).collect::<Vec<_>>(),
        "hasOlderAuditEvents": records.events.len() > MAX_EVENTS,
    }))
}

fn session(session: &Session) -> Value {
    json!({
        "id": session.id.0,
        "browser": session.browser_name.as_str(),
        "createdAt": session.created_at,
        "lastSeenAt": session.last_seen_at,
        "confirmedAt": session.stepped_up_at,
    })
}

fn known_browser(used_at: &Timestamp) -> Value {
    json!({ "lastUsedAt": used_at })
}

fn passkey(passkey: &PasskeyRecord) -> Value {
    json!({
        "id": passkey.id.0,
        "name": passkey.name,
        "createdAt": passkey.created_at,
        "lastUsedAt": passkey.last_used_at,
    })
}

fn identity(identity: &IdentityRecord) -> Value {
    json!({
        "id": identity.id.0,
        "issuer": identity.issuer,
        "subject": identity.subject,
        "label": identity.label,
        "createdAt": identity.created_at,
        "lastUsedAt": identity.last_used_at,
    })
}

fn sign_in(record: &SignInRecord) -> Value {
    json!({
        "createdAt": record.created_at,
        "confirmedAt": record.used_at,
        "network": record.network,
    })
}

/// A key. Each field is named, so that a new one does not compile until it is exported or left out.
fn key(key: &KeyRecord) -> Value {
    let KeyRecord {
        id,
        digest: _,
        project,
        tier: _,
        is_suspended: _,
        display_prefix,
        labels: KeyLabels { label },
        made_by: _,
        created_at,
        expires_at,
        revoked_at,
        disabled_at,
        successor,
    } = key;
    json!({
        "id": id.0,
        "project": project.0,
        "firstCharacters": display_prefix,
        "label": label,
        "createdAt": created_at,
        "expiresAt": expires_at,
        "revokedAt": revoked_at,
        "disabledAt": disabled_at,
        "successor": successor.map(|it| it.0),
    })
}

fn invitation(invitation: &Invitation) -> Value {
    json!({
        "id": invitation.id.0,
        "project": invitation.project.0,
        "to": invitation.email.as_str(),
        "by": invitation.invited_by.as_str(),
        "role": invitation.role.as_str(),
        "createdAt": invitation.created_at,
        "endedAt": invitation.ended_at,
    })
}

fn tier_request(request: &TierRequest) -> Value {
    json!({
        "project": request.project.id.0,
        "tier": request.tier.as_str(),
        "reason": request.reason,
        "createdAt": request.created_at,
        "isAccepted": request.decision.as_ref().map(|it| it.is_accepted),
        "answer": request.decision.as_ref().map(|it| &it.answer),
        "decidedAt": request.decision.as_ref().map(|it| it.at),
    })
}

fn change(event: &AccountEvent) -> Value {
    json!({ "at": event.at, "action": event.action.name(), "subject": event.action.subject() })
}

fn mail((subject, created_at): &(String, Timestamp)) -> Value {
    json!({ "subject": subject, "createdAt": created_at })
}

fn event((project, entry): &(ProjectId, AuditEntry), account: AccountId) -> Value {
    let is_by = |author: &AuditAuthor| match author {
        AuditAuthor::Operator | AuditAuthor::Key { .. } => false,
        AuditAuthor::OperatorAccount(id, _) | AuditAuthor::Account(id, _) => *id == account,
    };
    json!({
        "at": entry.at,
        "project": project.0,
        "byYou": is_by(&entry.by),
        "action": entry.action.name(),
        "subject": entry.action.subject(),
        "member": entry.action.member().map(|account| account.0),
        "invited": entry.action.invited().map(Email::as_str),
    })
}
