//! The identities of an account at the OpenID Connect provider, and their unlinking.

use askama::Template;
use axum::extract::State;
use uuid::Uuid;

use super::context::{Context, Shared};
use super::extract::IdentityPath;
use super::notice::Notice;
use super::page::{PageResult, page};
use super::page_error::PageError;
use super::sidebar::Sidebar;
use super::signed_in::Session;
use super::time::Time;
use crate::accounts::SessionProof;
use crate::oidc::{self, IdentityRecord};
use crate::site::Shell;

const PATH: &str = "/dashboard/identities";

#[derive(Template)]
#[template(path = "dashboard/identities.html")]
struct IdentitiesPage<'a> {
    shell: Shell<'a>,
    side: Sidebar,
    provider: &'a str,
    email: &'a str,
    identities: Vec<IdentityView>,
    /// Whether the sign-in is recent enough to change them.
    is_recent: bool,
}

#[derive(Template)]
#[template(path = "dashboard/unlink_identity.html")]
struct UnlinkingPage<'a> {
    shell: Shell<'a>,
    side: Sidebar,
    provider: &'a str,
    email: &'a str,
    identity: IdentityView,
}

/// An identity in the list.
struct IdentityView {
    id: Uuid,
    label: String,
    created: Time,
    last_used: Option<Time>,
    /// Whether this session was begun with it.
    is_this: bool,
}

/// `GET /dashboard/identities`
pub(super) async fn list(State(context): State<Context>, session: Session) -> PageResult {
    let own = oidc::list(context.store(), session.signed_in.account.id).await?;
    page(&IdentitiesPage {
        shell: session.shell(&context),
        side: session.side(),
        provider: context.provider()?.name(),
        email: session.email().as_str(),
        identities: own
            .into_iter()
            .map(|identity| IdentityView::of(identity, &session, &context))
            .collect(),
        is_recent: session.is_recent(&context),
    })
}

/// `GET /dashboard/identities/{identity}/unlink`
pub(super) async fn unlinking(
    State(context): State<Context>,
    session: Session,
    IdentityPath(id): IdentityPath,
) -> PageResult {
    let own = oidc::list(context.store(), session.signed_in.account.id).await?;
    let found = own.into_iter().find(|identity| identity.id == id);
    let found = found.ok_or(PageError::NotFound)?;
    session.require_recent(&context)?;
    page(&UnlinkingPage {
        shell: session.shell(&context),
        side: session.side(),
        provider: context.provider()?.name(),
        email: session.email().as_str(),
        identity: IdentityView::of(found, &session, &context),
    })
}

/// `POST /dashboard/identities/{identity}/unlink`
pub(super) async fn unlink(
    State(context): State<Context>,
    session: Session,
    IdentityPath(id): IdentityPath,
) -> PageResult {
    session.require_recent(&context)?;
    let (store, service) = (context.store(), &context.setup.identity);
    let identity = (&session.signed_in.account, id);
    oidc::unlink(store, context.provider()?, service, identity, context.now()).await?;
    context.setup.new_mail.notify_one();
    Ok(Notice::IdentityUnlinked.see_other(PATH))
}

impl IdentityView {
    fn of(identity: IdentityRecord, session: &Session, context: &Shared) -> Self {
        let time = |at| Time {
            at,
            now: context.now(),
        };
        Self {
            id: identity.id.0,
            label: identity.label,
            created: time(identity.created_at),
            last_used: identity.last_used_at.map(time),
            is_this: session.signed_in.session.proof == SessionProof::Oidc(identity.id),
        }
    }
}
