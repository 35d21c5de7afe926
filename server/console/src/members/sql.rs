//! Members and invitations.

use db::{DbError, Row, ToValue, Tx, params};
use jiff::Timestamp;

use super::change::Membership;
use super::limits::{InvitationCounts, WINDOW};
use super::{
    Invitation, InvitationAnswer, InvitationId, Invited, Member, MemberChange, MemberError,
    MemberOfProject, MemberRejection, NewInvitation,
};
use crate::accounts::SecretDigest;
use crate::accounts::sign_in::sql as sign_in;
use edge::clock::{before, latest};
use features::audit::{AuditAction, sql as audit};
use features::database::locks;
use features::domain::email::Email;
use features::domain::ids::AccountId;
use features::mail::{NewMail, sql as mail};
use features::project_lifecycle::sql::admit_owner;
use features::projects::{Actor, ProjectId, Role, sql as projects};
use features::suspensions::sql as suspensions;

pub(crate) fn members(
    tx: &Tx<'_>,
    actor: Actor,
    project: ProjectId,
) -> Result<Option<Vec<Member>>, DbError> {
    if projects::managed(tx, actor, project)?.is_none() {
        return Ok(None);
    }
    let sql = "SELECT membership.account, account.email, membership.role, membership.created_at
               FROM membership JOIN account ON account.id = membership.account
               WHERE membership.project = $1
               ORDER BY membership.role DESC, membership.created_at, membership.account";
    let read = |row: &Row<'_>| {
        Ok(Member {
            account: row.get("account")?,
            email: row.get("email")?,
            role: row.get("role")?,
            since: row.get("created_at")?,
        })
    };
    Ok(Some(tx.all(sql, params![project], read)?))
}

pub(crate) fn change_member(
    tx: &Tx<'_>,
    about: MemberOfProject,
    change: MemberChange,
    free_projects: u32,
    now: Timestamp,
) -> Result<(), MemberError> {
    let MemberOfProject {
        actor,
        project,
        member,
    } = about;
    // The project's other changes of members wait here.
    let found = projects::lock(tx, actor, project)?;
    let membership = membership(tx, project, member)?;
    let Some(action) = about.check(change, found.as_ref(), membership)? else {
        return Ok(());
    };
    let owned_suspended =
        membership.role == Some(Role::Owner) && suspensions::is_suspended(tx, project)?;
    if action != AuditAction::MemberLeft || owned_suspended {
        suspensions::admit::<MemberError>(tx, actor)?;
    }
    match change {
        MemberChange::Role(role) => {
            if let (Role::Owner, Some(found)) = (role, &found) {
                let tier = found.project.tier;
                admit_owner(tx, member, tier, free_projects, now).map_err(|error| match error {
                    MemberError::Rejected(_) => MemberRejection::MayNotOwn.into(),
                    error => error,
                })?;
            }
            projects::put_member(tx, project, (member, role), now)?;
        }
        MemberChange::Remove => {
            let sql = "DELETE FROM membership WHERE account = $1 AND project = $2";
            tx.execute(sql, params![member, project])?;
        }
    }
    if change != MemberChange::Role(Role::Owner) {
        end_all(tx, project, "invited_by", member, now)?;
    }
    audit::record_event(tx, actor, project, action, now)?;
    Ok(())
}

fn membership(tx: &Tx<'_>, project: ProjectId, member: AccountId) -> Result<Membership, DbError> {
    let sql = "SELECT
                 (SELECT role FROM membership WHERE project = $1 AND account = $2) AS role,
                 (SELECT count(*) FROM membership WHERE project = $1 AND role = $3) AS owners";
    let params = params![project, member, Role::Owner];
    tx.one(sql, params, |row| {
        Ok(Membership {
            role: row.get("role")?,
            owners: row.get("owners")?,
        })
    })
}

pub(crate) fn invite(
    tx: &Tx<'_>,
    invitation: &NewInvitation,
    mail: &NewMail,
) -> Result<Invited, MemberError> {
    let actor = Actor::Account(invitation.invited_by);
    let (project, now) = (invitation.project, invitation.created_at);
    tx.lock(locks::INVITATIONS)?;
    let found = projects::lock(tx, actor, project)?;
    MemberRejection::unless_owned(actor, project, found.as_ref())?;
    suspensions::admit::<MemberError>(tx, actor)?;
    let key = invitation.email.key();
    if is_member(tx, project, &key)? {
        return Err(MemberRejection::AlreadyMember.into());
    }
    forget_invitations(tx, now)?;
    let counts = counts(tx, invitation)?;
    counts.admit().map_err(MemberRejection::from)?;
    let ended = end_all(tx, project, "email_key", &key, now)?;
    let sql = "INSERT INTO invitation (id, token, project, email, email_key, role, invited_by,
                 network, provider, created_at)
               VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";
    let network = invitation.network.to_string();
    let params = params![
        invitation.id,
        invitation.token,
        project,
        invitation.email,
        key,
        invitation.role,
        invitation.invited_by,
        network,
        invitation.network.provider().to_string(),
        now
    ];
    tx.execute(sql, params)?;
    mail::enqueue(tx, mail)?;
    let invited = AuditAction::MemberInvited(Some(invitation.email.clone()), invitation.role);
    audit::record_event(tx, actor, project, invited, now)?;
    Ok(Invited::after(ended))
}

fn is_member(tx: &Tx<'_>, project: ProjectId, key: &str) -> Result<bool, DbError> {
    let sql = "SELECT 1 FROM membership JOIN account ON account.id = membership.account
               WHERE membership.project = $1 AND account.email_key = $2";
    tx.exists(sql, params![project, key])
}

/// Deletes invitations that can neither be answered nor are counted.
pub(crate) fn forget_invitations(tx: &Tx<'_>, now: Timestamp) -> Result<(), DbError> {
    let sql = "DELETE FROM invitation WHERE created_at <= $1 OR ended_at <= $2";
    let ends = (before(now, Invitation::LIFE), before(now, WINDOW));
    tx.execute(sql, params![ends.0, ends.1])?;
    Ok(())
}

fn counts(tx: &Tx<'_>, invitation: &NewInvitation) -> Result<InvitationCounts, DbError> {
    let sql = "SELECT
                 (SELECT count(*) FROM invitation WHERE created_at > $1 AND created_at <= $6 AND email_key = $2) AS address,
                 (SELECT count(*) FROM invitation WHERE created_at > $1 AND created_at <= $6 AND project = $3) AS project,
                 (SELECT count(*) FROM invitation WHERE created_at > $1 AND created_at <= $6 AND invited_by = $4) AS account,
                 (SELECT count(*) FROM invitation WHERE created_at > $1 AND created_at <= $6 AND network = $5) AS network,
                 (SELECT count(*) FROM invitation
                  WHERE created_at > $1 AND created_at <= $6 AND provider = $7) AS provider,
                 (SELECT count(*) FROM invitation WHERE created_at > $1 AND created_at <= $6) AS overall,
                 (SELECT count(*) FROM membership WHERE project = $3)
                 + (SELECT count(*) FROM invitation WHERE project = $3 AND ended_at IS NULL
                      AND created_at <= $6 AND email_key != $2) AS members";
    let since = before(invitation.created_at, WINDOW);
    let (email, network) = (invitation.email.key(), invitation.network.to_string());
    let params = params![
        since,
        email,
        invitation.project,
        invitation.invited_by,
        network,
        latest(invitation.created_at),
        invitation.network.provider().to_string()
    ];
    tx.one(sql, params, |row| {
        Ok(InvitationCounts {
            address: row.get("address")?,
            project: row.get("project")?,
            account: row.get("account")?,
            from: sign_in::network_counts(row)?,
            members: row.get("members")?,
        })
    })
}

/// Ends the invitations of a project that have this value in a column; returns their number.
fn end_all(
    tx: &Tx<'_>,
    project: ProjectId,
    column: &str,
    value: impl ToValue,
    now: Timestamp,
) -> Result<usize, DbError> {
    let sql = format!(
        "SELECT id FROM invitation WHERE project = $1 AND {column} = $2 AND ended_at IS NULL"
    );
    let read = |row: &Row<'_>| row.get("id");
    let found: Vec<InvitationId> = tx.all(&sql, params![project, value], read)?;
    for id in &found {
        end(tx, *id, now)?;
    }
    Ok(found.len())
}

/// Ends an invitation, whose mail is not sent any more.
fn end(tx: &Tx<'_>, id: InvitationId, now: Timestamp) -> Result<(), DbError> {
    let sql = "UPDATE invitation SET ended_at = $2 WHERE id = $1 AND ended_at IS NULL";
    tx.execute(sql, params![id, now])?;
    mail::withdraw(tx, id.mail())
}

pub(crate) fn revoke(
    tx: &Tx<'_>,
    actor: Actor,
    project: ProjectId,
    id: InvitationId,
    now: Timestamp,
) -> Result<(), MemberError> {
    let found = projects::lock(tx, actor, project)?;
    MemberRejection::unless_owned(actor, project, found.as_ref())?;
    let sql = format!("{INVITATIONS} AND invitation.id = $1 AND invitation.project = $2");
    let invitation = tx.first(&sql, params![id, project], read)?;
    let Some(invitation) = invitation.filter(|it| it.is_live(now)) else {
        return Err(MemberRejection::UnknownInvitation.into());
    };
    end(tx, id, now)?;
    let revoked = AuditAction::InvitationRevoked(Some(invitation.email), invitation.role);
    audit::record_event(tx, actor, project, revoked, now)?;
    Ok(())
}

pub(crate) fn answer_invitation(
    tx: &Tx<'_>,
    account: AccountId,
    token: SecretDigest,
    answer: InvitationAnswer,
    free_projects: u32,
    now: Timestamp,
) -> Result<ProjectId, MemberError> {
    let actor = Actor::Account(account);
    let email = "SELECT email FROM account WHERE id = $1 AND erased_at IS NULL FOR KEY SHARE";
    let read_email = |row: &Row<'_>| row.get::<Email>("email");
    let email = tx.first(email, params![account], read_email)?;
    let (Some(email), Some(found)) = (email, of_token(tx, token)?) else {
        return Err(MemberRejection::Ended.into());
    };
    // Other answers wait here, and find it ended.
    let access = projects::lock(tx, actor, found.project)?;
    let found = of_token(tx, token)?;
    let invitation = Invitation::for_account(found, &email, now)?;
    end(tx, invitation.id, now)?;
    let (project, role) = (invitation.project, invitation.role);
    let action = match answer {
        InvitationAnswer::Decline => AuditAction::InvitationDeclined(role),
        InvitationAnswer::Accept => {
            // One who has become a member in another way keeps the role.
            if membership(tx, project, account)?.role.is_none() {
                if let (Role::Owner, Some(access)) = (role, access) {
                    let tier = access.project.tier;
                    admit_owner::<MemberError>(tx, account, tier, free_projects, now)?;
                }
                projects::put_member(tx, project, (account, role), now)?;
            }
            AuditAction::MemberJoined(role)
        }
    };
    audit::record_event(tx, actor, project, action, now)?;
    Ok(project)
}

const INVITATIONS: &str =
    "SELECT invitation.id, invitation.project, project.name, invitation.email,
                             invitation.role, account.email AS invited_by, invitation.created_at,
                             invitation.ended_at
                           FROM invitation
                           JOIN project ON project.id = invitation.project
                           JOIN account ON account.id = invitation.invited_by
                           WHERE project.deleted_at IS NULL";

pub(crate) fn of_token(tx: &Tx<'_>, token: SecretDigest) -> Result<Option<Invitation>, DbError> {
    let sql = format!("{INVITATIONS} AND invitation.token = $1");
    tx.first(&sql, params![token], read)
}

/// The invitations to an address and by an account, the latest first.
pub(crate) fn invitations_of(
    tx: &Tx<'_>,
    account: AccountId,
    address: &str,
) -> Result<Vec<Invitation>, DbError> {
    let sql = format!(
        "{INVITATIONS} AND (invitation.email_key = $2 OR invitation.invited_by = $1)
         ORDER BY invitation.created_at DESC, invitation.id DESC"
    );
    tx.all(&sql, params![account, address], read)
}

pub(crate) fn pending(
    tx: &Tx<'_>,
    actor: Actor,
    project: ProjectId,
    now: Timestamp,
) -> Result<Option<Vec<Invitation>>, DbError> {
    if projects::managed(tx, actor, project)?.is_none() {
        return Ok(None);
    }
    let sql = format!(
        "{INVITATIONS} AND invitation.project = $1 AND invitation.ended_at IS NULL
         ORDER BY invitation.created_at DESC, invitation.id DESC"
    );
    let mut pending: Vec<Invitation> = tx.all(&sql, params![project], read)?;
    pending.retain(|invitation| invitation.is_live(now));
    Ok(Some(pending))
}

fn read(row: &Row<'_>) -> Result<Invitation, DbError> {
    Ok(Invitation {
        id: row.get("id")?,
        project: row.get("project")?,
        project_name: row.get("name")?,
        email: row.get("email")?,
        role: row.get("role")?,
        invited_by: row.get("invited_by")?,
        created_at: row.get("created_at")?,
        ended_at: row.get("ended_at")?,
    })
}
