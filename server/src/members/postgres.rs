//! Members and invitations, in PostgreSQL.

use async_trait::async_trait;
use deadpool_postgres::{GenericClient, Transaction};
use futures_util::FutureExt;
use jiff::Timestamp;
use tokio_postgres::Row;
use tokio_postgres::types::ToSql;

use super::change::Membership;
use super::limits::{InvitationCounts, WINDOW};
use super::{
    Invitation, InvitationAnswer, InvitationId, Invited, Member, MemberChange, MemberOfProject,
    MemberRefusal, MemberStore, NewInvitation,
};
use crate::accounts::{AccountId, Email, SecretDigest};
use crate::audit::AuditAction;
use crate::database::StoreError;
use crate::database::postgres::column::{self, Millis, before};
use crate::database::postgres::{Failure, Postgres, TimeoutClass, locks, query};
use crate::mail::{NewMail, postgres as mail};
use crate::projects::{Actor, ProjectId, Role, postgres as projects};
use crate::suspensions::postgres as suspensions;

#[async_trait]
impl MemberStore for Postgres {
    async fn members(
        &self,
        actor: Actor,
        project: ProjectId,
    ) -> Result<Option<Vec<Member>>, StoreError> {
        self.read(TimeoutClass::Request, move |tx| {
            members(tx, actor, project).boxed()
        })
        .await
    }

    async fn change_member(
        &self,
        member: MemberOfProject,
        change: MemberChange,
        now: Timestamp,
    ) -> Result<Result<(), MemberRefusal>, StoreError> {
        self.write(
            member.actor.writer(),
            TimeoutClass::Request,
            (member, change, now),
            |tx, (member, change, now)| change_member(tx, *member, *change, *now).boxed(),
        )
        .await
    }

    async fn invitations(
        &self,
        actor: Actor,
        project: ProjectId,
        now: Timestamp,
    ) -> Result<Option<Vec<Invitation>>, StoreError> {
        self.read(TimeoutClass::Request, move |tx| {
            pending(tx, actor, project, now).boxed()
        })
        .await
    }

    async fn invite(
        &self,
        invitation: NewInvitation,
        mail: NewMail,
    ) -> Result<Result<Invited, MemberRefusal>, StoreError> {
        self.write(
            Actor::Account(invitation.invited_by).writer(),
            TimeoutClass::Request,
            (invitation, mail),
            |tx, (invitation, mail)| invite(tx, invitation, mail).boxed(),
        )
        .await
    }

    async fn revoke_invitation(
        &self,
        actor: Actor,
        project: ProjectId,
        invitation: InvitationId,
        now: Timestamp,
    ) -> Result<Result<(), MemberRefusal>, StoreError> {
        self.write(
            actor.writer(),
            TimeoutClass::Request,
            (actor, project, invitation, now),
            |tx, (actor, project, id, now)| revoke(tx, *actor, *project, *id, *now).boxed(),
        )
        .await
    }

    async fn invitation(&self, token: SecretDigest) -> Result<Option<Invitation>, StoreError> {
        self.query(move |db| of_token(db, token).boxed()).await
    }

    async fn answer_invitation(
        &self,
        account: AccountId,
        token: SecretDigest,
        answer: InvitationAnswer,
        now: Timestamp,
    ) -> Result<Result<ProjectId, MemberRefusal>, StoreError> {
        self.write(
            Actor::Account(account).writer(),
            TimeoutClass::Request,
            (account, token, answer, now),
            |tx, (account, token, answer, now)| {
                answer_invitation(tx, *account, *token, *answer, *now).boxed()
            },
        )
        .await
    }
}

async fn members(
    tx: &Transaction<'_>,
    actor: Actor,
    project: ProjectId,
) -> Result<Option<Vec<Member>>, Failure> {
    if projects::managed(tx, actor, project).await?.is_none() {
        return Ok(None);
    }
    let sql = "SELECT membership.account, account.email, membership.role, membership.created_at
               FROM membership JOIN account ON account.id = membership.account
               WHERE membership.project = $1
               ORDER BY membership.role DESC, membership.created_at, membership.account";
    let read = |row: &Row| {
        Ok(Member {
            account: row.try_get("account")?,
            email: row.try_get("email")?,
            role: row.try_get("role")?,
            since: column::time(row, "created_at")?,
        })
    };
    Ok(Some(query::all(tx, sql, &[&project], read).await?))
}

async fn change_member(
    tx: &Transaction<'_>,
    about: MemberOfProject,
    change: MemberChange,
    now: Timestamp,
) -> Result<Result<(), MemberRefusal>, Failure> {
    let MemberOfProject {
        actor,
        project,
        member,
    } = about;
    // The project's other changes of members wait here.
    let found = projects::lock(tx, actor, project).await?;
    let membership = membership(tx, project, member).await?;
    let action = match about.check(change, found.as_ref(), membership) {
        Ok(Some(action)) => action,
        Ok(None) => return Ok(Ok(())),
        Err(refusal) => return Ok(Err(refusal)),
    };
    if let Err(refusal) = suspensions::admit(tx, actor).await? {
        return Ok(Err(refusal.into()));
    }
    match change {
        MemberChange::Role(role) => {
            projects::put_member(tx, project, (member, role), now).await?;
        }
        MemberChange::Remove => {
            let sql = "DELETE FROM membership WHERE account = $1 AND project = $2";
            query::execute(tx, sql, &[&member, &project]).await?;
        }
    }
    if change != MemberChange::Role(Role::Owner) {
        end_all(tx, project, "invited_by", &member, now).await?;
    }
    projects::record_event(tx, actor, project, action, now).await?;
    Ok(Ok(()))
}

async fn membership(
    tx: &Transaction<'_>,
    project: ProjectId,
    member: AccountId,
) -> Result<Membership, Failure> {
    let sql = "SELECT
                 (SELECT role FROM membership WHERE project = $1 AND account = $2) AS role,
                 (SELECT count(*) FROM membership WHERE project = $1 AND role = $3) AS owners";
    let params: query::Params<'_> = &[&project, &member, &Role::Owner];
    query::one(tx, sql, params, |row| {
        Ok(Membership {
            role: row.try_get("role")?,
            owners: row.try_get("owners")?,
        })
    })
    .await
}

async fn invite(
    tx: &Transaction<'_>,
    invitation: &NewInvitation,
    mail: &NewMail,
) -> Result<Result<Invited, MemberRefusal>, Failure> {
    let actor = Actor::Account(invitation.invited_by);
    let (project, now) = (invitation.project, invitation.created_at);
    locks::own_invitations(tx).await?;
    let found = projects::lock(tx, actor, project).await?;
    if let Err(refusal) = MemberRefusal::unless_owned(actor, project, found.as_ref()) {
        return Ok(Err(refusal));
    }
    let key = invitation.email.key();
    if is_member(tx, project, &key).await? {
        return Ok(Err(MemberRefusal::AlreadyMember));
    }
    forget_invitations(tx, now).await?;
    if let Err(limit) = counts(tx, invitation).await?.admit() {
        return Ok(Err(limit.into()));
    }
    let ended = end_all(tx, project, "email_key", &key, now).await?;
    let sql = "INSERT INTO invitation (id, token, project, email, email_key, role, invited_by,
                 network, created_at)
               VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";
    let network = invitation.network.to_string();
    let params: query::Params<'_> = &[
        &invitation.id,
        &invitation.token,
        &project,
        &invitation.email,
        &key,
        &invitation.role,
        &invitation.invited_by,
        &network,
        &Millis(now),
    ];
    query::execute(tx, sql, params).await?;
    mail::enqueue(tx, mail).await?;
    let invited = AuditAction::MemberInvited(Some(invitation.email.clone()), invitation.role);
    projects::record_event(tx, actor, project, invited, now).await?;
    Ok(Ok(Invited::after(ended)))
}

async fn is_member(tx: &Transaction<'_>, project: ProjectId, key: &str) -> Result<bool, Failure> {
    let sql = "SELECT 1 FROM membership JOIN account ON account.id = membership.account
               WHERE membership.project = $1 AND account.email_key = $2";
    query::exists(tx, sql, &[&project, &key]).await
}

/// Deletes invitations that can neither be answered nor are counted.
pub(crate) async fn forget_invitations(
    tx: &Transaction<'_>,
    now: Timestamp,
) -> Result<(), Failure> {
    let sql = "DELETE FROM invitation WHERE created_at <= $1 OR ended_at <= $2";
    let ends = (before(now, Invitation::LIFE), before(now, WINDOW));
    query::execute(tx, sql, &[&ends.0, &ends.1]).await?;
    Ok(())
}

async fn counts(
    tx: &Transaction<'_>,
    invitation: &NewInvitation,
) -> Result<InvitationCounts, Failure> {
    let sql = "SELECT
                 (SELECT count(*) FROM invitation WHERE created_at > $1 AND email_key = $2) AS address,
                 (SELECT count(*) FROM invitation WHERE created_at > $1 AND project = $3) AS project,
                 (SELECT count(*) FROM invitation WHERE created_at > $1 AND invited_by = $4) AS account,
                 (SELECT count(*) FROM invitation WHERE created_at > $1 AND network = $5) AS network,
                 (SELECT count(*) FROM invitation WHERE created_at > $1) AS overall,
                 (SELECT count(*) FROM membership WHERE project = $3)
                 + (SELECT count(*) FROM invitation WHERE project = $3 AND ended_at IS NULL
                      AND email_key != $2) AS members";
    let since = before(invitation.created_at, WINDOW);
    let (email, network) = (invitation.email.key(), invitation.network.to_string());
    let params: query::Params<'_> = &[
        &since,
        &email,
        &invitation.project,
        &invitation.invited_by,
        &network,
    ];
    query::one(tx, sql, params, |row| {
        Ok(InvitationCounts {
            address: row.try_get("address")?,
            project: row.try_get("project")?,
            account: row.try_get("account")?,
            network: row.try_get("network")?,
            all: row.try_get("overall")?,
            members: row.try_get("members")?,
        })
    })
    .await
}

/// Ends the invitations of a project that have this value in a column; returns their number.
async fn end_all(
    tx: &Transaction<'_>,
    project: ProjectId,
    column: &str,
    value: &(dyn ToSql + Sync),
    now: Timestamp,
) -> Result<usize, Failure> {
    let sql = format!(
        "SELECT id FROM invitation WHERE project = $1 AND {column} = $2 AND ended_at IS NULL"
    );
    let read = |row: &Row| Ok(row.try_get("id")?);
    let found: Vec<InvitationId> = query::all(tx, &sql, &[&project, value], read).await?;
    for id in &found {
        end(tx, *id, now).await?;
    }
    Ok(found.len())
}

/// Ends an invitation, whose mail is not sent any more.
async fn end(tx: &Transaction<'_>, id: InvitationId, now: Timestamp) -> Result<(), Failure> {
    let sql = "UPDATE invitation SET ended_at = $2 WHERE id = $1 AND ended_at IS NULL";
    query::execute(tx, sql, &[&id, &Millis(now)]).await?;
    mail::withdraw(tx, id.mail()).await
}

async fn revoke(
    tx: &Transaction<'_>,
    actor: Actor,
    project: ProjectId,
    id: InvitationId,
    now: Timestamp,
) -> Result<Result<(), MemberRefusal>, Failure> {
    let found = projects::lock(tx, actor, project).await?;
    if let Err(refusal) = MemberRefusal::unless_owned(actor, project, found.as_ref()) {
        return Ok(Err(refusal));
    }
    let sql = format!("{INVITATIONS} AND invitation.id = $1 AND invitation.project = $2");
    let invitation = query::first(tx, &sql, &[&id, &project], read).await?;
    let Some(invitation) = invitation.filter(|it| it.is_live(now)) else {
        return Ok(Err(MemberRefusal::UnknownInvitation));
    };
    end(tx, id, now).await?;
    let revoked = AuditAction::InvitationRevoked(Some(invitation.email), invitation.role);
    projects::record_event(tx, actor, project, revoked, now).await?;
    Ok(Ok(()))
}

async fn answer_invitation(
    tx: &Transaction<'_>,
    account: AccountId,
    token: SecretDigest,
    answer: InvitationAnswer,
    now: Timestamp,
) -> Result<Result<ProjectId, MemberRefusal>, Failure> {
    let actor = Actor::Account(account);
    let email = "SELECT email FROM account WHERE id = $1 AND erased_at IS NULL FOR KEY SHARE";
    let read_email = |row: &Row| Ok(row.try_get::<_, Email>("email")?);
    let email = query::first(tx, email, &[&account], read_email).await?;
    let (Some(email), Some(found)) = (email, of_token(tx, token).await?) else {
        return Ok(Err(MemberRefusal::Ended));
    };
    // Other answers wait here, and find it ended.
    projects::lock(tx, actor, found.project).await?;
    let found = of_token(tx, token).await?;
    let invitation = match Invitation::for_account(found, &email, now) {
        Ok(invitation) => invitation,
        Err(refusal) => return Ok(Err(refusal)),
    };
    end(tx, invitation.id, now).await?;
    let (project, role) = (invitation.project, invitation.role);
    let action = match answer {
        InvitationAnswer::Decline => AuditAction::InvitationDeclined(role),
        InvitationAnswer::Accept => {
            // One who has become a member in another way keeps the role.
            if membership(tx, project, account).await?.role.is_none() {
                projects::put_member(tx, project, (account, role), now).await?;
            }
            AuditAction::MemberJoined(role)
        }
    };
    projects::record_event(tx, actor, project, action, now).await?;
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

async fn of_token(
    db: &impl GenericClient,
    token: SecretDigest,
) -> Result<Option<Invitation>, Failure> {
    let sql = format!("{INVITATIONS} AND invitation.token = $1");
    query::first(db, &sql, &[&token], read).await
}

/// The invitations to an address and by an account, the latest first.
pub(crate) async fn invitations_of(
    tx: &Transaction<'_>,
    account: AccountId,
    address: &str,
) -> Result<Vec<Invitation>, Failure> {
    let sql = format!(
        "{INVITATIONS} AND (invitation.email_key = $2 OR invitation.invited_by = $1)
         ORDER BY invitation.created_at DESC, invitation.id DESC"
    );
    query::all(tx, &sql, &[&account, &address], read).await
}

async fn pending(
    tx: &Transaction<'_>,
    actor: Actor,
    project: ProjectId,
    now: Timestamp,
) -> Result<Option<Vec<Invitation>>, Failure> {
    if projects::managed(tx, actor, project).await?.is_none() {
        return Ok(None);
    }
    let sql = format!(
        "{INVITATIONS} AND invitation.project = $1 AND invitation.ended_at IS NULL
         ORDER BY invitation.created_at DESC, invitation.id DESC"
    );
    let mut pending: Vec<Invitation> = query::all(tx, &sql, &[&project], read).await?;
    pending.retain(|invitation| invitation.is_live(now));
    Ok(Some(pending))
}

fn read(row: &Row) -> Result<Invitation, Failure> {
    Ok(Invitation {
        id: row.try_get("id")?,
        project: row.try_get("project")?,
        project_name: row.try_get("name")?,
        email: row.try_get("email")?,
        role: row.try_get("role")?,
        invited_by: row.try_get("invited_by")?,
        created_at: column::time(row, "created_at")?,
        ended_at: column::time_if_any(row, "ended_at")?,
    })
}
