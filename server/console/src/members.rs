//! Members of projects, and invitations to become one.
//!
//! An owner invites an address by mail. The mail's link names the invitation by a token; only an account
//! that is signed in with that address accepts it. A project keeps at least one owner.

mod change;
mod invitation;
pub mod invitations;
mod limits;
mod member;
pub(crate) mod sql;
pub mod store;

pub use change::{MemberChange, MemberOfProject};
pub use invitation::{Invitation, InvitationAnswer, InvitationId, Invited, NewInvitation};
pub use limits::InvitationLimit;
pub use member::{Member, MemberError, MemberRejection};

use jiff::Timestamp;

use db::{Db, Timeouts};
use features::console_config::AccountRules;
use features::projects::{Actor, ProjectId};

/// The members of a project, owners first, then by time.
///
/// # Errors
/// When the actor manages no such project, or the database fails.
pub async fn list(
    store: &Db,
    actor: Actor,
    project: ProjectId,
) -> Result<Vec<Member>, MemberError> {
    let members = store.snapshot(Timeouts::Request, move |tx| {
        sql::members(tx, actor, project)
    });
    Ok(members
        .await?
        .ok_or(MemberRejection::UnknownProject(project))?)
}

/// Changes the role of a member, or removes it; an account may leave by removing itself. Invitations
/// that somebody who is no owner any more has sent end.
///
/// # Errors
/// When the actor may not do this, the project has no such member or would lose its last owner, the member may not
/// own one more project, or the database fails.
pub async fn change(
    store: &Db,
    member: MemberOfProject,
    change: MemberChange,
    rules: &AccountRules,
    now: Timestamp,
) -> Result<(), MemberError> {
    let most = rules.free_projects;
    store::change_member(store, member, change, most, now).await
}
