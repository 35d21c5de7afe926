//! Members and invitations, in SQLite.

use async_trait::async_trait;
use jiff::Timestamp;
use rusqlite::types::ToSql;
use rusqlite::{Connection, Row, named_params};

use super::change::Membership;
use super::limits::{InvitationCounts, WINDOW};
use super::{
    Invitation, InvitationAnswer, InvitationId, Invited, Member, MemberChange, MemberOfProject,
    MemberRefusal, MemberStore, NewInvitation,
};
use crate::accounts::{AccountId, Email, SecretDigest};
use crate::audit::AuditAction;
use crate::database::StoreError;
use crate::database::sqlite::column::{self, Millis, before};
use crate::database::sqlite::{Sqlite, query};
use crate::mail::{NewMail, sqlite as mail};
use crate::projects::{Actor, ProjectId, Role, sqlite as projects};
use crate::suspensions::sqlite as suspensions;

#[async_trait]
impl MemberStore for Sqlite {
    async fn members(
        &self,
        actor: Actor,
        project: ProjectId,
    ) -> Result<Option<Vec<Member>>, StoreError> {
        self.read(move |db| match projects::managed(db, actor, project)? {
            Some(_) => Ok(Some(of_project(db, project)?)),
            None => Ok(None),
        })
        .await
    }

    async fn change_member(
        &self,
        member: MemberOfProject,
        change: MemberChange,
        now: Timestamp,
    ) -> Result<Result<(), MemberRefusal>, StoreError> {
        self.write(member.actor.writer(), move |tx| {
            change_member(tx, member, change, now)
        })
        .await
    }

    async fn invitations(
        &self,
        actor: Actor,
        project: ProjectId,
        now: Timestamp,
    ) -> Result<Option<Vec<Invitation>>, StoreError> {
        self.read(move |db| match projects::managed(db, actor, project)? {
            Some(_) => Ok(Some(pending(db, project, now)?)),
            None => Ok(None),
        })
        .await
    }

    async fn invite(
        &self,
        invitation: NewInvitation,
        mail: NewMail,
    ) -> Result<Result<Invited, MemberRefusal>, StoreError> {
        let actor = Actor::Account(invitation.invited_by);
        self.write(actor.writer(), move |tx| {
            invite(tx, actor, &invitation, &mail)
        })
        .await
    }

    async fn revoke_invitation(
        &self,
        actor: Actor,
        project: ProjectId,
        invitation: InvitationId,
        now: Timestamp,
    ) -> Result<Result<(), MemberRefusal>, StoreError> {
        self.write(actor.writer(), move |tx| {
            revoke(tx, actor, project, invitation, now)
        })
        .await
    }

    async fn invitation(&self, token: SecretDigest) -> Result<Option<Invitation>, StoreError> {
        self.read(move |db| Ok(of_token(db, token)?)).await
    }

    async fn answer_invitation(
        &self,
        account: AccountId,
        token: SecretDigest,
        answer: InvitationAnswer,
        now: Timestamp,
    ) -> Result<Result<ProjectId, MemberRefusal>, StoreError> {
        let actor = Actor::Account(account);
        self.write(actor.writer(), move |tx| {
            answer_invitation(tx, account, token, answer, now)
        })
        .await
    }
}

fn of_project(db: &Connection, project: ProjectId) -> rusqlite::Result<Vec<Member>> {
    let sql = "SELECT membership.account, account.email, membership.role, membership.created_at
               FROM membership JOIN account ON account.id = membership.account
               WHERE membership.project = ?1
               ORDER BY membership.role DESC, membership.created_at, membership.account";
    query::all(db, sql, [project], |row| {
        Ok(Member {
            account: row.get("account")?,
            email: row.get("email")?,
            role: row.get("role")?,
            since: column::time(row, "created_at")?,
        })
    })
}

fn change_member(
    db: &Connection,
    about: MemberOfProject,
    change: MemberChange,
    now: Timestamp,
) -> Result<Result<(), MemberRefusal>, StoreError> {
    let MemberOfProject {
        actor,
        project,
        member,
    } = about;
    let found = projects::found(db, actor, project)?;
    let action = match about.check(change, found.as_ref(), membership(db, project, member)?) {
        Ok(Some(action)) => action,
        Ok(None) => return Ok(Ok(())),
        Err(refusal) => return Ok(Err(refusal)),
    };
    if let Err(refusal) = suspensions::admit(db, actor)? {
        return Ok(Err(refusal.into()));
    }
    match change {
        MemberChange::Role(role) => projects::put_member(db, project, (member, role), now)?,
        MemberChange::Remove => {
            let sql = "DELETE FROM membership WHERE account = ?1 AND project = ?2";
            query::execute(db, sql, (member, project))?;
        }
    }
    if change != MemberChange::Role(Role::Owner) {
        end_all(db, project, "invited_by", member, now)?;
    }
    projects::record_event(db, actor, project, action, now)?;
    Ok(Ok(()))
}

fn membership(
    db: &Connection,
    project: ProjectId,
    member: AccountId,
) -> rusqlite::Result<Membership> {
    let sql = "SELECT
                 (SELECT role FROM membership WHERE project = ?1 AND account = ?2) AS role,
                 (SELECT count(*) FROM membership WHERE project = ?1 AND role = ?3) AS owners";
    db.prepare_cached(sql)?
        .query_one((project, member, Role::Owner), |row| {
            Ok(Membership {
                role: row.get("role")?,
                owners: row.get("owners")?,
            })
        })
}

fn invite(
    db: &Connection,
    actor: Actor,
    invitation: &NewInvitation,
    mail: &NewMail,
) -> Result<Result<Invited, MemberRefusal>, StoreError> {
    let (project, now) = (invitation.project, invitation.created_at);
    let found = projects::found(db, actor, project)?;
    if let Err(refusal) = MemberRefusal::unless_owned(actor, project, found.as_ref()) {
        return Ok(Err(refusal));
    }
    if is_member(db, project, &invitation.email)? {
        return Ok(Err(MemberRefusal::AlreadyMember));
    }
    forget_invitations(db, now)?;
    if let Err(limit) = counts(db, invitation)?.admit() {
        return Ok(Err(limit.into()));
    }
    let ended = end_all(db, project, "email_key", invitation.email.key(), now)?;
    query::execute(
        db,
        "INSERT INTO invitation (id, token, project, email, email_key, role, invited_by, network,
           created_at)
         VALUES (:id, :token, :project, :email, :key, :role, :by, :network, :created)",
        named_params! {
            ":id": invitation.id,
            ":token": invitation.token,
            ":project": project,
            ":email": invitation.email,
            ":key": invitation.email.key(),
            ":role": invitation.role,
            ":by": invitation.invited_by,
            ":network": invitation.network.to_string(),
            ":created": Millis(now),
        },
    )?;
    mail::enqueue(db, mail)?;
    let invited = AuditAction::MemberInvited(Some(invitation.email.clone()), invitation.role);
    projects::record_event(db, actor, project, invited, now)?;
    Ok(Ok(Invited::after(ended)))
}

fn is_member(db: &Connection, project: ProjectId, email: &Email) -> rusqlite::Result<bool> {
    let sql = "SELECT 1 FROM membership JOIN account ON account.id = membership.account
               WHERE membership.project = ?1 AND account.email_key = ?2";
    query::exists(db, sql, (project, email.key()))
}

/// Deletes invitations that can neither be answered nor are counted.
pub(crate) fn forget_invitations(db: &Connection, now: Timestamp) -> rusqlite::Result<()> {
    let sql = "DELETE FROM invitation WHERE created_at <= ?1 OR ended_at <= ?2";
    query::execute(
        db,
        sql,
        (before(now, Invitation::LIFE), before(now, WINDOW)),
    )?;
    Ok(())
}

fn counts(db: &Connection, invitation: &NewInvitation) -> rusqlite::Result<InvitationCounts> {
    let sql = "SELECT
                 (SELECT count(*) FROM invitation WHERE created_at > :since AND email_key = :key) AS address,
                 (SELECT count(*) FROM invitation WHERE created_at > :since AND project = :project) AS project,
                 (SELECT count(*) FROM invitation WHERE created_at > :since AND invited_by = :by) AS account,
                 (SELECT count(*) FROM invitation WHERE created_at > :since AND network = :network) AS network,
                 (SELECT count(*) FROM invitation WHERE created_at > :since) AS overall,
                 (SELECT count(*) FROM membership WHERE project = :project)
                 + (SELECT count(*) FROM invitation WHERE project = :project AND ended_at IS NULL
                      AND email_key != :key) AS members";
    let (key, network) = (invitation.email.key(), invitation.network.to_string());
    let since = before(invitation.created_at, WINDOW);
    let params = named_params! {
        ":since": since,
        ":key": key,
        ":project": invitation.project,
        ":by": invitation.invited_by,
        ":network": network,
    };
    db.prepare_cached(sql)?.query_one(params, |row| {
        Ok(InvitationCounts {
            address: row.get("address")?,
            project: row.get("project")?,
            account: row.get("account")?,
            network: row.get("network")?,
            all: row.get("overall")?,
            members: row.get("members")?,
        })
    })
}

/// Ends the invitations of a project that have this value in a column; returns their number.
fn end_all(
    db: &Connection,
    project: ProjectId,
    column: &str,
    value: impl ToSql,
    now: Timestamp,
) -> Result<usize, StoreError> {
    let sql = format!(
        "SELECT id FROM invitation WHERE project = ?1 AND {column} = ?2 AND ended_at IS NULL"
    );
    let read = |row: &Row<'_>| row.get("id");
    let found = query::all(db, &sql, (project, value), read)?;
    for id in &found {
        end(db, *id, now)?;
    }
    Ok(found.len())
}

/// Ends an invitation, whose mail is not sent any more.
fn end(db: &Connection, id: InvitationId, now: Timestamp) -> rusqlite::Result<()> {
    let sql = "UPDATE invitation SET ended_at = ?2 WHERE id = ?1 AND ended_at IS NULL";
    query::execute(db, sql, (id, Millis(now)))?;
    mail::withdraw(db, id.mail())
}

fn revoke(
    db: &Connection,
    actor: Actor,
    project: ProjectId,
    id: InvitationId,
    now: Timestamp,
) -> Result<Result<(), MemberRefusal>, StoreError> {
    let found = projects::found(db, actor, project)?;
    if let Err(refusal) = MemberRefusal::unless_owned(actor, project, found.as_ref()) {
        return Ok(Err(refusal));
    }
    let sql = format!("{INVITATIONS} AND invitation.id = ?1 AND invitation.project = ?2");
    let invitation = query::first(db, &sql, (id, project), read)?.filter(|it| it.is_live(now));
    let Some(invitation) = invitation else {
        return Ok(Err(MemberRefusal::UnknownInvitation));
    };
    end(db, id, now)?;
    let revoked = AuditAction::InvitationRevoked(Some(invitation.email), invitation.role);
    projects::record_event(db, actor, project, revoked, now)?;
    Ok(Ok(()))
}

fn answer_invitation(
    db: &Connection,
    account: AccountId,
    token: SecretDigest,
    answer: InvitationAnswer,
    now: Timestamp,
) -> Result<Result<ProjectId, MemberRefusal>, StoreError> {
    let email = "SELECT email FROM account WHERE id = ?1 AND erased_at IS NULL";
    let Some(email) = query::first(db, email, [account], |row| row.get::<_, Email>("email"))?
    else {
        return Ok(Err(MemberRefusal::Ended));
    };
    let found = of_token(db, token)?;
    let invitation = match Invitation::for_account(found, &email, now) {
        Ok(invitation) => invitation,
        Err(refusal) => return Ok(Err(refusal)),
    };
    end(db, invitation.id, now)?;
    let (project, role) = (invitation.project, invitation.role);
    let action = match answer {
        InvitationAnswer::Decline => AuditAction::InvitationDeclined(role),
        InvitationAnswer::Accept => {
            // One who has become a member in another way keeps the role.
            if membership(db, project, account)?.role.is_none() {
                projects::put_member(db, project, (account, role), now)?;
            }
            AuditAction::MemberJoined(role)
        }
    };
    projects::record_event(db, Actor::Account(account), project, action, now)?;
    Ok(Ok(project))
}

const INVITATIONS: &str =
    "SELECT invitation.id, invitation.project, project.name, invitation.email,
                             invitation.role, account.email AS invited_by, invitation.created_at,
                             invitation.ended_at
                           FROM invitation
                           JOIN project ON project.id = invitation.project
                           JOIN account ON account.id = invitation.invited_by
                           WHERE project.deleted_at IS NULL";

fn of_token(db: &Connection, token: SecretDigest) -> rusqlite::Result<Option<Invitation>> {
    let sql = format!("{INVITATIONS} AND invitation.token = ?1");
    query::first(db, &sql, [token], read)
}

/// The invitations to an address and by an account, the latest first.
pub(crate) fn invitations_of(
    db: &Connection,
    account: AccountId,
    address: &str,
) -> rusqlite::Result<Vec<Invitation>> {
    let sql = format!(
        "{INVITATIONS} AND (invitation.email_key = ?2 OR invitation.invited_by = ?1)
         ORDER BY invitation.created_at DESC, invitation.id DESC"
    );
    query::all(db, &sql, (account, address), read)
}

fn pending(
    db: &Connection,
    project: ProjectId,
    now: Timestamp,
) -> rusqlite::Result<Vec<Invitation>> {
    let sql = format!(
        "{INVITATIONS} AND invitation.project = ?1 AND invitation.ended_at IS NULL
         ORDER BY invitation.created_at DESC, invitation.id DESC"
    );
    let mut pending = query::all(db, &sql, [project], read)?;
    pending.retain(|invitation| invitation.is_live(now));
    Ok(pending)
}

fn read(row: &Row<'_>) -> rusqlite::Result<Invitation> {
    Ok(Invitation {
        id: row.get("id")?,
        project: row.get("project")?,
        project_name: row.get("name")?,
        email: row.get("email")?,
        role: row.get("role")?,
        invited_by: row.get("invited_by")?,
        created_at: column::time(row, "created_at")?,
        ended_at: column::time_if_any(row, "ended_at")?,
    })
}
