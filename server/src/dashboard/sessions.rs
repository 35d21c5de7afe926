//! The browsers that are signed in to an account, and signing out.

use askama::Template;
use axum::extract::State;
use uuid::Uuid;

use super::context::Context;
use super::cookies::CookieKind;
use super::extract::SessionPath;
use super::headers;
use super::notice::Notice;
use super::page::{PageResult, page, see_other};
use super::page_error::PageError;
use super::sidebar::Sidebar;
use super::signed_in::Session;
use super::time::Time;
use crate::accounts::{self, SignedIn, sessions};
use crate::site::Shell;
use db::DbError;

const PATH: &str = "/dashboard/sessions";

#[derive(Template)]
#[template(path = "dashboard/sessions.html")]
struct SessionsPage<'a> {
    shell: Shell<'a>,
    side: Sidebar,
    sessions: Vec<SessionView>,
}

/// A session in the list.
struct SessionView {
    id: Uuid,
    browser: String,
    is_this: bool,
    created: Time,
    last_seen: Time,
}

/// `GET /dashboard/sessions`
pub(super) async fn list(State(context): State<Context>, session: Session) -> PageResult {
    let now = context.now();
    let found = of_account(&context, &session).await?;
    let view = |found: accounts::Session| SessionView {
        id: found.id.0,
        is_this: found.id == session.signed_in.session.id,
        browser: found.browser_name.as_str().to_owned(),
        created: Time {
            at: found.created_at,
            now,
        },
        last_seen: Time {
            at: found.last_seen_at,
            now,
        },
    };
    page(&SessionsPage {
        shell: session.shell(&context),
        side: session.side(),
        sessions: found.into_iter().map(view).collect(),
    })
}

/// `POST /dashboard/sessions/{session}/end`
pub(super) async fn end(
    State(context): State<Context>,
    session: Session,
    SessionPath(id): SessionPath,
) -> PageResult {
    let ended = sessions::end(context.store(), session.signed_in.account.id, id).await?;
    ended.then_some(()).ok_or(PageError::NotFound)?;
    Ok(Notice::SessionEnded.see_other(PATH))
}

/// `POST /dashboard/sessions/end-others`
pub(super) async fn end_others(State(context): State<Context>, session: Session) -> PageResult {
    let SignedIn {
        account,
        session: this,
        ..
    } = &session.signed_in;
    for other in of_account(&context, &session).await? {
        if other.id != this.id {
            sessions::end(context.store(), account.id, other.id).await?;
        }
    }
    Ok(Notice::SessionsEnded.see_other(PATH))
}

/// `POST /dashboard/sign-out`
pub(super) async fn sign_out(State(context): State<Context>, session: Session) -> PageResult {
    let signed_in = &session.signed_in;
    sessions::end(context.store(), signed_in.account.id, signed_in.session.id).await?;
    let mut response = see_other("/dashboard/sign-in");
    context.cookies.forget(&mut response, CookieKind::Session);
    headers::clear_site(&mut response);
    Ok(response)
}

/// The live sessions of the account that is signed in.
async fn of_account(
    context: &Context,
    session: &Session,
) -> Result<Vec<accounts::Session>, DbError> {
    let account = session.signed_in.account.id;
    sessions::list(context.store(), account, context.rules(), context.now()).await
}
