//! The audit log of a project.

use askama::Template;
use jiff::Timestamp;
use serde::Deserialize;

use super::configs::shortened;
use super::extract::{ProjectPath, QueryParameters};
use super::members::a;
use super::page::PageResult;
use super::page_error::PageError;
use super::projects::ProjectView;
use super::session::Session;
use super::time::Time;
use features::audit::{self, AuditAction, AuditAuthor, AuditEntry, AuditEventId};
use features::domain::claim_state::ClaimState;
use features::domain::email::Email;

/// The entries of a page.
const PAGE: usize = 50;

#[derive(Template)]
#[template(path = "dashboard/audit.html")]
struct AuditPage<'a> {
    project: &'a ProjectView,
    events: Vec<EventView>,
    /// The event before which the next page begins, if there is one.
    older: Option<i64>,
}

pub(super) struct EventView {
    pub(super) what: String,
    pub(super) who: String,
    pub(super) at: Time,
}

/// The reader of the log: only operators see the names of operators, and only members of the project see the
/// addresses that it has invited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reader {
    Member,
    Operator,
}

#[derive(Deserialize)]
pub(super) struct AuditQuery {
    before: Option<i64>,
}

/// `GET /dashboard/projects/{project}/audit`
pub(super) async fn list(
    session: Session,
    ProjectPath(id): ProjectPath,
    QueryParameters(query): QueryParameters<AuditQuery>,
) -> PageResult {
    let project = ProjectView::find(&session, id).await?;
    let before = query.before.map(AuditEventId);
    let found = audit::of_project(session.store(), session.actor(), id, before, PAGE + 1).await?;
    let mut found = found.ok_or(PageError::NotFound)?;
    let is_last = found.len() <= PAGE;
    found.truncate(PAGE);
    let older = found.last().filter(|_| !is_last).map(|event| event.id.0);
    let now = session.now();
    let view = |event| EventView::of(event, now, Reader::Member);
    let page = AuditPage {
        project: &project,
        events: found.into_iter().map(view).collect(),
        older,
    };
    session
        .frame_of(&project)
        .page(&project.title("Audit log"), &page)
}

impl EventView {
    /// The event as `reader` sees it.
    pub(super) fn of(entry: AuditEntry, now: Timestamp, reader: Reader) -> Self {
        let at = Time { at: entry.at, now };
        let what = what(&entry, reader);
        let names_operators = reader == Reader::Operator;
        let who = match entry.by {
            _ if matches!(entry.action, AuditAction::KeyLeaked(_)) => "A leak report".to_owned(),
            _ if matches!(entry.action, AuditAction::WebhookSwitchedOff(_)) => {
                "This service".to_owned()
            }
            AuditAuthor::OperatorAccount(_, email) if names_operators => {
                format!("{}, as an operator", email.as_str())
            }
            AuditAuthor::Operator if names_operators => "The command line".to_owned(),
            AuditAuthor::Operator | AuditAuthor::OperatorAccount(..) => "An operator".to_owned(),
            AuditAuthor::Account(_, email) => email.as_str().to_owned(),
            AuditAuthor::Key { prefix, label } => match label {
                Some(label) => format!("The key {prefix}… ({label})"),
                None => format!("The key {prefix}…"),
            },
        };
        Self { what, who, at }
    }
}

fn what(entry: &AuditEntry, reader: Reader) -> String {
    let member = entry.member.as_ref().map_or("a member", Email::as_str);
    let invited = entry.action.invited();
    let invited = invited.filter(|_| reader == Reader::Member);
    match &entry.action {
        AuditAction::ProjectCreated(name) => format!("Created the project “{name}”"),
        AuditAction::ProjectRenamed(name) => format!("Renamed the project to “{name}”"),
        AuditAction::ProjectDeleted(name) => format!("Deleted the project “{name}”"),
        AuditAction::TierSet(tier) => format!("Set the tier to {}", tier.label()),
        AuditAction::TierAskedFor(tier) => format!("Requested the {} tier", tier.label()),
        AuditAction::TierDeclined(tier) => format!("Declined the {} tier", tier.label()),
        AuditAction::ProjectSuspended(reason) => format!("Suspended the project: {reason}"),
        AuditAction::ProjectResumed => "Resumed the project".to_owned(),
        AuditAction::KeyIssued(prefix) => format!("Created the key {prefix}…"),
        AuditAction::KeyRotated(prefix) => format!("Rotated the key {prefix}…"),
        AuditAction::KeyRenamed(prefix) => format!("Renamed the key {prefix}…"),
        AuditAction::KeyDisabled(prefix) => format!("Disabled the key {prefix}…"),
        AuditAction::KeyEnabled(prefix) => format!("Enabled the key {prefix}… again"),
        AuditAction::KeyRevoked(prefix) => format!("Revoked the key {prefix}…"),
        AuditAction::KeyLeaked(prefix) => format!("Revoked the leaked key {prefix}…"),
        AuditAction::ConfigCreated(id) => format!("Created the config {}", shortened(id)),
        AuditAction::ConfigDeleted(id) => format!("Deleted the config {}", shortened(id)),
        AuditAction::WebhookCreated(url) => format!("Created the webhook {url}"),
        AuditAction::WebhookChanged(url) => format!("Changed the webhook {url}"),
        AuditAction::WebhookEnabled(url) => format!("Enabled the webhook {url}"),
        AuditAction::WebhookDisabled(url) => format!("Disabled the webhook {url}"),
        AuditAction::WebhookSwitchedOff(url) => {
            format!(
                "Disabled the webhook {url}: its deliveries failed for three days, or it responded 410"
            )
        }
        AuditAction::WebhookSecretReplaced(url) => {
            format!("Rotated the secret of the webhook {url}")
        }
        AuditAction::WebhookDeleted(url) => format!("Deleted the webhook {url}"),
        AuditAction::MemberInvited(_, role) => {
            let invited = invited.map_or("someone", Email::as_str);
            format!("Invited {invited} to become {}", a(*role))
        }
        AuditAction::InvitationRevoked(_, role) => {
            let of = invited.map_or_else(String::new, |email| format!(" of {}", email.as_str()));
            format!("Revoked the invitation{of} to become {}", a(*role))
        }
        AuditAction::InvitationDeclined(role) => {
            format!("Declined an invitation to become {}", a(*role))
        }
        AuditAction::MemberJoined(role) => format!("Accepted an invitation to become {}", a(*role)),
        AuditAction::RoleSet(_, role) => format!("Made {member} {}", a(*role)),
        AuditAction::MemberRemoved(_) => format!("Removed {member}"),
        AuditAction::MemberLeft => "Left the project".to_owned(),
        AuditAction::ClaimBecame(state, contract) => match state {
            ClaimState::Open => format!("Claimed {contract}"),
            ClaimState::Waiting => format!("Asked an operator to review the claim of {contract}"),
            ClaimState::Proven => format!("Proved ownership of {contract}"),
            ClaimState::Accepted => format!("Accepted the claim of {contract}"),
            ClaimState::Declined => format!("Declined the claim of {contract}"),
        },
        AuditAction::ClaimWithdrawn(contract) => format!("Withdrew the claim of {contract}"),
        AuditAction::ContractReleased(contract) => format!("Released {contract}"),
        AuditAction::ContractLost(contract) => format!("Reassigned {contract} to another project"),
    }
}
