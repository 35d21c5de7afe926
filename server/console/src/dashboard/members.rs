//! The members of a project, the invitations that wait for an answer, and the pages of the invited person.
//!
//! Following the link of an invitation consumes nothing and moves its token into a cookie, as the link of a
//! sign-in does. The page names the inviting member and the project only to an account that is signed in with the
//! invited address.

use std::time::Duration;

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use http::{HeaderMap, Uri};
use serde::Deserialize;
use uuid::Uuid;

use super::changes;
use super::choice::RoleChoice;
use super::confirmation::{Confirmation, Inline, prose};
use super::context::{Context, Shared};
use super::cookies::CookieKind;
use super::extract::{Form, InvitationPath, MemberPath, ProjectPath, QueryParameters};
use super::notice::Notice;
use super::page::{Frame, PageResult, see_other, sentence};
use super::page_error::PageError;
use super::projects::{self, ProjectView};
use super::session::Session;
use super::sign_in;
use super::time::Time;
use crate::accounts::InvitationToken;
use crate::members::invitations::{self, InvitationRequest};
use crate::members::{
    self, Invitation, InvitationAnswer, Invited, Member, MemberChange, MemberError,
    MemberOfProject, MemberRejection,
};
use features::domain::email::Email;
use features::domain::ids::AccountId;
use features::projects::{ProjectId, Role};

/// The page of an invitation, which asks whether to accept it.
pub(super) const INVITATION: &str = "/dashboard/invitation";

/// How long a browser keeps the token, for the sign-in that may come first.
const KEPT: Duration = Duration::from_secs(3600);

/// The role with its article.
pub(super) fn a(role: Role) -> &'static str {
    match role {
        Role::Owner => "an owner",
        Role::Member => "a member",
    }
}

#[derive(Template)]
#[template(path = "dashboard/members.html")]
struct MembersPage {
    project: ProjectView,
    members: Vec<MemberView>,
    /// With when each ends.
    invitations: Vec<(Invitation, Time)>,
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

struct MemberView {
    id: Uuid,
    email: String,
    is_this: bool,
    role: Role,
    /// Whether it is the only owner, who stays.
    is_last_owner: bool,
    since: Time,
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

#[derive(Template)]
#[template(path = "dashboard/invitation.html")]
struct InvitationPage<'a> {
    email: &'a str,
    project: String,
    by: String,
    role: Role,
    ends: Time,
}

#[derive(Template)]
#[template(path = "dashboard/no_invitation.html")]
struct NoInvitationPage<'a> {
    reason: NoInvitation<'a>,
}

/// The reason why an invitation is not shown.
enum NoInvitation<'a> {
    SignedOut,
    /// It is for another address than this one.
    OtherAddress(&'a str),
    Ended,
    /// The account may not own one more project, for this reason.
    MayNotOwn(String),
    /// The link to it is not whole.
    CutOff,
}

#[derive(Deserialize)]
pub(super) struct Link {
    #[serde(default)]
    token: String,
}

/// `GET /dashboard/projects/{project}/members`
pub(super) async fn list(session: Session, ProjectPath(project): ProjectPath) -> PageResult {
    MembersPage::find(&session, project).await?.shown(&session)
}

/// `POST /dashboard/projects/{project}/members/{member}/role`
pub(super) async fn set_role(
    session: Session,
    MemberPath(project, member): MemberPath,
    Form(form): Form<RoleForm>,
) -> PageResult {
    ProjectView::find(&session, project).await?;
    session.require_recent()?;
    let change = MemberChange::Role(form.role.role());
    change_member(&session, (project, member), change).await
}

/// `GET /dashboard/projects/{project}/members/{member}/remove`
pub(super) async fn removal(session: Session, MemberPath(id, member): MemberPath) -> PageResult {
    let MembersPage {
        project,
        members,
        is_owner,
        ..
    } = MembersPage::find(&session, id).await?;
    let member = members.into_iter().find(|it| it.id == member.0);
    let member = member.ok_or(PageError::NotFound)?;
    if !member.is_this {
        is_owner.then_some(()).ok_or(PageError::NotOwner)?;
        session.require_recent()?;
    }
    let action = format!("{}/{}/remove", path(id), member.id);
    let (title, page) = if member.is_this {
        let page = Confirmation {
            question: prose![format!("Leave “{}”?", project.name)],
            lead: prose![
                "You lose access to the project. Its keys keep working, including those you created. You need an \
                 invitation to rejoin."
            ],
            action,
            button: "Leave project",
            cancel: path(id),
            ..Confirmation::default()
        };
        ("Leave the project", page)
    } else {
        let webhooks = changes::webhooks_of_member(&session, id, AccountId(member.id)).await?;
        let changed = changes::member_path(id, AccountId(member.id));
        let mut details = prose![Inline::Link("Review what this member changed", changed)];
        details.push(match webhooks.is_empty() {
            true => ".".into(),
            false => ". Webhooks they created or changed keep receiving events: ".into(),
        });
        for (n, webhook) in webhooks.into_iter().enumerate() {
            details.extend((n > 0).then(|| Inline::from(", ")));
            details.push(Inline::Code(webhook.url));
        }
        let page = Confirmation {
            details,
            question: prose![format!("Remove {}?", member.email)],
            lead: prose![format!(
                "This member loses access to “{}” immediately. Keys they have seen keep working: rotate any they should \
                 no longer use.",
                project.name
            )],
            action,
            button: "Remove member",
            cancel: path(id),
            ..Confirmation::default()
        };
        ("Remove a member", page)
    };
    session.frame_of(&project).page(title, &page)
}

/// `POST /dashboard/projects/{project}/members/{member}/remove`: leaving needs no new sign-in.
pub(super) async fn remove(
    session: Session,
    MemberPath(project, member): MemberPath,
) -> PageResult {
    if member != session.account() {
        ProjectView::find(&session, project).await?;
        session.require_recent()?;
    }
    change_member(&session, (project, member), MemberChange::Remove).await
}

/// `POST /dashboard/projects/{project}/invitations`
pub(super) async fn invite(
    session: Session,
    ProjectPath(project): ProjectPath,
    Form(form): Form<InvitationForm>,
) -> PageResult {
    ProjectView::find(&session, project).await?;
    session.require_recent()?;
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
            let setup = &session.context.setup;
            let (store, service) = (session.store(), &setup.identity);
            match invitations::invite(store, service, request, session.now()).await {
                Ok(invited) => {
                    setup.new_mail.notify_one();
                    let notice = match invited {
                        Invited::First => Notice::InvitationSent,
                        Invited::Again => Notice::InvitationReplaced,
                    };
                    return Ok(notice.see_other(&path(project)));
                }
                Err(MemberError::Rejected(
                    error @ (MemberRejection::AlreadyMember | MemberRejection::Limit(_)),
                )) => sentence(&error),
                Err(error) => return Err(error.into()),
            }
        }
    };
    let again = MembersPage::find(&session, project).await?;
    let again = MembersPage {
        form,
        error: Some(error),
        ..again
    };
    again.shown(&session)
}

/// `POST /dashboard/projects/{project}/invitations/{invitation}/revoke`
pub(super) async fn revoke(
    session: Session,
    InvitationPath(project, invitation): InvitationPath,
) -> PageResult {
    let (store, actor) = (session.store(), session.actor());
    invitations::revoke(store, actor, project, invitation, session.now()).await?;
    Ok(Notice::InvitationRevoked.see_other(&path(project)))
}

async fn change_member(
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
    match members::change(
        session.store(),
        about,
        change,
        session.context.rules(),
        session.now(),
    )
    .await
    {
        Ok(()) if leaves => Ok(Notice::ProjectLeft.see_other("/dashboard/projects")),
        Ok(()) => Ok(done.see_other(&path(project))),
        Err(MemberError::Rejected(
            rejection @ (MemberRejection::LastOwner | MemberRejection::MayNotOwn),
        )) => {
            let mut again = MembersPage::find(session, project).await?;
            again.problem = Some(sentence(&rejection));
            again.shown(session)
        }
        Err(error) => Err(error.into()),
    }
}

fn path(project: ProjectId) -> String {
    format!("{}/members", projects::path(project))
}

impl MembersPage {
    /// Whether the account that is signed in is the only owner.
    fn is_only_owner(&self) -> bool {
        let mut members = self.members.iter();
        members.any(|member| member.is_this && member.is_last_owner)
    }

    async fn find(session: &Session, id: ProjectId) -> Result<Self, PageError> {
        let project = ProjectView::find(session, id).await?;
        let (store, actor, now) = (session.store(), session.actor(), session.now());
        let members = members::list(store, actor, id).await?;
        let invitations = invitations::list(store, actor, id, now).await?;
        let this = session.account();
        let own = members.iter().find(|member| member.account == this);
        let owners = members.iter().filter(|member| member.role == Role::Owner);
        let has_one_owner = owners.count() == 1;
        let with_end = |invitation: Invitation| {
            let end = Time::new(invitation.expires_at(), now);
            (invitation, end)
        };
        let view = |member| MemberView::of(member, has_one_owner, session);
        Ok(Self {
            project,
            is_owner: own.is_some_and(|member| member.role == Role::Owner),
            is_recent: session.is_recent(),
            is_demo: session.context.setup.is_demo,
            members: members.into_iter().map(view).collect(),
            invitations: invitations.into_iter().map(with_end).collect(),
            problem: None,
            form: InvitationForm::default(),
            error: None,
        })
    }

    fn shown(&self, session: &Session) -> PageResult {
        let is_rejected = self.problem.is_some() || self.error.is_some();
        let frame = session.frame_of(&self.project).rejected_if(is_rejected);
        frame.page(&self.project.title("Members"), self)
    }
}

impl MemberView {
    fn of(member: Member, has_one_owner: bool, session: &Session) -> Self {
        Self {
            id: member.account.0,
            is_this: member.account == session.account(),
            email: member.email.as_str().to_owned(),
            role: member.role,
            is_last_owner: has_one_owner && member.role == Role::Owner,
            since: Time::new(member.since, session.now()),
        }
    }

    fn is_owner(&self) -> bool {
        self.role == Role::Owner
    }
}

/// `GET /dashboard/invitation/link`: consumes nothing.
pub(super) async fn invitation_link(
    State(context): State<Context>,
    uri: Uri,
    QueryParameters(link): QueryParameters<Link>,
) -> PageResult {
    let Ok(token) = InvitationToken::parse(&link.token) else {
        let frame = Frame::public(&context, &uri).rejected_if(true);
        return no_invitation(&frame, NoInvitation::CutOff);
    };
    let mut response = see_other(INVITATION);
    let (kind, cookies) = (CookieKind::Invitation, context.cookies);
    cookies.keep(&mut response, kind, &token.reveal(), KEPT);
    Ok(response)
}

/// `GET /dashboard/invitation`
pub(super) async fn show_invitation(
    State(context): State<Context>,
    uri: Uri,
    session: Result<Session, PageError>,
    headers: HeaderMap,
) -> PageResult {
    let session = match session {
        Ok(session) => session,
        Err(PageError::SignedOut) => {
            let frame = Frame::public(&context, &uri);
            return no_invitation(&frame, NoInvitation::SignedOut);
        }
        Err(error) => return Err(error),
    };
    let Some(token) = token(&context, &headers) else {
        return none(&session, NoInvitation::Ended);
    };
    let (account, now) = (&session.signed_in.account, session.now());
    let invitation = match invitations::of_link(session.store(), account, &token, now).await {
        Ok(invitation) => invitation,
        Err(error) => return explain(&session, error),
    };
    let at = invitation.expires_at();
    let page = InvitationPage {
        email: session.email().as_str(),
        project: invitation.project_name,
        by: invitation.invited_by.as_str().to_owned(),
        role: invitation.role,
        ends: Time { at, now },
    };
    Frame::narrow(session.shell()).page("Invitation", &page)
}

/// `POST /dashboard/invitation/accept`
pub(super) async fn accept(session: Session, headers: HeaderMap) -> PageResult {
    answer(&session, &headers, InvitationAnswer::Accept).await
}

/// `POST /dashboard/invitation/decline`
pub(super) async fn decline(session: Session, headers: HeaderMap) -> PageResult {
    answer(&session, &headers, InvitationAnswer::Decline).await
}

async fn answer(session: &Session, headers: &HeaderMap, answer: InvitationAnswer) -> PageResult {
    let Some(token) = token(&session.context, headers) else {
        return none(session, NoInvitation::Ended);
    };
    let (store, account) = (session.store(), &session.signed_in.account);
    match invitations::answer(
        store,
        account,
        &token,
        answer,
        session.context.rules(),
        session.now(),
    )
    .await
    {
        Ok(project) => {
            let mut response = match answer {
                InvitationAnswer::Accept => see_other(&projects::path(project)),
                InvitationAnswer::Decline => {
                    Notice::InvitationDeclined.see_other("/dashboard/projects")
                }
            };
            forget(session, &mut response);
            Ok(response)
        }
        Err(error) => explain(session, error),
    }
}

/// The token of the link that was followed.
fn token(context: &Shared, headers: &HeaderMap) -> Option<InvitationToken> {
    let sent = context.cookies.get(headers, CookieKind::Invitation)?;
    InvitationToken::parse(sent).ok()
}

fn explain(session: &Session, error: MemberError) -> PageResult {
    match error {
        MemberError::Rejected(MemberRejection::OtherAddress) => {
            let address = NoInvitation::OtherAddress(session.email().as_str());
            none(session, address)
        }
        MemberError::Rejected(
            rejection @ (MemberRejection::TooManyProjects(_) | MemberRejection::OwnsSuspended(_)),
        ) => none(session, NoInvitation::MayNotOwn(sentence(&rejection))),
        MemberError::Rejected(_) => none(session, NoInvitation::Ended),
        other => Err(other.into()),
    }
}

/// The page that says why there is no invitation; the browser forgets the link.
fn none(session: &Session, reason: NoInvitation<'_>) -> PageResult {
    let frame = Frame::narrow(session.shell()).rejected_if(true);
    let mut response = no_invitation(&frame, reason)?;
    forget(session, &mut response);
    Ok(response)
}

fn no_invitation(frame: &Frame<'_>, reason: NoInvitation<'_>) -> PageResult {
    frame.page("Invitation", &NoInvitationPage { reason })
}

fn forget(session: &Session, response: &mut Response) {
    let cookies = session.context.cookies;
    cookies.forget(response, CookieKind::Invitation);
}
