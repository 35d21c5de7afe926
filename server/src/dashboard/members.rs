//! The members of a project, and the invitations that wait for an answer.

use askama::Template;
use axum::extract::State;
use serde::Deserialize;
use uuid::Uuid;

use super::choice::RoleChoice;
use super::context::Context;
use super::extract::{Form, InvitationPath, MemberPath, ProjectPath};
use super::notice::Notice;
use super::page::{PageResult, page, refused, sentence};
use super::page_error::PageError;
use super::sidebar::Sidebar;
use super::sign_in;
use super::signed_in::Session;
use super::time::Time;
use super::view::ProjectView;
use crate::accounts::{AccountId, Email};
use crate::members::invitations::{self, InvitationRequest};
use crate::members::{
    self, Invitation, Invited, Member, MemberChange, MemberError, MemberOfProject, MemberRefusal,
};
use crate::projects::{ProjectId, Role};
use crate::site::Shell;

#[derive(Template)]
#[template(path = "dashboard/members.html")]
struct MembersPage<'a> {
    shell: Shell<'a>,
    side: Sidebar,
    project: ProjectView,
    members: Vec<MemberView>,
    invitations: Vec<InvitationView>,
    /// Whether the account is an owner.
    is_owner: bool,
    /// Whether the sign-in is new enough for the actions of owners alone.
    is_recent: bool,
    is_demo: bool,
    /// Why a change was refused.
    problem: Option<String>,
    form: InvitationForm,
    /// The error of the invitation.
    error: Option<String>,
}

#[derive(Template)]
#[template(path = "dashboard/remove_member.html")]
struct RemovalPage<'a> {
    shell: Shell<'a>,
    side: Sidebar,
    project: ProjectView,
    member: MemberView,
}

/// A member in the list.
struct MemberView {
    id: Uuid,
    email: String,
    is_this: bool,
    role: Role,
    /// Whether it is the only owner, who stays.
    is_last_owner: bool,
    since: Time,
}

/// An invitation in the list.
struct InvitationView {
    id: Uuid,
    email: String,
    role: Role,
    by: String,
    ends: Time,
}

#[derive(Default, Deserialize)]
pub(super) struct InvitationForm {
    email: String,
    role: RoleChoice,
}

#[derive(Deserialize)]
pub(super) struct RoleForm {
    role: RoleChoice,
}

/// `GET /dashboard/projects/{project}/members`
pub(super) async fn list(
    State(context): State<Context>,
    session: Session,
    ProjectPath(project): ProjectPath,
) -> PageResult {
    page(&members_page(&context, &session, project).await?)
}

/// `POST /dashboard/projects/{project}/members/{member}/role`
pub(super) async fn set_role(
    State(context): State<Context>,
    session: Session,
    MemberPath(project, member): MemberPath,
    Form(form): Form<RoleForm>,
) -> PageResult {
    ProjectView::find(&context, &session, project).await?;
    session.require_recent(&context)?;
    let change = MemberChange::Role(form.role.role());
    change_member(&context, &session, (project, member), change).await
}

/// `GET /dashboard/projects/{project}/members/{member}/remove`
pub(super) async fn removal(
    State(context): State<Context>,
    session: Session,
    MemberPath(project, member): MemberPath,
) -> PageResult {
    let found = members_page(&context, &session, project).await?;
    let shown = found.members.into_iter().find(|it| it.id == member.0);
    let member = shown.ok_or(PageError::NotFound)?;
    if !member.is_this {
        found.is_owner.then_some(()).ok_or(PageError::NotOwner)?;
        session.require_recent(&context)?;
    }
    page(&RemovalPage {
        shell: session.shell(&context),
        side: session.side_of(&found.project),
        project: found.project,
        member,
    })
}

/// `POST /dashboard/projects/{project}/members/{member}/remove`: leaving needs no new sign-in.
pub(super) async fn remove(
    State(context): State<Context>,
    session: Session,
    MemberPath(project, member): MemberPath,
) -> PageResult {
    if member != session.signed_in.account.id {
        ProjectView::find(&context, &session, project).await?;
        session.require_recent(&context)?;
    }
    change_member(&context, &session, (project, member), MemberChange::Remove).await
}

/// `POST /dashboard/projects/{project}/invitations`
pub(super) async fn invite(
    State(context): State<Context>,
    session: Session,
    ProjectPath(project): ProjectPath,
    Form(form): Form<InvitationForm>,
) -> PageResult {
    ProjectView::find(&context, &session, project).await?;
    session.require_recent(&context)?;
    let error = match form.email.parse::<Email>() {
        Err(error) => sentence(&error),
        Ok(email) => {
            let request = InvitationRequest {
                by: &session.signed_in.account,
                network: sign_in::network(),
                project,
                email,
                role: form.role.role(),
            };
            let (store, service) = (context.store(), &context.setup.identity);
            match invitations::invite(store, service, request, context.now()).await {
                Ok(invited) => {
                    context.setup.new_mail.notify_one();
                    let notice = match invited {
                        Invited::First => Notice::InvitationSent,
                        Invited::Again => Notice::InvitationReplaced,
                    };
                    return Ok(notice.see_other(&path(project)));
                }
                Err(MemberError::Refused(
                    error @ (MemberRefusal::AlreadyMember | MemberRefusal::Limit(_)),
                )) => sentence(&error),
                Err(error) => return Err(error.into()),
            }
        }
    };
    let mut again = members_page(&context, &session, project).await?;
    again.form = form;
    again.error = Some(error);
    refused(&again)
}

/// `POST /dashboard/projects/{project}/invitations/{invitation}/revoke`
pub(super) async fn revoke(
    State(context): State<Context>,
    session: Session,
    InvitationPath(project, invitation): InvitationPath,
) -> PageResult {
    let (store, actor) = (context.store(), session.actor());
    invitations::revoke(store, actor, project, invitation, context.now()).await?;
    Ok(Notice::InvitationRevoked.see_other(&path(project)))
}

async fn change_member(
    context: &Context,
    session: &Session,
    (project, member): (ProjectId, AccountId),
    change: MemberChange,
) -> PageResult {
    let actor = session.actor();
    let about = MemberOfProject {
        actor,
        project,
        member,
    };
    let done = match change {
        MemberChange::Role(_) => Notice::RoleSet,
        MemberChange::Remove => Notice::MemberRemoved,
    };
    let leaves = change == MemberChange::Remove && actor.account() == Some(member);
    match members::change(context.store(), about, change, context.now()).await {
        Ok(()) if leaves => Ok(Notice::ProjectLeft.see_other("/dashboard/projects")),
        Ok(()) => Ok(done.see_other(&path(project))),
        Err(MemberError::Refused(refusal @ MemberRefusal::LastOwner)) => {
            let mut again = members_page(context, session, project).await?;
            again.problem = Some(sentence(&refusal));
            refused(&again)
        }
        Err(error) => Err(error.into()),
    }
}

async fn members_page<'a>(
    context: &'a Context,
    session: &'a Session,
    id: ProjectId,
) -> Result<MembersPage<'a>, PageError> {
    let project = ProjectView::find(context, session, id).await?;
    let (store, actor, now) = (context.store(), session.actor(), context.now());
    let this = session.signed_in.account.id;
    let members = members::list(store, actor, id).await?;
    let invitations = invitations::list(store, actor, id, now).await?;
    let own = members.iter().find(|member| member.account == this);
    let owners = members.iter().filter(|member| member.role == Role::Owner);
    let has_one_owner = owners.count() == 1;
    Ok(MembersPage {
        shell: session.shell(context),
        side: session.side_of(&project),
        project,
        is_owner: own.is_some_and(|member| member.role == Role::Owner),
        is_recent: session.signed_in.is_stepped_up(now),
        is_demo: context.setup.is_demo,
        members: members
            .into_iter()
            .map(|member| MemberView::of(member, has_one_owner, session, context))
            .collect(),
        invitations: invitations
            .into_iter()
            .map(|invitation| InvitationView::of(invitation, context))
            .collect(),
        problem: None,
        form: InvitationForm::default(),
        error: None,
    })
}

fn path(ProjectId(project): ProjectId) -> String {
    format!("/dashboard/projects/{project}/members")
}

impl MemberView {
    fn of(member: Member, has_one_owner: bool, session: &Session, context: &Context) -> Self {
        let now = context.now();
        Self {
            id: member.account.0,
            is_this: member.account == session.signed_in.account.id,
            email: member.email.as_str().to_owned(),
            role: member.role,
            is_last_owner: has_one_owner && member.role == Role::Owner,
            since: Time {
                at: member.since,
                now,
            },
        }
    }

    fn is_owner(&self) -> bool {
        self.role == Role::Owner
    }
}

impl InvitationView {
    fn of(invitation: Invitation, context: &Context) -> Self {
        let (at, now) = (invitation.expires_at(), context.now());
        Self {
            id: invitation.id.0,
            email: invitation.email.as_str().to_owned(),
            role: invitation.role,
            by: invitation.invited_by.as_str().to_owned(),
            ends: Time { at, now },
        }
    }
}
