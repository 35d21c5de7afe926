//! The change of a member, and who may make it.

use super::MemberRejection;
use features::audit::AuditAction;
use features::domain::ids::AccountId;
use features::projects::{Actor, ProjectAccess, ProjectId, Role};

/// A member of a project, and the actor that asks to change it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MemberOfProject {
    pub actor: Actor,
    pub project: ProjectId,
    pub member: AccountId,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MemberChange {
    Role(Role),
    Remove,
}

/// The facts about the members of a project that decide on a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Membership {
    /// The role of the member to change.
    pub(crate) role: Option<Role>,
    /// How many owners the project has.
    pub(crate) owners: i64,
}

impl MemberOfProject {
    /// Decides whether a change may be made, and how the audit log records it; `None` for a role that the
    /// member has already.
    pub(crate) fn check(
        self,
        change: MemberChange,
        found: Option<&ProjectAccess>,
        membership: Membership,
    ) -> Result<Option<AuditAction>, MemberRejection> {
        let leaves = change == MemberChange::Remove && self.actor.account() == Some(self.member);
        match MemberRejection::unless_owned(self.actor, self.project, found) {
            Err(MemberRejection::NotOwner) if leaves => {}
            checked => checked?,
        }
        let role = membership.role.ok_or(MemberRejection::UnknownMember)?;
        if change == MemberChange::Role(role) {
            return Ok(None);
        }
        if role == Role::Owner && membership.owners <= 1 {
            return Err(MemberRejection::LastOwner);
        }
        Ok(Some(match change {
            MemberChange::Role(role) => AuditAction::RoleSet(self.member, role),
            MemberChange::Remove if leaves => AuditAction::MemberLeft,
            MemberChange::Remove => AuditAction::MemberRemoved(self.member),
        }))
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::test_records::{project, project_id};
    use features::projects::Standing;

    const ADA: AccountId = AccountId(Uuid::from_u128(1));
    const BOB: AccountId = AccountId(Uuid::from_u128(2));

    #[track_caller]
    fn check(
        own: Option<Role>,
        (member, role): (AccountId, Option<Role>),
        owners: i64,
        change: MemberChange,
        expected: Result<Option<AuditAction>, MemberRejection>,
    ) {
        let about = MemberOfProject {
            actor: Actor::Account(ADA),
            project: project_id(1),
            member,
        };
        let found = ProjectAccess {
            project: project(1),
            standing: Standing {
                role: own,
                is_operator: false,
            },
        };
        let decided = about.check(change, Some(&found), Membership { role, owners });
        assert_eq!(decided, expected);
    }

    #[test]
    fn owners_change_members_and_everybody_leaves() {
        use MemberChange::{Remove, Role as Set};
        use MemberRejection::{LastOwner, NotOwner, UnknownMember, UnknownProject};
        use Role::{Member, Owner};
        let (owner, member) = (Some(Owner), Some(Member));
        let set = |role| Ok(Some(AuditAction::RoleSet(BOB, role)));
        check(owner, (BOB, member), 1, Set(Owner), set(Owner));
        check(owner, (BOB, owner), 2, Set(Member), set(Member));
        check(owner, (BOB, member), 1, Set(Member), Ok(None));
        let removed = Ok(Some(AuditAction::MemberRemoved(BOB)));
        check(owner, (BOB, owner), 2, Remove, removed);
        check(owner, (BOB, None), 1, Remove, Err(UnknownMember));
        check(member, (BOB, member), 1, Remove, Err(NotOwner));
        check(member, (BOB, None), 1, Set(Owner), Err(NotOwner));
        check(member, (ADA, member), 1, Set(Owner), Err(NotOwner));
        let left = || Ok(Some(AuditAction::MemberLeft));
        check(member, (ADA, member), 1, Remove, left());
        check(owner, (ADA, owner), 2, Remove, left());
        check(owner, (ADA, owner), 1, Remove, Err(LastOwner));
        check(owner, (ADA, owner), 1, Set(Member), Err(LastOwner));
        let unknown = Err(UnknownProject(project_id(1)));
        check(None, (BOB, member), 1, Remove, unknown.clone());
        check(None, (ADA, None), 1, Remove, unknown);
    }
}
