//! The database operations of members and invitations.

use db::{Db, DbError, Timeouts};
use jiff::Timestamp;

use super::{Invitation, MemberChange, MemberError, MemberOfProject};
use crate::accounts::SecretDigest;
use crate::members::sql;

/// Changes a member or removes it.
pub async fn change_member(
    db: &Db,
    member: MemberOfProject,
    change: MemberChange,
    free_projects: u32,
    now: Timestamp,
) -> Result<(), MemberError> {
    db.write(member.actor.writer(), Timeouts::Request, move |tx| {
        sql::change_member(tx, member, change, free_projects, now)
    })
    .await
}

/// The invitation of a link to a project that is not deleted, whatever its state.
pub async fn invitation(db: &Db, token: SecretDigest) -> Result<Option<Invitation>, DbError> {
    db.read(move |tx| sql::of_token(tx, token)).await
}
