//! The pages of the invited person: the link of the mail, the question, and the answer.
//!
//! Following the link consumes nothing and moves its token into a cookie, as the link of a sign-in does.
//! The page tells who invites to which project only to an account that is signed in with the invited
//! address.

use std::time::Duration;

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use http::HeaderMap;
use serde::Deserialize;

use super::context::Context;
use super::cookies::CookieKind;
use super::extract::QueryParameters;
use super::notice::Notice;
use super::page::{PageResult, page, refused, see_other};
use super::page_error::PageError;
use super::signed_in::Session;
use super::time::Time;
use super::view::a;
use crate::accounts::InvitationToken;
use crate::members::invitations;
use crate::members::{Invitation, InvitationAnswer, MemberError, MemberRefusal};
use crate::projects::Role;
use crate::site::Shell;

/// The page that asks.
pub(super) const PATH: &str = "/dashboard/invitation";

/// How long a browser keeps the token, for the sign-in that may come first.
const KEPT: Duration = Duration::from_secs(3600);

#[derive(Template)]
#[template(path = "dashboard/invitation.html")]
struct InvitationPage<'a> {
    shell: Shell<'a>,
    email: &'a str,
    project: String,
    by: String,
    role: Role,
    ends: Time,
}

#[derive(Template)]
#[template(path = "dashboard/no_invitation.html")]
struct NoInvitationPage<'a> {
    shell: Shell<'a>,
    reason: NoInvitation<'a>,
}

/// The reason why an invitation is not shown.
enum NoInvitation<'a> {
    SignedOut,
    /// It is for another address than this one.
    OtherAddress(&'a str),
    Ended,
    /// The link to it is not whole.
    CutOff,
}

#[derive(Deserialize)]
pub(super) struct Link {
    #[serde(default)]
    token: String,
}

/// `GET /dashboard/invitation/link`: consumes nothing.
pub(super) async fn link(
    State(context): State<Context>,
    QueryParameters(link): QueryParameters<Link>,
) -> PageResult {
    let Ok(token) = InvitationToken::parse(&link.token) else {
        return refused(&NoInvitationPage {
            shell: Shell::new(&context.info, PATH),
            reason: NoInvitation::CutOff,
        });
    };
    let mut response = see_other(PATH);
    let (kind, cookies) = (CookieKind::Invitation, context.cookies);
    cookies.keep(&mut response, kind, &token.reveal(), KEPT);
    Ok(response)
}

/// `GET /dashboard/invitation`
pub(super) async fn show(
    State(context): State<Context>,
    session: Result<Session, PageError>,
    headers: HeaderMap,
) -> PageResult {
    let session = match session {
        Ok(session) => session,
        Err(PageError::SignedOut) => {
            return page(&NoInvitationPage {
                shell: Shell::new(&context.info, PATH),
                reason: NoInvitation::SignedOut,
            });
        }
        Err(error) => return Err(error),
    };
    let Some(token) = token(&context, &headers) else {
        return none(&context, &session, NoInvitation::Ended);
    };
    let account = &session.signed_in.account;
    match invitations::of_link(context.store(), account, &token, context.now()).await {
        Ok(invitation) => page(&InvitationPage::of(&invitation, &context, &session)),
        Err(error) => explain(&context, &session, error),
    }
}

/// `POST /dashboard/invitation/accept`
pub(super) async fn accept(
    State(context): State<Context>,
    session: Session,
    headers: HeaderMap,
) -> PageResult {
    answer(&context, &session, &headers, InvitationAnswer::Accept).await
}

/// `POST /dashboard/invitation/decline`
pub(super) async fn decline(
    State(context): State<Context>,
    session: Session,
    headers: HeaderMap,
) -> PageResult {
    answer(&context, &session, &headers, InvitationAnswer::Decline).await
}

async fn answer(
    context: &Context,
    session: &Session,
    headers: &HeaderMap,
    answer: InvitationAnswer,
) -> PageResult {
    let Some(token) = token(context, headers) else {
        return none(context, session, NoInvitation::Ended);
    };
    let (store, account) = (context.store(), &session.signed_in.account);
    match invitations::answer(store, account, &token, answer, context.now()).await {
        Ok(project) => {
            let mut response = match answer {
                InvitationAnswer::Accept => {
                    see_other(&format!("/dashboard/projects/{}", project.0))
                }
                InvitationAnswer::Decline => {
                    Notice::InvitationDeclined.see_other("/dashboard/projects")
                }
            };
            forget(context, &mut response);
            Ok(response)
        }
        Err(error) => explain(context, session, error),
    }
}

/// The token of the link that was followed.
fn token(context: &Context, headers: &HeaderMap) -> Option<InvitationToken> {
    let sent = context.cookies.get(headers, CookieKind::Invitation)?;
    InvitationToken::parse(sent).ok()
}

fn explain(context: &Context, session: &Session, error: MemberError) -> PageResult {
    match error {
        MemberError::Refused(MemberRefusal::OtherAddress) => {
            let address = NoInvitation::OtherAddress(session.email().as_str());
            none(context, session, address)
        }
        MemberError::Refused(_) => none(context, session, NoInvitation::Ended),
        other => Err(other.into()),
    }
}

/// The page that says why there is no invitation; the browser forgets the link.
fn none(context: &Context, session: &Session, reason: NoInvitation<'_>) -> PageResult {
    let mut response = refused(&NoInvitationPage {
        shell: session.shell(context),
        reason,
    })?;
    forget(context, &mut response);
    Ok(response)
}

fn forget(context: &Context, response: &mut Response) {
    context.cookies.forget(response, CookieKind::Invitation);
}

impl<'a> InvitationPage<'a> {
    fn of(invitation: &Invitation, context: &'a Context, session: &'a Session) -> Self {
        let (at, now) = (invitation.expires_at(), context.now());
        Self {
            shell: session.shell(context),
            email: session.email().as_str(),
            project: invitation.project_name.clone(),
            by: invitation.invited_by.as_str().to_owned(),
            role: invitation.role,
            ends: Time { at, now },
        }
    }
}
